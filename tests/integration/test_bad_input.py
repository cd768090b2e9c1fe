"""Whatever is sent to the real gateway that must not pass is refused with its code, and changes nothing."""

import asyncio
import contextlib
import socket
from collections.abc import Sequence
from typing import Any

import httpx
import jwt
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from domain.cards import PACK
from services.tokens import Identity, make_session, make_token
from tests.integration.line import Line, Player, sign_in
from tests.integration.records import assert_sound, hash_of, steps_of
from tests.integration.running import Up
from tests.integration.tables import balances, fund, lines, names, play_out, play_until, seated, sit, until

pytestmark = pytest.mark.xdist_group("sqlite")

SLOW = {"contract_seconds": 120, "doubling_seconds": 120, "turn_seconds": 120}  # no clock runs out meanwhile
OTHER_KEY = "another key of thirty-two bytes or more"


class Trial:
    """A match at which bad commands are tried."""

    def __init__(self, up: Up, match: str, table: Sequence[Player]) -> None:
        """Take a match that has begun."""
        self.up = up
        self.match = match
        self.table = table
        self.tried: set[str] = set()

    def record(self) -> tuple[int, str]:
        """Return how long the match's log is, and the hash of its state."""
        steps = steps_of(self.up.where, self.match)
        return len(steps), hash_of(steps)

    async def refuse(self, player: Player, code: str, do: str, **fields: Any) -> None:
        """Send a command that must be refused with this code and leave no trace."""
        before = self.record()
        answer = await player.line.ask(do, **({"table": self.match} | fields))
        assert (answer.get("refused"), set(answer)) == (code, {"re", "refused", "text"}), answer
        assert answer["text"]
        assert self.record() == before
        self.tried.add(code)

    async def asked(self) -> Player:
        """Return the player whose turn it is, once he has been told."""
        for player in self.table:
            while not player.line.pushed.empty():
                await player.look()
        newest = max(self.table, key=lambda player: player.version)
        on_turn: Player = self.table[newest.view["play"]["turn"]]
        while not on_turn.asked:
            await on_turn.look()
        return on_turn


def run(up: Up, trial: Any, **fields: Any) -> None:
    """Start a match of four and try things at it; afterwards it is played to its end, and the record is sound."""

    async def whole() -> None:
        async with seated(up, 4, variant="complex", options=SLOW, **fields) as (match, table):
            for player in table:
                await player.look()
            await until(lambda: len(steps_of(up.where, match)) == 6)  # opened, dealt, and four who are here
            await trial(Trial(up, match, table))
            await play_out(table)
            assert all(player.line.closed is None for player in table)

    asyncio.run(whole())
    assert_sound(up.where)


async def doubling(trial: Trial, player: Player) -> None:
    """Try what may not be done while cards are doubled, with a player who is not the owner; then be ready."""
    while player.view["play"]["phase"] != "doubling":
        await player.look()
    hand = player.view["play"]["hand"]
    plain = next(card for card in hand if card[0] != "Q" and card != "KH")
    foreign = next(card for card in ("KH", "QS", "QH", "QD", "QC", "AS") if card not in hand)
    await trial.refuse(player, "WRONG_PHASE", "choose_contract", contract="trix")
    await trial.refuse(player, "NOT_DOUBLABLE", "set_doubles", cards=[plain])
    await trial.refuse(player, "CARD_NOT_IN_HAND", "set_doubles", cards=[foreign])
    await trial.refuse(player, "CARD_NOT_IN_HAND", "set_doubles", cards=["ZZ"])
    for one in trial.table:
        assert (await one.line.ask("ready", table=trial.match))["ok"]
        if one is not trial.table[-1]:
            await trial.refuse(one, "ALREADY_READY", "ready")
            await trial.refuse(one, "ALREADY_READY", "set_doubles", cards=[])


