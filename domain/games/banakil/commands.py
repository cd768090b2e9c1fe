"""What a player may send. The seat is never in a command: the table knows who sent it."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.banakil.pack import SIZE

CardCode = Annotated[str, Meta(max_length=8)]
Cards = Annotated[tuple[CardCode, ...], Meta(max_length=SIZE)]
_Wide = Meta(ge=-1_000_000, le=1_000_000)  # of numbers that a refusal answers, not the decoder


class Cut(Struct, frozen=True, gc=False, tag_field="do", tag="cut", forbid_unknown_fields=True):
    """Put the top ``position`` cards of the pack under the rest (BNK-12). Only a whole number is accepted."""

    position: Annotated[int, _Wide] | Annotated[float, _Wide]


class Draw(Struct, frozen=True, gc=False, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Draw the top card of the stock (BNK-29)."""


class Take(Struct, frozen=True, gc=False, tag_field="do", tag="take", forbid_unknown_fields=True):
    """Take this card of the ground and every card above it, ``count`` cards in all (BNK-30, BNK-31)."""

    card: CardCode
    count: Annotated[int, _Wide]


class Lay(Struct, frozen=True, gc=False, tag_field="do", tag="lay", forbid_unknown_fields=True):
    """Lay a new meld from the hand; a sequence in ascending order (BNK-72, BNK-73)."""

    cards: Cards


class Extend(Struct, frozen=True, gc=False, tag_field="do", tag="extend", forbid_unknown_fields=True):
    """Add hand cards to a meld of the own team; ``result`` is the whole meld as it will lie (BNK-75)."""

    meld: Annotated[str, Meta(max_length=8)]
    result: Cards


class Throw(Struct, frozen=True, gc=False, tag_field="do", tag="throw", forbid_unknown_fields=True):
    """Put one card on top of the ground (BNK-84)."""

    card: CardCode


Command = Cut | Draw | Take | Lay | Extend | Throw
