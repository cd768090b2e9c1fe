"""Every message that services exchange, in one place. JSON by msgspec; requests are tagged unions, one a subject.

A request is answered with a :class:`Reply`. Fields are checked on arrival and unknown ones refused.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

Token = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]  # ids that may stand in a subject
CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
Amount = Annotated[int, Meta(ge=0, le=10**15)]  # minor units; far below what JSON readers lose


class Reply(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The answer to any request: done, with what was asked for, or refused with a code."""

    ok: bool
    refused: str = ""
    text: str = ""  # for people and logs, in English; never echoes a payload
    data: Any = None


# --- for tables -----------------------------------------------------------------------------------------------------


class SeatTaken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who holds a seat when a match opens."""

    player: Token
    bot: bool = False
    staker: bool = False


class OpenMatch(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="open_match", forbid_unknown_fields=True
):
    """Open a match (from the lobby). Sent again with the same id and content, it gets the same answer."""

    match: Token
    game: str
    variant: str
    options: dict[str, Any]
    seats: tuple[SeatTaken, ...]
    stake: Amount = 0
    rake_bps: Annotated[int, Meta(ge=0, le=10_000)] = 0
    room: str = ""
    owner: int | None = None
    owner_absent: bool = False
    first: int | None = None
    against_computer: bool = False
    spectators: bool = False
    pace: str = "human"
    ordinal: int = 0


class Act(msgspec.Struct, frozen=True, tag_field="do", tag="act", forbid_unknown_fields=True, gc=False):
    """A command of a player or a bot, whom the sender has authenticated. ``command`` is the game's own JSON."""

    match: Token
    actor: Token
    id: CommandId
    command: msgspec.Raw


class Leave(msgspec.Struct, frozen=True, tag_field="do", tag="leave", forbid_unknown_fields=True):
    """A player leaves a match on purpose (TBL-15)."""

    match: Token
    actor: Token
    id: CommandId


class Connected(msgspec.Struct, frozen=True, tag_field="do", tag="connected", forbid_unknown_fields=True):
    """A player's connection has opened; ``epoch`` grows with time (UUIDv7).

    ``gateway`` says who holds it, so that its silence is the end of the connection too.
    """

    match: Token
    actor: Token
    epoch: Token
    gateway: str = ""


class Disconnected(msgspec.Struct, frozen=True, tag_field="do", tag="disconnected", forbid_unknown_fields=True):
    """That connection has ended."""

    match: Token
    actor: Token
    epoch: Token


class GatewayLives(msgspec.Struct, frozen=True):
    """A gateway says every few seconds that it is there."""

    gateway: Token


class Resume(msgspec.Struct, frozen=True, tag_field="do", tag="resume", forbid_unknown_fields=True):
    """Show a player or a bot his seat again. The answer's data is a :class:`SeatUpdate` with the whole view."""

    match: Token
    actor: Token


class Watch(msgspec.Struct, frozen=True, tag_field="do", tag="watch", forbid_unknown_fields=True):
    """Show what spectators of a match see; refused ``NO_SPECTATORS`` where they see nothing (TBL-30)."""

    match: Token


class VoidMatch(msgspec.Struct, frozen=True, tag_field="do", tag="void_match", forbid_unknown_fields=True):
    """Call a match off (staff)."""

    match: Token
    actor: Token
    reason: Annotated[str, Meta(min_length=1, max_length=200)]


class ResendFacts(msgspec.Struct, frozen=True, tag_field="do", tag="resend_facts", forbid_unknown_fields=True):
    """Publish a partition's facts again, from the first beyond a position: a consumer has found a gap."""

    after: Annotated[int, Meta(ge=0)]


TableRequest = Act | OpenMatch | Leave | Connected | Disconnected | Resume | Watch | VoidMatch | ResendFacts


class SeatUpdate(msgspec.Struct, frozen=True, gc=False):
    """What one seat is shown after a commit: the events that it may see, as JSON, then the view after them.

    ``version`` is the number of the last event that this seat has been sent in this match, counted from 1, so the
    events are numbered ``version - len(events) + 1`` to ``version``. An answer to :class:`Resume` has no events.
    """

    match: str
    version: int
    events: tuple[msgspec.Raw, ...]
    view: msgspec.Raw


class Fact(msgspec.Struct, frozen=True, gc=False):
    """A public fact, copied from a partition's log. ``previous`` is the position of the fact before it, 0 for none."""

    partition: str
    position: int
    previous: int
    stream: str
    version: int
    at: int
    kind: str
    event: msgspec.Raw


