"""The state of a match, and how each event changes it.

One fold serves the log and what a viewer was sent: a hand is the mask of the cards known and the number of those
not known; the stock keeps the place of a card that it does not know.
"""

from enum import StrEnum
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Result, Seat, Settings, next_seat, shared_places
from domain.games.banakil.events import (
    CardThrown,
    Event,
    GroundTaken,
    HandDealt,
    HandEnded,
    HandScored,
    MatchEnded,
    MeldExtended,
    MeldLaid,
    PackCut,
    PackShuffled,
    StarterDecided,
    StockDrawn,
    StockRebuilt,
)
from domain.games.banakil.melds import Meld, shape_of
from domain.games.banakil.pack import BACK, CARDS, HIDDEN, known_and_hidden, mask_of
from domain.games.banakil.rules import Rules, rules_of

SEATS = 4
_NONE = (0, 0, 0, 0)


class Phase(StrEnum):
    """What the match waits for."""

    DEALING = "dealing"  # the system: the first deal
    CUT = "cut"  # the owner
    TURN_DRAW = "turn_draw"  # the seat on turn
    TURN_PLAY = "turn_play"  # the seat on turn
    TURN_END = "turn_end"  # the system: the stock has run out
    HAND_SCORED = "hand_scored"  # the system: the next deal
    MATCH_OVER = "match_over"


class Score(Struct, frozen=True, gc=False):
    """How the last hand was scored, in half-points by seat."""

    how: str
    out: int | None
    laid: tuple[int, ...]
    left: tuple[int, ...]
    points: tuple[int, ...]


class State(Struct, frozen=True, gc=False, kw_only=True):
    """A match of Banakil. Piles are top first; sets of seats are masks of four bits."""

    rules: Rules
    phase: Phase = Phase.DEALING
    number: int = 0  # of the prompt: one for the cut, one for each turn
    # the match
    hand: int = 0  # number of the hand, from 1
    first: Seat | None = None  # starter of the first hand
    starter: Seat | None = None
    totals: tuple[int, ...] = _NONE
    deciding: bool = False  # whether the hand is, or the next hand will be, a deciding one
    winner: int | None = None  # team
    score: Score | None = None
    # the cut
    deck: tuple[int, ...] = ()  # before the cut
    cut: int | None = None
    shown: tuple[int, ...] = ()  # cards seen by all at the cut
    # the hand
    hands: tuple[int, ...] = _NONE  # masks of the cards known
    hidden: tuple[int, ...] = _NONE  # numbers of the others
    open: tuple[int, ...] = _NONE  # masks of the cards that everybody knows to be there
    stock: tuple[int, ...] = ()
    tail: int = 0  # how many cards at the end of the stock everybody has seen
    ground: tuple[int, ...] = ()
    melds: tuple[Meld, ...] = ()
    opened: int = 0  # seats that laid a new meld
    laid: int = 0  # seats that laid or added anything
    reshuffles: int = 0
    # the turn
    turn: Seat = Seat(0)
    turns: int = 0  # begun in this hand; the starter draws nothing in the first
    fresh: bool = True  # whether the seat on turn had laid nothing before it
    drawn: int | None = None  # drawn from the stock in this turn; HIDDEN if this state does not know it
    taken_top: int | None = None  # the only card taken from the ground in this turn


def start(settings: Settings) -> State:
    """Return the match before its first deal."""
    return State(rules=rules_of(settings))


def put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """Return the four values with one replaced."""
    four = list(values)
    four[seat] = value
    return tuple(four)


def count(state: State, seat: int) -> int:
    """Return the number of cards in a hand."""
    return state.hands[seat].bit_count() + state.hidden[seat]


def team_totals(totals: tuple[int, ...]) -> tuple[int, int]:
    """Return the sums of the two teams (BNK-94)."""
    return totals[0] + totals[2], totals[1] + totals[3]


def evolve(state: State, event: Event) -> State:
    """Return the state after the event."""
    match event:
        case CardThrown():
            return _thrown(state, event)
        case StockDrawn():
            return _drawn(state, event)
        case GroundTaken():
            return _taken(state, event)
        case MeldLaid():
            return _laid(state, event)
        case MeldExtended():
            return _extended(state, event)
        case StockRebuilt(stock=stock, number=number):
            assert state.phase is Phase.TURN_END
            rebuilt = replace(state, stock=_pile(stock), tail=0, ground=state.ground[:1], reshuffles=number)
            return _next_turn(rebuilt)
        case _:
            return _around(state, event)


def _around(
    state: State, event: PackShuffled | PackCut | StarterDecided | HandDealt | HandEnded | HandScored | MatchEnded
) -> State:
    """Evolve by what happens between hands."""
    match event:
        case PackShuffled(hand=hand, deck=deck):
            if hand > 1 or state.rules.first is not None:
                return replace(state, deck=_pile(deck))
            return replace(state, deck=_pile(deck), phase=Phase.CUT, number=state.number + 1)
        case PackCut(position=position):
            return replace(state, cut=position)
        case StarterDecided(shown=shown, starter=starter):
            return replace(state, shown=_pile(shown), starter=starter)
        case HandDealt():
            return _dealt(state, event)
        case HandEnded(how=how, seat=seat, hands=hands):
            known = tuple(mask_of(CARDS[code] for code in cards) for cards in hands)
            return replace(state, hands=known, open=known, hidden=_NONE, score=Score(how, seat, _NONE, _NONE, _NONE))
        case HandScored(laid=laid, left=left, points=points, totals=totals, deciding=deciding):
            assert state.score is not None
            score = replace(state.score, laid=laid, left=left, points=points)
            return replace(state, phase=Phase.HAND_SCORED, score=score, totals=totals, deciding=deciding)
        case MatchEnded(team=team):
            return replace(state, phase=Phase.MATCH_OVER, winner=team)
        case _:
            assert_never(event)


