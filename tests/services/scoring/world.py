"""A scoring service without a bus: a core over a memory log that can be stopped at any step, and tables' facts."""

from collections.abc import Sequence
from typing import Any

import msgspec

from domain.journal.books import ISSUANCE
from domain.journal.events import LEDGER, LEDGER_EVENTS, LedgerEvent
from domain.table.events import Holder, MatchEnded, MatchOpened, MatchVoided
from events.codec import Codec, kind_of
from events.log import LogFailed
from events.log.memory import Fault, MemoryLog
from events.messages import Deposit, Fact, Reply, ShowBalance
from services.core import Decision
from services.scoring.core import ScoringCore
from services.worker import Journal

NOW = 1_790_000_000_000
CODEC = Codec(LEDGER_EVENTS)


class Scoring:
    """A core, its log, and what its commits lead to."""

    def __init__(self, log: MemoryLog | None = None) -> None:
        """Start on a log, or on an empty one."""
        self.log = log or MemoryLog()
        self.start()

    def start(self) -> None:
        """Build the core from the log, as after a crash."""
        self.journal = Journal(self.log, CODEC)
        self.core = ScoringCore.load(self.journal)

    def do(self, request: Any, now: int = NOW) -> Decision:
        """Decide on a request and commit; a failed commit is followed by a restart and the same request again."""
        while True:
            decision = self.core.handle(request, now)
            if not decision.drafts:
                return decision
            try:
                self.journal.write(decision.drafts)
            except LogFailed:
                self.start()
                continue
            return decision

    def answer(self, request: Any, now: int = NOW) -> Reply:
        reply = self.do(request, now).reply
        assert reply is not None
        return reply

    def fund(self, amount: int, *players: str) -> None:
        for player in players:
            key = f"fund-{player}-{amount}"
            assert self.answer(Deposit(key=key, player=player, amount=amount, actor="operator")).ok

    def balance(self, player: str) -> tuple[int, int]:
        """Return what a player may use, and what he has at stake."""
        data = self.answer(ShowBalance(player)).data
        return data["balance"], data["held"]

    def ledger(self) -> list[LedgerEvent]:
        """Return every event in the log."""
        return [event for _, event in Journal(self.log, CODEC).read(LEDGER)]

    def crash_next(self, *faults: Fault | None) -> None:
        self.log.disturb(*faults)


class Table:
    """A partition of tables: it numbers facts as the relay does, with gaps between the positions."""

    def __init__(self, partition: str = "07") -> None:
        """Begin without facts."""
        self.partition = partition
        self.facts: list[Fact] = []

    def fact(self, match: str, event: msgspec.Struct, at: int = NOW) -> Fact:
        previous = self.facts[-1].position if self.facts else 0
        raw = msgspec.Raw(msgspec.json.encode(event))
        fact = Fact(self.partition, previous + 3, previous, match, 1, at, kind_of(event), raw)
        self.facts.append(fact)
        return fact

    def after(self, position: int) -> list[Fact]:
        return [fact for fact in self.facts if fact.position > position]


class Scored(msgspec.Struct, frozen=True, tag_field="kind", tag="trix.hand_scored.v1"):
    """A fact that moves no money."""


def opened(
    players: Sequence[str], *, stake: int = 0, bots: Sequence[str] = (), rake_bps: int = 0, game: str = "leekha"
) -> MatchOpened:
    staked = stake > 0
    seats = [*(Holder(player, staker=staked) for player in players), *(Holder(bot, bot=True) for bot in bots)]
    return MatchOpened(
        game=game,
        rules_version=1,
        variant="standard",
        options={},
        seats=tuple(seats),
        stake=stake,
        rake_bps=rake_bps,
        room="room-1",
    )


def ended(
    opening: MatchOpened, payouts: Sequence[int], *, rake: int = 0, places: Sequence[int] | None = None
) -> MatchEnded:
    stakers = tuple(seat.staker for seat in opening.seats)
    return MatchEnded(
        totals=(0,) * len(stakers),
        team_totals=None,
        places=tuple(places or range(1, len(stakers) + 1)),
        pot=opening.stake * sum(stakers),
        rake=rake,
        payouts=tuple(payouts),
        players=tuple(seat.player for seat in opening.seats),
        game=opening.game,
        variant=opening.variant,
        stake=opening.stake,
        stakers=stakers,
        room=opening.room,
    )


def voided(opening: MatchOpened) -> MatchVoided:
    return MatchVoided(
        reason="broken",
        stake=opening.stake,
        players=tuple(seat.player for seat in opening.seats),
        stakers=tuple(seat.staker for seat in opening.seats),
        room=opening.room,
    )


def total(scoring: Scoring) -> int:
    """Return the sum of all accounts but issuance: what is in circulation."""
    balances = scoring.core.books.balances()
    return sum(amount for account, amount in balances.items() if account != ISSUANCE)
