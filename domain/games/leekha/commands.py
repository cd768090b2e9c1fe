"""What a player may send, and why it may be refused. The seat comes from who he is, never from the command."""

from enum import StrEnum
from typing import Annotated

import msgspec

Code = Annotated[str, msgspec.Meta(max_length=8)]
Cards = Annotated[tuple[Code, ...], msgspec.Meta(max_length=64)]


class Play(msgspec.Struct, frozen=True, gc=False, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Play a card to the trick."""

    card: Code


class Pass(msgspec.Struct, frozen=True, gc=False, tag_field="do", tag="pass", forbid_unknown_fields=True):
    """Give three cards away; sealed, and final at once."""

    cards: Cards


class SetDoubles(msgspec.Struct, frozen=True, gc=False, tag_field="do", tag="set_doubles", forbid_unknown_fields=True):
    """Choose which of QS and TD to double, in place of an earlier choice."""

    cards: Cards


class Ready(msgspec.Struct, frozen=True, gc=False, tag_field="do", tag="ready", forbid_unknown_fields=True):
    """Confirm the doubling as chosen."""


class Announce(msgspec.Struct, frozen=True, gc=False, tag_field="do", tag="announce", forbid_unknown_fields=True):
    """Answer whether one announces a minus: that one will take no trick."""

    minus: bool


Command = Play | Pass | SetDoubles | Ready | Announce


class Refusal(StrEnum):
    """Why a command is refused, in the order in which it is checked."""

    MATCH_OVER = "MATCH_OVER"
    TOO_LATE = "TOO_LATE"  # decided by the table, which knows the clock
    WRONG_PHASE = "WRONG_PHASE"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    ALREADY_READY = "ALREADY_READY"
    BAD_PASS_COUNT = "BAD_PASS_COUNT"  # noqa: S105 -- a refusal, not a password
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    NOT_DOUBLABLE = "NOT_DOUBLABLE"
    MUST_FOLLOW_SUIT = "MUST_FOLLOW_SUIT"
    MUST_TALYEEKH = "MUST_TALYEEKH"
