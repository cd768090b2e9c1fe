"""The recorder of one decision: it folds what is decided as it goes, and makes the system's own steps after it."""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.game import Prompt, Seat
from domain.shuffle import Randomness
from domain.stakes import shares
from domain.table.events import MatchEnded
from domain.table.match import SYSTEM, Cause, Match, Recorded, evolve, with_clock

Chance = Callable[[Match], Randomness | None]  # what chance a match gets next; None: none is to be had, so it waits


class Steps:
    """What one decision records, and the match as it then stands."""

    __slots__ = ("at", "chance", "command", "match", "recorded")

    def __init__(self, match: Match, at: int, chance: Chance, command: str = "") -> None:
        """Begin from a match, at a time, with the chance it may need, for the command with this id."""
        self.match = match
        self.at = max(at, match.touched)  # a clock that was set back never runs the log backwards
        self.chance = chance
        self.command = command
        self.recorded: list[Recorded] = []

    def add(self, event: Any, actor: str = SYSTEM, cause: Cause = Cause.SYSTEM) -> None:
        """Record one event and fold it."""
        step = Recorded(event, self.at, actor, cause, self.command)
        self.match = evolve(self.match, step)
        if event.__struct_config__.tag in self.match.game.closes_deal:
            step = replace(step, state=state_hash(self.match))
        self.recorded.append(step)

    def play(self, seat: Seat, command: Any, actor: str, cause: Cause) -> None:
        """Let the game decide on a seat's command; raises CommandRejected and then records nothing."""
        for event in self.match.game.decide(self.match.play, seat, command):
            self.add(event, actor, cause)

    def proceed(self) -> bool:
        """Make one step that the system owes, such as a deal; say whether there was the chance that it needs."""
        match = self.match
        chance = self.chance(match)
        if chance is None:
            return False
        for event in match.game.proceed(match.play, chance):
            self.add(event)
        return True

    def settle(self) -> None:
        """Make the steps that the system owes, then end the match or start its clock."""
        while self.match.ended is None:
            prompt = self.match.prompt
            if prompt is not None and (prompt.seats or self.match.pace != "max"):
                self._start_clock(prompt)
                break
            if self.match.result is not None:
                self.end()
            elif not self.proceed():
                break

    def end(self, forfeit: Seat | None = None) -> None:
        """Close the match with its result and the shares of its pot (TBL-18 to TBL-24)."""
        self.add(_ended(self.match, forfeit))

    def move_deadline(self, deadline: int) -> None:
        """Give the running clock a new deadline, with the event recorded last."""
        match = self.match
        assert match.clock is not None
        self.recorded[-1] = replace(self.recorded[-1], deadline=deadline)
        self.match = with_clock(match, self.recorded[-1], match.clock.number)

    def _start_clock(self, prompt: Prompt) -> None:
        match = self.match
        if not self.recorded or (match.clock is not None and match.clock.number == prompt.number):
            return
        span = clock_span(match, prompt)
        if span is not None:
            self.recorded[-1] = replace(self.recorded[-1], deadline=self.at + span)
            self.match = with_clock(match, self.recorded[-1], prompt.number)


def clock_span(match: Match, prompt: Prompt) -> int | None:
    """Return the milliseconds that a prompt allows, or None where no clock runs (TBL-5)."""
    free = match.opened.against_computer and not match.game.clock_against_bots
    if free and any(match.seats[seat].human for seat in prompt.seats):
        return None
    return max(1, match.span(prompt.seconds))


def state_hash(match: Match) -> str:
    """Return the hash of the game's state in its canonical form, the same for ever under one rules version."""
    canonical = msgspec.json.encode(match.game.canonical(match.play), order="deterministic")
    return hashlib.sha256(canonical).hexdigest()


def _ended(match: Match, forfeit: Seat | None) -> MatchEnded:
    opened = match.opened
    stakers = tuple(held.staker for held in match.seats)
    if forfeit is not None:
        seats = len(match.seats)
        places = tuple(2 if seat == forfeit else 1 for seat in range(seats))
        totals, team_totals, first, next_first = (0,) * seats, None, 0, None
    else:
        result = match.result
        assert result is not None, "a match ends with a result"
        places, totals, team_totals, first = result.places, result.totals, result.team_totals, result.first
        next_first = result.next_first
    staked = opened.stake > 0 and any(stakers)
    pot = shares(
        stake=opened.stake if staked else 0,
        stakers=stakers if staked else (True,) * len(stakers),
        places=places,
        teams=match.teams,
        first=first,
        rake_bps=opened.rake_bps,
    )
    return MatchEnded(
        totals=totals,
        team_totals=team_totals,
        places=places,
        pot=pot.pot,
        rake=pot.rake,
        payouts=pot.payouts,
        players=tuple(held.player for held in match.seats),
        game=opened.game,
        variant=opened.variant,
        stake=opened.stake,
        stakers=stakers,
        room=opened.room,
        next_first=next_first,
        forfeit=forfeit,
    )
