"""The players who are connected to this gateway, or were a moment ago: one subscription each."""

import asyncio

import msgspec
import structlog

from events.messages import ListRooms, Resume, RoomUpdate, encode
from events.subjects import LOBBY, partition_of, seat_of_player, table
from services.gateway.asking import ask
from services.gateway.bus import Bus, Stop
from services.gateway.metrics import Metrics
from services.gateway.player import Line, Player
from services.gateway.presence import Presence
from services.gateway.seats import update_of
from services.gateway.settings import GatewaySettings

logger = structlog.get_logger()


class _Rooms(msgspec.Struct):
    """The data of the lobby's answer to :class:`ListRooms`."""

    rooms: tuple[RoomUpdate, ...]


class Players:
    """Everybody who is connected, or was a moment ago: one subscription each."""

    def __init__(self, bus: Bus, settings: GatewaySettings, metrics: Metrics) -> None:
        """Begin empty."""
        self.presence = Presence(bus, metrics)
        self._bus = bus
        self._settings = settings
        self._metrics = metrics
        self._players: dict[str, Player] = {}
        self._stops: dict[str, asyncio.Task[Stop]] = {}
        self._ends: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """Count the players who are followed."""
        return len(self._players)

    async def enter(self, name: str, line: Line) -> Player | None:
        """Attach a line to its player; None if he has too many. Raises ``ConnectionError`` if the bus is away."""
        player = self._players.get(name)
        if player is None:
            player = self._players[name] = Player(name, self._settings, self.presence)
            self._stops[name] = asyncio.create_task(self._bus.subscribe(seat_of_player(name, ">"), player.take))
            self._metrics.players.set(len(self._players))
        elif len(player.lines) >= self._settings.connections_per_player:
            return None
        end = self._ends.pop(name, None)
        if end is not None:
            end.cancel()
        player.attach(line)
        try:
            await asyncio.shield(self._stops[name])
        except (ConnectionError, asyncio.CancelledError):
            self.leave(player, line)
            raise
        return player

    def leave(self, player: Player, line: Line) -> None:
        """Detach a line; after the last one the player is followed for a while, so that little is lost."""
        player.detach(line)
        if not player.lines:
            self._ends[player.name] = asyncio.create_task(self._end(player))

    async def _end(self, player: Player) -> None:
        following = self._stops[player.name]
        await asyncio.wait([following])
        if following.exception() is None:
            await asyncio.sleep(self._settings.linger_seconds)
        del self._ends[player.name], self._stops[player.name], self._players[player.name]
        self._metrics.players.set(len(self._players))
        if following.exception() is None:
            await following.result()()

    def show_rooms(self, player: Player) -> None:
        """Find out where a player sits, in the background: he is shown his rooms, and his tables that he is back."""
        task = asyncio.create_task(self._show_rooms(player))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _show_rooms(self, player: Player) -> None:
        body = encode(ListRooms(actor=player.name))
        reply = await ask(self._bus, self._metrics, LOBBY, body, self._settings.request_seconds)
        if not reply.ok:
            logger.warning("a player's rooms are not known", player=player.name, refused=reply.refused)
            return
        for room in msgspec.convert(reply.data, _Rooms).rooms:
            if player.name in room.seats:
                player.take_room(encode(room))

    def refresh(self) -> None:
        """Find out how everything stands after the bus was away: what was shown meanwhile is lost."""
        for player in self._players.values():
            self.show_rooms(player)
            for match in player.playing:
                task = asyncio.create_task(self._show_table(player, match))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _show_table(self, player: Player, match: str) -> None:
        body = encode(Resume(match, player.name))
        reply = await ask(self._bus, self._metrics, table(partition_of(match)), body, self._settings.request_seconds)
        if reply.ok:
            player.push(player.take_update(update_of(reply)))

    async def close(self) -> None:
        """Stop following everybody."""
        tasks = [*self._tasks, *self._ends.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.presence.close()
        stops = await asyncio.gather(*self._stops.values(), return_exceptions=True)
        for stop in stops:
            if not isinstance(stop, BaseException):
                await stop()
        self._stops.clear()
        self._players.clear()
