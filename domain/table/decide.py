"""What happens at a table: players' commands, the clock, absence and bots.

Every function takes the match, the time in milliseconds and the chance it may need, and returns what is to be recorded,
in order. The caller appends that to the log and only then folds it, answers and shows it.
"""

from enum import StrEnum
from typing import Any, Final

import msgspec

from domain.game import AnyGame, CommandRejected, Prompt, Seat
from domain.table.events import (
    BotSeated,
    CameBack,
    ClockExtended,
    ConnectionLost,
    ConnectionRestored,
    MatchOpened,
    MatchVoided,
    PlayerLeft,
    SeatTakenBack,
    TimedOut,
    WentAway,
)
from domain.table.match import SYSTEM, Cause, Match, Recorded, SeatHeld, begin
from domain.table.steps import Chance, Steps

GRACE_SECONDS: Final = 60  # TBL-13
AWAY_SECONDS: Final = 2  # TBL-12
ABANDONED_SECONDS: Final = 24 * 3600  # TBL-17
TIMEOUTS_TO_AWAY: Final = 2  # TBL-12


class Refusal(StrEnum):
    """Why the table itself refuses a command; every game has codes of its own beside these."""

    MATCH_OVER = "MATCH_OVER"
    NOT_SEATED = "NOT_SEATED"
    LEFT_THE_MATCH = "LEFT_THE_MATCH"
    TOO_LATE = "TOO_LATE"
    BAD_COMMAND = "BAD_COMMAND"
    NOT_FOR_BOTS = "NOT_FOR_BOTS"


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What a command led to: events to record, and the refusal, if it was refused.

    A refused command may record that its player is back (TBL-12, TBL-14), and nothing else.
    """

    match: Match  # as it stands once that is recorded
    recorded: tuple[Recorded, ...] = ()
    refused: str = ""


def open_match(game: AnyGame, event: MatchOpened, at: int, chance: Chance, play: Any = None) -> Outcome:
    """Open a match and make its first deal; ``play`` begins it elsewhere than at the first deal."""
    steps = Steps(begin(game, event, at, play), at, chance)
    steps.recorded.append(Recorded(event, at))
    steps.settle()
    return _done(steps)


def _done(steps: Steps, refused: str = "") -> Outcome:
    return Outcome(steps.match, tuple(steps.recorded), refused)


def act(match: Match, actor: str, command: Any, at: int, chance: Chance, command_id: str = "") -> Outcome:
    """Decide on the command of a player, or of the bot that acts for a seat."""
    seat, refused = _seated(match, actor)
    if seat is None:
        return Outcome(match, refused=refused)
    steps = Steps(match, at, chance)
    cause = Cause.BOT if match.seats[seat].bot == actor else Cause.PLAYER
    if cause is Cause.BOT and match.prompt is not None and match.prompt.personal:
        return Outcome(match, refused=Refusal.NOT_FOR_BOTS)
    if cause is Cause.PLAYER:
        _back(steps, seat)
    steps.command = command_id  # from here on: a return happens whether or not the command is accepted
    try:
        steps.play(seat, command, actor, cause)
    except CommandRejected as rejected:
        late = _is_late(match, seat, command)
        reason = Refusal.TOO_LATE if late and rejected.reason != Refusal.MATCH_OVER else rejected.reason
        return _done(steps, reason.value)
    if cause is Cause.PLAYER:
        _wait_for_no_bot(steps)
    steps.settle()
    return _done(steps)


def _wait_for_no_bot(steps: Steps) -> None:
    """Close a display that everybody has seen: it waits for people only (PIN-44)."""
    prompt = steps.match.prompt
    if prompt is None or prompt.commands != ("ready",):
        return
    if all(steps.match.seats[seat].bot for seat in prompt.seats):
        for seat in prompt.seats:
            _automatic(steps, prompt, seat, Cause.BOT)


def no_command(match: Match, actor: str, at: int, chance: Chance) -> Outcome:
    """Refuse what is no command of the game; it shows all the same that its sender is there (TBL-12)."""
    seat, refused = _seated(match, actor)
    if seat is None:
        return Outcome(match, refused=refused)
    steps = Steps(match, at, chance)
    if match.seats[seat].bot != actor:
        _back(steps, seat)
    return _done(steps, Refusal.BAD_COMMAND)


def _seated(match: Match, actor: str) -> tuple[Seat | None, str]:
    """Return the seat that an actor may act for, or None and the refusal."""
    seat = match.seat_of(actor)
    if seat is None:
        return None, Refusal.NOT_SEATED
    if match.ended is not None:
        return None, Refusal.MATCH_OVER
    if match.seats[seat].left and match.seats[seat].player == actor:
        return None, Refusal.LEFT_THE_MATCH
    return seat, ""


def _own(match: Match, seat: Seat, player: str) -> bool:
    """Say whether a seat is this person's: a bot's name has no line and cannot leave (TBL-16)."""
    return match.seats[seat].player == player != match.seats[seat].bot


def _back(steps: Steps, seat: Seat) -> None:
    """Record that a player who sends something is back: from a bot, or from being away."""
    held = steps.match.seats[seat]
    if held.bot:
        steps.add(SeatTakenBack(seat), held.player, Cause.PLAYER)
    elif held.away:
        steps.add(CameBack(seat), held.player, Cause.PLAYER)


def _is_late(match: Match, seat: Seat, command: Any) -> bool:
    """Say whether the clock has closed the prompt that a command answers (TBL-10, TRX-128).

    Who is asked the same again, as in his next turn, is not late but has his answer from the game.
    """
    name = command.__struct_config__.tag
    prompt, held = match.prompt, match.seats[seat]
    if prompt is not None and seat in prompt.seats and (name in prompt.commands or prompt.kind == held.late_for):
        return False
    return name in held.too_late


def connected(match: Match, player: str, epoch: str, at: int, chance: Chance) -> Outcome:
    """Note a player's new connection; he has his seat back from a bot at once (TBL-14, TRX-131)."""
    seat, refused = _seated(match, player)
    if seat is None or refused or not _own(match, seat, player) or match.seats[seat].epoch == epoch:
        return Outcome(match)
    steps = Steps(match, at, chance)
    steps.add(ConnectionRestored(seat, epoch), player, Cause.PLAYER)
    if match.seats[seat].bot:
        steps.add(SeatTakenBack(seat), player, Cause.PLAYER)
    return _done(steps)


