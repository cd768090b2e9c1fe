"""Leaderboards: who did best at a game in a day, a week, a month, a season or ever. Folded from the ledger alone.

Points compare matches of every length and scoring: a match is worth, to each seat, the number of seats placed behind
it. Bots are not listed; beating one counts. A match that was called off does not count, and a seat that a bot played
for a player who was gone counts for its player (TBL-15).
"""

from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from typing import Any, Final

import msgspec

from domain.journal.events import MatchRecorded
from projections.periods import PERIODS, period_start, zone_of


class Tally(msgspec.Struct, gc=False):
    """What one player has done at a game in a period; ``winnings`` in minor units, below zero for a loss."""

    matches: int = 0
    wins: int = 0
    points: int = 0
    winnings: int = 0


class Row(msgspec.Struct, frozen=True):
    """One line of a leaderboard. Equal values share a rank and the next one is skipped."""

    rank: int
    player: str
    points: int
    matches: int
    wins: int
    win_rate: float  # to four places
    winnings: int


_ORDERS: Final[dict[str, Callable[[Tally], int | Fraction]]] = {
    "points": lambda tally: tally.points,
    "wins": lambda tally: tally.wins,
    "win_rate": lambda tally: Fraction(tally.wins, tally.matches),
    "winnings": lambda tally: tally.winnings,
}
ORDERS: Final = tuple(_ORDERS)


class Leaderboards:
    """Every game's leaderboards in one time zone. An accumulator: :meth:`apply` is its fold."""

    def __init__(self, zone: str = "UTC", events: Iterable[Any] = ()) -> None:
        """Fold the ledger's events so far; raise ``ValueError`` for an unknown zone."""
        self.zone = zone_of(zone)
        self.position = 0  # of the last event folded, for whoever stores the view
        self._tallies: dict[tuple[str, str, date], dict[str, Tally]] = {}  # by game, period and its first day
        for event in events:
            self.apply(event)

    def apply(self, event: Any, position: int = 0) -> None:
        """Fold one event; ``position`` is its place in the scoring log."""
        self.position = max(self.position, position)
        if not isinstance(event, MatchRecorded) or event.voided:
            return
        gains = _gains(event)
        for period in PERIODS:
            key = (event.game, period, period_start(event.ended, period, self.zone))
            tallies = self._tallies.setdefault(key, {})
            for player, won, points, winnings in gains:
                tally = tallies.get(player)
                if tally is None:
                    tally = tallies[player] = Tally()
                tally.matches += 1
                tally.wins += won
                tally.points += points
                tally.winnings += winnings

    def rows(self, game: str, period: str = "all", by: str = "points", *, now: int) -> tuple[Row, ...]:
        """Return a leaderboard of the period around ``now`` (milliseconds), best first, equals by player's id.

        Raises ``ValueError`` for an unknown period or order.
        """
        value = _ORDERS.get(by)
        if value is None:
            msg = f"there is no order {by!r}: take one of {', '.join(ORDERS)}"
            raise ValueError(msg)
        tallies = self._tallies.get((game, period, period_start(now, period, self.zone)), {})
        ordered = sorted(tallies.items(), key=lambda one: (-value(one[1]), one[0]))
        rows: list[Row] = []
        for index, (player, tally) in enumerate(ordered):
            tied = index > 0 and value(tally) == value(ordered[index - 1][1])
            rank = rows[-1].rank if tied else index + 1
            rate = round(tally.wins / tally.matches, 4)
            rows.append(Row(rank, player, tally.points, tally.matches, tally.wins, rate, tally.winnings))
        return tuple(rows)


def _gains(event: MatchRecorded) -> list[tuple[str, bool, int, int]]:
    """Return what a match adds to each of its players: a win or not, points and winnings."""
    drawn = len(set(event.places)) == 1
    gains: list[tuple[str, bool, int, int]] = []
    for seat, player in enumerate(event.players):
        if event.bots[seat]:
            continue
        place = event.places[seat]
        behind = sum([other > place for other in event.places])
        staked = event.stakers[seat] and event.settled
        winnings = event.payouts[seat] - event.stake if staked else 0
        gains.append((player, place == 1 and not drawn, behind, winnings))
    return gains
