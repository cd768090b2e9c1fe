"""The state of a match of Basra, and how events change it.

Hands and stock keep the order in which they were dealt: the automatic policy asks for the card dealt first.
In a state folded from one viewer's events a card that he does not know is :data:`HIDDEN`.
"""

from enum import StrEnum
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from domain.cards import BACK, CARDS, CODES, EMPTY, Card, CardSet
from domain.game import Seat, Settings
from domain.games.basra.events import (
    BatchDealt,
    CardPlayed,
    Event,
    FloorCardReplaced,
    HandDealt,
    HandScored,
    LeftoversTaken,
    MatchEnded,
    SideScore,
)
from domain.games.basra.rules import PACKET, SIDES, Rules, dealing_order, rules_of

HIDDEN: Final = Card(-1)
NAMES: Final = (*CODES, BACK)  # by card; HIDDEN is the last
INDEX: Final = {**CARDS, BACK: HIDDEN}

Cards = tuple[Card, ...]


class Phase(StrEnum):
    """Where a match stands when it waits for somebody."""

    DEAL_FIRST = "deal_first"  # the system owes a hand at once
    TURN = "turn"
    HAND_END = "hand_end"  # scored; the pause before the next hand
    MATCH_END = "match_end"


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A match; -1 stands for a dealer, turn or capturer that there is not yet."""

    rules: Rules
    phase: Phase = Phase.DEAL_FIRST
    clock: int = 0  # number of the latest prompt
    number: int = 0  # of the hand, from 1
    dealer: Seat = Seat(-1)
    turn: Seat = Seat(-1)
    batch: int = 0
    hands: tuple[Cards, ...]  # by seat, in the order dealt
    floor: Cards = ()  # oldest first
    stock: Cards = ()  # top first
    returned: Cards = ()  # to the bottom of the stock, in that order (BSR-10)
    piles: tuple[CardSet, ...] = (EMPTY,) * SIDES  # by side
    basra: tuple[int, ...]  # count of this hand by seat
    jack_bonus: tuple[int, ...]  # points of this hand by seat
    last_capturer: Seat = Seat(-1)
    last_play: CardPlayed | None = None
    carry: int = 0  # open majority points (BSR-47)
    totals: tuple[int, ...] = (0,) * SIDES  # by side
    scores: tuple[SideScore, ...] = ()  # by side, of the hand just scored


def start(settings: Settings) -> State:
    """Return a match before its first deal: 0 to 0, nothing carried (BSR-6)."""
    rules = rules_of(settings)
    none = (0,) * rules.players
    return State(rules=rules, hands=((),) * rules.players, basra=none, jack_bonus=none)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event, whole or redacted. Asserts what the rules already made sure of."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case BatchDealt(number=number, hands=hands):
            assert not any(state.hands)
            dealt = tuple(cards(hand) for hand in hands)
            return replace(state, batch=number, hands=dealt, stock=state.stock[PACKET * len(hands) :])
        case HandDealt():
            return _hand_dealt(state, event)
        case FloorCardReplaced(place=place, returned=returned, replacement=replacement):
            out = CARDS[returned]
            assert state.floor[place] == out
            floor = (*state.floor[:place], CARDS[replacement], *state.floor[place + 1 :])
            return replace(state, floor=floor, stock=(*state.stock[1:], out), returned=(*state.returned, out))
        case LeftoversTaken(seat=seat, cards=left):
            assert seat == state.last_capturer
            assert cards(left) == state.floor
            return replace(state, floor=(), piles=_onto_pile(state, seat, state.floor))
        case HandScored(scores=scores, totals=totals, carry=carry):
            assert sum(score.cards for score in scores) == len(CODES)
            ended = replace(state, phase=Phase.HAND_END, turn=Seat(-1), clock=state.clock + 1)
            return replace(ended, scores=scores, totals=totals, carry=carry)
        case MatchEnded():
            return replace(state, phase=Phase.MATCH_END, carry=0)  # an open carry is void (BSR-48)
        case _:
            assert_never(event)


def cards(names: tuple[str, ...]) -> Cards:
    """Return cards from codes, backs included."""
    return tuple([INDEX[name] for name in names])


def names(held: Cards) -> tuple[str, ...]:
    """Return the codes of cards, ``??`` for a hidden one."""
    return tuple([NAMES[card] for card in held])


def _card_played(state: State, event: CardPlayed) -> State:
    seat = event.seat
    assert state.phase is Phase.TURN
    assert state.turn == seat
    card = CARDS[event.card]
    hand = state.hands[seat]
    at = hand.index(card if card in hand else HIDDEN)
    hands = (*state.hands[:seat], (*hand[:at], *hand[at + 1 :]), *state.hands[seat + 1 :])
    turn = Seat((seat + 1) % state.rules.players)
    clock = state.clock + 1
    if not event.taken:
        floor = (*state.floor, card)
        return replace(state, hands=hands, floor=floor, turn=turn, clock=clock, last_play=event)
    taken = cards(event.taken)
    floor = tuple([other for other in state.floor if other not in taken])
    assert len(floor) + len(taken) == len(state.floor)
    after = replace(
        state,
        hands=hands,
        floor=floor,
        turn=turn,
        clock=clock,
        last_play=event,
        last_capturer=seat,
        piles=_onto_pile(state, seat, (card, *taken)),
    )
    if event.basra:
        return replace(after, basra=_raised(state.basra, seat, 1))
    if event.jack_bonus:
        return replace(after, jack_bonus=_raised(state.jack_bonus, seat, event.jack_bonus))
    return after


def _hand_dealt(state: State, event: HandDealt) -> State:
    deck = cards(event.deck)
    players = event.players
    order = dealing_order(event.dealer, players)
    hands = tuple(deck[PACKET * place : PACKET * (place + 1)] for place in map(order.index, range(players)))
    dealt = PACKET * players
    fresh = State(rules=state.rules, hands=hands, basra=(0,) * players, jack_bonus=(0,) * players)
    return replace(
        fresh,
        phase=Phase.TURN,
        clock=state.clock + 1,
        number=event.number,
        dealer=event.dealer,
        turn=order[0],
        batch=1,
        floor=deck[dealt : dealt + PACKET],
        stock=deck[dealt + PACKET :],
        carry=state.carry,
        totals=state.totals,
    )


def _onto_pile(state: State, seat: Seat, won: Cards) -> tuple[CardSet, ...]:
    side = state.rules.side(seat)
    pile: int = state.piles[side]
    for card in won:
        pile |= 1 << card
    return (*state.piles[:side], CardSet(pile), *state.piles[side + 1 :])


def _raised(values: tuple[int, ...], seat: Seat, by: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + by, *values[seat + 1 :])
