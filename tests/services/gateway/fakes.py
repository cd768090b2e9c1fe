"""A bus in memory with services that a test scripts, and a WebSocket whose other end is the test."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import msgspec

from domain.games import basra, pinochle, trix
from events.messages import Reply, RoomUpdate, SeatUpdate
from services.core import Message
from services.gateway.bus import Stop, Taker
from services.gateway.connection import Connection
from services.gateway.gateway import Gateway
from services.gateway.settings import GatewaySettings
from services.tokens import Identity, make_session

SECRET: Final = "a secret of more than thirty-two bytes"
MATCH: Final = "03-0190aa"
GAMES: Final = {game.name: game for game in (basra.GAME, pinochle.GAME, trix.GAME)}


class FakeBus:
    """Answers requests by a script, and hands what is shown to whoever follows it."""

    def __init__(self) -> None:
        """Begin with services that say yes to everything."""
        self.connected = True
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.bodies: list[bytes] = []
        self.followed: dict[str, list[Taker]] = {}
        self.answers: dict[str, Callable[[dict[str, Any]], Reply]] = {}

    def asked(self, do: str) -> list[dict[str, Any]]:
        """Return the requests of one kind."""
        return [body for _, body in self.requests if body["do"] == do]

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - the port's name
        assert timeout > 0
        content = msgspec.json.decode(body)
        self.requests.append((subject, content))
        self.bodies.append(body)
        await asyncio.sleep(0)
        if not self.connected:
            raise ConnectionError("nobody is there")
        answer = self.answers.get(content["do"])
        return answer(content) if answer else Reply(ok=True)

    async def gather(self, subject: str, body: bytes, timeout: float) -> list[Reply]:  # noqa: ASYNC109 - likewise
        assert (subject, bool(body), timeout > 0) == ("tables.live", True, True)
        row = {"game": "trix", "variant": "complex", "deal": 2, "stake": 50, "players": ["ali", "bot-1"]}
        rows = [row | {"match": "00-b", "began": 2}, row | {"match": "01-a", "began": 1}]
        return [Reply(ok=True, data=[one]) for one in rows]

    async def publish(self, message: Message) -> None:
        for pattern, takers in self.followed.items():
            if message.subject == pattern or (pattern.endswith(">") and message.subject.startswith(pattern[:-1])):
                for taker in list(takers):
                    await taker(message.subject, message.body)

    async def subscribe(self, subject: str, taker: Taker) -> Stop:
        await asyncio.sleep(0)
        if not self.connected:
            raise ConnectionError("nobody is there")
        self.followed.setdefault(subject, []).append(taker)

        async def stop() -> None:
            self.followed[subject].remove(taker)

        return stop

    async def show(self, player: str, update: SeatUpdate) -> None:
        await self.publish(Message(f"seat.player.{player}.{update.match}", msgspec.json.encode(update)))

    async def show_room(self, player: str, room: RoomUpdate) -> None:
        await self.publish(Message(f"seat.player.{player}.room", msgspec.json.encode(room)))


class FakeSocket:
    """The server's end of a WebSocket; the test holds the other."""

    def __init__(self, headers: dict[str, str] | None = None) -> None:
        """Begin open."""
        self.headers = headers or {}
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed: tuple[int, str] | None = None
        self.stuck = asyncio.Event()
        self.stuck.set()

    async def receive(self) -> dict[str, Any]:
        return await self.incoming.get()

    async def send_text(self, text: str) -> None:
        await self.stuck.wait()
        if self.closed:
            raise OSError("the peer is gone")
        self.outgoing.put_nowait(msgspec.json.decode(text))

    async def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)


class Client:
    """A client over a fake socket."""

    def __init__(self, gateway: Gateway) -> None:
        """Connect."""
        self.socket = FakeSocket()
        self.connection = Connection(self.socket, gateway)  # type: ignore[arg-type]
        self.running = asyncio.create_task(self.connection.run())

    def write(self, frame: dict[str, Any] | str) -> None:
        text = frame if isinstance(frame, str) else msgspec.json.encode(frame).decode()
        self.socket.incoming.put_nowait({"type": "websocket.receive", "text": text})

    async def read(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.socket.outgoing.get(), 2)

    async def ask(self, **frame: Any) -> dict[str, Any]:
        self.write(frame)
        return await self.read()

    async def hello(self, player: str) -> None:
        token = make_session(Identity(player), seconds=60, secret=SECRET)
        assert await self.ask(id="h", do="hello", token=token) == {"re": "h", "ok": True, "player": player}
        await settled()

    async def drop(self) -> None:
        self.socket.incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await self.running

    def silent(self) -> bool:
        return self.socket.outgoing.empty()


async def settled() -> None:
    """Let everything that can run do so."""
    for _ in range(20):
        await asyncio.sleep(0)


def gateway_of(bus: FakeBus, **settings: Any) -> Gateway:
    bus.answers.setdefault("rooms", lambda _: Reply(ok=True, data={"rooms": []}))
    defaults: dict[str, Any] = {"session_secret": SECRET, "request_seconds": 0.3, "linger_seconds": 0.2}
    return Gateway(GatewaySettings(**(defaults | settings)), bus, GAMES)


def update(
    version: int, *events: dict[str, Any], match: str = MATCH, lost: int = 0, game: str | None = None
) -> SeatUpdate:
    view: dict[str, Any] = {"seat": 0, "seats": [{"lost_until": lost}], "at": version}
    if game is not None:
        view["game"] = game
    raws = tuple(msgspec.Raw(msgspec.json.encode(event)) for event in events)
    return SeatUpdate(match, version, raws, msgspec.Raw(msgspec.json.encode(view)))


def event(number: int, kind: str = "trix.card_played.v1") -> dict[str, Any]:
    return {"kind": kind, "n": number}


def room(*seats: str | None, phase: str = "waiting", match: str = "") -> RoomUpdate:
    return RoomUpdate(
        room="room-1",
        game="trix",
        variant="complex",
        options={},
        stake=0,
        private=False,
        owner="ali",
        seats=seats,
        ready=(False,) * len(seats),
        phase=phase,
        match=match,
    )
