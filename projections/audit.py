"""Proof that the record is whole: chains, folds and state hashes of matches, and their settlement against the ledger.

A stream's hash chain is followed over its bytes as stored, its events are folded again from the first, the state hash
that the closing event of each deal carries is compared with that of the fold, and the settlement that the rules lead
to is compared with what the table claimed and with what the ledger moved (R-33, R-45).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from domain.journal.events import LEDGER, LedgerEvent, MatchRecorded, MatchStarted
from domain.table.match import Match, Recorded
from domain.table.steps import state_hash
from events.envelope import Cipher, Corrupt, Stored
from events.log.port import LogFailed
from events.log.verification import Finding, verify_stream
from events.subjects import partition_of
from projections.archive import SCORING, Archive, is_match, is_table
from projections.balances import Balances
from projections.reconciliation import Difference, differences
from projections.replay import Unfoldable, advance, step_of

NO_LOG: Final = "no table has a log of it"
SETTLING_MS: Final = 5_000  # how long the ledger of a running backend may take to hear of a match's end

Told = Callable[[int, int], None]  # how many are done, and how many there are


class Viewed(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="audit.viewed.v1"):
    """Somebody looked at hidden cards of a match (TBL-31). The tag and the fields are stored for ever."""

    match: str
    who: str  # name of the user of the operating system, or of the holder of a token
    why: str
    cards: str  # "all", or "seat 2" for what one seat saw
    deal: int | None = None  # None: every deal
    to: int | None = None  # up to this version


class Checked(msgspec.Struct, frozen=True):
    """What was found of one match; its closing event stands for what is wrong with its settlement."""

    match: str
    events: int
    ok: bool
    findings: tuple[Finding, ...]


class Chain(msgspec.Struct, frozen=True):
    """What was found of a stream that is no match: the ledger, a room, the record of looks."""

    partition: str
    stream: str
    events: int
    ok: bool
    findings: tuple[Finding, ...]


class Report(msgspec.Struct, frozen=True):
    """What was found. ``streams`` are those beside the matches, where everything was checked."""

    matches: tuple[Checked, ...]
    streams: tuple[Chain, ...]
    ok: bool


def verify(
    where: str,
    matches: Sequence[str] | None,
    cipher: Cipher | None = None,
    *,
    now: int | None = None,
    told: Told = lambda _done, _of: None,
) -> Report:
    """Verify matches, or with None everything that is recorded at a place.

    ``where`` is a folder or ``postgresql://…``. A match that still runs has no settlement to compare. With ``now``
    (milliseconds since 1970) one that has ended within the last seconds may be missing in the ledger, as it is on its
    way there; without, it may not. Raises ``LogUnusable`` or ``LogFailed`` for a log that cannot be opened or read,
    and :class:`UnknownMatch` for a match of which there is no trace.
    """
    with Archive(where, cipher) as archive:
        # The ledger first: it learns of a match after the tables' log has it, so what it knows must be in that log.
        ledger = archive.ledger(damaged=True)
        names = archive.matches() if matches is None else list(dict.fromkeys(matches))
        gone = [] if matches is None else [name for name in names if not archive.has(name)]
        for name in gone:
            if not any(isinstance(event, MatchStarted | MatchRecorded) and event.match == name for event in ledger):
                raise UnknownMatch(name)
        checks = _Checks(archive)
        logs = Logs([name for name in names if name not in gone], checks.read, told)
        for one in differences(logs, ledger, whole=matches is None):
            checks.differs(one, now)
        for name in gone:
            checks.differs(Difference(name, NO_LOG), now)
        streams = _others(archive, ledger) if matches is None else ()
    checked = checks.result()
    return Report(checked, streams, all([one.ok for one in checked] + [one.ok for one in streams]))


class UnknownMatch(Exception):
    """Neither a table's log nor the ledger knows a match."""

    def __init__(self, match: str) -> None:
        """Keep its id."""
        super().__init__(f"there is no match {match}")
        self.match = match


class Logs(Mapping[str, Sequence[Recorded]]):
    """Matches' logs by match id, each read when it is asked for, so that thousands need no more memory than one."""

    def __init__(self, names: Sequence[str], read: Callable[[str], Sequence[Recorded]], told: Told) -> None:
        """Take the matches, and what reads one of them."""
        self._names = dict.fromkeys(names)
        self._read = read
        self._told = told

    def __getitem__(self, match: str) -> Sequence[Recorded]:
        """Read a match's log."""
        return self._read(match)

    def __iter__(self) -> Iterator[str]:
        """Go through the matches and tell how far."""
        for done, name in enumerate(self._names):
            self._told(done, len(self._names))
            yield name
        self._told(len(self._names), len(self._names))

    def __len__(self) -> int:
        """Return how many matches there are."""
        return len(self._names)

    def __contains__(self, match: object) -> bool:
        """Say whether a match is among them, without reading it."""
        return match in self._names


