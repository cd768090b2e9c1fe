"""A world in one process: an event loop whose time is its own, and a bus that delays, loses and repeats.

Everything that happens follows from one seed. Disk writes take time and may still be on their way when the process
that asked for them is killed: then they happen or do not, as a real disk's would.
"""

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from random import Random
from typing import Any

import msgspec
import nats.errors

from events.messages import Fact, Reply, encode
from services.core import Message

BEGIN_MS = 1_800_000_000_000
ACK_SECONDS = 5.0

_decode_reply = msgspec.json.Decoder(Reply).decode
_decode_fact = msgspec.json.Decoder(Fact).decode


class _Instant(selectors.SelectSelector):
    """A selector that never waits: it moves the clock of its loop instead."""

    loop: "VirtualLoop"

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nothing will ever happen again"
        self.loop.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop in which time passes only while everybody waits. Work for threads is done in it, after a while."""

    def __init__(self, random: Random) -> None:
        """Begin at zero."""
        selector = _Instant()
        super().__init__(selector)
        selector.loop = self
        self.now = 0.0
        self.random = random

    def time(self) -> float:
        """Return the seconds since the world began."""
        return self.now

    def run_in_executor(  # type: ignore[override]
        self, _executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Do the work after a moment, and answer after another; who is killed meanwhile may have had it done or not."""
        future: asyncio.Future[Any] = self.create_future()
        zombie = self.random.random() < 0.5

        def work() -> None:
            if future.cancelled() and not zombie:
                return
            try:
                result = func(*args)
            except BaseException as fault:  # noqa: BLE001 - handed to who waits for it
                self.call_later(self._moment(), _settle, future, None, fault)
            else:
                self.call_later(self._moment(), _settle, future, result, None)

        self.call_later(self._moment(), work)
        return future

    def _moment(self) -> float:
        return self.random.choice((0.0, 0.0001, 0.001, 0.004))


def _settle(future: asyncio.Future[Any], result: Any, fault: BaseException | None) -> None:
    if future.done():
        return
    if fault is None:
        future.set_result(result)
    else:
        future.set_exception(fault)


def run(seed: int, world: Callable[["VirtualLoop"], Coroutine[Any, Any, None]]) -> None:
    """Run a world from a seed until its coroutine is done."""
    loop = VirtualLoop(Random(seed))
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(world(loop))


class Consumer:
    """A durable reader of the stream of facts: what it has not acknowledged comes again."""

    def __init__(self) -> None:
        """Begin at the start of the stream."""
        self.next = 0
        self.waiting: dict[int, float] = {}  # by place in the stream: when it comes again


