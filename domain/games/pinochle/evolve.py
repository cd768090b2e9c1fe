"""How events change the state of a match: the whole truth, and what one viewer was told, alike."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from domain.cards import SUIT_LETTERS
from domain.game import Seat, next_seat
from domain.games.pinochle.events import (
    BidMade,
    BidPassed,
    CardPlayed,
    CardsGiven,
    ContractMade,
    DealPassedOut,
    Event,
    HandConceded,
    HandDealt,
    HandScored,
    MatchEnded,
    MeldClosed,
    MeldShown,
    PassChosen,
    PlayedOn,
    RedealAsked,
    SeatReady,
    TrickTaken,
    TrumpNamed,
)
from domain.games.pinochle.pack import EITHER, KINDS, NO_HANDS, ONE, PACKET, SEATS, Hand, known_and_hidden
from domain.games.pinochle.scoring import TEAMS
from domain.games.pinochle.state import (
    ALL_SEATS,
    NO_BACKS,
    NOBODY,
    PASS,
    Auction,
    Phase,
    State,
    partner_of,
)
from domain.games.pinochle.tricks import beats

T = TypeVar("T")


def put(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return the values by seat with one of them replaced."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)


def cards_of(deck: tuple[str, ...], dealer: Seat, seat: Seat) -> tuple[str, ...]:
    """Return a seat's twelve cards of a deck dealt in packets of three (PIN-11)."""
    at = PACKET * ((seat - dealer - 1) % SEATS)
    one_round = PACKET * SEATS
    return tuple(code for start in range(at, one_round * SEATS, one_round) for code in deck[start : start + PACKET])


def next_caller(seat: Seat, passed: int) -> Seat:
    """Return the next seat that has not passed."""
    caller = next_seat(seat)
    while passed >> caller & 1 and caller != seat:
        caller = next_seat(caller)
    return caller


def _hand_dealt(state: State, event: HandDealt) -> State:
    assert state.phase in (Phase.DEAL, Phase.SCORED)
    dealt = [known_and_hidden(cards_of(event.deck, event.dealer, Seat(seat))) for seat in range(SEATS)]
    return State(
        rules=state.rules,
        phase=Phase.BIDDING,
        clock=state.clock + 1,
        totals=state.totals,
        first_dealer=event.dealer if state.first_dealer == NOBODY else state.first_dealer,
        next_dealer=next_seat(event.dealer),
        dealer=event.dealer,
        deals=event.number,
        passed_out=state.passed_out,
        hands=tuple(known for known, _ in dealt),
        backs=tuple(hidden for _, hidden in dealt),
        turn=next_seat(event.dealer),
    )


def _bid_made(state: State, event: BidMade) -> State:
    assert state.phase is Phase.BIDDING
    assert state.turn == event.seat
    old = state.auction
    auction = Auction((*old.calls, (event.seat, event.amount)), old.passed, event.seat, event.amount)
    return replace(state, auction=auction, turn=next_caller(event.seat, old.passed), clock=state.clock + 1)


def _bid_passed(state: State, event: BidPassed) -> State:
    assert state.phase is Phase.BIDDING
    assert state.turn == event.seat
    old = state.auction
    passed = old.passed | 1 << event.seat
    auction = Auction((*old.calls, (event.seat, PASS)), passed, old.bidder, old.bid)
    return replace(state, auction=auction, turn=next_caller(event.seat, passed), clock=state.clock + 1)


def _redeal_asked(state: State, event: RedealAsked) -> State:
    assert state.phase is Phase.BIDDING
    assert state.turn == event.seat
    return replace(state, phase=Phase.DEAL, next_dealer=state.dealer, hands=NO_HANDS, backs=NO_BACKS, turn=NOBODY)


def _deal_passed_out(state: State, event: DealPassedOut) -> State:
    assert state.auction.passed == ALL_SEATS
    return replace(state, phase=Phase.DEAL, passed_out=event.in_a_row, hands=NO_HANDS, backs=NO_BACKS, turn=NOBODY)


def _contract_made(state: State, event: ContractMade) -> State:
    assert state.phase is Phase.BIDDING
    auction = replace(state.auction, bidder=event.seat, bid=event.amount, forced=event.forced)
    return replace(state, phase=Phase.TRUMP, auction=auction, turn=event.seat, clock=state.clock + 1)


def _trump_named(state: State, event: TrumpNamed) -> State:
    assert state.phase is Phase.TRUMP
    assert state.turn == event.seat
    named = replace(state, trump=SUIT_LETTERS.index(event.trump), clock=state.clock + 1)
    if not state.rules.pass_count:
        return named
    partner = partner_of(event.seat)
    if state.rules.pass_style == "simultaneous":  # noqa: S105 - passing cards
        return replace(named, phase=Phase.PASS_BOTH, turn=NOBODY, waiting=1 << event.seat | 1 << partner)
    return replace(named, phase=Phase.PASS_PARTNER, turn=partner)


def _pass_chosen(state: State, event: PassChosen) -> State:
    assert state.phase is Phase.PASS_BOTH
    assert state.waiting >> event.seat & 1
    known, _ = known_and_hidden(event.cards)
    return replace(state, given=put(state.given, event.seat, known), waiting=state.waiting & ~(1 << event.seat))


