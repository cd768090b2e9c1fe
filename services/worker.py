"""One writer for one partition: everything that is queued is decided, committed once, then answered and published."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import structlog

from events.codec import Codec
from events.envelope import GENESIS, Cipher, Header, Opened, Stored, seal, unseal
from events.log import Log, LogFailed
from events.messages import Reply
from services.core import Answered, Ask, Core, Decision, Draft, Message

logger = structlog.get_logger()

BATCH_MAX = 512  # requests taken into one commit

DONE = Reply(ok=True)

Answer = Callable[[Reply], Awaitable[None]]


class Bus(Protocol):
    """What a worker needs of the bus."""

    async def publish(self, message: Message) -> None:
        """Send a message that may be lost."""

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - passed on
        """Ask another service; raise ``TimeoutError`` or ``ConnectionError`` when no answer comes."""


class Journal:
    """The streams of one partition: gives drafts their versions and chains, and reads streams back."""

    def __init__(self, log: Log, codec: Codec, cipher: Cipher | None = None) -> None:
        """Take the partition's log, the kinds it holds and the cipher of its payloads, if they are encrypted."""
        self.log = log
        self.codec = codec
        self.cipher = cipher
        self._heads: dict[str, tuple[int, str]] = {}  # last version and hash, of open streams

    def read(self, stream: str) -> list[tuple[Opened, Any]]:
        """Return a stream's envelopes with their events, and remember where it ends."""
        opened = [unseal(stored, self.cipher) for stored in self.log.read(stream)]
        if opened and not opened[-1].header.last:
            self._heads[stream] = (opened[-1].header.version, opened[-1].hash)
        return [(one, self.codec.decode(one.header.kind, one.payload)) for one in opened]

    def write(self, drafts: Sequence[Draft], tracked: tuple[str, int] | None = None) -> list[int]:
        """Store the drafts, all or none, on disk before it returns; blocks. Raises ``LogFailed``."""
        heads: dict[str, tuple[int, str]] = {}
        sealed: list[Stored] = []
        for draft in drafts:
            version, previous = heads.get(draft.stream) or self._heads.get(draft.stream) or (0, GENESIS)
            header = Header(
                stream=draft.stream,
                version=version + 1,
                at=draft.at,
                kind=draft.event.__struct_config__.tag,
                actor=draft.actor,
                cause=draft.cause,
                command=draft.command,
                deadline=draft.deadline,
                state=draft.state,
                last=draft.last,
            )
            stored, digest = seal(header, self.codec.encode(draft.event), previous, self.cipher)
            heads[draft.stream] = (version + 1, digest)
            sealed.append(stored)
        positions = self.log.append(sealed, tracked=tracked)
        self._heads.update(heads)
        for draft in drafts:
            if draft.last:
                self._heads.pop(draft.stream, None)
        return positions


class Worker:
    """Runs a core over a journal. Requests come in by :meth:`put`; answers go to the callback given with each."""

    def __init__(
        self,
        name: str,
        core: Core,
        journal: Journal,
        bus: Bus,
        *,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        committed: Callable[[Sequence[Draft]], None] = lambda _drafts: None,
    ) -> None:
        """Take the ports; ``committed`` is told what every commit holds (the relay wakes up by it)."""
        self.name = name
        self.core = core
        self.journal = journal
        self.bus = bus
        self._now = now
        self._committed = committed
        self._queue: deque[tuple[Any, Answer | None]] = deque()
        self._queued = asyncio.Event()
        self._asking: dict[str, asyncio.Task[None]] = {}

    def put(self, request: Any, answer: Answer | None = None) -> None:
        """Queue a request; ``answer`` is called once, after the commit."""
        self._queue.append((request, answer))
        self._queued.set()

    async def run(self) -> None:
        """Work until cancelled. Raises ``LogFailed`` if a commit fails: the owner must then build a new core."""
        try:
            await self._deliver([(decision, None) for decision in self.core.wake(self._now())])
            while True:
                decided = await self._next()
                if decided:
                    await self._deliver(decided)
        finally:
            for task in self._asking.values():
                task.cancel()

    async def _next(self) -> list[tuple[Decision, Answer | None]]:
        """Wait for requests or for time; decide on everything there is."""
        due = self.core.due()
        if not self._queue:
            self._queued.clear()
            timeout = None if due is None else max(0.0, (due - self._now()) / 1000)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(timeout):
                    await self._queued.wait()
        now = self._now()
        decided: list[tuple[Decision, Answer | None]] = []
        while self._queue and len(decided) < BATCH_MAX:
            request, answer = self._queue.popleft()
            decided.append((self.core.handle(request, now), answer))
        if due is not None and due <= now:
            decided.extend((decision, None) for decision in self.core.tick(now))
        return decided

    async def _deliver(self, decided: list[tuple[Decision, Answer | None]]) -> None:
        """Commit once, then answer, publish and ask."""
        drafts = [draft for decision, _ in decided for draft in decision.drafts]
        tracked = [decision.tracked for decision, _ in decided if decision.tracked is not None]
        if drafts or tracked:
            try:
                await asyncio.to_thread(self.journal.write, drafts, tracked[-1] if tracked else None)
            except LogFailed:
                logger.exception("commit failed", partition=self.name, events=len(drafts))
                raise
            self._committed(drafts)
        for decision, answer in decided:
            if answer is not None:
                await answer(decision.reply or DONE)
            for message in decision.messages:
                await self.bus.publish(message)
            for ask in decision.asks:
                self._ask(ask)
            if decision.effect is not None:
                decision.effect()

    def _ask(self, ask: Ask) -> None:
        if ask.key not in self._asking:
            task = asyncio.create_task(self._until_answered(ask))
            self._asking[ask.key] = task

    async def _until_answered(self, ask: Ask) -> None:
        pause = 0.05
        while True:
            try:
                reply = await self.bus.request(ask.subject, ask.body, 5.0)
            except (TimeoutError, ConnectionError):
                await asyncio.sleep(pause)
                pause = min(pause * 2, 2.0)
                continue
            self._asking.pop(ask.key, None)
            self.put(Answered(ask.key, reply))
            return
