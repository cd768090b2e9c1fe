"""A match of Trix as its events tell it. Bookkeeping only: what is allowed is decided in :mod:`.decide`.

The state of a viewer folds the same way from what he was sent. Of a hand he may not see it has only the number
of backs; ``hands[seat]`` holds the cards known and ``backs[seat]`` counts the others.
"""

from enum import StrEnum
from operator import add
from typing import Final, TypeVar, assert_never

import msgspec
from msgspec.structs import replace

from domain.cards import CARDS, CODES, EMPTY, Card, CardSet, has, known_and_hidden, put, without
from domain.game import Result, Seat, Settings, next_seat
from domain.games.trix.contracts import COMPLEX, HAND, KINGDOMS, NORMAL, SEATS, TERMS, Contract
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
from domain.games.trix.rows import next_with_cards
from domain.games.trix.scoring import place_points

NO_CARDS: Final = (EMPTY,) * SEATS
ZEROS: Final = (0,) * SEATS


class Phase(StrEnum):
    """Where a match stands. ``announced`` lasts only until the hands have turned up."""

    DEALING = "dealing"
    CHOOSING = "choosing"
    ANNOUNCED = "announced"
    DOUBLING = "doubling"
    TRICKS = "tricks"
    LAYOUT = "layout"
    DEAL_SCORED = "deal_scored"
    MATCH_OVER = "match_over"


class Table(msgspec.Struct, frozen=True, gc=False):
    """What is fixed for the match: the variant and the clocks."""

    variant: str
    partnership: bool  # two teams play (TRX-4)
    contracts: tuple[Contract, ...]  # of a kingdom, in the order of TRX-122
    contract_seconds: int
    doubling_seconds: int
    turn_seconds: int

    @property
    def deals(self) -> int:
        """The number of deals in a match: 8 or 20."""
        return KINGDOMS * len(self.contracts)


class Trick(msgspec.Struct, frozen=True, gc=False):
    """A finished trick as everybody saw it, in wire names: nothing computes with it."""

    leader: Seat
    cards: tuple[str, ...]  # in the order played
    taker: Seat
    points: tuple[int, ...]


class Move(msgspec.Struct, frozen=True, gc=False):
    """A card laid in TRIX, or a pass, as everybody saw it."""

    seat: Seat
    card: str | None = None


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The match and the deal in it. Tuples of four are by seat; a new deal leaves none of the last one."""

    table: Table
    phase: Phase = Phase.DEALING
    deal: int = 0  # from 1; 0 before the first
    kingdom: int = 0  # from 1
    first: Seat | None = None  # owner of the first kingdom
    owner: Seat | None = None
    chosen: tuple[Contract, ...] = ()  # in this kingdom, in order, the present one last
    totals: tuple[int, ...] = ZEROS
    result: Result | None = None

    contract: Contract | None = None
    hands: tuple[CardSet, ...] = NO_CARDS
    backs: tuple[int, ...] = ZEROS
    selected: tuple[CardSet | None, ...] = (None,) * SEATS  # None: nothing selected yet
    ready: tuple[bool, ...] = (False,) * SEATS
    doubled: tuple[CardSet, ...] = NO_CARDS
    twos: tuple[CardSet, ...] = NO_CARDS  # shown at the start of TRIX
    turn: Seat | None = None
    played: CardSet = EMPTY  # all cards out of the hands; in TRIX the four rows
    leader: Seat | None = None
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    moves: tuple[Move, ...] = ()  # TRIX: cards laid and passes, in order
    out: tuple[Seat, ...] = ()  # TRIX: who ran out of cards, in order
    points: tuple[int, ...] = ZEROS

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of cards in each hand."""
        return tuple(map(add, map(int.bit_count, self.hands), self.backs))

    @property
    def open(self) -> tuple[Contract, ...]:
        """The contracts of this kingdom that have not been chosen yet (TRX-30)."""
        return tuple([contract for contract in self.table.contracts if contract not in self.chosen])


def start(settings: Settings) -> State:
    """Return the match before its first deal."""
    options = settings.options
    return State(
        table=Table(
            variant=settings.variant,
            partnership="partnership" in settings.variant,
            contracts=COMPLEX if "complex" in settings.variant else NORMAL,
            contract_seconds=options["contract_seconds"],
            doubling_seconds=options["doubling_seconds"],
            turn_seconds=options["turn_seconds"],
        )
    )


