import pytest

from domain.cards import CARDS, PACK, CardSet, card_set, codes
from domain.game import Seat
from domain.games.leekha import BINT_SBEET, LEEKHA
from domain.games.leekha.automatic import auto_pass, auto_play
from domain.games.leekha.bot import choose_doubles, choose_pass
from domain.games.leekha.commands import Announce, Pass, Play, Ready, SetDoubles
from tests.domain.games.leekha.hands import (
    SEATS,
    AnyOfBoth,
    Policy,
    act,
    at_random,
    both,
    by_bot,
    by_policy,
    chance,
    dealt,
    doubled,
    match,
    passed,
    plays,
    position,
    settled,
)


def cards_of(text: str) -> CardSet:
    return card_set(CARDS[code] for code in text.split())


@pytest.mark.parametrize(
    ("cards", "gone"),
    [
        ("AS QS 4S AH TH 9D 8D KD KC 5C 4C 3C 2C", "AS AH KD"),
        ("AC AD AH AS 2S 3S 4S 5S 6S 7S 8S 9S TS", "AS AH AD"),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS JH JD JC", "JS JH JD"),
    ],
)
def test_sbt_39_lkh_22_auto_pass_gives_the_three_highest(cards: str, gone: str) -> None:
    assert [*auto_pass(cards_of(cards))] == [CARDS[code] for code in gone.split()]


@pytest.mark.parametrize(
    ("cards", "trick", "played"),
    [
        ("5D 5C KS", "", "5C"),
        ("5D 5S 5H", "", "5D"),
        ("5S 5H AC", "", "5S"),
        ("6S 5H 4D", "", "4D"),
        ("QS JS 3S", "2S", "3S"),
        ("QS", "2S AS", "QS"),
        ("TD 9H 4S", "2C", "TD"),
        ("QS TD AH", "2C", "QS"),
        ("9H 4H AS", "2C", "9H"),
        ("KD KS 4D", "2C", "KS"),
        ("KD 4D 9S", "2C", "KD"),
    ],
)
def test_sbt_41_lkh_22_auto_play(cards: str, trick: str, played: str) -> None:
    names = tuple(CARDS[code] for code in trick.split())
    assert auto_play(cards_of(cards), names) == CARDS[played]


@both
def test_lkh_22_auto_play_chooses_within_talyeekh(game: AnyOfBoth) -> None:
    hands = ("AS 2C", "QS 3S", "5C 6C", "8C 9C")
    covered = plays(game, position(game, hands, {"talyeekh": "void_or_covered"}, leader=0), "0:AS")
    assert game.automatic(covered, Seat(1), chance(0)) == Play("QS")
    free = plays(game, position(game, hands, leader=0), "0:AS")
    assert game.automatic(free, Seat(1), chance(0)) == Play("3S")


@both
def test_sbt_39_a_confirmed_pass_stands_when_the_time_is_over(game: AnyOfBoth) -> None:
    state = act(game, dealt(game), 1, Pass(("2H", "3H", "4H")))
    assert game.prompt(state).seats == (0, 2, 3)  # type: ignore[union-attr]
    for seat in (0, 2, 3):
        state = act(game, state, seat, game.automatic(state, Seat(seat), chance(0)))
    assert {"2H", "3H", "4H"} <= set(codes(state.hands[0]))
    assert {"AC", "KC", "QC"} <= set(codes(state.hands[2]))


@both
def test_sbt_40_a_doubling_without_ready_doubles_nothing(game: AnyOfBoth) -> None:
    state = act(game, passed(game, dealt(game)), 0, SetDoubles(("QS",)))
    state = act(game, state, 2, SetDoubles(("TD",)))
    state = act(game, state, 2, Ready())
    assert game.automatic(state, Seat(0), chance(0)) == SetDoubles(())
    state = act(game, state, 0, SetDoubles(()))
    for seat in (0, 1, 3):
        assert game.automatic(state, Seat(seat), chance(0)) == Ready()
        state = act(game, state, seat, Ready())
    assert codes(state.doubled) == ("TD",)


def test_sbt_40_no_answer_announces_nothing() -> None:
    state = doubled(BINT_SBEET, passed(BINT_SBEET, dealt(BINT_SBEET)))
    state = act(BINT_SBEET, state, 1, Announce(minus=True))
    for seat in (0, 2, 3):
        assert BINT_SBEET.automatic(state, Seat(seat), chance(0)) == Announce(minus=False)
        state = act(BINT_SBEET, state, seat, Announce(minus=False))
    assert state.announced == 0b0010


