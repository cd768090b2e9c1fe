"""The pinochle pack: 24 kinds of card, two copies of each, and hands as packed counts (PIN-4, PIN-5, PIN-7).

A kind is ``6 * suit + rank``, suits in the order S H D C, ranks from the nine (0) to the ace (5) with the ten above
the king. A :data:`Hand` holds two bits a kind, the number of copies (0 to 2), so hands are compared, added and
subtracted like numbers; it never leaves the process. Codes come out in the order hands are displayed in:
spades, hearts, diamonds, clubs, each from the ace down to the nine.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, NewType

from domain.cards import BACK, SUIT_LETTERS

Kind = NewType("Kind", int)
Hand = NewType("Hand", int)

RANK_LETTERS: Final = "9JQKTA"
RANKS: Final = 6
NINE, JACK, QUEEN, KING, TEN, ACE = range(RANKS)
SEATS: Final = 4
HAND_CARDS: Final = 12
PACKET: Final = 3  # cards dealt at a time (PIN-11)

CODES: Final = tuple(rank + suit for suit in SUIT_LETTERS for rank in RANK_LETTERS)
KINDS: Final = {code: Kind(kind) for kind, code in enumerate(CODES)}
PACK: Final = tuple(code for code in CODES for _ in range(2))
VALUES: Final = (0, 0, 0, 10, 10, 10) * 4  # trick points by kind (PIN-6)

NO_CARDS: Final = Hand(0)
NO_HANDS: Final = (NO_CARDS,) * SEATS
SUITS: Final = tuple(0xFFF << 12 * suit for suit in range(4))
ONE: Final = tuple(1 << 2 * kind for kind in range(24))  # one copy
EITHER: Final = tuple(3 << 2 * kind for kind in range(24))  # mask of the count
ABOVE: Final = tuple(SUITS[kind // RANKS] & -(4 << 2 * kind) for kind in range(24))  # higher cards of its suit
_SINGLES: Final = sum(ONE)


def of(suit: int, rank: int) -> Kind:
    """Return the kind of a suit and a rank."""
    return Kind(RANKS * suit + rank)


def copies(hand: int, kind: int) -> int:
    """Return how many copies of the kind the hand holds, 0 to 2."""
    return hand >> 2 * kind & 3


def size(hand: int) -> int:
    """Return the number of cards."""
    return (hand & _SINGLES).bit_count() + 2 * (hand & _SINGLES << 1).bit_count()


def counters(hand: int) -> int:
    """Return the number of aces, tens and kings."""
    return sum(copies(hand, kind) for kind, value in enumerate(VALUES) if value)


def most(first: int, second: int) -> int:
    """Return, kind by kind, the greater number of copies."""
    doubles = (first | second) & _SINGLES << 1
    return doubles | (first | second) & _SINGLES & ~(doubles >> 1)


def fields() -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every holding of one suit as its twelve bits, with the copies by rank, 729 in all."""
    for counts in product(range(3), repeat=RANKS):
        yield sum(count << 2 * rank for rank, count in enumerate(counts)), counts


def _suit_codes(suit: int) -> dict[int, tuple[str, ...]]:
    letters = [rank + SUIT_LETTERS[suit] for rank in RANK_LETTERS]
    return {
        field: tuple(letters[rank] for rank in reversed(range(RANKS)) for _ in range(counts[rank]))
        for field, counts in fields()
    }


_CODES: Final = tuple(_suit_codes(suit) for suit in range(4))


def codes(hand: int) -> tuple[str, ...]:
    """Return the codes of a hand, both copies where it holds two, in the order of display."""
    spades, hearts, diamonds, clubs = _CODES
    return spades[hand & 0xFFF] + hearts[hand >> 12 & 0xFFF] + diamonds[hand >> 24 & 0xFFF] + clubs[hand >> 36 & 0xFFF]


def pack(names: Iterable[str]) -> Hand:
    """Collect codes into a hand; KeyError for a code that is not of this pack. At most two copies of each."""
    hand = 0
    for name in names:
        hand += ONE[KINDS[name]]
    return Hand(hand)


def known_and_hidden(names: tuple[str, ...]) -> tuple[Hand, int]:
    """Split codes into the hand of the cards named and the number of backs among them."""
    hidden = names.count(BACK)
    if hidden == len(names):
        return NO_CARDS, hidden
    return pack(name for name in names if name != BACK) if hidden else pack(names), hidden
