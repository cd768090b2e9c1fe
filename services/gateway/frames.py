"""The frames between a client and the gateway: JSON objects, one message each (see ``/asyncapi``)."""

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Raw

from events.messages import CommandId, JoinRoom, LeaveRoom, ListRooms, OpenRoom, QuickPlay, ReadyUp, ShowRoom, Token

FrameId = Annotated[str, Meta(max_length=64)]


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="hello", forbid_unknown_fields=True):
    """The first frame of a connection: the session token, which stands in no address."""

    id: FrameId = ""
    token: Annotated[str, Meta(max_length=8192)]


class ResumeTable(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="resume", forbid_unknown_fields=True):
    """Send what was missed at a table after ``version``, or without one the whole view."""

    id: FrameId = ""
    table: Token
    version: Annotated[int, Meta(ge=0)] = 0


class LeaveTable(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="leave", forbid_unknown_fields=True):
    """Leave a match for good: a bot takes the seat (TBL-15)."""

    id: CommandId
    table: Token


class WatchTable(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="watch", forbid_unknown_fields=True):
    """Be shown a table as a spectator (TBL-30)."""

    id: FrameId = ""
    table: Token


class UnwatchTable(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="unwatch", forbid_unknown_fields=True
):
    """Watch a table no longer."""

    id: FrameId = ""
    table: Token


class AskBalance(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="balance", forbid_unknown_fields=True):
    """Tell one's balance and what is held for matches, in minor units."""

    id: FrameId = ""


OwnFrame = Hello | ResumeTable | LeaveTable | WatchTable | UnwatchTable | AskBalance
OWN_FRAMES: Final = (Hello, ResumeTable, LeaveTable, WatchTable, UnwatchTable, AskBalance)
LOBBY_FRAMES: Final = (OpenRoom, JoinRoom, LeaveRoom, ReadyUp, QuickPlay, ShowRoom, ListRooms)
WITHOUT_ID: Final = frozenset({"room", "rooms"})  # questions to the lobby, whose id is the gateway's affair


class EventFrame(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event at a table, as this seat may see it. ``version`` counts by one; the last one of a step has the view."""

    table: str
    version: int
    event: Raw
    view: Raw | msgspec.UnsetType = msgspec.UNSET


class ViewFrame(msgspec.Struct, frozen=True):
    """A table as this seat sees it after the event with this version."""

    table: str
    version: int
    view: Raw


class RoomFrame(msgspec.Struct, frozen=True):
    """A room in which the player sits, after a change."""

    room: Raw


class RefusedFrame(msgspec.Struct, frozen=True):
    """The answer to a frame that was refused; nothing has changed."""

    re: str | None
    refused: str
    text: str


class BadFrame(Exception):
    """A frame that breaks the protocol; ``re`` is its id, if it has one that can be read."""

    def __init__(self, code: str, text: str = "", re: str | None = None) -> None:
        """Keep what the sender is told."""
        super().__init__(code)
        self.code = code
        self.text = text
        self.re = re


class Frame(msgspec.Struct, frozen=True):
    """A client's frame, taken apart: its fields as raw JSON, with ``id``, ``do`` and ``table`` read."""

    fields: dict[str, Raw]
    id: str | None
    do: str
    table: str | None


encode: Final = msgspec.json.Encoder().encode
_decode_fields: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_text: Final = msgspec.json.Decoder(str).decode
_decode_hello: Final = msgspec.json.Decoder(Hello).decode


def take_apart(text: str) -> Frame:
    """Read a frame as far as the gateway needs to; raise :class:`BadFrame`."""
    try:
        fields = _decode_fields(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as fault:
        raise BadFrame("MALFORMED", "A frame is one JSON object.") from fault
    name = _word(fields, "id", None)
    if name is not None and len(name) > 64:
        raise BadFrame("MALFORMED", "The id is longer than 64 characters.")
    do = _word(fields, "do", name)
    if do is None:
        raise BadFrame("MALFORMED", "A frame says what to do in the field do.", name)
    return Frame(fields, name, do, _word(fields, "table", name))


def decode_hello(text: str, re: str | None) -> Hello:
    """Read a hello; raise :class:`BadFrame` without any of the token."""
    try:
        return _decode_hello(text)
    except msgspec.MsgspecError as fault:
        raise BadFrame("MALFORMED", "A hello has an id and a token.", re) from fault


def _word(fields: dict[str, Raw], field: str, re: str | None) -> str | None:
    if field not in fields:
        return None
    try:
        return _decode_text(fields[field])
    except msgspec.MsgspecError as fault:
        message = f"The field {field} is a text."
        raise BadFrame("MALFORMED", message, re) from fault


def accepted(re: str | None, data: Any = None) -> bytes:
    """Return the answer to a frame that was carried out, with what was asked for."""
    content = data if isinstance(data, dict) else {} if data is None else {"data": data}
    return encode({"re": re, "ok": True} | content)


def refused(re: str | None, code: str, text: str) -> bytes:
    """Return the answer to a frame that was refused."""
    return encode(RefusedFrame(re, code, text))
