"""What a hand counts and when the match is won; all in half-points (BNK-94 … BNK-112)."""

from domain.games.banakil.pack import VALUE, value_of
from domain.games.banakil.rules import Rules
from domain.games.banakil.state import SEATS, State, team_totals

OUT_BONUS = 40
NOT_OPENED = -40
_JAWAKER_BONUS = 102
_HOME_BONUS = 80


def laid_values(state: State) -> tuple[int, ...]:
    """Return by seat what the cards on the table count for it (BNK-96)."""
    values = [0] * SEATS
    for meld in state.melds:
        for card, seat in zip(meld.cards, meld.laid_by, strict=True):
            values[seat if state.rules.credit_sharer else meld.owner] += VALUE[card]
    return tuple(values)


def left_values(state: State) -> tuple[int, ...]:
    """Return by seat what the cards left in the hand are worth."""
    return tuple(value_of(hand) for hand in state.hands)


def points(state: State, out: int | None) -> tuple[int, ...]:
    """Return the result of each seat; ``out`` is who went out, None for a dead hand (BNK-97 … BNK-104)."""
    if out is None and not state.rules.dead_hand_scores:
        return (0,) * SEATS
    laid, left = laid_values(state), left_values(state)
    scores = [laid[seat] - left[seat] if state.opened >> seat & 1 else NOT_OPENED for seat in range(SEATS)]
    if out is None:
        return tuple(scores)
    scores[out] += OUT_BONUS
    if state.rules.bonus == "none" or not state.fresh or not state.opened >> out & 1:
        return tuple(scores)
    if state.rules.bonus == "jawaker":
        opponents = 0b1010 if out % 2 == 0 else 0b0101
        bonus = _JAWAKER_BONUS if state.laid & opponents else 2 * _JAWAKER_BONUS
        return tuple(bonus if seat == out else 0 for seat in range(SEATS))
    if state.laid == 1 << out:
        scores[out] = _HOME_BONUS
    return tuple(scores)


def verdict(totals: tuple[int, ...], rules: Rules, *, deciding: bool) -> tuple[int | None, bool]:
    """Return the team that has won, if any, and whether a deciding hand must follow (BNK-106 … BNK-111).

    ``deciding`` says whether the hand just added was itself a deciding hand: then only the difference counts.
    """
    ours, theirs = team_totals(totals)
    ahead = 0 if ours > theirs else 1
    reached = (ours >= rules.target) + (theirs >= rules.target)
    if not deciding and reached < 2:
        return (ahead, False) if reached else (None, False)
    if abs(ours - theirs) > rules.margin:
        return ahead, False
    return None, True
