"""A client of the gateway: sign in, ask, take what is pushed, and come back after a lost line with the same ids."""

import asyncio
import contextlib
import itertools
from collections.abc import Callable
from typing import Any, Final

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

ANSWER_SECONDS: Final = 30.0
CONNECT_SECONDS: Final = 30.0
_decode: Final = msgspec.json.Decoder().decode
_encode: Final = msgspec.json.Encoder().encode


class Refused(Exception):
    """The gateway refused a frame; ``code`` says why."""

    def __init__(self, code: str, text: str = "") -> None:
        """Keep the code."""
        super().__init__(f"{code}: {text}" if text else code)
        self.code = code


class Unreachable(Exception):
    """No gateway answers; one line says where and why."""


async def sign_in(url: str, token: str | None) -> str:
    """Return a session token for an operator's signed token, or as a guest; raise :class:`Refused`."""
    body: dict[str, Any] = {"guest": True} if token is None else {"token": token}
    async with httpx.AsyncClient(timeout=ANSWER_SECONDS) as client:
        try:
            answer = await client.post(f"{url}/v1/session", json=body)
        except httpx.HTTPError as fault:
            raise Unreachable(f"no gateway answers at {url}: {fault}") from fault
    if answer.is_error:
        raise Refused(f"HTTP {answer.status_code}", answer.text[:200])
    return str(answer.json()["token"])


class Client:
    """One player's line to the gateway. What is pushed is put into ``pushed``, in order."""

    def __init__(self, url: str, session: str, name: str) -> None:
        """Take the gateway's address (``http://…``), the session token, and a name for command ids."""
        self._address = url.replace("http", "ws", 1) + "/play"
        self._session = session
        self.name = name
        self._ids = itertools.count(1)
        self._line: ClientConnection | None = None
        self._waiting: dict[str, tuple[bytes, asyncio.Future[dict[str, Any]]]] = {}
        self._running: asyncio.Task[None] | None = None
        self._up = asyncio.Event()
        self.pushed: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.versions: dict[str, int] = {}  # the last version seen of each table
        self.rooms: dict[str, dict[str, Any]] = {}  # every room as it was last shown
        self._changed = asyncio.Event()

    async def start(self) -> None:
        """Connect and sign in; the line is kept up until :meth:`stop`."""
        self._running = asyncio.create_task(self._run())
        async with asyncio.timeout(CONNECT_SECONDS):
            up = asyncio.create_task(self._up.wait())
            done, _ = await asyncio.wait({up, self._running}, return_when=asyncio.FIRST_COMPLETED)
            if self._running in done:
                up.cancel()
                self._running.result()

    async def stop(self) -> None:
        """Close the line."""
        if self._running is not None:
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send a frame and return its answer; raise :class:`Refused`. It is sent again after a lost line."""
        name = f"{self.name}-{next(self._ids)}"
        frame = _encode({"id": name, "do": do, **fields})
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[name] = (frame, answered)
        if self._line is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._line.send(frame.decode())
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await answered
        except TimeoutError as fault:
            raise Unreachable(f"{do} was not answered in {ANSWER_SECONDS:.0f} s") from fault
        finally:
            self._waiting.pop(name, None)
        if not answer.get("ok"):
            raise Refused(answer.get("refused", "?"), answer.get("text", ""))
        return answer

    async def room_until(self, room: str, so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until a room is as wanted; return it."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while True:
                seen = self.rooms.get(room)
                if seen is not None and so(seen):
                    return seen
                self._changed.clear()
                await self._changed.wait()

    async def moved_on(self, table: str, version: int) -> bool:
        """Say whether a table has gone on from a version, now or in a moment: then an answer to it came too late."""
        for _ in range(50):
            if self.versions.get(table, version) != version:
                return True
            await asyncio.sleep(0.02)
        return False

    async def drop(self) -> None:
        """Break the line, as a network would; it comes back by itself."""
        if self._line is not None:
            self._line.transport.abort()

    async def _run(self) -> None:
        pause = 0.05
        while True:
            try:
                async with connect(self._address, max_size=2**22, compression=None, open_timeout=5) as line:
                    await line.send(_encode({"id": "hello", "do": "hello", "token": self._session}).decode())
                    answer = _decode(await line.recv())
                    if not answer.get("ok"):
                        raise Refused(answer.get("refused", "?"), answer.get("text", ""))
                    self._line = line
                    self._up.set()
                    pause = 0.05
                    for frame, _ in list(self._waiting.values()):
                        await line.send(frame.decode())
                    for table, version in self.versions.items():
                        await line.send(_encode({"id": f"resume-{table}", "do": "resume", "table": table,
                                                 "version": version}).decode())  # fmt: skip
                    async for message in line:
                        self._take(_decode(message))
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass
            finally:
                self._line = None
            await asyncio.sleep(pause)
            pause = min(pause * 2, 1.0)

    def _take(self, frame: dict[str, Any]) -> None:
        if "re" in frame:
            waiting = self._waiting.get(str(frame["re"]))
            if waiting is not None and not waiting[1].done():
                waiting[1].set_result(frame)
            return
        if "room" in frame:
            self.rooms[frame["room"]["room"]] = frame["room"]
            self._changed.set()
            return
        if "table" in frame:
            self.versions[frame["table"]] = frame["version"]
        self.pushed.put_nowait(frame)
