"""Codes of sets of cards, by table look-up: every view and every deal asks for some."""

from functools import cache

from domain.cards import SUITS, CardSet, codes


def names(cards: CardSet) -> tuple[str, ...]:
    """Return the codes of a set, in ascending order: the same as :func:`domain.cards.codes`."""
    if not cards:
        return ()
    return (
        suit_names(cards & SUITS[0])
        + suit_names(cards & SUITS[1])
        + suit_names(cards & SUITS[2])
        + suit_names(cards & SUITS[3])
    )


@cache  # at most 4 times 8192 sets of one suit
def suit_names(cards: int) -> tuple[str, ...]:
    """Return the codes of a set of one suit."""
    return codes(CardSet(cards))


@cache  # at most 2^5 sets of the king of hearts and the queens, and 2^4 of the 2s
def few_names(cards: CardSet) -> tuple[str, ...]:
    """Return the codes of cards that may lie face up beside their holder."""
    return codes(cards)
