"""The settlement report: what every staker put into every match that is over, and what he got back.

Stakes, payouts and commission are those of the postings, not those that a result claims, so the report adds up to the
ledger to the unit: over all rows of a match, stakes = payouts + rake. Matches without a stake are not in it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.journal.books import HOUSE, player_of, pot_account
from domain.journal.events import MatchRecorded, Posted, What


class Row(msgspec.Struct, frozen=True):
    """One staker of one match. ``pot`` and ``rake`` are the whole match's, the same in each of its rows."""

    match: str
    game: str
    variant: str
    ended: int  # milliseconds since 1970
    outcome: str  # played, forfeit, voided; unsettled: the pot is not paid out
    player: str
    stake: int
    pot: int
    rake: int
    payout: int
    net: int


class Totals(msgspec.Struct, frozen=True):
    """Sums over the rows of a report; each match's pot and rake are counted once."""

    matches: int
    rows: int
    stake: int
    pot: int
    rake: int
    payout: int
    net: int


class _Money(msgspec.Struct):
    """What the postings of one match have moved."""

    stakes: dict[str, int] = {}
    payouts: dict[str, int] = {}
    pot: int = 0
    rake: int = 0


class Settlements:
    """The settlements of all matches. An accumulator: :meth:`apply` is its fold."""

    def __init__(self, events: Iterable[Any] = ()) -> None:
        """Fold the ledger's events so far."""
        self.position = 0  # of the last event folded, for whoever stores the view
        self._money: dict[str, _Money] = {}
        self._over: dict[str, MatchRecorded] = {}
        for event in events:
            self.apply(event)

    def apply(self, event: Any, position: int = 0) -> None:
        """Fold one event; ``position`` is its place in the scoring log."""
        self.position = max(self.position, position)
        if isinstance(event, MatchRecorded):
            self._over[event.match] = event
        elif isinstance(event, Posted) and event.match:
            _post(self._money.setdefault(event.match, _Money()), event)

    def rows(
        self, *, since: int | None = None, until: int | None = None, match: str = "", player: str = ""
    ) -> tuple[Row, ...]:
        """Return the rows of matches that ended from ``since`` to before ``until``, of one match, of one player.

        Times are milliseconds since 1970. The order is that of the matches' ends, then of their seats.
        """
        over = [
            record
            for record in self._over.values()
            if (since is None or record.ended >= since)
            and (until is None or record.ended < until)
            and match in ("", record.match)
        ]
        over.sort(key=lambda record: (record.ended, record.match))
        rows = [row for record in over for row in _rows(record, self._money.get(record.match, _Money()))]
        return tuple(row for row in rows if player in ("", row.player))


def totals(rows: Sequence[Row]) -> Totals:
    """Return the sums over rows."""
    matches = {row.match: row for row in rows}
    return Totals(
        matches=len(matches),
        rows=len(rows),
        stake=sum(row.stake for row in rows),
        pot=sum(row.pot for row in matches.values()),
        rake=sum(row.rake for row in matches.values()),
        payout=sum(row.payout for row in rows),
        net=sum(row.net for row in rows),
    )


def _post(money: _Money, event: Posted) -> None:
    """Add one entry of a match: a hold puts stakes in; once in the pot, what comes to a player is paid out."""
    if event.what == What.HOLD:
        money.stakes = {player: -one.amount for one in event.postings if (player := player_of(one.account))}
        return
    if event.what in (What.RELEASE, What.UNFUNDED):
        money.stakes = {}
        return
    for posting in event.postings:
        player = player_of(posting.account)
        if player is not None:
            money.payouts[player] = money.payouts.get(player, 0) + posting.amount
        elif posting.account == HOUSE:
            money.rake += posting.amount
        elif posting.account == pot_account(event.match):
            money.pot += max(posting.amount, 0)


def _rows(record: MatchRecorded, money: _Money) -> Iterable[Row]:
    outcome = "played" if record.forfeit is None else "forfeit"
    if record.voided:
        outcome = "voided"
    if not record.settled:
        outcome = "unsettled"
    for player in record.players:
        stake, payout = money.stakes.get(player, 0), money.payouts.get(player, 0)
        if stake or payout:
            yield Row(
                record.match,
                record.game,
                record.variant,
                record.ended,
                outcome,
                player,
                stake,
                money.pot,
                money.rake,
                payout,
                payout - stake,
            )
