"""The logs at a place, opened to be read: matches, the ledger and every other stream. Nothing here writes."""

import re
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from domain.games import VERSIONS
from domain.journal.events import LEDGER, LEDGER_EVENTS, LedgerEvent
from domain.table.events import TABLE_EVENTS
from events.codec import Codec
from events.envelope import Cipher, Corrupt, Header, Stored, look, unseal
from events.log.opening import open_log, partitions
from events.log.port import Log, LogUnusable
from events.subjects import is_token, partition_of

SCORING: Final = "scoring"  # the partition of the ledger
_TABLES: Final = re.compile(r"[0-9]{2}\Z")  # names of the partitions that hold matches


class KeyNeeded(LogUnusable):
    """The log is encrypted and no key was given."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An event read back: what its envelope says, and the event, or ``Unknown`` for a kind of a later version."""

    header: Header
    event: Any


def table_codec() -> Codec:
    """Return the codec of the tables' logs: the table's events and those of every version of every game."""
    kinds: dict[type[Any], None] = dict.fromkeys(TABLE_EVENTS)
    for game in VERSIONS.values():
        kinds.update(dict.fromkeys(game.events))
    return Codec(kinds)


class Archive:
    """The logs at a place. A context manager: they are open until it ends.

    Every call raises ``LogUnusable`` or ``LogFailed``, with one clear line, where a log cannot be opened or read.
    """

    def __init__(self, where: str, cipher: Cipher | None = None) -> None:
        """Look which partitions are there; ``where`` is a folder or ``postgresql://…``."""
        self.where = where
        self.partitions = partitions(where)
        self._cipher = cipher
        self._tables = table_codec()
        self._ledger = Codec(LEDGER_EVENTS)
        self._logs: dict[str, Log] = {}

    def __enter__(self) -> Self:
        """Return the archive itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close every log."""
        for log in self._logs.values():
            log.close()
        self._logs.clear()

    def log(self, partition: str) -> Log:
        """Return a partition's log."""
        if partition not in self._logs:
            self._logs[partition] = open_log(self.where, partition, create=False)
        return self._logs[partition]

    def streams(self) -> Iterator[tuple[str, str]]:
        """Yield every stream there is, as its partition and its name."""
        for partition in self.partitions:
            for stream in self.log(partition).streams():
                yield partition, stream

    def matches(self) -> list[str]:
        """Return every match, oldest first."""
        found = [stream for partition, stream in self.streams() if is_match(partition, stream)]
        return sorted(found, key=lambda match: (match.partition("-")[2], match))

    def has(self, match: str) -> bool:
        """Say whether there is a log of this match."""
        partition = partition_of(match)
        if not is_token(match) or not is_table(partition) or partition not in self.partitions:
            return False
        return bool(self._log_of(match).read(match, limit=1))

    def runs(self, match: str) -> bool:
        """Say whether a match is still open."""
        return match in self._log_of(match).open_streams()

    def stored(self, match: str) -> list[Stored]:
        """Return a match's events as they are stored."""
        return self._log_of(match).read(match)

    def _log_of(self, match: str) -> Log:
        return self.log(partition_of(match))

    def entry(self, stored: Stored) -> Entry:
        """Return an event of a match read back; raise ``Corrupt``, or :class:`KeyNeeded`, if it cannot be."""
        return self._entry(stored, self._tables)

    def _entry(self, stored: Stored, codec: Codec) -> Entry:
        try:
            opened = unseal(stored, self._cipher)
        except Corrupt:
            if self._cipher is None:
                look(stored)  # this needs no key: if it does not fail as well, the key is what is missing
                raise KeyNeeded("the log is encrypted: set SHADDA_LOG_KEY to its key") from None
            raise
        try:
            return Entry(opened.header, codec.decode(stored.kind, opened.payload))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            # The parser's own words may quote a card, so they stay out of the text.
            raise Corrupt(stored.stream, stored.version, f"its payload is not that of a {stored.kind}") from None

    def ledger(self, *, damaged: bool = False) -> list[LedgerEvent]:
        """Return every event of the ledger, none if there is none.

        Raises ``Corrupt`` at an event that cannot be read, unless ``damaged`` says to leave such out.
        """
        if SCORING not in self.partitions:
            return []
        events: list[LedgerEvent] = []
        for stored in self.log(SCORING).read(LEDGER):
            try:
                event = self._entry(stored, self._ledger).event
            except Corrupt:
                if not damaged:
                    raise
            else:
                events.append(event)
        return events


def is_table(partition: str) -> bool:
    """Say whether a partition is one of tables, which hold the matches."""
    return _TABLES.match(partition) is not None


def is_match(partition: str, stream: str) -> bool:
    """Say whether a stream is a match that lies in the partition that its id names."""
    return is_table(partition) and partition_of(stream) == partition
