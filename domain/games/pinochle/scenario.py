"""Scenario files: deals, starts, positions and facts of pinochle."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeVar

import msgspec

from domain.cards import SUIT_LETTERS
from domain.game import Randomness, Result, Scenarios, Seat, Settings, next_seat
from domain.games.pinochle.flow import result_of
from domain.games.pinochle.melds import NAMES, Meld
from domain.games.pinochle.pack import (
    CODES,
    HAND_CARDS,
    KINDS,
    PACK,
    PACKET,
    SEATS,
    VALUES,
    Kind,
    codes,
    pack,
)
from domain.games.pinochle.rules import rules_of
from domain.games.pinochle.scoring import TEAMS, Pair
from domain.games.pinochle.state import NOBODY, PASS, Auction, Phase, State, Tricks
from domain.games.pinochle.tricks import beats
from domain.games.pinochle.view import declarer_of, trump_letter

T = TypeVar("T")

Cards = str | tuple[str, ...]  # "QS JD" or ["QS", "JD"]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=SEATS - 1)]
Hands = tuple[Cards, Cards, Cards, Cards]


class Deal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One deal: hands by seat, or the deck from the top; the first deal's dealer (0 where not said)."""

    hands: Hands | None = None
    deck: Cards | None = None
    dealer: SeatNumber | None = None


