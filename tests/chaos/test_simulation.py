"""Staked matches in a world that fails at random end settled, and nothing that was acknowledged is lost."""

import asyncio

import pytest

from tests.chaos.virtual import VirtualLoop, run
from tests.chaos.world import FUNDS, Actor, World, seats_of

SHORT = [("basra", "single_hand"), ("basra", "match"), ("leekha", "standard"), ("trix", "complex_partnership")]


def simulate(
    seed: int, game: str, variant: str, *, trouble: float = 0.02, harm_seconds: float = 4.0, wisdom: float = 0.0
) -> World:
    """Play a match between people, with bots in the seats that are left, while everything fails; check the record."""
    worlds: list[World] = []

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
        total = sum(FUNDS for _ in people)
        balances = dict.fromkeys(people, 0)
        for event in world.ledger():
            for posting in getattr(event, "postings", ()):
                name = posting.account.partition(":")[2]
                if posting.account.startswith("player:") and name in balances:
                    balances[name] += posting.amount
        assert sum(balances.values()) == total

    run(seed, whole)
    return worlds[0]


@pytest.mark.parametrize(("game", "variant"), SHORT)
def test_every_game_under_fire(game: str, variant: str) -> None:
    world = simulate(1, game, variant)
    assert sum(len(actor.accepted) for actor in world.actors.values()) > 10
