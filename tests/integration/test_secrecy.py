"""Nobody is ever told of a card that he may not know, over whole matches and on every channel (TBL-28, TRX-136)."""

import asyncio

import msgspec
import pytest

from domain.games.trix import GAME
from events.messages import Fact, Resume, Watch, encode
from services.table.core import public_kinds
from tests.integration.line import Line, Player, sign_in
from tests.integration.oracle import Knowledge, Oracle, large_numbers, named
from tests.integration.records import steps_of
from tests.integration.running import Up
from tests.integration.stage import MATCH, Stage
from tests.integration.tables import lines, names, play_out, play_until, seated, sit
from tests.integration.witness import Witness, witness


def judge_stage(stage: Stage) -> Oracle:
    """Judge everything that left the table of a stage."""
    oracle = Oracle(stage.events())
    for message in stage.messages:
        match message.subject.split("."):
            case ["seat", _, actor, match]:
                assert match == MATCH
                oracle.judge_update(oracle.seat_of(actor), message.body)
            case ["public", match]:
                assert match == MATCH
                oracle.judge_update(None, message.body)
            case _:
                raise AssertionError(message.subject)
    for request, reply in stage.replies:
        body = encode(reply.data)
        if isinstance(request, Resume | Watch) and reply.ok:
            oracle.judge_update(oracle.seat_of(request.actor) if isinstance(request, Resume) else None, body)
        else:
            oracle.judge_nothing(encode(reply))
    for version, event in enumerate(stage.events(), start=1):
        if event["kind"] in public_kinds():
            oracle.judge_public(version, encode(event))
    return oracle


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("seed", range(3))
def test_tbl_28_a_whole_match_of_people_bots_clocks_and_lost_lines(variant: str, seed: int) -> None:
    bots = {0: (), 1: (3,), 2: (1, 2)}[seed]
    stage = Stage(variant, seed, bots=bots, stake=0 if seed else 100)
    stage.run()
    oracle = judge_stage(stage)
    assert oracle.judged > 4000
    assert oracle.cards > 50_000


def test_the_oracle_finds_what_a_careless_table_would_tell() -> None:
    stage = Stage("complex_partnership", 5)
    stage.run()
    log = stage.events()
    oracle = Oracle(log)
    deal = next(version for version, event in enumerate(log) if event["kind"] == "trix.dealt.v1")
    owner = log[deal]["owner"]
    other = (owner + 1) % 4
    card = log[deal]["deck"][13 * other]
    played = [event["card"] for event in log if event["kind"] == "trix.card_played.v1"]
    version = Knowledge(log, other).kinds.index("trix.dealt.v1") + 1
    for leak in ({"hand": [card]}, {"text": f"you hold {card}."}, {"mask": 2**40 + 5}, {"legal": {card: 1}}):
        view = encode({"seat": other, **leak})
        with pytest.raises(AssertionError):
            oracle.judge_view(other, version, view)
    with pytest.raises(AssertionError):
        oracle.judge_public(deal + 1, encode({"card": next(one for one in played if one != "7H")}))
    oracle.judge_view(other, version, encode({"seat": other, "at": 1_800_000_000_000, "seven": "7H"}))
    assert named(b'{"a":"QS","b":"KING","c":"9C","d":"TD2"}') == {"QS", "9C"}
    assert large_numbers(b'{"a":12345678901,"b":1800000000000,"c":"01-12345678"}') == [12345678901]