async def tricks(trial: Trial) -> None:
    """Try what may not be played, as soon as somebody has to follow suit."""
    while "MUST_FOLLOW_SUIT" not in trial.tried:
        player = await trial.asked()
        legal = {command["card"] for command in player.view["play"]["legal"]}
        hand = set(player.view["play"]["hand"])
        assert player.view["play"]["phase"] == "tricks"
        if legal != hand:
            waits = trial.table[(player.view["seat"] + 2) % 4]
            await trial.refuse(player, "MUST_FOLLOW_SUIT", "play", card=min(hand - legal))
            await trial.refuse(waits, "NOT_YOUR_TURN", "play", card=waits.view["play"]["hand"][0])
            foreign = next(card for card in PACK if card not in hand)
            await trial.refuse(player, "CARD_NOT_IN_HAND", "play", card=foreign)
        await player.answer()
        await player.look()


async def layout(trial: Trial) -> None:
    """Go on until rows are laid, and try a card that does not fit."""
    while "NOT_PLAYABLE" not in trial.tried:
        player = await trial.asked()
        seen = player.view["play"]
        hidden = set(seen["hand"]) - {command["card"] for command in seen["legal"]}
        if seen["phase"] == "layout" and hidden:
            await trial.refuse(player, "NOT_PLAYABLE", "play", card=min(hidden))
        await player.answer()
        await player.look()


def test_commands_against_the_rules(sqlite_up: Up) -> None:
    async def attempts(trial: Trial) -> None:
        table = trial.table
        owner = table[table[0].view["play"]["owner"]]
        other = table[(owner.view["seat"] + 1) % 4]
        await trial.refuse(other, "NOT_OWNER", "choose_contract", contract="trix")
        await trial.refuse(owner, "CONTRACT_NOT_IN_VARIANT", "choose_contract", contract="king")
        await trial.refuse(owner, "WRONG_PHASE", "play", card=owner.view["play"]["hand"][0])
        await trial.refuse(owner, "WRONG_PHASE", "ready")
        assert (await owner.line.ask("choose_contract", table=trial.match, contract="complex"))["ok"]
        await doubling(trial, other)
        await tricks(trial)
        await layout(trial)
        assert trial.tried == {
            "NOT_OWNER", "CONTRACT_NOT_IN_VARIANT", "WRONG_PHASE", "CARD_NOT_IN_HAND", "NOT_DOUBLABLE",
            "ALREADY_READY", "NOT_YOUR_TURN", "MUST_FOLLOW_SUIT", "NOT_PLAYABLE",
        }  # fmt: skip

    run(sqlite_up, attempts)


def test_commands_that_are_none(sqlite_up: Up) -> None:
    async def attempts(trial: Trial) -> None:
        player, *others = trial.table
        for fields in (
            {"card": "AS", "seat": 2},
            {"card": "AS", "actor": others[0].name},
            {"card": 5},
            {"card": ["AS"]},
            {"card": None},
            {},
            {"card": "A" * 1000},
            {"contract": "trix"},
        ):
            await trial.refuse(player, "BAD_COMMAND", "play", **fields)
        await trial.refuse(player, "BAD_COMMAND", "choose_contract", contract="poker")
        await trial.refuse(player, "BAD_COMMAND", "set_doubles", cards=["AS"] * 65)
        await trial.refuse(player, "BAD_COMMAND", "void_match", reason="I lose")
        await trial.refuse(player, "BAD_COMMAND", "tick")
        await trial.refuse(player, "UNKNOWN_MATCH", "ready", table="00-" + "0" * 32)
        for table in ("", "a.b", ">", "*", "../00", "x" * 65, "00-\u0634"):
            await trial.refuse(player, "MALFORMED", "ready", table=table)
        await trial.refuse(player, "MALFORMED", "resume", version=-1)
        await trial.refuse(player, "MALFORMED", "resume", version=1.5)
        await trial.refuse(player, "MALFORMED", "resume", extra=1)
        await trial.refuse(player, "MALFORMED", "join_room", room="room-1", actor=others[0].name)
        (stranger,) = names(1)
        async with lines(trial.up, [stranger]) as (line,):
            outsider = Player(stranger, line, "trix")
            await trial.refuse(outsider, "NOT_SEATED", "ready")
            await trial.refuse(outsider, "NOT_SEATED", "resume")
            await trial.refuse(outsider, "NOT_SEATED", "leave")
            await trial.refuse(outsider, "NO_SPECTATORS", "watch")
        assert (await player.line.ask("balance"))["ok"]

    run(sqlite_up, attempts)


