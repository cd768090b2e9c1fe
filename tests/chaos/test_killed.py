"""Kill -9 of every process at a random moment loses nothing that was acknowledged and does nothing twice (R-10).

Twenty moments, spread over matches: eight while nobody comes back and the clocks finish the match, twelve while the
players outlive the backend and play on.
"""

import asyncio
import contextlib
import shutil
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.journal.events import MatchRecorded
from domain.table.events import MatchEnded
from events.log.opening import open_log, partitions
from events.subjects import partition_of
from projections.archive import is_match
from tests.chaos.people import company
from tests.integration.records import assert_sound, commands_in, ledger_of, steps_of
from tests.integration.running import Group, Up
from tests.integration.witness import Said, Witness, witness

FAST = 400  # a clock of 20 s takes 50 ms
SECONDS = 90.0
EVENTS = 560  # a match has a little over 600


def matches_of(where: str) -> list[str]:
    """Return the matches that are recorded at a place."""
    found = []
    for partition in partitions(where):
        log = open_log(where, partition, create=False)
        try:
            found += [stream for stream in log.streams() if is_match(partition, stream)]
        finally:
            log.close()
    return found


def stored(where: str) -> dict[str, list[bytes]]:
    """Return the records of every match as they lie on the disk."""
    found = {}
    for match in matches_of(where):
        log = open_log(where, partition_of(match), create=False)
        try:
            found[match] = [one.record for one in log.read(match)]
        finally:
            log.close()
    return found


def assert_stands(where: str, before: dict[str, list[bytes]]) -> None:
    """Check that what was on the disk is there still, byte for byte."""
    after = stored(where)
    assert all(after[match][: len(records)] == records for match, records in before.items())


def assert_kept(where: str, accepted: Sequence[tuple[str, str, str]]) -> None:
    """Check that every command that was acknowledged, as (match, actor, id), is in the log, once."""
    for match in {match for match, _, _ in accepted}:
        done = commands_in(steps_of(where, match))
        assert not [one for one in accepted if one[0] == match and done[one[1:]] != 1]
        assert max(done.values()) == 1


def assert_played_out(where: str, stake: int) -> None:
    """Wait until the one match of a folder is over and settled; check the record."""
    until = time.monotonic() + SECONDS
    while not (found := matches_of(where)) or not isinstance(steps_of(where, found[0])[-1].event, MatchEnded):
        assert time.monotonic() < until, "the match does not go on"
        time.sleep(0.1)
    (match,) = found
    steps = steps_of(where, match)
    assert_sound(where)
    (record,) = (event for event in ledger_of(where) if isinstance(event, MatchRecorded))
    assert (record.match, record.settled, record.payouts) == (match, True, steps[-1].event.payouts)
    assert sum(record.payouts) == record.pot == stake * sum(record.stakers)
    assert len([step for step in steps if step.event.__struct_config__.tag == "trix.deal_scored.v1"]) == 8


async def killed_when(group: Group, url: str, so: Callable[[Said], bool]) -> Witness:
    """Kill a group as soon as something is said on its bus for which ``so`` holds; return what was heard."""
    reached = asyncio.Event()

    def listen(said: Said) -> None:
        if so(said):
            reached.set()

    async with witness(url, listen) as heard:
        async with asyncio.timeout(SECONDS):
            await reached.wait()
        group.kill()
    return heard


def after_hold(messages: int) -> Callable[[Said], bool]:
    """Return what holds once so many messages were said since the stakes of a match were asked for."""
    said_since = count()
    begun = False

    def so(said: Said) -> bool:
        nonlocal begun
        begun = begun or (said.subject == "scoring.command" and b'"hold_stakes"' in said.body)
        return begun and next(said_since) >= messages

    return so


def version_shown(version: int) -> Callable[[Said], bool]:
    """Return what holds once a player is shown an event of this number, or a later one."""

    def so(said: Said) -> bool:
        shown = said.subject.startswith("seat.player.") and not said.subject.endswith(".room")
        return shown and said.content["version"] >= version

    return so


def address_in(folder: Path) -> str:
    """Return where the bus of a data folder listens, once it does."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        for file in (folder / "nats" / "ports").glob("*.ports"):
            with contextlib.suppress(msgspec.MsgspecError, KeyError, OSError):
                return str(msgspec.json.decode(file.read_bytes())["nats"][0])
        time.sleep(0.02)
    raise AssertionError("no bus comes up")


@pytest.mark.parametrize("seed", range(4))
def test_nobody_comes_back_and_the_clocks_finish_the_match(tmp_path: Path, seed: int) -> None:
    random, folder = Random(seed), tmp_path / "data"
    moment = random.randrange(600 * seed, 600 * (seed + 1))  # in messages; a match has some 2,700
    command = [
        "play",
        "--game",
        "trix",
        "--stake",
        "500",
        "--humans",
        str(4 - seed % 2),
        "--data",
        str(folder),
        "--json",
    ]
    with Group(tmp_path / "printed", *command, time_scale=FAST, log_level="error") as play:
        heard = asyncio.run(killed_when(play, address_in(folder), after_hold(moment)))
        assert (play.out, play.err) == ("", "")
    assert_kept(str(folder), heard.accepted())
    before = stored(str(folder))
    version = max(map(len, before.values()), default=0)
    next_moment = version + random.randrange(3, max(4, (EVENTS - version) // 2))
    shutil.rmtree(folder / "nats" / "ports")  # what the bus before has written
    command = ["up", "--data", str(folder), "--port", "0"]
    with Group(tmp_path / "printed", *command, time_scale=FAST, log_level="error") as again:
        # The tables go on before the last service is there, so it is watched from the moment the bus is up.
        heard = asyncio.run(killed_when(again, address_in(folder), version_shown(next_moment)))
        assert again.err == ""
    assert_kept(str(folder), heard.accepted())
    assert_stands(str(folder), before)
    before = stored(str(folder))
    with Up(folder, time_scale=FAST) as up:
        assert_played_out(up.where, stake=500)
        assert_stands(up.where, before)
        assert up.stop() == 0
        assert up.err == ""


@pytest.mark.parametrize("seed", range(2))
def test_the_players_come_back_and_play_on(tmp_path: Path, seed: int) -> None:
    random = Random(100 + seed)
    moments = sorted(random.sample(range(1, 380), 6))  # in commands that the players know to be accepted

    async def whole(up: Up) -> None:
        async with company(up, 4 - seed, game="trix", stake=500, seed=seed) as players:
            await players.sit("trix", "complex_partnership", 500)
            playing = asyncio.create_task(players.play())
            for moment in moments:
                async with asyncio.timeout(SECONDS):
                    while len(players.accepted) < moment and not playing.done():  # noqa: ASYNC110 - counted by clients
                        await asyncio.sleep(random.random() / 200)
                assert not playing.done(), playing.result()
                up.kill()
                assert_kept(up.where, [(players.match, *one) for one in players.accepted])
                before = stored(up.where)
                await asyncio.to_thread(up.again)
                assert_stands(up.where, before)
            view = await playing
            assert_kept(up.where, [(players.match, *one) for one in players.accepted])
            assert view["end"]["payouts"] == list(steps_of(up.where, players.match)[-1].event.payouts)

    with Up(tmp_path / "data", port=Up.free_port()) as up:
        asyncio.run(whole(up))
        assert_played_out(up.where, stake=500)
        assert up.stop() == 0
        assert up.err == ""
