"""The six contracts as data: what each counts, what ends it and what may be doubled (TRX-31, TRX-58 to TRX-75)."""

from enum import StrEnum
from typing import Final

import msgspec

from domain.cards import CARDS, EMPTY, FULL, RANK_LETTERS, SUITS, Card, CardSet, Suit, card_set, has, rank_of

SEATS: Final = 4
HAND: Final = 13  # cards dealt to each seat
KINGDOMS: Final = 4


class Contract(StrEnum):
    """What a deal is played for, in the order in which the clock chooses (TRX-122)."""

    KING = "king"
    QUEENS = "queens"
    DIAMONDS = "diamonds"
    LTOOSH = "ltoosh"
    COMPLEX = "complex"
    TRIX = "trix"


NORMAL: Final = (Contract.KING, Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH, Contract.TRIX)
COMPLEX: Final = (Contract.COMPLEX, Contract.TRIX)

KING_OF_HEARTS: Final = CARDS["KH"]
SEVEN_OF_HEARTS: Final = CARDS["7H"]
QUEENS: Final = card_set(CARDS["Q" + suit] for suit in "SHDC")
JACKS: Final = card_set(CARDS["J" + suit] for suit in "SHDC")
TWOS: Final = card_set(CARDS["2" + suit] for suit in "SHDC")
ACES: Final = card_set(CARDS["A" + suit] for suit in "SHDC")
DIAMONDS: Final = SUITS[Suit.DIAMONDS]
JACK_RANK: Final = RANK_LETTERS.index("J")

KING_VALUE: Final = 75
QUEEN_VALUE: Final = 25
DIAMOND_VALUE: Final = 10
TRICK_VALUE: Final = 15
PLACE_POINTS: Final = (200, 150, 100, 50)  # TRIX, by the order of running out (TRX-87, TRX-88)


class Terms(msgspec.Struct, frozen=True):
    """The terms of one contract; penalties are positive numbers of points."""

    total: int  # what a deal of it sums to, doubled or not (TRX-104)
    trick: int = 0  # penalty of every trick
    cards: tuple[int, ...] = (0,) * 52  # penalty of every card, undoubled
    ends: CardSet = EMPTY  # the deal is over with the trick that takes the last of these
    doublable: CardSet = EMPTY


def _penalties(*, king: bool = False, queens: bool = False, diamonds: bool = False) -> tuple[int, ...]:
    return tuple(
        KING_VALUE * (king and card == KING_OF_HEARTS)
        + QUEEN_VALUE * (queens and has(QUEENS, card))
        + DIAMOND_VALUE * (diamonds and has(DIAMONDS, card))
        for card in map(Card, range(52))
    )


_KING: Final = card_set([KING_OF_HEARTS])

TERMS: Final = {
    Contract.KING: Terms(-75, cards=_penalties(king=True), ends=_KING, doublable=_KING),
    Contract.QUEENS: Terms(-100, cards=_penalties(queens=True), ends=QUEENS, doublable=QUEENS),
    Contract.DIAMONDS: Terms(-130, cards=_penalties(diamonds=True), ends=DIAMONDS),
    Contract.LTOOSH: Terms(-195, trick=TRICK_VALUE, ends=FULL),
    Contract.COMPLEX: Terms(
        -500,
        trick=TRICK_VALUE,
        cards=_penalties(king=True, queens=True, diamonds=True),
        ends=FULL,
        doublable=CardSet(_KING | QUEENS),
    ),
    Contract.TRIX: Terms(500),
}

DOUBLE_VALUE: Final = tuple(  # what doubling a card moves from its taker to somebody else; 0: never doubled
    KING_VALUE if card == KING_OF_HEARTS else QUEEN_VALUE * has(QUEENS, card) for card in map(Card, range(52))
)


def steps_to_end(card: Card) -> int:
    """Return how many cards of its row can still follow a card on its side; for a jack, on both (TRX-126)."""
    rank = rank_of(card)
    if rank == JACK_RANK:
        return 12
    return 12 - rank if rank > JACK_RANK else rank
