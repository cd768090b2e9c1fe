"""Events of a match of Basra. Tags and fields are stored for ever: add, never rename or reuse.

Cards are codes; in a viewer's copy a card that he may not see is ``??`` (:func:`domain.games.basra.view.redact`).
A side is a player where two play, a team (seats 0 and 2, seats 1 and 3) where four play.
"""

import msgspec

from domain.game import Seat


class HandDealt(msgspec.Struct, frozen=True, tag_field="kind", tag="basra.hand_dealt.v1"):
    """The pack in its order, top first: four cards a seat from ``dealer`` + 1 on, four to the floor, the stock."""

    number: int  # of the hand in its match, from 1
    dealer: Seat
    players: int
    deck: tuple[str, ...]
    salts: tuple[str, ...] = ()  # a secret a card, for a proof of the deal


class FloorCardReplaced(msgspec.Struct, frozen=True, tag_field="kind", tag="basra.floor_card_replaced.v1"):
    """A sweeper left its place of the first floor for the bottom of the stock (BSR-9 to BSR-11)."""

    place: int  # of the floor, 0 to 3 in deal order
    returned: str
    replacement: str


class BatchDealt(msgspec.Struct, frozen=True, tag_field="kind", tag="basra.batch_dealt.v1"):
    """Four more cards for each seat from the top of the stock (BSR-12)."""

    number: int  # of the batch in its hand, from 2
    hands: tuple[tuple[str, ...], ...]  # by seat


class CardPlayed(msgspec.Struct, frozen=True, tag_field="kind", tag="basra.card_played.v1"):
    """A card was thrown and took what it is entitled to, in floor order, or stayed on the floor."""

    seat: Seat
    card: str
    taken: tuple[str, ...] = ()
    basra: bool = False
    jack_bonus: int = 0  # points of a jack on a lone jack (BSR-V4)


class LeftoversTaken(msgspec.Struct, frozen=True, tag_field="kind", tag="basra.leftovers_taken.v1"):
    """The last capturer got what lay on the floor at the hand's end (BSR-39)."""

    seat: Seat
    cards: tuple[str, ...]


class SideScore(msgspec.Struct, frozen=True, kw_only=True):
    """One side's hand: the number of its cards, then points by line and their sum (BSR-42 to BSR-48)."""

    cards: int
    majority: int
    ten_of_diamonds: int
    two_of_clubs: int
    aces: int
    jacks: int
    basra: int
    jack_on_jack: int
    points: int


class HandScored(msgspec.Struct, frozen=True, tag_field="kind", tag="basra.hand_scored.v1"):
    """A hand was counted: scores and new totals by side, and the carry into the next hand."""

    scores: tuple[SideScore, ...]
    totals: tuple[int, ...]
    carry: int


class MatchEnded(msgspec.Struct, frozen=True, tag_field="kind", tag="basra.match_ended.v1"):
    """The match is over; the place of each seat, best 1 (BSR-49 to BSR-52)."""

    places: tuple[int, ...]


Event = CardPlayed | BatchDealt | HandDealt | FloorCardReplaced | LeftoversTaken | HandScored | MatchEnded
