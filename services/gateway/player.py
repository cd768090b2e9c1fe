"""One player at this gateway: his open lines, his tables, and what tables know of his line."""

from collections.abc import Iterable
from typing import Final, Protocol

import msgspec
import structlog
from msgspec import Raw

from events.messages import SeatUpdate
from events.subjects import seat_of_player
from services.gateway.frames import RoomFrame, encode
from services.gateway.limits import Allowance
from services.gateway.presence import Presence
from services.gateway.seats import Shown, thought_lost
from services.gateway.settings import GatewaySettings
from services.ids import new_id

logger = structlog.get_logger()

ENDED_KEPT: Final = 8  # tables of one player whose match is over
_decode_update: Final = msgspec.json.Decoder(SeatUpdate).decode


class _RoomHint(msgspec.Struct):
    """What the gateway needs to know of a room."""

    seats: tuple[str | None, ...]
    phase: str
    match: str = ""


_decode_hint: Final = msgspec.json.Decoder(_RoomHint).decode


class Line(Protocol):
    """One open connection."""

    def push(self, frames: Iterable[bytes]) -> None:
        """Send frames, in order, without waiting."""


class Player:
    """One player: his open lines, his tables, and the line's name that tables know (``epoch``)."""

    def __init__(self, name: str, settings: GatewaySettings, presence: Presence) -> None:
        """Begin without a line."""
        self.name = name
        self.lines: dict[Line, None] = {}
        self.allowance = Allowance(settings.rate_per_second, settings.rate_burst)
        self.epoch = ""
        self._kept = settings.buffer_events
        self._presence = presence
        self._tables: dict[str, Shown] = {}
        self._playing: dict[str, None] = {}

    def attach(self, line: Line) -> None:
        """Take a new line; with the first one the player is back at his tables."""
        first = not self.lines
        self.lines[line] = None
        if first:
            self.epoch = new_id()
            for match in self._playing:
                self._presence.here(match, self.name, self.epoch)

    def detach(self, line: Line) -> None:
        """Let go of a line; with the last one the player is gone from his tables."""
        del self.lines[line]
        if not self.lines:
            for match in self._playing:
                self._presence.gone(match, self.name, self.epoch)

    @property
    def playing(self) -> tuple[str, ...]:
        """Return the matches that the player is known to play."""
        return tuple(self._playing)

    def seated(self, match: str) -> bool:
        """Say whether the player is known to play a match."""
        return match in self._playing

    def learn(self, match: str) -> None:
        """Note that the player plays a match, and tell its table that he is here."""
        if match in self._playing:
            return
        self._playing[match] = None
        if self.lines:
            self._presence.here(match, self.name, self.epoch)

    def table(self, match: str) -> Shown | None:
        """Return what the player has been shown of a table."""
        return self._tables.get(match)

    async def take(self, subject: str, body: bytes) -> None:
        """Take a message from the bus and send it on."""
        try:
            if subject == seat_of_player(self.name, "room"):
                self.take_room(body)
            else:
                self.push(self.take_update(_decode_update(body)))
        except msgspec.MsgspecError:
            logger.exception("a message for a player cannot be read", player=self.name, subject=subject)

    def take_room(self, body: bytes) -> None:
        """Take a room as it now stands."""
        hint = _decode_hint(body)
        if hint.phase == "playing" and hint.match and self.name in hint.seats:
            self.learn(hint.match)
        self.push([encode(RoomFrame(Raw(body)))])

    def take_update(self, update: SeatUpdate) -> list[bytes]:
        """Take what a table shows; return the frames that it makes."""
        shown = self._tables.get(update.match)
        if shown is None:
            shown = self._tables[update.match] = Shown(update.match, self._kept)
        frames = shown.take(update)
        if shown.over:
            self._end(update.match)
            return frames
        self.learn(update.match)
        if self.lines and thought_lost(update):  # another line of his ended, or an older one's end came late
            self.epoch = new_id()
            self._presence.here(update.match, self.name, self.epoch)
        return frames

    def resumed(self, update: SeatUpdate, line: Line, version: int) -> None:
        """Take the answer to a line's wish for what it missed after ``version``, and send it that.

        The answer may be ahead of what comes over the subject; then the other lines get the view as well.
        """
        shown = self._tables.get(update.match)
        before = 0 if shown is None else shown.version
        frames = self.take_update(update)
        shown = self._tables[update.match]
        if before and shown.version > before:
            for other in self.lines:
                if other is not line:
                    other.push(frames)
        line.push(shown.since(version))

    def _end(self, match: str) -> None:
        self._playing.pop(match, None)
        ended = [name for name, shown in self._tables.items() if shown.over]
        for name in ended[:-ENDED_KEPT]:
            del self._tables[name]

    def forget(self, match: str) -> None:
        """Note that a match is over or never was."""
        self._playing.pop(match, None)

    def push(self, frames: Iterable[bytes]) -> None:
        """Send frames over every line."""
        for line in list(self.lines):
            line.push(frames)
