"""The state of a match and the fold of its events, whole or as one viewer was told of them."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from domain.cards import (
    BACK,
    CARDS,
    EMPTY,
    SUITS,
    Card,
    CardSet,
    card_set,
    has,
    known_and_hidden,
    put,
    suit_of,
    without,
)
from domain.game import Seat
from domain.games.leekha.events import (
    CardPlayed,
    CardsPassed,
    DoublesChosen,
    DoublesShown,
    Event,
    HandDealt,
    HandScored,
    MatchEnded,
    MinusAnswered,
    MinusShown,
    PassChosen,
    SeatReady,
    TrickTaken,
)
from domain.games.leekha.rules import NEXT, SEATS, STEPS, Rules, Talyeekh

T = TypeVar("T")

QS: Final = CARDS["QS"]
TD: Final = CARDS["TD"]
LEEKHA_CARDS: Final = card_set((QS, TD))
HEARTS: Final = SUITS[1]
PENALTIES: Final = CardSet(HEARTS | LEEKHA_CARDS)
_ABOVE: Final = {QS: card_set(CARDS[c] for c in ("KS", "AS")), TD: card_set(CARDS[c] for c in ("JD", "QD", "KD", "AD"))}
_FORCED: Final = {suit_of(card): card for card in (QS, TD)}
_NOTHING: Final = (EMPTY,) * 4
_ZEROS: Final = (0,) * 4


class Phase(StrEnum):
    """Where a match stands; the names that players see."""

    DEAL = "deal"  # before the first hand
    PASS = "pass"  # noqa: S105 -- a phase, not a password
    DOUBLE = "double"
    MINUS = "minus"
    PLAY = "play"
    HAND_SCORE = "hand_score"
    MATCH_END = "match_end"


PLAY: Final = Phase.PLAY  # Python 3.11 takes ten times as long to look a member up in its enum
MATCH_END: Final = Phase.MATCH_END
TALYEEKH_OFF: Final = Talyeekh.OFF


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A match. Fields "by seat" have four entries; a hand is the cards known of it and a number of backs."""

    rules: Rules
    phase: Phase = Phase.DEAL
    clock: int = 0  # the number of the wait that is open
    hand_no: int = 0
    dealer: Seat | None = None  # of this hand; None until one is drawn
    hands: tuple[CardSet, ...] = _NOTHING  # by seat
    hidden: tuple[int, ...] = _ZEROS  # by seat
    ready: int = 0  # bit by seat: has answered in the open window
    gave: tuple[CardSet, ...] = _NOTHING  # by seat: what it sealed to give, then what it gave
    selected: tuple[CardSet, ...] = _NOTHING  # by seat: doubling chosen, not shown yet
    answers: int = 0  # bit by seat: sealed answer "I take no trick"
    doubled: CardSet = EMPTY
    announced: int = 0  # bit by seat, shown to all
    leader: Seat = SEATS[0]
    turn: Seat = SEATS[0]
    trick: tuple[Card, ...] = ()  # from the leader on
    last_leader: Seat = SEATS[0]
    last_trick: tuple[Card, ...] = ()
    taken: tuple[CardSet, ...] = _NOTHING  # by seat
    tricks: tuple[int, ...] = _ZEROS  # by seat
    voids: tuple[int, ...] = _ZEROS  # by seat: bit by suit that it failed to follow
    points: tuple[int, ...] = _ZEROS  # by seat, of the hand scored last
    totals: tuple[int, ...] = _ZEROS  # by seat
    reached: bool = False  # some total has reached the target
    places: tuple[int, ...] = ()  # by seat, once the match is over


