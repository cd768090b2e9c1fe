"""Speed of the rules: random lawful play, decide, evolve and legal for every move, on one core.

The clock is the processor's own, so that other work on the machine does not count; shuffles and deals are left out.
"""

import time
from collections.abc import Iterator
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


class Stretch(msgspec.Struct):
    """Moves that the system does not interrupt, and the state that they begin from."""

    state: Any
    begins_hand: bool  # a deal has just been made; else the system has done something in mid-hand
    moves: list[tuple[Seat, Any]]


def engine(seconds: float) -> list[Figure]:
    """Measure every game and variant for so long each."""
    return [_measure(game, variant, seconds) for game in GAMES.values() for variant in game.variants]


def _measure(game: AnyGame, variant: str, seconds: float) -> Figure:
    settings = Settings(variant=variant, options=checked(game.options, {}), owner=Seat(0))
    random = Random(1)  # noqa: S311 - the same play in every run, nothing is at stake
    moves = hands = 0
    spent = 0.0
    while spent < seconds:
        for stretch in _played(game, settings, random):
            began = time.process_time()
            _play(game, stretch)
            spent += time.process_time() - began
            moves += len(stretch.moves)
            hands += stretch.begins_hand
    return Figure(game.name, variant, round(hands / spent, 1), round(moves / spent, 1), moves)


def _play(game: AnyGame, stretch: Stretch) -> None:
    """Make the moves again: this is what is measured."""
    legal, decide, evolve = game.legal, game.decide, game.evolve
    state = stretch.state
    for seat, command in stretch.moves:
        legal(state, seat)
        for event in decide(state, seat, command):
            state = evolve(state, event)


def _played(game: AnyGame, settings: Settings, random: Random) -> Iterator[Stretch]:
    """Yield the stretches of a match in which every move is drawn from the lawful ones."""
    state = game.start(settings)
    stretch = Stretch(state, begins_hand=False, moves=[])
    for _ in range(MOVES):
        prompt = game.prompt(state)
        if prompt is not None and prompt.seats:
            seat = random.choice(prompt.seats)
            command = random.choice(game.legal(state, seat))
            stretch.moves.append((seat, command))
            for event in game.decide(state, seat, command):
                state = game.evolve(state, event)
            continue
        if game.result(state) is not None:
            break
        events = game.proceed(state, SeededRandomness(random.randbytes(SEED_BYTES)))
        for event in events:
            state = game.evolve(state, event)
        yield stretch
        deals = any(kind_of(event) in game.opens_deal for event in events)
        stretch = Stretch(state, begins_hand=deals, moves=[])
    yield stretch