def disconnected(match: Match, player: str, epoch: str, at: int, chance: Chance) -> Outcome:
    """Note that a connection was lost: 60 s of grace begin (TBL-13). The end of an older one changes nothing.

    A table against the computer waits a day instead (TBL-17).
    """
    seat, refused = _seated(match, player)
    if seat is None or refused:
        return Outcome(match)
    held = match.seats[seat]
    if held.epoch != epoch or held.lost_until or held.bot:
        return Outcome(match)
    steps = Steps(match, at, chance)
    steps.add(ConnectionLost(seat, steps.at + _grace(match)), player)
    return _done(steps)


def leave(match: Match, player: str, at: int, chance: Chance, command_id: str = "") -> Outcome:
    """Let a player leave on purpose: a bot takes over at once; a staked table of two is forfeited (TBL-15)."""
    seat, refused = _seated(match, player)
    if seat is None or not _own(match, seat, player):
        return Outcome(match, refused=refused or Refusal.NOT_SEATED)
    steps = Steps(match, at, chance, command_id)
    steps.add(PlayerLeft(seat), player, Cause.PLAYER)
    if match.opened.stake and len(match.seats) == 2 and match.seats[seat].staker:
        steps.end(forfeit=seat)
    elif not match.seats[seat].bot:
        _seat_bot(steps, seat)
        steps.settle()
    return _done(steps)


def _seat_bot(steps: Steps, seat: Seat) -> None:
    """Give a seat to a bot (TBL-13). A window that is open it closes on what stands, adding nothing (TRX-133)."""
    steps.add(BotSeated(seat, bot_of(seat)))
    prompt = steps.match.prompt
    if prompt is not None and prompt.window:
        _automatic(steps, prompt, seat, Cause.BOT)


def void(match: Match, reason: str, at: int, chance: Chance, actor: str) -> Outcome:
    """Call a running match off; every stake goes back."""
    if match.ended is not None:
        return Outcome(match, refused=Refusal.MATCH_OVER)
    steps = Steps(match, at, chance)
    players = tuple(held.player for held in match.seats)
    stakers = tuple(held.staker for held in match.seats)
    stake, room = match.opened.stake, match.opened.room
    steps.add(MatchVoided(reason=reason, stake=stake, players=players, stakers=stakers, room=room), actor)
    return _done(steps)


