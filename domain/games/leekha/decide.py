"""The rules: what a seat may do, and what follows from it. Only here is a command refused."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final

from domain.cards import CARDS, CODES, EMPTY, PACK, SUITS, Card, CardSet, card_set, codes, has, members, put, suit_of
from domain.game import CommandRejected, Prompt, Randomness, Seat
from domain.games.leekha.commands import Announce, Command, Pass, Play, Ready, Refusal, SetDoubles
from domain.games.leekha.events import (
    CardPlayed,
    CardsPassed,
    DoublesChosen,
    DoublesShown,
    Event,
    HandDealt,
    MinusAnswered,
    MinusShown,
    PassChosen,
    SeatReady,
    TrickTaken,
)
from domain.games.leekha.rules import NEXT, SEATS
from domain.games.leekha.scoring import ended, scored
from domain.games.leekha.state import LEEKHA_CARDS, MATCH_END, PLAY, TALYEEKH_OFF, Phase, State, evolve, playable
from domain.tricks import winning_place

_ALL_READY: Final = 0b1111
_PHASES: Final = {
    Play: Phase.PLAY,
    Pass: Phase.PASS,
    SetDoubles: Phase.DOUBLE,
    Ready: Phase.DOUBLE,
    Announce: Phase.MINUS,
}
_PLAYS: Final = tuple(map(Play, CODES))
_READY: Final = Ready()
_ANSWERS: Final = (Announce(minus=False), Announce(minus=True))
_DOUBLINGS: Final[Mapping[CardSet, tuple[Command, ...]]] = {
    card_set(map(CARDS.__getitem__, held)): (
        *(SetDoubles(some) for size in range(len(held) + 1) for some in combinations(held, size)),
        _READY,
    )
    for held in ((), ("QS",), ("TD",), ("QS", "TD"))
}


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """Return what a command brings about; raise CommandRejected with the first Refusal that applies."""
    phase = state.phase
    if phase is MATCH_END:
        raise CommandRejected(Refusal.MATCH_OVER)
    if phase is not _PHASES[type(command)]:
        raise CommandRejected(Refusal.WRONG_PHASE)
    if isinstance(command, Play):
        return _play(state, seat, command.card)
    if state.ready >> seat & 1:
        raise CommandRejected(Refusal.ALREADY_READY)
    match command:
        case Pass():
            return _pass(state, seat, command.cards)
        case SetDoubles():
            return _set_doubles(state, seat, command.cards)
        case Announce():
            return _announce(state, seat, minus=command.minus)
        case _:
            return _ready(state, seat)


def _play(state: State, seat: Seat, code: str) -> tuple[Event, ...]:
    if state.turn != seat:
        raise CommandRejected(Refusal.NOT_YOUR_TURN)
    card, hand, trick = CARDS.get(code), state.hands[seat], state.trick
    if card is None or not hand >> card & 1:
        raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
    if trick:
        _follow(state, hand, card)
    played = CardPlayed(seat, code)
    if len(trick) < 3:
        return (played,)
    taken = TrickTaken(Seat((state.leader + winning_place((*trick, card))) % 4))
    if hand.bit_count() > 1:
        return (played, taken)
    return _last_trick(state, played, taken)


def _follow(state: State, hand: CardSet, card: Card) -> None:
    """Refuse a card that may not be played to the open trick (SBT-26, LKH-11, LKH-12)."""
    led, talyeekh = SUITS[suit_of(state.trick[0])], state.rules.talyeekh
    if hand & led and not led >> card & 1:
        raise CommandRejected(Refusal.MUST_FOLLOW_SUIT)
    if talyeekh is not TALYEEKH_OFF and not has(playable(hand, state.trick, talyeekh), card):
        raise CommandRejected(Refusal.MUST_TALYEEKH)


def _last_trick(state: State, played: CardPlayed, taken: TrickTaken) -> tuple[Event, ...]:
    """Return the events of a hand's last card: all cards are used up (SBT-28, LKH-13)."""
    score = scored(evolve(evolve(state, played), taken))
    return (played, taken, score, *ended(state.rules, score))


def _known(hand: CardSet, names: tuple[str, ...]) -> CardSet:
    """Return the cards named, or refuse if one of them is not in the hand."""
    known = EMPTY
    for name in names:
        card = CARDS.get(name)
        if card is None or not has(hand, card):
            raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
        known = put(known, card)
    return known


