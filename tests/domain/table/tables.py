"""A table to try the rules of the table on: a match, its log, and a clock that only the test moves."""

from enum import StrEnum
from random import Random
from typing import Any, Final

from domain.game import AnyGame, CommandRejected, Prompt, Randomness, Seat, Settings
from domain.games import GAMES
from domain.games.basra.commands import Play
from domain.games.trix.commands import CHOICES
from domain.games.trix.contracts import Contract
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness
from domain.table import decide
from domain.table.decide import Outcome
from domain.table.events import Holder, MatchEnded, MatchOpened, MatchVoided
from domain.table.match import Match, Recorded, SeatHeld, begin, evolve
from domain.table.steps import state_hash
from events.codec import kind_of

OPENED: Final = 1_790_000_000_000  # when every table here opens, in milliseconds
SECOND: Final = 1000
FOUR: Final = ("ali", "badr", "carim", "dana")
TWO: Final = ("ali", "badr")
NO_CARD: Final = Play("")  # a command that is always refused: nobody holds such a card


class Table:
    """A match under way. Everything that is decided goes through ``take``, which checks what must always be so."""

    def __init__(self, game: str = "basra", variant: str = "", seed: int = 1, **fields: Any) -> None:
        self.game: AnyGame = GAMES[game]
        self.random = Random(seed)
        self.now = OPENED
        self.log: list[Recorded] = []
        variant = variant or self.game.variants[0]
        options = checked(self.game.options, fields.pop("options", {}))
        count = self.game.seats(Settings(variant=variant, options=options))
        seats = tuple(Holder(player) for player in FOUR[:count])
        self.opened = MatchOpened(
            **{
                "game": self.game.name,
                "rules_version": self.game.rules_version,
                "variant": variant,
                "options": dict(options),
                "seats": seats,
                **fields,
            }
        )
        self.match: Match
        self.take(decide.open_match(self.game, self.opened, self.now, self.chance))

    def chance(self, _match: Match) -> Randomness:
        return SeededRandomness(self.random.randbytes(SEED_BYTES))

    def take(self, outcome: Outcome) -> Outcome:
        """Keep what is recorded. The log alone gives the match, and a refusal leaves the game as it was."""
        if outcome.refused:
            assert state_hash(outcome.match) == state_hash(self.match)
        for step in outcome.recorded:
            self.log.append(step)
            self.match = evolve(self.match, step) if len(self.log) > 1 else begin(self.game, step.event, step.at)
        assert self.match == outcome.match
        return outcome

    @property
    def prompt(self) -> Prompt:
        prompt = self.match.prompt
        assert prompt is not None
        return prompt

    @property
    def turn(self) -> Seat:
        """Return the one seat that is asked."""
        (seat,) = self.prompt.seats
        return seat

    @property
    def deadline(self) -> int:
        """Return the deadline of the wait that is on."""
        clock = self.match.clock
        assert clock is not None
        assert clock.number == self.prompt.number
        return clock.deadline

    def held(self, seat: int) -> SeatHeld:
        return self.match.seats[seat]

    def player(self, seat: int) -> str:
        return self.match.seats[seat].player

    def legal(self, seat: int) -> Any:
        return self.game.legal(self.match.play, Seat(seat))[0]

    def act(self, seat: int, command: Any = None, *, actor: str = "", command_id: str = "") -> Outcome:
        """Let a seat's player, or another actor, send a command now; the first legal one unless it is given."""
        sent = self.legal(seat) if command is None else command
        return self.take(decide.act(self.match, actor or self.player(seat), sent, self.now, self.chance, command_id))

    def move(self) -> Seat:
        """Let the seat to act make a move a second later."""
        seat = self.turn
        self.now += SECOND
        assert self.act(seat).refused == ""
        return seat

    def wait(self, seconds: float) -> list[Recorded]:
        """Let time pass; return what the system did meanwhile."""
        until, done = self.now + int(seconds * SECOND), len(self.log)
        while (when := decide.due(self.match)) is not None and when <= until:
            self.now = max(self.now, when)
            assert self.take(decide.tick(self.match, self.now, self.chance)).recorded
        self.now = until
        return self.log[done:]

    def run_out(self) -> list[Recorded]:
        """Let the clock of the wait that is on run out, and nothing after it."""
        self.now = self.deadline
        done = len(self.log)
        number = self.prompt.number
        while self.match.prompt is not None and self.prompt.number == number and self.match.ended is None:
            assert self.take(decide.tick(self.match, self.now, self.chance)).recorded
        return self.log[done:]

    def until_turn_of(self, seat: int) -> None:
        """Let the others move until this seat is asked, alone."""
        for _ in range(200):
            if self.prompt.seats == (seat,):
                return
            if len(self.prompt.seats) == 1:
                self.move()
            else:
                self.wait((self.deadline - self.now) / SECOND)
        raise AssertionError("the seat is never asked")

    def lose(self, seat: int, epoch: str | None = None) -> Outcome:
        named = self.held(seat).epoch if epoch is None else epoch
        return self.take(decide.disconnected(self.match, self.player(seat), named, self.now, self.chance))

    def connect(self, seat: int, epoch: str) -> Outcome:
        return self.take(decide.connected(self.match, self.player(seat), epoch, self.now, self.chance))

    def leave(self, seat: int) -> Outcome:
        return self.take(decide.leave(self.match, self.player(seat), self.now, self.chance))

    def void(self, reason: str = "called off") -> Outcome:
        return self.take(decide.void(self.match, reason, self.now, self.chance, "operator-1"))

    def recover(self, stopped: int) -> Outcome:
        return self.take(decide.recover(self.match, self.now, stopped, self.chance))

    def finish(self) -> MatchEnded | MatchVoided:
        """Let the clock play the match to its end."""
        while self.match.ended is None:
            when = decide.due(self.match)
            assert when is not None
            self.now = max(self.now, when)
            self.take(decide.tick(self.match, self.now, self.chance))
        return self.match.ended


def answer(game: AnyGame, play: Any, seat: int, command: Any) -> StrEnum | tuple[Any, ...]:
    """Return the rules' answer to a command: events, or the code of a refusal."""
    try:
        return tuple(game.decide(play, Seat(seat), command))
    except CommandRejected as rejected:
        return rejected.reason


def kinds(recorded: Any) -> list[str]:
    """Return the names of what was recorded, without ``v1``."""
    steps = recorded.recorded if isinstance(recorded, Outcome) else recorded
    return [kind_of(step.event).removesuffix(".v1") for step in steps]


def staked(*players: str, bots: tuple[int, ...] = ()) -> tuple[Holder, ...]:
    """Return seats whose people have staked; a bot's seat has no stake."""
    return tuple(
        Holder(f"bot-{seat}", bot=True) if seat in bots else Holder(player, staker=True)
        for seat, player in enumerate(players)
    )


def trix(variant: str = "individual", **fields: Any) -> Table:
    """Return a Trix table at which the owner is about to choose a contract."""
    return Table("trix", variant, **fields)


def doubling(**fields: Any) -> Table:
    """Return a Trix table with the doubling window of KING open."""
    table = trix(**fields)
    table.act(table.turn, CHOICES[Contract.KING])
    assert table.prompt.kind == "doubling"
    return table
