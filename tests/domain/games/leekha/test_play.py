import pytest

from domain.cards import codes
from domain.game import Seat
from domain.games.leekha import BINT_SBEET, LEEKHA
from domain.games.leekha.commands import Announce, Pass, Play, Ready, SetDoubles
from domain.games.leekha.events import CardPlayed, HandScored, TrickTaken
from domain.games.leekha.state import State
from tests.domain.games.leekha.hands import (
    SUITED,
    AnyOfBoth,
    act,
    both,
    dealt,
    doubled,
    finish,
    last_cards,
    match,
    passed,
    plays,
    position,
    refusal,
)

CLUBS_LED = ("AC 2C 3C", "QS TD 4H", "5C 6C 7C", "8C 9C TC")


@both
def test_sbt_2_seats_follow_in_order_to_the_right(game: AnyOfBoth) -> None:
    state = position(game, CLUBS_LED, leader=0)
    turns = []
    for seat, card in ((0, "AC"), (1, "4H"), (2, "5C")):
        state = act(game, state, seat, Play(card))
        turns.append(state.turn)
    assert turns == [1, 2, 3]


@pytest.mark.parametrize(("low", "high"), list(zip("23456789TJQK", "3456789TJQKA", strict=True)))
@both
def test_sbt_3_lkh_3_ranks_from_two_to_ace(game: AnyOfBoth, low: str, high: str) -> None:
    state = position(game, (f"{low}S 2C", f"{high}S 3C", "4D 4C", "5D 5C"), leader=0)
    state = plays(game, state, f"0:{low}S 1:{high}S 2:4D 3:5D")
    assert state.turn == 1


@both
def test_sbt_4_no_suit_is_trump(game: AnyOfBoth) -> None:
    state = position(game, ("2C 3D", "AS 4D", "AH 5D", "AD 6D"), leader=0)
    assert plays(game, state, "0:2C 1:AS 2:AH 3:AD").turn == 0


def without_windows(game: AnyOfBoth, dealer: int) -> State:
    if game is BINT_SBEET:
        return dealt(game, dealer=dealer, doubling=False, minus=False)
    return dealt(game, dealer=dealer, doubling=False)


@pytest.mark.parametrize("dealer", range(4))
@both
def test_sbt_25_lkh_11_the_dealers_right_leads_with_any_card(game: AnyOfBoth, dealer: int) -> None:
    state = passed(game, without_windows(game, dealer))
    leader = Seat((dealer + 1) % 4)
    assert state.turn == leader
    assert len(game.legal(state, leader)) == 13


@both
def test_sbt_26_lkh_11_follow_suit_if_you_can(game: AnyOfBoth) -> None:
    hands = ("AC 2C 3C", "4C QS 4H", "5C 6C 7C", "8C 9C TC")
    state = position(game, hands, leader=0)
    state = plays(game, state, "0:AC")
    assert game.legal(state, Seat(1)) == (Play("4C"),)


@both
def test_sbt_26_lkh_12_void_in_the_suit_any_card_goes(game: AnyOfBoth) -> None:
    state = plays(game, position(game, CLUBS_LED, leader=0), "0:AC")
    assert game.legal(state, Seat(1)) == (Play("QS"), Play("4H"), Play("TD"))


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("9S AS QS KS", 2), ("TD JD 4D 2C", 2), ("JH AH KC 2H", 2), ("5C QS KC 2C", 3), ("2C 3D 4H 5S", 1)],
)
@both
def test_sbt_27_lkh_11_the_highest_card_of_the_suit_led_takes_the_trick_and_leads(
    game: AnyOfBoth, trick: str, winner: int
) -> None:
    cards = trick.split()
    rest = [rank + ("C" if cards[0][1] == "D" else "D") for rank in "6789"]
    hands = tuple(f"{cards[(seat - 1) % 4]} {rest[seat]}" for seat in range(4))
    state = position(game, hands, leader=1, tricks=(0, 0, 0, 11))
    for place in range(3):
        state = act(game, state, (1 + place) % 4, Play(cards[place]))
    assert game.decide(state, Seat(0), Play(cards[3])) == (CardPlayed(Seat(0), cards[3]), TrickTaken(Seat(winner % 4)))
    state = act(game, state, 0, Play(cards[3]))
    assert (state.turn, state.leader, state.trick) == (winner % 4, winner % 4, ())
    assert set(cards) <= set(codes(state.taken[winner % 4]))


@both
def test_sbt_28_lkh_13_thirteen_tricks_are_played_even_when_all_penalty_cards_are_gone(game: AnyOfBoth) -> None:
    hearts = " ".join(rank + "H" for rank in "23456789TJQKA")
    state = last_cards(game, ("QS TD", "", "", hearts), (3, 3, 2, 5))
    assert len(game.legal(state, Seat(3))) == 1
    state, events = finish(game, state)
    assert sum(state.tricks) == 13
    assert isinstance(events[2], HandScored)
    tricks = 0
    for _, event, _ in match(game, 12):
        tricks += isinstance(event, TrickTaken)
        if isinstance(event, HandScored):
            assert tricks == 13
            tricks = 0


