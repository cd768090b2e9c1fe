"""What a hand costs, and when and how a match ends. Points are penalties: the lowest total wins."""

from domain.cards import CardSet, has
from domain.game import Result, Seat, shared_places
from domain.games.leekha.events import HandScored, MatchEnded, ScoreLine
from domain.games.leekha.rules import SEATS, TEAMS, EndBasis, MinusBasis, Rules
from domain.games.leekha.state import HEARTS, LEEKHA_CARDS, PENALTIES, QS, TD, State


def queen_value(doubled: CardSet) -> int:
    """Return what QS costs its taker (SBT-11, SBT-30, LKH-14)."""
    return 26 if has(doubled, QS) else 13


def ten_value(doubled: CardSet) -> int:
    """Return what TD costs its taker (SBT-11, SBT-30, LKH-14)."""
    return 20 if has(doubled, TD) else 10


def heart_value(rules: Rules, doubled: CardSet) -> int:
    """Return what a heart costs its taker (SBT-12, LKH-8)."""
    return 2 if rules.hearts_double and doubled == LEEKHA_CARDS else 1


def card_lines(state: State, seat: Seat) -> tuple[ScoreLine, ...]:
    """Return the points of the cards that a seat has taken, with doublings, before any minus."""
    taken, doubled = state.taken[seat], state.doubled
    hearts = (taken & HEARTS).bit_count()
    lines = []
    if has(taken, QS):
        lines.append(ScoreLine(seat, "queen", queen_value(doubled)))
    if has(taken, TD):
        lines.append(ScoreLine(seat, "ten", ten_value(doubled)))
    if hearts:
        lines.append(ScoreLine(seat, "hearts", hearts * heart_value(state.rules, doubled)))
    return tuple(lines)


def is_clean(state: State, seat: Seat) -> bool:
    """Say whether a seat has taken nothing of what a minus must avoid (SBT-20, SBT-31)."""
    if state.rules.minus_basis is MinusBasis.NO_TRICKS:
        return state.tricks[seat] == 0
    return not state.taken[seat] & PENALTIES


def seat_lines(state: State, seat: Seat) -> tuple[ScoreLine, ...]:
    """Return the score lines of one seat for a finished hand (SBT-16 to 24, SBT-30)."""
    lines = card_lines(state, seat)
    if not state.rules.minus:
        return lines
    announced = state.announced >> seat & 1
    if is_clean(state, seat):
        return (ScoreLine(seat, "minus_made", -20),) if announced else (ScoreLine(seat, "no_tricks", -10),)
    points = sum(line.points for line in lines)
    return (*lines, ScoreLine(seat, "minus_failed", points)) if announced and points else lines


def points_so_far(state: State) -> tuple[int, ...]:
    """Return by seat what the cards taken in this hand cost already; those of an announcer count twice."""
    return tuple(
        sum(line.points for line in card_lines(state, seat)) << (state.announced >> seat & 1) for seat in SEATS
    )


def scored(state: State) -> HandScored:
    """Return the score of a hand whose cards are all taken."""
    by_seat = [seat_lines(state, seat) for seat in SEATS]
    points = tuple([sum([line.points for line in lines]) for lines in by_seat])
    totals = tuple(map(sum, zip(state.totals, points, strict=True)))
    return HandScored(
        hand_no=state.hand_no,
        points=points,
        totals=totals,
        lines=tuple(line for lines in by_seat for line in lines),
        target_reached=state.reached or target_reached(state.rules, totals),
    )


def team_totals(rules: Rules, totals: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the totals of teams 0+2 and 1+3 (LKH-16), or None where all play alone."""
    return (totals[0] + totals[2], totals[1] + totals[3]) if rules.partners else None


def target_reached(rules: Rules, totals: tuple[int, ...]) -> bool:
    """Say whether a total has reached the target: a player's, or a team's (SBT-34, LKH-18, LKH-21)."""
    compared = team_totals(rules, totals) if rules.end_basis is EndBasis.TEAM_SUM else totals
    return max(compared or totals) >= rules.target


def match_places(rules: Rules, totals: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the places by seat of a match whose target is reached; None if a tie keeps it going.

    Alone: one seat has the lowest total (SBT-35). Partners: the team with the lower sum (LKH-19, 20), or,
    when players are compared, the team without the highest total (section 6 of the rules, end_basis).
    """
    if not rules.partners:
        places = shared_places(totals, lowest_wins=True)
        return places if places.count(1) == 1 else None
    sums = (totals[0] + totals[2], totals[1] + totals[3])
    keys = [(0, sums[0]), (0, sums[1])]
    if rules.end_basis is EndBasis.INDIVIDUAL:
        keys = [(max(totals[0], totals[2]), sums[0]), (max(totals[1], totals[3]), sums[1])]
    if keys[0] == keys[1]:
        return None
    winner = int(keys[1] < keys[0])
    return tuple(1 if team == winner else 3 for team in TEAMS)


def ended(rules: Rules, score: HandScored) -> tuple[MatchEnded, ...]:
    """Return the end of the match if a hand's score brings it, else nothing."""
    places = match_places(rules, score.totals) if score.target_reached else None
    if places is None:
        return ()
    return (MatchEnded(totals=score.totals, team_totals=team_totals(rules, score.totals), places=places),)


def result(state: State) -> Result | None:
    """Return how the match ended, or None while it goes on."""
    if not state.places:
        return None
    assert state.dealer is not None, "a match ends after a deal"
    return Result(
        totals=state.totals,
        team_totals=team_totals(state.rules, state.totals),
        places=state.places,
        first=Seat((state.dealer + 2 - state.hand_no) % 4),  # the first hand's leader (SBT-5)
    )
