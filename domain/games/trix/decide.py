"""The rules: what a command leads to, and what the system owes. The only place that refuses."""

from collections.abc import Sequence
from enum import StrEnum
from operator import add
from typing import assert_never

from domain.cards import CARDS, EMPTY, PACK, Card, CardSet, has, put, without
from domain.game import CommandRejected, Randomness, Seat, next_seat
from domain.games.trix.commands import ChooseContract, Command, Play, Ready, SetDoubles
from domain.games.trix.contracts import HAND, SEATS, TERMS, TWOS, Contract
from domain.games.trix.events import (
    CardPlayed,
    ContractChosen,
    DealScored,
    Dealt,
    DoublesRevealed,
    DoublesSelected,
    Event,
    HandsTurnedUp,
    MatchEnded,
    Passed,
    SeatOut,
    SeatReady,
    TrickTaken,
    TwosShown,
)
from domain.games.trix.names import few_names, names
from domain.games.trix.rows import next_with_cards, passing, playable
from domain.games.trix.scoring import place_points, result_of, trick_points
from domain.games.trix.state import Phase, State, evolve
from domain.tricks import following, winning_place


class Refusal(StrEnum):
    """Why a command is refused. The table around the match alone says ``TOO_LATE``: it knows the clock."""

    MATCH_OVER = "MATCH_OVER"
    TOO_LATE = "TOO_LATE"
    WRONG_PHASE = "WRONG_PHASE"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    NOT_OWNER = "NOT_OWNER"
    ALREADY_READY = "ALREADY_READY"
    CONTRACT_NOT_IN_VARIANT = "CONTRACT_NOT_IN_VARIANT"
    CONTRACT_USED = "CONTRACT_USED"
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    NOT_DOUBLABLE = "NOT_DOUBLABLE"
    MUST_FOLLOW_SUIT = "MUST_FOLLOW_SUIT"
    NOT_PLAYABLE = "NOT_PLAYABLE"


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """Return what the command of this seat leads to, all consequences but the next deal included.

    Raises :class:`CommandRejected`; checks run in the order match over, phase, turn or ownership, card.
    """
    phase = state.phase
    match command:
        case Play():
            if phase is Phase.TRICKS:
                return _play(state, seat, command.card)
            if phase is Phase.LAYOUT:
                return _lay(state, seat, command.card)
        case ChooseContract(contract=contract):
            if phase is Phase.CHOOSING:
                return _choose(state, seat, contract)
        case SetDoubles(cards=cards):
            if phase is Phase.DOUBLING:
                return _select(state, seat, cards)
        case Ready():
            if phase is Phase.DOUBLING:
                return _seal(state, seat)
        case _:
            assert_never(command)
    raise CommandRejected(Refusal.MATCH_OVER if phase is Phase.MATCH_OVER else Refusal.WRONG_PHASE)


def proceed(state: State, randomness: Randomness) -> tuple[Event, ...]:
    """Deal, and announce the contract where only one is left in the kingdom (TRX-14 to TRX-18, TRX-26)."""
    assert state.phase in {Phase.DEALING, Phase.DEAL_SCORED}
    deck = randomness.shuffled(PACK)
    ongoing = state.owner is not None and state.open != ()
    owner = next_owner(state, deck)
    kingdom = state.kingdom if ongoing else state.kingdom + 1
    salts = randomness.salts(len(deck))
    dealt = Dealt(deal=state.deal + 1, kingdom=kingdom, owner=owner, deck=deck, salts=salts)
    if not ongoing or len(state.open) > 1:
        return (dealt,)
    return (dealt, *_announce(evolve(state, dealt), state.open[0], auto_last=True))


