"""What a player may send, and why it may be refused."""

from enum import StrEnum
from typing import Annotated, Final

import msgspec

from domain.cards import CODES


class Refusal(StrEnum):
    """The codes of a refusal, in the order in which they are checked; the table decides TOO_LATE (TBL-10)."""

    MATCH_OVER = "MATCH_OVER"
    TOO_LATE = "TOO_LATE"
    WRONG_PHASE = "WRONG_PHASE"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"


class Play(msgspec.Struct, frozen=True, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Throw one card on the floor; what it takes is the game's affair (BSR-15, BSR-17)."""

    card: Annotated[str, msgspec.Meta(max_length=8)]


Command = Play

PLAYS: Final = tuple(Play(card=code) for code in CODES)  # by card