class Start(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match before a later deal than its first. ``totals`` by team, or by seat."""

    totals: tuple[int, ...] = (0, 0)
    dealer: SeatNumber = 0  # of the next deal
    first_dealer: SeatNumber | None = None  # of the match; where not said, the next deal's
    passed_out: Annotated[int, msgspec.Meta(ge=0)] = 0  # deals in a row


class Position(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hand in the middle of its play.

    ``taken`` are the cards that team A and team B have taken, in whole tricks; hands, trick and taken cards are the
    pack. ``melds`` are the points by name of each seat's meld. ``totals`` by team, or by seat, before this hand.
    """

    trump: str
    hands: Hands
    leader: SeatNumber
    trick: Cards = ()
    taken: tuple[Cards, Cards] = ((), ())
    declarer: SeatNumber = 0
    bid: Annotated[int, msgspec.Meta(gt=0, multiple_of=10)] = 200
    melds: tuple[Mapping[str, int], ...] = ({}, {}, {}, {})
    dealer: SeatNumber = 3
    totals: tuple[int, ...] = (0, 0)


class Stacked:
    """Stands in for chance: one dealer, one deck, no salts."""

    def __init__(self, dealer: int, deck: tuple[str, ...]) -> None:
        """Keep what is to come out."""
        self._dealer = dealer
        self._deck = deck

    def below(self, bound: int) -> int:
        """Return the dealer, the only number the game draws."""
        assert self._dealer < bound
        return self._dealer

    def shuffled(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Return the stacked deck."""
        assert sorted(map(str, cards)) == sorted(self._deck)
        deck: Any = self._deck
        return tuple(deck)

    def salts(self, _count: int) -> tuple[str, ...]:
        """Return none: a scenario is not proved."""
        return ()


def _cards(cards: Cards, place: str) -> tuple[str, ...]:
    names = tuple(cards.split()) if isinstance(cards, str) else cards
    for name in names:
        if name not in KINDS:
            message = f"{place}: {name!r} is not a card of the pack"
            raise ValueError(message)
    return names


def _whole_pack(names: Sequence[str], place: str) -> None:
    missing, extra = Counter(PACK) - Counter(names), Counter(names) - Counter(PACK)
    if missing or extra:
        parts = [
            f"{what}: {' '.join(sorted(cards.elements()))}"
            for what, cards in (("missing", missing), ("too many", extra))
            if cards
        ]
        message = f"{place}: not two of each card ({'; '.join(parts)})"
        raise ValueError(message)


def _pair(totals: tuple[int, ...], place: str) -> Pair:
    if len(totals) == SEATS and totals[:2] == totals[2:]:
        totals = totals[:2]
    if len(totals) != 2:
        message = f"{place}: two totals by team, or four by seat where partners have the same"
        raise ValueError(message)
    return totals[0], totals[1]


def _deck(hands: Hands, dealer: int) -> tuple[str, ...]:
    dealt = [_cards(cards, f"hands[{seat}]") for seat, cards in enumerate(hands)]
    for seat, names in enumerate(dealt):
        if len(names) != HAND_CARDS:
            message = f"hands[{seat}]: {len(names)} cards, not {HAND_CARDS}"
            raise ValueError(message)
    packets = len(PACK) // PACKET
    order = [((dealer + 1 + packet) % SEATS, packet // SEATS * PACKET) for packet in range(packets)]
    return tuple(name for seat, at in order for name in dealt[seat][at : at + PACKET])


def stack(state: State, deal: Deal) -> Randomness:
    """Return chance that makes the deal come out; ValueError for cards that are not the pack or another dealer."""
    due = state.next_dealer
    if deal.dealer is not None and due not in (NOBODY, deal.dealer):
        message = f"dealer: seat {due} deals next, not {deal.dealer}"
        raise ValueError(message)
    dealer = due if due != NOBODY else deal.dealer or 0
    if (deal.hands is None) == (deal.deck is None):
        message = "a deal gives either hands or deck"
        raise ValueError(message)
    deck = _cards(deal.deck, "deck") if deal.deck is not None else _deck(deal.hands or ("",) * 4, dealer)
    _whole_pack(deck, "deck" if deal.deck is not None else "hands")
    return Stacked(dealer, deck)


def begin(settings: Settings, given: Start) -> State:
    """Return a match that owes the deal described."""
    first = given.dealer if given.first_dealer is None else given.first_dealer
    return State(
        rules=rules_of(settings.options),
        totals=_pair(given.totals, "totals"),
        first_dealer=Seat(first),
        next_dealer=Seat(given.dealer),
        passed_out=given.passed_out,
    )


def _trick(given: Position, trump: int) -> Tricks:
    """Return the tricks of a position: the one on the table and the counts of those taken."""
    best, winner, cards = Kind(-1), NOBODY, []
    for place, name in enumerate(_cards(given.trick, "trick")):
        kind = KINDS[name]
        cards.append(kind)
        if not place or beats(kind, best, trump):
            best, winner = kind, Seat((given.leader + place) % SEATS)
    taken = [_cards(pile, f"taken[{team}]") for team, pile in enumerate(given.taken)]
    if len(cards) >= SEATS or any(len(pile) % SEATS for pile in taken):
        message = "trick: at most three cards; taken: whole tricks"
        raise ValueError(message)
    points = [sum(VALUES[KINDS[name]] for name in pile) for pile in taken]
    return Tricks(
        leader=Seat(given.leader) if cards else NOBODY,
        cards=tuple(cards),
        best=best,
        winner=winner,
        taken=(len(taken[0]) // SEATS, len(taken[1]) // SEATS),
        points=(points[0], points[1]),
    )


def _melds(given: Position) -> tuple[tuple[Meld, ...], ...]:
    if len(given.melds) != SEATS:
        message = "melds: one for each of the four seats"
        raise ValueError(message)
    for melds in given.melds:
        for name in melds.keys() - set(NAMES):
            message = f"melds: there is no meld {name!r}"
            raise ValueError(message)
    return tuple(tuple(Meld(name, points) for name, points in melds.items()) for melds in given.melds)


def place(settings: Settings, given: Position) -> State:
    """Return the position; ValueError where its cards are not the pack or do not fit the trick."""
    if given.trump not in tuple(SUIT_LETTERS):
        message = f"trump: one of {' '.join(SUIT_LETTERS)}, not {given.trump!r}"
        raise ValueError(message)
    trump = SUIT_LETTERS.index(given.trump)
    tricks, melds = _trick(given, trump), _melds(given)
    hands = [_cards(cards, f"hands[{seat}]") for seat, cards in enumerate(given.hands)]
    lying = len(tricks.cards)
    for seat, names in enumerate(hands):
        left = HAND_CARDS - sum(tricks.taken) - ((seat - given.leader) % SEATS < lying)
        if len(names) != left or (not left and not lying):
            message = f"hands[{seat}]: {len(names)} cards, not {left}"
            raise ValueError(message)
    everything = [*_cards(given.trick, "trick"), *(name for names in hands for name in names)]
    for team, pile in enumerate(given.taken):
        everything.extend(_cards(pile, f"taken[{team}]"))
    _whole_pack(everything, "hands, trick and taken")
    return State(
        rules=rules_of(settings.options),
        phase=Phase.PLAY,
        clock=1,
        totals=_pair(given.totals, "totals"),
        first_dealer=Seat(given.dealer),
        next_dealer=next_seat(Seat(given.dealer)),
        dealer=Seat(given.dealer),
        deals=1,
        hands=tuple(pack(names) for names in hands),
        turn=Seat((given.leader + lying) % SEATS),
        auction=Auction(bidder=Seat(given.declarer), bid=given.bid),
        trump=trump,
        melds=melds,
        tricks=tricks,
    )


def final(_settings: Settings, totals: tuple[int, ...], first: Seat) -> Result:
    """Return the result of a match with these totals, by team or by seat; the higher one wins."""
    pair = _pair(totals, "totals")
    if pair[0] == pair[1]:
        message = "totals: a match has a winner, so the two are not equal"
        raise ValueError(message)
    return result_of(int(pair[1] > pair[0]), pair, first)


def facts(state: State) -> Mapping[str, object]:
    """Return what ``expect`` may name: pairs are [team A, team B], lists of four by seat."""
    auction, tricks, over = state.auction, state.tricks, state.champions >= 0
    declarer = declarer_of(state)
    return {
        "phase": state.phase.value,
        "turn": None if state.turn == NOBODY else state.turn,
        "hands": [list(codes(hand)) for hand in state.hands],
        "deal_points": list(state.deal_points),
        "totals": [state.totals[team] for team in TEAMS],
        "team_totals": list(state.totals),
        "places": list(result_of(state.champions, state.totals, Seat(0)).places) if over else None,
        "winner": state.champions if over else None,  # the winners' lower seat has their team's number
        "deal": state.deals,
        "dealer": None if state.dealer == NOBODY else state.dealer,
        "passed_out": state.passed_out,
        "calls": [[seat, "pass" if amount == PASS else amount] for seat, amount in auction.calls],
        "bid": auction.bid or None,
        "declarer": declarer,
        "contract": None if declarer is None else auction.bid,
        "forced": auction.forced,
        "trump": trump_letter(state),
        "melds": [{meld.name: meld.points for meld in melds} for melds in state.melds],
        "meld_points": list(state.meld_of_teams()),
        "shown": [list(codes(cards)) for cards in state.shown],
        "trick": [CODES[kind] for kind in tricks.cards],
        "tricks": list(tricks.taken),
        "trick_points": list(tricks.points),
        "trick_takers": list(tricks.takers),
        "made": state.made,
    }


ACCEPTS: Final = (
    *("deal", "dealer", "passed_out", "calls", "bid", "declarer", "contract", "forced", "trump", "melds"),
    *("meld_points", "shown", "trick", "tricks", "trick_points", "trick_takers", "made"),
)

SCENARIOS: Final = Scenarios(
    deal=Deal,
    start=Start,
    position=Position,
    stack=stack,
    begin=begin,
    place=place,
    final=final,
    facts=facts,
    accepts=ACCEPTS,
)
