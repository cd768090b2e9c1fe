"""What has happened in a match of Trix. Tags and fields are stored for ever: add, never rename or reuse.

Lists by seat have four entries. Cards are codes, ``??`` where a viewer may not know one.
"""

import msgspec

from domain.game import Seat
from domain.games.trix.contracts import Contract


class Dealt(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="kind", tag="trix.dealt.v1"):
    """The whole pack, 13 cards to each seat in order (TRX-9). The owner of deal 1 holds the 7 of hearts."""

    deal: int  # from 1
    kingdom: int  # from 1
    owner: Seat
    deck: tuple[str, ...]
    salts: tuple[str, ...] = ()  # one a card, for a later proof of the deal


class ContractChosen(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.contract_chosen.v1"):
    """The announcement; ``auto_last`` where only this contract was left in the kingdom (TRX-26)."""

    owner: Seat
    contract: Contract
    auto_last: bool = False


class HandsTurnedUp(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.hands_turned_up.v1"):
    """Each seat's cards turn up, for that seat alone (TRX-24)."""

    hands: tuple[tuple[str, ...], ...]


class TwosShown(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.twos_shown.v1"):
    """In a partnership the 2s lie face up beside their holders until played (TRX-91)."""

    twos: tuple[tuple[str, ...], ...]


class DoublesSelected(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.doubles_selected.v1"):
    """A sealed selection; only its seat is told (TRX-46, TRX-47)."""

    seat: Seat
    cards: tuple[str, ...]


class SeatReady(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.ready.v1"):
    """A seat has sealed its selection, whatever it is."""

    seat: Seat


class DoublesRevealed(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.doubles_revealed.v1"):
    """All doubled cards by seat, shown together (TRX-41)."""

    doubled: tuple[tuple[str, ...], ...]


class CardPlayed(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.card_played.v1"):
    """A card played to the trick, or laid on its row."""

    seat: Seat
    card: str


class TrickTaken(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.trick_taken.v1"):
    """Who takes the trick, and what it changes in everybody's points."""

    seat: Seat
    points: tuple[int, ...]


class Passed(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.passed.v1"):
    """The system passed for a seat that held no playable card (TRX-82)."""

    seat: Seat


class SeatOut(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="trix.seat_out.v1"):
    """A seat has laid its last card; ``place`` is 1 to 3 (TRX-87)."""

    seat: Seat
    place: int


class DealScored(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="kind", tag="trix.deal_scored.v1"):
    """The points of a deal and the totals after it, by seat."""

    deal: int
    owner: Seat
    contract: Contract
    points: tuple[int, ...]
    totals: tuple[int, ...]


class MatchEnded(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="kind", tag="trix.match_ended.v1"):
    """The result after the fourth kingdom (TRX-108 to TRX-110)."""

    totals: tuple[int, ...]  # by seat
    team_totals: tuple[int, ...] | None  # by team, in a partnership
    places: tuple[int, ...]  # by seat
    first: Seat  # owner of the first kingdom


Event = (
    CardPlayed
    | TrickTaken
    | Passed
    | SeatOut
    | Dealt
    | ContractChosen
    | HandsTurnedUp
    | TwosShown
    | DoublesSelected
    | SeatReady
    | DoublesRevealed
    | DealScored
    | MatchEnded
)
