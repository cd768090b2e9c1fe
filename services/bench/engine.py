"""Speed of the rules: random lawful play, decide, evolve and legal for every move, on one core.

The clock is the processor's own, so that other work on the machine does not count; shuffles and deals are left out.
"""

import time
from random import Random
from typing import Any, Final

import msgspec

from domain.game import AnyGame, Seat, Settings
from domain.games import GAMES
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness
from events.codec import kind_of

MOVES: Final = 3_000  # after which a match that chance does not end is left


class Figure(msgspec.Struct, frozen=True):
    """What was measured for one game and variant."""

    game: str
    variant: str
    hands_per_second: float
    moves_per_second: float
    moves: int


def engine(seconds: float) -> list[Figure]:
    """Measure every game and variant for so long each."""
    return [_measure(game, variant, seconds) for game in GAMES.values() for variant in game.variants]


def _measure(game: AnyGame, variant: str, seconds: float) -> Figure:
    settings = Settings(variant=variant, options=checked(game.options, {}), owner=Seat(0))
    random = Random(1)  # noqa: S311 - the same play in every run, nothing is at stake
    closes = {event for event in game.events if kind_of(event) in game.closes_deal}
    moves = hands = 0
    dealing = 0.0
    began = time.process_time()
    while (spent := time.process_time() - began - dealing) < seconds:
        state = game.start(settings)
        for _ in range(MOVES):
            prompt = game.prompt(state)
            if prompt is not None and prompt.seats:
                state, closed = _move(game, state, prompt.seats, random, closes)
                moves += 1
                hands += closed
                continue
            if game.result(state) is not None:
                break
            paused = time.process_time()
            for event in game.proceed(state, SeededRandomness(random.randbytes(SEED_BYTES))):
                state = game.evolve(state, event)
            dealing += time.process_time() - paused
    return Figure(game.name, variant, round(hands / spent, 1), round(moves / spent, 1), moves)


def _move(
    game: AnyGame, state: Any, seats: tuple[Seat, ...], random: Random, closes: set[type[Any]]
) -> tuple[Any, int]:
    """Make one move; return the state after it and how many deals it closed."""
    seat = seats[int(random.random() * len(seats))]
    legal = game.legal(state, seat)
    closed = 0
    for event in game.decide(state, seat, legal[int(random.random() * len(legal))]):
        state = game.evolve(state, event)
        closed += type(event) in closes
    return state, closed
