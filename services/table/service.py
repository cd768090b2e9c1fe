"""The table service at its edge: subscribers that enqueue, a worker and a relay for each partition it owns."""

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import structlog

from events import subjects
from events.codec import kind_of
from events.envelope import Cipher
from events.log import Log, LogFailed
from events.messages import Reply, ResendFacts, TableRequest
from services.bus import Bus
from services.core import Draft
from services.relay import JetStreamFacts, Relay
from services.table.core import ListMatches, ShowBots, TableCore, TableSettings, codec, public_kinds
from services.worker import Journal, Worker

logger = structlog.get_logger()

RELOAD_PAUSE_SECONDS: Final = 0.5
_decode: Final = msgspec.json.Decoder(TableRequest).decode


class Partition:
    """One partition that this process owns: its log, and the worker that lives until the log refuses a write."""

    def __init__(self, name: str, log: Log, settings: TableSettings, bus: Bus, cipher: Cipher | None = None) -> None:
        """Take the partition's name and log; nothing is read before :meth:`run`."""
        self.name = name
        self._log = log
        self._settings = settings
        self._bus = bus
        self._cipher = cipher
        self._relay: Relay | None = None
        self._worker: Worker | None = None
        self.ready = asyncio.Event()

    def listen(self) -> None:
        """Subscribe to this partition's commands."""
        self._bus.listen(subjects.table(self.name), self._received)

    def _received(self, body: bytes, reply_to: str) -> None:
        if self._worker is None:
            return  # no answer: the sender asks again with the same id
        try:
            request = _decode(body)
        except msgspec.MsgspecError as fault:
            reply = Reply(ok=False, refused="BAD_REQUEST", text=type(fault).__name__)
            self._later(self._bus.answer(reply_to, reply))
            return
        if isinstance(request, ResendFacts):
            if self._relay is not None:
                self._relay.resend(request.after)
            self._later(self._bus.answer(reply_to, Reply(ok=True)))
            return
        self.put(request, reply_to)

    def put(self, request: Any, reply_to: str = "") -> None:
        """Queue a request for the worker."""
        if self._worker is not None:
            self._worker.put(request, (lambda reply: self._bus.answer(reply_to, reply)) if reply_to else None)

    def _later(self, answering: Any) -> None:
        task = asyncio.ensure_future(answering)
        task.add_done_callback(lambda done: done.exception())

    async def run(self) -> None:
        """Own the partition until cancelled; after a failed write everything in memory is built again."""
        public = public_kinds()
        facts = JetStreamFacts(self._bus.stream)
        relay = self._relay = Relay(self._log, self.name, public, facts, cipher=self._cipher)
        relaying = asyncio.create_task(relay.run())

        def committed(drafts: Sequence[Draft]) -> None:
            if any(kind_of(draft.event) in public for draft in drafts):
                relay.wake()

        try:
            while True:
                journal = Journal(self._log, codec(), self._cipher)
                core = await asyncio.to_thread(TableCore, self._settings, journal, os.urandom)
                self._worker = Worker(self.name, core, journal, self._bus, committed=committed)
                self.ready.set()
                try:
                    await self._worker.run()
                except LogFailed:
                    logger.warning("partition is loaded again", partition=self.name)
                finally:
                    self._worker = None
                await asyncio.sleep(RELOAD_PAUSE_SECONDS)
        finally:
            relaying.cancel()


async def serve(
    bus: Bus,
    logs: dict[str, Log],
    settings: TableSettings,
    cipher: Cipher | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Run the tables of all the partitions whose logs are given, until cancelled."""
    partitions = [Partition(name, log, settings, bus, cipher) for name, log in logs.items()]
    for partition in partitions:
        partition.listen()

    def show_bots(_body: bytes, _reply_to: str) -> None:
        for partition in partitions:
            partition.put(ShowBots())

    def list_matches(_body: bytes, reply_to: str) -> None:
        for partition in partitions:
            partition.put(ListMatches(), reply_to)

    bus.listen(subjects.BOTS_HELLO, show_bots)
    bus.listen(subjects.TABLES_LIVE, list_matches)
    await bus.start()
    async with asyncio.TaskGroup() as group:
        for partition in partitions:
            group.create_task(partition.run())
        for partition in partitions:
            await partition.ready.wait()
        ready()
