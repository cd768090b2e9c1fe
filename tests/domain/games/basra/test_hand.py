import msgspec
import pytest

from domain.cards import PACK
from domain.game import SPECTATOR, CommandRejected, Prompt, Seat
from domain.games.basra import GAME
from domain.games.basra.commands import Play, Refusal
from domain.games.basra.decide import replacements
from domain.games.basra.events import BatchDealt, CardPlayed, FloorCardReplaced, HandDealt, LeftoversTaken
from domain.games.basra.state import Phase, names
from domain.games.basra.view import view
from tests.domain.games.basra.plays import (
    GOLDEN,
    ONE,
    ZERO,
    Chance,
    dealt,
    endgame,
    fold,
    play,
    position,
    random_match,
    refusal,
    scored,
    settings,
)


def test_bsr_01_07_the_deal_holds_one_pack_and_a_secret_a_card() -> None:
    (event, *_) = GAME.proceed(GAME.start(settings()), Chance(1))
    assert isinstance(event, HandDealt)
    assert sorted(event.deck) == sorted(PACK)
    assert len(set(event.salts)) == 52


@pytest.mark.parametrize(("players", "teams"), [(2, None), (4, (0, 1, 0, 1))])
def test_bsr_03_two_players_or_four(players: int, teams: tuple[int, ...] | None) -> None:
    of = settings(players=players)
    assert GAME.seats(of) == players
    assert GAME.teams(of) == teams
    assert GAME.seats(settings()) == 2


def test_bsr_04_the_first_dealer_is_drawn_and_logged() -> None:
    state = GAME.start(settings())
    dealers = set()
    for seed in range(12):
        (event, *_) = GAME.proceed(state, Chance(seed))
        assert isinstance(event, HandDealt)
        dealers.add(event.dealer)
    assert dealers == {0, 1}


@pytest.mark.parametrize("players", [2, 4])
def test_bsr_05_the_deal_goes_round_and_the_seat_after_the_dealer_begins(players: int) -> None:
    deals = [(event, after) for _, event, after in random_match(5, players=players) if isinstance(event, HandDealt)]
    assert len(deals) > 1
    for place, (event, after) in enumerate(deals):
        assert event.dealer == (deals[0][0].dealer + place) % players
        assert event.number == place + 1
        assert after.turn == (event.dealer + 1) % players


def test_bsr_06_a_match_starts_at_nothing() -> None:
    state = GAME.start(settings())
    assert (state.totals, state.carry, GAME.prompt(state), GAME.result(state)) == ((0, 0), 0, None, None)


def test_bsr_08_four_to_the_other_four_to_the_dealer_four_to_the_floor() -> None:
    state = dealt(GOLDEN)
    assert [names(hand) for hand in state.hands] == [tuple(GOLDEN[:4]), tuple(GOLDEN[4:8])]
    other = dealt(GOLDEN, dealer=0)
    assert [names(hand) for hand in other.hands] == [tuple(GOLDEN[4:8]), tuple(GOLDEN[:4])]
    assert other.turn == ONE


def test_bsr_09_10_11_sweepers_go_to_the_bottom_in_order() -> None:
    events = replacements(("QH", "7D", "JS", "4C"), ("JH", "9C", "2S", "3S"))
    assert events == (
        FloorCardReplaced(place=1, returned="7D", replacement="JH"),
        FloorCardReplaced(place=1, returned="JH", replacement="9C"),
        FloorCardReplaced(place=2, returned="JS", replacement="2S"),
    )
    assert all(GAME.redact(event, viewer) == event for event in events for viewer in (ZERO, ONE, SPECTATOR))


def test_bsr_10_five_replacements_at_most() -> None:
    sweepers = ["JS", "JH", "JD", "JC"]
    rest = [code for code in PACK if code not in {*sweepers, "7D"}]
    state = dealt([*rest[:8], *sweepers, "7D", *rest[8:]])
    assert names(state.floor) == tuple(rest[8:12])
    assert names(state.stock[-5:]) == ("JS", "7D", "JH", "JD", "JC") == names(state.returned)
    assert len(state.stock) == 40


