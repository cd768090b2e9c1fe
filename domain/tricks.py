"""Who takes a trick of four cards from one pack, where the highest card of the suit led wins."""

from collections.abc import Sequence

from domain.cards import Card, CardSet, of_suit, suit_of


def winning_place(trick: Sequence[Card]) -> int:
    """Return the place, counted from the leader, of the highest card of the suit led."""
    led = suit_of(trick[0])
    best = 0
    for place, card in enumerate(trick):
        if suit_of(card) == led and card > trick[best]:
            best = place
    return best


def following(hand: CardSet, trick: Sequence[Card]) -> CardSet:
    """Return what may be played to the trick: the suit led if the hand has it, else the whole hand."""
    if not trick:
        return hand
    return of_suit(hand, suit_of(trick[0])) or hand
