"""Pots and their shares (TBL-18 to TBL-24): whole minor units, nothing lost and nothing made."""

from collections.abc import Sequence
from typing import Final

import msgspec

PERCENTS: Final = {2: (100, 0), 3: (70, 30, 0), 4: (60, 30, 10, 0)}  # TBL-21, by number of stakers


class Shares(msgspec.Struct, frozen=True):
    """How a pot is paid out: ``rake`` and ``payouts`` (by seat, bots 0) add up to ``pot``."""

    pot: int
    rake: int
    payouts: tuple[int, ...]


def can_be_staked(stakers: Sequence[bool], teams: Sequence[int] | None) -> bool:
    """Say whether a staked match may start (TBL-20): two stakers, or one in each team."""
    if teams is None:
        return sum(stakers) >= min(PERCENTS)
    return all(any(s for s, team in zip(stakers, teams, strict=True) if team == side) for side in set(teams))


def shares(
    *,
    stake: int,
    stakers: Sequence[bool],
    places: Sequence[int],
    teams: Sequence[int] | None,
    first: int,
    rake_bps: int = 0,
) -> Shares:
    """Divide the pot of a finished match.

    ``places`` ranks the seats (best 1), ``first`` is the seat from which odd units go round (TBL-23),
    ``rake_bps`` the operator's commission in hundredths of a percent (TBL-24).
    """
    seats = len(stakers)
    pot = stake * sum(stakers)
    if teams is not None and len(set(places)) == 1:  # TBL-22: a drawn partnership returns every stake
        return Shares(pot, 0, tuple(stake if staked else 0 for staked in stakers))
    rake = pot * rake_bps // 10_000
    in_order = [(first + step) % seats for step in range(seats)]
    playing = [seat for seat in in_order if stakers[seat]]
    payouts = [0] * seats
    if teams is None:
        _pay_places(payouts, pot - rake, playing, places)
    else:
        _divide(payouts, pot - rake, [seat for seat in playing if places[seat] == 1])
    return Shares(pot, rake, tuple(payouts))


def _pay_places(payouts: list[int], amount: int, playing: list[int], places: Sequence[int]) -> None:
    """Pay the prizes of the stakers' places; tied stakers pool the prizes of the places they take."""
    prizes = [amount * percent // 100 for percent in PERCENTS[len(playing)]]
    prizes[0] += amount - sum(prizes)
    taken = 0
    for place in sorted({places[seat] for seat in playing}):
        tied = [seat for seat in playing if places[seat] == place]
        _divide(payouts, sum(prizes[taken : taken + len(tied)]), tied)
        taken += len(tied)


def _divide(payouts: list[int], amount: int, seats: list[int]) -> None:
    """Give each of the seats, in the order given, an equal part and the first of them the odd units."""
    each, odd = divmod(amount, len(seats))
    for turn, seat in enumerate(seats):
        payouts[seat] = each + (turn < odd)
