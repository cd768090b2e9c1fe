"""The core of scoring: one writer of the ledger. Money commands and the facts of tables become its events.

Nothing but the ``ledger`` stream is needed to build it again: balances, keys, the place reached in every partition's
facts, running matches and leaderboards are all folded from there.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from domain.journal.books import Books, Refusal, Refused, player_account
from domain.journal.entries import deposit, hold, release, withdraw
from domain.journal.events import LEDGER, LEDGER_EVENTS, LedgerEvent, Posted
from events.messages import (
    Deposit,
    Fact,
    HoldStakes,
    ReleaseStakes,
    Reply,
    ShowBalance,
    ShowLeaderboard,
    Withdraw,
)
from projections.leaderboard import Leaderboards
from services.core import Answered, Decision, Draft
from services.scoring.facts import Progress, deal_with
from services.scoring.gaps import Gaps
from services.worker import Journal

ROWS_MAX: Final = 100  # of a leaderboard in one answer
GAP: Final = "GAP"  # a fact was not applied, as one before it is missing

_NO_TABLES: Final = frozenset({"lobby", "scoring"})  # partitions whose facts move no money
_DONE: Final = Reply(ok=True)
_TEXTS: Final = {
    Refusal.KEY_CONFLICT: "This key was used before, for something else.",
    Refusal.INSUFFICIENT_FUNDS: "There is not enough money in the account.",
    Refusal.DUPLICATE_PLAYER: "A player may have one stake in a match.",
    Refusal.STAKES_RELEASED: "The stakes of this match were released before.",
    Refusal.MATCH_STARTED: "The match has started.",
    Refusal.TOO_MUCH_MONEY: "No more money can be put into circulation.",
}


class ScoringCore:
    """Decides on money commands, applies the facts of tables and shows balances and leaderboards.

    It is a :class:`services.core.Core` for ``ScoringRequest``, ``Fact`` and ``Answered``. A fact is answered ``ok``
    once it is dealt with, also when it is a repetition, and refused ``GAP`` when one before it is missing.
    """

    def __init__(self, *, zone: str = "UTC", partitions: Sequence[str] = ()) -> None:
        """Begin an empty ledger.

        ``zone`` is the time zone of leaderboards' days; ``partitions`` are tables' partitions to ask for facts at the
        start, beside those that the ledger knows. Raises ``ValueError`` for an unknown zone.
        """
        self.books = Books()
        self.progress = Progress()
        self.leaderboards = Leaderboards(zone)
        self._gaps = Gaps()
        self._partitions = tuple(partitions)

    @classmethod
    def load(cls, journal: Journal, *, zone: str = "UTC", partitions: Sequence[str] = ()) -> "ScoringCore":
        """Build the core from its ledger."""
        core = cls(zone=zone, partitions=partitions)
        for _, event in journal.read(LEDGER):
            core.apply(event)
        return core

    def apply(self, event: LedgerEvent) -> None:
        """Fold one event of the ledger; a kind from a later version changes nothing."""
        if not isinstance(event, LEDGER_EVENTS):
            return
        if isinstance(event, Posted):
            self.books.apply(event)
        self.progress.apply(event)
        self.leaderboards.apply(event)

    def handle(self, request: Any, now: int) -> Decision:
        """Decide on one request; ``now`` is in milliseconds since 1970."""
        match request:
            case Fact():
                return self._fact(request, now)
            case HoldStakes(match=table, stake=stake, players=players):
                return self._post(lambda: hold(self.books, table, stake, players), now)
            case ReleaseStakes(match=table):
                return self._post(lambda: release(self.books, table), now)
            case Deposit() | Withdraw():
                move = deposit if isinstance(request, Deposit) else withdraw
                key, player, amount = request.key, request.player, request.amount
                return self._post(lambda: move(self.books, key, player, amount), now, request.actor, key)
            case ShowBalance(player=player):
                return self._balance(player)
            case ShowLeaderboard():
                return self._leaderboard(request, now)
            case Answered():
                return Decision()
        msg = f"not a request of scoring: {type(request).__name__}"
        raise AssertionError(msg)

    def due(self) -> int | None:
        """Return when to ask for missing facts again, in milliseconds, or None."""
        return self._gaps.due()

    def tick(self, now: int) -> Sequence[Decision]:
        """Ask for missing facts again."""
        overdue = self._gaps.overdue(now)
        return [Decision(asks=[self._gaps.ask(one, self.progress.position(one), now)]) for one in overdue]

    def wake(self, now: int) -> Sequence[Decision]:
        """Ask every partition for the facts that came while nobody listened."""
        known = sorted({*self._partitions, *self.progress.positions})
        return [Decision(asks=[self._gaps.ask(one, self.progress.position(one), now)]) for one in known]

    def _post(self, move: Callable[[], Posted | None], now: int, actor: str = "system", command: str = "") -> Decision:
        """Write a movement of money, and answer; one that is in the books already gets its answer again (R-37)."""
        try:
            entry = move()
        except Refused as refused:
            data = {"players": list(refused.players)} if refused.players else None
            reason = Refusal(refused.reason)
            return Decision(reply=Reply(ok=False, refused=reason.value, text=_TEXTS[reason], data=data))
        drafts = [] if entry is None else [self._draft(entry, now, actor, command)]
        return Decision(drafts=drafts, reply=_DONE)

    def _fact(self, fact: Fact, now: int) -> Decision:
        """Apply a fact if it is the next one of its partition."""
        partition = fact.partition
        reached = self.progress.position(partition)
        if partition in _NO_TABLES or fact.position <= reached:
            return Decision(reply=_DONE)
        if fact.previous > reached:
            asks = self._gaps.found(partition, fact.position, reached, now)
            return Decision(asks=asks, reply=Reply(ok=False, refused=GAP, text="A fact before this one is missing."))
        drafts = [self._draft(event, now) for event in deal_with(fact, self.books, self.progress)]
        self._gaps.reached(partition, fact.position)
        return Decision(drafts=drafts, reply=_DONE)

    def _draft(self, event: LedgerEvent, now: int, actor: str = "system", command: str = "") -> Draft:
        """Fold an event and return it to be stored."""
        self.apply(event)
        return Draft(LEDGER, event, now, actor=actor, command=command)

    def _balance(self, player: str) -> Decision:
        balance = self.books.balance(player_account(player))
        return Decision(reply=Reply(ok=True, data={"balance": balance, "held": self.books.at_stake(player)}))

    def _leaderboard(self, request: ShowLeaderboard, now: int) -> Decision:
        try:
            rows = self.leaderboards.rows(request.game, request.period, request.by, now=now)
        except ValueError as fault:
            return Decision(reply=Reply(ok=False, refused="BAD_REQUEST", text=str(fault)))
        return Decision(reply=Reply(ok=True, data={"rows": msgspec.to_builtins(rows[:ROWS_MAX])}))
