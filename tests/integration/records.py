"""What a backend has written: its logs read from the outside, while it runs or after."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from domain.journal.events import LEDGER, LEDGER_EVENTS, LedgerEvent
from domain.table.match import Match, Recorded, evolve
from domain.table.steps import state_hash
from events.codec import Codec
from events.log.opening import open_log, partitions
from events.subjects import partition_of
from projections.archive import is_table
from projections.audit import verify
from projections.balances import Balances
from projections.reconciliation import recorded, refold
from services.table.core import codec, public_kinds
from services.worker import Journal


def steps_of(where: str, match: str) -> list[Recorded]:
    """Return a match's events with what their envelopes say."""
    log = open_log(where, partition_of(match), create=False)
    try:
        return [recorded(opened.header, event) for opened, event in Journal(log, codec()).read(match)]
    finally:
        log.close()


def ledger_of(where: str) -> list[LedgerEvent]:
    """Return the ledger's events."""
    log = open_log(where, "scoring", create=False)
    try:
        return [event for _, event in Journal(log, Codec(LEDGER_EVENTS)).read(LEDGER)]
    finally:
        log.close()


def hash_of(steps: Sequence[Recorded]) -> str:
    """Return the hash of the game's state after these events."""
    return state_hash(refold(steps))


def matches_after(steps: Sequence[Recorded]) -> Iterable[Match]:
    """Yield the match after each of its events."""
    match = refold(steps[:1])
    yield match
    for step in steps[1:]:
        match = evolve(match, step)
        yield match


def assert_sound(where: str, seconds: float = 20.0) -> None:
    """Check everything that is recorded: chains, folds, settlements, the books, every fact dealt with once.

    Facts may take some seconds to the ledger of a backend that runs.
    """
    until = time.monotonic() + seconds
    while (dealt_with := facts_dealt_with(where)) != (facts := facts_of(where)) and time.monotonic() < until:
        time.sleep(0.05)
    assert dealt_with == facts
    report = verify(where, None)
    assert report.ok, msgspec.json.encode(report).decode()
    balances = Balances(ledger_of(where))
    assert balances.findings() == []
    assert not [account for account, amount in balances.accounts.items() if account.startswith("held:") and amount]


def facts_of(where: str) -> dict[str, list[int]]:
    """Return the positions of all public facts of the tables, by partition."""
    found = {}
    for partition in partitions(where):
        if is_table(partition):
            log = open_log(where, partition, create=False)
            try:
                facts = [stored.position for stored in log.tail(0, 100_000, kinds=sorted(public_kinds()))]
            finally:
                log.close()
            if facts:
                found[partition] = facts
    return found


def facts_dealt_with(where: str) -> dict[str, list[int]]:
    """Return the positions of the facts that the ledger has dealt with, as often as it has, by partition."""
    seen: dict[str, list[int]] = {}
    for event in ledger_of(where):
        source = event.source
        if source is not None and (not seen.get(source.partition) or seen[source.partition][-1] != source.position):
            seen.setdefault(source.partition, []).append(source.position)
    return seen


def commands_in(steps: Iterable[Recorded]) -> Counter[tuple[str, str]]:
    """Count how often each command, as (actor, id), was carried out: it stands in one unbroken run of events."""
    found: Counter[tuple[str, str]] = Counter()
    last: tuple[str, str] | None = None
    for step in steps:
        command = (step.actor, step.command) if step.command and step.actor != "system" else None
        if command is not None and command != last:
            found[command] += 1
        if step.actor != "system":
            last = command
    return found


def assert_kept(where: str, accepted: Sequence[tuple[str, str, str]]) -> None:
    """Check that every command that was acknowledged, as (match, actor, id), is in the log, once."""
    for match in {match for match, _, _ in accepted}:
        done = commands_in(steps_of(where, match))
        assert not [one for one in accepted if one[0] == match and done[one[1:]] != 1]
        assert max(done.values()) == 1
