from itertools import permutations

import pytest

from domain.cards import CARDS, card_set, codes
from domain.game import Seat
from domain.games.trix import GAME
from domain.games.trix.commands import Play
from domain.games.trix.contracts import Contract
from domain.games.trix.events import CardPlayed, DealScored, Passed, SeatOut, TwosShown
from domain.games.trix.rows import open_places
from domain.games.trix.scoring import place_points, team_totals
from domain.games.trix.state import Phase, State
from domain.games.trix.view import view
from tests.domain.games.trix.play import SEATS, SUITS, holding, opened, playable, played, refusal

T = Contract.TRIX


def rows_open(table: str) -> set[str]:
    return set(codes(open_places(card_set(CARDS[code] for code in table.split()))))


def suits_down_to(cards: int) -> State:
    """All play their suit from the jack down and then from the queen up, leaving so many cards each."""
    state = opened(SUITS, T, owner=1)
    order = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 10, 11, 12][: 13 - cards]
    return played(state, " ".join(SUITS[seat][rank] for rank in order for seat in (1, 2, 3, 0)))


@pytest.mark.parametrize(
    ("table", "opens"),
    [
        ("", "JS JH JD JC"),
        ("JS", "QS TS JH JD JC"),
        ("JS TS QS", "KS 9S JH JD JC"),
        ("JH QH KH AH", "TH JS JD JC"),
        ("JD TD 9D 8D 7D 6D 5D 4D 3D 2D", "QD JS JH JC"),
        ("JS JH QH KH AH TH 9H 8H 7H 6H 5H 4H 3H 2H", "QS TS JD JC"),
    ],
)
def test_trx_76_to_79_what_may_be_laid(table: str, opens: str) -> None:
    assert rows_open(table) == set(opens.split())


@pytest.mark.parametrize("owner", range(4))
def test_trx_80_the_owner_begins(owner: int) -> None:
    assert opened(SUITS, T, owner=owner).turn == owner


def test_trx_81_exactly_one_card_any_that_fits_a_jack_may_be_kept() -> None:
    state = played(opened(holding("JS JH QS 5D", "TS 7S", "9S", "8S"), T), "JS TS 9S 8S")
    assert playable(state, 0) == {"JH", "QS"}
    assert refusal(state, 0, Play("5D")) == "NOT_PLAYABLE"
    assert refusal(state, 0, Play("TS")) == "CARD_NOT_IN_HAND"
    assert refusal(state, 1, Play("TH")) == "NOT_YOUR_TURN"
    assert played(state, "QS").turn == 1


def test_trx_82_and_85_who_has_nothing_to_lay_passes_at_once_the_owner_too() -> None:
    hands = holding("JS JH JD JC", "AS AH AD AC KS KH KD KC", "2S 2H 2D 2C 3S 3H", "TS")
    state = opened(hands, T, owner=1)
    assert [(move.seat, move.card) for move in state.moves] == [(1, None), (2, None), (3, None)]
    assert state.turn == 0
    assert GAME.decide(state, Seat(0), Play("JS"))[1:] == (Passed(Seat(1)), Passed(Seat(2)))


def test_trx_83_who_can_lay_cannot_pass() -> None:
    state = opened(SUITS, T, owner=1)
    assert GAME.legal(state, Seat(1)) == (Play("JH"),)


def test_trx_84_who_has_run_out_is_skipped_without_a_pass() -> None:
    state = played(suits_down_to(1), "AH")
    assert (state.out, state.turn) == ((1,), 2)
    assert all(move.card is not None for move in state.moves)
    state = played(state, "AD")
    assert state.turn == 3


def test_trx_86_if_all_others_pass_the_same_seat_plays_again() -> None:
    state = opened(holding("JS QS TS JH JD JC"), T)
    assert GAME.decide(state, Seat(0), Play("JS"))[1:] == (Passed(Seat(1)), Passed(Seat(2)), Passed(Seat(3)))
    assert played(state, "JS").turn == 0


def test_trx_87_and_88_places_and_the_end_with_the_third_player_out() -> None:
    state = played(suits_down_to(1), "AH AD")
    assert state.points == (0, 200, 150, 0)
    points = (50, 200, 150, 100)
    assert GAME.decide(state, Seat(3), Play("AC")) == (
        CardPlayed(Seat(3), "AC"),
        SeatOut(Seat(3), 3),
        DealScored(deal=6, owner=Seat(1), contract=T, points=points, totals=points),
    )
    after = played(state, "AC")
    assert after.phase is Phase.DEAL_SCORED
    assert view(after, Seat(0)).hand == ("AS",)


@pytest.mark.parametrize("order", list(permutations(SEATS)))
def test_trx_107_inv_7_what_the_teams_get(order: tuple[Seat, ...]) -> None:
    points = place_points(order)
    assert sorted(points) == [50, 100, 150, 200]
    places = {order.index(Seat(0)) + 1, order.index(Seat(2)) + 1}
    ours = {(1, 2): 350, (1, 3): 300, (1, 4): 250, (2, 3): 250, (2, 4): 200, (3, 4): 150}[tuple(sorted(places))]  # type: ignore[index]
    assert team_totals(points) == (ours, 500 - ours)


@pytest.mark.parametrize(
    ("twos", "variant", "shown"),
    [
        (("2S 2H", "", "2D 2C"), "partnership", False),
        (("", "2S 2H 2D", "", "2C"), "partnership", False),
        (("2S 2H 2D 2C",), "complex_partnership", False),
        (("2S 2H 2D", "2C"), "partnership", True),
        (("2S", "2H", "2D", "2C"), "complex_partnership", True),
        (("2S 2H 2D", "2C"), "individual", False),
        (("2S", "2H", "2D", "2C"), "complex", False),
    ],
)
def test_trx_91_92_94_and_95_when_the_twos_are_shown(twos: tuple[str, ...], variant: str, *, shown: bool) -> None:
    hands = holding(*twos)
    state = opened(hands, T, variant=variant)
    beside = tuple(tuple(sorted(hand.split(), key=lambda code: CARDS[code])) for hand in (*twos, "", "", "", "")[:4])
    expected = beside if shown else ((),) * 4
    for viewer in (*SEATS, Seat(-1)):
        assert view(state, viewer).shown == expected
        assert GAME.redact(TwosShown(beside), viewer) == TwosShown(beside)


def test_trx_93_a_shown_two_is_played_like_any_card_and_then_no_longer_shown() -> None:
    hands = holding("JS 2S 2H 2D", "TS 2C", "9S", "8S")
    state = played(opened(hands, T, variant="partnership"), "JS TS 9S 8S")
    assert refusal(state, 0, Play("2S")) == "NOT_PLAYABLE"
    assert view(state, Seat(1)).shown == (("2S", "2H", "2D"), ("2C",), (), ())
    after = GAME.evolve(state, CardPlayed(Seat(0), "2S"))
    assert view(after, Seat(1)).shown == (("2H", "2D"), ("2C",), (), ())
