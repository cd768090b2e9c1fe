"""A log in memory, for tests and simulations: it can be told to lose races, to fail and to answer late."""

import threading
import time
from collections import deque
from collections.abc import Sequence
from enum import Enum, auto

from events.envelope import Stored
from events.log.port import Log, LogFailed, VersionConflict


class Fault(Enum):
    """What can go wrong with one append."""

    LOSES_RACE = auto()  # another writer was there first: VersionConflict, nothing written
    FAILS = auto()  # LogFailed, nothing written
    ANSWER_LOST = auto()  # written, and LogFailed all the same


class MemoryLog(Log):
    """A log that lasts as long as the object, so a test restarts a service by giving the same log to a new one.

    ``late_seconds`` is how long each append takes to answer.
    """

    def __init__(self, *, late_seconds: float = 0.0) -> None:
        """Begin empty."""
        self.late_seconds = late_seconds
        self._lock = threading.Lock()
        self._events: list[Stored] = []  # by position, from 1
        self._streams: dict[str, dict[int, Stored]] = {}
        self._open: dict[str, None] = {}
        self._tracked: dict[str, int] = {}
        self._faults: deque[Fault | None] = deque()

    def disturb(self, *faults: Fault | None) -> None:
        """Let the next appends go wrong, one each, in this order; None is one that goes well."""
        self._faults.extend(faults)

    def append(self, events: Sequence[Stored], *, tracked: tuple[str, int] | None = None) -> list[int]:
        """Write all events or none; see :meth:`events.log.port.Log.append`."""
        if self.late_seconds:
            time.sleep(self.late_seconds)
        with self._lock:
            fault = self._faults.popleft() if self._faults else None
            if fault is Fault.LOSES_RACE:
                raise VersionConflict("another writer was there first")
            if fault is Fault.FAILS:
                raise LogFailed("the disk is full")
            positions = self._write(events, tracked)
            if fault is Fault.ANSWER_LOST:
                raise LogFailed("the answer got lost")
            return positions

    def _write(self, events: Sequence[Stored], tracked: tuple[str, int] | None) -> list[int]:
        places = [(event.stream, event.version) for event in events]
        taken = [place for place in places if place[1] in self._streams.get(place[0], ())]
        if taken or len(set(places)) < len(places):
            raise VersionConflict("a place in a stream is taken")
        if tracked is not None:
            if tracked[1] <= self._tracked.get(tracked[0], 0):
                raise VersionConflict(f"{tracked[0]} has already dealt with position {tracked[1]}")
            self._tracked[tracked[0]] = tracked[1]
        first = len(self._events) + 1
        for position, event in enumerate(events, first):
            kept = Stored(event.stream, event.version, event.kind, event.record, position)
            self._events.append(kept)
            self._streams.setdefault(event.stream, {})[event.version] = kept
            if event.version == 1:
                self._open[event.stream] = None
            if event.last:
                self._open.pop(event.stream, None)
        return list(range(first, len(self._events) + 1))

    def read(self, stream: str, *, after: int = 0, limit: int = 0) -> list[Stored]:
        """Return a stream's events in order."""
        with self._lock:
            events = self._streams.get(stream, {})
            found = [events[version] for version in sorted(events) if version > after]
            return found[:limit] if limit else found

    def tail(self, after: int, limit: int, *, kinds: Sequence[str] = ()) -> list[Stored]:
        """Return events in the order of their positions."""
        found: list[Stored] = []
        with self._lock:
            for position in range(max(after, 0), len(self._events)):
                if len(found) == limit:
                    break
                event = self._events[position]
                if not kinds or event.kind in kinds:
                    found.append(event)
        return found

    def end(self) -> int:
        """Return the position of the last event."""
        return len(self._events)

    def tracked(self, consumer: str) -> int:
        """Return a consumer's position."""
        return self._tracked.get(consumer, 0)

    def track(self, consumer: str, position: int) -> None:
        """Move a consumer's position forward."""
        with self._lock:
            self._tracked[consumer] = max(position, self._tracked.get(consumer, 0))

    def open_streams(self) -> list[str]:
        """Return the streams that have not ended."""
        with self._lock:
            return list(self._open)

    def streams(self) -> list[str]:
        """Return every stream."""
        with self._lock:
            return list(self._streams)

    def close(self) -> None:
        """Keep everything: the next owner in a test goes on with it."""