def evolve(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of event
    """Return the state after the event."""
    match event:
        case CardPlayed():
            return _laid(state, event) if state.phase is Phase.LAYOUT else _followed(state, event)
        case TrickTaken():
            return _taken(state, event)
        case DoublesSelected(seat=seat, cards=cards):
            return replace(state, selected=_with(state.selected, seat, known_and_hidden(cards)[0]))
        case SeatReady(seat=seat):
            return replace(state, ready=_with(state.ready, seat, item=True))
        case Dealt():
            return _dealt(state, event)
        case ContractChosen(contract=contract):
            return replace(state, phase=Phase.ANNOUNCED, contract=contract, chosen=(*state.chosen, contract))
        case HandsTurnedUp(hands=hands):
            return _turned_up(state, hands)
        case TwosShown(twos=twos):
            return replace(state, twos=_sets(twos))
        case Passed(seat=seat):
            turn = next_with_cards(seat, state.hands, state.backs)
            return replace(state, turn=turn, moves=(*state.moves, Move(seat)))
        case SeatOut(seat=seat):
            out = (*state.out, seat)
            return replace(state, out=out, points=place_points(out))
        case DoublesRevealed(doubled=doubled):
            return _begun(state, Phase.TRICKS, doubled=_sets(doubled))
        case DealScored():
            return replace(state, phase=Phase.DEAL_SCORED, points=event.points, totals=event.totals, turn=None)
        case MatchEnded():
            return _ended(state, event)
        case _:
            assert_never(event)


T = TypeVar("T")


def _with(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    changed = list(items)
    changed[seat] = item
    return tuple(changed)


def _sets(names: tuple[tuple[str, ...], ...]) -> tuple[CardSet, ...]:
    return tuple(known_and_hidden(cards)[0] for cards in names)


def _dealt(state: State, event: Dealt) -> State:
    parts = [known_and_hidden(event.deck[HAND * seat : HAND * (seat + 1)]) for seat in range(SEATS)]
    return State(
        table=state.table,
        phase=Phase.CHOOSING,
        deal=event.deal,
        kingdom=event.kingdom,
        first=event.owner if event.deal == 1 else state.first,
        owner=event.owner,
        chosen=state.chosen if event.kingdom == state.kingdom else (),
        totals=state.totals,
        hands=tuple(known for known, _ in parts),
        backs=tuple(hidden for _, hidden in parts),
    )


def _turned_up(state: State, names: tuple[tuple[str, ...], ...]) -> State:
    contract = state.contract
    assert contract is not None
    if any(state.backs):  # whoever sees every card learns nothing here
        parts = [known_and_hidden(hand) for hand in names]
        state = replace(state, hands=tuple(known for known, _ in parts), backs=tuple(hidden for _, hidden in parts))
    if TERMS[contract].doublable:
        return replace(state, phase=Phase.DOUBLING)
    return _begun(state, Phase.LAYOUT if contract is Contract.TRIX else Phase.TRICKS)


def _begun(state: State, phase: Phase, doubled: tuple[CardSet, ...] = NO_CARDS) -> State:
    """The owner leads, or plays first (TRX-49, TRX-80)."""
    return replace(state, phase=phase, doubled=doubled, turn=state.owner, leader=state.owner)


def _parted(state: State, seat: Seat, card: Card) -> tuple[tuple[CardSet, ...], tuple[int, ...]]:
    """Take the card out of the hand: the card itself if it is known, else one of the backs."""
    hand = state.hands[seat]
    if has(hand, card):
        return _with(state.hands, seat, without(hand, card)), state.backs
    assert state.backs[seat] > 0
    return state.hands, _with(state.backs, seat, state.backs[seat] - 1)


def _followed(state: State, event: CardPlayed) -> State:
    seat = event.seat
    card = CARDS[event.card]
    hands, backs = _parted(state, seat, card)
    trick = (*state.trick, card)
    played = put(state.played, card)
    return replace(state, hands=hands, backs=backs, turn=next_seat(seat), played=played, trick=trick)


def _taken(state: State, event: TrickTaken) -> State:
    assert len(state.trick) == SEATS
    assert state.leader is not None
    cards = tuple([CODES[card] for card in state.trick])
    return replace(
        state,
        turn=event.seat,
        leader=event.seat,
        trick=(),
        tricks=(*state.tricks, Trick(state.leader, cards, event.seat, event.points)),
        points=tuple(map(add, state.points, event.points)),
    )


def _laid(state: State, event: CardPlayed) -> State:
    card = CARDS[event.card]
    hands, backs = _parted(state, event.seat, card)
    moves = (*state.moves, Move(event.seat, event.card))
    turn = next_with_cards(event.seat, hands, backs)
    return replace(state, hands=hands, backs=backs, turn=turn, played=put(state.played, card), moves=moves)


def _ended(state: State, event: MatchEnded) -> State:
    result = Result(totals=event.totals, team_totals=event.team_totals, places=event.places, first=event.first)
    return replace(state, phase=Phase.MATCH_OVER, result=result)
