"""What a player may send in pinochle, and the codes of what is refused."""

from enum import StrEnum
from typing import Annotated

import msgspec

CardCode = Annotated[str, msgspec.Meta(max_length=8)]


class Bid(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="bid"):
    """Bid an amount in points (PIN-17)."""

    amount: Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]


class PassBid(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="pass_bid"):
    """Leave the auction (PIN-16)."""


class AskRedeal(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="ask_redeal"):
    """Ask for a new deal with five or more nines, in place of the first call (PIN-14)."""


class NameTrump(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="name_trump"):
    """Name the trump suit by its letter (PIN-27)."""

    suit: Annotated[str, msgspec.Meta(max_length=8)]


class Give(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="give"):
    """Give cards to the partner (PIN-30)."""

    cards: Annotated[tuple[CardCode, ...], msgspec.Meta(max_length=64)]


class Ready(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="ready"):
    """Have seen the melds, or the scores (PIN-44)."""


class Concede(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="concede"):
    """Give up the hand before the first lead (PIN-61)."""


class PlayOn(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="play_on"):
    """Play the hand out (PIN-61)."""


class PlayCard(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag="play"):
    """Play a card to the trick (PIN-47 to PIN-57)."""

    card: CardCode


Command = Bid | PassBid | AskRedeal | NameTrump | Give | Ready | Concede | PlayOn | PlayCard


class Refusal(StrEnum):
    """Why a command is refused, in the order the reasons are looked for. TOO_LATE is the table's."""

    TOO_LATE = "TOO_LATE"
    WRONG_PHASE = "WRONG_PHASE"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    ALREADY_READY = "ALREADY_READY"
    BID_STEP = "BID_STEP"
    BID_TOO_LOW = "BID_TOO_LOW"
    BID_TOO_HIGH = "BID_TOO_HIGH"
    BID_NEEDS_MARRIAGE = "BID_NEEDS_MARRIAGE"
    NO_FIVE_NINES = "NO_FIVE_NINES"
    BAD_SUIT = "BAD_SUIT"
    TRUMP_NEEDS_MARRIAGE = "TRUMP_NEEDS_MARRIAGE"
    BAD_PASS_COUNT = "BAD_PASS_COUNT"  # noqa: S105 - passing cards, no password
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    MUST_FOLLOW = "MUST_FOLLOW"
    MUST_BEAT = "MUST_BEAT"
    MUST_TRUMP = "MUST_TRUMP"
    MUST_OVERTRUMP = "MUST_OVERTRUMP"
