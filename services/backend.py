"""A whole backend on one machine: NATS, every service, one data folder."""

import contextlib
import fcntl
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from events.log.opening import cipher_from, open_log
from services.processes import Processes
from services.settings import Settings

RUNNING: Final = "running.json"
ORDER: Final = ("scoring", "table", "lobby", "bots", "gateway")  # each finds those before it


class Unusable(Exception):
    """The backend cannot start here; says why in one line."""


class Secrets(msgspec.Struct, frozen=True):
    """What a data folder keeps for itself: signing keys, made on its first use."""

    session_key: str
    token_key: str


class Running(msgspec.Struct, frozen=True):
    """What a data folder says of the backend that runs in it, for its owner's other commands."""

    url: str
    nats_url: str
    pid: int
    token_key: str


def running_in(folder: Path) -> Running:
    """Return the backend that runs in a folder; raise FileNotFoundError with one clear line if none does."""
    try:
        return msgspec.json.decode((folder / RUNNING).read_bytes(), type=Running)
    except (OSError, msgspec.MsgspecError) as fault:
        raise FileNotFoundError(f"no backend runs in {folder}") from fault


def token_key_of(folder: Path) -> str:
    """Return the key of a data folder's tokens, whether its backend runs or not.

    Raises FileNotFoundError with one clear line if no backend has ever run there.
    """
    try:
        return running_in(folder).token_key
    except FileNotFoundError as fault:
        try:
            return msgspec.json.decode((folder / "secrets.json").read_bytes(), type=Secrets).token_key
        except (OSError, msgspec.MsgspecError):
            raise FileNotFoundError(f"no backend has run in {folder}") from fault


class Backend:
    """A running backend."""

    def __init__(self, processes: Processes, settings: Settings, secrets_: Secrets) -> None:
        """Take what has been started."""
        self.processes = processes
        self.settings = settings
        self.secrets = secrets_

    @property
    def url(self) -> str:
        """Return the gateway's address."""
        return f"http://{self.settings.host}:{self.settings.port}"


@asynccontextmanager
async def backend(
    folder: Path, settings: Settings, told: Callable[[str], None] = lambda _line: None
) -> AsyncIterator[Backend]:
    """Run a backend over a data folder; ``told`` gets a line for each part as it is ready.

    Raises :class:`Unusable`, :class:`events.log.port.LogUnusable` or ``NotStarted``, each with one clear line.
    """
    if settings.share != Settings().share:
        raise Unusable("SHADDA_SHARE is for separate services: here one runs every partition")
    if "://" in settings.log and not settings.log.startswith("postgres"):
        raise Unusable("SHADDA_LOG is a folder or postgresql://…")
    with locked(folder):
        where = settings.log if settings.log.startswith("postgres") else str(folder)
        _check_logs(where, settings)
        kept = _secrets(folder)
        port = _port(settings.host, settings.port)
        processes = Processes()
        try:
            url = await processes.nats(folder / "nats")
            told(f"nats: {url}")
            settings = replace(
                settings,
                nats_url=url,
                log=where,
                port=port,
                session_key=settings.session_key or kept.session_key,
                token_key=settings.token_key or kept.token_key,
            )
            for name in ORDER:
                told(await processes.service(name, settings))
            running = Backend(processes, settings, kept)
            told_of = Running(running.url, url, os.getpid(), settings.token_key)
            _write(folder / RUNNING, msgspec.json.encode(told_of))
            yield running
        finally:
            (folder / RUNNING).unlink(missing_ok=True)
            await processes.stop()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a data folder for this process alone; it is let go however the process ends."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        raise Unusable(f"{folder} cannot be used: {fault.strerror}") from fault
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            raise Unusable(f"{folder} is in use by another shadda") from fault
        yield
    finally:
        os.close(lock)


def _secrets(folder: Path) -> Secrets:
    file = folder / "secrets.json"
    try:
        return msgspec.json.decode(file.read_bytes(), type=Secrets)
    except FileNotFoundError:
        made = Secrets(session_key=secrets.token_hex(32), token_key=secrets.token_hex(32))
        _write(file, msgspec.json.encode(made))
        return made
    except (OSError, msgspec.MsgspecError) as fault:
        raise Unusable(f"{file} cannot be read: {fault}") from fault


def _write(file: Path, content: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    part = file.with_name(f"{file.name}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as new:
        new.write(content)
        new.flush()
        os.fsync(new.fileno())
    part.replace(file)


def _check_logs(where: str, settings: Settings) -> None:
    """Refuse logs that cannot be used before anything starts."""
    if settings.log_key:
        cipher_from(settings.log_key)
    for name in ("scoring", "lobby", *settings.partition_names):
        open_log(where, name).close()


def _port(host: str, port: int) -> int:
    """Return a port that can be listened on: the one given, or for 0 any that is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            raise Unusable(f"port {port} of {host} cannot be used: {fault.strerror}") from fault
        return int(probe.getsockname()[1])
