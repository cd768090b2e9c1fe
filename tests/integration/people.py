"""Scripted players who outlive the backend that they play at: they come back to it, and remember what it told them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from services.play.client import Client, sign_in
from services.play.script import Scripted
from tests.integration.tables import Place, fund, names


class Remembering(Client):
    """A client that remembers which of its commands to a table were acknowledged."""

    def __init__(self, url: str, session: str, name: str) -> None:
        """Begin with none."""
        super().__init__(url, session, name)
        self.accepted: list[tuple[str, str]] = []  # (player, command id)

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Ask, and remember the answer if it is one of a table."""
        answer = await super().ask(do, **fields)
        if "table" in fields:
            self.accepted.append((self.name, str(answer["re"])))
        return answer


class Company:
    """Players at one table."""

    def __init__(self, clients: Sequence[Remembering], game: str, seed: int) -> None:
        """Take their lines."""
        self.clients = clients
        self.people = [
            Scripted(client, client.name, game=game, seed=seed.to_bytes(4, "big"), human=False) for client in clients
        ]
        self.match = ""

    @property
    def accepted(self) -> list[tuple[str, str]]:
        return [one for client in self.clients for one in client.accepted]

    async def sit(self, game: str, variant: str, stake: int) -> None:
        """Sit down in a private room, the other seats to bots, and begin."""
        owner, *others = self.clients
        room = await owner.ask("open_room", game=game, variant=variant, stake=stake, private=True, pace="max")
        for seat, client in enumerate(others, start=1):
            await client.ask("join_room", room=room["room"], seat=seat, code=room["code"])
        for client in self.clients:
            await client.ask("ready_up", room=room["room"])
        seen = await owner.room_until(room["room"], lambda seen: bool(seen["match"] or seen["refused"]))
        assert not seen["refused"], seen
        self.match = seen["match"]

    async def play(self) -> dict[str, Any]:
        """Play to the end; return the last view."""
        views = await asyncio.gather(*(person.play() for person in self.people))
        assert len({str(view["end"]) for view in views}) == 1
        return views[0]


@asynccontextmanager
async def company(place: Place, people: int, *, game: str, stake: int, seed: int) -> AsyncIterator[Company]:
    """Bring players with money to a backend."""
    players = names(people, "k")
    await fund(place, players, stake)
    clients = [Remembering(place.url, await sign_in(place.url, place.token(name)), name) for name in players]
    try:
        for client in clients:
            await client.start()
        yield Company(clients, game, seed)
    finally:
        for client in clients:
            await client.stop()
