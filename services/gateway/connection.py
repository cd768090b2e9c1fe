"""One WebSocket connection: what comes in is carried out in its order, what goes out waits in a bounded queue."""

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Any, Final

import structlog
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from services.gateway.commands import Commands
from services.gateway.frames import BadFrame, Frame, Hello, accepted, decode_hello, refused, take_apart
from services.gateway.gateway import Gateway
from services.gateway.limits import Allowance
from services.gateway.player import Player
from services.gateway.texts import (
    BAD_TOKEN,
    GATEWAY_TEXTS,
    MALFORMED,
    NOT_SIGNED_IN,
    RATE_LIMITED,
    TOO_LARGE,
    TOO_MANY_CONNECTIONS,
    UNAVAILABLE,
)
from services.tokens import BadToken, check_session

logger = structlog.get_logger()

POLICY: Final = 1008  # RFC 6455: the peer broke the rules
TRY_AGAIN: Final = 1013
LAST_SECONDS: Final = 1.0  # for the last frames of a connection that is closed
STRIKES_FORGIVEN_PER_SECOND: Final = 1.0


class Connection:
    """A connection from its first frame to its last."""

    def __init__(self, socket: WebSocket[Any, Any, Any], gateway: Gateway) -> None:
        """Take an accepted WebSocket."""
        self._socket = socket
        self._gateway = gateway
        self._strikes = Allowance(STRIKES_FORGIVEN_PER_SECOND, gateway.settings.strikes)
        self._player: Player | None = None
        self._commands: Commands | None = None
        self._waiting: deque[bytes] = deque()
        self._more = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._writer: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve the connection until either side closes it; never raises for anything the peer does."""
        self._writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        hello = asyncio.get_running_loop().call_later(self._gateway.settings.hello_seconds, self._no_hello)
        self._gateway.metrics.connections.inc()
        try:
            await asyncio.wait([reader, self._writer], return_when=asyncio.FIRST_COMPLETED)
            if self._closing is not None:
                await asyncio.wait([self._writer], timeout=LAST_SECONDS)
        finally:
            hello.cancel()
            self._gateway.metrics.connections.dec()
            reader.cancel()
            self._writer.cancel()
            ends = await asyncio.gather(reader, self._writer, return_exceptions=True)
            await self._left()
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def _left(self) -> None:
        player = self._player
        if player is not None:
            self._gateway.players.leave(player, self)
            await self._gateway.watchers.leave(self)
            logger.info("connection closed", player=player.name)

    # --- out

    def push(self, frames: Iterable[bytes]) -> None:
        """Queue frames; a peer that does not take them for too long loses the connection, and nothing else."""
        self._waiting.extend(frames)
        self._more.set()
        if len(self._waiting) > self._gateway.settings.queue_frames and self._closing is None:
            self._waiting.clear()
            self._close(TRY_AGAIN, "too slow")

    def _close(self, code: int, reason: str) -> None:
        """Close the connection once what waits has been sent."""
        if self._closing is None:
            self._closing = (code, reason)
            self._more.set()
            self._gateway.metrics.closed.labels(reason).inc()
            name = None if self._player is None else self._player.name
            logger.info("connection is closed", player=name, reason=reason)

    async def _write(self) -> None:
        try:
            while True:
                while self._waiting:
                    await self._socket.send_text(self._waiting.popleft().decode())
                    self._gateway.metrics.sent.inc()
                if self._closing is not None:
                    await self._socket.close(*self._closing)
                    return
                self._more.clear()
                await self._more.wait()
        except (OSError, RuntimeError, WebSocketDisconnect):
            return  # the peer is gone; the reader hears of it too

    def _no_hello(self) -> None:
        if self._player is None:
            self._close(POLICY, "no hello")

    # --- in

    async def _read(self) -> None:
        while self._closing is None:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return
            try:
                await self._take(message.get("text"))
            except BadFrame as bad:
                self._gateway.metrics.refused.labels(bad.code).inc()
                self.push([refused(bad.re, bad.code, bad.text or GATEWAY_TEXTS[bad.code][0])])
                if not self._strikes.take():
                    self._close(POLICY, "too many bad frames")

    async def _take(self, text: object) -> None:
        if not isinstance(text, str):
            raise BadFrame(MALFORMED, "Frames are text.")
        limit = self._gateway.settings.frame_bytes
        if len(text) > limit or (not text.isascii() and len(text.encode()) > limit):
            raise BadFrame(TOO_LARGE)
        frame = take_apart(text)
        if self._commands is None or self._player is None:
            await self._hello(frame, text)
        elif not self._player.allowance.take():
            raise BadFrame(RATE_LIMITED, "", frame.id)
        else:
            await self._commands.run(frame, text)

    async def _hello(self, frame: Frame, text: str) -> None:
        if frame.do != Hello.__struct_config__.tag:
            raise BadFrame(NOT_SIGNED_IN, "", frame.id)
        hello = decode_hello(text, frame.id)
        try:
            identity = check_session(hello.token, secret=self._gateway.settings.session_secret)
        except BadToken as fault:
            raise BadFrame(BAD_TOKEN, str(fault), frame.id) from fault
        try:
            player = await self._gateway.players.enter(identity.player, self)
        except ConnectionError as fault:
            raise BadFrame(UNAVAILABLE, "", frame.id) from fault
        if player is None:
            self.push([refused(frame.id, TOO_MANY_CONNECTIONS, GATEWAY_TEXTS[TOO_MANY_CONNECTIONS][0])])
            self._close(POLICY, "too many connections")
            return
        self._player = player
        self._commands = Commands(self._gateway, player, self)
        self._gateway.metrics.received.labels(frame.do).inc()
        self.push([accepted(frame.id, {"player": player.name})])
        self._gateway.players.show_rooms(player)
        logger.info("connection open", player=player.name)


def origin_allowed(socket: WebSocket[Any, Any, Any], origins: tuple[str, ...]) -> bool:
    """Say whether a page may connect: one of the gateway's own, or of an allowed origin. Apps send no origin."""
    origin = socket.headers.get("origin")
    if origin is None or "*" in origins or origin in origins:
        return True
    return origin.partition("://")[2] == socket.headers.get("host")
