"""Kill -9 of every process at any moment: the match goes on from what the log has, ends, and every record holds up."""

import time
from pathlib import Path
from random import Random

import pytest

from domain.table.events import MatchEnded
from events.log.opening import open_log, partitions
from events.log.port import LogUnusable
from projections.archive import is_table
from tests.integration.records import assert_sound, steps_of
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
