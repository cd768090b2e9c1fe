"""What is particular to a log in SQLite files."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.log import LogFailed, LogUnusable
from events.log.opening import open_log, partitions
from events.log.recorders import RecordedLog
from events.log.verification import verify_stream
from tests.events.streams import Writer, places


@contextlib.contextmanager
def database_at(file: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def test_every_connection_waits_for_the_disk(tmp_path: Path) -> None:
    log = open_log(f"sqlite:{tmp_path}", "07")
    assert isinstance(log, RecordedLog)
    datastore = log._recorder.datastore  # type: ignore[attr-defined]
    with contextlib.ExitStack() as held:
        for commit in (False, False, True):
            cursor = held.enter_context(datastore.transaction(commit=commit))
            for pragma, value in (("synchronous", 2), ("journal_mode", "wal"), ("fullfsync", 1)):
                cursor.execute(f"PRAGMA {pragma}")
                assert cursor.fetchone()[0] == value
    log.close()


def test_partitions_are_files_that_only_their_owner_may_read(tmp_path: Path) -> None:
    for partition in ("lobby", "07", "00"):
        log = open_log(str(tmp_path / "data"), partition)
        log.append(Writer().match(f"{partition}-a", 1))
        log.close()

    assert partitions(str(tmp_path / "data")) == ["00", "07", "lobby"]
    assert (tmp_path / "data" / "shadda.json").read_bytes() == b'{"layout":1}\n'
    assert (tmp_path / "data" / "log-07.sqlite").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    log = open_log(f"sqlite:{tmp_path / 'data'}", "07", create=False)
    assert places(log.tail(0, 9)) == [("07-a", 1)]
    log.close()


def test_positions_outlive_a_vacuum(tmp_path: Path) -> None:
    log = open_log(str(tmp_path), "07")
    log.append(Writer().match("07-a", 5))
    with database_at(tmp_path / "log-07.sqlite") as database:
        database.execute("DELETE FROM stored_events WHERE originator_version = 2")
        database.execute("VACUUM")
    assert [(event.version, event.position) for event in log.tail(0, 9)] == [(1, 1), (3, 3), (4, 4), (5, 5)]
    log.close()


_APPENDS_FOR_EVER = """
import sys
from events.log.opening import open_log
from tests.events.streams import Writer
log, writer = open_log(sys.argv[1], "07"), Writer()
while True:
    log.append([writer.event("07-a"), writer.event("07-b")])
    print(writer.heads["07-a"][0], flush=True)
"""


def test_a_killed_process_leaves_all_that_it_acknowledged(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _APPENDS_FOR_EVER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        acknowledged = [int(process.stdout.readline()) for _ in range(30)]
        process.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in process.stdout.read().split(b"\n")[:-1]]

    log = open_log(str(tmp_path), "07", create=False)
    assert len(log.read("07-a")) == len(log.read("07-b")) >= acknowledged[-1] >= 30
    log.close()


def test_a_writer_waits_for_another_and_then_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.log.sqlite.LOCK_SECONDS", 0.05)
    log, writer = open_log(str(tmp_path), "07"), Writer()
    event = writer.event("07-a")
    with database_at(tmp_path / "log-07.sqlite") as database:
        database.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogFailed, match="locked"):
            log.append([event])
        database.execute("ROLLBACK")
    assert log.append([event]) == [1]
    log.close()


def _refused(where: str, *, create: bool = True, partition: str = "07") -> str:
    with pytest.raises(LogUnusable) as refused:
        open_log(where, partition, create=create)
    text = str(refused.value)
    assert "\n" not in text
    return text


def test_reading_makes_nothing(tmp_path: Path) -> None:
    assert "there is no log" in _refused(str(tmp_path / "none"), create=False)
    assert not (tmp_path / "none").exists()
    open_log(str(tmp_path), "07").close()
    assert "there is no log" in _refused(str(tmp_path), partition="08", create=False)
    assert partitions(str(tmp_path)) == ["07"]
    with pytest.raises(LogUnusable, match="there is no log"):
        partitions(str(tmp_path / "none"))


def test_places_that_are_none_are_refused(tmp_path: Path) -> None:
    assert "sqlite:FOLDER" in _refused("mysql://localhost/shadda")
    assert "sqlite:FOLDER" in _refused("sqlite:")
    assert "name of a partition" in _refused(str(tmp_path), partition="../07")
    (tmp_path / "file").write_text("not a folder")
    assert "cannot be used" in _refused(str(tmp_path / "file"))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b'{"layout":2}', "has layout 2; this version of Shadda reads layout 1"),
        (b"", "does not name a layout"),
        (b"\xff\x00", "does not name a layout"),
    ],
)
def test_a_folder_of_another_layout_is_refused(content: bytes, text: str, tmp_path: Path) -> None:
    (tmp_path / "shadda.json").write_bytes(content)
    assert text in _refused(str(tmp_path))
    assert text in _refused(str(tmp_path), create=False)
    assert list(tmp_path.iterdir()) == [tmp_path / "shadda.json"]


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    open_log(str(tmp_path), "00").close()
    (tmp_path / "log-07.sqlite").write_bytes(b"this is no database, but it is long enough to be one" * 100)
    assert "not a database" in _refused(str(tmp_path))
    with database_at(tmp_path / "log-08.sqlite") as database:
        database.execute("CREATE TABLE hands (card TEXT)")
    assert "is not a log of Shadda" in _refused(str(tmp_path), partition="08")
    (tmp_path / "log-09.sqlite").mkdir()
    assert "there is no log" in _refused(str(tmp_path), partition="09")


def test_a_broken_page_is_one_clear_failure(tmp_path: Path) -> None:
    log = open_log(str(tmp_path), "07")
    log.append(Writer().match("07-a", 500))
    log.close()
    file = tmp_path / "log-07.sqlite"
    content = bytearray(file.read_bytes())
    page = content.index(b'"version":250,') // 4096
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    file.write_bytes(content)

    log = open_log(str(tmp_path), "07")
    with pytest.raises(LogFailed, match="malformed") as failed:
        log.read("07-a")
    assert "\n" not in str(failed.value)
    assert "malformed" in verify_stream(log, "07-a")[-1].what
    log.close()

    file.write_bytes(bytes(content[: 4096 * 5]))
    assert "malformed" in _refused(str(tmp_path))


def test_a_missing_permission_is_one_clear_line(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    open_log(str(folder), "07").close()
    (folder / "log-07.sqlite").chmod(0o000)
    folder.chmod(0o555)
    tmp_path.chmod(0o755)
    parents = [parent for parent in tmp_path.parents if parent.stat().st_uid == os.getuid() and parent.parts[1:]]
    modes = {parent: parent.stat().st_mode for parent in parents}
    for parent in parents:
        parent.chmod(parent.stat().st_mode | 0o055)
    root = os.geteuid() == 0
    try:
        if root:
            os.seteuid(65534)  # root may do everything
        assert "permission denied" in _refused(str(folder), create=False).lower()
        assert "permission denied" in _refused(str(folder), partition="08").lower()
        assert "permission denied" in _refused(str(folder / "deeper")).lower()
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        for parent, mode in modes.items():
            parent.chmod(mode)