FRAMES: tuple[str | bytes, ...] = (
    "",
    "{",
    "[]",
    "null",
    "17",
    '"play"',
    "[" * 50_000,
    '{"do":' * 5_000,
    '{"id":"a"}',
    '{"id":"a","do":7}',
    '{"id":{},"do":"ready"}',
    '{"id":"' + "a" * 65 + '","do":"ready"}',
    '{"id":"a","do":"ready","table":9}',
    '{"do":"ready","table":"00-1"}',
    '{"id":"a","do":"ready"}\n{"id":"b","do":"ready"}',
    b"\x00\x01\x02\xff",
    b"{}",
)


def test_frames_that_are_none(sqlite_up: Up) -> None:
    async def attempts(trial: Trial) -> None:
        before = trial.record()
        session = await sign_in(trial.up.url, trial.up.token(trial.table[0].name))
        for frames in (FRAMES[:9], FRAMES[9:]):  # each bad frame is a strike: twenty close the line
            line = await Line.open(trial.up.url, session)
            for frame in frames:
                await line.send(frame)
            assert (await line.ask("balance"))["ok"]  # all before it have been answered
            answers = [msgspec.json.decode(raw) for raw in line.frames if b'"refused":"' in raw and b'"re"' in raw]
            assert [answer["refused"] for answer in answers] == ["MALFORMED"] * len(frames)
            await line.close()
        assert trial.record() == before

    run(sqlite_up, attempts)


