"""The gateway's application: HTTP and WebSocket by Litestar, everything else by what it is given."""

from collections.abc import Callable, Mapping
from socket import socket
from typing import Any, Final

import structlog
import uvicorn
from litestar import Litestar, Request, Response, WebSocket, websocket
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig

from domain.game import AnyGame
from domain.games import GAMES
from services.gateway import http, pages
from services.gateway.bus import Bus
from services.gateway.connection import POLICY, Connection, origin_allowed
from services.gateway.gateway import Gateway
from services.gateway.http import Here, Refusal
from services.gateway.settings import GatewaySettings

logger = structlog.get_logger()

MESSAGE_BYTES: Final = 2 * 1024 * 1024  # beyond, a connection is closed unread; below, the sender is told why
BODY_BYTES: Final = 64 * 1024
CODES: Final = {400: "MALFORMED", 404: "NOT_FOUND", 405: "NOT_ALLOWED", 413: "TOO_LARGE"}


@websocket("/play")
async def play(socket: WebSocket[Any, Any, Any], gateway: Here) -> None:
    """Serve a player's app."""
    if not origin_allowed(socket, gateway.settings.origins):
        await socket.close(POLICY)
        return
    await socket.accept()
    await Connection(socket, gateway).run()


def make_app(
    settings: GatewaySettings,
    bus: Bus,
    games: Mapping[str, AnyGame] = GAMES,
    on_reconnect: list[Callable[[], None]] | None = None,
) -> Litestar:
    """Return the application. It lets go of its subscriptions when it shuts down; the bus is the caller's.

    What is to be called when the bus is back after it was away is added to ``on_reconnect``.
    """
    gateway = Gateway(settings, bus, games)
    if on_reconnect is not None:
        on_reconnect.append(gateway.players.refresh)

    def provide() -> Gateway:
        return gateway

    return Litestar(
        route_handlers=[play, *http.HANDLERS, *pages.HANDLERS],
        dependencies={"gateway": Provide(provide, sync_to_thread=False, use_cache=True)},
        on_startup=[gateway.start],
        on_shutdown=[gateway.close],
        exception_handlers={HTTPException: _refused, Exception: _failed},
        openapi_config=OpenAPIConfig(
            title="Shadda",
            version="1",
            path="/docs",
            render_plugins=[pages.PlainDocument(path="/")],
        ),
        request_max_body_size=BODY_BYTES,
        logging_config=None,
    )


def _refused(_request: Request[Any, Any, Any], fault: HTTPException) -> Response[dict[str, str]]:
    """Answer in one shape: a code, and a text for people."""
    if isinstance(fault, Refusal):
        content = {"refused": fault.code, "text": fault.text}
    else:
        text = fault.detail
        if isinstance(fault, ValidationException) and isinstance(fault.extra, list):
            text = "; ".join(str(one.get("message", "")) for one in fault.extra if isinstance(one, dict)) or text
        content = {"refused": CODES.get(fault.status_code, "REFUSED"), "text": text}
    return Response(content, status_code=fault.status_code)


def _failed(request: Request[Any, Any, Any], fault: Exception) -> Response[dict[str, str]]:
    """Answer for a mistake of ours; the log has the rest."""
    logger.error("request failed", path=request.url.path, exc_info=fault)
    return Response({"refused": "FAILED", "text": "Something went wrong here."}, status_code=500)


class Server(uvicorn.Server):
    """A server that says when it has begun to serve."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        """Take what to call."""
        super().__init__(config)
        self._told = started

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        if self.started:
            self._told()


def server(
    app: Litestar, *, host: str, port: int, started: Callable[[], None] = lambda: None, shutdown_seconds: int = 5
) -> Server:
    """Return the server of an application, as the gateway needs it; ``started`` is called once it serves.

    A WebSocket costs 24 KB without compression (119 KB with it), and pings find lines that are dead.
    """
    return Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            ws="websockets-sansio",
            ws_max_size=MESSAGE_BYTES,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            timeout_graceful_shutdown=shutdown_seconds,
            access_log=False,
            log_config=None,
            lifespan="on",
            server_header=False,
        ),
        started,
    )
