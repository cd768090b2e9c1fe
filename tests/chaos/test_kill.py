"""Kill -9 of every process at any moment: the match goes on from what the log has, ends, and every record holds up."""

import asyncio
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.table.events import MatchEnded
from events.log.opening import open_log, partitions
from events.log.port import LogUnusable
from projections.archive import is_table
from services.play.client import Client, sign_in
from services.play.session import Plan, Session
from tests.integration.records import assert_sound, commands_in, steps_of
from tests.integration.running import Group, Up

SCALE = 200  # a turn's 20 s are 100 ms
EVENTS = 560  # a match of eight deals has a little over 600
SECONDS = 90.0
MOMENTS = [Random(number).randrange(1, EVENTS) for number in range(20)]


def stored(folder: Path) -> dict[str, list[bytes]]:
    """Return every match's records as they lie in the log, while others write there."""
    found: dict[str, list[bytes]] = {}
    try:
        for partition in partitions(str(folder)):
            if is_table(partition):
                log = open_log(str(folder), partition, create=False)
                try:
                    found |= {stream: [one.record for one in log.read(stream)] for stream in log.streams()}
                finally:
                    log.close()
    except LogUnusable:
        return {}
    return found


def wait_for_events(folder: Path, count: int, group: Group) -> None:
    until = time.monotonic() + SECONDS
    while sum(map(len, stored(folder).values())) < count:
        assert time.monotonic() < until, "the match does not begin"
        assert group.process.poll() is None, group.err
        time.sleep(0.005)


def wait_for_end(folder: Path, match: str) -> MatchEnded:
    until = time.monotonic() + SECONDS
    while True:
        last = steps_of(str(folder), match)[-1].event
        if isinstance(last, MatchEnded):
            return last
        assert time.monotonic() < until, "the match does not end"
        time.sleep(0.1)


@pytest.mark.parametrize("events", MOMENTS)
def test_a_match_survives_the_death_of_everything(tmp_path: Path, events: int) -> None:
    folder = tmp_path / "data"
    arguments = ("play", "--game", "trix", "--stake", "500", "--seed", "01", "--data", str(folder), "--json")
    with Group(tmp_path / "printed", *arguments, time_scale=SCALE) as group:
        wait_for_events(folder, events, group)
        group.kill()
    (match, before), *others = stored(folder).items()
    assert not others
    assert len(before) >= events
    with Up(folder, time_scale=SCALE) as up:
        ended = wait_for_end(folder, match)
        assert_sound(str(folder))
        assert up.stop() == 0
    assert stored(folder)[match][: len(before)] == before, "what was written stands"
    assert sum(ended.payouts) == ended.pot == 2000
    assert sum(ended.totals) == 0


def plan(players: tuple[str, ...]) -> Plan:
    return Plan(
        game="trix",
        variant="complex",
        options={},
        stake=0,
        players=players,
        seats=4,
        matches=1,
        seed=b"",
        human=False,
        pace="max",
    )


class Noting(Client):
    """A client that notes which of its commands were accepted."""

    accepted: set[str]

    def _take(self, frame: dict[str, Any]) -> None:
        if frame.get("ok") and str(frame.get("re", "")).startswith(self._name):
            self.accepted.add(str(frame["re"]))
        super()._take(frame)


async def play_through_kills(up: Up, kills: int) -> tuple[str, dict[str, set[str]]]:
    """Play one match while everything is killed and started again; return it and what each player was promised."""
    players = tuple(f"p{seat}" for seat in range(4))
    session = Session(plan(players), up.url, ())
    for name in players:
        client = Noting(up.url, await sign_in(up.url, up.token(name)), name)
        client.accepted = set()
        await client.start()
        session.join(name, client)
    random = Random(5)

    async def disturb() -> None:
        for _ in range(kills):
            await asyncio.sleep(0.1 + random.random() * 0.4)
            await asyncio.to_thread(up.kill)
            await asyncio.to_thread(up.again)

    disturbing = asyncio.create_task(disturb())
    try:
        async with asyncio.timeout(SECONDS * 2):
            views = [view async for view in session.matches()]
    finally:
        disturbing.cancel()
        await asyncio.gather(disturbing, return_exceptions=True)
        await session.stop()
    promised = {player.player: player.client.accepted for player in session.players}  # type: ignore[attr-defined]
    return views[0]["match"], promised


def test_players_play_on_after_every_death_and_nothing_promised_is_lost_or_done_twice(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with Up(folder, port=Up.free_port()) as up:
        match, promised = asyncio.run(play_through_kills(up, 4))
        if up.process.poll() is not None:
            up.again()
        assert_sound(str(folder))
        assert up.stop() == 0
    done = commands_in(steps_of(str(folder), match))
    assert set(done.values()) == {1}
    lobby = {"open_room", "join_room", "ready_up"}
    for player, names in promised.items():
        there = {name for actor, name in done if actor == player}
        missing = names - there
        assert len(missing) <= len(lobby), f"promised to {player} and not in the log: {missing}"