def test_bsr_12_14_a_new_batch_comes_when_both_hands_are_empty() -> None:
    state = dealt(GOLDEN)
    for number in range(7):
        state = play(state, GOLDEN[number // 2 if number % 2 == 0 else 4 + number // 2])
        assert state.batch == 1
    events = GAME.decide(state, ONE, Play("AD"))
    stock = names(state.stock)
    assert events[1:] == (BatchDealt(number=2, hands=(stock[:4], stock[4:8])),)
    after = fold(state, events)
    assert (after.batch, after.turn, len(after.stock)) == (2, ZERO, 32)
    assert after.floor == fold(state, events[:1]).floor


def test_bsr_13_38_six_batches_are_a_hand() -> None:
    for players, batches in ((2, 6), (4, 3)):
        steps = random_match(13, "single_hand", players=players)
        assert [event.number for _, event, _ in steps if isinstance(event, BatchDealt)] == [*range(2, batches + 1)]
        ended = steps[-1][2]
        assert (ended.stock, sum(map(len, ended.hands)), ended.batch) == ((), 0, batches)


def test_bsr_15_a_turn_is_one_card_and_there_is_no_passing() -> None:
    state = dealt(GOLDEN)
    assert GAME.prompt(state) == Prompt(number=1, kind="turn", seats=(ZERO,), commands=("play",), seconds=20)
    after = play(state, "TC")
    assert GAME.prompt(after) == Prompt(number=2, kind="turn", seats=(ONE,), commands=("play",), seconds=20)


def test_bsr_16_any_card_may_be_thrown() -> None:
    state = dealt(GOLDEN)
    assert [command.card for command in GAME.legal(state, ZERO)] == GOLDEN[:4]
    assert GAME.legal(state, ONE) == ()
    assert {play(state, code).turn for code in GOLDEN[:4]} == {ONE}


@pytest.mark.parametrize("body", ['{"do":"play","card":"5H","take":["5S"]}', '{"do":"pass"}', '{"do":"play"}'])
def test_bsr_17_a_player_names_the_card_and_nothing_else(body: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=GAME.commands)


def test_bsr_18_a_card_that_takes_nothing_lies_last() -> None:
    assert names(play(position("AD KS", "KH KD", floor="QS 2C"), "AD").floor) == ("QS", "2C", "AD")


def test_bsr_19_captures_go_to_the_pile() -> None:
    state = position("9C KS", "QS QH", floor="4S 5H KD", stock=PACK_REST, last_capturer=1)
    after = play(state, "9C")
    assert after.last_capturer == ZERO
    assert [pile.bit_count() for pile in after.piles] == [3, state.piles[1].bit_count()]
    assert view(after, ONE).pile_counts == view(after, SPECTATOR).pile_counts


PACK_REST = "2S 3S 5S 6S 7S 8S 9S TS"


@pytest.mark.parametrize(
    ("seat", "card", "code"),
    [
        (1, "9H", "NOT_YOUR_TURN"),
        (1, "5H", "NOT_YOUR_TURN"),
        (-1, "5H", "NOT_YOUR_TURN"),
        (0, "9H", "CARD_NOT_IN_HAND"),
        (0, "QH", "CARD_NOT_IN_HAND"),
        (0, "??", "CARD_NOT_IN_HAND"),
        (0, "1S", "CARD_NOT_IN_HAND"),
    ],
)
def test_refusals_of_a_turn_change_nothing(seat: int, card: str, code: str) -> None:
    state = dealt(GOLDEN)
    before = GAME.canonical(state)
    assert refusal(state, Seat(seat), card) == code
    assert GAME.canonical(state) == before


def test_refusals_between_hands_and_after_the_match() -> None:
    assert refusal(GAME.start(settings()), ZERO, "5H") == "WRONG_PHASE"
    assert refusal(scored(endgame("TD AS", 27)), ZERO, "3H") == "WRONG_PHASE"
    assert refusal(scored(endgame("TD AS", 27, variant="single_hand")), ONE, "9H") == "MATCH_OVER"
    assert [code.value for code in Refusal] == [
        "MATCH_OVER",
        "TOO_LATE",
        "WRONG_PHASE",
        "NOT_YOUR_TURN",
        "CARD_NOT_IN_HAND",
    ]


def test_bsr_36_a_capture_on_the_last_throw_is_a_basra_and_leftovers_are_none() -> None:
    last = GAME.decide(position("", "8D", floor="8C"), ONE, Play("8D"))
    assert last[0] == CardPlayed(seat=ONE, card="8D", taken=("8C",), basra=True)
    assert not any(isinstance(event, LeftoversTaken) for event in last)
    left = play(position("", "9D", floor="8C", last_capturer=0), "9D")
    assert left.basra == (0, 0)


def test_bsr_37_basras_are_counted_for_each_player() -> None:
    state = position("6S KS", "2H KH", floor="6D", basra=(1, 2))
    state = play(state, "6S")
    assert state.basra == (2, 2)
    assert play(state, "2H", "KS").basra == (2, 2)


def test_bsr_39_leftovers_go_to_the_last_capturer_and_count() -> None:
    state = position("", "2C", floor="9S 3C 5C", last_capturer=0)
    events = GAME.decide(state, ONE, Play("2C"))
    assert events[1] == LeftoversTaken(seat=ZERO, cards=("9S", "3C", "5C", "2C"))
    after = fold(state, events)
    assert after.scores[0].cards == 52
    assert after.scores[0].two_of_clubs == 2


def test_bsr_40_a_hand_end_without_a_capturer_is_our_own_error() -> None:
    state = msgspec.structs.replace(position("", "3H"), last_capturer=Seat(-1))
    with pytest.raises(AssertionError):
        GAME.decide(state, ONE, Play("3H"))


def test_bsr_41_no_score_in_mid_hand() -> None:
    for before, _, after in random_match(41):
        if before.phase is after.phase is Phase.TURN:
            assert after.totals == before.totals
            assert view(after, ZERO).deal_points == (0, 0)
            assert GAME.result(after) is None


def test_bsr_v1_four_players_deal_play_and_share_piles() -> None:
    of = settings(players=4)
    state = dealt(GOLDEN, of, dealer=1)
    assert [names(state.hands[seat]) for seat in (2, 3, 0, 1)] == [tuple(GOLDEN[at : at + 4]) for at in range(0, 16, 4)]
    assert (state.turn, len(state.floor), len(state.stock)) == (2, 4, 32)
    mine = position("6S", "KS", "QH", "TD", options=of, floor="6D", last_capturer=1, turn=0)
    after = fold(mine, GAME.decide(mine, ZERO, Play("6S")))
    assert (after.basra, after.turn, after.piles[0].bit_count()) == ((1, 0, 0, 0), 1, 2)
    with pytest.raises(CommandRejected):
        GAME.decide(after, ZERO, Play("6S"))
    done = play(after, "KS", "QH", "TD")
    assert done.scores[0].basra == 10
    assert done.scores[0].cards + done.scores[1].cards == 52