@both
def test_sbt_25_lkh_11_penalty_cards_may_be_led_at_any_time(game: AnyOfBoth) -> None:
    hand = "QS TD AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS"
    pack = " ".join(SUITED).split()
    left = [code for code in pack if code not in hand.split()]
    hands = (hand, *(" ".join(left[start : start + 13]) for start in (0, 13, 26)))
    state = position(game, hands, dealer=3)
    assert {Play("QS"), Play("TD"), Play("AH")} <= set(game.legal(state, Seat(0)))


def test_sbt_14_a_doubled_card_is_not_forced_out_and_counts_in_following() -> None:
    state = position(BINT_SBEET, ("AC 2C", "QS 4H", "5C 6C", "8C 9C"), leader=0, doubled="QS")
    state = plays(BINT_SBEET, state, "0:AC")
    assert BINT_SBEET.legal(state, Seat(1)) == (Play("QS"), Play("4H"))
    state = position(BINT_SBEET, ("3S 2C", "QS 4H", "5C 6C", "8C 9C"), leader=0, doubled="QS")
    assert BINT_SBEET.legal(plays(BINT_SBEET, state, "0:3S"), Seat(1)) == (Play("QS"),)


@pytest.mark.parametrize(
    ("talyeekh", "hands", "trick", "legal"),
    [
        ("off", CLUBS_LED, "AC", "QS 4H TD"),
        ("void", CLUBS_LED, "AC", "QS TD"),
        ("void_or_covered", CLUBS_LED, "AC", "QS TD"),
        ("void", ("AC 2C", "TD 4H", "5C 6C", "8C 9C"), "AC", "TD"),
        ("void", ("AC 2C", "9D 4H", "5C 6C", "8C 9C"), "AC", "4H 9D"),
        ("void", ("AC 2C", "QS 4C", "5C 6C", "8C 9C"), "AC", "4C"),
        ("void", ("AS 2C", "QS 3S", "5C 6C", "8C 9C"), "AS", "3S QS"),
        ("void_or_covered", ("AS 2C", "QS 3S", "5C 6C", "8C 9C"), "AS", "QS"),
        ("void_or_covered", ("KS 2C", "QS AS", "5C 6C", "8C 9C"), "KS", "QS"),
        ("void_or_covered", ("JS 2C", "QS 3S", "5C 6C", "8C 9C"), "JS", "3S QS"),
        ("void_or_covered", ("AS 2C", "4S 3S", "5C 6C", "8C 9C"), "AS", "3S 4S"),
        ("void_or_covered", ("JD 2C", "TD 3D", "5C 6C", "8C 9C"), "JD", "TD"),
        ("void_or_covered", ("KD 2C", "TD AD", "5C 6C", "8C 9C"), "KD", "TD"),
        ("void_or_covered", ("9D 2C", "TD 3D", "5C 6C", "8C 9C"), "9D", "3D TD"),
        ("void_or_covered", ("AH 2C", "3H QS", "5C 6C", "8C 9C"), "AH", "3H"),
    ],
)
@both
def test_option_talyeekh(game: AnyOfBoth, talyeekh: str, hands: tuple[str, ...], trick: str, legal: str) -> None:
    """SBT section 6, LKH-12: forced out when void, or when a higher card of its own suit lies there already."""
    state = plays(game, position(game, hands, {"talyeekh": talyeekh}, leader=0), f"0:{trick}")
    assert " ".join(command.card for command in game.legal(state, Seat(1)) if isinstance(command, Play)) == legal


@pytest.mark.parametrize("talyeekh", ["void", "void_or_covered"])
@both
def test_option_talyeekh_never_binds_a_leader(game: AnyOfBoth, talyeekh: str) -> None:
    state = position(game, CLUBS_LED, {"talyeekh": talyeekh}, leader=1)
    assert game.legal(state, Seat(1)) == (Play("QS"), Play("4H"), Play("TD"))


@both
def test_option_talyeekh_sees_a_covering_card_anywhere_in_the_trick(game: AnyOfBoth) -> None:
    hands = ("2S 2C", "QS 3S", "5C 6C", "KS 9C")
    state = position(game, hands, {"talyeekh": "void_or_covered"}, leader=3)
    assert game.legal(plays(game, state, "3:KS 0:2S"), Seat(1)) == (Play("QS"),)


