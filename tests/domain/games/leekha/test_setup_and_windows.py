import pytest

from domain.cards import PACK, codes
from domain.game import Seat
from domain.games.leekha import BINT_SBEET, LEEKHA
from domain.games.leekha.commands import Announce, Pass, Ready, SetDoubles
from domain.games.leekha.events import (
    CardsPassed,
    DoublesChosen,
    DoublesShown,
    HandDealt,
    MinusAnswered,
    MinusShown,
    PassChosen,
    SeatReady,
)
from tests.domain.games.leekha.hands import (
    SEATS,
    SUITED,
    AnyOfBoth,
    act,
    both,
    chance,
    dealt,
    doubled,
    fold,
    match,
    passed,
    position,
    settings,
)

HOLDERS = (
    "QS 2S 3S 4S 5S 6S 7S 2D 3D 4D 5D 6D 7D",
    SUITED[1],
    "TD JD QD KD AD 8D 9D 8S 9S TS JS KS AS",
    SUITED[3],
)


@both
def test_sbt_1_lkh_1_four_players_get_thirteen_cards_each(game: AnyOfBoth) -> None:
    state = game.start(settings(game))
    assert game.seats(settings(game)) == 4
    assert game.prompt(state) is None
    state = fold(game, state, *game.proceed(state, chance(1)))
    assert [hand.bit_count() for hand in state.hands] == [13] * 4
    assert sorted(code for hand in state.hands for code in codes(hand)) == sorted(PACK)


def test_sbt_1_lkh_2_all_alone_or_facing_partners() -> None:
    assert BINT_SBEET.teams(settings(BINT_SBEET)) is None
    assert LEEKHA.teams(settings(LEEKHA)) == (0, 1, 0, 1)


@both
def test_sbt_5_lkh_4_the_first_dealer_is_drawn_and_recorded(game: AnyOfBoth) -> None:
    start = game.start(settings(game))
    dealers = set()
    for seed in range(40):
        (event,) = game.proceed(start, chance(seed))
        assert isinstance(event, HandDealt)
        dealers.add(event.dealer)
    assert dealers == {0, 1, 2, 3}


@both
def test_sbt_5_lkh_4_the_deal_moves_to_the_right_every_hand(game: AnyOfBoth) -> None:
    deals = [event for _, event, _ in match(game, 5) if isinstance(event, HandDealt)]
    assert len(deals) > 2
    for number, deal in enumerate(deals):
        assert deal.hand_no == number + 1
        assert deal.dealer == (deals[0].dealer + number) % 4


@both
def test_sbt_6_lkh_4_cards_are_dealt_one_at_a_time_from_the_dealers_right(game: AnyOfBoth) -> None:
    start = game.start(settings(game))
    (event,) = game.proceed(start, chance(2))
    assert isinstance(event, HandDealt)
    assert sorted(event.deck) == sorted(PACK)
    assert len(event.salts) == 52
    state = fold(game, start, event)
    first = (event.dealer + 1) % 4
    for place, code in enumerate(event.deck):
        assert code in codes(state.hands[(first + place) % 4])


@pytest.mark.parametrize(
    ("hand_no", "step", "word"), [(1, 3, "left"), (2, 1, "right"), (3, 3, "left"), (4, 1, "right")]
)
@both
def test_sbt_7_lkh_5_passes_go_left_and_right_in_turn(game: AnyOfBoth, hand_no: int, step: int, word: str) -> None:
    before = position(game, SUITED, phase="pass", hand_no=hand_no)
    after = passed(game, before)
    assert game.view(before, Seat(0)).pass_direction == word  # type: ignore[attr-defined]
    for seat in SEATS:
        gave = set(codes(before.hands[seat])[:3])
        assert gave <= set(codes(after.hands[(seat + step) % 4]))
        assert not gave & set(codes(after.hands[seat]))


