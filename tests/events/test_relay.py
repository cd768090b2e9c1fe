"""The relay loses nothing and makes nothing up, wherever it is killed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import msgspec
import nats
import pytest
from nats.js import JetStreamContext

from events import subjects
from events.envelope import Corrupt, Stored
from events.log import Log, LogFailed
from events.log.memory import MemoryLog
from events.log.opening import cipher_from, new_key, open_log
from events.messages import Fact
from services import relay as relaying
from services.relay import CONSUMER, Facts, JetStreamFacts, NotPublished, Relay
from tests.events.streams import PUBLIC, Writer
from tests.servers import nats_server

KINDS = (PUBLIC, "table.match_opened.v1")


class Killed(BaseException):
    """The process ends here."""


class Steps:
    """Counts the steps of a relay, and kills it at one of them: from then on it does nothing more."""

    def __init__(self, kill_at: int = 10**9) -> None:
        """Kill at a step, counted from 1."""
        self.left = kill_at

    def step(self) -> None:
        self.left -= 1
        if self.left <= 0:
            raise Killed


class Bus(Facts):
    """JetStream as far as the relay sees it: acknowledges, and drops message ids that it has seen."""

    def __init__(self) -> None:
        """Hold no fact."""
        self.facts: list[Fact] = []
        self.subjects: list[str] = []
        self.seen: set[str] = set()
        self.steps = Steps()
        self.broken = 0  # how many publishes fail from now on

    async def publish(self, subject: str, body: bytes, message_id: str) -> None:
        self.steps.step()  # killed before it was sent
        if self.broken > 0:
            self.broken -= 1
            raise NotPublished("no answer")
        if message_id not in self.seen:
            self.seen.add(message_id)
            self.subjects.append(subject)
            self.facts.append(msgspec.json.decode(body, type=Fact))
        self.steps.step()  # killed before the acknowledgement came


class SteppedLog(MemoryLog):
    """A memory log in which a relay can be killed around the keeping of its position."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self.steps = Steps()

    def track(self, consumer: str, position: int) -> None:
        self.steps.step()
        super().track(consumer, position)
        self.steps.step()


