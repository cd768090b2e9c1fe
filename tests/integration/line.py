"""A player's line to the gateway that keeps every frame as it came, and a player who answers over it."""

import asyncio
import contextlib
import itertools
from typing import Any, Self

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from domain.game import AnyGame
from domain.games import GAMES
from domain.shuffle import SEED_BYTES, SeededRandomness

SECONDS = 30.0
Frame = dict[str, Any]


async def sign_in(url: str, token: str) -> str:
    """Return a session's token for an operator's token."""
    async with httpx.AsyncClient(timeout=SECONDS) as client:
        answer = await client.post(f"{url}/v1/session", json={"token": token})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["token"])


class Line:
    """One WebSocket. Whatever comes is kept in ``frames``, raw and in order; answers are also given to who asked."""

    def __init__(self, connection: ClientConnection) -> None:
        """Take a connection; its frames are read until it closes."""
        self.connection = connection
        self.frames: list[bytes] = []
        self.pushed: asyncio.Queue[Frame] = asyncio.Queue()  # frames of tables
        self.rooms: dict[str, Frame] = {}
        self.closed: tuple[int, str] | None = None
        self._changed = asyncio.Event()
        self._ids = itertools.count(1)
        self._answers: dict[str | None, asyncio.Queue[Frame]] = {}
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, url: str, session: str | None) -> Self:
        """Connect to the gateway and, given a session, say hello."""
        address = url.replace("http", "ws", 1) + "/play"
        line = cls(await connect(address, max_size=2**24, compression=None, ping_interval=None))
        if session is not None:
            answer = await line.ask("hello", id="hello", token=session)
            assert answer["ok"], answer
        return line

    async def _read(self) -> None:
        try:
            async for message in self.connection:
                raw = message.encode() if isinstance(message, str) else message
                self.frames.append(raw)
                self._take(msgspec.json.decode(raw))
        except ConnectionClosed:
            pass
        code = self.connection.close_code
        self.closed = (0 if code is None else code, self.connection.close_reason or "")
        self._changed.set()

    def _take(self, frame: Frame) -> None:
        if "re" in frame:
            self._answers.setdefault(frame["re"], asyncio.Queue()).put_nowait(frame)
        elif "room" in frame:
            self.rooms[frame["room"]["room"]] = frame["room"]
        else:
            self.pushed.put_nowait(frame)
        self._changed.set()

    async def send(self, frame: Frame | str | bytes) -> None:
        """Send a frame, or anything else."""
        await self.connection.send(msgspec.json.encode(frame).decode() if isinstance(frame, dict) else frame)

    async def answer(self, re: str | None) -> Frame:
        """Return the next answer to a frame with this id."""
        async with asyncio.timeout(SECONDS):
            return await self._answers.setdefault(re, asyncio.Queue()).get()

    async def ask(self, do: str, **fields: Any) -> Frame:
        """Send a frame, under a new id unless one is given, and return its answer."""
        frame = {"id": fields.pop("id", f"c-{next(self._ids)}"), "do": do, **fields}
        await self.send(frame)
        return await self.answer(frame["id"])

    async def room(self, room: str, *phases: str) -> Frame:
        """Wait until a room is in one of the phases, or its start was refused; return it."""
        async with asyncio.timeout(SECONDS):
            while True:
                seen = self.rooms.get(room)
                if seen is not None and (seen["phase"] in phases or seen["refused"]):
                    return seen
                assert self.closed is None, self.closed
                self._changed.clear()
                await self._changed.wait()

    async def until_closed(self) -> tuple[int, str]:
        """Wait until the other side has closed the line; return code and reason."""
        async with asyncio.timeout(SECONDS):
            await asyncio.shield(self._reading)
        assert self.closed is not None
        return self.closed

    async def drop(self) -> None:
        """Break the line, as a network would."""
        self.connection.transport.abort()
        await self._done()

    async def close(self) -> None:
        """Close the line in good order."""
        await self.connection.close()
        await self._done()

    async def _done(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self._reading


class Player:
    """Somebody at a table who answers every view in which something is asked of him, as the game's bot would."""

    def __init__(self, name: str, line: Line, game: str, seed: int = 0) -> None:
        """Take his line; the seed fixes his choices."""
        self.name = name
        self.line = line
        self.view: Frame = {}  # the newest
        self.version = 0
        self.table = ""
        self.accepted: list[str] = []  # ids of commands
        self.refused: list[str] = []  # codes
        self._game: AnyGame = GAMES[game]
        self._decode = msgspec.json.Decoder(self._game.view_type).decode
        self._seed = seed
        self._whole = False

    def choice(self) -> Frame:
        """Return the command that the game's bot gives in the present view."""
        seen = self._decode(msgspec.json.encode(self.view["play"]))
        chance = SeededRandomness(self._seed.to_bytes(8, "big") * (SEED_BYTES // 8))
        command: Frame = msgspec.to_builtins(self._game.bot(seen, chance))
        return command

    @property
    def asked(self) -> bool:
        return bool(self._whole and self.view["end"] is None and self.view["play"].get("legal"))

    async def look(self) -> Frame:
        """Wait for the next news of the table, take all there is, and return the view."""
        async with asyncio.timeout(SECONDS):
            self._take(await self.line.pushed.get())
        while not self.line.pushed.empty():
            self._take(self.line.pushed.get_nowait())
        return self.view

    def _take(self, frame: Frame) -> None:
        self.table, self.version = frame["table"], frame["version"]
        self.view = frame.get("view", self.view)
        self._whole = "view" in frame  # the last event of a step has the view after it

    async def look_again(self) -> None:
        """Have oneself shown the whole table as it stands."""
        answer = await self.line.ask("resume", table=self.table)
        assert answer["ok"], answer
        await self.line.ask("balance")  # what was pushed before this answer is there
        while not self.line.pushed.empty():
            self._take(self.line.pushed.get_nowait())

    async def answer(self) -> Frame:
        """Send the choice of the moment; return what the table says."""
        command = self.choice()
        do = command.pop("do")
        answer = await self.line.ask(do, id=f"{self.name}-{self.version}", table=self.table, **command)
        if answer.get("ok"):
            self.accepted.append(str(answer["re"]))
        else:
            self.refused.append(str(answer["refused"]))
        return answer

    async def play(self, until: int = 10**9) -> Frame:
        """Play until the match is over, or one has been shown so many events; return the last view."""
        while self.version < until:
            if self.asked and self.line.pushed.empty():
                await self.answer()
            await self.look()
            if self.view["end"] is not None:
                break
        return self.view
