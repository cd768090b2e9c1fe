"""What the facts of tables lead to in the ledger: pots filled, paid out or given back, and results recorded.

The functions are pure. Each fact leads to at least one event that carries the fact's place, so that the place reached
and the movement are in the log together, and each fact is applied exactly once.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.game import CommandRejected
from domain.journal.books import Books, pot_account
from domain.journal.entries import can_settle, open_pot, refund, settle
from domain.journal.events import FactSeen, LedgerEvent, MatchRecorded, MatchStarted, Posted, Source
from domain.table.events import MatchEnded, MatchOpened, MatchVoided
from events.codec import kind_of
from events.messages import Fact


class Progress:
    """How far every partition's facts are dealt with, and the matches that run. Folded from the ledger."""

    __slots__ = ("positions", "running")

    def __init__(self) -> None:
        """Begin with nothing."""
        self.positions: dict[str, int] = {}  # by partition
        self.running: dict[str, MatchStarted] = {}

    def position(self, partition: str) -> int:
        """Return the position of a partition's last fact that was dealt with, 0 for none."""
        return self.positions.get(partition, 0)

    def apply(self, event: LedgerEvent) -> None:
        """Fold one event."""
        if isinstance(event, MatchStarted):
            self.running[event.match] = event
        elif isinstance(event, MatchRecorded):
            self.running.pop(event.match, None)
        if event.source is not None:
            assert event.source.position >= self.position(event.source.partition), "facts are dealt with in order"
            self.positions[event.source.partition] = event.source.position


def deal_with(fact: Fact, books: Books, progress: Progress) -> tuple[LedgerEvent, ...]:
    """Return what to record of a fact that is the next one of its partition. Never raises."""
    source = Source(fact.partition, fact.position)
    decoder = _DECODERS.get(fact.kind)
    if decoder is None:
        return (FactSeen(source, fact.kind, fact.stream),)
    try:
        return decoder(fact, source, books, progress)
    except msgspec.MsgspecError:
        return (FactSeen(source, fact.kind, fact.stream, "it cannot be read"),)
    except CommandRejected as rejected:
        return (FactSeen(source, fact.kind, fact.stream, f"the journal refuses it: {rejected}"),)


def _opened(fact: Fact, source: Source, books: Books, progress: Progress) -> tuple[LedgerEvent, ...]:
    opened = msgspec.json.decode(fact.event, type=MatchOpened)
    match = fact.stream
    if match in progress.running or books.used(f"end:{match}"):
        return (FactSeen(source, fact.kind, match, "the match was opened before"),)
    started = MatchStarted(
        match=match,
        game=opened.game,
        variant=opened.variant,
        at=fact.at,
        players=tuple(seat.player for seat in opened.seats),
        bots=tuple(seat.bot for seat in opened.seats),
        stakers=tuple(seat.staker for seat in opened.seats),
        stake=opened.stake,
        rake_bps=opened.rake_bps,
        room=opened.room,
        source=source,
    )
    stakers = [seat.player for seat in opened.seats if seat.staker]
    entry = open_pot(books, match, opened.stake, stakers) if opened.stake and stakers else None
    return (*_from(entry, source), started)


def _ended(fact: Fact, source: Source, books: Books, progress: Progress) -> tuple[LedgerEvent, ...]:
    ended = msgspec.json.decode(fact.event, type=MatchEnded)
    match = fact.stream
    started = progress.running.get(match)
    if started is None:
        return (FactSeen(source, fact.kind, match, "no such match is running"),)
    if not len(ended.payouts) == len(ended.places) == len(started.players):
        return (FactSeen(source, fact.kind, match, "its seats are not those of the match"),)
    paid = [amount for amount, staker in zip(ended.payouts, started.stakers, strict=True) if staker]
    settled = can_settle(books, match, ended.pot, paid, ended.rake) and sum(paid) == sum(ended.payouts)
    entry = settle(books, match, started.players, ended.payouts, ended.rake) if settled and ended.pot else None
    record = _record(
        started,
        fact,
        source,
        pot=ended.pot,
        rake=ended.rake,
        payouts=ended.payouts,
        settled=settled,
        places=ended.places,
        totals=ended.totals,
        team_totals=ended.team_totals,
        forfeit=ended.forfeit,
    )
    return (*_from(entry, source), record)


def _voided(fact: Fact, source: Source, books: Books, progress: Progress) -> tuple[LedgerEvent, ...]:
    voided = msgspec.json.decode(fact.event, type=MatchVoided)
    match = fact.stream
    started = progress.running.get(match)
    if started is None:
        return (FactSeen(source, fact.kind, match, "no such match is running"),)
    pot = started.stake * sum(started.stakers)
    payouts = tuple(started.stake if staker else 0 for staker in started.stakers)
    settled = books.balance(pot_account(match)) == pot
    entry = refund(books, match) if settled and pot else None
    record = _record(
        started, fact, source, pot=pot, rake=0, payouts=payouts, settled=settled, voided=voided.reason or "voided"
    )
    return (*_from(entry, source), record)


def _record(started: MatchStarted, fact: Fact, source: Source, **result: Any) -> MatchRecorded:
    """Return the record of a match that is over, from its start and its result."""
    return MatchRecorded(
        match=started.match,
        game=started.game,
        variant=started.variant,
        started=started.at,
        ended=fact.at,
        players=started.players,
        bots=started.bots,
        stakers=started.stakers,
        stake=started.stake,
        rake_bps=started.rake_bps,
        room=started.room,
        source=source,
        **result,
    )


def _from(entry: Posted | None, source: Source) -> tuple[Posted, ...]:
    return () if entry is None else (replace(entry, source=source),)


_DECODERS: Final[dict[str, Callable[[Fact, Source, Books, Progress], tuple[LedgerEvent, ...]]]] = {
    kind_of(MatchOpened): _opened,
    kind_of(MatchEnded): _ended,
    kind_of(MatchVoided): _voided,
}
