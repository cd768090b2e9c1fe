"""Pots and their shares (TBL-18 to TBL-24), proved for every shape of result and staker there is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from domain.game import shared_places
from domain.stakes import Shares, can_be_staked, shares

TEAMS = (0, 1, 0, 1)
SHARES = {2: (100, 0), 3: (70, 30, 0), 4: (60, 30, 10, 0)}  # TBL-21, percent
STAKERS = tuple(product((False, True), repeat=4))
PLACES = sorted({shared_places(totals) for totals in product(range(4), repeat=4)})  # every pattern of ties of four
TEAM_PLACES = ((1, 3, 1, 3), (3, 1, 3, 1))
STAKES = (1, 2, 3, 5, 7, 25, 33, 35, 99, 100, 101, 333, 1000)
RAKES = (0, 1, 50, 499, 1000, 3333, 10_000)


def individual() -> Iterator[tuple[Sequence[bool], tuple[int, ...]]]:
    for stakers in STAKERS:
        if can_be_staked(stakers, None):
            for places in PLACES:
                yield stakers, places


def groups(stakers: Sequence[bool], places: Sequence[int]) -> list[list[int]]:
    """Return the stakers ranked among themselves, best group first; bots are left out."""
    ranked = sorted({place for place, staked in zip(places, stakers, strict=True) if staked})
    return [[seat for seat in range(len(places)) if stakers[seat] and places[seat] == place] for place in ranked]


def expected(stake: int, stakers: Sequence[bool], places: Sequence[int], first: int, rake_bps: int) -> Shares:
    """Work the pot of an individual match out by the letter of the rules, seat by seat and unit by unit."""
    pot = stake * sum(stakers)
    rake = pot * rake_bps // 10_000
    prizes = [(pot - rake) * percent // 100 for percent in SHARES[sum(stakers)]]
    prizes[0] += pot - rake - sum(prizes)
    payouts = [0] * len(places)
    for group in groups(stakers, places):
        pool, prizes = sum(prizes[: len(group)]), prizes[len(group) :]
        order = sorted(group, key=lambda seat: (seat - first) % len(places))
        for unit in range(pool % len(group)):
            payouts[order[unit]] += 1
        for seat in group:
            payouts[seat] += pool // len(group)
    return Shares(pot, rake, tuple(payouts))


def test_there_are_75_ways_to_rank_four_seats() -> None:
    assert len(PLACES) == 75


@pytest.mark.parametrize("rake_bps", RAKES)
@pytest.mark.parametrize("stake", STAKES)
def test_tbl_21_and_23_every_result_of_four_seats_is_paid_exactly(stake: int, rake_bps: int) -> None:
    for stakers, places in individual():
        for first in range(4):
            paid = shares(stake=stake, stakers=stakers, places=places, teams=None, first=first, rake_bps=rake_bps)
            assert paid == expected(stake, stakers, places, first, rake_bps)
            assert sum(paid.payouts) + paid.rake == paid.pot == stake * sum(stakers)


@pytest.mark.parametrize("stake", [1, 7, 25, 60, 101])
def test_inv_15_bots_get_nothing_ties_differ_by_a_unit_and_a_better_place_gets_no_less(stake: int) -> None:
    for stakers, places in individual():
        paid = shares(stake=stake, stakers=stakers, places=places, teams=None, first=2).payouts
        assert all(amount >= 0 for amount in paid)
        assert all(staked or not amount for staked, amount in zip(stakers, paid, strict=True))
        ranked = groups(stakers, places)
        for group in ranked:
            amounts = [paid[seat] for seat in group]
            assert max(amounts) - min(amounts) <= 1
        for better, worse in pairwise(ranked):
            assert min(paid[seat] for seat in better) >= max(paid[seat] for seat in worse)


def test_tbl_21_a_stake_of_60_units_needs_no_rounding() -> None:
    for stakers, places in individual():
        paid = shares(stake=60, stakers=stakers, places=places, teams=None, first=0).payouts
        percents = list(SHARES[sum(stakers)])
        for group in groups(stakers, places):
            exact = Fraction(sum(percents[: len(group)]), 100) * 60 * sum(stakers) / len(group)
            del percents[: len(group)]
            assert all(paid[seat] == exact for seat in group)


def test_tbl_21_a_bots_place_costs_the_stakers_nothing() -> None:
    """Where the bots stand among the seats changes no payout, only the order of the stakers does."""
    for stakers in STAKERS:
        if can_be_staked(stakers, None):
            seen: dict[tuple[int, ...], tuple[int, ...]] = {}
            for places in PLACES:
                among = shared_places(tuple(-place for place, staked in zip(places, stakers, strict=True) if staked))
                paid = shares(stake=35, stakers=stakers, places=places, teams=None, first=3).payouts
                assert seen.setdefault(among, paid) == paid


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("rake_bps", RAKES)
def test_tbl_22_and_23_the_winning_teams_stakers_share_the_whole_pot(first: int, rake_bps: int) -> None:
    for stakers in STAKERS:
        if not can_be_staked(stakers, TEAMS):
            continue
        for places, stake in product(TEAM_PLACES, STAKES):
            paid = shares(stake=stake, stakers=stakers, places=places, teams=TEAMS, first=first, rake_bps=rake_bps)
            winners = [seat for seat in range(4) if stakers[seat] and places[seat] == 1]
            order = sorted(winners, key=lambda seat: (seat - first) % 4)
            each, odd = divmod(paid.pot - paid.rake, len(winners))
            assert paid.pot == stake * sum(stakers)
            assert paid.rake == paid.pot * rake_bps // 10_000
            assert [paid.payouts[seat] for seat in order] == [each + (turn < odd) for turn in range(len(order))]
            assert sum(paid.payouts) == paid.pot - paid.rake


def test_tbl_22_and_24_a_drawn_partnership_returns_every_stake_and_pays_no_commission() -> None:
    for stakers in STAKERS:
        for stake, rake_bps in product(STAKES, RAKES):
            paid = shares(stake=stake, stakers=stakers, places=(1, 1, 1, 1), teams=TEAMS, first=1, rake_bps=rake_bps)
            assert paid == Shares(stake * sum(stakers), 0, tuple(stake if staked else 0 for staked in stakers))


def test_tbl_20_two_stakers_or_one_in_each_team() -> None:
    for stakers in STAKERS:
        assert can_be_staked(stakers, None) == (sum(stakers) >= 2)
        in_team = Counter(team for team, staked in zip(TEAMS, stakers, strict=True) if staked)
        assert can_be_staked(stakers, TEAMS) == (len(in_team) == 2)
    assert can_be_staked((True, True), None)
    assert not can_be_staked((True, False), None)


def test_two_seats_the_winner_takes_all_and_a_tie_shares() -> None:
    both = (True, True)
    assert shares(stake=50, stakers=both, places=(2, 1), teams=None, first=0).payouts == (0, 100)
    assert shares(stake=51, stakers=both, places=(1, 1), teams=None, first=1).payouts == (51, 51)
    assert shares(stake=51, stakers=both, places=(1, 1), teams=None, first=1, rake_bps=100).payouts == (50, 51)


@pytest.mark.parametrize(
    ("stake", "stakers", "places", "first", "payouts"),
    [
        (25, "1111", (1, 2, 3, 4), 2, (60, 30, 10, 0)),
        (25, "1111", (1, 1, 3, 4), 2, (45, 45, 10, 0)),
        (25, "1111", (1, 2, 2, 4), 2, (60, 20, 20, 0)),
        (25, "1111", (1, 2, 3, 3), 2, (60, 30, 5, 5)),
        (25, "1111", (1, 1, 1, 4), 2, (33, 33, 34, 0)),
        (25, "1111", (1, 1, 1, 1), 2, (25, 25, 25, 25)),
        (35, "1101", (1, 3, 2, 3), 3, (74, 15, 0, 16)),
        (7, "1101", (1, 3, 2, 3), 3, (15, 3, 0, 3)),
        (10, "0110", (1, 2, 2, 4), 0, (0, 10, 10, 0)),
        (1000, "1101", (1, 3, 1, 4), 0, (2100, 900, 0, 0)),
    ],
)
def test_the_worked_examples(
    stake: int, stakers: str, places: tuple[int, ...], first: int, payouts: tuple[int, ...]
) -> None:
    staked = tuple(one == "1" for one in stakers)
    assert shares(stake=stake, stakers=staked, places=places, teams=None, first=first).payouts == payouts


@trials(deadline=None, max_examples=300)
@given(data=st.data(), stake=st.integers(1, 10**15), rake_bps=st.integers(0, 10_000), first=st.integers(0, 3))
def test_nothing_is_lost_or_made_whatever_the_stake(data: st.DataObject, stake: int, rake_bps: int, first: int) -> None:
    stakers, places = data.draw(st.sampled_from(list(individual())))
    paid = shares(stake=stake, stakers=stakers, places=places, teams=None, first=first, rake_bps=rake_bps)
    assert paid == expected(stake, stakers, places, first, rake_bps)
    assert sum(paid.payouts) + paid.rake == paid.pot


@trials(deadline=None, max_examples=300)
@given(
    stake=st.integers(1, 10**15),
    stakers=st.sampled_from([one for one in STAKERS if can_be_staked(one, TEAMS)]),
    places=st.sampled_from((*TEAM_PLACES, (1, 1, 1, 1))),
    first=st.integers(0, 3),
    rake_bps=st.integers(0, 10_000),
)
def test_nothing_is_lost_or_made_in_a_partnership(
    stake: int, stakers: tuple[bool, ...], places: tuple[int, ...], first: int, rake_bps: int
) -> None:
    paid = shares(stake=stake, stakers=stakers, places=places, teams=TEAMS, first=first, rake_bps=rake_bps)
    assert sum(paid.payouts) + paid.rake == paid.pot == stake * sum(stakers)
    assert all(
        not amount or (staked and place == 1)
        for amount, staked, place in zip(paid.payouts, stakers, places, strict=True)
    )
