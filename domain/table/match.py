"""The state of a match at a table, and its fold."""

from enum import StrEnum
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.game import AnyGame, Prompt, Result, Seat, Settings
from domain.table.events import (
    BotSeated,
    CameBack,
    ClockExtended,
    ConnectionLost,
    ConnectionRestored,
    MatchEnded,
    MatchOpened,
    MatchVoided,
    PlayerLeft,
    SeatTakenBack,
    TimedOut,
    WentAway,
)


class Cause(StrEnum):
    """Why an event happened (TBL-9)."""

    PLAYER = "player"
    CLOCK = "clock"
    AWAY = "away"
    BOT = "bot"
    SYSTEM = "system"


_OWN: Final = (Cause.PLAYER, Cause.AWAY, Cause.BOT)  # causes by which a seat answers its own prompt
_ANSWERS: Final = (Cause.PLAYER, Cause.BOT)  # causes that show that somebody is there

SYSTEM: Final = "system"  # the actor of the system's own steps


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An event with what its envelope says of it. Times are milliseconds since 1970, UTC."""

    event: Any
    at: int
    actor: str = SYSTEM
    cause: Cause = Cause.SYSTEM
    command: str = ""
    deadline: int = 0
    state: str = ""


class SeatHeld(msgspec.Struct, frozen=True, gc=False):
    """One seat: whose it is, who acts for it now, and how present he is."""

    player: str
    staker: bool = False
    bot: str = ""  # the bot that acts for it now; empty while its player does
    left: bool = False  # its player left on purpose (TBL-15)
    epoch: str = ""  # the player's latest connection
    lost_until: int = 0  # while the line is lost: when a bot takes the seat
    away: bool = False
    timeouts: int = 0  # in a row
    too_late: tuple[str, ...] = ()  # commands that the clock has closed on, in this deal (TBL-10)
    late_for: str = ""  # the kind of the wait that it closed

    @property
    def human(self) -> bool:
        """Say whether the seat belongs to a person who has not left."""
        return not self.left and self.bot != self.player

    @property
    def actor(self) -> str:
        """Return who acts for the seat now."""
        return self.bot or self.player


class Clock(msgspec.Struct, frozen=True, gc=False):
    """The clock of one prompt: when it began and when it runs out."""

    number: int
    began: int
    deadline: int


class Match(msgspec.Struct, frozen=True):
    """A match at a table: the game's own state and everything around it."""

    game: AnyGame
    opened: MatchOpened
    settings: Settings
    play: Any  # the game's state
    seats: tuple[SeatHeld, ...]
    began: int  # when it was opened
    deal: int = 0  # counts from 1
    clock: Clock | None = None
    ended: MatchEnded | MatchVoided | None = None
    touched: int = 0  # when the last event happened
    answered: int = 0  # when the last one happened that the clock did not bring about

    @property
    def prompt(self) -> Prompt | None:
        """Return whom the game waits for."""
        return None if self.ended is not None else self.game.prompt(self.play)

    @property
    def result(self) -> Result | None:
        """Return how the game ended, once it has."""
        result: Result | None = self.game.result(self.play)
        return result

    @property
    def teams(self) -> tuple[int, ...] | None:
        """Return the team of each seat, or None where all play alone."""
        return self.game.teams(self.settings)

    @property
    def pace(self) -> str:
        """Return the pace: full speed where it was asked for, or where nobody is left to wait for (TBL-17)."""
        opened = self.opened
        if opened.stake:
            unwatched = all(held.left for held in self.seats if held.staker)
        else:
            unwatched = all(held.bot for held in self.seats)
        return "max" if unwatched else opened.pace

    def seat_of(self, actor: str) -> Seat | None:
        """Return the seat that a player owns, or that a bot acts for now."""
        for seat, held in enumerate(self.seats):
            if actor and actor in (held.player, held.bot):
                return Seat(seat)
        return None

    def span(self, seconds: float) -> int:
        """Return a span of the rules in milliseconds at this match's time scale."""
        return int(seconds * 1000 / self.opened.time_scale)


