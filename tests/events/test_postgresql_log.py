"""What is particular to a log in PostgreSQL."""

import threading

import psycopg
import pytest

from events.envelope import Stored
from events.log import LogFailed, LogUnusable, VersionConflict
from events.log.opening import open_log, partitions
from events.log.postgresql import _Recorder
from events.log.recorders import RecordedLog
from tests.events.streams import Writer, places


def _execute(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def test_a_partition_is_a_schema(database_url: str) -> None:
    for partition in ("lobby", "07"):
        log = open_log(database_url, partition)
        log.append(Writer().match("a", 2))
        log.close()

    assert partitions(database_url) == ["07", "lobby"]
    log = open_log(database_url, "07", create=False)
    assert places(log.tail(0, 9)) == [("a", 1), ("a", 2)]
    log.close()


def test_the_tail_never_shows_a_position_before_a_lower_one(database_url: str) -> None:
    """An insert without the table's lock would be seen while one with a lower position is not yet committed."""
    log, slow, quick = open_log(database_url, "07"), Writer(), Writer()
    event = slow.event("07-slow")
    waiting = threading.Thread(target=lambda: log.append([quick.event("07-quick")]))
    with psycopg.connect(database_url) as connection:
        connection.execute("LOCK TABLE partition_07.stored_events IN EXCLUSIVE MODE")
        connection.execute(
            "INSERT INTO partition_07.stored_events VALUES (%s, %s, %s, %s)",
            (event.stream, event.version, event.kind, event.record),
        )
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive(), "the second insert must wait for the first"
        assert log.tail(0, 9) == []
        connection.commit()
    waiting.join()
    assert places(log.tail(0, 9)) == [("07-slow", 1), ("07-quick", 1)]
    log.close()


def test_inserts_by_database_function_are_off(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTGRES_ENABLE_DB_FUNCTIONS", "yes")
    log = open_log(database_url, "07")
    assert isinstance(log, RecordedLog)
    recorder = log._recorder
    assert isinstance(recorder, _Recorder)
    assert not recorder.datastore.enable_db_functions
    recorder.datastore.enable_db_functions = True
    with pytest.raises(AssertionError, match="skip events"):
        _Recorder(recorder.datastore)
    recorder.datastore.enable_db_functions = False
    log.close()
    with psycopg.connect(database_url) as connection:
        functions = connection.execute("SELECT proname FROM pg_proc WHERE pronamespace = 'partition_07'::regnamespace")
        assert functions.fetchall() == []


def test_a_refused_append_leaves_a_harmless_gap(database_url: str) -> None:
    log, writer, late = open_log(database_url, "07"), Writer(), Writer()
    log.append([writer.event("07-a"), writer.event("07-a")])
    late.event("07-a")
    with pytest.raises(VersionConflict, match="duplicate"):
        log.append([late.event("07-a")])
    assert log.append([writer.event("07-a")]) == [4]
    assert [event.position for event in log.tail(0, 9)] == [1, 2, 4]
    log.close()


def test_a_lost_connection_is_replaced(database_url: str) -> None:
    log, writer = open_log(database_url, "07"), Writer()
    log.append([writer.event("07-a")])
    _execute(
        database_url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    log.append([writer.event("07-a")])
    assert places(log.tail(0, 9)) == [("07-a", 1), ("07-a", 2)]
    log.close()


def test_an_append_of_many_megabytes_does_not_hang(database_url: str) -> None:
    log, writer = open_log(database_url, "07"), Writer()
    payload = b'{"kind":"trix.card_played.v1","text":"%b"}' % (b"x" * 100_000)
    log.append([writer.event("07-a", payload=payload) for _ in range(80)], tracked=("lobby", 1))
    assert len(log.read("07-a")) == 80
    log.close()


def test_a_failure_on_the_way_leaves_neither_events_nor_position(database_url: str) -> None:
    log, writer = open_log(database_url, "07"), Writer()
    log.append([writer.event("07-a")])
    with pytest.raises(LogFailed, match="out of range"):
        log.append([writer.event("07-a"), Stored("07-b", 2**63, "k.v1", b"{}")], tracked=("lobby", 1))
    assert (log.end(), log.tracked("lobby")) == (1, 0)
    log.close()


def test_a_server_that_does_not_wait_for_the_disk_is_refused(database_url: str) -> None:
    hasty = f"{database_url}&options=-c%20synchronous_commit%3Doff"
    with pytest.raises(LogUnusable, match="synchronous_commit off"):
        open_log(hasty, "07")
    assert partitions(database_url) == []


def test_reading_makes_nothing(database_url: str) -> None:
    with pytest.raises(LogUnusable, match="there is no log of partition 07"):
        open_log(database_url, "07", create=False)
    assert partitions(database_url) == []


def test_another_layout_is_refused(database_url: str) -> None:
    open_log(database_url, "07").close()
    _execute(database_url, "UPDATE partition_07.layout SET version = 2")
    with pytest.raises(LogUnusable, match="has layout 2; this version of Shadda reads 1"):
        open_log(database_url, "07")


def test_a_layout_that_was_cut_short_is_completed(database_url: str) -> None:
    open_log(database_url, "07").close()
    _execute(database_url, "DROP TABLE partition_07.layout", "DROP TABLE partition_07.open_streams")
    assert partitions(database_url) == []
    log = open_log(database_url, "07")
    log.append([Writer().event("07-a")])
    assert log.open_streams() == ["07-a"]
    log.close()


def test_a_server_that_cannot_be_reached_is_one_clear_line_without_the_password() -> None:
    with pytest.raises(LogUnusable, match="cannot be reached") as refused:
        open_log("postgresql://shadda:s3cret@127.0.0.1:1/shadda", "07")
    assert "\n" not in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_a_writer_needs_no_right_to_change_or_delete_events(database_url: str, postgresql_url: str) -> None:
    open_log(database_url, "07").close()
    role = "writer"
    _execute(
        database_url,
        f"CREATE ROLE {role} LOGIN",
        f"GRANT USAGE ON SCHEMA partition_07 TO {role}",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA partition_07 TO {role}",
        f"GRANT INSERT, MAINTAIN ON partition_07.stored_events TO {role}",
        f"GRANT INSERT, UPDATE ON partition_07.notification_tracking TO {role}",
        f"GRANT INSERT, DELETE ON partition_07.open_streams TO {role}",
        f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA partition_07 TO {role}",
    )
    try:
        log = open_log(database_url.replace("://postgres:", f"://{role}:"), "07")
        writer = Writer()
        log.append(writer.match("07-a", 3), tracked=("lobby", 3))
        log.append([writer.event("07-b")], tracked=("lobby", 4))
        assert (log.open_streams(), log.streams(), log.tracked("lobby")) == (["07-b"], ["07-a", "07-b"], 4)
        with pytest.raises(LogUnusable, match="permission denied"):
            open_log(database_url.replace("://postgres:", f"://{role}:"), "08")
        log.close()
    finally:
        _execute(database_url, f"DROP OWNED BY {role}")
        _execute(postgresql_url, f"DROP ROLE {role}")
