"""A partition that this process owns: its log, its relay, and a worker that lives until the log refuses a write.

Tables have many partitions; the lobby and scoring have one each, of their own name.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, Final

import msgspec
import structlog

from events.codec import Codec, kind_of
from events.envelope import Cipher
from events.log import Log, LogFailed
from events.messages import Fact, Reply, ResendFacts
from services.bus import Bus
from services.core import Core, Draft
from services.relay import JetStreamFacts, Relay
from services.worker import Journal, Worker

logger = structlog.get_logger()

RELOAD_PAUSE_SECONDS: Final = 0.5


class Partition:
    """Receives requests for a partition and runs its worker; everything in memory is built again after a failure."""

    def __init__(  # noqa: PLR0913 - every port by its name
        self,
        name: str,
        log: Log,
        *,
        codec: Codec,
        public: Collection[str],
        core: Callable[[Journal], Core],
        requests: Any,
        bus: Bus,
        cipher: Cipher | None = None,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        """Take the partition's name and log, its kinds, and what builds its core; nothing is read before :meth:`run`.

        ``requests`` is the union of the requests that come in over the bus; ``now`` tells the milliseconds since 1970.
        """
        self.name = name
        self.ready = asyncio.Event()
        self._log = log
        self._codec = codec
        self._public = frozenset(public)
        self._core = core
        self._decode = msgspec.json.Decoder(requests | ResendFacts).decode
        self._bus = bus
        self._cipher = cipher
        self._now = now
        self._relay: Relay | None = None
        self._worker: Worker | None = None
        self._answering: set[asyncio.Task[None]] = set()

    def received(self, body: bytes, reply_to: str) -> None:
        """Take a request from the bus. While the partition is loading nothing is answered: the sender asks again."""
        if self._worker is None:
            return
        try:
            request = self._decode(body)
        except (msgspec.MsgspecError, RecursionError) as fault:
            logger.warning("a request cannot be read", partition=self.name, reason=type(fault).__name__)
            self._answer(reply_to, Reply(ok=False, refused="BAD_REQUEST"))
            return
        if isinstance(request, ResendFacts):
            if self._relay is not None:
                self._relay.resend(request.after)
            self._answer(reply_to, Reply(ok=True))
            return
        self.put(request, reply_to)

    def put(self, request: Any, reply_to: str = "") -> None:
        """Queue a request for the worker."""
        if self._worker is not None:
            self._worker.put(request, (lambda reply: self._bus.answer(reply_to, reply)) if reply_to else None)

    def fact(self, fact: Fact, acknowledge: Callable[[], Awaitable[None]]) -> None:
        """Queue another service's fact; it is acknowledged once what follows from it is committed."""
        if self._worker is not None:
            self._worker.put(fact, lambda _reply: acknowledge())

    def _answer(self, reply_to: str, reply: Reply) -> None:
        task = asyncio.create_task(self._bus.answer(reply_to, reply))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def run(self) -> None:
        """Own the partition until cancelled."""
        facts = JetStreamFacts(self._bus.stream)
        relay = self._relay = Relay(self._log, self.name, self._public, facts, cipher=self._cipher)
        relaying = asyncio.create_task(relay.run())

        def committed(drafts: Sequence[Draft]) -> None:
            if any(kind_of(draft.event) in self._public for draft in drafts):
                relay.wake()

        try:
            while True:
                await self._bus.connected.wait()
                journal = Journal(self._log, self._codec, self._cipher)
                core = await asyncio.to_thread(self._core, journal)
                self._worker = Worker(self.name, core, journal, self._bus, now=self._now, committed=committed)
                self.ready.set()
                with contextlib.suppress(LogFailed):
                    await self._work(self._worker)
                self._worker = None
                logger.warning("the partition is loaded again", partition=self.name)
                await asyncio.sleep(RELOAD_PAUSE_SECONDS)
        finally:
            self._worker = None
            await stopped(relaying)

    async def _work(self, worker: Worker) -> None:
        """Run a worker until its log fails or the bus is gone: while nobody can act, no clock may run (TBL-11)."""
        working = asyncio.create_task(worker.run())
        lost = asyncio.create_task(self._bus.lost.wait())
        try:
            await asyncio.wait([working, lost], return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
        finally:
            await stopped(working)
            await stopped(lost)


async def stopped(task: asyncio.Task[Any]) -> None:
    """Cancel a task until it has ended: a library may swallow one cancellation."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.2)


async def run_all(
    partitions: Collection[Partition], ready: Callable[[], None], follow: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Run partitions until cancelled; say when every one of them takes requests, after ``follow`` is done."""
    async with asyncio.TaskGroup() as group:
        for partition in partitions:
            group.create_task(partition.run())
        for partition in partitions:
            await partition.ready.wait()
        if follow is not None:
            await follow()
        ready()