def begin(game: AnyGame, event: MatchOpened, at: int, play: Any = None) -> Match:
    """Return the match that its first event describes; ``play`` begins it elsewhere than at the first deal."""
    owner = None if event.owner is None else Seat(event.owner)
    first = None if event.first is None else Seat(event.first)
    settings = Settings(
        variant=event.variant, options=event.options, owner=owner, owner_absent=event.owner_absent is True, first=first
    )
    seats = tuple(
        SeatHeld(holder.player, holder.staker, bot=holder.player if holder.bot else "") for holder in event.seats
    )
    state = game.start(settings) if play is None else play
    return Match(game, event, settings, state, seats, began=at, touched=at, answered=at)


def _held(match: Match, seat: int, **changes: Any) -> tuple[SeatHeld, ...]:
    seats = list(match.seats)
    seats[seat] = replace(seats[seat], **changes)
    return tuple(seats)


def evolve(match: Match, recorded: Recorded) -> Match:
    """Fold one event, full or redacted, into the match. Total: it asserts and never refuses."""
    event = recorded.event
    if event.__struct_config__.tag.startswith("table."):
        match = _evolve_table(match, recorded)
    else:
        match = _evolve_game(match, recorded)
    if recorded.deadline:
        prompt = match.game.prompt(match.play)
        assert prompt is not None, "a deadline is given for a wait"
        match = with_clock(match, recorded, prompt.number)
    return match


def _touched(match: Match, recorded: Recorded, **changes: Any) -> Match:
    """Return the match with changes that an event made, and with its time."""
    answered = recorded.cause in _ANSWERS or isinstance(recorded.event, ClockExtended)
    return replace(match, touched=recorded.at, answered=recorded.at if answered else match.answered, **changes)


def with_clock(match: Match, recorded: Recorded, number: int) -> Match:
    """Start the clock of the prompt with this number, or move its deadline if it runs already."""
    running = match.clock is not None and match.clock.number == number
    began = match.clock.began if running and match.clock else recorded.at
    return replace(match, clock=Clock(number, began, recorded.deadline))


def _evolve_game(match: Match, recorded: Recorded) -> Match:
    event = recorded.event
    play = match.game.evolve(match.play, event)
    seats = match.seats
    if recorded.cause in _OWN:
        seat = match.seat_of(recorded.actor)
        if seat is not None and (seats[seat].timeouts or seats[seat].too_late):
            timeouts = 0 if recorded.cause is Cause.PLAYER else seats[seat].timeouts
            seats = _held(match, seat, timeouts=timeouts, too_late=())
    if event.__struct_config__.tag in match.game.opens_deal:
        if any(held.too_late for held in seats):
            seats = tuple(replace(held, too_late=()) for held in seats)
        return _touched(match, recorded, play=play, seats=seats, deal=match.deal + 1)
    return _touched(match, recorded, play=play, seats=seats)


def _evolve_table(match: Match, recorded: Recorded) -> Match:
    event = recorded.event
    match event:
        case MatchEnded() | MatchVoided():
            return _touched(match, recorded, ended=event)
        case TimedOut():
            seats = _timed_out(match, event)
        case ClockExtended(added_ms=added):
            seats = tuple(replace(h, lost_until=h.lost_until + added) if h.lost_until else h for h in match.seats)
        case _:
            seats = _held(match, event.seat, **_presence(event))
    return _touched(match, recorded, seats=seats)


def _presence(event: Any) -> dict[str, Any]:
    """Return what an event about one seat changes of it."""
    match event:
        case ConnectionLost(until=until):
            return {"lost_until": until}
        case ConnectionRestored(epoch=epoch):
            return {"lost_until": 0, "epoch": epoch}
        case WentAway():
            return {"away": True}
        case CameBack():
            return {"away": False, "timeouts": 0}
        case BotSeated(bot=bot):
            return {"bot": bot, "away": False, "timeouts": 0, "lost_until": 0}
        case SeatTakenBack():
            return {"bot": "", "away": False, "timeouts": 0}
        case PlayerLeft():
            return {"left": True, "lost_until": 0}
    raise AssertionError(event)


def _timed_out(match: Match, event: TimedOut) -> tuple[SeatHeld, ...]:
    seats = list(match.seats)
    closed = match.game.prompt(match.play)
    kind = "" if closed is None else closed.kind
    for seat in event.seats:
        held = seats[seat]
        counted = held.timeouts + 1 if event.counts and not held.bot else held.timeouts
        seats[seat] = replace(held, timeouts=counted, too_late=event.commands, late_for=kind)
    return tuple(seats)