def replaced(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return the values by seat with one of them changed."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)


def playable(hand: CardSet, trick: tuple[Card, ...], talyeekh: Talyeekh) -> CardSet:
    """Return what a hand may play to a trick (SBT-25, SBT-26, LKH-11; option talyeekh)."""
    if not trick:
        return hand
    suit = suit_of(trick[0])
    suited = CardSet(hand & SUITS[suit])
    if talyeekh is TALYEEKH_OFF:
        return suited or hand
    if not suited:
        return CardSet(hand & LEEKHA_CARDS) or hand
    forced = _FORCED.get(suit)
    if talyeekh is Talyeekh.VOID or forced is None or not has(hand, forced):
        return suited
    return card_set((forced,)) if card_set(trick) & _ABOVE[forced] else suited


def after_deal(rules: Rules, hand_no: int) -> Phase:
    """Return the phase that follows the deal of a hand."""
    return after_pass(rules) if rules.direction(hand_no) == "none" else Phase.PASS


def after_pass(rules: Rules) -> Phase:
    """Return the phase that follows the pass."""
    return Phase.DOUBLE if rules.doubling else after_doubling(rules)


def after_doubling(rules: Rules) -> Phase:
    """Return the phase that follows the doubling window."""
    return Phase.MINUS if rules.minus else Phase.PLAY


def evolve(state: State, event: Event) -> State:
    """Return the state after an event; backs in a redacted event stand for cards that stay unknown."""
    return _FOLDS[type(event)](state, event)


def _card_played(state: State, event: CardPlayed) -> State:
    seat = event.seat
    assert state.phase is PLAY, "cards are played in the play"
    assert state.turn == seat, "a card out of turn"
    card = CARDS[event.card]
    known = state.hands[seat]
    bit = 1 << card
    hands, hidden = state.hands, state.hidden
    if known & bit:
        hands = replaced(hands, seat, CardSet(known ^ bit))
    else:
        assert hidden[seat] > 0, "a card from nowhere"
        hidden = replaced(hidden, seat, hidden[seat] - 1)
    trick = (*state.trick, card)
    voids = state.voids
    if len(trick) > 1 and suit_of(card) != suit_of(trick[0]):
        voids = replaced(voids, seat, voids[seat] | 1 << suit_of(trick[0]))
    return replace(state, hands=hands, hidden=hidden, trick=trick, turn=NEXT[seat], clock=state.clock + 1, voids=voids)


def _trick_taken(state: State, event: TrickTaken) -> State:
    seat, trick = event.seat, state.trick
    first, second, third, fourth = trick  # a trick has four cards
    cards = state.taken[seat] | 1 << first | 1 << second | 1 << third | 1 << fourth
    return replace(
        state,
        taken=replaced(state.taken, seat, CardSet(cards)),
        tricks=replaced(state.tricks, seat, state.tricks[seat] + 1),
        last_leader=state.leader,
        last_trick=trick,
        trick=(),
        leader=seat,
        turn=seat,
    )


def _hand_dealt(state: State, event: HandDealt) -> State:
    assert state.phase in {Phase.DEAL, Phase.HAND_SCORE}, "a deal in the middle of a hand"
    assert len(event.deck) == 52, "a whole pack"
    first = NEXT[event.dealer]
    dealt = [known_and_hidden(event.deck[(seat - first) % 4 :: 4]) for seat in SEATS]
    return State(
        rules=state.rules,
        phase=after_deal(state.rules, event.hand_no),
        clock=state.clock + 1,
        hand_no=event.hand_no,
        dealer=event.dealer,
        hands=tuple(known for known, _ in dealt),
        hidden=tuple(hidden for _, hidden in dealt),
        leader=first,
        turn=first,
        totals=state.totals,
        reached=state.reached,
    )


def _pass_chosen(state: State, event: PassChosen) -> State:
    assert state.phase is Phase.PASS, "a pass after the pass"
    return replace(state, gave=replaced(state.gave, event.owner, known_and_hidden(event.cards)[0]))


def _doubles_chosen(state: State, event: DoublesChosen) -> State:
    assert state.phase is Phase.DOUBLE, "doubling after the window"
    return replace(state, selected=replaced(state.selected, event.owner, known_and_hidden(event.cards)[0]))


def _minus_answered(state: State, event: MinusAnswered) -> State:
    assert state.phase is Phase.MINUS, "an answer after the window"
    return replace(state, answers=state.answers | event.minus << event.owner)


def _seat_ready(state: State, event: SeatReady) -> State:
    assert not state.ready >> event.seat & 1, "ready twice"
    return replace(state, ready=state.ready | 1 << event.seat)


def _taken_out(known: CardSet, hidden: int, codes: Iterable[str]) -> tuple[CardSet, int]:
    """Take cards out of a hand; one that is not known to be there was one of the backs."""
    for code in codes:
        if code != BACK and has(known, CARDS[code]):
            known = without(known, CARDS[code])
        else:
            hidden -= 1
    assert hidden >= 0, "more cards left a hand than it held"
    return known, hidden


def _cards_passed(state: State, event: CardsPassed) -> State:
    assert state.phase is Phase.PASS, "a pass after the pass"
    hands, hidden, gave = list(state.hands), list(state.hidden), list(state.gave)
    step = STEPS[event.direction]
    for seat in SEATS:
        hands[seat], hidden[seat] = _taken_out(hands[seat], hidden[seat], event.cards[seat])
    for seat in SEATS:
        gave[seat], backs = known_and_hidden(event.cards[seat])
        to = (seat + step) % 4
        hands[to] = CardSet(hands[to] | gave[seat])
        hidden[to] += backs
    return replace(
        state,
        phase=after_pass(state.rules),
        clock=state.clock + 1,
        ready=0,
        hands=tuple(hands),
        hidden=tuple(hidden),
        gave=tuple(gave),
    )


def _doubles_shown(state: State, event: DoublesShown) -> State:
    assert state.phase is Phase.DOUBLE, "doubling after the window"
    hands, hidden = list(state.hands), list(state.hidden)
    doubled = EMPTY
    for seat in SEATS:
        for code in event.cards[seat]:
            card = CARDS[code]
            doubled = put(doubled, card)
            if not has(hands[seat], card):
                hands[seat] = put(hands[seat], card)
                hidden[seat] -= 1
    return replace(
        state,
        phase=after_doubling(state.rules),
        clock=state.clock + 1,
        ready=0,
        hands=tuple(hands),
        hidden=tuple(hidden),
        selected=_NOTHING,
        doubled=doubled,
    )


def _minus_shown(state: State, event: MinusShown) -> State:
    assert state.phase is Phase.MINUS, "an announcement after the window"
    announced = sum(1 << seat for seat in event.seats)
    return replace(state, phase=Phase.PLAY, clock=state.clock + 1, ready=0, answers=0, announced=announced)


def _hand_scored(state: State, event: HandScored) -> State:
    assert state.phase is Phase.PLAY, "a score without a hand"
    assert sum(state.tricks) >= 1, "a score before the play"
    return replace(
        state,
        phase=Phase.HAND_SCORE,
        clock=state.clock + 1,
        points=event.points,
        totals=event.totals,
        reached=event.target_reached,
    )


def _match_ended(state: State, event: MatchEnded) -> State:
    assert state.phase is Phase.HAND_SCORE, "a match ends after a hand"
    return replace(state, phase=Phase.MATCH_END, places=event.places)


_FOLDS: Final[Mapping[type[Event], Callable[[State, Any], State]]] = {
    CardPlayed: _card_played,
    TrickTaken: _trick_taken,
    HandDealt: _hand_dealt,
    PassChosen: _pass_chosen,
    DoublesChosen: _doubles_chosen,
    MinusAnswered: _minus_answered,
    SeatReady: _seat_ready,
    CardsPassed: _cards_passed,
    DoublesShown: _doubles_shown,
    MinusShown: _minus_shown,
    HandScored: _hand_scored,
    MatchEnded: _match_ended,
}
