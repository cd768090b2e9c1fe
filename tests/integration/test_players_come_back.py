"""Players who outlive the backend: everything else is killed -9, again and again, and they play their match to its end.

What they were told is there each time, once, and what was on the disk stays there byte for byte.
"""

import asyncio
from pathlib import Path
from random import Random

from domain.journal.events import MatchRecorded
from domain.table.events import MatchEnded
from events.log.opening import open_log
from events.subjects import partition_of
from tests.integration.people import Company, company
from tests.integration.records import assert_kept, assert_sound, ledger_of, steps_of
from tests.integration.running import Up

SECONDS = 90.0
KILLS = 4
MOVES = 250  # three people make some 330 in a match


def stored(where: str, match: str) -> list[bytes]:
    """Return the records of a match as they lie on the disk."""
    log = open_log(where, partition_of(match), create=False)
    try:
        return [one.record for one in log.read(match)]
    finally:
        log.close()


async def killed(up: Up, players: Company) -> None:
    """Kill everything but the players and start it again; check what is on the disk before and after."""
    await asyncio.to_thread(up.kill)
    accepted = [(players.match, *one) for one in players.accepted]
    assert_kept(up.where, accepted)
    before = stored(up.where, players.match)
    await asyncio.to_thread(up.again)
    assert_kept(up.where, accepted)
    assert stored(up.where, players.match)[: len(before)] == before


async def played_through(up: Up, moments: list[int], random: Random) -> str:
    """Play a match of three people and a bot; kill everything at moments counted in accepted commands."""
    async with company(up, 3, game="trix", stake=500, seed=1) as players:
        await players.sit("trix", "complex_partnership", 500)
        playing = asyncio.create_task(players.play())
        for moment in moments:
            async with asyncio.timeout(SECONDS):
                while len(players.accepted) < moment:  # noqa: ASYNC110 - counted by the clients
                    await asyncio.sleep(random.random() / 200)
            assert not playing.done()
            await killed(up, players)
        async with asyncio.timeout(SECONDS):
            view = await playing
        assert_kept(up.where, [(players.match, *one) for one in players.accepted])
        ended = steps_of(up.where, players.match)[-1].event
        assert isinstance(ended, MatchEnded)
        assert view["end"]["payouts"] == list(ended.payouts)
        return players.match


def test_players_play_on_whenever_everything_is_killed(tmp_path: Path) -> None:
    random = Random(7)
    moments = sorted(random.sample(range(1, MOVES), KILLS))
    with Up(tmp_path / "data", port=Up.free_port()) as up:
        match = asyncio.run(played_through(up, moments, random))
        assert_sound(up.where)
        (record,) = (event for event in ledger_of(up.where) if isinstance(event, MatchRecorded))
        assert (record.match, record.settled, sum(record.payouts)) == (match, True, 1500)
        assert up.stop() == 0
        assert up.err == ""
