"""Speed of the rules: random lawful play, decide, evolve and legal for every move, on one core."""

import time
from random import Random
from typing import Any

import msgspec

from domain.game import AnyGame, Seat, Settings
from domain.games import GAMES
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness


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
    moves = hands = 0
    spent = 0.0
    while spent < seconds:
        state = game.start(settings)
        while game.result(state) is None and spent < seconds:
            prompt = game.prompt(state)
            if prompt is None or not prompt.seats:
                chance = SeededRandomness(random.randbytes(SEED_BYTES))
                for event in game.proceed(state, chance):
                    state = game.evolve(state, event)
                continue
            began = time.perf_counter()
            state, closed = _move(game, state, prompt.seats, random)
            spent += time.perf_counter() - began
            moves += 1
            hands += closed
    return Figure(game.name, variant, round(hands / spent, 1), round(moves / spent, 1), moves)


def _move(game: AnyGame, state: Any, seats: tuple[Seat, ...], random: Random) -> tuple[Any, int]:
    """Make one move; return the state after it and how many deals it closed."""
    seat = seats[int(random.random() * len(seats))]
    legal = game.legal(state, seat)
    closed = 0
    for event in game.decide(state, seat, legal[int(random.random() * len(legal))]):
        state = game.evolve(state, event)
        closed += event.__struct_config__.tag in game.closes_deal
    return state, closed