def test_sbt_7_option_pass_cycle_repeats_and_may_leave_the_pass_out() -> None:
    cycle = ("none", "right")
    assert dealt(BINT_SBEET, pass_cycle=cycle).phase == "double"
    rules = dealt(BINT_SBEET, pass_cycle=cycle).rules
    assert [rules.direction(number) for number in range(1, 6)] == ["none", "right", "none", "right", "none"]
    assert dealt(LEEKHA, pass_cycle=("none",), doubling=False).phase == "play"


@both
def test_sbt_8_lkh_6_the_pass_is_sealed_and_cards_move_when_all_have_chosen(game: AnyOfBoth) -> None:
    state = dealt(game)
    events = game.decide(state, Seat(2), Pass(("2D", "AD", "TD")))
    assert events == (PassChosen(Seat(2), ("2D", "AD", "TD")), SeatReady(Seat(2)))
    state = fold(game, state, *events)
    assert [hand.bit_count() for hand in state.hands] == [13] * 4
    assert game.prompt(state).seats == (0, 1, 3)  # type: ignore[union-attr]
    state = act(game, state, 0, Pass(("2S", "3S", "4S")))
    state = act(game, state, 1, Pass(("2H", "3H", "4H")))
    *_, moved = game.decide(state, Seat(3), Pass(("2C", "3C", "4C")))
    assert isinstance(moved, CardsPassed)
    assert moved.direction == "left"
    assert moved.cards == (("2S", "3S", "4S"), ("2H", "3H", "4H"), ("2D", "TD", "AD"), ("2C", "3C", "4C"))


@both
def test_sbt_9_lkh_6_any_three_of_the_thirteen_may_go(game: AnyOfBoth) -> None:
    assert len(game.legal(dealt(game), Seat(1))) == 286
    state = position(
        game,
        ("QS TD AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS", *_rest_of("QS TD AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS")),
        phase="pass",
    )
    assert Pass(("QS", "AH", "TD")) in game.legal(state, Seat(0))


def _rest_of(hand: str) -> tuple[str, str, str]:
    left = [code for code in PACK if code not in hand.split()]
    return " ".join(left[:13]), " ".join(left[13:26]), " ".join(left[26:])


@both
def test_sbt_10_after_the_pass_every_seat_holds_thirteen(game: AnyOfBoth) -> None:
    state = passed(game, dealt(game))
    assert [hand.bit_count() for hand in state.hands] == [13] * 4
    assert state.phase == "double"


@both
def test_sbt_11_lkh_7_holders_may_double_queen_and_ten(game: AnyOfBoth) -> None:
    state = position(game, HOLDERS, phase="double")
    assert game.legal(state, Seat(0)) == (SetDoubles(()), SetDoubles(("QS",)), Ready())
    assert game.legal(state, Seat(2)) == (SetDoubles(()), SetDoubles(("TD",)), Ready())
    assert game.legal(state, Seat(1)) == (SetDoubles(()), Ready())


@both
def test_sbt_13_a_holder_of_both_may_double_none_one_or_both(game: AnyOfBoth) -> None:
    hand = "QS TD AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS"
    state = position(game, (hand, *_rest_of(hand)), phase="double")
    choices = [command.cards for command in game.legal(state, Seat(0)) if isinstance(command, SetDoubles)]
    assert choices == [(), ("QS",), ("TD",), ("QS", "TD")]


@both
def test_sbt_14_lkh_9_the_doubled_card_stays_in_the_hand_and_lies_open(game: AnyOfBoth) -> None:
    state = doubled(game, position(game, HOLDERS, phase="double"), (0, ("QS",)))
    assert "QS" in codes(state.hands[0])
    assert game.view(state, Seat(1)).exposed == (("QS",), (), (), ())  # type: ignore[attr-defined]


@both
def test_sbt_15_lkh_9_doublings_are_shown_together_when_all_are_ready(game: AnyOfBoth) -> None:
    state = position(game, HOLDERS, phase="double")
    prompt = game.prompt(state)
    assert prompt is not None
    assert (prompt.seats, prompt.commands, prompt.window) == ((0, 1, 2, 3), ("set_doubles", "ready"), True)
    assert game.decide(state, Seat(0), SetDoubles(("QS",))) == (DoublesChosen(Seat(0), ("QS",)),)
    state = act(game, state, 0, SetDoubles(("QS",)))
    state = act(game, state, 0, SetDoubles(()))
    state = act(game, state, 2, SetDoubles(("TD",)))
    for seat in (2, 1, 0):
        assert game.decide(state, Seat(seat), Ready()) == (SeatReady(Seat(seat)),)
        state = act(game, state, seat, Ready())
        assert state.doubled == 0
    assert game.decide(state, Seat(3), Ready()) == (SeatReady(Seat(3)), DoublesShown(((), (), ("TD",), ())))