def judge_bus(oracle: Oracle, match: str, heard: Witness) -> dict[str, int]:
    """Judge every message on the bus; return how many there were by the first word of their subject."""
    views = {said.reply: said.content["actor"] for said in heard.on("table.") if said.content["do"] == "resume"}
    watches = {said.reply for said in heard.on("table.") if said.content["do"] == "watch"}
    counts: dict[str, int] = {}
    for said in heard.heard:
        first = said.subject.partition(".")[0]
        counts[first] = counts.get(first, 0) + 1
        match said.subject.split("."):
            case ["seat", _, _, "room"]:
                oracle.judge_nothing(said.body)
            case ["seat", _, actor, _]:
                oracle.judge_update(oracle.seat_of(actor), said.body)
            case ["public", _]:
                oracle.judge_update(None, said.body)
            case ["facts", _, *kind]:
                assert msgspec.json.decode(said.body, type=Fact).kind == ".".join(kind)
                judge_fact(oracle, match, said.body)
            case ["table", *_]:  # a player's own words, which only the table reads
                assert said.content["do"] in {"act", "open_match", "connected", "disconnected", "resume", "watch"}
            case _ if said.subject in views or said.subject in watches:
                seat = oracle.seat_of(views[said.subject]) if said.subject in views else None
                oracle.judge_update(seat, encode(said.content["data"]))
            case _ if b'"previous"' in said.body:  # a fact on its way from the stream to a consumer
                judge_fact(oracle, match, said.body)
            case _:
                assert named(said.body) == set(), said
    return counts


def judge_fact(oracle: Oracle, match: str, body: bytes) -> None:
    """Judge a fact: one of the match, or one of the lobby or of scoring, which know no cards."""
    fact = msgspec.json.decode(body, type=Fact)
    if fact.partition in ("lobby", "scoring"):
        oracle.judge_nothing(body)
    else:
        assert fact.stream == match
        oracle.judge_public(fact.version, body)


@pytest.mark.xdist_group("sqlite")
def test_a_staked_match_for_real_with_a_bot_and_a_line_that_is_lost(sqlite_up: Up) -> None:
    async def whole() -> None:
        async with witness(sqlite_up.nats_url) as heard, seated(sqlite_up, 3, stake=50) as (match, table):
            before: list[bytes] = []
            await play_until(table, 60)
            lost = table[1]
            before.extend(lost.line.frames)
            await lost.line.drop()
            lost.line = await Line.open(sqlite_up.url, await sign_in(sqlite_up.url, sqlite_up.token(lost.name)))
            assert (await lost.line.ask("resume", table=match, version=max(0, lost.version - 3)))["ok"]
            await play_out(table)
            oracle = Oracle([msgspec.to_builtins(step.event) for step in steps_of(sqlite_up.where, match)])
            for seat, player in enumerate(table):
                for frame in player.line.frames + (before if player is lost else []):
                    oracle.judge_frame(seat, frame)
            await asyncio.sleep(0.2)
            counts = judge_bus(oracle, match, heard)
            assert counts["seat"] > 1500
            assert counts["facts"] >= 10
            assert "public" not in counts  # a staked table shows spectators nothing (TBL-30)

    asyncio.run(whole())


@pytest.mark.xdist_group("sqlite")
def test_a_public_match_for_real_with_somebody_who_watches(sqlite_up: Up) -> None:
    async def whole() -> None:
        players = names(2)
        async with witness(sqlite_up.nats_url) as heard, lines(sqlite_up, [*players, *names(1, "w")]) as opened:
            *table, watcher = opened
            room = await sit(table, private=False, variant="complex")
            match = (await table[0].room(room, "playing"))["match"]
            assert (await watcher.ask("watch", table=match))["ok"]
            await play_out([Player(name, line, "trix") for name, line in zip(players, table, strict=True)])
            await asyncio.sleep(0.2)
            oracle = Oracle([msgspec.to_builtins(step.event) for step in steps_of(sqlite_up.where, match)])
            watched = [frame for frame in watcher.frames if b'"table":' in frame]
            assert len(watched) > 500
            for frame in watcher.frames:
                oracle.judge_frame(None, frame)
            for seat, line in enumerate(table):
                for frame in line.frames:
                    oracle.judge_frame(seat, frame)
            counts = judge_bus(oracle, match, heard)
            assert counts["public"] > 400

    asyncio.run(whole())