# --- for the lobby --------------------------------------------------------------------------------------------------


class OpenRoom(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="open_room", forbid_unknown_fields=True):
    """Open a room and sit in it. Answer: ``{"room", "code"|null}``."""

    actor: Token
    id: CommandId
    game: Annotated[str, Meta(max_length=32)]
    variant: Annotated[str, Meta(max_length=32)] = ""
    options: dict[str, Any] = {}
    stake: Amount = 0
    private: bool = False
    against_computer: bool = False
    seats: Annotated[tuple[Token, ...], Meta(max_length=8)] = ()  # who may sit where; empty: anybody anywhere
    bots: bool = True  # whether empty seats go to bots when everybody who sits is ready
    spectators: bool = True
    pace: str = "human"  # "max" only on a private backend


class JoinRoom(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="join_room", forbid_unknown_fields=True):
    """Sit down in a room, anywhere or in a seat; a private room wants its code."""

    actor: Token
    id: CommandId
    room: Token
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    code: Annotated[str, Meta(max_length=16)] = ""


class LeaveRoom(msgspec.Struct, frozen=True, tag_field="do", tag="leave_room", forbid_unknown_fields=True):
    """Get up before the match starts."""

    actor: Token
    id: CommandId
    room: Token


class ReadyUp(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="ready_up", forbid_unknown_fields=True):
    """Say that one is ready; when everybody seated is, and no seat stays empty, the match starts."""

    actor: Token
    id: CommandId
    room: Token


class QuickPlay(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="quick_play", forbid_unknown_fields=True
):
    """Be seated with others who wait for the same game and stake; bots fill up in time (TBL-4)."""

    actor: Token
    id: CommandId
    game: Annotated[str, Meta(max_length=32)]
    stake: Amount = 0


class ShowRoom(msgspec.Struct, frozen=True, tag_field="do", tag="room", forbid_unknown_fields=True):
    """Show a room."""

    actor: Token
    room: Token


class ListRooms(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="rooms", forbid_unknown_fields=True):
    """List public rooms that wait for players, and the actor's own."""

    actor: Token


LobbyRequest = OpenRoom | JoinRoom | LeaveRoom | ReadyUp | QuickPlay | ShowRoom | ListRooms


class RoomUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """A room as its people see it; sent to each of them at ``seat.player.<player>.room`` after every change."""

    room: str
    game: str
    variant: str
    options: dict[str, Any]
    stake: int
    private: bool
    rake_bps: int = 0  # the operator's commission of the pot, in hundredths of a percent
    owner: str
    seats: tuple[str | None, ...]  # player by seat, None where empty, "bot-…" for a bot
    ready: tuple[bool, ...]
    phase: str  # waiting, holding, playing, closed
    match: str = ""  # the match it plays, once it is opened
    refused: str = ""  # why the last start failed, e.g. INSUFFICIENT_FUNDS
    refused_players: tuple[str, ...] = ()


# --- for scoring ----------------------------------------------------------------------------------------------------


class HoldStakes(msgspec.Struct, frozen=True, tag_field="do", tag="hold_stakes", forbid_unknown_fields=True):
    """Hold the stakes of a match, all or none (TBL-19). Refused INSUFFICIENT_FUNDS with the players in data."""

    match: Token
    stake: Amount
    players: tuple[Token, ...]


class ReleaseStakes(msgspec.Struct, frozen=True, tag_field="do", tag="release_stakes", forbid_unknown_fields=True):
    """Give held stakes back: the match did not open."""

    match: Token


class Deposit(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="deposit", forbid_unknown_fields=True):
    """Put money into a player's account, once per key."""

    key: CommandId
    player: Token
    amount: Annotated[int, Meta(ge=1, le=10**15)]
    actor: Token


class Withdraw(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="withdraw", forbid_unknown_fields=True):
    """Take money out of a player's account, once per key."""

    key: CommandId
    player: Token
    amount: Annotated[int, Meta(ge=1, le=10**15)]
    actor: Token


class ShowBalance(msgspec.Struct, frozen=True, tag_field="do", tag="balance", forbid_unknown_fields=True):
    """Answer ``{"balance", "held"}`` of a player, in minor units."""

    player: Token


class ShowLeaderboard(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="leaderboard", forbid_unknown_fields=True
):
    """Answer a leaderboard's rows."""

    game: Annotated[str, Meta(max_length=32)]
    period: str = "all"
    by: str = "points"


ScoringRequest = HoldStakes | ReleaseStakes | Deposit | Withdraw | ShowBalance | ShowLeaderboard

encode = msgspec.json.Encoder().encode
