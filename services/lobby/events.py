"""What happens to a room. Tags and fields are stored for ever: add, never rename or reuse.

One stream a room. Times are milliseconds since 1970, UTC; amounts are minor units; seats count from 0.
"""

from typing import Any

import msgspec


class RoomOpened(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="lobby.room_opened.v1"):
    """The first event of a room: everything that is fixed for it (TBL-3)."""

    room: str
    game: str
    variant: str
    options: dict[str, Any]  # complete and checked
    seats: int  # how many there are
    owner: str = ""  # empty: quick play opened it
    stake: int = 0
    rake_bps: int = 0  # the commission of its pots, shown before anybody joins (TBL-24)
    code: str = ""  # of a private room
    reserved: tuple[str, ...] = ()  # by seat, who alone may sit there; seats beyond are for anybody
    bots: bool = True
    against_computer: bool = False
    spectators: bool = True
    pace: str = "human"
    quick: bool = False
    until: int = 0  # quick play: when bots fill the empty seats (TBL-4)


class PlayerSeated(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.player_seated.v1"):
    """A player sat down."""

    player: str
    seat: int


class PlayerLeft(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.player_left.v1"):
    """A player got up, or lost his place; while a match runs, his seat is free from its end on (TBL-15)."""

    player: str
    seat: int
    reason: str = ""  # empty: he wanted to


class PlayerReady(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.player_ready.v1"):
    """A player said that he is ready."""

    player: str
    seat: int


class Holder(msgspec.Struct, frozen=True):
    """Who holds a seat in a match."""

    player: str
    bot: bool = False
    staker: bool = False


class MatchPrepared(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="lobby.match_prepared.v1"):
    """Everybody is ready: the match has its id and its seats. Nothing has been asked of others yet."""

    match: str
    ordinal: int  # counts this lobby's matches from 1
    seats: tuple[Holder, ...]
    stake: int = 0  # 0 where too few can stake (TBL-20)
    rake_bps: int = 0
    owner: int | None = None  # the seat of the room's owner
    first: int | None = None  # the starter that the series prescribes


class StakesHeld(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.stakes_held.v1"):
    """The stakes of the match are held, all of them (TBL-19)."""

    match: str


class HoldRefused(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.hold_refused.v1"):
    """The stakes could not be held: the room waits again."""

    match: str
    code: str
    players: tuple[str, ...] = ()  # those who cannot pay
    until: int = 0  # quick play: the new time at which bots fill up


class MatchStarted(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.match_started.v1"):
    """The match is open at its table."""

    match: str


class OpenRefused(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.open_refused.v1"):
    """The table refused to open the match; its stakes, if any, have to go back."""

    match: str
    code: str


class StakesReleased(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.stakes_released.v1"):
    """The stakes of a match that did not open are back; ``code`` if scoring refused to give them back again."""

    match: str
    code: str = ""


class MatchOver(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.match_over.v1"):
    """The match has ended or was called off; the room waits until then for another one (TBL-7)."""

    match: str
    voided: bool
    until: int
    first: int | None = None  # the starter of the next match, if the same people play it


class WaitExtended(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.wait_extended.v1"):
    """The lobby was out of service while a wait ran out: it runs anew (TBL-11)."""

    until: int


class RoomClosed(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby.room_closed.v1"):
    """The last event of a room."""

    reason: str  # empty, idle, no_rematch, played, refused


Event = (
    RoomOpened
    | PlayerSeated
    | PlayerLeft
    | PlayerReady
    | MatchPrepared
    | StakesHeld
    | HoldRefused
    | MatchStarted
    | OpenRefused
    | StakesReleased
    | MatchOver
    | WaitExtended
    | RoomClosed
)

LOBBY_EVENTS: tuple[type[Event], ...] = (
    RoomOpened,
    PlayerSeated,
    PlayerLeft,
    PlayerReady,
    MatchPrepared,
    StakesHeld,
    HoldRefused,
    MatchStarted,
    OpenRefused,
    StakesReleased,
    MatchOver,
    WaitExtended,
    RoomClosed,
)
