"""Whoever changes what is stored, through the database itself, is found out, and the first bad place is named."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest

from events.envelope import Corrupt, unseal
from events.log import Log, LogFailed
from events.log.memory import MemoryLog
from events.log.opening import cipher_from, new_key, open_log
from events.log.verification import Finding, verify_stream
from tests.events.streams import Writer

LENGTH = 24
COLUMNS = ("originator_id", "originator_version", "topic", "state")


@pytest.fixture(params=[None, new_key()], ids=["clear", "encrypted"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Log, sqlite3.Connection]]:
    """A log with an ended match, a running one and another ended one, and a way around the log into its file."""
    writer = Writer(cipher_from(request.param) if request.param else None)
    log = open_log(str(tmp_path), "07")
    log.append(writer.match("07-a", LENGTH))
    log.append([writer.event("07-b") for _ in range(5)])
    log.append(writer.match("07-c", 5))
    file = sqlite3.connect(tmp_path / "log-07.sqlite", isolation_level=None)
    file.execute("PRAGMA synchronous = OFF")  # these tests need no disk
    yield log, file
    file.close()
    log.close()


def test_what_was_written_is_as_it_was_written(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, _ = kept
    assert [verify_stream(log, stream) for stream in log.streams()] == [[], [], []]


@contextlib.contextmanager
def _tampered(file: sqlite3.Connection) -> Iterator[None]:
    """Undo afterwards what is done to the events meanwhile."""
    rows = file.execute("SELECT rowid, * FROM stored_events").fetchall()
    yield
    file.execute("BEGIN")
    file.execute("DELETE FROM stored_events")
    file.executemany("INSERT INTO stored_events VALUES (?,?,?,?,?)", [row[1:] for row in rows])
    file.execute("COMMIT")


def _flipped(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def test_any_flipped_bit_of_a_record_is_found(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    random = Random(1)
    for _ in range(250):
        version = random.randrange(1, LENGTH + 1)
        place = ("07-a", version)
        with _tampered(file):
            (state,) = file.execute(
                "SELECT state FROM stored_events WHERE (originator_id, originator_version) = (?, ?)", place
            ).fetchone()
            file.execute(
                "UPDATE stored_events SET state = ? WHERE (originator_id, originator_version) = (?, ?)",
                (_flipped(state, random), *place),
            )
            findings = verify_stream(log, "07-a")
            assert findings, f"version {version}"
            assert findings[0].version == version
            assert verify_stream(log, "07-b") == []
    assert verify_stream(log, "07-a") == []


@pytest.mark.parametrize("column", ["originator_id", "originator_version", "topic"])
def test_any_flipped_bit_of_a_column_is_found(column: str, kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    random = Random(2)
    found = 0
    for _ in range(100):
        version = random.randrange(1, LENGTH + 1)
        place = ("07-a", version)
        with _tampered(file):
            (value,) = file.execute(
                f"SELECT {column} FROM stored_events "  # noqa: S608 - a name of this page
                "WHERE (originator_id, originator_version) = (?, ?)",
                place,
            ).fetchone()
            changed: object
            if column == "originator_version":
                kind, changed = "INTEGER", value ^ 1 << random.randrange(63)
            else:
                kind, changed = "TEXT", _flipped(value.encode(), random)
            try:
                file.execute(
                    f"UPDATE stored_events SET {column} = CAST(? AS {kind}) "  # noqa: S608 - names of this page
                    "WHERE (originator_id, originator_version) = (?, ?)",
                    (changed, *place),
                )
            except sqlite3.IntegrityError:
                continue  # the place that it would move to is taken
            found += 1
            assert verify_stream(log, "07-a")[0].version == version
    assert found > 60


@pytest.mark.parametrize("value", ["NULL", "'text'", "3.5", "x''", "-4"])
@pytest.mark.parametrize("column", COLUMNS)
def test_a_value_of_another_type_is_found(column: str, value: str, kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    file.execute(
        f"UPDATE stored_events SET {column} = {value} "  # noqa: S608 - values of this page
        "WHERE (originator_id, originator_version) = ('07-a', 7)"
    )
    assert verify_stream(log, "07-a")[0].version == 7


def test_a_deleted_event_is_found(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    for version in range(1, LENGTH):
        with _tampered(file):
            file.execute(
                "DELETE FROM stored_events WHERE (originator_id, originator_version) = ('07-a', ?)", (version,)
            )
            assert verify_stream(log, "07-a") == [Finding(version, "the event is missing")]
    with _tampered(file):
        file.execute("DELETE FROM stored_events WHERE originator_version BETWEEN 4 AND 6")
        assert verify_stream(log, "07-a") == [Finding(4, "the events from here to version 6 are missing")]


def test_an_ended_stream_without_its_end_is_found(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    file.execute("DELETE FROM stored_events WHERE originator_version > 20")
    assert verify_stream(log, "07-a") == [Finding(21, "the stream has ended, but its last event is missing")]
    file.execute("DELETE FROM stored_events WHERE originator_id = '07-a'")
    assert verify_stream(log, "07-a") == [Finding(1, "the stream has no event")]
    assert verify_stream(log, "07-b") == []


def test_swapped_events_are_found(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    random = Random(3)
    for _ in range(60):
        low, high = sorted(random.sample(range(1, LENGTH + 1), 2))
        with _tampered(file):
            for source, target in ((low, -1), (high, low), (-1, high)):
                file.execute(
                    "UPDATE stored_events SET originator_version = ? WHERE (originator_id, originator_version) "
                    "= ('07-a', ?)",
                    (target, source),
                )
            assert verify_stream(log, "07-a")[0].version == low


def test_swapped_positions_are_found(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    for source, target in ((4, 900), (9, 4), (900, 9)):
        file.execute("UPDATE stored_events SET rowid = ? WHERE rowid = ?", (target, source))
    assert verify_stream(log, "07-a")[0] == Finding(5, "its position is not after that of the event before it")


def test_an_event_of_another_stream_is_found(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    file.execute(
        "UPDATE stored_events SET state = (SELECT state FROM stored_events WHERE originator_id = '07-b' "
        "AND originator_version = 3) WHERE originator_id = '07-a' AND originator_version = 3"
    )
    assert verify_stream(log, "07-a")[0] == Finding(3, "its header belongs to another event")


def test_an_event_put_in_is_found(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    for version, first in ((LENGTH + 1, LENGTH + 1), (-5, -5)):
        with _tampered(file):
            file.execute(
                "INSERT INTO stored_events SELECT NULL, originator_id, ?, topic, state FROM stored_events "
                "WHERE originator_id = '07-a' AND originator_version = 2",
                (version,),
            )
            assert verify_stream(log, "07-a")[0].version == first


def test_every_change_of_a_stream_is_listed(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    file.execute("UPDATE stored_events SET topic = 'x' WHERE originator_id = '07-a' AND originator_version IN (3, 9)")
    assert [finding.version for finding in verify_stream(log, "07-a")] == [3, 9]


def test_a_log_that_cannot_be_read_is_a_finding(kept: tuple[Log, sqlite3.Connection]) -> None:
    log, file = kept
    file.execute("DROP TABLE stored_events")
    with pytest.raises(LogFailed):
        log.end()
    (finding,) = verify_stream(log, "07-a")
    assert "no such table" in finding.what


def test_a_stream_that_ends_while_it_is_verified_is_whole() -> None:
    log, writer = MemoryLog(), Writer()
    log.append([writer.event("07-a")])

    class Going(MemoryLog):
        def open_streams(self) -> list[str]:
            log.append([writer.event("07-a"), writer.event("07-a", last=True)])
            return log.open_streams()

        def __init__(self) -> None:
            """Show another log, which goes on between two looks at it."""
            self.read = log.read  # type: ignore[method-assign]

    assert verify_stream(Going(), "07-a") == []


def _postgresql_deleted(connection: psycopg.Connection) -> int:
    connection.execute("DELETE FROM partition_07.stored_events WHERE originator_id = '07-a' AND originator_version = 8")
    return 8


def _postgresql_flipped(connection: psycopg.Connection) -> int:
    connection.execute(
        "UPDATE partition_07.stored_events SET state = set_byte(state, 200, get_byte(state, 200) # 1) "
        "WHERE originator_id = '07-a' AND originator_version = 6"
    )
    return 6


def _postgresql_renamed(connection: psycopg.Connection) -> int:
    connection.execute("UPDATE partition_07.stored_events SET topic = NULL WHERE originator_version = 3")
    return 3


def _postgresql_swapped(connection: psycopg.Connection) -> int:
    for source, target in ((4, -1), (9, 4), (-1, 9)):
        connection.execute(
            "UPDATE partition_07.stored_events SET originator_version = %s WHERE originator_id = '07-a' "
            "AND originator_version = %s",
            (target, source),
        )
    return 4


def _postgresql_moved(connection: psycopg.Connection) -> int:
    connection.execute(
        "UPDATE partition_07.stored_events SET originator_id = '07-x' WHERE originator_id = '07-a' "
        "AND originator_version = 5"
    )
    return 5


@pytest.mark.parametrize(
    "tamper",
    [_postgresql_deleted, _postgresql_flipped, _postgresql_renamed, _postgresql_swapped, _postgresql_moved],
)
def test_changes_in_postgresql_are_found(tamper: Callable[[psycopg.Connection], int], database_url: str) -> None:
    log, writer = open_log(database_url, "07"), Writer()
    log.append(writer.match("07-a", LENGTH))
    log.append([writer.event("07-b")])
    assert [verify_stream(log, stream) for stream in log.streams()] == [[], []]
    with psycopg.connect(database_url) as connection:
        version = tamper(connection)
    assert verify_stream(log, "07-a")[0].version == version
    assert verify_stream(log, "07-b") == []
    log.close()


def test_what_is_encrypted_is_verified_without_a_key_and_read_only_with_it(tmp_path: Path) -> None:
    key = new_key()
    cipher = cipher_from(key)
    log = open_log(str(tmp_path), "07")
    log.append(Writer(cipher).match("07-a", 9))

    assert verify_stream(log, "07-a") == []
    stored = log.read("07-a")
    assert [unseal(event, cipher).payload[:28] for event in stored] == [b'{"kind":"trix.card_played.v1'] * 9
    for reader in (None, cipher_from(new_key())):
        with pytest.raises(Corrupt, match="key"):
            unseal(stored[0], reader)
    log.close()
    for file in tmp_path.glob("log-07*"):
        assert b'"card"' not in file.read_bytes()


@pytest.mark.parametrize("text", ["", "short", "not base64 at all!", "AAAA"])
def test_a_key_that_is_none_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(Exception, match="16, 24 or 32 bytes") as refused:
        cipher_from(text)
    assert not text or text not in str(refused.value)
