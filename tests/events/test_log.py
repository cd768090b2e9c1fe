"""What every log does, in memory, in SQLite and in PostgreSQL."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import cast

import pytest

from events.envelope import Stored
from events.log import Log, LogFailed, VersionConflict
from events.log.memory import Fault, MemoryLog
from events.log.opening import open_log
from events.log.recorders import RecordedLog, Recorder
from tests.events.streams import KIND, PUBLIC, Writer, places


def test_an_empty_log_has_nothing(log: Log) -> None:
    assert log.end() == 0
    assert log.tail(0, 10) == []
    assert log.read("07-a") == []
    assert log.streams() == []
    assert log.open_streams() == []
    assert log.tracked("relay") == 0
    assert log.append([]) == []


def test_events_come_back_as_they_were_written(log: Log) -> None:
    writer = Writer()
    events = [writer.event("07-a"), writer.event("07-b"), writer.event("07-a"), writer.event("07-a")]

    positions = log.append(events[:3]) + log.append(events[3:])

    assert positions == sorted(set(positions))
    assert log.end() == positions[-1]
    assert [(event.record, event.kind, event.position) for event in log.read("07-a")] == [
        (events[at].record, KIND, positions[at]) for at in (0, 2, 3)
    ]
    assert [event.record for event in log.tail(0, 10)] == [event.record for event in events]
    assert [event.position for event in log.tail(0, 10)] == positions


def test_reading_begins_and_stops_where_it_is_told(log: Log) -> None:
    writer = Writer()
    positions = log.append([writer.event("07-a", kind=PUBLIC if place % 3 == 0 else KIND) for place in range(9)])

    assert [event.version for event in log.read("07-a", after=4)] == [5, 6, 7, 8, 9]
    assert [event.version for event in log.read("07-a", after=4, limit=2)] == [5, 6]
    assert [event.version for event in log.tail(positions[2], 3)] == [4, 5, 6]
    assert [event.version for event in log.tail(positions[0], 9, kinds=[PUBLIC])] == [4, 7]
    assert [event.version for event in log.tail(0, 2, kinds=(PUBLIC, "other.v1"))] == [1, 4]


def test_a_taken_place_refuses_the_whole_append(log: Log) -> None:
    writer, rival = Writer(), Writer()
    log.append(writer.match("07-a", 2))
    late = [rival.event("07-b"), rival.event("07-a"), rival.event("07-c")]

    with pytest.raises(VersionConflict):
        log.append(late, tracked=("lobby", 5))

    assert places(log.tail(0, 10)) == [("07-a", 1), ("07-a", 2)]
    assert log.streams() == ["07-a"]
    assert log.open_streams() == []
    assert log.tracked("lobby") == 0


def test_the_same_place_twice_in_one_append_is_refused(log: Log) -> None:
    with pytest.raises(VersionConflict):
        log.append([Writer().event("07-a"), Writer().event("07-a")])
    assert log.end() == 0


def test_a_position_is_tracked_with_its_events_exactly_once(log: Log) -> None:
    writer = Writer()
    log.append([writer.event("lobby-a")], tracked=("07", 12))
    assert log.tracked("07") == 12

    for position in (12, 11):
        with pytest.raises(VersionConflict):
            log.append([Writer().event("lobby-b")], tracked=("07", position))
        with pytest.raises(VersionConflict):
            log.append([], tracked=("07", position))
    log.append([], tracked=("07", 13))

    assert log.streams() == ["lobby-a"]
    assert (log.tracked("07"), log.tracked("08")) == (13, 0)


def test_tracking_alone_only_moves_forward(log: Log) -> None:
    for position in (3, 9, 9, 4):
        log.track("relay", position)
    assert log.tracked("relay") == 9


def test_open_streams_are_those_without_their_last_event(log: Log) -> None:
    writer = Writer()
    log.append([writer.event("07-c"), writer.event("07-a"), writer.event("07-b")])
    log.append([writer.event("07-a", last=True), writer.event("07-c")])
    log.append(writer.match("07-0", 3))  # opened and ended at once

    assert log.open_streams() == ["07-c", "07-b"]
    assert log.streams() == ["07-c", "07-a", "07-b", "07-0"]


def test_all_is_there_when_a_log_is_opened_again(opened: Callable[[], Log]) -> None:
    writer = Writer()
    first = opened()
    first.append([writer.event("07-a"), writer.event("07-b")], tracked=("lobby", 4))
    first.close()

    second = opened()

    assert places(second.tail(0, 9)) == [("07-a", 1), ("07-b", 1)]
    assert second.open_streams() == ["07-a", "07-b"]
    assert second.tracked("lobby") == 4
    assert second.append([writer.event("07-a")]) == [second.end()]


def test_of_many_writers_one_gets_each_place(opened: Callable[[], Log]) -> None:
    logs = [opened() for _ in range(4)]
    start = threading.Barrier(len(logs))

    def race(log: Log) -> int:
        writer, won = Writer(), 0
        start.wait()
        for _ in range(12):
            try:
                log.append([writer.event("07-a")])
                won += 1
            except VersionConflict:
                continue
        return won

    with ThreadPoolExecutor(len(logs)) as pool:
        won = sum(pool.map(race, logs))

    assert won == 12
    assert places(logs[0].tail(0, 99)) == [("07-a", version) for version in range(1, 13)]


def test_a_log_is_used_from_several_threads_at_once(log: Log) -> None:
    def write(number: int) -> None:
        writer = Writer()
        for _ in range(10):
            log.append([writer.event(f"07-{number}")])
            assert log.read(f"07-{number}")[-1].version == writer.heads[f"07-{number}"][0]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))

    tail = log.tail(0, 99)
    assert len(tail) == 40
    assert [event.position for event in tail] == sorted({event.position for event in tail})


def test_closing_waits_for_what_is_under_way() -> None:
    """A driver that loses its connection in the middle of a call takes the process down with it."""
    begun, go_on, closed = threading.Event(), threading.Event(), threading.Event()

    class Slow:
        def select_streams(self) -> list[str]:
            begun.set()
            assert go_on.wait(5)
            assert not closed.is_set()
            return ["07-a"]

    log = RecordedLog(cast("Recorder", Slow()), closed.set, ValueError)
    with ThreadPoolExecutor(2) as pool:
        reading = pool.submit(log.streams)
        assert begun.wait(5)
        closing = pool.submit(log.close)
        assert not closed.wait(0.05)
        with pytest.raises(LogFailed):
            log.streams()
        go_on.set()
        assert reading.result(5) == ["07-a"]
        closing.result(5)
    assert closed.is_set()


def test_a_big_append_is_one_append(log: Log) -> None:
    writer = Writer()
    events = [event for stream in range(20) for event in writer.match(f"07-{stream}", 100)]
    positions = log.append(events)
    assert len(positions) == 2000
    assert places(log.tail(0, 2000)) == places(events)
    assert log.open_streams() == []


@pytest.mark.parametrize("seed", range(6))
def test_a_database_does_what_memory_does(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    memory, sqlite = MemoryLog(), open_log(str(tmp_path), "07")
    writer = Writer()
    for _ in range(60):
        before = dict(writer.heads)
        batch = [
            writer.event(f"07-{random.randrange(5)}-{random.randrange(3)}", last=random.random() < 0.1)
            for _ in range(random.randrange(4))
        ]
        if random.random() < 0.2:
            writer.heads = before  # the next batch takes the same places
        tracked = ("lobby", random.randrange(60)) if random.random() < 0.3 else None
        assert _append(memory, batch, tracked) == _append(sqlite, batch, tracked)
        after, limit = random.randrange(40), random.randrange(1, 9)
        assert memory.tail(after, limit) == sqlite.tail(after, limit)
        assert memory.open_streams() == sqlite.open_streams()
        assert memory.streams() == sqlite.streams()
        assert memory.tracked("lobby") == sqlite.tracked("lobby")
    assert memory.end() == sqlite.end() > 0
    sqlite.close()


def _append(log: Log, events: list[Stored], tracked: tuple[str, int] | None) -> list[int] | None:
    try:
        return log.append(events, tracked=tracked)
    except VersionConflict:
        return None


@pytest.mark.parametrize("opened", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("name", ["07-\0", "07-\udcff", "07-é"])
def test_a_name_that_cannot_be_stored_writes_nothing(log: Log, name: str) -> None:
    bad = Stored(name, 1, KIND, b"{}")
    with pytest.raises(LogFailed, match="cannot be stored"):
        log.append([Writer().event("07-a"), bad], tracked=("lobby", 3))
    assert (log.end(), log.tracked("lobby"), log.open_streams()) == (0, 0, [])


@pytest.mark.parametrize("opened", ["sqlite", "postgresql"], indirect=True)
def test_a_closed_log_fails_in_the_port_s_own_words(log: Log) -> None:
    log.close()
    log.close()
    for call in (log.end, log.streams, log.open_streams, lambda: log.append([Writer().event("07-a")])):
        with pytest.raises(LogFailed, match="closed"):
            call()


def test_a_memory_log_goes_wrong_as_it_is_told() -> None:
    log, writer = MemoryLog(late_seconds=0.001), Writer()
    first, second = writer.event("07-a"), writer.event("07-a")
    log.disturb(Fault.LOSES_RACE, Fault.FAILS, None, Fault.ANSWER_LOST)

    with pytest.raises(VersionConflict):
        log.append([first])
    with pytest.raises(LogFailed, match="disk"):
        log.append([first])
    assert log.end() == 0
    assert log.append([first]) == [1]
    with pytest.raises(LogFailed, match="lost"):
        log.append([second])
    assert places(log.read("07-a")) == [("07-a", 1), ("07-a", 2)]
