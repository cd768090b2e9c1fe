"""A partition's log in one SQLite file, on disk before an append returns."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteProcessRecorder,
)

from events.envelope import Stored
from events.log.port import LogUnusable
from events.log.recorders import RecordedLog, one_line

LOCK_SECONDS: Final = 5  # how long a writer waits for another process's transaction

# Each stream's first row is found by a jump in the primary key, so the cost goes with the streams, not the events.
_STREAMS: Final = """
WITH RECURSIVE each(stream) AS (
  SELECT MIN(originator_id) FROM stored_events
  UNION ALL
  SELECT (SELECT MIN(originator_id) FROM stored_events WHERE originator_id > each.stream)
  FROM each WHERE each.stream IS NOT NULL)
SELECT CAST(stream AS BLOB), (
  SELECT rowid FROM stored_events WHERE originator_id = stream ORDER BY originator_version LIMIT 1) AS first
FROM each WHERE stream IS NOT NULL ORDER BY first"""

# Cast to bytes, and only whole versions, so that a row that was tampered with is read, or is missed, and can be named.
_STREAM: Final = """
SELECT originator_version, CAST(topic AS BLOB), CAST(state AS BLOB), rowid FROM stored_events
WHERE originator_id = ? AND originator_version > ? AND typeof(originator_version) = 'integer'
ORDER BY originator_version LIMIT ?"""


_ROWS_MAX: Final = 200  # events in one statement: 800 of the 999 values that any SQLite takes
_INSERT: Final = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES "


class _Pool(SQLiteConnectionPool):
    """Connections that wait for the disk at each commit."""

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        for pragma in ("synchronous=FULL", "fullfsync=ON", "checkpoint_fullfsync=ON"):
            connection.cursor().execute(f"PRAGMA {pragma}")
        return connection


class _Recorder(SQLiteProcessRecorder):
    """The library's recorder, with an index of open streams and a position that VACUUM cannot renumber."""

    def construct_create_table_statements(self) -> list[str]:
        events, *others = super().construct_create_table_statements()
        assert events.endswith("state BLOB, PRIMARY KEY (originator_id, originator_version))"), events
        return [
            events.replace("(originator_id TEXT", "(rowid INTEGER PRIMARY KEY, originator_id TEXT").replace(
                "PRIMARY KEY (originator_id", "UNIQUE (originator_id"
            ),
            *others,
            "CREATE TABLE IF NOT EXISTS open_streams (number INTEGER PRIMARY KEY, stream TEXT NOT NULL UNIQUE)",
        ]

    def _insert_events(
        self,
        c: SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        *,
        opened: Sequence[str] = (),
        ended: Sequence[str] = (),
        **kwargs: Any,
    ) -> Sequence[int] | None:
        positions = [position for rows in _chunks(stored_events) for position in _insert(c, rows)]
        if (tracking := kwargs.get("tracking")) is not None:
            self._insert_tracking(c, tracking)
        if opened:
            c.executemany("INSERT INTO open_streams (stream) VALUES (?)", [(stream,) for stream in opened])
        if ended:
            c.executemany("DELETE FROM open_streams WHERE stream = ?", [(stream,) for stream in ended])
        return positions

    def select_stream(self, stream: str, after: int, limit: int) -> list[Stored]:
        with self.datastore.transaction(commit=False) as c:
            c.execute(_STREAM, (stream, after, limit or -1))
            return [
                Stored(stream, version, (kind or b"").decode(errors="replace"), record or b"", position)
                for version, kind, record, position in c.fetchall()
            ]

    def select_open_streams(self) -> list[str]:
        with self.datastore.transaction(commit=False) as c:
            c.execute("SELECT stream FROM open_streams ORDER BY number")
            return [stream for (stream,) in c.fetchall()]

    def select_streams(self) -> list[str]:
        with self.datastore.transaction(commit=False) as c:
            c.execute(_STREAMS)
            return [stream.decode(errors="replace") for stream, _first in c.fetchall()]


def _chunks(events: Sequence[StoredEvent]) -> Iterator[Sequence[StoredEvent]]:
    for start in range(0, len(events), _ROWS_MAX):
        yield events[start : start + _ROWS_MAX]


def _insert(c: SQLiteCursor, events: Sequence[StoredEvent]) -> range:
    """Insert events in one statement and return their positions, which follow each other: there is one writer.

    The library runs a statement for each event, and each lets go of Python's lock and waits up to 5 ms to have it back
    from the event loop's thread.
    """
    values = ",".join(("(?,?,?,?)",) * len(events))
    rows = [(event.originator_id, event.originator_version, event.topic, event.state) for event in events]
    c.execute(_INSERT + values, [value for row in rows for value in row])
    return range(c.lastrowid - len(events) + 1, c.lastrowid + 1)


def open_sqlite(path: Path, *, create: bool) -> RecordedLog:
    """Open a partition's file; raise :class:`LogUnusable` if there is none to be had."""
    if create and not path.exists():
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))  # hands lie in it: its owner's alone
        except OSError as fault:
            raise LogUnusable(f"{path} cannot be made: {fault.strerror}") from fault
    if not path.is_file():
        raise LogUnusable(f"there is no log at {path}")
    # Not by opening it: closing it again would drop the locks that this process's other connections have on it.
    if not os.access(path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise LogUnusable(f"{path} cannot be opened: permission denied")
    name = f"file:{quote(str(path.absolute()))}?mode=rw"
    datastore = SQLiteDatastore(name, originator_id_type="text")
    datastore.pool.close()
    datastore.pool = _Pool(db_name=name, lock_timeout=LOCK_SECONDS)
    try:
        return RecordedLog(_prepared(datastore, path, create=create), datastore.close, sqlite3.Error)
    except BaseException:
        datastore.close()
        raise


def _prepared(datastore: SQLiteDatastore, path: Path, *, create: bool) -> _Recorder:
    """Check the file and how it is written; lay out a new one."""
    try:
        with datastore.transaction(commit=False) as c:
            c.execute("PRAGMA journal_mode")
            journal = c.fetchone()[0]
            c.execute("PRAGMA synchronous")
            synchronous = c.fetchone()[0]
        if (journal, synchronous) != ("wal", 2):
            raise LogUnusable(f"{path} cannot be written safely: journal {journal}, synchronous {synchronous}")
        recorder = _Recorder(datastore)
        if create and not _tables(datastore):
            with contextlib.suppress(IntegrityError):  # another process has laid it out at the same moment
                recorder.create_table()
        if not _tables(datastore) >= {"stored_events", "tracking", "open_streams"}:
            raise LogUnusable(f"{path} is not a log of Shadda")
        recorder.max_notification_id()
    except (sqlite3.Error, EventSourcingError) as fault:
        raise LogUnusable(f"{path} cannot be read: {one_line(fault)}") from fault
    return recorder


def _tables(datastore: SQLiteDatastore) -> set[str]:
    with datastore.transaction(commit=False) as c:
        c.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in c.fetchall()}
