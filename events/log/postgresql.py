"""A partition's log in one schema of a PostgreSQL database."""

from collections.abc import Sequence
from typing import Any, Final

import psycopg
from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import InterfaceError, OperationalError, StoredEvent
from eventsourcing.postgres import PostgresAggregateRecorder, PostgresDatastore, PostgresProcessRecorder
from eventsourcing.utils import retry
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed, Identifier

from events.envelope import Stored
from events.log.port import LogUnusable
from events.log.recorders import RecordedLog, one_line

SCHEMA_PREFIX: Final = "partition_"
CONNECT_SECONDS: Final = 5
POOL_SIZE: Final = 1  # connections kept open for a partition; up to four more while they are needed
POOL_OVERFLOW: Final = 4
_LAYING_OUT: Final = 0x5348_4144  # the advisory lock of whoever lays out a partition
# A server that does not answer for so long is taken for lost; what the URL says goes before.
_LIVELY: Final = {
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
_OWN: Final = {"dbname", "host", "port", "user", "password"}  # what the library's datastore takes by name

# Each stream's first row is found by a jump in the primary key, so the cost goes with the streams, not the events.
_STREAMS: Final = """
WITH RECURSIVE each(stream) AS (
  (SELECT MIN(originator_id) FROM {schema}.stored_events)
  UNION ALL
  SELECT (SELECT MIN(originator_id) FROM {schema}.stored_events WHERE originator_id > each.stream)
  FROM each WHERE each.stream IS NOT NULL)
SELECT stream, (SELECT notification_id FROM {schema}.stored_events
  WHERE originator_id = stream ORDER BY originator_version LIMIT 1) AS first
FROM each WHERE stream IS NOT NULL ORDER BY first"""

_STREAM: Final = """
SELECT originator_version, topic, state, notification_id FROM {schema}.stored_events
WHERE originator_id = %s AND originator_version > %s ORDER BY originator_version LIMIT %s"""


class _Recorder(PostgresProcessRecorder):
    """The library's recorder, with an index of open streams.

    It does not NOTIFY: nobody listens, and it would make the commits of all partitions wait for each other.
    The function that inserts without locking the table is not even created: with it a reader of the tail could see a
    position before a lower one is committed, and skip that for ever.
    """

    def __init__(self, datastore: PostgresDatastore) -> None:
        super().__init__(datastore)
        assert not datastore.enable_db_functions, "inserts by database function let readers of the tail skip events"
        assert self.lock_table_statements, "inserts must lock the table"
        self.sql_create_statements.pop(self.create_insert_function_statement_index)
        self.sql_create_statements.append(
            self._sql(
                "CREATE TABLE IF NOT EXISTS {schema}.open_streams (number bigserial PRIMARY KEY, "
                "stream text NOT NULL UNIQUE)"
            )
        )
        self._open = self._sql("INSERT INTO {schema}.open_streams (stream) SELECT unnest(%s::text[])")
        self._end = self._sql("DELETE FROM {schema}.open_streams WHERE stream = ANY(%s)")
        self._select_stream = self._sql(_STREAM)
        self._select_streams = self._sql(_STREAMS)
        self._select_open_streams = self._sql("SELECT stream FROM {schema}.open_streams ORDER BY number")

    def _sql(self, text: str) -> Composed:
        return SQL(text).format(schema=Identifier(self.datastore.schema))

    @retry((InterfaceError, OperationalError), max_attempts=3, wait=0.2)
    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Write in one transaction: what is short in a pipeline, the events after it.

        The library puts the events into the pipeline too. There psycopg waits for ever as soon as they do not fit
        into the socket's buffer, about a megabyte on one machine and less across a network.
        """
        with self.datastore.get_connection() as conn, conn.transaction():
            with conn.pipeline(), conn.cursor() as curs:
                self._lock_table(curs)
                self._insert_events(curs, stored_events, **kwargs)
            with conn.cursor() as curs:
                PostgresAggregateRecorder._insert_stored_events(self, curs, stored_events)  # noqa: SLF001 - without a lock
                return self._fetch_ids_after_insert_events(curs, stored_events)

    def _insert_events(
        self,
        curs: psycopg.Cursor[DictRow],
        stored_events: Sequence[StoredEvent],
        *,
        opened: Sequence[str] = (),
        ended: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super()._insert_events(curs, stored_events, **kwargs)
        if opened:
            curs.execute(self._open, (list(opened),), prepare=True)
        if ended:
            curs.execute(self._end, (list(ended),), prepare=True)

    def select_stream(self, stream: str, after: int, limit: int) -> list[Stored]:
        with self.datastore.get_connection() as conn, conn.cursor() as curs:
            curs.execute(self._select_stream, (stream, after, limit or None), prepare=True)
            return [
                Stored(
                    stream,
                    row["originator_version"],
                    row["topic"] or "",
                    bytes(row["state"] or b""),
                    row["notification_id"],
                )
                for row in curs.fetchall()
            ]

    def select_open_streams(self) -> list[str]:
        with self.datastore.get_connection() as conn, conn.cursor() as curs:
            return [row["stream"] for row in curs.execute(self._select_open_streams).fetchall()]

    def select_streams(self) -> list[str]:
        with self.datastore.get_connection() as conn, conn.cursor() as curs:
            return [row["stream"] for row in curs.execute(self._select_streams).fetchall()]


def connected(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    """Connect; raise :class:`LogUnusable` if that fails. Errors never show the URL, which may hold a password."""
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)
    except psycopg.Error as fault:
        raise LogUnusable(f"the PostgreSQL server cannot be reached: {one_line(fault)}") from fault


def open_postgresql(url: str, partition: str, *, layout: int, create: bool) -> RecordedLog:
    """Open a partition's schema; raise :class:`LogUnusable` if there is none to be had."""
    schema = SCHEMA_PREFIX + partition
    with connected(url) as connection:
        try:
            _refuse_unsafe(connection)
            connection.execute("SELECT pg_advisory_lock(%s)", (_LAYING_OUT,))
            found = _layout(connection, schema)
            if found is None and not create:
                raise LogUnusable(f"there is no log of partition {partition}")
            if found is not None and found != layout:
                raise LogUnusable(f"partition {partition} has layout {found}; this version of Shadda reads {layout}")
            if found is None:
                connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(schema)))
            return _recorded(url, schema, connection, layout=None if found else layout)
        except (psycopg.Error, EventSourcingError) as fault:
            raise LogUnusable(f"partition {partition} cannot be opened: {one_line(fault)}") from fault


