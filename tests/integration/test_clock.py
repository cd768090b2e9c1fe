"""Clocks, absence and lost lines against real time, forty times faster than in production."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from domain.table.events import (
    BotSeated,
    CameBack,
    ConnectionLost,
    ConnectionRestored,
    MatchEnded,
    SeatTakenBack,
    TimedOut,
    WentAway,
)
from domain.table.match import Cause, Recorded
from tests.integration.line import Line, sign_in
from tests.integration.records import assert_sound, steps_of
from tests.integration.running import READY, Group, Up
from tests.integration.tables import lines, names, play_out, seated, until

pytestmark = pytest.mark.xdist_group("clock")

SCALE = 40
GRACE_MS = 60_000 // SCALE
LATE_MS = 1_500  # how much later than its time the clock may act here, with other tests on the machine
SLOW = {"contract_seconds": 120, "doubling_seconds": 120, "turn_seconds": 120}  # three seconds here


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A backend whose clocks run forty times faster."""
    with Up(tmp_path_factory.mktemp("clock") / "data", time_scale=SCALE) as up:
        yield up
        assert up.stop() == 0
        assert up.err == ""


def of(steps: Sequence[Recorded], kind: type[Any], seat: int | None = None) -> list[Recorded]:
    """Return the events of a kind, of one seat or of all."""
    return [
        step for step in steps if isinstance(step.event, kind) and seat in (None, getattr(step.event, "seat", None))
    ]


def test_tbl_8_to_12_the_clock_acts_twice_and_then_the_seat_is_away(quick: Up) -> None:
    async def whole() -> None:
        async with seated(quick, 4, variant="complex_partnership") as (match, table):
            await until(lambda: bool(of(steps_of(quick.where, match), WentAway)))
            steps = steps_of(quick.where, match)
            (away, *_) = of(steps, WentAway)
            player = table[away.event.seat]
            assert_clock_acts_in_time(steps)
            counted = [
                step for step in of(steps, TimedOut) if step.event.counts and away.event.seat in step.event.seats
            ]
            assert len([step for step in counted if step.at <= away.at]) == 2
            await player.line.ask("play", table=match, card="ZZ")  # refused, and yet he is back
            await until(lambda: bool(of(steps_of(quick.where, match), CameBack, away.event.seat)))
            for one in table:
                assert (await one.line.ask("leave", id="bye", table=match))["ok"]
            await until(lambda: bool(of(steps_of(quick.where, match), MatchEnded)))
            left = await table[0].line.ask("play", table=match, card="AS")
            assert left["refused"] in ("MATCH_OVER", "LEFT_THE_MATCH")

    asyncio.run(whole())
    assert_sound(quick.where)


def assert_clock_acts_in_time(steps: Sequence[Recorded]) -> None:
    """Check that every deadline was met by whoever acted, or was kept by the clock."""
    deadline = 0
    for step in steps:
        if isinstance(step.event, TimedOut):
            assert 0 < deadline <= step.at < deadline + LATE_MS
        elif step.cause is Cause.PLAYER and deadline:
            assert step.at < deadline + LATE_MS
        deadline = step.deadline or deadline
    assert of(steps, TimedOut)


def test_tbl_13_and_14_a_bot_takes_the_seat_of_a_lost_line_and_gives_it_back(quick: Up) -> None:
    async def whole() -> None:
        async with seated(quick, 4, variant="complex", options=SLOW) as (match, table):
            await until(lambda: len(of(steps_of(quick.where, match), ConnectionRestored)) == 4)
            player, seat = table[1], 1
            await player.line.drop()
            await until(lambda: bool(of(steps_of(quick.where, match), BotSeated, seat)))
            steps = steps_of(quick.where, match)
            (lost,), (bot,) = of(steps, ConnectionLost, seat), of(steps, BotSeated, seat)
            assert lost.event.until == lost.at + GRACE_MS
            assert lost.event.until <= bot.at < lost.event.until + LATE_MS
            while not table[0].view or not table[0].view["seats"][seat]["bot"]:
                await table[0].look()
            player.line = await Line.open(quick.url, await sign_in(quick.url, quick.token(player.name)))
            assert (await player.line.ask("resume", table=match))["ok"]
            await until(lambda: bool(of(steps_of(quick.where, match), SeatTakenBack, seat)))
            await play_out(table)
            assert player.accepted
            assert player.view["seats"][seat]["bot"] is False

    asyncio.run(whole())
    assert_sound(quick.where)


def test_tbl_14_the_end_of_a_line_at_another_gateway_comes_too_late_to_matter(quick: Up) -> None:
    """A player moves from one gateway to another before the first has seen his old line end."""

    async def whole(other: str) -> None:
        async with seated(quick, 4, variant="complex", options=SLOW) as (match, table):
            await until(lambda: len(of(steps_of(quick.where, match), ConnectionRestored)) == 4)
            player, old = table[2], table[2].line
            player.line = await Line.open(other, await sign_in(other, quick.token(player.name)))
            assert (await player.line.ask("resume", table=match))["ok"]
            await until(lambda: len(of(steps_of(quick.where, match), ConnectionRestored, 2)) == 2)
            await old.drop()
            await play_out(table)
            assert player.accepted
            steps = steps_of(quick.where, match)
            assert not of(steps, ConnectionLost, 2)
            assert not of(steps, BotSeated)

    secrets = {"token_key": quick.token_key, "session_key": "the second gateway has a secret of its own"}
    settings = {"nats_url": quick.nats_url, "port": quick.free_port(), "frames_per_second": 0, "log_level": "error"}
    with Group(quick.folder.with_name("second"), "run", "gateway", **secrets, **settings) as second:
        second.said(READY)
        asyncio.run(whole(f"http://127.0.0.1:{settings['port']}"))
        assert second.stop() == 0
        assert second.err == ""
    assert_sound(quick.where)


def test_tbl_4_quick_play_fills_up_with_bots(quick: Up) -> None:
    async def whole() -> None:
        async with lines(quick, names(1)) as (line,):
            answer = await line.ask("quick_play", game="basra")
            assert answer["ok"], answer
            assert (await line.room(answer["room"], "playing"))["match"]
            assert (await line.ask("leave", table=line.rooms[answer["room"]]["match"]))["ok"]

    asyncio.run(whole())
