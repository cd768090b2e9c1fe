"""The score of a hand (PIN-62 to PIN-67) and the end of the match (PIN-69 to PIN-72)."""

from typing import Final

import msgspec

from domain.games.pinochle.rules import Rules

LAST_TRICK: Final = 10
TRICKS: Final = 12
TEAMS: Final = (0, 1, 0, 1)  # by seat: team A is 0, team B is 1 (PIN-2)

Pair = tuple[int, int]  # by team


class HandResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one hand came to, all by team and in points."""

    meld: Pair
    points: Pair  # trick points, the last trick's 10 included
    tricks: Pair
    scores: Pair
    made: bool


def score(
    *, bidders: int, bid: int, meld: Pair, points: Pair, tricks: Pair, rules: Rules, conceded: bool = False
) -> HandResult:
    """Score a hand that team ``bidders`` played, or gave up, at ``bid``."""
    if conceded:  # PIN-61: the defenders need no trick
        gained, made = list(meld), False
    else:
        taken = tricks if rules.save_meld == "trick" else points
        gained = [(meld[team] if taken[team] else 0) + points[team] for team in (0, 1)]
        made = gained[bidders] >= bid
    if not made:
        gained[bidders] = -bid
    return HandResult(meld=meld, points=points, tricks=tricks, scores=(gained[0], gained[1]), made=made)


def winner(totals: Pair, bidders: int, rules: Rules) -> int | None:
    """Return the team that has won after a hand of team ``bidders``, or None while the match goes on."""
    there = [team for team in (0, 1) if totals[team] >= rules.target_score]
    if len(there) == 2:
        return bidders  # PIN-70
    if there:
        return there[0]
    fallen = [team for team in (0, 1) if totals[team] <= -rules.mercy_limit] if rules.mercy_limit else []
    return 1 - fallen[0] if len(fallen) == 1 else None  # PIN-72
