"""A whole backend as its operator runs it: ``shadda up`` in a process group of its own, to be stopped or killed."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import msgspec

from services.backend import Secrets
from services.settings import Settings, to_environment
from services.tokens import Identity, make_token

START_SECONDS = 60.0
STOP_SECONDS = 30.0
SHADDA = [sys.executable, "-m", "services.cli"]

READY = re.compile(r"READY (\w+)")  # of one service
_URL = re.compile(r"Shadda is at (http://\S+)")
_NATS = re.compile(r"nats: (nats://\S+)")


class Group:
    """A ``shadda`` command in a process group of its own; what it prints goes to files in ``logs``."""

    def __init__(self, logs: Path, *arguments: str, **settings: Any) -> None:
        """Start it. ``settings`` are those of :class:`services.settings.Settings` to set in its environment."""
        logs.mkdir(parents=True, exist_ok=True)
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("SHADDA_")}
        self._command = [*SHADDA, *arguments]
        self._environment = inherited | to_environment(Settings(**settings))
        self._out, self._err = logs / "out", logs / "err"
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._out.open("w") as out, self._err.open("w") as err:
            return subprocess.Popen(
                self._command, env=self._environment, stdout=out, stderr=err, start_new_session=True
            )

    def again(self) -> None:
        """Start the same command once more; what it printed before is gone."""
        assert self.process.poll() is not None, "it runs"
        self.process = self._start()

    @property
    def out(self) -> str:
        return self._out.read_text()

    @property
    def err(self) -> str:
        return self._err.read_text()

    def said(self, pattern: re.Pattern[str], seconds: float = START_SECONDS) -> str:
        """Wait until the command has printed something; return the pattern's first group."""
        until = time.monotonic() + seconds
        while True:
            over = self.process.poll() is not None
            if (found := pattern.search(self.out)) is not None:
                return found[1]
            assert not over, f"it ended with status {self.process.returncode}: {self.out}{self.err}"
            assert time.monotonic() < until, f"it does not say so: {self.out}{self.err}"
            time.sleep(0.01)

    def members(self) -> dict[int, str]:
        """Return the living processes of the group: their command lines by id."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    state, _, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
                    if int(group) == self.process.pid and state != "Z":
                        found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """Wait until the command has ended; return its status."""
        return self.process.wait(seconds)

    def until_gone(self, seconds: float = STOP_SECONDS) -> None:
        """Wait until no process of the group is left."""
        until = time.monotonic() + seconds
        while left := self.members():
            assert time.monotonic() < until, f"left behind: {left}"
            time.sleep(0.01)

    def stop(self) -> int:
        """Stop it as Ctrl-C does; return its status once nothing of it is left."""
        self.process.send_signal(signal.SIGINT)
        status = self.wait()
        self.until_gone()
        return status

    def kill(self) -> None:
        """Kill -9 every process of the group at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(STOP_SECONDS)
        self.until_gone()

    def __enter__(self) -> Self:
        """Return the group itself."""
        return self

    def __exit__(self, *_fault: object) -> None:
        """Kill what is left of it."""
        self.kill()


class Up(Group):
    """``shadda up`` over a data folder."""

    def __init__(self, folder: Path, *, port: int = 0, **settings: Any) -> None:
        """Start it, and return once it says where it is."""
        self.folder = folder
        self.where = settings.get("log", str(folder))  # of the logs
        defaults: dict[str, Any] = {"private": True, "frames_per_second": 0, "bot_delay": 0.0, "log_level": "error"}
        logs = folder.with_name(f"{folder.name}-printed")
        super().__init__(logs, "up", "--data", str(folder), "--port", str(port), **(defaults | settings))
        self._find()

    def again(self) -> None:
        """Start it once more."""
        super().again()
        self._find()

    def _find(self) -> None:
        """Read where it is, and the key of its tokens."""
        try:
            self.url = self.said(_URL)
            self.nats_url = self.said(_NATS)
        except BaseException:
            self.kill()
            raise
        self.token_key = msgspec.json.decode((self.folder / "secrets.json").read_bytes(), type=Secrets).token_key

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @staticmethod
    def free_port() -> int:
        """Return a port that nobody uses."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])

    def token(self, player: str, *roles: str, seconds: int = 3600) -> str:
        """Return an operator's token for a player."""
        return make_token(Identity(player, roles or ("player",)), seconds=seconds, key=self.token_key)
