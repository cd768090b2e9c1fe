"""A log over a process recorder of the ``eventsourcing`` library.

An event's topic is its kind and its state is the stored record; a position is the library's notification id, and a
consumer's position the library's tracking record, written in the transaction of the events.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import IntegrityError, Notification, StoredEvent, Tracking

from events.envelope import Stored
from events.log.port import Log, LogFailed, VersionConflict


class Recorder(Protocol):
    """What the log needs of a recorder: the library's calls, and queries on streams that the library lacks."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Write events with ``tracking``; ``opened`` and ``ended`` are streams to put on and take off the index."""

    def insert_tracking(self, tracking: Tracking) -> None:
        """Write a consumer's position."""

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Return events in the order of their positions."""

    def max_notification_id(self) -> int | None:
        """Return the last position."""

    def max_tracking_id(self, application_name: str) -> int | None:
        """Return a consumer's position."""

    def select_stream(self, stream: str, after: int, limit: int) -> list[Stored]:
        """Return a stream's events with their positions."""

    def select_open_streams(self) -> list[str]:
        """Return the index of open streams, oldest first."""

    def select_streams(self) -> list[str]:
        """Return every stream, oldest first."""


def one_line(fault: BaseException) -> str:
    """Return the first line of a fault's text; databases add details below it."""
    return (str(fault).strip() or type(fault).__name__).partition("\n")[0]


class RecordedLog(Log):
    """A partition's log in a database. Any thread may use it, and close it: what is under way is waited for.

    A thread that was left behind by a cancelled task still reads; the driver must not lose its connection meanwhile.
    """

    def __init__(self, recorder: Recorder, close: Callable[[], None], errors: type[Exception]) -> None:
        """Take the recorder, how to let go of its connections, and the errors of its driver."""
        self._recorder = recorder
        self._close = close
        self._errors = errors
        self._closed = False
        self._under_way = 0
        self._idle = threading.Condition()

    @contextlib.contextmanager
    def _asked(self) -> Iterator[None]:
        """Turn the library's and the driver's errors into the port's."""
        with self._idle:
            if self._closed:
                raise LogFailed("the log is closed")
            self._under_way += 1
        try:
            yield
        except IntegrityError as fault:
            raise VersionConflict(one_line(fault)) from fault
        except (EventSourcingError, self._errors) as fault:
            raise LogFailed(one_line(fault)) from fault
        finally:
            with self._idle:
                self._under_way -= 1
                self._idle.notify_all()

    def append(self, events: Sequence[Stored], *, tracked: tuple[str, int] | None = None) -> list[int]:
        """Write all events or none; see :meth:`events.log.port.Log.append`."""
        tracking = None if tracked is None else Tracking(*tracked)
        if not events:
            if tracking is not None:
                with self._asked():
                    self._recorder.insert_tracking(tracking)
            return []
        for event in events:
            # Found before anything is sent: drivers and databases differ in what they make of it.
            if "\0" in event.stream or "\0" in event.kind or not (event.stream + event.kind).isascii():
                raise LogFailed(f"version {event.version} of a stream has a name that cannot be stored")
        stored = [StoredEvent(event.stream, event.version, event.kind, event.record) for event in events]
        opened = [event.stream for event in events if event.version == 1]
        ended = [event.stream for event in events if event.last]
        with self._asked():
            positions = self._recorder.insert_events(stored, tracking=tracking, opened=opened, ended=ended)
        assert positions is not None
        assert len(positions) == len(events), "the recorder has not told the position of every event"
        return list(positions)

    def read(self, stream: str, *, after: int = 0, limit: int = 0) -> list[Stored]:
        """Return a stream's events in order."""
        with self._asked():
            return self._recorder.select_stream(stream, after, limit)

    def tail(self, after: int, limit: int, *, kinds: Sequence[str] = ()) -> list[Stored]:
        """Return events in the order of their positions."""
        with self._asked():
            found = self._recorder.select_notifications(after, limit, topics=list(kinds), inclusive_of_start=False)
        return [
            Stored(str(event.originator_id), event.originator_version, event.topic, event.state or b"", event.id)
            for event in found
        ]

    def end(self) -> int:
        """Return the position of the last event."""
        with self._asked():
            return self._recorder.max_notification_id() or 0

    def tracked(self, consumer: str) -> int:
        """Return a consumer's position."""
        with self._asked():
            return self._recorder.max_tracking_id(consumer) or 0

    def track(self, consumer: str, position: int) -> None:
        """Move a consumer's position forward."""
        with contextlib.suppress(VersionConflict), self._asked():
            self._recorder.insert_tracking(Tracking(consumer, position))

    def open_streams(self) -> list[str]:
        """Return the streams that have not ended."""
        with self._asked():
            return self._recorder.select_open_streams()

    def streams(self) -> list[str]:
        """Return every stream."""
        with self._asked():
            return self._recorder.select_streams()

    def close(self) -> None:
        """Close every connection, once nothing uses them."""
        with self._idle:
            if self._closed:
                return
            self._closed = True
            self._idle.wait_for(lambda: not self._under_way)
        self._close()
