"""Matches as they were once recorded, one file each, and the program that adds more of them.

    python -m tests.history.recordings

plays the matches of ``PLANS`` that have no file yet and writes them down. A file that is there is never written again:
it says how a match of that game, under that version of its rules, was kept, and it must read and fold alike for ever.
A line is one event with what its envelope says of it; what has its default is left out. The last line sums the match
up: how many events, and a digest over the hash of the game's state after every single one of them.
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from domain.game import AnyGame, Randomness, Seat, Settings
from domain.games import GAMES
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness
from domain.table import decide
from domain.table.decide import Outcome
from domain.table.events import Holder, MatchOpened
from domain.table.match import Match, Recorded, begin, evolve
from domain.table.steps import state_hash
from events.codec import kind_of

FOLDER: Final = Path(__file__).parent / "matches"
SUMS: Final = FOLDER / "SHA256SUMS"
PLAYERS: Final = ("سامي", "rana", "omar", "ليلى")
OPENED: Final = 1_796_000_000_000  # when these matches open: 2026-11-30
SEEDS: Final = 4000  # tried for a match that shows all that its plan wants shown


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A match to record: what it is of, who decides, and what its log has to show."""

    name: str
    game: str
    variant: str = ""
    options: dict[str, Any] = {}
    bots: tuple[int, ...] = ()
    stake: int = 0
    rake_bps: int = 0
    pace: str = "human"
    play: tuple[float, float, float] = (0.8, 0.12, 0.08)  # shares of the bots' choice, of chance, of the clock
    trouble: float = 0.02  # how often somebody's line is lost or comes back, or the service stops
    leaves: float = 0.0  # how often somebody leaves for good
    voided: int = 0  # after how many steps it is called off
    must: tuple[str, ...] = ()  # kinds of events that have to occur
    seed: int = 1


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of a recorded match."""

    event: dict[str, Any]
    at: int
    actor: str = "system"
    cause: str = "system"
    command: str = ""
    deadline: int = 0
    state: str = ""


class Summary(msgspec.Struct, frozen=True):
    """The last line of a recorded match."""

    events: int
    states: str


PRESENCE: Final = (
    "table.connection_lost.v1",
    "table.connection_restored.v1",
    "table.bot_seated.v1",
    "table.seat_taken_back.v1",
    "table.clock_extended.v1",
)
ABSENCE: Final = ("table.timed_out.v1", "table.went_away.v1", "table.came_back.v1")

PLANS: Final = (
    Plan(name="trix-individual-r1", game="trix", variant="individual", stake=250, must=("trix.doubles_selected.v1",)),
    Plan(
        name="trix-partnership-r1",
        game="trix",
        variant="partnership",
        stake=100,
        bots=(3,),
        must=("trix.twos_shown.v1", "trix.passed.v1"),
    ),
    Plan(name="trix-complex-r1", game="trix", variant="complex", stake=700, rake_bps=250, must=PRESENCE, trouble=0.1),
    Plan(
        name="trix-complex_partnership-r1",
        game="trix",
        variant="complex_partnership",
        must=(*ABSENCE, "table.player_left.v1"),
        play=(0.3, 0.1, 0.6),
        leaves=0.01,
    ),
    Plan(
        name="trix-voided-r1", game="trix", variant="individual", stake=40, voided=60, must=("table.match_voided.v1",)
    ),
    Plan(name="banakil-standard-r1", game="banakil", stake=500, must=("banakil.ground_taken.v1",)),
    Plan(
        name="banakil-options-r1",
        game="banakil",
        bots=(1, 3),
        pace="max",
        options={"target": 150, "own_suit_two_is_natural": True, "bankala_free_move": True, "add_requires_open": True},
        must=("banakil.stock_rebuilt.v1",),
        play=(0.75, 0.05, 0.2),
        trouble=0.0,
    ),
    Plan(name="basra-match-r1", game="basra", variant="match", stake=1000, must=("basra.floor_card_replaced.v1",)),
    Plan(name="basra-single_hand-r1", game="basra", variant="single_hand", bots=(1,), pace="max"),
    Plan(
        name="basra-options-r1",
        game="basra",
        variant="match",
        stake=5,
        options={
            "players": 4,
            "target": 61,
            "capture_overlap": "union",
            "komi_basra": "equal_groups_le_10",
            "jack_on_jack": 30,
        },
        must=("basra.leftovers_taken.v1",),
    ),
    Plan(
        name="basra-forfeit-r1",
        game="basra",
        stake=1000,
        rake_bps=100,
        leaves=0.02,
        must=("table.player_left.v1", "table.match_ended.v1"),
    ),
    Plan(name="bint_sbeet-standard-r1", game="bint_sbeet", stake=300, must=("leekha.minus_shown.v1", *ABSENCE)),
    Plan(
        name="bint_sbeet-options-r1",
        game="bint_sbeet",
        bots=(2,),
        pace="max",
        options={
            "target": 51,
            "pass_cycle": ("none", "right"),
            "talyeekh": "void_or_covered",
            "hearts_double_when_both": False,
            "minus_basis": "no_penalty_cards",
        },
    ),
    Plan(name="leekha-standard-r1", game="leekha", stake=300, must=("leekha.doubles_shown.v1",)),
    Plan(
        name="leekha-options-r1",
        game="leekha",
        pace="max",
        options={
            "target": 51,
            "pass_cycle": ("none",),
            "doubling": False,
            "talyeekh": "void",
            "end_basis": "individual",
        },
    ),
    Plan(name="pinochle-standard-r1", game="pinochle", stake=2000, must=("pinochle.meld_closed.v1",)),
    Plan(
        name="pinochle-passing-r1",
        game="pinochle",
        options={
            "target_score": 1000,
            "pass_count": 3,
            "concede": True,
            "run_extras": True,
            "double_values": "twice",
            "mercy_limit": 1000,
        },
        play=(0.6, 0.3, 0.1),
        must=("pinochle.cards_given.v1", "pinochle.played_on.v1", "pinochle.hand_conceded.v1"),
    ),
    Plan(
        name="pinochle-redeals-r1",
        game="pinochle",
        pace="max",
        options={
            "target_score": 1000,
            "nines_redeal": True,
            "pass_count": 4,
            "pass_style": "simultaneous",
            "heading": "trump_led_only",
            "save_meld": "point",
            "mercy_limit": 1000,
        },
        play=(0.5, 0.25, 0.25),
        trouble=0.0,
        must=("pinochle.redeal_asked.v1", "pinochle.deal_passed_out.v1", "pinochle.pass_chosen.v1"),
    ),
)


class Unsalted(SeededRandomness):
    """Chance that gives no secrets for a proof of the deal: they would be half of a file."""

    def salts(self, count: int) -> tuple[str, ...]:  # noqa: ARG002 - the signature is the port's
        """Return none."""
        return ()


class World:
    """Plays one match by its plan, with people who come and go."""

    def __init__(self, plan: Plan, seed: int) -> None:
        """Open the match."""
        self.plan = plan
        self.random = Random(seed)
        self.game = GAMES[plan.game]
        self.now = OPENED
        self.log: list[Recorded] = []
        self.match: Match
        self._take(decide.open_match(self.game, self._opened(), self.now, self._chance))

    def _opened(self) -> MatchOpened:
        plan, game = self.plan, self.game
        variant = plan.variant or game.variants[0]
        options = checked(game.options, plan.options)
        count = game.seats(Settings(variant=variant, options=options))
        seats = tuple(
            Holder(f"bot-{seat}", bot=True) if seat in plan.bots else Holder(PLAYERS[seat], staker=plan.stake > 0)
            for seat in range(count)
        )
        return MatchOpened(
            game=game.name,
            rules_version=game.rules_version,
            variant=variant,
            options=dict(options),
            seats=seats,
            stake=plan.stake,
            rake_bps=plan.rake_bps,
            room="room-1",
            owner=0,
            pace=plan.pace,
        )

    def _chance(self, _match: Match) -> Randomness:
        return Unsalted(self.random.randbytes(SEED_BYTES))

    def _take(self, outcome: Outcome) -> None:
        self.log.extend(outcome.recorded)
        self.match = outcome.match

    def run(self) -> list[Recorded]:
        """Play the match to its end and return its log."""
        steps = 0
        while self.match.ended is None:
            steps += 1
            self.now += self.random.randrange(300, 4000)
            self._due()
            if self.match.ended is not None:
                break
            if steps == self.plan.voided:
                self._take(decide.void(self.match, "called off", self.now, self._chance, "operator-1"))
            elif self.random.random() < self.plan.trouble:
                self._trouble()
            elif self.random.random() < self.plan.leaves:
                player = self.random.choice([held for held in self.match.seats if held.human] or [self.match.seats[0]])
                self._take(decide.leave(self.match, player.player, self.now, self._chance))
            else:
                self._move(steps)
        return self.log

    def _due(self) -> None:
        while (when := decide.due(self.match)) is not None and when <= self.now:
            self._take(decide.tick(self.match, self.now, self._chance))

    def _move(self, step: int) -> None:
        prompt = self.match.prompt
        assert prompt is not None
        by_bot, by_chance, _ = self.plan.play
        draw = self.random.random()
        if not prompt.seats or draw > by_bot + by_chance:
            self.now = max(self.now, decide.due(self.match) or 0)
            self._due()
            return
        seat = Seat(self.random.choice(prompt.seats))
        held = self.match.seats[seat]
        if draw < by_bot:
            command = self.game.bot(self.game.view(self.match.play, seat), self._chance(self.match))
        else:
            command = self.random.choice(self.game.legal(self.match.play, seat))
        outcome = decide.act(self.match, held.actor, command, self.now, self._chance, f"c-{step}")
        assert not outcome.refused, (outcome.refused, command)
        self._take(outcome)

    def _trouble(self) -> None:
        seat = self.random.randrange(len(self.match.seats))
        held = self.match.seats[seat]
        kind = self.random.randrange(5)
        if kind == 0:
            stopped = self.now
            self.now += self.random.randrange(1000, 90_000)
            self._take(decide.recover(self.match, self.now, stopped, self._chance))
        elif held.lost_until or held.bot or not held.epoch:
            self._take(decide.connected(self.match, held.player, f"epoch-{self.now}", self.now, self._chance))
        else:
            self._take(decide.disconnected(self.match, held.player, held.epoch, self.now, self._chance))


def lines(game: AnyGame, log: list[Recorded]) -> Iterator[bytes]:
    """Yield the lines of a file for a match's log."""
    match: Match | None = None
    digest = hashlib.sha256()
    for step in log:
        match = begin(game, step.event, step.at) if match is None else evolve(match, step)
        digest.update(state_hash(match).encode())
        event = msgspec.json.decode(msgspec.json.encode(step.event))
        line = Line(event, step.at, step.actor, str(step.cause), step.command, step.deadline, step.state)
        yield msgspec.json.encode(line)
    yield msgspec.json.encode(Summary(len(log), digest.hexdigest()))


def play(plan: Plan) -> list[Recorded]:
    """Play the first match, by seed, that shows what its plan wants shown."""
    for seed in range(plan.seed, plan.seed + SEEDS):
        log = World(plan, seed).run()
        if {kind_of(step.event) for step in log} >= set(plan.must):
            return log
    raise SystemExit(f"{plan.name}: no match in {SEEDS} shows {', '.join(plan.must)}")


def add() -> None:
    """Record every match that has a plan and no file."""
    FOLDER.mkdir(exist_ok=True)
    for plan in PLANS:
        file = FOLDER / f"{plan.name}.jsonl"
        if file.exists():
            continue
        log = play(plan)
        content = b"".join(line + b"\n" for line in lines(GAMES[plan.game], log))
        with file.open("xb") as new:
            new.write(content)
        with SUMS.open("a") as sums:
            sums.write(f"{hashlib.sha256(content).hexdigest()}  {file.name}\n")
        sys.stdout.write(f"{file.name}: {len(log)} events, {len(content):,} bytes\n")


if __name__ == "__main__":
    add()
