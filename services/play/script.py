"""A scripted player: answers every view of his seat in which something is asked of him, as the game's bot would."""

import asyncio
import os
from typing import Any, Final

import msgspec

from domain.games import GAMES
from domain.shuffle import SEED_BYTES, SeededRandomness, of_choice
from services.play.client import Client, Refused

PAUSE_SECONDS: Final = 0.6  # between moves at human speed


class Scripted:
    """One player at one table after another."""

    def __init__(self, client: Client, player: str, *, game: str, seed: bytes, human: bool) -> None:
        """Take the player's line; the seed fixes his choices, empty for fresh ones."""
        self.client = client
        self.player = player
        self._game = GAMES[game]
        self._decode = msgspec.json.Decoder(self._game.view_type)
        self._seed = seed
        self._human = human
        self.views: asyncio.Queue[dict[str, Any]] = asyncio.Queue()  # every view of a match that has gone on a deal

    async def sit(self, room: str, seat: int, code: str) -> None:
        """Sit down in a room and be ready."""
        await self.client.ask("join_room", room=room, seat=seat, code=code)

    async def play(self) -> dict[str, Any]:
        """Play until a match is over; return its last view, with the match's id as ``match``."""
        deal = -1
        while True:
            frame = await self._latest()
            view = frame.get("view")
            if view is None:
                continue
            if view["deal"] != deal or view["end"] is not None:
                deal = view["deal"]
                self.views.put_nowait(view)
            if view["end"] is not None:
                return {**view, "match": frame["table"]}
            if view["play"].get("legal"):
                await self._answer(frame["table"], frame["version"], view)

    async def _latest(self) -> dict[str, Any]:
        """Return the newest frame with a view; what came before it is out of date."""
        frame = await self.client.pushed.get()
        while not self.client.pushed.empty():
            newer = self.client.pushed.get_nowait()
            frame = newer if "view" in newer or "view" not in frame else frame
        return frame

    async def _answer(self, table: str, version: int, view: dict[str, Any]) -> None:
        if self._human:
            await asyncio.sleep(PAUSE_SECONDS)
        seen = self._decode.decode(msgspec.json.encode(view["play"]))
        command = msgspec.to_builtins(self._game.bot(seen, self._chance(view)))
        try:
            await self.client.ask(command.pop("do"), table=table, **command)
        except Refused as refused:
            if not await self.client.moved_on(table, version):
                raise refused from None

    def _chance(self, view: dict[str, Any]) -> SeededRandomness:
        if not self._seed:
            return SeededRandomness(os.urandom(SEED_BYTES))
        return of_choice(self._seed, view["seat"], view["deal"], msgspec.json.encode(view["play"]["legal"]))
