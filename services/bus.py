"""The bus as services use it: one FastStream broker over one NATS connection.

Subscribers only enqueue: a message is decoded by the service's own typed decoder and put on a worker's queue, and the
worker answers after its commit.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
import nats.errors
import structlog
from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker, NatsMessage, PullSub
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from events import subjects
from events.messages import Fact, Reply
from services.core import Message

logger = structlog.get_logger()

CONTENT_TYPE: Final = {"content-type": "application/json"}
FACTS_KEPT_SECONDS: Final = 7 * 24 * 3600  # the log is the record; this is how long a consumer may be away
ACK_SECONDS: Final = 5.0  # after which a fact that was not acknowledged comes again
_encode: Final = msgspec.json.Encoder().encode
_decode_reply: Final = msgspec.json.Decoder(Reply).decode
_decode_fact: Final = msgspec.json.Decoder(Fact).decode

Handler = Callable[[bytes, str], None]  # the body, and where the answer goes ("" where none is wanted)


def _called(handler: Callable[[Msg], None]) -> Callable[[Msg], Awaitable[None]]:
    async def enqueue(message: Msg) -> None:
        handler(message)

    return enqueue


async def _whole(message: NatsMessage) -> NatsMessage:
    return message


class BusUnusable(Exception):
    """The bus lacks what a service needs; one line says what and what to do."""


class Bus:
    """The connection of one process to NATS."""

    def __init__(self, url: str, name: str) -> None:
        """Take the server's address, credentials in it if need be, and the name this process shows there."""
        self.broker = NatsBroker(
            url,
            name=name,
            apply_types=False,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ack_policy=AckPolicy.MANUAL,
            logger=None,
            disconnected_cb=self._cut_off,
            reconnected_cb=self._back,
        )
        self.connected = asyncio.Event()  # while messages come and go
        self.lost = asyncio.Event()  # while they do not
        self.on_reconnect: list[Callable[[], None]] = []  # called when they do again: what was said meanwhile is gone
        self._listening: list[tuple[str, str, Callable[[Msg], None]]] = []
        self.client: Client
        self.stream: JetStreamContext

    async def start(self) -> None:
        """Connect; subscribers are added before."""
        self.client = await self.broker.connect()
        self.stream = self.client.jetstream()
        await self.broker.start()
        for pattern, queue, handler in self._listening:
            await self.client.subscribe(pattern, queue, cb=_called(handler), pending_msgs_limit=-1)
        await self.client.flush()
        await self._back()

    async def _cut_off(self) -> None:
        self.connected.clear()
        self.lost.set()

    async def _back(self) -> None:
        again = self.lost.is_set()
        self.lost.clear()
        self.connected.set()
        if again:
            for tell in self.on_reconnect:
                tell()

    async def stop(self) -> None:
        """Stop the subscribers and close the connection, also where the server is gone already."""
        with contextlib.suppress(nats.errors.Error):
            await self.broker.stop()

    def listen(self, subject: str, handler: Handler, queue: str = "") -> None:
        """Call the handler with every request or message on a subject. It must not block and not raise."""
        self.listen_with_subject(subject, lambda message: handler(message.data, message.reply), queue)

    def listen_with_subject(self, pattern: str, handler: Callable[[Msg], None], queue: str = "") -> None:
        """Call the handler with every message on the subjects of a pattern, as it came over the wire.

        The broker's connection calls it: a FastStream subscriber costs 45 µs a message, iterated 20, and this 4.
        """
        self._listening.append((pattern, queue, handler))

    async def follow_facts(self, consumer: str, handler: Callable[[Fact, Callable[[], Awaitable[None]]], None]) -> None:
        """Call the handler with every public fact, in order, and what acknowledges it; the bus has been started.

        A fact that is not acknowledged comes again. Raises :class:`BusUnusable` if the stream is not declared.
        """
        try:
            await self.stream.stream_info(subjects.FACTS_STREAM)
        except NotFoundError as fault:
            raise BusUnusable("the stream of facts is not declared on the bus: run `shadda streams` once") from fault

        async def enqueue(message: NatsMessage) -> None:
            try:
                fact = _decode_fact(message.body)
            except msgspec.MsgspecError:
                logger.exception("a fact cannot be read", subject=message.raw_message.subject)
                await message.reject()
                return
            handler(fact, message.ack)

        subscriber = self.broker.subscriber(
            subjects.FACTS_ALL,
            stream=JStream(subjects.FACTS_STREAM, declare=False),
            durable=consumer,
            config=ConsumerConfig(ack_wait=ACK_SECONDS),
            pull_sub=PullSub(batch_size=1, timeout=1.0),
            ack_policy=AckPolicy.MANUAL,
            decoder=_whole,
            no_reply=True,
        )
        subscriber(enqueue)
        await subscriber.start()

    async def publish(self, message: Message) -> None:
        """Send a message that may be lost."""
        await self.client.publish(message.subject, message.body, headers=CONTENT_TYPE)

    async def answer(self, reply_to: str, reply: Reply) -> None:
        """Answer a request."""
        if reply_to:
            await self.client.publish(reply_to, _encode(reply))

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - passed on
        """Ask another service; raise ``TimeoutError`` or ``ConnectionError`` when no answer comes."""
        try:
            message = await self.client.request(subject, body, timeout=timeout)
        except nats.errors.TimeoutError as fault:
            raise TimeoutError(str(fault)) from fault
        except (nats.errors.NoRespondersError, nats.errors.ConnectionClosedError) as fault:
            raise ConnectionError(str(fault)) from fault
        return _decode_reply(message.data)


async def connect_once(url: str) -> Client:
    """Connect to a NATS server for one errand; raise ``ConnectionError`` at once if none answers there."""

    async def said_by_the_exception(_fault: Exception) -> None:
        pass

    try:
        return await nats.connect(
            url,
            allow_reconnect=False,
            connect_timeout=2,
            max_reconnect_attempts=1,  # it holds for the first connection too, and 0 means for ever
            reconnect_time_wait=0,
            error_cb=said_by_the_exception,
        )
    except (OSError, nats.errors.Error, TimeoutError) as fault:
        raise ConnectionError(f"no NATS server answers at {_without_credentials(url)}") from fault


def _without_credentials(url: str) -> str:
    scheme, _, rest = url.rpartition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if scheme else rest.rpartition("@")[2]


async def declare_streams(url: str) -> None:
    """Make the stream of facts, if it is not there: an operator's step, not a service's."""
    client = await connect_once(url)
    try:
        stream = client.jetstream()
        config = StreamConfig(
            name=subjects.FACTS_STREAM,
            subjects=[subjects.FACTS_ALL],
            retention=RetentionPolicy.LIMITS,
            storage=StorageType.FILE,
            max_age=FACTS_KEPT_SECONDS,
            deny_delete=True,
            deny_purge=True,
            duplicate_window=120,
        )
        try:
            await stream.stream_info(subjects.FACTS_STREAM)
        except NotFoundError:
            await stream.add_stream(config)
    finally:
        await client.close()


async def wait_for(url: str, seconds: float) -> None:
    """Wait until a NATS server answers; raise ``ConnectionError`` if none does in time."""
    deadline = asyncio.get_running_loop().time() + seconds
    while True:
        try:
            client = await connect_once(url)
        except ConnectionError:
            if asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(0.05)
        else:
            await client.close()
            return
