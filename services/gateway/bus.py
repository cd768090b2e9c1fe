"""What the gateway asks of the bus, and how NATS gives it."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from events.messages import Reply
from services.core import Message

Taker = Callable[[str, bytes], Awaitable[None]]  # (subject, body); called in order, and never raises
Stop = Callable[[], Awaitable[None]]

QUIET_SECONDS: Final = 0.15  # after the last answer of a question to many
_CONTENT_TYPE: Final = {"content-type": "application/json"}
_decode: Final = msgspec.json.Decoder(Reply).decode


class Bus(Protocol):
    """The gateway's port to the other services."""

    @property
    def connected(self) -> bool:
        """Say whether messages can go out now."""

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - passed on
        """Ask another service; raise ``TimeoutError`` or ``ConnectionError`` when no answer comes."""

    async def gather(self, subject: str, body: bytes, timeout: float) -> list[Reply]:  # noqa: ASYNC109 - passed on
        """Ask everybody who listens; return the answers that came, none if nobody is there."""

    async def publish(self, message: Message) -> None:
        """Send a message that may be lost."""

    async def subscribe(self, subject: str, taker: Taker) -> Stop:
        """Hand every message of a subject to ``taker`` until the function that is returned is called."""


class NatsBus:
    """The port over a connection of nats-py, such as that of a FastStream broker.

    Subscriptions come and go with players, by the thousand, and need no more than the bytes: so they are nats-py's.
    """

    def __init__(self, client: Client) -> None:
        """Take a connection, which the caller opens and closes."""
        self._client = client

    @property
    def connected(self) -> bool:
        """Say whether the connection stands."""
        return self._client.is_connected

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - passed on
        """Ask another service."""
        try:
            message = await self._client.request(subject, body, timeout=timeout, headers=_CONTENT_TYPE)
            return _decode(message.data)
        except nats.errors.TimeoutError as fault:
            raise TimeoutError(f"no answer from {subject}") from fault
        except (nats.errors.Error, msgspec.MsgspecError) as fault:
            raise ConnectionError(f"no good answer from {subject}: {type(fault).__name__}") from fault

    async def gather(self, subject: str, body: bytes, timeout: float) -> list[Reply]:  # noqa: ASYNC109 - passed on
        """Ask everybody; stop when no further answer comes for a moment."""
        replies: list[Reply] = []
        inbox = self._client.new_inbox()
        try:
            subscription = await self._client.subscribe(inbox)
        except nats.errors.Error as fault:
            raise ConnectionError(f"{subject} cannot be asked: {type(fault).__name__}") from fault
        try:
            await self._client.publish(subject, body, reply=inbox, headers=_CONTENT_TYPE)
            async with asyncio.timeout(timeout):
                while True:
                    message = await subscription.next_msg(QUIET_SECONDS)
                    if message.headers and message.headers.get("Status") == "503":
                        break
                    replies.append(_decode(message.data))
        except (TimeoutError, nats.errors.Error, msgspec.MsgspecError):
            return replies
        finally:
            with contextlib.suppress(nats.errors.Error):
                await subscription.unsubscribe()
        return replies

    async def publish(self, message: Message) -> None:
        """Send a message."""
        with contextlib.suppress(nats.errors.Error):
            await self._client.publish(message.subject, message.body, headers=_CONTENT_TYPE)

    async def subscribe(self, subject: str, taker: Taker) -> Stop:
        """Subscribe until the function that is returned is called."""

        async def take(message: Msg) -> None:
            await taker(message.subject, message.data)

        try:
            subscription = await self._client.subscribe(subject, cb=take)
        except nats.errors.Error as fault:
            raise ConnectionError(f"{subject} cannot be followed: {type(fault).__name__}") from fault

        async def stop() -> None:
            with contextlib.suppress(nats.errors.Error):
                await subscription.unsubscribe()

        return stop
