"""The pack of 106 cards (BNK-4): two of every face and two jokers.

A card is an int from 0 to 105, ``52 * copy + 13 * suit + rank`` with suits S H D C and ranks from the ace (0) to
the king (12); the jokers are 104 and 105. A face is what is printed on it, 0 to 53. On every wire the first copy
is ``7H``, the second ``7H.2``; a command may also say ``7H.1``, and there ``7H`` is whichever copy he holds.
A hand is a bit mask of cards that never leaves the process.
"""

from collections.abc import Iterable, Iterator
from typing import Final

SUIT_LETTERS: Final = "SHDC"
RANK_LETTERS: Final = "A23456789TJQK"
SIZE: Final = 106
FACES: Final = (*(rank + suit for suit in SUIT_LETTERS for rank in RANK_LETTERS), "JK1", "JK2")
CODES: Final = FACES[:52] + tuple(f"{face}.2" for face in FACES[:52]) + FACES[52:]
CARDS: Final = {code: card for card, code in enumerate(CODES)}
BACK: Final = "??"
HIDDEN: Final = -1  # a card of the stock that this state does not know

FACE: Final = tuple(card % 52 if card < 104 else card - 52 for card in range(SIZE))
NAMES: Final = (  # what a command may say: the face, and the very card where a copy is named
    {code: (face, HIDDEN) for face, code in enumerate(FACES[:52])}
    | {f"{code}.1": (face, face) for face, code in enumerate(FACES[:52])}
    | {f"{code}.2": (face, face + 52) for face, code in enumerate(FACES[:52])}
    | {"JK1": (52, 104), "JK2": (53, 105)}
)

_FACES_MASK: Final = (1 << 52) - 1
VALUES: Final = tuple(
    8 if face >= 52 else 4 if face % 13 == 1 else 1 if 2 <= face % 13 <= 5 else 2 for face in range(54)
)  # half-points by face (BNK-5)
VALUE: Final = tuple(VALUES[face] for face in FACE)  # half-points by card
_ORDER: Final = sorted(range(SIZE), key=lambda card: (FACE[card], card))
_PLACE: Final = {card: place for place, card in enumerate(_ORDER)}


def is_two(card: int) -> bool:
    """Say whether the card is a 2, the bankala (BNK-49)."""
    return card < 104 and card % 13 == 1


def is_joker(card: int) -> bool:
    """Say whether the card is one of the two jokers."""
    return card >= 104


def is_real(card: int) -> bool:
    """Say whether the card is neither a 2 nor a joker."""
    return card < 104 and card % 13 != 1


def members(cards: int) -> Iterator[int]:
    """Yield the cards of a mask, lowest id first."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def mask_of(cards: Iterable[int]) -> int:
    """Collect cards into a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def codes_of(cards: int) -> tuple[str, ...]:
    """Return the codes of a mask: by suit, then from the ace up, both copies together, jokers last."""
    return tuple(CODES[card] for card in sorted(members(cards), key=_PLACE.__getitem__))


def faces_of(cards: int) -> int:
    """Return the faces in a mask of cards, jokers left out, as a mask of 52 bits."""
    return (cards | cards >> 52) & _FACES_MASK


def pairs_of(cards: int) -> int:
    """Return the faces of which the mask holds both copies, as a mask of 52 bits."""
    return cards & cards >> 52 & _FACES_MASK


def value_of(cards: int) -> int:
    """Return what the cards of a mask are worth, in half-points (BNK-6)."""
    return sum(VALUE[card] for card in members(cards))


def known_and_hidden(codes: Iterable[str]) -> tuple[int, int]:
    """Split codes into the mask of the cards named and the number of backs among them."""
    mask = 0
    hidden = 0
    for code in codes:
        if code == BACK:
            hidden += 1
        else:
            mask |= 1 << CARDS[code]
    return mask, hidden
