"""The relay: copies the public facts of a partition's log to the bus, in order, none lost and none made up.

It runs in the partition's owner. Each fact carries its own position and that of the fact before it, so a consumer
applies only the successor of what it has: copies that come twice are dropped there, and a gap shows. The position of
the last fact published is kept in the partition's log after the bus has acknowledged it.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Collection, Sequence
from typing import Final, Protocol

import msgspec
import nats.errors
import structlog
from nats.js import JetStreamContext

from events import subjects
from events.envelope import Cipher, Stored, unseal
from events.log import Log, LogFailed
from events.messages import Fact, encode

logger = structlog.get_logger()

CONSUMER: Final = "relay"  # its name among the consumers of the log
PAGE: Final = 256  # facts published before their position is kept
POLL_SECONDS: Final = 1.0  # how long to wait for a wake-up
REST_SECONDS: Final = 0.02  # between two looks at the log, however often it is woken
BACK_OFF_SECONDS: Final = 5.0  # at most, while bus or log fail


class NotPublished(Exception):
    """The bus has not acknowledged a fact; it may have it all the same."""


class Facts(Protocol):
    """What the relay asks of the bus."""

    async def publish(self, subject: str, body: bytes, message_id: str) -> None:
        """Return once the bus has acknowledged a fact; raise :class:`NotPublished` if it does not.

        The bus drops a message whose id it has seen lately.
        """


class JetStreamFacts(Facts):
    """Publishes to JetStream."""

    def __init__(self, stream: JetStreamContext, *, seconds: float = 5.0) -> None:
        """Take a connection's JetStream, and how long to wait for an acknowledgement."""
        self._stream = stream
        self._seconds = seconds

    async def publish(self, subject: str, body: bytes, message_id: str) -> None:
        """Publish and await the acknowledgement."""
        headers = {"Nats-Msg-Id": message_id, "content-type": "application/json"}
        try:
            await self._stream.publish(subject, body, timeout=self._seconds, headers=headers)
        except (nats.errors.Error, OSError) as fault:  # its time-out is one of the latter
            raise NotPublished(str(fault) or type(fault).__name__) from fault


class Relay:
    """Tails one partition's log. Give :meth:`wake` to the worker as what to call after each commit."""

    def __init__(
        self, log: Log, partition: str, kinds: Collection[str], facts: Facts, *, cipher: Cipher | None = None
    ) -> None:
        """Take the log, the partition's name, the kinds that are public, the bus, and the log's cipher if any."""
        self._log = log
        self._partition = partition
        self._kinds = tuple(kinds)
        self._facts = facts
        self._cipher = cipher
        self._woken = asyncio.Event()
        self._resend: int | None = None
        self._last = 0  # position of the last fact published
        self._kept = 0  # the same, as kept in the log
        self._seen = 0  # up to where the log has been looked through

    def wake(self, _positions: Sequence[int] = ()) -> None:
        """Look at the log at once: something has been committed."""
        self._woken.set()

    def resend(self, after: int) -> None:
        """Publish again every fact beyond a position: a consumer has found a gap."""
        self._resend = after if self._resend is None else min(after, self._resend)
        self._woken.set()

    async def run(self) -> None:
        """Work until cancelled.

        Waits and tries again while bus or log fail; raises :class:`events.envelope.Corrupt` if a fact in the log
        cannot be read.
        """
        pause = 0.0
        started = False
        while True:
            self._woken.clear()
            try:
                if not started:
                    self._last = self._kept = self._seen = await asyncio.to_thread(self._log.tracked, CONSUMER)
                    started = True
                await self._again()
                more = await self._forward()
                pause = 0.0
            except (NotPublished, LogFailed) as fault:
                pause = min(max(0.1, pause * 2), BACK_OFF_SECONDS)
                logger.warning("facts are held up", partition=self._partition, reason=str(fault), seconds=pause)
                await asyncio.sleep(pause)
                continue
            if not more:
                await asyncio.sleep(REST_SECONDS)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._woken.wait()

    async def _forward(self) -> bool:
        """Publish the next facts and keep the position of the last; say whether there may be more."""
        end, page = await asyncio.to_thread(self._look, self._seen)
        try:
            for stored in page:
                # One at a time: were a later one taken and an earlier one not, the bus would drop the later one as
                # seen when both came again in order, and consumers would miss it.
                await self._publish(stored, self._last)
                self._last = self._seen = stored.position
        finally:
            if self._last > self._kept:
                await asyncio.to_thread(self._log.track, CONSUMER, self._last)
                self._kept = self._last
        if len(page) < PAGE:
            self._seen = max(self._seen, end)
        return len(page) == PAGE

    def _look(self, after: int) -> tuple[int, list[Stored]]:
        """Return the log's end, asked for first so that nothing below it is passed over, and the next facts."""
        return self._log.end(), self._log.tail(after, PAGE, kinds=self._kinds)

    async def _again(self) -> None:
        """Publish facts again, up to the last one published, under other message ids, or the bus would drop them."""
        while self._resend is not None:
            after, self._resend = self._resend, None
            suffix = ":" + secrets.token_hex(8)
            logger.debug("facts are sent again", partition=self._partition, after=after, to=self._last)
            try:
                previous = await asyncio.to_thread(self._fact_up_to, after)
                while page := await asyncio.to_thread(self._log.tail, after, PAGE, kinds=self._kinds):
                    for stored in page:
                        if stored.position > self._last:
                            return
                        await self._publish(stored, previous, suffix=suffix)
                        previous = after = stored.position
            except (NotPublished, LogFailed):
                self.resend(after)
                raise

    def _fact_up_to(self, position: int) -> int:
        """Return the position of the last fact at or before a position, 0 for none."""
        if position <= 0:
            return 0
        at = self._log.tail(position - 1, 1, kinds=self._kinds)
        if at and at[0].position == position:
            return position
        found = 0
        while page := self._log.tail(found, PAGE, kinds=self._kinds):
            for stored in page:
                if stored.position > position:
                    return found
                found = stored.position
        return found

    async def _publish(self, stored: Stored, previous: int, *, suffix: str = "") -> None:
        opened = unseal(stored, self._cipher)
        fact = Fact(
            partition=self._partition,
            position=stored.position,
            previous=previous,
            stream=stored.stream,
            version=stored.version,
            at=opened.header.at,
            kind=stored.kind,
            event=msgspec.Raw(opened.payload),
        )
        subject = subjects.facts(self._partition, stored.kind)
        await self._facts.publish(subject, encode(fact), f"{stored.stream}:{stored.version}{suffix}")
