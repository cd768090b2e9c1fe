"""Events of a hand of Bint al-Sbeet or Leekha. Tags and fields are stored for ever: add, never rename or reuse.

Both games write the same kinds; the first event of a match's stream says which of the two is played.
Fields "by seat" have four entries, seat 0 first. Cards are codes; ``??`` is a card that the reader may not see.
"""

import msgspec

from domain.game import Seat


class HandDealt(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.hand_dealt.v1"):
    """The whole pack as shuffled, top first, dealt one at a time from the dealer's right (SBT-6, LKH-4)."""

    hand_no: int  # from 1, through the whole match
    dealer: Seat
    deck: tuple[str, ...]
    salts: tuple[str, ...] = ()  # one a card of the deck, for a later proof of the deal; shown to nobody


class PassChosen(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.pass_chosen.v1"):
    """A seat sealed the three cards it gives away; only its owner is told."""

    owner: Seat
    cards: tuple[str, ...]


class DoublesChosen(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.doubles_chosen.v1"):
    """A seat chose what it would double, in place of what it chose before; it counts once the seat is ready."""

    owner: Seat
    cards: tuple[str, ...]


class MinusAnswered(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.minus_answered.v1"):
    """A seat sealed whether it will take no trick; only its owner is told."""

    owner: Seat
    minus: bool


class SeatReady(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.seat_ready.v1"):
    """A seat has confirmed its choice in the open window; what it chose is not said."""

    seat: Seat


class CardsPassed(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.cards_passed.v1"):
    """All four passes change hands at once."""

    direction: str  # "left" (seat+3) or "right" (seat+1)
    cards: tuple[tuple[str, ...], ...]  # by the seat that gave them


class DoublesShown(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.doubles_shown.v1"):
    """The doubling window closed: what every seat doubled lies open from now on."""

    cards: tuple[tuple[str, ...], ...]  # by seat


class MinusShown(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.minus_shown.v1"):
    """The minus window closed: who announced that he will take no trick."""

    seats: tuple[Seat, ...]


class CardPlayed(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.card_played.v1"):
    """A seat played a card to the trick."""

    seat: Seat
    card: str


class TrickTaken(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.trick_taken.v1"):
    """The four cards on the table went to a seat, which leads next."""

    seat: Seat


class ScoreLine(msgspec.Struct, frozen=True):
    """One reason for points of one seat in a hand."""

    seat: Seat
    line: str  # queen, ten, hearts, no_tricks, minus_made, minus_failed
    points: int


class HandScored(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.hand_scored.v1"):
    """The points of a finished hand, and where everybody stands after it."""

    hand_no: int
    points: tuple[int, ...]  # by seat
    totals: tuple[int, ...]  # by seat, over the match so far
    lines: tuple[ScoreLine, ...]
    target_reached: bool  # now or after an earlier hand (SBT-36)


class MatchEnded(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="leekha.match_ended.v1"):
    """The match is over."""

    totals: tuple[int, ...]  # by seat
    team_totals: tuple[int, ...] | None  # by team, in the partnership game
    places: tuple[int, ...]  # by seat, best is 1


Event = (
    CardPlayed
    | TrickTaken
    | HandDealt
    | PassChosen
    | DoublesChosen
    | MinusAnswered
    | SeatReady
    | CardsPassed
    | DoublesShown
    | MinusShown
    | HandScored
    | MatchEnded
)

COMMON: tuple[type[Event], ...] = (
    HandDealt,
    PassChosen,
    SeatReady,
    CardsPassed,
    DoublesChosen,
    DoublesShown,
    CardPlayed,
    TrickTaken,
    HandScored,
    MatchEnded,
)
MINUS: tuple[type[Event], ...] = (MinusAnswered, MinusShown)


def kind(event: type[Event]) -> str:
    """Return the stored name of a kind of event."""
    return str(event.__struct_config__.tag)
