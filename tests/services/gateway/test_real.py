"""The gateway for real: nats-server, uvicorn and a WebSocket client, with small stand-ins for lobby and tables."""

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import nats
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from events.messages import Act, Connected, Disconnected, LobbyRequest, Reply, Resume, SeatUpdate, TableRequest, encode
from events.subjects import seat_of_player
from services.gateway.app import make_app, server
from services.gateway.bus import NatsBus
from services.gateway.settings import GatewaySettings
from services.tokens import Identity, make_session
from tests.services.gateway.fakes import GAMES, MATCH, SECRET, event, update


@asynccontextmanager
async def nats_server(folder: Path) -> AsyncIterator[str]:
    """Start a NATS server on a free port; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    binary = Path(sys.executable).with_name("nats-server")
    process = await asyncio.create_subprocess_exec(
        binary, "-a", "127.0.0.1", "-p", str(port), "-l", str(folder / "nats.log")
    )
    try:
        yield f"nats://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


async def connected(url: str) -> Client:
    port = int(url.rpartition(":")[2])
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            await writer.wait_closed()
            return await nats.connect(url, allow_reconnect=False)
    raise AssertionError("nats-server does not come up")


class Services:
    """Stand-ins: a table that plays whatever it is told, and a lobby without rooms."""

    def __init__(self, client: Client) -> None:
        """Begin at version 0."""
        self.client = client
        self.version = 0
        self.heard: list[object] = []
        self.applied: set[str] = set()

    async def table(self, message: Msg) -> None:
        request = msgspec.json.decode(message.data, type=TableRequest)
        self.heard.append(request)
        shown: SeatUpdate | None = None
        if isinstance(request, Act) and request.id not in self.applied:
            self.applied.add(request.id)
            self.version += 1
            shown = update(self.version, event(self.version))
        data = update(self.version) if isinstance(request, Resume) else None
        await message.respond(encode(Reply(ok=True, data=data)))
        if shown is not None:
            await self.client.publish(seat_of_player("ali", MATCH), encode(shown))

    async def lobby(self, message: Msg) -> None:
        msgspec.json.decode(message.data, type=LobbyRequest)
        await message.respond(encode(Reply(ok=True, data={"rooms": []})))

    async def live(self, message: Msg) -> None:
        row = {"match": MATCH, "game": "trix", "variant": "complex", "deal": 1, "stake": 0, "players": [], "began": 1}
        await message.respond(encode(Reply(ok=True, data=[row])))


class World:
    """Everything that runs, and its address."""

    def __init__(self, services: Services, address: str) -> None:
        """Take what runs."""
        self.services = services
        self.address = address

    async def client(self, **headers: str) -> ClientConnection:
        return await connect(f"ws://{self.address}/play", additional_headers=headers, max_size=None)

    async def signed_in(self, player: str = "ali") -> ClientConnection:
        line = await self.client()
        token = make_session(Identity(player), seconds=60, secret=SECRET)
        assert (await ask(line, id="h", do="hello", token=token))["ok"]
        return line


async def ask(line: ClientConnection, **frame: Any) -> dict[str, Any]:
    await line.send(msgspec.json.encode(frame).decode())
    return await read(line)


async def read(line: ClientConnection) -> dict[str, Any]:
    answer: dict[str, Any] = msgspec.json.decode(await asyncio.wait_for(line.recv(), 5))
    return answer


def run(folder: Path, scenario: Callable[[World], Awaitable[None]], **settings: Any) -> None:
    """Run a scenario against everything."""

    async def whole() -> None:
        async with nats_server(folder) as url:
            own, theirs = await connected(url), await connected(url)
            services = Services(theirs)
            await theirs.subscribe("table.03.command", cb=services.table)
            await theirs.subscribe("lobby.command", cb=services.lobby)
            await theirs.subscribe("tables.live", cb=services.live)
            await theirs.flush()
            ready = asyncio.Event()
            app = make_app(GatewaySettings(session_secret=SECRET, **settings), NatsBus(own), GAMES)
            serving = server(app, host="127.0.0.1", port=0, started=ready.set, shutdown_seconds=1)
            task = asyncio.create_task(serving._serve())
            await asyncio.wait_for(ready.wait(), 10)
            port = serving.servers[0].sockets[0].getsockname()[1]
            try:
                await scenario(World(services, f"127.0.0.1:{port}"))
            finally:
                serving.should_exit = True
                await task
                await own.close()
                await theirs.close()

    asyncio.run(whole())


def test_a_player_plays_is_dropped_and_comes_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(world: World) -> None:
        line = await world.signed_in()
        await line.send(f'{{"id":"c1","do":"play","table":"{MATCH}","card":"5H"}}')
        frames = sorted([await read(line), await read(line)], key=len)
        assert frames[0] == {"re": "c1", "ok": True}
        assert (frames[1]["version"], frames[1]["event"], frames[1]["view"]["at"]) == (1, event(1), 1)
        line.transport.abort()  # no goodbye
        await asyncio.sleep(0.1)
        await world.services.client.publish(seat_of_player("ali", MATCH), encode(update(2, event(2))))
        world.services.version = 2
        line = await world.signed_in()
        assert (await ask(line, id="c1", do="play", table=MATCH, card="5H"))["ok"]  # sent again: applied once
        assert (await ask(line, do="resume", table=MATCH, version=1))["ok"]
        missed = await read(line)
        assert (missed["version"], missed["event"]) == (2, event(2))
        await line.close()
        await asyncio.sleep(0.1)
        lines = [one for one in world.services.heard if isinstance(one, Connected | Disconnected)]
        assert [type(one) for one in lines] == [Connected, Disconnected] * 2
        assert lines[0].epoch == lines[1].epoch != lines[2].epoch == lines[3].epoch

    with caplog.at_level(logging.INFO):
        run(tmp_path, scenario)
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


def test_large_and_hostile_frames_do_not_kill_the_service(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(world: World) -> None:
        line, other = await world.signed_in("ali"), await world.signed_in("bo")
        assert (await ask(line, id="x", do="play", table=MATCH, card="5" * 1_000_000))["refused"] == "TOO_LARGE"
        assert world.services.version == 0
        assert (await ask(line, id="y", do="rooms"))["ok"]
        with pytest.raises(ConnectionClosed) as closed:
            await ask(line, id="z", do="play", table=MATCH, card="5" * 4_000_000)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        for _ in range(30):
            await other.send("{")
        answers = [await read(other) for _ in range(21)]
        assert {answer["refused"] for answer in answers} == {"MALFORMED"}
        with pytest.raises(ConnectionClosed) as closed:
            await read(other)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "too many bad frames")
        third = await world.signed_in("cy")
        assert (await ask(third, id="y", do="rooms"))["ok"]
        await third.close()

    with caplog.at_level(logging.INFO):
        run(tmp_path, scenario)
    assert not [record for record in caplog.records if record.exc_info]


def test_foreign_pages_are_kept_out(tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        for origin in (f"http://{world.address}", "https://play.example"):
            line = await world.client(Origin=origin)
            await line.close()
        for origin in ("https://evil.example", "null", f"http://{world.address}.evil.example"):
            with pytest.raises(InvalidStatus) as refused:
                await world.client(Origin=origin)
            assert refused.value.response.status_code == 403

    run(tmp_path, scenario, origins=("https://play.example",))


def test_http_over_the_real_server(tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        async with httpx.AsyncClient(base_url=f"http://{world.address}") as client:
            assert (await client.get("/readyz")).text == "ok"
            assert [row["match"] for row in (await client.get("/v1/matches")).json()["matches"]] == [MATCH]
            assert MATCH in (await client.get("/")).text
            assert (await client.get("/asyncapi")).json()["asyncapi"] == "3.0.0"
            too_large = await client.post("/v1/session", json={"token": "x" * 1_000_000})
            assert too_large.status_code == 413

    run(tmp_path, scenario)


def test_a_stop_tells_the_tables_that_the_players_are_gone(tmp_path: Path) -> None:
    heard: list[object] = []

    async def scenario(world: World) -> None:
        line = await world.signed_in()
        assert (await ask(line, do="resume", table=MATCH))["ok"]
        assert (await read(line))["version"] == 0
        heard.append(world.services)

    run(tmp_path, scenario)
    (services,) = heard
    assert isinstance(services, Services)
    assert isinstance(services.heard[-1], Disconnected)


def test_a_table_without_an_owner_is_asked_until_one_is_there(tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        line = await world.signed_in("bo")
        await line.send('{"id":"c","do":"play","table":"05-1"}')
        await asyncio.sleep(0.3)
        await world.services.client.subscribe("table.05.command", cb=world.services.table)
        assert await read(line) == {"re": "c", "ok": True}
        answer = await ask(line, id="d", do="play", table="06-1")
        assert (answer["re"], answer["refused"]) == ("d", "UNAVAILABLE")
        await line.close()

    run(tmp_path, scenario, request_seconds=1.0)