def _recorded(
    url: str, schema: str, connection: psycopg.Connection[tuple[Any, ...]], *, layout: int | None
) -> RecordedLog:
    """Return the log of a schema, laying it out first if ``layout`` says as what."""
    settings = {name: value for name, value in conninfo_to_dict(url).items() if value is not None}
    datastore = PostgresDatastore(
        **{name: settings.get(name) for name in _OWN},  # type: ignore[arg-type] # what is None, libpq looks up
        connect_timeout=CONNECT_SECONDS,
        idle_in_transaction_session_timeout=5,
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        schema=schema,
        originator_id_type="text",
    )
    assert isinstance(datastore.pool.kwargs, dict)
    datastore.pool.kwargs.update(_LIVELY | {name: value for name, value in settings.items() if name not in _OWN})
    try:
        recorder = _Recorder(datastore)
        if layout is not None:
            recorder.create_table()
            connection.execute(SQL("CREATE TABLE {}.layout AS SELECT {} AS version").format(Identifier(schema), layout))
        assert datastore.psycopg_python_types, "the schema lacks the type of stored events"
    except BaseException:
        datastore.close()
        raise
    return RecordedLog(recorder, datastore.close, psycopg.Error)


def _refuse_unsafe(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Refuse a server that acknowledges a commit before it is on disk."""
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        row = connection.execute(SQL("SHOW {}").format(Identifier(setting))).fetchone()
        if row is None or row[0] == "off":
            raise LogUnusable(f"the PostgreSQL server has {setting} off, so a commit might not be on disk")


def _layout(connection: psycopg.Connection[tuple[Any, ...]], schema: str) -> int | None:
    """Return the layout of a schema, None if it is not laid out to the end."""
    row = connection.execute("SELECT to_regclass(%s)", (f'"{schema}".layout',)).fetchone()
    if row is None or row[0] is None:
        return None
    row = connection.execute(SQL("SELECT version FROM {}.layout").format(Identifier(schema))).fetchone()
    return None if row is None else int(row[0])


def postgresql_partitions(url: str) -> list[str]:
    """Return the partitions laid out in a database."""
    with connected(url) as connection:
        rows = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)", (SCHEMA_PREFIX,)
        ).fetchall()
        names = [str(name) for (name,) in rows if _layout(connection, str(name)) is not None]
    return sorted(name.removeprefix(SCHEMA_PREFIX) for name in names)