@pytest.mark.parametrize("options", [{}, {"talyeekh": "void"}, {"talyeekh": "void_or_covered", "doubling": False}])
@both
def test_policy_and_bot_always_choose_what_is_legal(game: AnyOfBoth, options: dict[str, object]) -> None:
    for policy in (by_policy, by_bot):
        for state in settled(game, 3, (policy,) * 4, **options):
            prompt = game.prompt(state)
            for seat in prompt.seats if prompt is not None else ():
                assert policy(game, state, seat, chance(0)) in game.legal(state, seat)


def test_sbt_42_a_bot_never_announces_a_minus() -> None:
    for seed in range(5):
        for _, _, state in match(BINT_SBEET, seed, (by_bot,) * 4):
            assert state.announced == state.answers == 0


def test_a_bot_passes_what_is_dangerous_and_keeps_a_guarded_queen() -> None:
    assert CARDS["QS"] in choose_pass(cards_of("QS AS KS 2C 3C 4C 5D 6D 2H 3H 4D 7C 8C"))
    assert CARDS["QS"] not in choose_pass(cards_of("QS 2S 3S 4S 5S 6S AH KH QH AD 2C 3C 4C"))


@pytest.mark.parametrize(
    ("cards", "doubles"),
    [
        ("QS 2S 3S 4S 5S", ("QS",)),
        ("QS 2S 3S 4S AS", ()),
        ("TD 2D 3D 4D 5D QS", ("TD",)),
        ("2S 3S 4S 5S", ()),
    ],
)
def test_a_bot_doubles_only_what_low_cards_guard(cards: str, doubles: tuple[str, ...]) -> None:
    assert choose_doubles(cards_of(cards)) == doubles


@both
def test_a_bot_ducks_and_gets_rid_of_the_queen(game: AnyOfBoth) -> None:
    ducks = plays(game, position(game, ("KS 2C", "AS JS", "QS 6C", "8S 9C"), leader=0), "0:KS")
    assert game.bot(game.view(ducks, Seat(1)), chance(0)) == Play("JS")
    void = plays(game, position(game, ("AC 2C", "QS 4D", "5C 6S", "8C 9S"), leader=0), "0:AC")
    assert game.bot(game.view(void, Seat(1)), chance(0)) == Play("QS")


def test_a_bot_spares_its_partner() -> None:
    hands = ("AC 7S 8S", "3C 9S TS", "QS KD 2S", "4C JS KS")
    state = plays(LEEKHA, position(LEEKHA, hands, leader=0), "0:AC 1:3C")
    assert LEEKHA.bot(LEEKHA.view(state, Seat(2)), chance(0)) == Play("KD")
    state = plays(BINT_SBEET, position(BINT_SBEET, hands, leader=0), "0:AC 1:3C")
    assert BINT_SBEET.bot(BINT_SBEET.view(state, Seat(2)), chance(0)) == Play("QS")


def wins(game: AnyOfBoth, other: Policy, count: int) -> int:
    """Count the matches that the bot wins, alone or with a partner, from each seat in turn."""
    won = 0
    for seed in range(count):
        seat = seed % 4
        own = {seat} if game is BINT_SBEET else {seat, (seat + 2) % 4}
        *_, (_, _, state) = match(game, 1000 + seed, tuple(by_bot if s in own else other for s in SEATS))
        won += state.places[seat] == 1
    return won


@pytest.mark.parametrize(
    ("game", "other", "least"),
    [(BINT_SBEET, at_random, 26), (BINT_SBEET, by_policy, 14), (LEEKHA, at_random, 28), (LEEKHA, by_policy, 22)],
    ids=["bint-random", "bint-policy", "leekha-random", "leekha-policy"],
)
def test_the_bot_is_clearly_stronger(game: AnyOfBoth, other: Policy, least: int) -> None:
    """Of 30 matches; by chance alone 7.5 of Bint al-Sbeet and 15 of Leekha would be won."""
    assert wins(game, other, 30) >= least


@both
def test_tbl_16_a_bot_sees_the_view_alone(game: AnyOfBoth) -> None:
    """Its choice stays the same when the cards that it cannot see are dealt again."""
    own = "AS QS 4S AH TH 9D 8D KD KC 5C 4C 3C 2C"
    left = [code for code in PACK if code not in own.split()]
    choices = []
    for others in (left, left[::-1]):
        hands = (own, *(" ".join(others[start : start + 13]) for start in (0, 13, 26)))
        choices.append(game.bot(game.view(dealt(game, hands), Seat(0)), chance(1)))
    assert choices[0] == choices[1]
