"""Spectators: what everybody may see of a table, sent on to the lines that watch it (TBL-30)."""

import asyncio

import msgspec
import structlog

from events.messages import Reply, SeatUpdate, Watch, encode
from events.subjects import partition_of, public, table
from services.gateway.asking import ask
from services.gateway.bus import Bus, Stop
from services.gateway.metrics import Metrics
from services.gateway.player import Line
from services.gateway.seats import Shown, update_of
from services.gateway.settings import GatewaySettings

logger = structlog.get_logger()


class _Watched:
    """A table that somebody watches, or is about to."""

    __slots__ = ("asking", "lines", "shown", "stop")

    def __init__(self, match: str) -> None:
        self.shown = Shown(match, 1)
        self.lines: dict[Line, None] = {}
        self.asking = 0  # lines that wait for the table's answer
        self.stop: Stop | None = None  # once it is subscribed to

    async def take(self, _subject: str, body: bytes) -> None:
        try:
            frames = self.shown.take(msgspec.json.decode(body, type=SeatUpdate))
        except msgspec.MsgspecError:
            logger.exception("a message for spectators cannot be read", match=self.shown.table)
            return
        for line in self.lines:
            line.push(frames)


class Watchers:
    """The tables that are watched through this gateway: one subscription each."""

    def __init__(self, bus: Bus, settings: GatewaySettings, metrics: Metrics) -> None:
        """Begin with none."""
        self._bus = bus
        self._settings = settings
        self._metrics = metrics
        self._tables: dict[str, _Watched] = {}
        self._subscribing = asyncio.Lock()

    async def watch(self, match: str, line: Line) -> tuple[Reply, list[bytes]]:
        """Let a line watch a table; return the answer and the frame to send after it.

        From then on the line is pushed what is new. Raises ``ConnectionError`` if the bus is away.
        """
        watched = self._tables.setdefault(match, _Watched(match))
        watched.asking += 1
        try:
            async with self._subscribing:
                if watched.stop is None:
                    watched.stop = await self._bus.subscribe(public(match), watched.take)
            where = table(partition_of(match))
            reply = await ask(self._bus, self._metrics, where, encode(Watch(match)), self._settings.request_seconds)
            if reply.ok:
                watched.shown.take(update_of(reply))
                watched.lines[line] = None
                return Reply(ok=True), watched.shown.since(0)
            return reply, []
        finally:
            watched.asking -= 1
            await self._release(match)

    async def _release(self, match: str) -> None:
        """Stop following a table that nobody watches."""
        watched = self._tables.get(match)
        if watched is not None and not watched.lines and not watched.asking:
            del self._tables[match]
            if watched.stop is not None:
                await watched.stop()

    async def unwatch(self, match: str, line: Line) -> None:
        """Let a line watch a table no longer."""
        watched = self._tables.get(match)
        if watched is not None:
            watched.lines.pop(line, None)
            await self._release(match)

    async def leave(self, line: Line) -> None:
        """Forget a line that has closed."""
        for match in [name for name, watched in self._tables.items() if line in watched.lines]:
            await self.unwatch(match, line)

    async def close(self) -> None:
        """Stop following every table."""
        for watched in self._tables.values():
            if watched.stop is not None:
                await watched.stop()
        self._tables.clear()
