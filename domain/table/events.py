"""Events of the table around any game. Tags and fields are stored for ever: add, never rename or reuse."""

from typing import Literal

import msgspec

from domain.options import OptionValue


class Holder(msgspec.Struct, frozen=True):
    """Who holds a seat when the match starts: a player, or a bot, and whether he has a stake in the pot."""

    player: str
    bot: bool = False
    staker: bool = False


class MatchOpened(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="table.match_opened.v1"):
    """The first event of a match: everything that is fixed for it."""

    game: str
    rules_version: int
    variant: str
    options: dict[str, OptionValue]
    seats: tuple[Holder, ...]
    stake: int = 0  # minor units, of each staker
    rake_bps: int = 0
    room: str = ""
    owner: int | None = None  # the room owner's seat
    owner_absent: Literal[True] | msgspec.UnsetType = (
        msgspec.UNSET
    )  # there is an owner, and he does not sit; else left out
    first: int | None = None  # the starter that a running series prescribes
    against_computer: bool = False  # TBL-5
    spectators: bool = False  # TBL-30
    time_scale: int = 1  # divides every span of time; 1 in production
    pace: str = "human"  # "max": no pauses between hands and no delays of bots
    ordinal: int = 0  # which of its backend's matches this is: picks its shuffles on a private, seeded one


class ConnectionLost(msgspec.Struct, frozen=True, tag_field="kind", tag="table.connection_lost.v1"):
    """A player's line dropped; a bot takes his seat at ``until`` (milliseconds) unless he is back (TBL-13)."""

    seat: int
    until: int


class ConnectionRestored(msgspec.Struct, frozen=True, tag_field="kind", tag="table.connection_restored.v1"):
    """A player is connected; ``epoch`` names the connection, so that an older one's end is ignored (TBL-14)."""

    seat: int
    epoch: str


class TimedOut(msgspec.Struct, frozen=True, tag_field="kind", tag="table.timed_out.v1"):
    """The clock closed on these seats; ``counts`` unless the wait was a window that closes on ready (TBL-12)."""

    seats: tuple[int, ...]
    commands: tuple[str, ...]  # what would have answered in time
    counts: bool


class WentAway(msgspec.Struct, frozen=True, tag_field="kind", tag="table.went_away.v1"):
    """Two time-outs in a row: the system acts for the seat until its player sends a command (TBL-12)."""

    seat: int


class CameBack(msgspec.Struct, frozen=True, tag_field="kind", tag="table.came_back.v1"):
    """The player of an away seat sent a command."""

    seat: int


class BotSeated(msgspec.Struct, frozen=True, tag_field="kind", tag="table.bot_seated.v1"):
    """A bot acts for the seat from now on: its player was gone for too long, or left (TBL-13, TBL-15)."""

    seat: int
    bot: str


class SeatTakenBack(msgspec.Struct, frozen=True, tag_field="kind", tag="table.seat_taken_back.v1"):
    """The player has his seat back from the bot (TBL-14)."""

    seat: int


class PlayerLeft(msgspec.Struct, frozen=True, tag_field="kind", tag="table.player_left.v1"):
    """The player left on purpose and may not come back in this match (TBL-15)."""

    seat: int


class ClockExtended(msgspec.Struct, frozen=True, tag_field="kind", tag="table.clock_extended.v1"):
    """The table could not accept commands for a while, so every open deadline moves by so much (TBL-11)."""

    added_ms: int


class MatchEnded(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="table.match_ended.v1"):
    """The last event of a match that was played out: the result and what everybody gets."""

    totals: tuple[int, ...]
    team_totals: tuple[int, ...] | None
    places: tuple[int, ...]
    pot: int
    rake: int
    payouts: tuple[int, ...]  # minor units by seat; bots 0
    players: tuple[str, ...]  # by seat, as they held them at the start
    game: str
    variant: str
    stake: int
    stakers: tuple[bool, ...]
    room: str = ""
    next_first: int | None = None  # the starter that a running series prescribes for the next match
    forfeit: int | None = None  # the seat that left a staked table of two


class MatchVoided(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="table.match_voided.v1"):
    """The last event of a match that was called off: every stake goes back in full (TBL-24)."""

    reason: str
    stake: int
    players: tuple[str, ...]
    stakers: tuple[bool, ...]
    room: str = ""


TableEvent = (
    MatchOpened
    | ConnectionLost
    | ConnectionRestored
    | TimedOut
    | WentAway
    | CameBack
    | BotSeated
    | SeatTakenBack
    | PlayerLeft
    | ClockExtended
    | MatchEnded
    | MatchVoided
)

TABLE_EVENTS: tuple[type[TableEvent], ...] = (
    MatchOpened,
    ConnectionLost,
    ConnectionRestored,
    TimedOut,
    WentAway,
    CameBack,
    BotSeated,
    SeatTakenBack,
    PlayerLeft,
    ClockExtended,
    MatchEnded,
    MatchVoided,
)

PUBLIC_FACTS = (
    "table.match_opened.v1",
    "table.bot_seated.v1",
    "table.seat_taken_back.v1",
    "table.player_left.v1",
    "table.match_ended.v1",
    "table.match_voided.v1",
)
