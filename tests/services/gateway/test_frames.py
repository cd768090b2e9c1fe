"""What a client may send, and what it is told when it may not."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from events.messages import Reply
from services.tokens import Identity, make_session
from tests.services.gateway.fakes import MATCH, SECRET, Client, FakeBus, gateway_of, settled

Scenario = Callable[[FakeBus, Client], Awaitable[None]]


def play(scenario: Scenario, *, signed_in: bool = True, **settings: Any) -> None:
    """Run a scenario with one client."""

    async def run() -> None:
        bus = FakeBus()
        gateway = gateway_of(bus, **settings)
        client = Client(gateway)
        if signed_in:
            await client.hello("ali")
        await scenario(bus, client)
        if not client.running.done():
            await client.drop()
        await gateway.close()

    asyncio.run(run())


def test_a_games_command_reaches_its_table_as_it_was_written() -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        client.write(f'{{"id":"c-17","do":"play", "card":"5H","table":"{MATCH}","odd":[1,{{"x":2.50}}]}}')
        assert await client.read() == {"re": "c-17", "ok": True}
        subject, act = bus.requests[-1]
        assert subject == "table.03.command"
        assert act["command"] == {"do": "play", "card": "5H", "odd": [1, {"x": 2.5}]}
        assert b'"odd":[1,{"x":2.50}]' in bus.bodies[-1]
        del act["command"]
        assert act == {"do": "act", "match": MATCH, "actor": "ali", "id": "c-17"}

    play(scenario)


def test_a_refusal_has_its_code_and_a_text() -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        bus.answers["act"] = lambda _: Reply(ok=False, refused="NOT_YOUR_TURN")
        answer = await client.ask(id="c", do="play", table=MATCH)
        assert answer == {"re": "c", "refused": "NOT_YOUR_TURN", "text": "It is not your turn."}

    play(scenario)


def test_the_lobby_hears_who_asks_and_answers_with_what_it_made() -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        bus.answers["open_room"] = lambda _: Reply(ok=True, data={"room": "room-1", "code": None})
        answer = await client.ask(id="o", do="open_room", game="trix", stake=50)
        assert answer == {"re": "o", "ok": True, "room": "room-1", "code": None}
        (request,) = bus.asked("open_room")
        assert (request["actor"], request["id"], request["game"], request["stake"]) == ("ali", "o", "trix", 50)
        assert (await client.ask(id="r", do="rooms"))["rooms"] == []
        assert (await client.ask(do="room", room="room-1"))["ok"]

    play(scenario)


def test_balance_and_leave() -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        bus.answers["balance"] = lambda _: Reply(ok=True, data={"balance": 70, "held": 30})
        assert await client.ask(do="balance") == {"re": None, "ok": True, "balance": 70, "held": 30}
        assert await client.ask(id="l", do="leave", table=MATCH) == {"re": "l", "ok": True}
        assert bus.asked("leave") == [{"do": "leave", "match": MATCH, "actor": "ali", "id": "l"}]

    play(scenario)


@pytest.mark.parametrize(
    ("frame", "code", "re"),
    [
        ("", "MALFORMED", None),
        ("{", "MALFORMED", None),
        ("[]", "MALFORMED", None),
        ("[" * 60_000, "MALFORMED", None),
        ('{"a":' * 10_000, "MALFORMED", None),
        ('{"id":7,"do":"play"}', "MALFORMED", None),
        ('{"id":"x"}', "MALFORMED", "x"),
        ('{"id":"x","do":["play"]}', "MALFORMED", "x"),
        ('{"id":"%s","do":"rooms"}' % ("x" * 65), "MALFORMED", None),
        ('{"id":"x","do":"dance"}', "UNKNOWN_COMMAND", "x"),
        ('{"do":"play","table":"03-1"}', "MALFORMED", None),
        ('{"id":"x","do":"play","table":"03.>"}', "MALFORMED", "x"),
        ('{"id":"x","do":"play","table":5}', "MALFORMED", "x"),
        ('{"id":"x","do":"resume","table":"03-1","version":-1}', "MALFORMED", "x"),
        ('{"id":"x","do":"resume","table":"03-1","seat":1}', "MALFORMED", "x"),
        ('{"id":"x","do":"leave","table":"*"}', "MALFORMED", "x"),
        ('{"do":"leave","table":"03-1"}', "MALFORMED", None),
        ('{"id":"x","do":"open_room"}', "MALFORMED", "x"),
        ('{"id":"x","do":"open_room","game":"trix","stake":-5}', "MALFORMED", "x"),
        ('{"id":"x","do":"open_room","game":"trix","colour":"red"}', "MALFORMED", "x"),
        ('{"id":"x","do":"rooms","actor":"bo"}', "MALFORMED", "x"),
        ('{"do":"open_room","game":"trix"}', "MALFORMED", None),
        ('{"id":"x","do":"hello","token":"t"}', "MALFORMED", "x"),
        ('{"id":"x","do":"play","card":"%s"}' % ("5" * 1_000_000), "TOO_LARGE", None),
        ('{"id":"x","do":"play","card":"%s"}' % ("ش" * 40_000), "TOO_LARGE", None),
    ],
)
def test_a_bad_frame_gets_a_clear_error_and_changes_nothing(frame: str, code: str, re: str | None) -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        before = list(bus.requests)
        client.write(frame)
        answer = await client.read()
        assert (answer["refused"], answer["re"]) == (code, re)
        assert 0 < len(answer["text"]) < 200
        assert bus.requests == before
        assert (await client.ask(id="y", do="rooms"))["ok"]

    play(scenario)


def test_binary_frames_are_refused() -> None:
    async def scenario(_bus: FakeBus, client: Client) -> None:
        client.socket.incoming.put_nowait({"type": "websocket.receive", "bytes": b"{}", "text": None})
        assert (await client.read())["refused"] == "MALFORMED"

    play(scenario)


def test_nothing_goes_before_hello() -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        assert (await client.ask(id="x", do="rooms"))["refused"] == "NOT_SIGNED_IN"
        assert (await client.ask(id="x", do="play", table=MATCH))["refused"] == "NOT_SIGNED_IN"
        assert (await client.ask(id="x", do="hello"))["refused"] == "MALFORMED"
        assert bus.requests == []
        assert bus.followed == {}

    play(scenario, signed_in=False)


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c"])
def test_a_token_that_is_not_ours_is_refused_and_not_repeated(token: str) -> None:
    async def scenario(_bus: FakeBus, client: Client) -> None:
        answer = await client.ask(id="h", do="hello", token=token)
        assert answer == {"re": "h", "refused": "BAD_TOKEN", "text": "the token is not valid"}
        late = make_session(Identity("ali"), seconds=-60, secret=SECRET)
        answer = await client.ask(id="h", do="hello", token=late)
        assert answer["text"] == "the token has expired"

    play(scenario, signed_in=False)


def test_a_connection_that_does_not_sign_in_is_closed() -> None:
    async def scenario(_bus: FakeBus, client: Client) -> None:
        await asyncio.wait_for(client.running, 2)
        assert client.socket.closed == (1008, "no hello")

    play(scenario, signed_in=False, hello_seconds=0.05)


def test_repeated_abuse_closes_the_connection() -> None:
    async def scenario(_bus: FakeBus, client: Client) -> None:
        for _ in range(6):
            client.write("nonsense")
        await asyncio.wait_for(client.running, 2)
        assert client.socket.outgoing.qsize() == 6
        assert client.socket.closed == (1008, "too many bad frames")

    play(scenario, strikes=5)


def test_a_player_who_sends_too_much_is_told_so_and_then_cut_off() -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        for number in range(9):
            client.write({"id": f"c{number}", "do": "rooms"})
        await asyncio.wait_for(client.running, 2)
        answers = [await client.read() for _ in range(9)]
        assert [answer.get("refused") for answer in answers] == [None] * 5 + ["RATE_LIMITED"] * 4
        assert len(bus.asked("rooms")) == 6  # one of them is the gateway's own
        assert client.socket.closed is not None

    play(scenario, rate_per_second=0.01, rate_burst=5, strikes=3)


def test_a_private_backend_limits_nobody() -> None:
    async def scenario(_bus: FakeBus, client: Client) -> None:
        for number in range(1000):
            assert (await client.ask(id=f"c{number}", do="rooms"))["ok"]

    play(scenario, rate_per_second=0)


def test_without_an_owner_the_same_command_is_sent_again_and_then_given_up() -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        bus.connected = False
        client.write({"id": "c", "do": "play", "table": MATCH})
        await asyncio.sleep(0.12)
        bus.connected = True
        assert await client.read() == {"re": "c", "ok": True}
        acts = bus.asked("act")
        assert len(acts) > 1
        assert all(act == acts[0] for act in acts)
        bus.connected = False
        assert (await client.ask(id="d", do="play", table=MATCH))["refused"] == "UNAVAILABLE"

    play(scenario)


def test_a_peer_that_takes_nothing_loses_its_connection() -> None:
    async def scenario(bus: FakeBus, client: Client) -> None:
        client.socket.stuck.clear()
        for number in range(30):
            client.write({"id": f"c{number}", "do": "rooms"})
        await asyncio.wait_for(client.running, 3)
        assert bus.followed == {"seat.player.ali.>": bus.followed["seat.player.ali.>"]}

    play(scenario, queue_frames=20)


def test_one_player_has_a_bounded_number_of_connections() -> None:
    async def run() -> None:
        bus = FakeBus()
        gateway = gateway_of(bus, connections_per_player=2)
        clients = [Client(gateway) for _ in range(3)]
        for client in clients[:2]:
            await client.hello("ali")
        token = make_session(Identity("ali"), seconds=60, secret=SECRET)
        assert (await clients[2].ask(id="h", do="hello", token=token))["refused"] == "TOO_MANY_CONNECTIONS"
        await clients[2].running
        assert clients[2].socket.closed == (1008, "too many connections")
        for client in clients[:2]:
            await client.drop()
        await settled()
        await gateway.close()

    asyncio.run(run())
