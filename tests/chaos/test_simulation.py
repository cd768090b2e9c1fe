"""Staked matches in a world that fails at random end settled, and nothing that was acknowledged is lost."""

import asyncio
import logging
from collections.abc import Iterator

import pytest
import structlog

from domain.games import GAMES
from domain.journal.books import player_account
from domain.journal.events import Posted
from tests.chaos.virtual import VirtualLoop, run
from tests.chaos.world import FUNDS, Actor, World, seats_of

GAMES_AND_VARIANTS = [(name, variant) for name, game in GAMES.items() for variant in game.variants]
SHORT = [("basra", "single_hand"), ("basra", "match"), ("leekha", "standard"), ("trix", "complex_partnership")]


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    """Leave out what the services log: here everything fails all the time, and drawing tracebacks takes most of it."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


def simulate(seed: int, game: str, variant: str, *, trouble: float = 0.02, harm_seconds: float = 4.0) -> World:
    """Play a match between people, with bots in the seats that are left, while everything fails; check the record.

    ``trouble`` is how often the bus loses or repeats something; some harm is done every ``harm_seconds`` or so.
    """
    worlds: list[World] = []
    wisdom = 1.0 if game == "pinochle" else 0.8  # who plays at random never makes a bid, and the match goes on and on

    async def whole(loop: VirtualLoop) -> None:
        world = World(loop, trouble=trouble, wisdom=wisdom)
        worlds.append(world)
        seats = seats_of(game, variant)
        people = [f"p{seat}" for seat in range(max(2, seats - world.random.randrange(2)))]
        bots = [f"bot-{number}" for number in range(1, seats - len(people) + 1)]
        world.actors = {name: Actor(world, name) for name in (*people, *bots)}
        for process in world.processes:
            process.start()
        harm = asyncio.create_task(world.harm(harm_seconds))
        try:
            match = await world.sit(game, variant, people, stake=100)
            await world.play(match, people, bots)
            await world.settled(people)
        finally:
            harm.cancel()
            await asyncio.gather(harm, return_exceptions=True)
            for process in world.processes:
                await process.kill()
        world.check()
        moved = [one for event in world.ledger() if isinstance(event, Posted) for one in event.postings]
        accounts = {player_account(name) for name in people}
        assert sum(one.amount for one in moved if one.account in accounts) == FUNDS * len(people)

    run(seed, whole)
    return worlds[0]


@pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS)
def test_every_game_under_fire(game: str, variant: str) -> None:
    world = simulate(1, game, variant)
    assert sum(len(actor.accepted) for actor in world.actors.values()) > 10


@pytest.mark.parametrize("seed", range(2, 18))
def test_many_worlds(seed: int) -> None:
    simulate(seed, *SHORT[seed % len(SHORT)], trouble=0.1 if seed % 3 == 0 else 0.02)


def test_a_seed_is_a_world() -> None:
    worlds = [simulate(3, "basra", "match") for _ in range(2)]
    assert worlds[0].loop.now == worlds[1].loop.now
    assert worlds[0].kills == worlds[1].kills > 0
    assert worlds[0].logs["00"].tail(0, 10_000) == worlds[1].logs["00"].tail(0, 10_000)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(26, 1026))
def test_very_many_worlds(seed: int) -> None:
    game, variant = GAMES_AND_VARIANTS[seed % len(GAMES_AND_VARIANTS)]
    simulate(seed, game, variant, trouble=0.1 if seed % 3 == 0 else 0.02, harm_seconds=1.0 + seed % 7)
