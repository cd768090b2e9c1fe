"""The rooms that are open, and the ways to find one."""

import heapq
from collections.abc import Iterator
from typing import TypeVar

from services.lobby.rooms import Phase, Room
from services.lobby.rules import deadline
from services.lobby.settings import LobbySettings

K = TypeVar("K")


class Registry:
    """Open rooms by id, by match, by player, by game and stake (quick play), and by the time they are due."""

    __slots__ = ("_by_match", "_by_player", "_due", "_public", "_quick", "_rooms", "_settings")

    def __init__(self, settings: LobbySettings) -> None:
        """Begin empty."""
        self._settings = settings
        self._rooms: dict[str, Room] = {}
        self._by_match: dict[str, str] = {}
        self._by_player: dict[str, dict[str, None]] = {}  # rooms in the order he sat down
        self._quick: dict[tuple[str, int], dict[str, None]] = {}  # rooms that wait, oldest first
        self._public: dict[str, None] = {}  # rooms that wait, oldest first
        self._due: list[tuple[int, str]] = []  # a heap; entries that no longer hold are dropped when they come up

    def __iter__(self) -> Iterator[Room]:
        """Go through all open rooms, oldest first."""
        return iter(list(self._rooms.values()))

    def __len__(self) -> int:
        """Count the open rooms."""
        return len(self._rooms)

    def find(self, room: str) -> Room | None:
        """Return an open room."""
        return self._rooms.get(room)

    def playing(self, match: str) -> Room | None:
        """Return the room that starts or plays a match."""
        room = self._by_match.get(match)
        return None if room is None else self._rooms[room]

    def of(self, player: str) -> list[Room]:
        """Return the rooms in which a player sits."""
        return [self._rooms[room] for room in self._by_player.get(player, ())]

    def quick(self, game: str, stake: int) -> list[Room]:
        """Return the rooms of quick play that wait for players, oldest first."""
        return [self._rooms[room] for room in self._quick.get((game, stake), ())]

    def public(self, limit: int) -> list[Room]:
        """Return public rooms that wait and have a free seat, newest first."""
        found: list[Room] = []
        for name in reversed(self._public):
            if len(found) == limit:
                break
            if None in self._rooms[name].players:
                found.append(self._rooms[name])
        return found

    def put(self, room: Room) -> None:
        """Take a room as it now stands; a closed one is forgotten."""
        before = self._rooms.pop(room.id, None) if room.phase is Phase.CLOSED else self._rooms.get(room.id)
        if before is not None:
            self._unlink(before, room)
        if room.phase is Phase.CLOSED:
            return
        self._rooms[room.id] = room
        if room.match:
            self._by_match[room.match] = room.id
        for player in room.seated:
            self._by_player.setdefault(player, {})[room.id] = None
        waiting = room.phase is Phase.WAITING
        if waiting and room.opened.quick:
            self._quick.setdefault((room.opened.game, room.opened.stake), {})[room.id] = None
        elif waiting and not room.opened.code:
            self._public[room.id] = None
        when = deadline(room, self._settings)
        if when is not None and (before is None or when != deadline(before, self._settings)):
            heapq.heappush(self._due, (when, room.id))

    def _unlink(self, before: Room, after: Room) -> None:
        if before.match and before.match != after.match:
            self._by_match.pop(before.match, None)
        stays = () if after.phase is Phase.CLOSED else after.seated
        for player in before.seated:
            if player not in stays:
                self._drop(self._by_player, player, before.id)
        if after.phase is not Phase.WAITING:
            self._public.pop(before.id, None)
            self._drop(self._quick, (before.opened.game, before.opened.stake), before.id)
        if after.phase is Phase.CLOSED and before.match:
            self._by_match.pop(before.match, None)

    @staticmethod
    def _drop(index: dict[K, dict[str, None]], key: K, room: str) -> None:
        rooms = index.get(key)
        if rooms is not None:
            rooms.pop(room, None)
            if not rooms:
                del index[key]

    def due(self) -> int | None:
        """Return when the next waiting room has waited enough, in milliseconds."""
        while self._due:
            when, name = self._due[0]
            room = self._rooms.get(name)
            if room is not None and deadline(room, self._settings) == when:
                return when
            heapq.heappop(self._due)
        return None

    def take_due(self, now: int) -> Room | None:
        """Return a room that has waited enough by ``now``, the longest overdue first."""
        when = self.due()
        if when is None or when > now:
            return None
        return self._rooms[self._due[0][1]]
