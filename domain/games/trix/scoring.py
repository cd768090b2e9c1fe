"""Points of a trick, of a place in TRIX, and the result of a match (TRX-58 to TRX-75, TRX-87, TRX-96 to TRX-111)."""

from collections.abc import Sequence

from domain.cards import Card, CardSet, has
from domain.game import Result, Seat, shared_places
from domain.games.trix.contracts import DOUBLE_VALUE, PLACE_POINTS, SEATS, Terms


def trick_points(
    terms: Terms, leader: Seat, taker: Seat, trick: Sequence[Card], doubled: Sequence[CardSet]
) -> tuple[int, ...]:
    """Return what a trick changes in every seat's points.

    ``doubled`` holds the doubled cards by the seat that doubled them. A doubled card costs its taker twice its
    value and gives it once to its doubler, or to the leader if the doubler took it himself (TRX-96 to TRX-99).
    """
    points = [0] * SEATS
    points[taker] = -terms.trick
    for card in trick:
        penalty = terms.cards[card]
        if penalty:
            points[taker] -= penalty
            for doubler, cards in enumerate(doubled):
                if has(cards, card):
                    points[taker] -= DOUBLE_VALUE[card]
                    points[leader if doubler == taker else doubler] += DOUBLE_VALUE[card]
    return tuple(points)


def place_points(order: Sequence[Seat]) -> tuple[int, ...]:
    """Return the points of the seats that have come to a place in TRIX, first to last; others have 0."""
    points = [0] * SEATS
    for seat, worth in zip(order, PLACE_POINTS, strict=False):
        points[seat] = worth
    return tuple(points)


def result_of(totals: tuple[int, ...], first: Seat, *, partnership: bool) -> Result:
    """Rank the seats, or the two teams, by total; equal ones share a place (TRX-108 to TRX-110)."""
    if not partnership:
        return Result(totals=totals, places=shared_places(totals), first=first)
    teams = team_totals(totals)
    return Result(totals=totals, team_totals=teams, places=shared_places(teams + teams), first=first)


def team_totals(totals: Sequence[int]) -> tuple[int, int]:
    """Add the two seats of each team (TRX-106)."""
    return totals[0] + totals[2], totals[1] + totals[3]