def _cards_given(state: State, event: CardsGiven) -> State:
    giver, receiver = event.seat, event.to
    known, hidden = known_and_hidden(event.cards)
    hand, backs, unknown = state.hands[giver], state.backs[giver], hidden
    for code in event.cards:
        kind = KINDS.get(code)
        if kind is not None and hand & EITHER[kind]:
            hand = Hand(hand - ONE[kind])
        elif kind is not None:
            unknown += 1
    assert backs >= unknown
    hands, hidden_cards = put(state.hands, giver, hand), put(state.backs, giver, backs - unknown)
    sequential = state.phase is not Phase.PASS_BOTH
    return replace(
        state,
        hands=put(hands, receiver, Hand(hands[receiver] + known)),
        backs=put(hidden_cards, receiver, hidden_cards[receiver] + hidden),
        given=put(state.given, giver, known),
        received=put(state.received, receiver, known),
        phase=Phase.PASS_DECLARER if sequential else state.phase,
        turn=receiver if sequential else NOBODY,
        clock=state.clock + 1,
    )


def _meld_shown(state: State, event: MeldShown) -> State:
    shown = tuple(known_and_hidden(cards)[0] for cards in event.cards)
    return replace(
        state,
        phase=Phase.MELD,
        melds=event.melds,
        shown=shown,
        turn=NOBODY,
        waiting=ALL_SEATS,
        clock=state.clock + 1,
    )


def _seat_ready(state: State, event: SeatReady) -> State:
    assert state.waiting >> event.seat & 1
    return replace(state, waiting=state.waiting & ~(1 << event.seat))


def _meld_closed(state: State, _event: MeldClosed) -> State:
    assert state.phase is Phase.MELD
    assert not state.waiting
    return replace(
        state,
        phase=Phase.CONCEDE if state.rules.concede else Phase.PLAY,
        turn=state.auction.bidder,
        shown=NO_HANDS,
        given=NO_HANDS,
        received=NO_HANDS,
        clock=state.clock + 1,
    )


def _played_on(state: State, event: PlayedOn) -> State:
    assert state.phase is Phase.CONCEDE
    assert state.turn == event.seat
    return replace(state, phase=Phase.PLAY, clock=state.clock + 1)


def _hand_conceded(state: State, event: HandConceded) -> State:
    assert state.phase is Phase.CONCEDE
    assert state.turn == event.seat
    return state


def _card_played(state: State, event: CardPlayed) -> State:
    seat, kind = event.seat, KINDS[event.card]
    assert state.phase is Phase.PLAY
    assert state.turn == seat
    hand, backs = state.hands[seat], state.backs
    if hand & EITHER[kind]:
        hand = Hand(hand - ONE[kind])
    else:
        assert backs[seat]
        backs = put(backs, seat, backs[seat] - 1)
    old = state.tricks
    if 0 < len(old.cards) < SEATS:
        if beats(kind, old.best, state.trump):
            tricks = replace(old, cards=(*old.cards, kind), best=kind, winner=seat)
        else:
            tricks = replace(old, cards=(*old.cards, kind))
    else:
        tricks = replace(old, leader=seat, cards=(kind,), best=kind, winner=seat)
    return replace(
        state,
        hands=put(state.hands, seat, hand),
        backs=backs,
        tricks=tricks,
        turn=next_seat(seat),
        clock=state.clock + 1,
    )


def _trick_taken(state: State, event: TrickTaken) -> State:
    old = state.tricks
    assert len(old.cards) == SEATS
    assert old.winner == event.seat
    (tricks_a, tricks_b), (points_a, points_b) = old.taken, old.points
    if TEAMS[event.seat]:
        taken, points = (tricks_a, tricks_b + 1), (points_a, points_b + event.points)
    else:
        taken, points = (tricks_a + 1, tricks_b), (points_a + event.points, points_b)
    tricks = replace(old, taken=taken, points=points, takers=(*old.takers, event.seat))
    return replace(state, tricks=tricks, turn=event.seat)


def _hand_scored(state: State, event: HandScored) -> State:
    return replace(
        state,
        phase=Phase.SCORED,
        totals=event.totals,
        deal_points=event.scores,
        made=event.made,
        passed_out=0,
        turn=NOBODY,
        waiting=ALL_SEATS,
        clock=state.clock + 1,
    )


def _match_ended(state: State, event: MatchEnded) -> State:
    assert state.phase is Phase.SCORED
    assert state.totals == event.totals
    return replace(state, phase=Phase.MATCH_END, champions=event.team, waiting=0)


_FOLD: Final[dict[type[Any], Callable[[State, Any], State]]] = {
    HandDealt: _hand_dealt,
    BidMade: _bid_made,
    BidPassed: _bid_passed,
    RedealAsked: _redeal_asked,
    DealPassedOut: _deal_passed_out,
    ContractMade: _contract_made,
    TrumpNamed: _trump_named,
    PassChosen: _pass_chosen,
    CardsGiven: _cards_given,
    MeldShown: _meld_shown,
    SeatReady: _seat_ready,
    MeldClosed: _meld_closed,
    PlayedOn: _played_on,
    HandConceded: _hand_conceded,
    CardPlayed: _card_played,
    TrickTaken: _trick_taken,
    HandScored: _hand_scored,
    MatchEnded: _match_ended,
}


def evolve(state: State, event: Event) -> State:
    """Return the state after an event, whole or redacted. Asserts what must hold, never refuses."""
    return _FOLD[type(event)](state, event)
