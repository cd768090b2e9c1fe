"""Telling tables whether a player is there (TBL-13, TBL-14)."""

import asyncio
from typing import Final

import structlog

from events.messages import Connected, Disconnected, GatewayLives, encode
from events.subjects import GATEWAYS_LIVE, partition_of, table
from services.core import Message
from services.gateway.asking import ask
from services.gateway.bus import Bus
from services.gateway.metrics import Metrics
from services.ids import new_id

logger = structlog.get_logger()

SECONDS: Final = 60.0  # how long a table is tried; the grace of a lost line is as long
CLOSING_SECONDS: Final = 3.0
SIGN_OF_LIFE_SECONDS: Final = 5.0  # tables wait for three


class Presence:
    """Sends each table what became of a player's line, in order, until the table has it.

    While it lives it says so to all tables: nobody else tells them of its lines should the process be killed.
    """

    def __init__(self, bus: Bus, metrics: Metrics) -> None:
        """Begin with nothing under way."""
        self._bus = bus
        self._metrics = metrics
        self._last: dict[tuple[str, str], asyncio.Task[None]] = {}  # by player and match
        self._gateway = new_id()
        self._living: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to give signs of life."""
        self._living = asyncio.create_task(self._live())

    async def _live(self) -> None:
        message = Message(GATEWAYS_LIVE, encode(GatewayLives(self._gateway)))
        while True:
            await self._bus.publish(message)
            await asyncio.sleep(SIGN_OF_LIFE_SECONDS)

    def here(self, match: str, player: str, epoch: str) -> None:
        """Tell a table that a player has a line."""
        self._tell(Connected(match, player, epoch, self._gateway))

    def gone(self, match: str, player: str, epoch: str) -> None:
        """Tell a table that this line of a player has ended."""
        self._tell(Disconnected(match, player, epoch))

    def _tell(self, message: Connected | Disconnected) -> None:
        """Send a message after those to the same table about the same player."""
        key = (message.actor, message.match)
        task = asyncio.create_task(self._send(message, self._last.get(key)))
        self._last[key] = task
        task.add_done_callback(lambda done: self._forget(key, done))

    def _forget(self, key: tuple[str, str], done: asyncio.Task[None]) -> None:
        if self._last.get(key) is done:
            del self._last[key]

    async def _send(self, message: Connected | Disconnected, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        subject = table(partition_of(message.match))
        reply = await ask(self._bus, self._metrics, subject, encode(message), SECONDS)
        name = type(message).__name__.lower()
        logger.debug("table told", what=name, player=message.actor, match=message.match, refused=reply.refused)

    async def close(self) -> None:
        """Give what is under way a moment, then let go."""
        if self._living is not None:
            self._living.cancel()
        tasks = list(self._last.values())
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=CLOSING_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