def _pile(codes: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(HIDDEN if code == BACK else CARDS[code] for code in codes)


def _dealt(state: State, event: HandDealt) -> State:
    dealt = [known_and_hidden(cards) for cards in event.hands]
    return replace(
        state,
        phase=Phase.TURN_PLAY,
        number=state.number + 1,
        hand=event.hand,
        first=event.starter if state.first is None else state.first,
        starter=event.starter,
        shown=state.shown if event.shown else (),
        deck=(),
        hands=tuple(known for known, _ in dealt),
        hidden=tuple(hidden for _, hidden in dealt),
        open=_NONE,
        stock=_pile(event.stock),
        tail=event.shown,
        ground=(),
        melds=(),
        opened=0,
        laid=0,
        reshuffles=0,
        score=None,
        turn=event.starter,
        turns=1,
        fresh=True,
        drawn=None,
        taken_top=None,
    )


def _drawn(state: State, event: StockDrawn) -> State:
    assert state.phase is Phase.TURN_DRAW
    seat = event.seat
    stock = state.stock[1:]
    if event.card == BACK:
        hidden = put(state.hidden, seat, state.hidden[seat] + 1)
        return replace(state, phase=Phase.TURN_PLAY, stock=stock, hidden=hidden, drawn=HIDDEN)
    card = CARDS[event.card]
    bit = 1 << card
    return replace(
        state,
        phase=Phase.TURN_PLAY,
        stock=stock,
        tail=min(state.tail, len(stock)),
        hands=put(state.hands, seat, state.hands[seat] | bit),
        open=put(state.open, seat, state.open[seat] | bit) if event.shown else state.open,
        drawn=card,
    )


def _taken(state: State, event: GroundTaken) -> State:
    assert state.phase is Phase.TURN_DRAW
    seat = event.seat
    taken = state.ground[: len(event.cards)]
    mask = mask_of(taken)
    return replace(
        state,
        phase=Phase.TURN_PLAY,
        ground=state.ground[len(taken) :],
        hands=put(state.hands, seat, state.hands[seat] | mask),
        open=put(state.open, seat, state.open[seat] | mask),
        taken_top=taken[0] if len(taken) == 1 else None,
    )


def _without(state: State, seat: int, gone: int) -> State:
    """Return the state with cards gone from a hand, whether or not it knew them."""
    hand = state.hands[seat]
    unknown = (gone & ~hand).bit_count()
    assert state.hidden[seat] >= unknown
    return replace(
        state,
        hands=put(state.hands, seat, hand & ~gone),
        open=put(state.open, seat, state.open[seat] & ~gone),
        hidden=put(state.hidden, seat, state.hidden[seat] - unknown) if unknown else state.hidden,
    )


def _laid(state: State, event: MeldLaid) -> State:
    assert state.phase is Phase.TURN_PLAY
    seat = event.seat
    cards = tuple(CARDS[code] for code in event.cards)
    suit, begin = shape_of(cards, natural=state.rules.natural)
    meld = Meld(cards, (seat,) * len(cards), seat, suit, begin)
    bit = 1 << seat
    left = _without(state, seat, mask_of(cards))
    return replace(left, melds=(*state.melds, meld), opened=state.opened | bit, laid=state.laid | bit)


def _extended(state: State, event: MeldExtended) -> State:
    assert state.phase is Phase.TURN_PLAY
    seat = event.seat
    index = int(event.meld[1:]) - 1
    meld = state.melds[index]
    cards = tuple(CARDS[code] for code in event.cards)
    suit, begin = shape_of(cards, natural=state.rules.natural)
    owners = dict(zip(meld.cards, meld.laid_by, strict=True))
    grown = Meld(cards, tuple(owners.get(card, seat) for card in cards), meld.owner, suit, begin)
    left = _without(state, seat, mask_of(CARDS[code] for code in event.added))
    melds = (*state.melds[:index], grown, *state.melds[index + 1 :])
    if event.joker is None:
        return replace(left, melds=melds, laid=state.laid | 1 << seat)
    back = 1 << CARDS[event.joker]
    return replace(
        left,
        melds=melds,
        laid=state.laid | 1 << seat,
        hands=put(left.hands, seat, left.hands[seat] | back),
        open=put(left.open, seat, left.open[seat] | back),
    )


def _thrown(state: State, event: CardThrown) -> State:
    assert state.phase is Phase.TURN_PLAY
    card = CARDS[event.card]
    thrown = replace(_without(state, event.seat, 1 << card), ground=(card, *state.ground))
    if thrown.stock and count(thrown, event.seat):
        return _next_turn(thrown)
    return replace(thrown, phase=Phase.TURN_END)


def _next_turn(state: State) -> State:
    turn = Seat((state.turn + 1) % SEATS)
    return replace(
        state,
        phase=Phase.TURN_DRAW,
        number=state.number + 1,
        turn=turn,
        turns=state.turns + 1,
        fresh=not state.laid >> turn & 1,
        drawn=None,
        taken_top=None,
    )


def result(state: State) -> Result | None:
    """Return how the match ended; None while it runs. Totals are half-points."""
    if state.phase is not Phase.MATCH_OVER:
        return None
    assert state.first is not None
    assert state.starter is not None
    return replace(result_of(state.totals, state.first), next_first=next_seat(state.starter))


def result_of(totals: tuple[int, ...], first: Seat) -> Result:
    """Return the places that totals by seat, in half-points, give to the two teams."""
    teams = team_totals(totals)
    places = shared_places(tuple(teams[seat % 2] for seat in range(SEATS)))
    return Result(totals=totals, team_totals=teams, places=places, first=first)
