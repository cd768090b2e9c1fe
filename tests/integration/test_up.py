"""``shadda up`` where it cannot start says why in one line; and when it is stopped, nothing of it is left."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from events.log.opening import new_key
from tests.integration.running import Group, Up
from tests.integration.tables import fund

pytestmark = pytest.mark.xdist_group("up")


def write(folder: Path, name: str, content: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def newer_layout(folder: Path) -> None:
    write(folder, "shadda.json", b'{"layout": 2}')


def no_layout(folder: Path) -> None:
    write(folder, "shadda.json", b"{")


def broken_ledger(folder: Path) -> None:
    write(folder, "log-scoring.sqlite", b"\x00garbage" * 1000)


def broken_table(folder: Path) -> None:
    write(folder, "log-05.sqlite", b"\x00garbage" * 1000)


def cut_off_table(folder: Path) -> None:
    """The beginning of a good SQLite file."""
    write(folder, "log-05.sqlite", b"SQLite format 3\x00" + b"\x10\x00\x02\x02\x00\x40\x20\x20" + b"\x00" * 500)


def broken_secrets(folder: Path) -> None:
    write(folder, "secrets.json", b'{"session_key":')


def file_in_place_of_the_folder(folder: Path) -> None:
    write(folder.parent, folder.name, b"")


def file_above_the_folder(folder: Path) -> None:
    write(folder.parent.parent, folder.parent.name, b"")


def file_in_place_of_the_bus(folder: Path) -> None:
    write(folder, "nats", b"")


def folder_in_place_of_the_lock(folder: Path) -> None:
    (folder / "lock").mkdir(parents=True)


FOLDERS: dict[Callable[[Path], None], str] = {
    newer_layout: "{folder} has layout 2; this version of Shadda reads layout 1",
    no_layout: "{folder}/shadda.json cannot be read: it does not name a layout",
    broken_ledger: "{folder}/log-scoring.sqlite cannot be read: file is not a database",
    broken_table: "{folder}/log-05.sqlite cannot be read: file is not a database",
    cut_off_table: "{folder}/log-05.sqlite cannot be read: ",
    broken_secrets: "{folder}/secrets.json cannot be read: ",
    file_in_place_of_the_folder: "{folder} cannot be used: File exists",
    file_above_the_folder: "{folder} cannot be used: Not a directory",
    file_in_place_of_the_bus: "{folder}/nats/ports cannot be used: Not a directory",
    folder_in_place_of_the_lock: "{folder} cannot be used: Is a directory",
}


def assert_refused(folder: Path, expected: str, port: int = 0, **settings: Any) -> None:
    """Check that ``up`` ends at once with status 2 and one line that begins as expected, and leaves nothing behind."""
    logs = folder.parent.parent / f"printed-{folder.name}"
    with Group(logs, "up", "--data", str(folder), "--port", str(port), **settings) as group:
        assert group.wait() == 2
        group.until_gone()
        (line,) = group.err.splitlines()
        assert line.startswith(f"shadda: {expected}")
        assert group.out == ""


@pytest.mark.parametrize("make", FOLDERS, ids=lambda make: make.__name__)
def test_a_folder_that_cannot_be_used(tmp_path: Path, make: Callable[[Path], None]) -> None:
    folder = tmp_path / "above" / "data"
    make(folder)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert_refused(folder, FOLDERS[make].format(folder=folder))
    assert all(path.read_bytes() == content for path, content in before.items())


def test_a_folder_that_the_system_does_not_let_anybody_make(tmp_path: Path) -> None:
    with Group(tmp_path / "printed", "up", "--data", "/proc/shadda", "--port", "0") as group:
        assert group.wait() == 2
        assert group.err == "shadda: /proc/shadda cannot be used: No such file or directory\n"


def test_a_port_in_use_and_settings_that_are_none(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "data"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert_refused(folder, f"port {port} of 127.0.0.1 cannot be used: Address already in use", port=port)
    for settings, expected in (
        ({"log": "postgresql://127.0.0.1:1/none"}, "the PostgreSQL server cannot be reached: "),
        ({"log_key": "c2hvcnQ="}, "the log's key is not 16, 24 or 32 bytes in base64"),
        ({"seed": "01"}, "SHADDA_SEED is for private backends only"),
        ({"seed": "xyz", "private": True}, "SHADDA_SEED: "),
        ({"session_key": "short"}, "SHADDA_SESSION_KEY: "),
        ({"log": "mysql://127.0.0.1/none"}, "SHADDA_LOG is a folder or postgresql://"),
        ({"share": "1/2"}, "SHADDA_SHARE is for separate services"),
        ({"share": "2/1"}, "SHADDA_SHARE: "),
        ({"share": "3/2"}, "SHADDA_SHARE: "),
        ({"share": "9/9", "partitions": 8}, "SHADDA_SHARE: "),
        ({"token_key": "short"}, "SHADDA_TOKEN_KEY: a secret has at least 32 bytes"),
        ({"token_key": "-----BEGIN PUBLIC KEY-----"}, "SHADDA_TOKEN_KEY: this is no Ed25519 key in PEM"),
        ({"host": "256.0.0.1"}, "port 0 of 256.0.0.1 cannot be used: "),
    ):
        assert_refused(folder, expected, **settings)


def test_play_that_is_terminated_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with Group(tmp_path / "printed", "play", "--game", "trix", "--matches", "50") as group:
        until = time.monotonic() + 30
        while not list(temporary.glob("shadda-*/log-lobby.sqlite")):
            assert time.monotonic() < until
            time.sleep(0.01)
        group.process.terminate()
        assert group.wait() == 128 + signal.SIGTERM
        group.until_gone()
    assert list(temporary.iterdir()) == []
    assert group.err == ""


def test_an_encrypted_folder_without_its_key(tmp_path: Path) -> None:
    folder, key = tmp_path / "data", new_key()
    with Up(folder, log_key=key) as up:
        asyncio.run(fund(up, ["amal"], 5))
        assert up.stop() == 0
    for wrong, what in (("", "is encrypted and no key is set"), (new_key(), "cannot be decrypted with this key")):
        with Group(tmp_path / "printed", "up", "--data", str(folder), "--port", "0", log_key=wrong) as group:
            assert group.wait() == 2
            ledger, _end = group.err.splitlines()
            assert ledger.startswith("shadda: ledger version 1: ")
            assert what in ledger


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with Up(tmp_path_factory.mktemp("up") / "data") as up:
        yield up


def test_a_folder_in_use_by_another(running: Up, tmp_path: Path) -> None:
    with Group(tmp_path / "printed", "up", "--data", str(running.folder), "--port", "0") as group:
        assert group.wait() == 2
        assert group.err == f"shadda: {running.folder} is in use by another shadda\n"
    assert running.process.poll() is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_every_process(running: Up, number: signal.Signals) -> None:
    if running.process.poll() is not None:  # the signal before has stopped it
        running.again()
    members = running.members()
    assert len(members) == 7  # shadda up, nats-server and five services
    for name in ("nats-server", *(f"run {service}" for service in ("scoring", "table", "lobby", "bots", "gateway"))):
        assert [command for command in members.values() if name in command], name
    if number is signal.SIGINT:
        os.killpg(running.process.pid, number)  # as a terminal's Ctrl-C reaches all of them
    else:
        running.process.send_signal(number)
    assert running.wait() == 0
    running.until_gone()
    assert not [pid for pid in members if Path(f"/proc/{pid}/exe").exists()]
    assert running.err == ""
    assert running.out.endswith("stopping\n")


def test_when_one_process_dies_all_are_stopped_and_it_is_said(running: Up) -> None:
    if running.process.poll() is None:  # the tests before it may have run elsewhere
        running.stop()
    running.again()
    (table,) = (pid for pid, command in running.members().items() if "run table" in command)
    os.kill(table, signal.SIGKILL)
    assert running.wait() == 1
    running.until_gone()
    assert running.err == "shadda: table ended with status -9; everything is stopped\n"
    running.again()
    os.kill(running.process.pid, signal.SIGKILL)  # its children do not outlive it
    running.until_gone()
