"""What a player may send. The seat is never in a command: the table knows who speaks."""

from functools import cache
from itertools import combinations
from typing import Annotated, Final

import msgspec

from domain.cards import SUITS, CardSet, codes
from domain.games.trix.contracts import Contract

Code = Annotated[str, msgspec.Meta(max_length=8)]


class ChooseContract(msgspec.Struct, frozen=True, tag_field="do", tag="choose_contract", forbid_unknown_fields=True):
    """The owner names the contract of this deal (TRX-20)."""

    contract: Contract


class SetDoubles(msgspec.Struct, frozen=True, tag_field="do", tag="set_doubles", forbid_unknown_fields=True):
    """Select the whole set of cards to double, in place of the selection before it (TRX-48)."""

    cards: Annotated[tuple[Code, ...], msgspec.Meta(max_length=64)]


class Ready(msgspec.Struct, frozen=True, tag_field="do", tag="ready", forbid_unknown_fields=True):
    """Seal the selection; it cannot be taken back (TRX-45)."""


class Play(msgspec.Struct, frozen=True, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Play a card to the trick, or lay it on its row."""

    card: Code


Command = ChooseContract | SetDoubles | Ready | Play

CHOICES: Final = {contract: ChooseContract(contract) for contract in Contract}
READY: Final = Ready()


def plays(cards: CardSet) -> tuple[Play, ...]:
    """Return the commands that play each of the cards, in ascending order."""
    return _plays(cards & SUITS[0]) + _plays(cards & SUITS[1]) + _plays(cards & SUITS[2]) + _plays(cards & SUITS[3])


@cache  # at most 4 times 8192 sets of one suit
def _plays(cards: int) -> tuple[Play, ...]:
    return tuple(map(Play, codes(CardSet(cards))))


@cache  # at most 2^5 sets: the king of hearts and the queens
def selections(cards: CardSet) -> tuple[Command, ...]:
    """Return the commands that a seat may send while doubling is open, holding these doublable cards."""
    held = codes(cards)
    subsets = (SetDoubles(chosen) for size in range(len(held) + 1) for chosen in combinations(held, size))
    return (READY, *subsets)