def test_large_frames_garbage_bytes_and_abuse(sqlite_up: Up) -> None:
    async def attempts(trial: Trial) -> None:
        before = trial.record()
        player = trial.table[0]
        await player.line.send({"id": "large", "do": "play", "table": trial.match, "card": "5" * 1_000_000})
        assert (await player.line.answer(None))["refused"] == "TOO_LARGE"  # unread, so nobody knows its id
        assert (await player.line.ask("balance"))["ok"]
        session = await sign_in(trial.up.url, trial.up.token(player.name))
        line = await Line.open(trial.up.url, session)
        with contextlib.suppress(ConnectionClosed):
            await line.send("5" * 4_000_000)
        assert (await line.until_closed())[0] == 1009
        line = await Line.open(trial.up.url, session)
        for _ in range(40):
            await line.send("{")
        assert await line.until_closed() == (1008, "too many bad frames")
        for garbage in (b"\x00" * 1000, b"GET /play HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"\r\n" * 5000):
            await asyncio.to_thread(throw, trial.up.port, garbage)
        async with httpx.AsyncClient(base_url=trial.up.url) as http:
            assert (await http.post("/v1/session", content=b"\xff\x00{")).status_code == 400
            assert (await http.post("/v1/session", content=b"x" * 1_000_000)).status_code in (400, 413)
            assert (await http.get("/v1/../../etc/passwd")).status_code == 404
            assert (await http.get("/readyz")).status_code == 200
        assert trial.record() == before

    run(sqlite_up, attempts)


def throw(port: int, garbage: bytes) -> None:
    """Send bytes to the gateway's port and hang up."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as raw:
        raw.sendall(garbage)


def test_tokens_that_are_not_good(sqlite_up: Up) -> None:
    up = sqlite_up
    key = up.token_key
    good = up.token("somebody")
    header, payload, signature = good.split(".")
    expires = jwt.decode(good, key, algorithms=["HS256"])["exp"]
    bad = [
        "",
        "no token",
        "a.b.c",
        make_token(Identity("somebody"), seconds=60, key=OTHER_KEY),
        make_token(Identity("somebody"), seconds=-60, key=key),
        jwt.encode({"sub": "somebody", "exp": expires}, "", algorithm="none"),
        jwt.encode({"sub": "somebody"}, key, algorithm="HS256"),
        jwt.encode({"sub": "bot-1", "exp": expires}, key, algorithm="HS256"),
        jwt.encode({"sub": "a.>", "exp": expires}, key, algorithm="HS256"),
        jwt.encode({"sub": "somebody", "exp": expires, "roles": ["god"]}, key, algorithm="HS256"),
        jwt.encode({"sub": "somebody", "exp": expires}, key, algorithm="HS512"),
        f"{header}.{payload}.{signature[::-1]}",
        make_session(Identity("somebody"), seconds=60, secret=key),
    ]
    with httpx.Client(base_url=up.url) as http:
        assert http.post("/v1/session", json={"token": good}).status_code == 200
        for token in bad[1:]:
            answer = http.post("/v1/session", json={"token": token})
            assert (answer.status_code, answer.json()["refused"]) == (401, "BAD_TOKEN"), token
            assert token not in answer.text
        assert http.post("/v1/session", json={"token": good, "roles": ["operator"]}).status_code == 400

    async def hello() -> None:
        for token in (*bad, good, make_session(Identity("somebody"), seconds=-60, secret=OTHER_KEY)):
            line = await Line.open(up.url, None)
            answer = await line.ask("hello", token=token)
            assert answer["refused"] == "BAD_TOKEN", token
            for do in ("rooms", "balance", "resume"):
                assert (await line.ask(do, table="00-1"))["refused"] == "NOT_SIGNED_IN"
            assert (await line.ask("hello", token=await sign_in(up.url, good)))["ok"]
            assert (await line.ask("hello", token=await sign_in(up.url, good)))["refused"] == "MALFORMED"
            assert (await line.ask("rooms"))["ok"]
            await line.close()

    asyncio.run(hello())


def test_tbl_6_one_seat_for_one_person_and_rooms_with_their_rules(sqlite_up: Up) -> None:
    async def whole() -> None:
        async with lines(sqlite_up, names(3)) as (owner, guest, third):
            room = await owner.ask("open_room", game="trix", private=True, bots=False, pace="max")
            name, code = room["room"], room["code"]
            for line, expected, fields in (
                (owner, "ALREADY_SEATED", {"code": code}),
                (owner, "ALREADY_SEATED", {"code": code, "seat": 2}),
                (guest, "WRONG_CODE", {}),
                (guest, "WRONG_CODE", {"code": "NOTTHIS1"}),
                (guest, "SEAT_TAKEN", {"code": code, "seat": 0}),
                (guest, "SEAT_UNKNOWN", {"code": code, "seat": 7}),
                (guest, "MALFORMED", {"code": code, "seat": 8}),
                (guest, "MALFORMED", {"code": code, "chair": 1}),
            ):
                answer = await line.ask("join_room", room=name, **fields)
                assert answer["refused"] == expected, (expected, answer)
            assert (await guest.ask("join_room", room=name, seat=1, code=code))["ok"]
            assert (await guest.ask("join_room", room=name, seat=2, code=code))["refused"] == "ALREADY_SEATED"
            assert (await third.ask("ready_up", room=name))["refused"] == "NOT_SEATED"
            assert (await third.ask("ready_up", room="room-unknown"))["refused"] == "ROOM_UNKNOWN"
            for fields, expected in (
                ({"game": "poker"}, "GAME_UNKNOWN"),
                ({"game": "trix", "variant": "x"}, "VARIANT_UNKNOWN"),
                ({"game": "trix", "stake": -1}, "MALFORMED"),
                ({"game": "trix", "stake": 0.5}, "MALFORMED"),
                ({"game": "trix", "stake": 10**16}, "MALFORMED"),
                ({"game": "trix", "private": True, "options": {"turn_seconds": 4}}, "BAD_OPTION"),
                ({"game": "trix", "private": True, "options": {"jokers": 2}}, "BAD_OPTION"),
                ({"game": "trix", "options": {"turn_seconds": 30}}, "NO_OPTIONS_IN_PUBLIC_ROOM"),
                ({"game": "trix", "stake": 5, "against_computer": True}, "NO_STAKE_AGAINST_COMPUTER"),
            ):
                assert (await third.ask("open_room", **fields))["refused"] == expected, fields
            assert (await owner.ask("room", room=name))["room"]["seats"][2:] == [None, None]

    asyncio.run(whole())


def test_tbl_19_a_stake_that_somebody_cannot_pay_starts_nothing(sqlite_up: Up) -> None:
    async def whole() -> None:
        rich, poor = names(2)
        await fund(sqlite_up, [rich], 100)
        await fund(sqlite_up, [poor], 99)
        async with lines(sqlite_up, [rich, poor]) as table:
            room = await sit(table, stake=100)
            seen = await table[0].room(room)
            assert (seen["refused"], seen["refused_players"]) == ("INSUFFICIENT_FUNDS", [poor])
            assert (seen["phase"], seen["match"]) == ("waiting", "")
            assert await balances(sqlite_up, [rich, poor]) == [100, 99]
            await fund(sqlite_up, [poor], 1)
            for line in table:
                assert (await line.ask("ready_up", room=room))["ok"]
            table[0].rooms.clear()
            match = (await table[0].room(room, "playing"))["match"]
            assert match
            people = [Player(name, line, "trix") for name, line in zip((rich, poor), table, strict=True)]
            await play_out(people)
            assert sum(await balances(sqlite_up, [rich, poor])) == 200

    asyncio.run(whole())
    assert_sound(sqlite_up.where)


def test_a_match_that_is_over_takes_nothing_more(sqlite_up: Up) -> None:
    async def whole() -> None:
        async with seated(sqlite_up, 2) as (match, table):
            await play_out(table)
            before = steps_of(sqlite_up.where, match)
            for do, fields in (("play", {"card": "AS"}), ("leave", {}), ("ready", {})):
                answer = await table[0].line.ask(do, table=match, **fields)
                assert answer["refused"] == "MATCH_OVER"
            async with httpx.AsyncClient(base_url=sqlite_up.url) as http:
                token = await sign_in(sqlite_up.url, sqlite_up.token("boss", "operator"))
                operator = {"Authorization": f"Bearer {token}"}
                wish = {"reason": "test"}
                void = await http.post(f"/v1/matches/{match}/void", json=wish, headers=operator)
                assert (void.status_code, void.json()["refused"]) == (409, "MATCH_OVER")
                player = {"Authorization": f"Bearer {await sign_in(sqlite_up.url, sqlite_up.token('p'))}"}
                assert (await http.post(f"/v1/matches/{match}/void", json=wish, headers=player)).status_code == 403
                assert (await http.post(f"/v1/matches/{match}/void", json=wish)).status_code == 401
            assert steps_of(sqlite_up.where, match) == before

    asyncio.run(whole())


def test_a_line_that_says_no_hello_is_closed_and_a_partition_that_is_none_is_known_at_once(sqlite_up: Up) -> None:
    """The line has ten seconds; meanwhile a match goes on."""

    async def whole() -> None:
        silent = await Line.open(sqlite_up.url, None)
        async with seated(sqlite_up, 2) as (match, table):
            await play_until(table, 40)
            async with asyncio.timeout(1):
                lost = await table[0].line.ask("ready", table="77-" + "0" * 32)
            assert lost["refused"] == "UNKNOWN_MATCH"
            assert await silent.until_closed() == (1008, "no hello")
            await play_out(table)
            assert {player.table for player in table} == {match}

    asyncio.run(whole())
