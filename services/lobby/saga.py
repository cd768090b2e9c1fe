"""The steps from a ready room to an open match and back: stakes held, table opened, or everything returned."""

from typing import Any, Final

import msgspec

from events.messages import Reply
from services.lobby.changes import Changes
from services.lobby.events import (
    HoldRefused,
    MatchOver,
    MatchStarted,
    OpenRefused,
    PlayerLeft,
    RoomClosed,
    StakesHeld,
    StakesReleased,
)
from services.lobby.rooms import Phase
from services.lobby.settings import LobbySettings

_GONE: Final = frozenset({"MATCH_OVER", "UNKNOWN_MATCH"})


class _Short(msgspec.Struct):
    """Who cannot pay, in the data of a refused hold."""

    players: tuple[str, ...] = ()


def answered(changes: Changes, step: str, reply: Reply, settings: LobbySettings) -> None:
    """Take the answer to what the room asked; an answer to a step that is past changes nothing."""
    match step, changes.room.phase:
        case "hold", Phase.HOLDING:
            _held(changes, reply, settings)
        case "open", Phase.OPENING:
            _opened(changes, reply)
        case "running", Phase.PLAYING if reply.refused in _GONE:
            over(changes, voided=False, settings=settings)  # the fact of its end was lost on the bus
        case "release", Phase.RELEASING:
            changes.add(StakesReleased(changes.room.match, "" if reply.ok else reply.refused))
            _close_quick(changes)


def _held(changes: Changes, reply: Reply, settings: LobbySettings) -> None:
    match = changes.room.match
    if reply.ok:
        changes.add(StakesHeld(match))
        return
    short = _players(reply.data)
    until = changes.now + settings.span(settings.fill_seconds) if changes.room.opened.quick else 0
    changes.add(HoldRefused(match, reply.refused, short, until))
    if not changes.room.opened.quick:
        return
    for player in short:  # the others go on waiting; were he to stay, every start would fail
        seat = changes.room.seat_of(player)
        if seat is not None:
            changes.add(PlayerLeft(player, seat, reply.refused))
    if not short or not changes.room.seated:
        changes.add(RoomClosed("refused"))


def _players(data: Any) -> tuple[str, ...]:
    """Return the players that scoring names: a list, or an object with ``players``."""
    try:
        if isinstance(data, list):
            return msgspec.convert(data, tuple[str, ...])
        return msgspec.convert(data or {}, _Short).players
    except msgspec.ValidationError:
        return ()


def _opened(changes: Changes, reply: Reply) -> None:
    match = changes.room.match
    if reply.ok:
        changes.add(MatchStarted(match))
        return
    changes.add(OpenRefused(match, reply.refused))
    if changes.room.phase is Phase.WAITING:
        _close_quick(changes)


def _close_quick(changes: Changes) -> None:
    """Close a room of quick play whose match did not open: nobody is there to say that he is ready."""
    if changes.room.opened.quick:
        changes.add(RoomClosed("refused"))


def over(changes: Changes, *, voided: bool, settings: LobbySettings, first: int | None = None) -> None:
    """Take the end of the room's match: the room waits for another one, or closes (TBL-7).

    ``first`` is the starter of the next match that the game prescribes.
    """
    if changes.room.phase is Phase.OPENING:  # the match was faster than the answer to its opening
        changes.add(MatchStarted(changes.room.match))
    until = changes.now + settings.span(settings.rematch_seconds)
    changes.add(MatchOver(changes.room.match, voided, until, first))
    if changes.room.opened.quick:
        changes.add(RoomClosed("played"))
    elif not changes.room.seated:
        changes.add(RoomClosed("empty"))


def gone(changes: Changes, seat: int) -> None:
    """Take a player's leaving of the running match: his seat is free when it is over (TBL-15)."""
    player = changes.room.players[seat] if seat < len(changes.room.players) else None
    if player is None or seat in changes.room.leavers:
        return
    changes.add(PlayerLeft(player, seat, "left the match"))
