"""Cards of one 52-card pack: small integers inside, codes such as ``QS`` on every wire and in every log.

A card is ``13 * suit + rank`` with suits in the order S H D C and ranks from the two (0) to the ace (12).
A hand is a :data:`CardSet`, a bit mask that never leaves the process. What a viewer may not see is the
code ``??``, the back of a card, so that a redacted event folds like the event it was made from.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final, NewType

Card = NewType("Card", int)
CardSet = NewType("CardSet", int)

SUIT_LETTERS: Final = "SHDC"
RANK_LETTERS: Final = "23456789TJQKA"
RANKS: Final = 13
BACK: Final = "??"


class Suit(IntEnum):
    """The four suits in the order that every rule uses to break ties."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3


CODES: Final = tuple(rank + suit for suit in SUIT_LETTERS for rank in RANK_LETTERS)
CARDS: Final = {code: Card(card) for card, code in enumerate(CODES)}
PACK: Final = CODES
EMPTY: Final = CardSet(0)
FULL: Final = CardSet((1 << 52) - 1)
SUITS: Final = tuple(CardSet(0x1FFF << (13 * suit)) for suit in range(4))


def suit_of(card: Card) -> int:
    """Return the suit, 0 to 3 in the order S H D C."""
    return card // RANKS


def rank_of(card: Card) -> int:
    """Return the rank, 0 for the two to 12 for the ace."""
    return card % RANKS


def has(cards: CardSet, card: Card) -> bool:
    """Say whether the set holds the card."""
    return cards >> card & 1 == 1


def put(cards: CardSet, card: Card) -> CardSet:
    """Return the set with the card in it."""
    return CardSet(cards | 1 << card)


def without(cards: CardSet, card: Card) -> CardSet:
    """Return the set with the card taken out, whether or not it was there."""
    return CardSet(cards & ~(1 << card))


def of_suit(cards: CardSet, suit: int) -> CardSet:
    """Return the cards of one suit."""
    return CardSet(cards & SUITS[suit])


def members(cards: CardSet) -> Iterator[Card]:
    """Yield the cards in ascending order: spades from the two up, then hearts, diamonds, clubs."""
    rest: int = cards
    while rest:
        low = rest & -rest
        yield Card(low.bit_length() - 1)
        rest ^= low


def card_set(cards: Iterable[Card]) -> CardSet:
    """Collect cards into a set."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return CardSet(mask)


def codes(cards: CardSet) -> tuple[str, ...]:
    """Return the codes of a set, in the order of :func:`members`."""
    return tuple(CODES[card] for card in members(cards))


def known_and_hidden(names: Iterable[str]) -> tuple[CardSet, int]:
    """Split codes into the set of the cards named and the number of backs among them."""
    mask = 0
    hidden = 0
    for name in names:
        if name == BACK:
            hidden += 1
        else:
            mask |= 1 << CARDS[name]
    return CardSet(mask), hidden


def hand_codes(known: CardSet, hidden: int) -> tuple[str, ...]:
    """Return a hand as a viewer sees it: the cards known to him, then one back for every other."""
    return (*codes(known), *(BACK,) * hidden)