class Network:
    """The bus. ``trouble`` is the chance that a message that may be lost is, and of the like."""

    def __init__(self, loop: VirtualLoop, trouble: float) -> None:
        """Begin with nobody there."""
        self.loop = loop
        self.trouble = trouble
        self.connected = asyncio.Event()
        self.lost = asyncio.Event()
        self.connected.set()
        self.stream: list[bytes] = []  # facts, in order
        self.published = 0  # facts that were taken or dropped as seen
        self._ids: set[str] = set()
        self._listeners: dict[str, Callable[[bytes, str], None]] = {}
        self._watchers: list[tuple[str, Callable[[str, bytes], None]]] = []
        self._inboxes: dict[str, asyncio.Future[Reply]] = {}
        self._consumers: dict[str, Consumer] = {}
        self._made = 0
        self._last: dict[int, float] = {}  # by watcher: when its latest message arrives, so that order is kept

    def chance(self) -> bool:
        """Say whether something goes wrong now."""
        return self.loop.random.random() < self.trouble

    def delay(self) -> float:
        """Return how long a message takes."""
        return self.loop.random.choice((0.0001, 0.0005, 0.002, 0.03))

    async def cut(self, seconds: float) -> None:
        """Be away for a while: nothing that is said meanwhile arrives."""
        self.connected.clear()
        self.lost.set()
        await asyncio.sleep(seconds)
        self.lost.clear()
        self.connected.set()

    # --- who listens

    def listen(self, subject: str, handler: Callable[[bytes, str], None]) -> None:
        """Answer requests on a subject."""
        self._listeners[subject] = handler

    def unlisten(self, subject: str) -> None:
        """Be gone."""
        self._listeners.pop(subject, None)

    def watch(self, prefix: str, handler: Callable[[str, bytes], None]) -> None:
        """Hear every message on subjects that begin so."""
        self._watchers.append((prefix, handler))

    # --- what is said

    def publish(self, message: Message) -> None:
        """Send a message that may be lost; to one listener they come in order."""
        if self.lost.is_set():
            return
        for number, (prefix, handler) in enumerate(self._watchers):
            if message.subject.startswith(prefix) and not self.chance():
                arrives = max(self._last.get(number, 0.0), self.loop.time() + self.delay())
                self._last[number] = arrives
                self.loop.call_at(arrives, handler, message.subject, message.body)

    async def request(self, subject: str, body: bytes, seconds: float) -> Reply:
        """Ask whoever listens."""
        await asyncio.sleep(self.delay())
        handler = self._listeners.get(subject)
        if handler is None or self.lost.is_set():
            raise ConnectionError("no responders")
        self._made += 1
        inbox = f"inbox-{self._made}"
        future = self._inboxes[inbox] = self.loop.create_future()
        if not self.chance():
            handler(body, inbox)
        try:
            async with asyncio.timeout(seconds):
                reply: Reply = await future
                return reply
        finally:
            del self._inboxes[inbox]

    def answer(self, inbox: str, reply: Reply) -> None:
        """Answer a request; the answer may be lost."""
        body = encode(reply)
        if not self.chance():
            self.loop.call_later(self.delay(), self._answered, inbox, body)

    def _answered(self, inbox: str, body: bytes) -> None:
        future = self._inboxes.get(inbox) if self.connected.is_set() else None
        if future is not None and not future.done():
            future.set_result(_decode_reply(body))

    # --- facts

    async def keep(self, body: bytes, message_id: str) -> None:
        """Take a fact into the stream, unless its id was seen; the acknowledgement may be lost, or the fact itself."""
        await asyncio.sleep(self.delay())
        if self.chance() or self.lost.is_set():
            raise nats.errors.TimeoutError
        self.published += 1
        if message_id not in self._ids:
            self._ids.add(message_id)
            self.stream.append(body)
        if self.chance():
            raise nats.errors.TimeoutError

    async def pump(self, durable: str, handler: Callable[[Fact, Callable[[], Awaitable[None]]], None]) -> None:
        """Hand the facts of the stream to a consumer until cancelled; what is not acknowledged comes again."""
        consumer = self._consumers.setdefault(durable, Consumer())
        while True:
            place = self._next_of(consumer) if self.connected.is_set() else None
            if place is None:
                await asyncio.sleep(0.02)
                continue
            consumer.waiting[place] = self.loop.time() + ACK_SECONDS
            await asyncio.sleep(self.delay())
            handler(_decode_fact(self.stream[place]), self._acknowledge(consumer, place))

    def _next_of(self, consumer: Consumer) -> int | None:
        overdue = [place for place, when in consumer.waiting.items() if when <= self.loop.time()]
        if overdue:
            return min(overdue)
        if consumer.next < len(self.stream):
            consumer.next += 1
            return consumer.next - 1
        return None

    def _acknowledge(self, consumer: Consumer, place: int) -> Callable[[], Awaitable[None]]:
        async def acknowledge() -> None:
            if not self.chance():
                consumer.waiting.pop(place, None)

        return acknowledge


class Port:
    """The bus as one process sees it; once that is killed, nothing it says arrives any more."""

    def __init__(self, network: Network) -> None:
        """Connect."""
        self.alive = True
        self.connected = network.connected
        self.lost = network.lost
        self.stream = _Stream(network)
        self._network = network

    async def publish(self, message: Message) -> None:
        """Publish a message that may be lost."""
        if self.alive:
            self._network.publish(message)

    async def answer(self, inbox: str, reply: Reply) -> None:
        """Answer a request."""
        if inbox and self.alive:
            self._network.answer(inbox, reply)

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - the port's name
        """Ask another service."""
        return await self._network.request(subject, body, timeout)


class _Stream:
    """The stream of facts as the relay uses it."""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def publish(self, subject: str, body: bytes, *, timeout: float, headers: dict[str, str]) -> None:  # noqa: ASYNC109
        assert subject.startswith("facts.")
        async with asyncio.timeout(timeout):
            await self._network.keep(body, headers["Nats-Msg-Id"])
