"""The HTTP side of the gateway."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from litestar.testing import AsyncTestClient

from events.messages import Reply
from services.gateway.app import make_app
from services.gateway.settings import GatewaySettings
from services.tokens import Identity, check_session, make_keys, make_session, make_token
from tests.services.gateway.fakes import GAMES, SECRET, FakeBus

Scenario = Callable[[FakeBus, "AsyncTestClient[Any]"], Awaitable[None]]


def serve(scenario: Scenario, **settings: Any) -> None:
    async def run() -> None:
        bus = FakeBus()
        app = make_app(GatewaySettings(session_secret=SECRET, request_seconds=0.2, **settings), bus, GAMES)
        async with AsyncTestClient(app) as client:
            await scenario(bus, client)

    asyncio.run(run())


def bearer(player: str, *roles: str) -> dict[str, str]:
    token = make_session(Identity(player, roles or ("player",)), seconds=60, secret=SECRET)
    return {"Authorization": f"Bearer {token}"}


def refused(answer: httpx.Response) -> tuple[int, str]:
    assert answer.json()["text"]
    return answer.status_code, answer.json()["refused"]


def test_an_operators_token_opens_a_session() -> None:
    private, public = make_keys()

    async def scenario(_bus: FakeBus, client: "AsyncTestClient[Any]") -> None:
        token = make_token(Identity("ali", ("player", "auditor")), seconds=60, key=private)
        answer = await client.post("/v1/session", json={"token": token})
        assert answer.status_code == 200
        session = answer.json()
        assert (session["player"], session["roles"], session["expires_in"]) == ("ali", ["player", "auditor"], 86400)
        assert check_session(session["token"], secret=SECRET).roles == ("player", "auditor")
        assert refused(await client.post("/v1/session", json={"token": session["token"]})) == (401, "BAD_TOKEN")
        assert refused(await client.post("/v1/session", json={"guest": True})) == (403, "NO_GUESTS")
        assert refused(await client.post("/v1/session", json={"name": "x"})) == (400, "MALFORMED")
        assert refused(await client.post("/v1/session", content=b"{")) == (400, "MALFORMED")
        assert refused(await client.post("/v1/session", json={"token": "x" * 100_000})) == (413, "TOO_LARGE")

    serve(scenario, token_key=public)


def test_a_guest_gets_an_id_and_play_money_once() -> None:
    async def scenario(bus: FakeBus, client: "AsyncTestClient[Any]") -> None:
        session = (await client.post("/v1/session", json={"guest": True})).json()
        player = session["player"]
        assert player.startswith("guest-")
        (deposit,) = bus.asked("deposit")
        assert (deposit["key"], deposit["player"], deposit["amount"]) == (f"guest-{player}", player, 1000)
        assert refused(await client.post("/v1/session", json={})) == (400, "MALFORMED")
        bus.connected = False
        assert refused(await client.post("/v1/session", json={"guest": True})) == (503, "UNAVAILABLE")

    serve(scenario, guests=True, guest_amount=1000)


def test_the_games_with_options_and_texts_in_both_languages() -> None:
    async def scenario(_bus: FakeBus, client: "AsyncTestClient[Any]") -> None:
        shown = (await client.get("/v1/games")).json()
        basra = shown["games"][0]
        assert (basra["name"], basra["variants"]) == ("basra", ["match", "single_hand"])
        assert {"name": "target", "default": 121}.items() <= basra["options"][1].items()
        assert basra["texts"]["game"] == {"en": "Basra", "ar": "الباصرة"}
        assert shown["refusals"]["ROOM_FULL"]["ar"] == "الغرفة ممتلئة."
        assert all(text["en"] and text["ar"] for text in shown["refusals"].values())

    serve(scenario)


def test_a_balance_is_its_owners_affair() -> None:
    async def scenario(bus: FakeBus, client: "AsyncTestClient[Any]") -> None:
        bus.answers["balance"] = lambda _: Reply(ok=True, data={"balance": 5, "held": 1})
        answer = await client.get("/v1/balance", headers=bearer("ali"))
        assert answer.json() == {"balance": 5, "held": 1}
        assert refused(await client.get("/v1/balance")) == (401, "BAD_TOKEN")
        assert refused(await client.get("/v1/balance", headers={"Authorization": "Bearer x"})) == (401, "BAD_TOKEN")
        assert refused(await client.get("/v1/balance?player=bo", headers=bearer("ali"))) == (403, "FORBIDDEN")
        assert (await client.get("/v1/balance?player=bo", headers=bearer("ali", "finance"))).status_code == 200
        assert [body["player"] for body in bus.asked("balance")] == ["ali", "bo"]
        bus.connected = False
        assert refused(await client.get("/v1/balance", headers=bearer("ali"))) == (503, "UNAVAILABLE")

    serve(scenario)


def test_live_matches_come_from_all_tables() -> None:
    async def scenario(_bus: FakeBus, client: "AsyncTestClient[Any]") -> None:
        rows = (await client.get("/v1/matches")).json()["matches"]
        assert [row["match"] for row in rows] == ["01-a", "00-b"]
        assert rows[0]["players"] == ["ali", "bot-1"]

    serve(scenario)


def test_operators_call_matches_off() -> None:
    async def scenario(bus: FakeBus, client: "AsyncTestClient[Any]") -> None:
        url, reason = "/v1/matches/03-1/void", {"reason": "a power cut"}
        assert refused(await client.post(url, json=reason)) == (401, "BAD_TOKEN")
        assert refused(await client.post(url, json=reason, headers=bearer("ali"))) == (403, "FORBIDDEN")
        operator = bearer("root", "operator")
        assert (await client.post(url, json=reason, headers=operator)).json() == {"ok": True}
        assert bus.requests == [
            ("table.03.command", {"do": "void_match", "match": "03-1", "actor": "root", "reason": "a power cut"})
        ]
        assert refused(await client.post(url, json={"reason": ""}, headers=operator)) == (400, "MALFORMED")
        assert refused(await client.post("/v1/matches/0.>/void", json=reason, headers=operator))[0] == 404
        bus.answers["void_match"] = lambda _: Reply(ok=False, refused="MATCH_OVER")
        assert refused(await client.post(url, json=reason, headers=operator)) == (409, "MATCH_OVER")

    serve(scenario)


def test_the_pages_and_the_signs_of_life() -> None:
    async def scenario(bus: FakeBus, client: "AsyncTestClient[Any]") -> None:
        home = (await client.get("/")).text
        assert all(word in home for word in ("Shadda", "شدّة", "01-a", "/docs", "/asyncapi"))
        docs = await client.get("/docs")
        assert "POST /v1/session" in docs.text
        assert "<script" not in docs.text
        document = (await client.get("/docs/openapi.json")).json()
        assert set(document["paths"]) == {
            "/v1/session",
            "/v1/games",
            "/v1/balance",
            "/v1/matches",
            "/v1/matches/{match}/void",
        }
        assert (await client.get("/livez")).text == "ok"
        assert (await client.get("/readyz")).status_code == 200
        bus.connected = False
        assert (await client.get("/readyz")).status_code == 503
        assert "shadda_gateway_connections 0.0" in (await client.get("/metrics")).text
        assert refused(await client.get("/nowhere")) == (404, "NOT_FOUND")

    serve(scenario)