def _pass(state: State, seat: Seat, names: tuple[str, ...]) -> tuple[Event, ...]:
    if len(names) != 3 or len(set(names)) != 3:
        raise CommandRejected(Refusal.BAD_PASS_COUNT)
    cards = _known(state.hands[seat], names)
    sealed = (PassChosen(seat, names), SeatReady(seat))
    if state.ready | 1 << seat != _ALL_READY:
        return sealed
    gave = tuple(codes(cards if giver == seat else state.gave[giver]) for giver in SEATS)
    return (*sealed, CardsPassed(state.rules.direction(state.hand_no), gave))


def _set_doubles(state: State, seat: Seat, names: tuple[str, ...]) -> tuple[Event, ...]:
    cards = _known(state.hands[seat], names)
    if cards & ~LEEKHA_CARDS or len(names) != cards.bit_count():  # nor one card twice (SBT-13)
        raise CommandRejected(Refusal.NOT_DOUBLABLE)
    return (DoublesChosen(seat, codes(cards)),)


def _ready(state: State, seat: Seat) -> tuple[Event, ...]:
    if state.ready | 1 << seat != _ALL_READY:
        return (SeatReady(seat),)
    return (SeatReady(seat), DoublesShown(tuple(map(codes, state.selected))))


def _announce(state: State, seat: Seat, *, minus: bool) -> tuple[Event, ...]:
    sealed = (MinusAnswered(seat, minus), SeatReady(seat))
    if state.ready | 1 << seat != _ALL_READY:
        return sealed
    answers = state.answers | minus << seat
    return (*sealed, MinusShown(tuple(other for other in SEATS if answers >> other & 1)))


def proceed(state: State, randomness: Randomness) -> tuple[Event, ...]:
    """Deal the next hand: the first dealer is drawn, later the deal moves to the right (SBT-5, LKH-4)."""
    assert state.phase in {Phase.DEAL, Phase.HAND_SCORE}, "a deal in the middle of a hand"
    dealer = Seat(randomness.below(4)) if state.dealer is None else NEXT[state.dealer]
    deck = randomness.shuffled(PACK)
    return (HandDealt(hand_no=state.hand_no + 1, dealer=dealer, deck=deck, salts=randomness.salts(len(deck))),)


def prompt(state: State) -> Prompt | None:
    """Return whom the game waits for; in a sealed window that is every seat, whatever it holds (SBT-15)."""
    rules, number = state.rules, state.clock
    if state.phase is PLAY:
        return Prompt(number, "turn", (state.turn,), ("play",), rules.turn_seconds)
    seats = tuple(seat for seat in SEATS if not state.ready >> seat & 1)
    match state.phase:
        case Phase.PASS:
            return Prompt(number, "pass", seats, ("pass",), rules.pass_seconds)
        case Phase.DOUBLE:
            return Prompt(number, "double", seats, ("set_doubles", "ready"), rules.double_seconds, window=True)
        case Phase.MINUS:
            return Prompt(number, "minus", seats, ("announce",), rules.minus_seconds, window=True)
        case Phase.HAND_SCORE:
            return Prompt(number, "hand_break", (), (), rules.hand_break_seconds, window=True)
        case _:
            return None


@lru_cache(maxsize=1 << 15)
def _suit_plays(cards: int) -> tuple[Play, ...]:
    return tuple([_PLAYS[card] for card in members(CardSet(cards))])


def plays(cards: CardSet, trick: tuple[Card, ...]) -> tuple[Play, ...]:
    """Return the command for each card; who follows suit has cards of one suit only, whose commands are remembered."""
    if trick and cards & SUITS[suit_of(trick[0])]:
        return _suit_plays(cards)
    spades, hearts, diamonds, clubs = SUITS
    return (
        _suit_plays(cards & spades)
        + _suit_plays(cards & hearts)
        + _suit_plays(cards & diamonds)
        + _suit_plays(cards & clubs)
    )


def legal(state: State, seat: Seat) -> tuple[Command, ...]:
    """Return every command that decide would accept from a seat; cards of a choice in the order of the pack."""
    if state.phase is PLAY:
        if state.turn != seat:
            return ()
        return plays(playable(state.hands[seat], state.trick, state.rules.talyeekh), state.trick)
    if state.ready >> seat & 1:
        return ()
    match state.phase:
        case Phase.PASS:
            return tuple(map(Pass, combinations(codes(state.hands[seat]), 3)))
        case Phase.DOUBLE:
            return _DOUBLINGS[CardSet(state.hands[seat] & LEEKHA_CARDS)]
        case Phase.MINUS:
            return _ANSWERS
        case _:
            return ()
