"""Whole matches through the gateway, over SQLite and over PostgreSQL: nothing but real processes."""

import asyncio

import pytest

from domain.games.trix import GAME
from domain.journal.events import MatchRecorded
from tests.integration.line import Frame
from tests.integration.records import assert_sound, ledger_of, steps_of
from tests.integration.running import Up
from tests.integration.tables import balances, leaderboard, play_out, seated


def play(up: Up, people: int, *, stake: int, variant: str, seed: int = 1) -> tuple[list[str], list[Frame], list[int]]:
    """Play a match; return its people, everybody's last view, and what they have once all is settled."""

    async def whole() -> tuple[list[str], list[Frame], list[int]]:
        async with seated(up, people, stake=stake, variant=variant, seed=seed) as (match, table):
            players = [player.name for player in table]
            views = await play_out(table)
            assert {player.table for player in table} == {match}
            left = await balances(up, players)
            rows = await leaderboard(up, "trix", players)
            assert all(row["player"] not in players or row["matches"] == 1 for row in rows)
            return players, [view | {"match": match} for view in views], left

    return asyncio.run(whole())


def assert_ended_alike(views: list[Frame], deals: int) -> Frame:
    """Check that everybody was shown the same end; return it."""
    end: Frame = views[0]["end"]
    assert all(view["end"] == end for view in views)
    assert [view["deal"] for view in views] == [deals] * len(views)
    assert sum(end["totals"]) == 0
    return end


def test_a_staked_partnership_of_four_people(up: Up) -> None:
    players, views, left = play(up, 4, stake=500, variant="complex_partnership")
    end = assert_ended_alike(views, deals=8)
    assert (views[0]["stake"], views[0]["pot"], views[0]["rake_bps"]) == (500, 2000, 0)
    assert sum(end["payouts"]) == 2000
    winners = [seat for seat in range(4) if end["places"][seat] == 1]
    assert winners in ([0, 2], [1, 3], [0, 1, 2, 3])
    assert left == list(end["payouts"])
    recorded = [one for one in ledger_of(up.where) if isinstance(one, MatchRecorded) and one.match == views[0]["match"]]
    assert [(one.players, one.payouts, one.settled) for one in recorded] == [(tuple(players), tuple(left), True)]
    assert_sound(up.where)


def test_trx_113_three_stakers_and_a_bot_share_70_30_0(up: Up) -> None:
    _, views, left = play(up, 3, stake=100, variant="complex")
    end = assert_ended_alike(views, deals=8)
    assert [seat["staker"] for seat in views[0]["seats"]] == [True, True, True, False]
    assert [seat["bot"] for seat in views[0]["seats"]] == [False, False, False, True]
    assert sum(end["payouts"]) == views[0]["pot"] == 300
    assert end["payouts"][3] == 0
    totals = end["totals"][:3]
    if len(set(totals)) == 3:
        assert left == [{0: 210, 1: 90, 2: 0}[sorted(totals, reverse=True).index(total)] for total in totals]
    assert left == list(end["payouts"][:3])
    assert_sound(up.where)


@pytest.mark.parametrize(("variant", "deals"), [("partnership", 20), ("individual", 20)])
def test_the_variants_of_normal_contracts(up: Up, variant: str, deals: int) -> None:
    _, views, left = play(up, 4, stake=40, variant=variant)
    end = assert_ended_alike(views, deals)
    assert sum(left) == sum(end["payouts"]) == 160
    steps = steps_of(up.where, views[0]["match"])
    contracts = [step.event.contract for step in steps if step.event.__struct_config__.tag == "trix.deal_scored.v1"]
    assert [sorted(contracts[first : first + 5]) for first in range(0, 20, 5)] == [sorted(set(contracts))] * 4
    assert_sound(up.where)


@pytest.mark.parametrize("variant", GAME.variants[:2])
def test_an_unstaked_match_with_bots_moves_no_money(up: Up, variant: str) -> None:
    before = len([one for one in ledger_of(up.where) if not isinstance(one, MatchRecorded)])
    _, views, left = play(up, 2, stake=0, variant=variant)
    end = assert_ended_alike(views, deals=8)
    assert (views[0]["pot"], left, set(end["payouts"])) == (0, [0, 0], {0})
    moved = [one for one in ledger_of(up.where) if getattr(one, "match", "") == views[0]["match"]]
    assert {type(one).__name__ for one in moved} <= {"MatchStarted", "MatchRecorded", "FactSeen"}
    assert len(ledger_of(up.where)) > before
    assert_sound(up.where)


def test_tbl_20_one_team_without_a_staker_plays_for_nothing(up: Up) -> None:
    async def whole() -> None:
        async with seated(up, 1, stake=300) as (match, table):
            (view,) = await play_out(table)
            assert (view["stake"], view["pot"]) == (0, 0)
            assert await balances(up, [table[0].name]) == [300]
            assert not [one for one in ledger_of(up.where) if getattr(one, "key", "") == f"hold:{match}"]

    asyncio.run(whole())
    assert_sound(up.where)
