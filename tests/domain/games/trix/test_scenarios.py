"""What a scenario file may say of a match of Trix, and what it may not."""

import msgspec
import pytest

from domain.game import Seat
from domain.games.trix import GAME
from domain.games.trix.contracts import Contract
from domain.games.trix.scenario import Deal, Position, Stacked, Start, begin, facts, place, stack, winner
from domain.games.trix.scoring import result_of
from tests.domain.games.trix.play import SUITS, dealt, settings

HANDS = (SUITS[0], SUITS[1], SUITS[2], SUITS[3])


@pytest.mark.parametrize(
    ("deal", "fault"),
    [
        (Deal(), "either hands or deck"),
        (Deal(hands=HANDS, deck="AS"), "either hands or deck"),
        (Deal(hands=(SUITS[0], SUITS[1], SUITS[2], "2C")), "each has 13"),
        (Deal(hands=(SUITS[0], SUITS[1], SUITS[2], SUITS[2])), "twice"),
        (Deal(deck="AS KS"), "missing"),
        (Deal(deck="AS 1S"), "no card"),
        (Deal(deck="AS AS"), "twice"),
    ],
)
def test_a_deal_is_the_whole_pack(deal: Deal, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        stack(dealt(SUITS), deal)


def test_a_deal_may_say_whose_it_is_and_is_held_to_it() -> None:
    first = GAME.start(settings())
    holder = next(seat for seat, hand in enumerate(SUITS) if "7H" in hand)
    assert isinstance(stack(first, Deal(hands=SUITS, owner=holder)), Stacked)
    with pytest.raises(ValueError, match=f"seat {holder} owns this deal"):
        stack(first, Deal(hands=SUITS, owner=(holder + 1) % 4))


def test_a_stacked_deal_comes_out_as_given() -> None:
    deck = tuple(code for hand in reversed(SUITS) for code in hand)
    chance = stack(dealt(SUITS), Deal(deck=" ".join(deck)))
    assert isinstance(chance, Stacked)
    assert chance.shuffled(SUITS[0] + SUITS[1] + SUITS[2] + SUITS[3]) == deck
    assert chance.below(5) == 0


@pytest.mark.parametrize(
    ("start", "fault"),
    [
        (Start(owner=0, kingdom=1), "holder of 7H"),
        (Start(owner=0, contracts_played=(Contract.KING, Contract.KING)), "twice"),
        (Start(owner=0, contracts_played=(Contract.COMPLEX,)), "not played here"),
        (Start(owner=0, contracts_played=tuple(GAME.start(settings()).table.contracts)), "kingdom is over"),
    ],
)
def test_a_start_is_before_a_deal_that_there_is(start: Start, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        begin(settings(), start)


def position(**changes: object) -> Position:
    plain = {"owner": 0, "contract": "trix", "hands": ["3C", "2C", "", ""], "turn": 0, "out": [2, 3]}
    return msgspec.convert({**plain, **changes}, Position)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"out": [2]}, "seats without cards"),
        ({"rows": ["", "", "", ""]}, "rows"),
        ({"hands": ["JC", "2C", "", ""]}, "run of cards"),
        ({"hands": ["3C", "3C", "", ""]}, "twice"),
        ({"contract": "king"}, "same number of cards"),
        ({"contract": "complex"}, "not played here"),
        ({"turn": 2}, "seat to play"),
        ({"contract": "king", "hands": ["2C", "", "", ""], "out": [], "trick": "3C 4C 5C 6C"}, "three cards"),
        (
            {"contract": "king", "hands": ["KH", "2C", "3C", "4C"], "out": [], "doubled": ["", "KH", "", ""]},
            "of seat 0",
        ),
        (
            {"contract": "king", "hands": ["5C", "2C", "3C", "4C"], "out": [], "doubled": ["KH", "KH", "", ""]},
            "of seat",
        ),
        ({"hands": ["2C", "3C", "", ""]}, "seat to play"),
        (
            {"contract": "king", "hands": ["2C", "3C", "4C", "5C"], "out": [], "doubled": ["KH", "", "", "AS"]},
            "doubled",
        ),
    ],
)
def test_a_position_conserves_the_pack_and_lets_somebody_play(changes: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        place(settings(), position(**changes))


def test_a_position_is_played_on_from_where_it_is() -> None:
    state = place(settings(), position())
    assert facts(state)["phase"] == "layout"
    assert facts(state)["deal_points"] == (0, 0, 200, 150)
    assert state.turn == 0


def test_the_winner_is_a_seat_or_the_teams_lower_one() -> None:
    assert winner(result_of((1, 3, 2, 0), Seat(0), partnership=False)) == 1
    assert winner(result_of((3, 3, 2, 0), Seat(0), partnership=False)) is None
    assert winner(result_of((1, 3, 2, 0), Seat(0), partnership=True)) is None
    assert winner(result_of((1, 3, 2, 1), Seat(0), partnership=True)) == 1