@both
def test_refused_must_talyeekh_comes_after_must_follow_suit(game: AnyOfBoth) -> None:
    state = plays(game, position(game, CLUBS_LED, {"talyeekh": "void"}, leader=0), "0:AC")
    assert refusal(game, state, 1, Play("4H")) == "MUST_TALYEEKH"
    covered = position(game, ("AS 2C", "QS 3S", "5C 6C", "8C 9C"), {"talyeekh": "void_or_covered"}, leader=0)
    covered = plays(game, covered, "0:AS")
    assert refusal(game, covered, 1, Play("3S")) == "MUST_TALYEEKH"
    follows = position(game, ("AS 2C", "QS 3C", "5C 6C", "8C 9C"), {"talyeekh": "void_or_covered"}, leader=0)
    assert refusal(game, plays(game, follows, "0:AS"), 1, Play("3C")) == "MUST_FOLLOW_SUIT"


@both
def test_every_other_refusal_of_section_4_in_its_order(game: AnyOfBoth) -> None:
    over, _ = finish(
        game,
        last_cards(
            game, ("QS TD", "2H", "3H 4H", "5H 6H 7H 8H 9H TH JH QH KH AH"), (3, 3, 3, 4), totals=(200, 1, 2, 3)
        ),
    )
    assert over.phase == "match_end"
    assert refusal(game, over, 0, Play("XX")) == "MATCH_OVER"
    passing = dealt(game)
    assert refusal(game, passing, 0, Play("2S")) == "WRONG_PHASE"
    assert refusal(game, passing, 0, Ready()) == "WRONG_PHASE"
    assert refusal(game, passing, 0, Announce(minus=True)) == "WRONG_PHASE"
    for cards in ((), ("2S", "3S"), ("2S", "2S", "3S"), ("2S", "3S", "4S", "5S"), ("AH", "2S")):
        assert refusal(game, passing, 0, Pass(cards)) == "BAD_PASS_COUNT"
    for cards in (("AH", "2S", "3S"), ("??", "2S", "3S"), ("JK", "2S", "3S")):
        assert refusal(game, passing, 0, Pass(cards)) == "CARD_NOT_IN_HAND"
    once = act(game, passing, 0, Pass(("2S", "3S", "4S")))
    assert refusal(game, once, 0, Pass(("2S",))) == "ALREADY_READY"
    playing = position(game, ("AC 2C", "QS 4C", "5C 6C", "8C 9C"), leader=0)
    assert refusal(game, playing, 1, Play("2C")) == "NOT_YOUR_TURN"
    assert refusal(game, playing, 0, Play("QS")) == "CARD_NOT_IN_HAND"
    assert refusal(game, playing, 0, Play("10S")) == "CARD_NOT_IN_HAND"
    assert refusal(game, playing, 0, SetDoubles(())) == "WRONG_PHASE"
    assert refusal(game, plays(game, playing, "0:AC"), 1, Play("QS")) == "MUST_FOLLOW_SUIT"


@both
def test_sbt_13_15_refusals_of_doubling(game: AnyOfBoth) -> None:
    state = passed(game, dealt(game))
    assert refusal(game, state, 1, SetDoubles(("QS",))) == "CARD_NOT_IN_HAND"
    assert refusal(game, state, 1, SetDoubles(("AH", "QS"))) == "CARD_NOT_IN_HAND"
    assert refusal(game, state, 1, SetDoubles(("AH",))) == "NOT_DOUBLABLE"
    assert refusal(game, state, 0, SetDoubles(("QS", "QS"))) == "NOT_DOUBLABLE"
    assert refusal(game, state, 0, Pass(("2H", "3H", "4H"))) == "WRONG_PHASE"
    state = act(game, state, 0, Ready())
    assert refusal(game, state, 0, Ready()) == "ALREADY_READY"
    assert refusal(game, state, 0, SetDoubles(("AH",))) == "ALREADY_READY"


def test_sbt_18_an_answer_about_the_minus_is_final() -> None:
    state = doubled(BINT_SBEET, passed(BINT_SBEET, dealt(BINT_SBEET)))
    assert refusal(BINT_SBEET, state, 2, Ready()) == "WRONG_PHASE"
    state = act(BINT_SBEET, state, 2, Announce(minus=True))
    assert refusal(BINT_SBEET, state, 2, Announce(minus=False)) == "ALREADY_READY"


def test_lkh_10_an_announcement_is_refused_in_every_phase() -> None:
    passing = dealt(LEEKHA)
    doubling = passed(LEEKHA, passing)
    playing = doubled(LEEKHA, doubling)
    scored, _ = finish(
        LEEKHA, last_cards(LEEKHA, ("QS TD", "2H", "3H 4H", "5H 6H 7H 8H 9H TH JH QH KH AH"), (3, 3, 3, 4))
    )
    for state in (passing, doubling, playing, scored):
        assert refusal(LEEKHA, state, int(state.turn), Announce(minus=True)) == "WRONG_PHASE"


def test_too_late_is_a_refusal_that_the_table_gives() -> None:
    assert "TOO_LATE" in {code.value for code in BINT_SBEET.refusals}
    assert [code.value for code in LEEKHA.refusals][:3] == ["MATCH_OVER", "TOO_LATE", "WRONG_PHASE"]
