"""Random lawful matches of any game through a table, repeatable by their seed."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from domain.game import SPECTATOR, AnyGame, Randomness, Seat, Settings, Viewer
from domain.games import GAMES
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness
from domain.table import decide
from domain.table.decide import Outcome
from domain.table.events import Holder, MatchOpened
from domain.table.match import Match

GAMES_AND_VARIANTS = [(game, variant) for game in GAMES.values() for variant in game.variants]
IDS = [f"{game.name}-{variant}" for game, variant in GAMES_AND_VARIANTS]
MOVES_MAX = 40_000
ENDING = {"pinochle": {"mercy_limit": 1000}}  # options without which chance alone would bid for ever


def seeded(random: Random) -> SeededRandomness:
    return SeededRandomness(random.randbytes(SEED_BYTES))


def opened(game: AnyGame, variant: str, **options: Any) -> MatchOpened:
    complete = checked(game.options, {**ENDING.get(game.name, {}), **options})
    seats = game.seats(Settings(variant=variant, options=complete))
    return MatchOpened(
        game=game.name,
        rules_version=game.rules_version,
        variant=variant,
        options=dict(complete),
        seats=tuple(Holder(f"player-{seat}", staker=True) for seat in range(seats)),
        stake=100,
        owner=0,
        pace="max",
    )


def outcomes(
    game: AnyGame, variant: str, seed: int, *, automatic: float = 0.0, **options: Any
) -> Iterator[tuple[Outcome, Random]]:
    """Yield what each command or time-out of a random match leads to.

    ``automatic`` is the share of the moves that the clock makes.
    """
    random = Random(seed)

    def chance(_match: Match) -> Randomness:
        return seeded(random)

    now = 1_000_000
    outcome = decide.open_match(game, opened(game, variant, **options), now, chance)
    yield outcome, random
    for _ in range(MOVES_MAX):
        match = outcome.match
        if match.ended is not None:
            return
        prompt = match.prompt
        assert prompt is not None
        if random.random() < automatic:
            when = decide.due(match)
            assert when is not None
            now = max(now, when)
            outcome = decide.tick(match, now, chance)
        else:
            seat = random.choice(prompt.seats)
            command = choose(game, match, seat, random)
            now += 50
            outcome = decide.act(match, match.seats[seat].player, command, now, chance)
            assert not outcome.refused, (outcome.refused, command)
        yield outcome, random
    raise AssertionError("the match does not end")


def choose(game: AnyGame, match: Match, seat: Seat, random: Random) -> Any:
    """Return a legal command, chance deciding; the game's automatic one now and then, so that matches end."""
    legal = game.legal(match.play, seat)
    assert legal, f"nothing is legal for seat {seat} of {game.name}"
    if random.random() < 0.3:
        return game.automatic(match.play, seat, seeded(random))
    return random.choice(legal)


def viewers(match: Match) -> list[Viewer]:
    return [*map(Seat, range(len(match.seats))), SPECTATOR]


def as_bytes(value: object) -> bytes:
    return msgspec.json.encode(value)
