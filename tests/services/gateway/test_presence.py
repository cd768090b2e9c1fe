"""What tables are told of a player's line: TBL-13, TBL-14."""

import asyncio
from typing import Any

import msgspec

from events.messages import GatewayLives, Reply
from events.subjects import GATEWAYS_LIVE
from tests.services.gateway.fakes import MATCH, FakeBus, event, settled, update
from tests.services.gateway.test_shown import Scene, play

LOST = "table.connection_lost.v1"


def told(bus: FakeBus) -> list[tuple[str, str]]:
    return [(body["do"], body["epoch"]) for _, body in bus.requests if "epoch" in body]


def test_a_new_connection_has_a_later_epoch_and_the_end_of_the_old_one_names_the_old() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        await ali.drop()
        await settled()
        ali = await scene.client("ali")
        await settled()
        (first, a), (second, b), (third, c) = told(scene.bus)
        assert [first, second, third] == ["connected", "disconnected", "connected"]
        assert a == b != c
        await ali.drop()

    play(scenario)


def test_the_end_of_one_of_two_lines_is_no_loss() -> None:
    async def scenario(scene: Scene) -> None:
        one, two = await scene.client("ali"), await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        await one.drop()
        await settled()
        assert [what for what, _ in told(scene.bus)] == ["connected"]
        await two.drop()
        await settled()
        assert [what for what, _ in told(scene.bus)] == ["connected", "disconnected"]

    play(scenario)


def test_a_player_who_is_here_and_thought_lost_is_announced_again() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        await scene.bus.show("ali", update(2, event(2, LOST), lost=0))  # somebody else
        await settled()
        assert len(told(scene.bus)) == 1
        await scene.bus.show("ali", update(3, event(3, LOST), lost=99))  # he, as another gateway thinks
        await settled()
        (_, before), (again, after) = told(scene.bus)
        assert again == "connected"
        assert after != before
        await ali.drop()

    play(scenario)


def test_a_match_that_is_over_or_left_hears_nothing_more() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        await scene.bus.show("ali", update(2, event(2, "table.match_voided.v1")))
        await scene.bus.show("ali", update(1, event(1), match="03-left"))
        for _ in range(3):
            await ali.read()
        assert (await ali.ask(id="l", do="leave", table="03-left"))["ok"]
        await ali.drop()
        await settled()
        assert [what for what, _ in told(scene.bus)] == ["connected", "connected"]

    play(scenario)


def test_resume_announces_the_player() -> None:
    async def scenario(scene: Scene) -> None:
        scene.table_at(5)
        ali = await scene.client("ali")
        await ali.ask(id="r", do="resume", table=MATCH)
        await ali.read()
        assert [what for what, _ in told(scene.bus)] == ["connected"]
        await ali.drop()

    play(scenario)


def test_a_table_without_an_owner_is_told_in_the_end_and_in_order() -> None:
    async def scenario(scene: Scene) -> None:
        ready = asyncio.Event()

        def answer(_body: dict[str, Any]) -> Reply:
            if not ready.is_set():
                raise ConnectionError("no owner")
            return Reply(ok=True)

        scene.bus.answers |= {"connected": answer, "disconnected": answer}
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        await ali.drop()
        await asyncio.sleep(0.1)
        assert {what for what, _ in told(scene.bus)} == {"connected"}
        ready.set()
        await scene.gateway.players.presence.close()
        assert [what for what, _ in told(scene.bus)][-2:] == ["connected", "disconnected"]

    play(scenario)


def test_a_gateway_gives_signs_of_life_under_the_name_that_its_lines_carry() -> None:
    lives: list[bytes] = []

    async def scenario(scene: Scene) -> None:
        async def take(_subject: str, body: bytes) -> None:
            lives.append(body)

        await scene.bus.subscribe(GATEWAYS_LIVE, take)
        await scene.gateway.start()
        await settled()
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        await settled()
        (connected,) = scene.bus.asked("connected")
        assert [msgspec.json.decode(body, type=GatewayLives).gateway for body in lives] == [connected["gateway"]]
        await ali.drop()

    play(scenario)
    assert len(lives) == 1, "it is silent once it has closed"