def bot_of(seat: Seat) -> str:
    """Return the name of the bot that takes over a seat whose player is gone."""
    return f"bot-standin-{seat}"


def due(match: Match) -> int | None:
    """Return when the system has to act next if nobody does, in milliseconds, or None."""
    if match.ended is not None:
        return None
    times = [held.lost_until for held in match.seats if held.lost_until]
    prompt = match.prompt
    if prompt is not None:
        times.append(_abandoned(match))
        clock = match.clock
        if clock is not None and clock.number == prompt.number:
            times.append(clock.deadline)
            if any(match.seats[seat].away for seat in prompt.seats):
                times.append(min(clock.deadline, clock.began + match.span(AWAY_SECONDS)))
    return min(times, default=None)


def _abandoned(match: Match) -> int:
    """Return when the match is given up if nobody but the clock acts until then (TBL-17)."""
    return match.answered + match.span(ABANDONED_SECONDS)


def tick(match: Match, now: int, chance: Chance) -> Outcome:
    """Do the next thing that is due by ``now``, if anything is. Call again until nothing is recorded."""
    when = due(match)
    if when is None or when > now:
        return Outcome(match)
    lost = [Seat(seat) for seat, held in enumerate(match.seats) if 0 < held.lost_until <= now]
    if _abandoned(match) <= now or (lost and match.opened.against_computer):
        return void(match, "abandoned", now, chance, SYSTEM)
    steps = Steps(match, now, chance)
    if lost:
        for seat in lost:
            _seat_bot(steps, seat)
        steps.settle()
        return _done(steps)
    prompt, clock = match.prompt, match.clock
    assert prompt is not None
    assert clock is not None, "only a clock or a lost line is due before the match is given up"
    if clock.deadline <= now:
        _close(steps, prompt)
    else:
        for seat in prompt.seats:
            if match.seats[seat].away:
                _automatic(steps, prompt, seat, Cause.AWAY)
    steps.settle()
    return _done(steps)


def _close(steps: Steps, prompt: Prompt) -> None:
    """Let the clock close a prompt: the automatic policy answers for every seat that has not (TBL-9)."""
    if not prompt.seats:
        steps.proceed()
        return
    steps.add(TimedOut(prompt.seats, prompt.commands, counts=not (prompt.window or prompt.personal)), cause=Cause.CLOCK)
    for seat in prompt.seats:
        held: SeatHeld = steps.match.seats[seat]
        if not held.away and not held.bot and held.timeouts >= TIMEOUTS_TO_AWAY:
            steps.add(WentAway(seat), cause=Cause.CLOCK)
        _automatic(steps, prompt, seat, Cause.CLOCK)


def _automatic(steps: Steps, prompt: Prompt, seat: Seat, cause: Cause) -> None:
    """Answer a prompt for a seat by the game's automatic policy, until the prompt no longer waits for it."""
    game = steps.match.game
    while True:
        asked = steps.match.prompt
        if asked is None or asked.number != prompt.number or seat not in asked.seats:
            return
        chance = steps.chance(steps.match)
        if chance is None:
            return
        command = game.automatic(steps.match.play, seat, chance)
        steps.play(seat, command, steps.match.seats[seat].actor, cause)


def recover(match: Match, now: int, stopped: int, chance: Chance) -> Outcome:
    """Go on with a match whose table was out of service since ``stopped``.

    Every open deadline moves by that time (TBL-11). Who is still connected is not known: every player has the grace of
    a lost line, and a gateway that has him says so at once.
    """
    if match.ended is not None:
        return Outcome(match)
    steps = Steps(match, now, chance)
    added = steps.at - max(stopped, match.touched)
    if added > 0 and due(match) is not None:
        steps.add(ClockExtended(added))
        prompt, clock = match.prompt, match.clock
        if prompt is not None and clock is not None and clock.number == prompt.number:
            steps.move_deadline(clock.deadline + added)
    for seat, held in enumerate(match.seats):
        if held.human and not held.bot and not held.lost_until:
            steps.add(ConnectionLost(seat, steps.at + _grace(match)))
    return _done(steps)


def _grace(match: Match) -> int:
    """Return how long a lost line may take to come back, in milliseconds (TBL-13, TBL-17)."""
    return match.span(ABANDONED_SECONDS if match.opened.against_computer else GRACE_SECONDS)
