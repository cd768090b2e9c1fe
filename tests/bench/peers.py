"""Speed of our rules beside other engines of card games, in one run: ``make bench-peers``.

The others are no dependency of the project. They are measured when they are installed in an environment of their own:

    python3 -m venv .venv-peers
    .venv-peers/bin/pip install open_spiel rlcard

This file runs in that environment, uses nothing of the project's, and asks its command line for our figures. All play
at random, on one core, driven from Python. A shuffle or a deal is not counted, only players' moves: what is legal, one
of it made, and whether the hand is over; time is the processor's, as ours is.
"""

import argparse
import importlib
import importlib.metadata
import json
import platform
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

PEERS = {"open_spiel": "pyspiel", "rlcard": "rlcard"}  # package: module
ENVIRONMENT = ".venv-peers"


class Figure(NamedTuple):
    """What was measured of one game."""

    engine: str
    game: str
    hands_per_second: float
    moves_per_second: float
    moves: int


class Count:
    """Times players' moves only."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.spent = 0.0
        self.hands = self.moves = 0

    def more(self) -> bool:
        return self.spent < self.seconds

    def figure(self, engine: str, game: str) -> Figure:
        hands, moves = self.hands / self.spent, self.moves / self.spent
        return Figure(engine, game, round(hands, 1), round(moves, 1), self.moves)


def open_spiel(seconds: float) -> Iterator[Figure]:
    """Play hearts in OpenSpiel: three cards passed, thirteen tricks, penalty cards; its rules are in C++."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game("hearts")
    chance = random.Random(1)
    count = Count(seconds)
    while count.more():
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, _ = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choice(outcomes))
        began = time.process_time()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            count.moves += 1
        count.spent += time.process_time() - began
        count.hands += 1
    yield count.figure(f"OpenSpiel {version('open_spiel')} (C++)", "hearts")


def rlcard(seconds: float) -> Iterator[Figure]:
    """Play bridge in RLCard: calls and thirteen tricks, its only game of tricks; its rules are in Python."""
    module: Any = importlib.import_module("rlcard")
    chance = random.Random(1)
    environment = module.make("bridge", config={"seed": 1})
    count = Count(seconds)
    while count.more():
        state, _ = environment.reset()
        began = time.process_time()
        while not environment.is_over():
            state, _ = environment.step(chance.choice(list(state["legal_actions"])))
            count.moves += 1
        count.spent += time.process_time() - began
        count.hands += 1
    yield count.figure(f"RLCard {version('rlcard')} (Python)", "bridge")


def ours(command: list[str], seconds: float) -> Iterator[Figure]:
    """Ask the project's own command for its figures."""
    done = subprocess.run([*command, "--seconds", str(seconds), "--json"], capture_output=True, check=True)
    for one in json.loads(done.stdout)["games"]:
        game = f"{one['game']} {one['variant']}"
        yield Figure("Shadda (Python)", game, one["hands_per_second"], one["moves_per_second"], one["moves"])


def version(package: str) -> str:
    return importlib.metadata.version(package)


def missing() -> list[str]:
    """Return the packages of other engines that this environment does not have."""
    lacking = []
    for package, module in PEERS.items():
        try:
            importlib.import_module(module)
        except ImportError:
            lacking.append(package)
    return lacking


def shown(figures: list[Figure]) -> str:
    rows = [("engine", "game", "hands/s", "moves/s", "moves")]
    rows += [
        (one.engine, one.game, f"{one.hands_per_second:,.0f}", f"{one.moves_per_second:,.0f}", f"{one.moves:,}")
        for one in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = [
        "  ".join(text.ljust(width) if place < 2 else text.rjust(width) for place, (text, width) in enumerate(cells))
        for cells in (list(zip(row, widths, strict=True)) for row in rows)
    ]
    return "\n".join(lines)


def main() -> int:
    """Measure what there is, and say what is missing and how it is had."""
    parser = argparse.ArgumentParser(description="Our rules beside other engines of card games.")
    parser.add_argument(
        "--ours", required=True, help="the command that measures ours, for example 'shadda bench engine'"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="for each game (default 3)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args()
    lacking = missing()
    figures: list[Figure] = []
    for package, measure in (("open_spiel", open_spiel), ("rlcard", rlcard)):
        if package not in lacking:
            figures += measure(given.seconds)
    figures += ours(given.ours.split(), given.seconds)
    if given.json:
        document = {
            "python": platform.python_version(),
            "missing": lacking,
            "games": [one._asdict() for one in figures],
        }
        sys.stdout.write(json.dumps(document) + "\n")
        return 0
    sys.stdout.write(f"random play on one core, Python {platform.python_version()}\n{shown(figures)}\n")
    for package in lacking:
        sys.stdout.write(
            f"not measured: {package} is not installed here. To have it:\n"
            f"  python3 -m venv {ENVIRONMENT} && {ENVIRONMENT}/bin/pip install {package}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
