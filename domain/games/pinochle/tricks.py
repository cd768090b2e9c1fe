"""The duties of play: follow, beat, trump, overtrump (PIN-46 to PIN-57)."""

from domain.games.pinochle.pack import ABOVE, RANKS, SUITS


def duty(hand: int, trump: int, led: int, best: int, *, always: bool) -> tuple[int, int, bool]:
    """Return the cards that the duties leave a hand, packed: to follow or trump, then to beat as well.

    The third value says whether the duty was to follow.
    ``led`` is the suit led, ``best`` the kind that is winning the trick. ``always`` is the option ``heading``.
    """
    suit = hand & SUITS[led]
    if suit:
        ruffed = best // RANKS != led
        if ruffed or not (always or led == trump):  # PIN-50, PIN-57
            return suit, suit, True
        return suit, suit & ABOVE[best] or suit, True
    trumps = hand & SUITS[trump]
    if not trumps:
        return hand, hand, False
    if always and best // RANKS == trump:
        return trumps, trumps & ABOVE[best] or trumps, False
    return trumps, trumps, False


def beats(kind: int, best: int, trump: int) -> bool:
    """Say whether a card takes the lead from the winning one; an identical one does not (PIN-51, PIN-56)."""
    if kind // RANKS == best // RANKS:
        return kind > best
    return kind // RANKS == trump
