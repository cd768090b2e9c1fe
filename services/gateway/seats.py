"""What a player has been shown of one table: the last events and the view, so that a short absence costs little."""

from collections import deque

import msgspec
from msgspec import Raw

from events.messages import Reply, SeatUpdate
from services.gateway.frames import EventFrame, ViewFrame, encode

_ENDS = (b'"table.match_ended.v1"', b'"table.match_voided.v1"')


class Shown:
    """One player's frames of one table, in order; what comes twice or too late is dropped."""

    __slots__ = ("_events", "over", "table", "version", "view")

    def __init__(self, table: str, kept: int) -> None:
        """Begin with nothing; up to ``kept`` events are remembered."""
        self.table = table
        self.version = 0
        self.view: bytes = b""  # empty until anything is known
        self.over = False
        self._events: deque[bytes] = deque(maxlen=kept)  # the last of them has the number ``version``

    def take(self, update: SeatUpdate) -> list[bytes]:
        """Take an update; return the frames that it makes, the last one with the view."""
        if update.version < self.version:
            return []
        fresh = update.version - self.version
        if fresh == 0 and update.events:
            return []
        if fresh > len(update.events):  # some are missing, so those before them are no use
            self._events.clear()
            fresh = len(update.events)
        events = [bytes(event) for event in update.events[len(update.events) - fresh :]]
        self._events.extend(events)
        self.version = update.version
        self.view = bytes(update.view)
        self.over = self.over or any(end in event for event in events[-1:] for end in _ENDS) or _has_ended(update)
        return self._frames(events) if events else [self._whole()]

    def since(self, version: int) -> list[bytes]:
        """Return the frames after a version that the player knows, or the whole view in one frame."""
        missed = self.version - version
        if version and 0 <= missed <= len(self._events):
            return self._frames(list(self._events)[len(self._events) - missed :])
        return [self._whole()]

    def _frames(self, events: list[bytes]) -> list[bytes]:
        first = self.version - len(events) + 1
        frames = [encode(EventFrame(self.table, first + step, Raw(event))) for step, event in enumerate(events[:-1])]
        frames.extend(encode(EventFrame(self.table, self.version, Raw(event), Raw(self.view))) for event in events[-1:])
        return frames

    def _whole(self) -> bytes:
        return encode(ViewFrame(self.table, self.version, Raw(self.view)))


class _Place(msgspec.Struct, frozen=True):
    lost_until: int = 0


class _OwnSeat(msgspec.Struct, frozen=True):
    seat: int | None
    seats: tuple[_Place, ...]


class _Ended(msgspec.Struct):
    end: dict[str, object] | None = None


_decode_end = msgspec.json.Decoder(_Ended).decode
_decode_own = msgspec.json.Decoder(_OwnSeat).decode


def thought_lost(update: SeatUpdate) -> bool:
    """Say whether the update tells that the viewer's own line is lost (TBL-13)."""
    if not any(b'"table.connection_lost.v1"' in bytes(event) for event in update.events):
        return False
    own = _decode_own(update.view)
    return own.seat is not None and own.seats[own.seat].lost_until > 0


def _has_ended(update: SeatUpdate) -> bool:
    """Say whether a view without news is that of a match that is over."""
    return not update.events and _decode_end(update.view).end is not None


def update_of(reply: Reply) -> SeatUpdate:
    """Return the view in a table's answer to ``Resume`` or ``Watch``; raise ``msgspec.ValidationError``."""
    return msgspec.json.decode(encode(reply.data), type=SeatUpdate)
