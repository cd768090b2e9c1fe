"""Events of pinochle. Tags and fields are stored for ever: add, never rename or reuse. Points throughout."""

import msgspec

from domain.game import Seat
from domain.games.pinochle.melds import Meld
from domain.games.pinochle.scoring import Pair


class HandDealt(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.hand_dealt.v1"):
    """The shuffled deck, top first: card k is of seat (dealer + 1 + k div 3) mod 4 (PIN-11)."""

    number: int  # deals of the match so far, this one included
    dealer: Seat
    deck: tuple[str, ...]
    salts: tuple[str, ...] = ()  # one a card, for a later proof of the deal; never sent


class BidMade(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.bid_made.v1"):
    """A seat bid."""

    seat: Seat
    amount: int


class BidPassed(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.bid_passed.v1"):
    """A seat left the auction."""

    seat: Seat


class RedealAsked(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.redeal_asked.v1"):
    """A seat with five nines had the deal replaced; the same dealer deals (PIN-14)."""

    seat: Seat


class DealPassedOut(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.deal_passed_out.v1"):
    """Four passes made the deal void; ``in_a_row`` counts such deals (PIN-23, PIN-25)."""

    dealer: Seat
    in_a_row: int


class ContractMade(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.contract_made.v1"):
    """The auction is over; ``forced`` where four passes left the dealer with it (PIN-24)."""

    seat: Seat
    amount: int
    forced: bool


class TrumpNamed(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.trump_named.v1"):
    """The declarer named trump, by the suit's letter."""

    seat: Seat
    trump: str


class PassChosen(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.pass_chosen.v1"):
    """A seat chose what it gives in a simultaneous exchange; nothing has moved yet (PIN-32)."""

    seat: Seat
    cards: tuple[str, ...]


class CardsGiven(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.cards_given.v1"):
    """Cards went from a seat to its partner; only the two know which (PIN-33)."""

    seat: Seat
    to: Seat
    cards: tuple[str, ...]


class MeldShown(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.meld_shown.v1"):
    """Every hand's meld, and the cards shown for it during the display, by seat (PIN-34, PIN-45)."""

    melds: tuple[tuple[Meld, ...], ...]
    cards: tuple[tuple[str, ...], ...]


class SeatReady(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.seat_ready.v1"):
    """A seat has seen the melds, or the scores."""

    seat: Seat


class MeldClosed(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.meld_closed.v1"):
    """The meld returned to the hands (PIN-44)."""


class PlayedOn(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.played_on.v1"):
    """The declarer plays the hand out (PIN-61)."""

    seat: Seat


class HandConceded(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.hand_conceded.v1"):
    """The declarer gave the hand up (PIN-61)."""

    seat: Seat


class CardPlayed(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.card_played.v1"):
    """A card was played to the trick."""

    seat: Seat
    card: str


class TrickTaken(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.trick_taken.v1"):
    """Four cards lie; the seat took them for the points (PIN-6)."""

    seat: Seat
    points: int


class HandScored(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="pinochle.hand_scored.v1"):
    """The hand's account, each pair [team A, team B] (PIN-62 to PIN-67)."""

    declarer: Seat
    bid: int
    made: bool
    conceded: bool
    meld: Pair
    points: Pair
    tricks: Pair
    scores: Pair
    totals: Pair


class MatchEnded(msgspec.Struct, frozen=True, tag_field="kind", tag="pinochle.match_ended.v1"):
    """A team won the match (PIN-69 to PIN-72)."""

    team: int
    totals: Pair


Event = (
    CardPlayed
    | TrickTaken
    | BidMade
    | BidPassed
    | SeatReady
    | HandDealt
    | RedealAsked
    | DealPassedOut
    | ContractMade
    | TrumpNamed
    | PassChosen
    | CardsGiven
    | MeldShown
    | MeldClosed
    | PlayedOn
    | HandConceded
    | HandScored
    | MatchEnded
)
EVENTS = (
    HandDealt,
    BidMade,
    BidPassed,
    RedealAsked,
    DealPassedOut,
    ContractMade,
    TrumpNamed,
    PassChosen,
    CardsGiven,
    MeldShown,
    SeatReady,
    MeldClosed,
    PlayedOn,
    HandConceded,
    CardPlayed,
    TrickTaken,
    HandScored,
    MatchEnded,
)
