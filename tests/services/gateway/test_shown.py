"""What a player is shown: every event once and in order, or the whole view."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from events.messages import Reply
from services.core import Message
from services.gateway.gateway import Gateway
from tests.services.gateway.fakes import MATCH, Client, FakeBus, event, gateway_of, room, settled, update


class Scene:
    """A gateway and its bus."""

    def __init__(self, **settings: Any) -> None:
        """Begin with nobody connected."""
        self.bus = FakeBus()
        self.gateway: Gateway = gateway_of(self.bus, **settings)

    async def client(self, player: str) -> Client:
        client = Client(self.gateway)
        await client.hello(player)
        return client

    def table_at(self, version: int, **more: Any) -> None:
        """Let the table answer that it stands at a version."""
        self.bus.answers["resume"] = lambda _: Reply(ok=True, data=update(version, **more))


def play(scenario: Callable[[Scene], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        scene = Scene(**settings)
        await scenario(scene)
        await scene.gateway.close()

    asyncio.run(run())


def whole(version: int) -> dict[str, Any]:
    return {"table": MATCH, "version": version, "view": {"seat": 0, "seats": [{"lost_until": 0}], "at": version}}


def step(version: int, *, last: bool = False) -> dict[str, Any]:
    frame: dict[str, Any] = {"table": MATCH, "version": version, "event": event(version)}
    return frame | {"view": whole(version)["view"]} if last else frame


def test_every_event_is_a_frame_and_the_last_has_the_view() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(3, event(1), event(2), event(3)))
        await scene.bus.show("ali", update(4, event(4)))
        await scene.bus.show("ali", update(4))
        frames = [await ali.read() for _ in range(5)]
        assert frames == [step(1), step(2), step(3, last=True), step(4, last=True), whole(4)]
        await ali.drop()

    play(scenario)


def test_only_the_players_own_seats_are_followed_and_only_while_he_is_there() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        bo = await scene.client("bo")
        await scene.bus.show("bo", update(1, event(1)))
        assert await bo.read() == step(1, last=True)
        assert ali.silent()
        assert sorted(scene.bus.followed) == ["seat.player.ali.>", "seat.player.bo.>"]
        await ali.drop()
        await bo.drop()
        await asyncio.sleep(0.05)
        assert len(scene.gateway.players) == 0
        assert not any(scene.bus.followed.values())

    play(scenario, linger_seconds=0.01)


def test_resume_without_a_version_gives_the_whole_view() -> None:
    async def scenario(scene: Scene) -> None:
        scene.table_at(57)
        ali = await scene.client("ali")
        assert await ali.ask(id="r", do="resume", table=MATCH) == {"re": "r", "ok": True}
        assert await ali.read() == whole(57)
        assert scene.bus.asked("resume") == [{"do": "resume", "match": MATCH, "actor": "ali"}]
        await ali.drop()

    play(scenario)


def test_resume_gives_exactly_what_was_missed() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(2, event(1), event(2)))
        await ali.drop()
        await scene.bus.show("ali", update(4, event(3), event(4)))
        await scene.bus.show("ali", update(5, event(5)))
        scene.table_at(5)
        ali = await scene.client("ali")
        assert await ali.ask(id="r", do="resume", table=MATCH, version=2) == {"re": "r", "ok": True}
        assert [await ali.read() for _ in range(3)] == [step(3), step(4), step(5, last=True)]
        assert await ali.ask(id="s", do="resume", table=MATCH, version=5) == {"re": "s", "ok": True}
        await settled()
        assert ali.silent()
        await ali.drop()

    play(scenario)


def test_what_is_no_longer_known_or_never_was_gives_the_whole_view() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        for number in range(1, 7):
            await scene.bus.show("ali", update(number, event(number)))
            await ali.read()
        scene.table_at(6)
        for version in (0, 1, 7, 10**9):
            await ali.ask(id="r", do="resume", table=MATCH, version=version)
            assert await ali.read() == whole(6)
        await ali.ask(id="r", do="resume", table=MATCH, version=3)
        assert [await ali.read() for _ in range(3)] == [step(4), step(5), step(6, last=True)]
        await ali.drop()

    play(scenario, buffer_events=4)


def test_a_gap_on_the_bus_is_never_papered_over() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        await scene.bus.show("ali", update(4, event(4)))  # 2 and 3 were lost
        assert [await ali.read() for _ in range(2)] == [step(1, last=True), step(4, last=True)]
        scene.table_at(4)
        await ali.ask(id="r", do="resume", table=MATCH, version=1)
        assert await ali.read() == whole(4)
        await ali.drop()

    play(scenario)


def test_an_answer_ahead_of_the_subject_leaves_nobody_behind() -> None:
    async def scenario(scene: Scene) -> None:
        one, two = await scene.client("ali"), await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        assert [await one.read(), await two.read()] == [step(1, last=True)] * 2
        scene.table_at(3)
        await one.ask(id="r", do="resume", table=MATCH, version=1)
        assert [await one.read(), await two.read()] == [whole(3)] * 2
        await scene.bus.show("ali", update(3, event(2), event(3)))  # what it was ahead of
        await scene.bus.show("ali", update(4, event(4)))
        assert [await one.read(), await two.read()] == [step(4, last=True)] * 2
        await one.drop()
        await two.drop()

    play(scenario)


def test_who_missed_the_end_is_still_shown_it() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        await scene.bus.show("ali", update(1, event(1)))
        await ali.drop()
        end = event(2, "table.match_ended.v1")
        await scene.bus.show("ali", update(2, end))
        scene.bus.answers["resume"] = lambda _: Reply(ok=False, refused="MATCH_OVER")
        ali = await scene.client("ali")
        assert (await ali.ask(id="r", do="resume", table=MATCH, version=1))["ok"]
        assert (await ali.read())["event"] == end
        assert (await ali.ask(id="r", do="resume", table="03-other"))["refused"] == "MATCH_OVER"
        await ali.drop()

    play(scenario)


def test_rooms_are_shown_and_lead_to_the_match() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        await scene.bus.show_room("ali", room("ali", None))
        shown = (await ali.read())["room"]
        assert (shown["room"], shown["seats"], shown["phase"]) == ("room-1", ["ali", None], "waiting")
        assert scene.bus.asked("connected") == []
        await scene.bus.show_room("ali", room("ali", "bot-1", phase="playing", match=MATCH))
        assert (await ali.read())["room"]["match"] == MATCH
        await settled()
        (connected,) = scene.bus.asked("connected")
        assert (connected["match"], connected["actor"]) == (MATCH, "ali")
        await ali.drop()

    play(scenario)


def test_who_comes_back_is_shown_his_rooms_and_his_tables_hear_of_it() -> None:
    async def scenario(scene: Scene) -> None:
        rooms = [room("ali", "bo", phase="playing", match=MATCH), room("bo", None)]
        scene.bus.answers["rooms"] = lambda _: Reply(ok=True, data={"rooms": rooms})
        ali = await scene.client("ali")
        assert (await ali.read())["room"]["match"] == MATCH
        await settled()
        assert ali.silent()
        assert len(scene.bus.asked("connected")) == 1
        await ali.drop()

    play(scenario)


def test_spectators_are_shown_what_is_public() -> None:
    async def scenario(scene: Scene) -> None:
        scene.bus.answers["watch"] = lambda _: Reply(ok=True, data=update(7))
        ali, bo = await scene.client("ali"), await scene.client("bo")
        for client in (ali, bo):
            assert await client.ask(id="w", do="watch", table=MATCH) == {"re": "w", "ok": True}
            assert await client.read() == whole(7)
        assert len(scene.bus.followed[f"public.{MATCH}"]) == 1

        async def show(version: int) -> None:
            body = msgspec.json.encode(update(version, event(version)))
            await scene.bus.publish(Message(f"public.{MATCH}", body))

        await show(8)
        assert [await ali.read(), await bo.read()] == [step(8, last=True)] * 2
        assert (await ali.ask(id="u", do="unwatch", table=MATCH))["ok"]
        await show(9)
        assert await bo.read() == step(9, last=True)
        assert ali.silent()
        assert scene.bus.asked("connected") == []
        await bo.drop()
        assert not scene.bus.followed[f"public.{MATCH}"]
        await ali.drop()

    play(scenario)


def test_a_table_that_may_not_be_watched_is_not() -> None:
    async def scenario(scene: Scene) -> None:
        scene.bus.answers["watch"] = lambda _: Reply(ok=False, refused="NO_SPECTATORS")
        ali = await scene.client("ali")
        assert (await ali.ask(id="w", do="watch", table=MATCH))["refused"] == "NO_SPECTATORS"
        assert not scene.bus.followed[f"public.{MATCH}"]
        await scene.bus.show("ali", update(1, event(1)))
        await ali.read()
        assert (await ali.ask(id="w", do="watch", table=MATCH))["refused"] == "ALREADY_SEATED"
        await ali.drop()

    play(scenario)


def test_pin_87_a_game_may_want_whoever_was_away_to_see_the_whole_view_and_nothing_that_he_missed() -> None:
    for game, missed in (("trix", 2), ("pinochle", 0)):

        async def scenario(scene: Scene, game: str = game, missed: int = missed) -> None:
            ali = await scene.client("ali")
            await scene.bus.show("ali", update(3, event(1), event(2), event(3), game=game))
            for _ in range(3):
                await ali.read()
            scene.table_at(3, game=game)
            assert (await ali.ask(id="r", do="resume", table=MATCH, version=1))["ok"]
            frames = [await ali.read() for _ in range(max(1, missed))]
            assert ["event" in frame for frame in frames] == ([True] * missed or [False])
            assert "view" in frames[-1]
            assert ali.silent()
            await ali.drop()

        play(scenario)


def test_a_match_in_a_partition_that_there_is_not_is_unknown_at_once() -> None:
    async def scenario(scene: Scene) -> None:
        ali = await scene.client("ali")
        asked = len(scene.bus.requests)
        for do, fields in (("resume", {}), ("leave", {}), ("play", {"card": "AS"}), ("watch", {})):
            for table in ("nope", "99-0190aa"):
                answer = await ali.ask(id=f"{do}-{table}", do=do, table=table, **fields)
                assert answer["refused"] == "UNKNOWN_MATCH"
        assert len(scene.bus.requests) == asked
        await ali.drop()

    play(scenario, partitions=("03", "04"))
