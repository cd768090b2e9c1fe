"""Sitting down at a running backend: players with money, a room, and a match under way."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Protocol

import msgspec
import nats

from events import subjects
from events.messages import Deposit, Reply, ScoringRequest, ShowBalance, ShowLeaderboard
from tests.integration.line import Frame, Line, Player, sign_in

SETTLE_SECONDS = 30.0
_run = count(1)


class Place(Protocol):
    """A running backend."""

    url: str
    nats_url: str

    def token(self, player: str) -> str:
        """Return an operator's token for a player."""


def names(seats: int, stem: str = "p") -> list[str]:
    """Return players that no other test has."""
    run = next(_run)
    return [f"{stem}{seat}-{run}" for seat in range(seats)]


async def scoring(place: Place, *requests: ScoringRequest) -> list[Reply]:
    """Ask scoring, as an operator's tool does."""
    client = await nats.connect(place.nats_url)
    try:
        replies = []
        for request in requests:
            message = await client.request(subjects.SCORING, msgspec.json.encode(request), timeout=10)
            replies.append(msgspec.json.decode(message.data, type=Reply))
        return replies
    finally:
        await client.close()


async def fund(place: Place, players: Sequence[str], amount: int) -> None:
    """Give every player money."""
    deposits = [Deposit(key=f"{player}-{amount}", player=player, amount=amount, actor="operator") for player in players]
    assert all(reply.ok for reply in await scoring(place, *deposits))


async def balances(place: Place, players: Sequence[str]) -> list[int]:
    """Return what each player has, once nothing is held for any of them any more."""
    async with asyncio.timeout(SETTLE_SECONDS):
        while True:
            rows = [reply.data for reply in await scoring(place, *map(ShowBalance, players))]
            if not any(row["held"] for row in rows):
                return [row["balance"] for row in rows]
            await asyncio.sleep(0.05)


async def leaderboard(place: Place, game: str, match_of: Sequence[str]) -> list[Frame]:
    """Return the leaderboard of a game once these players are on it."""
    async with asyncio.timeout(SETTLE_SECONDS):
        while True:
            (reply,) = await scoring(place, ShowLeaderboard(game=game))
            assert reply.ok, reply
            rows: list[Frame] = reply.data["rows"]
            if {row["player"] for row in rows} >= set(match_of):
                return rows
            await asyncio.sleep(0.05)


@asynccontextmanager
async def lines(place: Place, players: Sequence[str]) -> AsyncIterator[list[Line]]:
    """Sign players in, with a line each."""
    opened: list[Line] = []
    try:
        for player in players:
            session = await sign_in(place.url, place.token(player))
            opened.append(await Line.open(place.url, session))
        yield opened
    finally:
        for line in opened:
            await line.close()


async def sit(table: Sequence[Line], *, game: str = "trix", **fields: Any) -> str:
    """Open a room, sit down in it, everybody ready; return the room."""
    room = {"pace": "max", "private": True} | fields
    answer = await table[0].ask("open_room", game=game, **room)
    assert answer["ok"], answer
    for seat, line in enumerate(table[1:], start=1):
        joined = await line.ask("join_room", room=answer["room"], seat=seat, code=answer["code"] or "")
        assert joined["ok"], joined
    for line in table:
        ready = await line.ask("ready_up", room=answer["room"])
        assert ready["ok"], ready
    return str(answer["room"])


async def begin(table: Sequence[Line], **fields: Any) -> str:
    """Open a room, sit down, and return the match that starts."""
    room = await sit(table, **fields)
    seen = await table[0].room(room, "playing")
    assert not seen["refused"], seen
    return str(seen["match"])


async def until(so: Callable[[], bool], seconds: float = SETTLE_SECONDS) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not so():  # noqa: ASYNC110 - nobody tells us: it is read from disk
            await asyncio.sleep(0.01)


@asynccontextmanager
async def seated(
    place: Place, people: int = 4, *, game: str = "trix", stake: int = 0, seed: int = 0, **fields: Any
) -> AsyncIterator[tuple[str, list[Player]]]:
    """Start a match of so many people, the other seats with bots; give its id and the people, who have not moved."""
    players = names(people)
    if stake:
        await fund(place, players, stake)
    async with lines(place, players) as table:
        match = await begin(table, game=game, stake=stake, **fields)
        sitting = [Player(name, line, game, seed) for name, line in zip(players, table, strict=True)]
        try:
            yield match, sitting
        finally:
            for player in sitting:
                await player.line.close()  # he may have another one by now


async def play_out(people: Sequence[Player]) -> list[Frame]:
    """Let everybody play to the end; return everybody's last view."""
    async with asyncio.timeout(120):
        return await asyncio.gather(*(player.play() for player in people))


async def play_until(people: Sequence[Player], version: int) -> None:
    """Let everybody play until one of them has been shown so many events; whoever is asked then has not answered.

    Everybody knows the table as it stands: what was under way has been answered, and then all have looked again.
    """
    playing = [asyncio.create_task(player.play(until=version)) for player in people]
    async with asyncio.timeout(120):
        await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for _ in range(2):
        await asyncio.gather(*(player.look_again() for player in people))