@pytest.mark.parametrize(("sbt", "game"), [(True, BINT_SBEET), (False, LEEKHA)])
def test_sbt_18_lkh_10_the_minus_window_follows_the_doubling_in_one_game_only(sbt: bool, game: AnyOfBoth) -> None:  # noqa: FBT001
    state = doubled(game, position(game, HOLDERS, phase="double"))
    assert state.phase == ("minus" if sbt else "play")


def test_sbt_18_19_announcements_are_sealed_for_any_number_of_seats_and_shown_together() -> None:
    game = BINT_SBEET
    state = position(game, HOLDERS, phase="minus")
    prompt = game.prompt(state)
    assert prompt is not None
    assert (prompt.seats, prompt.commands, prompt.window) == ((0, 1, 2, 3), ("announce",), True)
    assert game.legal(state, Seat(0)) == (Announce(minus=False), Announce(minus=True))
    assert game.decide(state, Seat(1), Announce(minus=True)) == (MinusAnswered(Seat(1), minus=True), SeatReady(Seat(1)))
    for seat, minus in ((1, True), (3, True), (0, False)):
        state = act(game, state, seat, Announce(minus=minus))
        assert state.announced == 0
    *_, shown = game.decide(state, Seat(2), Announce(minus=False))
    assert shown == MinusShown((Seat(1), Seat(3)))
    state = act(game, state, 2, Announce(minus=False))
    assert (state.phase, state.announced) == ("play", 0b1010)


def test_section_6_options_leave_windows_out() -> None:
    assert passed(BINT_SBEET, dealt(BINT_SBEET, doubling=False)).phase == "minus"
    assert passed(BINT_SBEET, dealt(BINT_SBEET, doubling=False, minus=False)).phase == "play"
    assert passed(LEEKHA, dealt(LEEKHA, doubling=False)).phase == "play"


@both
def test_sbt_38_lkh_22_clocks_take_their_seconds_from_the_options(game: AnyOfBoth) -> None:
    state = dealt(game)
    seen: list[tuple[str, int]] = []
    while (prompt := game.prompt(state)) is not None and prompt.kind != "hand_break":
        if not seen or seen[-1][0] != prompt.kind:
            seen.append((prompt.kind, prompt.seconds))
        state = act(game, state, prompt.seats[0], game.automatic(state, prompt.seats[0], chance(1)))
    minus = [("minus", 15)] if game is BINT_SBEET else []
    assert seen == [("pass", 30), ("double", 15), *minus, ("turn", 20)]
    assert prompt is not None
    assert (prompt.seats, prompt.commands, prompt.seconds) == ((), (), 10)
    slower = game.prompt(dealt(game, pass_seconds=77))
    assert slower is not None
    assert slower.seconds == 77


@both
def test_a_wait_keeps_its_number_while_seats_answer_and_a_new_wait_has_a_new_one(game: AnyOfBoth) -> None:
    state, randomness = game.start(settings(game)), chance(8)
    waits: list[tuple[object, int]] = []
    while game.result(state) is None:
        prompt = game.prompt(state)
        if prompt is not None:
            waits.append(((state.hand_no, state.phase, sum(state.tricks), len(state.trick)), prompt.number))
        if prompt is None or not prompt.seats:
            state = fold(game, state, *game.proceed(state, randomness))
        else:
            seat = prompt.seats[-1]
            state = act(game, state, seat, game.automatic(state, seat, randomness))
    numbers = dict(waits)
    assert all(numbers[wait] == number for wait, number in waits)
    assert len(set(numbers.values())) == len(numbers)