def next_owner(state: State, deck: Sequence[str]) -> Seat:
    """Return the owner of the deal that is owed: at first the holder of 7H, then in turn (TRX-14 to TRX-16)."""
    if state.owner is None:
        return Seat(deck.index("7H") // HAND)
    return state.owner if state.open else next_seat(state.owner)


def _choose(state: State, seat: Seat, contract: Contract) -> tuple[Event, ...]:
    if seat != state.owner:
        raise CommandRejected(Refusal.NOT_OWNER)
    if contract not in state.table.contracts:
        raise CommandRejected(Refusal.CONTRACT_NOT_IN_VARIANT)
    if contract in state.chosen:
        raise CommandRejected(Refusal.CONTRACT_USED)
    return _announce(state, contract, auto_last=False)


def _announce(state: State, contract: Contract, *, auto_last: bool) -> tuple[Event, ...]:
    """The hands turn up; in TRIX a partnership shows its 2s and whoever cannot begin passes (TRX-85, TRX-91)."""
    assert state.owner is not None
    announced = ContractChosen(state.owner, contract, auto_last)
    turned_up = HandsTurnedUp(tuple(names(hand) for hand in state.hands))
    if contract is not Contract.TRIX:
        return (announced, turned_up)
    twos = tuple(CardSet(hand & TWOS) for hand in state.hands)
    shown = (TwosShown(tuple(map(few_names, twos))),) if _twos_are_shown(state, twos) else ()
    return (announced, turned_up, *shown, *map(Passed, passing(state.owner, state.hands, state.played)))


def _twos_are_shown(state: State, twos: tuple[CardSet, ...]) -> bool:
    """In a partnership, unless one team holds all four (TRX-91, TRX-92, TRX-95)."""
    return state.table.partnership and 0 < (twos[0] | twos[2]).bit_count() < SEATS


def _select(state: State, seat: Seat, chosen: tuple[str, ...]) -> tuple[Event, ...]:
    """Take the whole selection or none of it (TRX-48)."""
    if state.ready[seat]:
        raise CommandRejected(Refusal.ALREADY_READY)
    assert state.contract is not None
    hand = state.hands[seat]
    cards = EMPTY
    for code in chosen:
        card = CARDS.get(code)
        if card is None or not has(hand, card):
            raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
        cards = put(cards, card)
    if cards & ~TERMS[state.contract].doublable:
        raise CommandRejected(Refusal.NOT_DOUBLABLE)
    return (DoublesSelected(seat, few_names(cards)),)


def _seal(state: State, seat: Seat) -> tuple[Event, ...]:
    """The last seat to be ready opens everybody's selection (TRX-38, TRX-41)."""
    if state.ready[seat]:
        raise CommandRejected(Refusal.ALREADY_READY)
    ready = SeatReady(seat)
    if sum(state.ready) < SEATS - 1:
        return (ready,)
    return (ready, DoublesRevealed(tuple(few_names(cards or EMPTY) for cards in state.selected)))


def _held(state: State, seat: Seat, code: str) -> Card:
    """Return the card named, if it is this seat's turn and in its hand."""
    if seat != state.turn:
        raise CommandRejected(Refusal.NOT_YOUR_TURN)
    card = CARDS.get(code)
    if card is None or not has(state.hands[seat], card):
        raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
    return card


def _play(state: State, seat: Seat, code: str) -> tuple[Event, ...]:
    card = _held(state, seat, code)
    if not has(following(state.hands[seat], state.trick), card):
        raise CommandRejected(Refusal.MUST_FOLLOW_SUIT)
    played = CardPlayed(seat, code)
    if len(state.trick) < SEATS - 1:
        return (played,)

    assert state.leader is not None
    assert state.contract is not None
    terms = TERMS[state.contract]
    trick = (*state.trick, card)
    taker = Seat((state.leader + winning_place(trick)) % SEATS)
    taken = TrickTaken(taker, trick_points(terms, state.leader, taker, trick, state.doubled))
    if terms.ends & ~(state.played | 1 << card):
        return (played, taken)
    return (played, taken, *_score(state, tuple(map(add, state.points, taken.points))))


def _lay(state: State, seat: Seat, code: str) -> tuple[Event, ...]:
    card = _held(state, seat, code)
    if not has(playable(state.hands[seat], state.played), card):
        raise CommandRejected(Refusal.NOT_PLAYABLE)
    played = CardPlayed(seat, code)
    passes = map(Passed, passing(next_seat(seat), state.hands, put(state.played, card)))
    if without(state.hands[seat], card):
        return (played, *passes)

    out = (*state.out, seat)
    went_out = SeatOut(seat, place=len(out))
    if len(out) < SEATS - 1:
        return (played, went_out, *passes)
    last = next_with_cards(seat, state.hands, state.backs)
    return (played, went_out, *_score(state, place_points((*out, last))))


def _score(state: State, points: tuple[int, ...]) -> tuple[Event, ...]:
    """Close the deal and, with the last deal of the fourth kingdom, the match (TRX-13)."""
    assert state.owner is not None
    assert state.first is not None
    assert state.contract is not None
    totals = tuple(map(add, state.totals, points))
    scored = DealScored(deal=state.deal, owner=state.owner, contract=state.contract, points=points, totals=totals)
    if state.deal < state.table.deals:
        return (scored,)
    result = result_of(totals, state.first, partnership=state.table.partnership)
    ended = MatchEnded(totals=totals, team_totals=result.team_totals, places=result.places, first=result.first)
    return (scored, ended)
