"""The state of a room, and its fold."""

from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from events.messages import RoomUpdate
from services.lobby.events import (
    Event,
    HoldRefused,
    MatchOver,
    MatchPrepared,
    MatchStarted,
    OpenRefused,
    PlayerLeft,
    PlayerReady,
    PlayerSeated,
    RoomClosed,
    RoomOpened,
    StakesHeld,
    StakesReleased,
    WaitExtended,
)


class Phase(StrEnum):
    """Where a room stands. People are shown ``holding`` for every step of the start."""

    WAITING = "waiting"
    HOLDING = "holding"  # scoring is asked for the stakes
    OPENING = "opening"  # the table is asked to open
    RELEASING = "releasing"  # scoring is asked to give the stakes back
    PLAYING = "playing"
    CLOSED = "closed"


class Room(msgspec.Struct, frozen=True):
    """A room. ``players`` and ``ready`` are by seat."""

    opened: RoomOpened
    players: tuple[str | None, ...]
    ready: tuple[bool, ...]
    phase: Phase = Phase.WAITING
    prepared: MatchPrepared | None = None  # from the first step of a start until its end
    until: int = 0  # when the wait that is on runs out; 0: only idleness ends it
    touched: int = 0  # when the last event happened
    refused: str = ""
    refused_players: tuple[str, ...] = ()
    first: int | None = None  # the starter that the series prescribes for the next match
    leavers: tuple[int, ...] = ()  # seats that are free when the running match is over

    @property
    def id(self) -> str:
        """Return the room's id, which is its stream's too."""
        return self.opened.room

    @property
    def match(self) -> str:
        """Return the match that is being started or played, or nothing."""
        return "" if self.prepared is None else self.prepared.match

    @property
    def seated(self) -> tuple[str, ...]:
        """Return the people who sit."""
        return tuple(player for player in self.players if player is not None)

    def seat_of(self, player: str) -> int | None:
        """Return the seat of a player."""
        return self.players.index(player) if player in self.players else None

    def keeper(self, seat: int) -> str:
        """Return for whom a seat is kept, or nothing."""
        return self.opened.reserved[seat] if seat < len(self.opened.reserved) else ""


def begin(event: RoomOpened, at: int) -> Room:
    """Return the room that its first event describes."""
    empty: tuple[str | None, ...] = (None,) * event.seats
    return Room(event, empty, (False,) * event.seats, until=event.until, touched=at)


def evolve(room: Room, event: Event, at: int) -> Room:
    """Fold one event after the first. Total: it asserts and never refuses."""
    return replace(room, touched=max(at, room.touched), **_changes(room, event))


def _changes(room: Room, event: Event) -> dict[str, Any]:
    match event:
        case PlayerSeated():
            return {"players": _at(room.players, event.seat, event.player), "first": None}
        case PlayerLeft() if room.phase is not Phase.WAITING:
            return {"leavers": (*room.leavers, event.seat)}
        case PlayerLeft():  # the others said yes to another company
            ready = (False,) * len(room.ready)
            return {"players": _at(room.players, event.seat, None), "ready": ready, "first": None}
        case PlayerReady():
            return {"ready": _at(room.ready, event.seat, True)}  # noqa: FBT003 - a value, not a switch
        case WaitExtended():
            return {"until": event.until}
        case RoomClosed():
            return {"phase": Phase.CLOSED}
        case RoomOpened():
            raise AssertionError(event)
    return _starting(room, event)


def _starting(
    room: Room,
    event: MatchPrepared | StakesHeld | HoldRefused | MatchStarted | OpenRefused | StakesReleased | MatchOver,
) -> dict[str, Any]:
    match event:
        case MatchPrepared():
            phase = Phase.HOLDING if event.stake else Phase.OPENING
            return {"phase": phase, "prepared": event, "until": 0, "refused": "", "refused_players": ()}
        case StakesHeld():
            return {"phase": Phase.OPENING}
        case MatchStarted():
            return {"phase": Phase.PLAYING}
        case HoldRefused():
            return _waiting(room) | {
                "until": event.until,
                "refused": event.code,
                "refused_players": event.players,
            }
        case OpenRefused():
            assert room.prepared is not None
            staked = room.prepared.stake > 0
            return ({"phase": Phase.RELEASING} if staked else _waiting(room)) | {"refused": event.code}
        case StakesReleased():
            return _waiting(room)
        case MatchOver():
            stays = tuple(None if seat in room.leavers else player for seat, player in enumerate(room.players))
            first = None if room.leavers else event.first  # a seat that changes its owner ends the series (TBL-7)
            return _waiting(room) | {"until": event.until, "players": stays, "leavers": (), "first": first}


def _waiting(room: Room) -> dict[str, Any]:
    return {"phase": Phase.WAITING, "prepared": None, "ready": (False,) * len(room.players)}


def _at(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def shown(room: Room) -> RoomUpdate:
    """Return the room as its people see it."""
    opened, prepared = room.opened, room.prepared
    starting = room.phase in (Phase.HOLDING, Phase.OPENING, Phase.RELEASING)
    return RoomUpdate(
        room=room.id,
        game=opened.game,
        variant=opened.variant,
        options=opened.options,
        stake=opened.stake,
        rake_bps=opened.rake_bps,
        private=bool(opened.code),
        owner=opened.owner,
        seats=room.players if prepared is None else tuple(holder.player for holder in prepared.seats),
        ready=room.ready,
        phase=Phase.HOLDING if starting else room.phase,
        match=room.match if room.phase is Phase.PLAYING else "",
        refused=room.refused,
        refused_players=room.refused_players,
    )
