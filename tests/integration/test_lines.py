"""Commands with ids, lines that drop, and what a player is sent when he comes back."""

import asyncio

import msgspec
import pytest

from domain.table.events import ConnectionLost
from tests.integration.line import Frame, Line, Player, sign_in
from tests.integration.oracle import Knowledge
from tests.integration.records import assert_sound, commands_in, steps_of
from tests.integration.running import Up
from tests.integration.tables import lines, names, play_out, play_until, seated, until
from tests.integration.test_bad_input import SLOW

pytestmark = pytest.mark.xdist_group("sqlite")


async def again(up: Up, player: Player, *, resume: int, drop: bool = True) -> list[Frame]:
    """Give a player a new line; return the frames of his table that he gets once he has resumed after a version.

    News that come before that show him a gap, as they do to anybody who has not resumed yet.
    """
    if drop:
        await player.line.drop()
    player.line = await Line.open(up.url, await sign_in(up.url, up.token(player.name)))
    return await resumed(player, version=resume)


async def resumed(player: Player, **wish: int) -> list[Frame]:
    """Let a player resume; return the frames of his table after the answer."""
    answer = await player.line.ask("resume", table=player.table, **wish)
    assert answer["ok"], answer
    assert (await player.line.ask("balance"))["ok"]  # what was pushed before this answer is there
    frames = [msgspec.json.decode(raw) for raw in player.line.frames]
    return [frame for frame in frames[frames.index(answer) :] if "table" in frame]


def test_an_id_is_carried_out_once_and_always_gets_its_first_answer(up: Up) -> None:
    async def whole() -> None:
        async with seated(up, 4, variant="complex", options=SLOW) as (match, table):
            await play_until(table, 40)
            asked = next(player for player in table if player.asked)
            waits = next(player for player in table if not player.asked)
            command = asked.choice()
            frame = {"id": "once", "table": match, **command}
            first, second = await asyncio.gather(*(asked.line.ask(**frame) for _ in range(2)))
            assert first == second == {"re": "once", "ok": True}
            card = asked.view["play"]["hand"][-1]
            assert (await asked.line.ask("play", id="once", table=match, card=card))["ok"]  # not looked at again
            refused = await waits.line.ask("play", id="no", table=match, card="ZZ")
            assert refused == await waits.line.ask("play", id="no", table=match, card="ZZ")
            assert (await waits.line.ask("play", id="once", table=match, card="ZZ"))["refused"]  # ids are one's own
            await again(up, asked, resume=asked.version)
            assert await asked.line.ask(**frame) == {"re": "once", "ok": True}
            assert commands_in(steps_of(up.where, match))[asked.name, "once"] == 1
            await play_out(table)
            assert max(commands_in(steps_of(up.where, match)).values()) == 1
            assert await asked.line.ask(**frame) == {"re": "once", "ok": True}, "also once the match is over"

    asyncio.run(whole())
    assert_sound(up.where)


def test_the_lobby_answers_an_id_as_it_did_first(sqlite_up: Up) -> None:
    async def whole() -> None:
        (name,) = names(1)
        async with lines(sqlite_up, [name]) as (line,):
            first = await line.ask("open_room", id="r", game="trix")
            assert await line.ask("open_room", id="r", game="trix") == first
            assert await line.ask("open_room", id="r", game="basra") == first
            await line.drop()
            session = await sign_in(sqlite_up.url, sqlite_up.token(name))
            new = await Line.open(sqlite_up.url, session)
            assert await new.ask("open_room", id="r", game="trix") == first
            own = (await new.ask("rooms"))["rooms"]
            assert [room["room"] for room in own if room["owner"] == name] == [first["room"]]
            await new.close()

    asyncio.run(whole())


def told_to(up: Up, match: str, seat: int) -> list[str]:
    """Return the kinds of the events that a seat is told of, in order, as an oracle finds."""
    log = [msgspec.to_builtins(step.event) for step in steps_of(up.where, match)]
    return Knowledge(log, seat).kinds


def waits_for(play: Frame, seat: int) -> bool:
    """Say whether a game of Trix waits for this seat alone."""
    match play["phase"]:
        case "choosing":
            return bool(play["owner"] == seat)
        case "doubling":
            return [other for other in range(4) if not play["ready"][other]] == [seat]
    return bool(play["turn"] == seat)


def test_a_player_who_comes_back_gets_exactly_what_he_missed_or_the_whole_view(sqlite_up: Up) -> None:
    async def whole() -> None:
        async with seated(sqlite_up, 4, variant="individual", options=SLOW) as (match, table):
            await play_until(table, 70)
            lost = next((player for player in table if not player.asked), table[0])
            known = lost.version
            await lost.line.drop()
            await play_on(table, lost)
            frames = await again(sqlite_up, lost, resume=known)
            assert frames
            expected = told_to(sqlite_up, match, lost.view["seat"])
            missed = [frame for frame in frames if "event" in frame]
            assert [frame["version"] for frame in missed] == list(range(known + 1, known + len(missed) + 1))
            kinds = [frame["event"]["kind"] for frame in missed]
            assert kinds == expected[known : known + len(kinds)]
            assert frames[-1]["view"]["play"]["legal"]
            await until(lambda: len(told_to(sqlite_up, match, lost.view["seat"])) == frames[-1]["version"])
            now = frames[-1]["version"]
            for wish in ({}, {"version": 0}, {"version": 10_000}):
                (frame,) = await resumed(lost, **wish)
                assert (set(frame), frame["version"]) == ({"table", "version", "view"}, now)
            await play_out(table)
            assert lost.version == len(told_to(sqlite_up, match, lost.view["seat"]))
            assert not [step for step in steps_of(sqlite_up.where, match) if step.cause == "clock"]

    async def play_on(table: list[Player], lost: Player) -> None:
        """Let the others play until all wait for the one whose line is lost."""
        rest = [player for player in table if player is not lost]
        while not waits_for(rest[0].view["play"], lost.view["seat"]):
            for player in rest:
                if player.asked and player.line.pushed.empty():
                    await player.answer()
                while not player.line.pushed.empty():
                    await player.look()
            await asyncio.sleep(0)

    asyncio.run(whole())
    assert_sound(sqlite_up.where)


def test_who_missed_too_much_gets_the_whole_view(sqlite_up: Up) -> None:
    async def whole() -> None:
        async with seated(sqlite_up, 2, variant="complex") as (match, table):
            await play_until(table, 200)
            frame, *_ = await again(sqlite_up, table[0], resume=3)
            assert frame.keys() == {"table", "version", "view"}
            await play_out(table)
            (*_, end) = await again(sqlite_up, table[0], resume=1)
            assert end["view"]["end"] is not None  # he may see the end of a match that he was shown
            assert end["table"] == match

    asyncio.run(whole())


def test_tbl_14_the_late_close_of_an_old_line_does_not_evict(sqlite_up: Up) -> None:
    async def whole() -> None:
        async with seated(sqlite_up, 4, variant="complex", options=SLOW) as (match, table):
            await play_until(table, 40)
            player, old = table[0], table[0].line
            await again(sqlite_up, player, resume=player.version, drop=False)
            await old.drop()
            await asyncio.sleep(0.3)
            await play_out(table)
            assert player.accepted
            assert not [step for step in steps_of(sqlite_up.where, match) if isinstance(step.event, ConnectionLost)]

    asyncio.run(whole())
