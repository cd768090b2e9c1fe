"""A session of scripted play: players sign in, sit down in a room, and play one match after another."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import msgspec

from services.play.client import Client, Refused, sign_in
from services.play.script import Scripted

END_SECONDS = 3600.0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played. The stake is in minor units; the seed is empty for fresh choices."""

    game: str
    variant: str
    options: Mapping[str, Any]
    stake: int
    players: tuple[str, ...]  # by seat; the other seats go to bots
    seats: int
    matches: int
    seed: bytes
    human: bool  # whether the players take their time
    pace: str  # of the room


class Session:
    """The players of one plan, at one gateway."""

    def __init__(self, plan: Plan, url: str, tokens: Sequence[str]) -> None:
        """Take the plan, the gateway's address, and a signed token for each player."""
        self._plan = plan
        self._url = url
        self._tokens = tokens
        self.players: list[Scripted] = []

    async def start(self) -> None:
        """Sign every player in."""
        plan = self._plan
        for name, token in zip(plan.players, self._tokens, strict=True):
            client = Client(self._url, await sign_in(self._url, token), name)
            await client.start()
            self.players.append(Scripted(client, name, game=plan.game, seed=plan.seed, human=plan.human))

    async def stop(self) -> None:
        """Close every line."""
        for player in self.players:
            await player.client.stop()

    async def matches(self) -> AsyncIterator[dict[str, Any]]:
        """Play; yield each match's last view, as the first seat sees it."""
        room = ""
        for _ in range(self._plan.matches):
            room = await self._ready(room)
            playing = [asyncio.create_task(player.play()) for player in self.players]
            try:
                async with asyncio.timeout(END_SECONDS):
                    views = await asyncio.gather(*playing)
            finally:
                for task in playing:
                    task.cancel()
            yield views[0]

    async def _open(self) -> str:
        plan, owner = self._plan, self.players[0].client
        answer = await owner.ask(
            "open_room",
            game=plan.game,
            variant=plan.variant,
            options=dict(plan.options),
            stake=plan.stake,
            private=True,
            pace=plan.pace,
        )
        for seat, player in enumerate(self.players[1:], start=1):
            await player.client.ask("join_room", room=answer["room"], seat=seat, code=answer["code"] or "")
        return str(answer["room"])

    async def _ready(self, room: str) -> str:
        """Have everybody ready in the room of the match before, or in a new one; return it.

        Raises :class:`Refused` if the match cannot start.
        """
        owner = self.players[0].client
        if room:
            seen = await owner.room_until(room, lambda seen: seen["phase"] in ("waiting", "closed"))
            room = room if seen["phase"] == "waiting" else ""
        room = room or await self._open()
        for player in self.players:
            await player.client.ask("ready_up", room=room)
        seen = await owner.room_until(room, lambda seen: seen["phase"] == "playing" or bool(seen["refused"]))
        if seen["refused"]:
            raise Refused(seen["refused"], " ".join(seen["refused_players"]))
        return room