class _Checks:
    """What is found of matches while they are read."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._found: dict[str, list[Finding]] = {}
        self._events: dict[str, int] = {}
        self._damaged: set[str] = set()  # what cannot be folded has no settlement to compare
        self._ends: dict[str, tuple[int, int]] = {}  # version and time of a match's last event

    def read(self, match: str) -> Sequence[Recorded]:
        """Check a match by itself; return its log, or nothing if that is damaged."""
        found = self._found[match] = verify_stream(self._archive.log(partition_of(match)), match)
        steps: list[Recorded] = []
        try:
            stored = self._archive.stored(match)
        except LogFailed:
            stored = []  # the walk along the chain has said so
        self._events[match] = len(stored)
        if not found:
            steps, found[:] = refolded(self._archive, stored)
        if found:
            self._damaged.add(match)
            return ()
        self._ends[match] = (stored[-1].version, steps[-1].at)
        return steps

    def differs(self, one: Difference, now: int | None) -> None:
        """Note a difference between a match's log and the ledger, unless it is on its way."""
        if one.match in self._damaged:
            return
        version, ended = self._ends.get(one.match, (1, 0))
        if now is None or ended < now - SETTLING_MS:
            self._found.setdefault(one.match, []).append(Finding(version, one.what))

    def result(self) -> tuple[Checked, ...]:
        """Return what was found of every match."""
        return tuple(
            Checked(match, self._events.get(match, 0), not found, tuple(found)) for match, found in self._found.items()
        )


def refolded(archive: Archive, stored: Sequence[Stored]) -> tuple[list[Recorded], list[Finding]]:
    """Fold a match's events again; return them, up to the first that cannot be, and what is wrong."""
    steps: list[Recorded] = []
    found: list[Finding] = []
    match: Match | None = None
    for one in stored:
        try:
            entry = archive.entry(one)
            step = step_of(entry)
            match = advance(match, step)
        except Corrupt as fault:
            return steps, [*found, Finding(fault.version, fault.what)]
        except Unfoldable as fault:
            return steps, [*found, Finding(one.version, str(fault))]
        steps.append(step)
        found.extend(_state_differs(match, one, step.state))
    return steps, found


def _state_differs(match: Match, stored: Stored, kept: str) -> list[Finding]:
    """Compare the state hash that an event carries, as each that closes a deal must, with that of the fold."""
    closes = stored.kind in match.game.closes_deal
    if not closes and not kept:
        return []
    if not kept:
        return [Finding(stored.version, "it closes a deal and has no state hash")]
    if kept != state_hash(match):
        return [Finding(stored.version, "the state after it is not the one that was recorded")]
    return []


def reconcile(
    archive: Archive, ledger: Sequence[LedgerEvent], names: Sequence[str], *, now: int, told: Told
) -> tuple[Difference, ...]:
    """Return every difference between matches' logs and the ledger (R-45); see :func:`verify` for ``now``."""
    checks = _Checks(archive)
    logs = Logs([name for name in names if archive.has(name)], checks.read, told)
    for one in differences(logs, ledger, whole=False):
        checks.differs(one, now)
    for name in names:
        if name not in logs:
            checks.differs(Difference(name, NO_LOG), now)
    return tuple(
        Difference(one.match, f"version {finding.version}: {finding.what}")
        for one in checks.result()
        for finding in one.findings
    )


def _others(archive: Archive, ledger: Sequence[LedgerEvent]) -> tuple[Chain, ...]:
    """Follow the chain of every stream that is no match, and check that the ledger's books balance."""
    chains = []
    for partition, stream in archive.streams():
        if is_match(partition, stream):
            continue
        log = archive.log(partition)
        found = verify_stream(log, stream)
        events = 0 if found else len(log.read(stream))
        if not found and (partition, stream) == (SCORING, LEDGER):
            found = [Finding(events, what) for what in Balances(ledger).findings()]
        if not found and is_table(partition):
            found = [Finding(1, "a match of another partition lies in this one")]
        chains.append(Chain(partition, stream, events, not found, tuple(found)))
    return tuple(chains)