class Consumer:
    """Applies only the successor of what it has."""

    def __init__(self) -> None:
        """Have nothing."""
        self.position = 0
        self.applied: list[str] = []
        self.gaps: list[int] = []

    def take(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            if fact.previous == self.position:
                self.position = fact.position
                self.applied.append(f"{fact.stream}:{fact.version}")
            elif fact.previous > self.position:
                self.gaps.append(fact.position)


def _filled(log: Log, matches: int, writer: Writer | None = None) -> list[str]:
    """Write matches of which two events each are public; return those."""
    writer = writer or Writer()
    for match in range(matches):
        stream = f"07-{len(writer.heads)}-{match}"
        log.append([writer.event(stream, kind=KINDS[1]), writer.event(stream), writer.event(stream)])
        log.append([writer.event(stream), writer.event(stream, kind=PUBLIC, last=True)])
    return [f"{event.stream}:{event.version}" for event in log.tail(0, 9999, kinds=KINDS)]


async def _when(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - what is waited for knows nothing of events
            await asyncio.sleep(0.001)


@contextlib.asynccontextmanager
async def _running(relay: Relay) -> AsyncIterator[asyncio.Task[None]]:
    """Run a relay meanwhile."""
    task = asyncio.create_task(relay.run())
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _until(condition: Callable[[], bool], relay: Relay) -> None:
    """Run a relay until a condition holds."""
    async with _running(relay) as task:
        await _when(lambda: condition() or task.done())


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaying, "REST_SECONDS", 0.001)


def test_facts_carry_their_place_and_that_of_the_fact_before() -> None:
    log, bus = MemoryLog(), Bus()
    _filled(log, 2)

    asyncio.run(_until(lambda: log.tracked(CONSUMER) == 10, Relay(log, "07", KINDS, bus)))

    assert [(fact.position, fact.previous, fact.version) for fact in bus.facts] == [
        (1, 0, 1),
        (5, 1, 5),
        (6, 5, 1),
        (10, 6, 5),
    ]
    assert bus.subjects[:2] == ["facts.07.table.match_opened.v1", "facts.07.table.match_ended.v1"]
    assert bus.facts[1].partition == "07"
    assert bus.facts[1].kind == PUBLIC
    assert bus.facts[1].at == 1_790_000_000_004
    assert bus.facts[1].event == msgspec.Raw(b'{"kind":"table.match_ended.v1","seat":0,"card":"QS"}')
    assert bus.seen >= {"07-0-0:1", "07-0-0:5"}


def test_the_payload_of_an_encrypted_log_is_published_in_clear() -> None:
    cipher = cipher_from(new_key())
    log, bus = MemoryLog(), Bus()
    _filled(log, 1, Writer(cipher))
    asyncio.run(_until(lambda: len(bus.facts) == 2, Relay(log, "07", KINDS, bus, cipher=cipher)))
    assert bytes(bus.facts[0].event).startswith(b'{"kind":"table.match_opened.v1"')


def test_a_fact_that_cannot_be_read_stops_the_relay() -> None:
    log, bus = MemoryLog(), Bus()
    _filled(log, 1)
    log.append([Stored("07-x", 1, PUBLIC, b"{}")])
    with pytest.raises(Corrupt, match="07-x version 1"):
        asyncio.run(Relay(log, "07", KINDS, bus).run())
    assert log.tracked(CONSUMER) == 5


@pytest.mark.parametrize("page", [2, 256])
def test_killed_at_any_step_it_loses_nothing_and_doubles_nothing(page: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaying, "PAGE", page)
    kill_at = 0
    ended = False
    while not ended:
        kill_at += 1
        log, bus, consumer = SteppedLog(), Bus(), Consumer()
        expected = _filled(log, 3)
        bus.steps = log.steps = Steps(kill_at)
        last = log.tail(0, 99, kinds=KINDS)[-1].position
        try:
            asyncio.run(_until(lambda: log.tracked(CONSUMER) == last, Relay(log, "07", KINDS, bus)))  # noqa: B023
            ended = True  # it was done before the step came
        except Killed:
            pass
        bus.steps = log.steps = Steps()
        bus.seen.clear()  # the worst: the bus has forgotten what it has seen
        expected = [*expected, *_filled(log, 1, _going_on(log))[-2:]]
        end = log.tail(0, 99, kinds=KINDS)[-1].position
        asyncio.run(_until(lambda: log.tracked(CONSUMER) == end, Relay(log, "07", KINDS, bus)))  # noqa: B023

        consumer.take(bus.facts)
        assert consumer.applied == expected, f"killed at step {kill_at}"
        assert consumer.gaps == []
    assert kill_at > 12


def _going_on(log: Log) -> Writer:
    """Return a writer of streams that the log does not have yet."""
    writer = Writer()
    writer.heads = dict.fromkeys(log.streams(), (0, ""))
    return writer


def test_it_goes_on_after_bus_and_log_have_failed() -> None:
    class Failing(MemoryLog):
        failures = 2

        def tail(self, after: int, limit: int, *, kinds: Sequence[str] = ()) -> list[Stored]:
            if kinds and self.failures:
                self.failures -= 1
                raise LogFailed("the disk is slow")
            return super().tail(after, limit, kinds=kinds)

    log, bus, consumer = Failing(), Bus(), Consumer()
    writer = Writer()
    log.append([writer.event("07-a", kind=PUBLIC) for _ in range(5)])
    bus.broken = 2
    asyncio.run(_until(lambda: log.tracked(CONSUMER) == 5, Relay(log, "07", KINDS, bus)))
    consumer.take(bus.facts)
    assert consumer.applied == [f"07-a:{version}" for version in range(1, 6)]
    assert len(bus.facts) == 5


def test_a_wake_up_is_quick_and_without_one_it_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    async def seconds_to_publish(*, wake: bool) -> float:
        log, bus, writer = MemoryLog(), Bus(), Writer()
        relay = Relay(log, "07", KINDS, bus)
        async with _running(relay):
            await asyncio.sleep(0.05)
            positions = log.append([writer.event("07-a", kind=PUBLIC)])
            began = asyncio.get_running_loop().time()
            if wake:
                relay.wake(positions)
            await _when(lambda: len(bus.facts) == 1)
            return asyncio.get_running_loop().time() - began

    monkeypatch.setattr(relaying, "POLL_SECONDS", 0.4)
    assert asyncio.run(seconds_to_publish(wake=True)) < 0.3
    assert asyncio.run(seconds_to_publish(wake=False)) > 0.1


@pytest.mark.parametrize(("after", "resent"), [(0, 6), (5, 4), (7, 3), (14, 1), (15, 0), (99, 0)])
def test_facts_are_sent_again_from_any_position(after: int, resent: int) -> None:
    log, bus, consumer = MemoryLog(), Bus(), Consumer()
    expected = _filled(log, 3)

    async def run() -> None:
        relay = Relay(log, "07", KINDS, bus)
        async with _running(relay):
            await _when(lambda: log.tracked(CONSUMER) == 15)
            consumer.take(bus.facts[: len(bus.facts) - resent])
            bus.facts.clear()
            relay.resend(after + 3)
            relay.resend(after)
            _filled(log, 1, _going_on(log))
            await _when(lambda: log.tracked(CONSUMER) == 20)

    asyncio.run(run())
    consumer.take(bus.facts)

    assert len(bus.facts) == resent + 2
    assert consumer.applied[:6] == expected
    assert (consumer.position, consumer.gaps) == (20, [])


def test_what_could_not_be_sent_again_is_tried_again() -> None:
    log, bus = MemoryLog(), Bus()
    _filled(log, 3)

    async def run() -> None:
        relay = Relay(log, "07", KINDS, bus)
        await _until(lambda: log.tracked(CONSUMER) == 15, relay)
        bus.facts.clear()
        relay.resend(0)
        bus.broken = 1
        await _until(lambda: len(bus.facts) == 6, relay)

    asyncio.run(run())
    assert [fact.position for fact in bus.facts] == [1, 5, 6, 10, 11, 15]


async def _stored_facts(stream: JetStreamContext, count: int) -> list[Fact]:
    subscription = await stream.subscribe(subjects.FACTS_ALL, ordered_consumer=True)
    found = [await subscription.next_msg(timeout=5) for _ in range(count)]
    await subscription.unsubscribe()
    assert all(message.headers and message.headers["content-type"] == "application/json" for message in found)
    return [msgspec.json.decode(message.data, type=Fact) for message in found]


def test_on_a_real_server_with_a_real_log(tmp_path: Path) -> None:
    """Facts reach JetStream once, a server that crashes holds them up, and a resend is not dropped as seen."""
    log = open_log(str(tmp_path), "07")
    expected = _filled(log, 20)

    async def run(url: str) -> None:
        client = await nats.connect(url, max_reconnect_attempts=-1, reconnect_time_wait=0.05)
        stream = client.jetstream()
        await stream.add_stream(name=subjects.FACTS_STREAM, subjects=[subjects.FACTS_ALL])
        facts = JetStreamFacts(stream, seconds=0.5)
        await _until(lambda: log.tracked(CONSUMER) == 100, Relay(log, "07", KINDS, facts))

        server.kill()
        _filled(log, 2, _going_on(log))
        relay = Relay(log, "07", KINDS, facts)
        async with _running(relay):
            await asyncio.sleep(0.2)
            assert log.tracked(CONSUMER) == 100
            server.start()
            await _when(lambda: log.tracked(CONSUMER) == 110)
            consumer = Consumer()
            consumer.take(await _stored_facts(stream, 44))
            assert consumer.applied[:40] == expected
            assert (consumer.position, consumer.gaps) == (110, [])

            relay.resend(100)
            again = (await _stored_facts(stream, 48))[44:]
            assert [(fact.position, fact.previous) for fact in again] == [
                (101, 100),
                (105, 101),
                (106, 105),
                (110, 106),
            ]
        await client.close()

    with nats_server() as server:
        asyncio.run(run(server.url))
    log.close()


def test_facts_that_no_stream_takes_are_not_published(nats_url: str) -> None:
    async def run() -> None:
        client = await nats.connect(nats_url)
        facts = JetStreamFacts(client.jetstream(), seconds=1.0)
        with pytest.raises(NotPublished):
            await facts.publish("nobody.listens", b"{}", "a:1")
        await client.close()
        with pytest.raises(NotPublished):
            await facts.publish("nobody.listens", b"{}", "a:1")

    asyncio.run(run())
