"""What a seat or a spectator may see: views built by allow-list, events with the hidden cards turned over."""

from functools import lru_cache
from typing import Final

import msgspec

from domain.cards import BACK, CODES, SUITS, CardSet, hand_codes, members
from domain.game import SPECTATOR, Seat, Viewer
from domain.games.leekha.commands import Command
from domain.games.leekha.decide import legal
from domain.games.leekha.events import (
    CardsPassed,
    DoublesChosen,
    Event,
    HandDealt,
    MinusAnswered,
    PassChosen,
)
from domain.games.leekha.rules import NEXT, SEATS, giver, receiver
from domain.games.leekha.scoring import heart_value, points_so_far, team_totals
from domain.games.leekha.state import PENALTIES, PLAY, Phase, State

_SUIT_SETS: Final = tuple("".join(suit for bit, suit in enumerate("SHDC") if mask >> bit & 1) for mask in range(16))
_BEFORE_PASS: Final = (Phase.DEAL, Phase.PASS)
_HAND_OVER: Final = (Phase.HAND_SCORE, Phase.MATCH_END)


class LaidCard(msgspec.Struct, frozen=True):
    """A card on the table and who laid it."""

    seat: Seat
    card: str


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A match as one viewer sees it; what is marked as own is that viewer's, and empty for a spectator."""

    game: str
    phase: Phase
    turn: Seat | None
    hand_no: int
    dealer: Seat | None
    hand: tuple[str, ...]  # own
    hand_counts: tuple[int, ...]  # by seat
    ready: tuple[Seat, ...]  # who has answered in the open window
    pass_direction: str  # of this hand: left, right or none
    gave: tuple[str, ...]  # own: sealed to give, then given
    received: tuple[str, ...]  # own
    selected: tuple[str, ...]  # own doubling, not shown yet
    answered: bool  # own sealed announcement of a minus
    doubled: tuple[str, ...]
    exposed: tuple[tuple[str, ...], ...]  # by seat: doubled cards that lie open before it
    heart_value: int  # points of a heart in this hand
    minus_rule: str  # what a minus must avoid: no_tricks or no_penalty_cards; off
    announced: tuple[Seat, ...]  # who announced a minus
    trick: tuple[LaidCard, ...]
    last_trick: tuple[LaidCard, ...]
    played: tuple[str, ...]  # all cards played in this hand
    voids: tuple[str, ...]  # by seat: the suits that it failed to follow
    tricks: tuple[int, ...]  # by seat
    taken: tuple[tuple[str, ...], ...]  # by seat: penalty cards taken
    points: tuple[int, ...]  # by seat: of this hand, so far or as scored
    totals: tuple[int, ...]  # by seat
    team_totals: tuple[int, ...] | None  # by team, in the partnership game
    places: tuple[int, ...]  # by seat, once the match is over
    legal: tuple[Command, ...]  # what the viewer may do now


@lru_cache(maxsize=1 << 15)
def _suit_codes(cards: int) -> tuple[str, ...]:
    return tuple([CODES[card] for card in members(CardSet(cards))])


def codes(cards: CardSet) -> tuple[str, ...]:
    """Return the codes of a set in the order of the pack; views are made often, so each suit's are remembered."""
    if not cards:
        return ()
    spades, hearts, diamonds, clubs = SUITS
    return (
        _suit_codes(cards & spades)
        + _suit_codes(cards & hearts)
        + _suit_codes(cards & diamonds)
        + _suit_codes(cards & clubs)
    )


def seats_of(mask: int) -> tuple[Seat, ...]:
    """Return the seats whose bits are set."""
    return tuple(seat for seat in SEATS if mask >> seat & 1)


def laid(leader: Seat, trick: tuple[int, ...]) -> tuple[LaidCard, ...]:
    """Return the cards of a trick with the seats that laid them."""
    return tuple(LaidCard(Seat((leader + place) % 4), CODES[card]) for place, card in enumerate(trick))


def direction(state: State) -> str:
    """Return where this hand's cards are passed; before the first hand, where its cards will be."""
    return state.rules.direction(max(state.hand_no, 1))


def points(state: State) -> tuple[int, ...]:
    """Return the points of this hand by seat: as scored, or those of the cards taken so far."""
    return state.points if state.phase in _HAND_OVER else points_so_far(state)


def whose_turn(state: State) -> Seat | None:
    """Return the seat that is to play a card, if one is."""
    return state.turn if state.phase is PLAY else None


def minus_rule(state: State) -> str:
    """Return what a minus must avoid, or "off"."""
    return state.rules.minus_basis.value if state.rules.minus else "off"


def hand_count(state: State, seat: Seat) -> int:
    """Return how many cards a seat holds, known or not."""
    return state.hands[seat].bit_count() + state.hidden[seat]


def played(state: State) -> CardSet:
    """Return all the cards played in this hand, those of the open trick included."""
    mask = 0
    for cards in state.taken:
        mask |= cards
    for card in state.trick:
        mask |= 1 << card
    return CardSet(mask)


def view(state: State, viewer: Viewer) -> View:
    """Return what a seat, or a spectator, may see of the state (SBT-44, SBT-45, LKH-24)."""
    own = viewer != SPECTATOR
    passed = own and state.phase not in _BEFORE_PASS
    rules = state.rules
    return View(
        game=rules.game,
        phase=state.phase,
        turn=whose_turn(state),
        hand_no=state.hand_no,
        dealer=state.dealer,
        hand=codes(state.hands[viewer]) if own else (),
        hand_counts=tuple(hand_count(state, seat) for seat in SEATS),
        ready=seats_of(state.ready),
        pass_direction=direction(state),
        gave=codes(state.gave[viewer]) if own else (),
        received=codes(state.gave[giver(viewer, direction(state))]) if passed else (),
        selected=codes(state.selected[viewer]) if own else (),
        answered=own and state.answers >> viewer & 1 == 1,
        doubled=codes(state.doubled),
        exposed=tuple(codes(CardSet(state.doubled & hand)) for hand in state.hands),
        heart_value=heart_value(rules, state.doubled),
        minus_rule=minus_rule(state),
        announced=seats_of(state.announced),
        trick=laid(state.leader, state.trick),
        last_trick=laid(state.last_leader, state.last_trick),
        played=codes(played(state)),
        voids=tuple(_SUIT_SETS[mask] for mask in state.voids),
        tricks=state.tricks,
        taken=tuple(codes(CardSet(cards & PENALTIES)) for cards in state.taken),
        points=points(state),
        totals=state.totals,
        team_totals=team_totals(rules, state.totals),
        places=state.places,
        legal=legal(state, viewer) if own else (),
    )


def redact(event: Event, viewer: Viewer) -> Event | None:
    """Return the event as the viewer may be told of it; None for another seat's sealed choice."""
    match event:
        case PassChosen() | DoublesChosen() | MinusAnswered():
            return event if event.owner == viewer else None
        case HandDealt():
            return _redacted_deal(event, viewer)
        case CardsPassed():
            return _redacted_pass(event, viewer)
        case _:
            return event


def _redacted_deal(event: HandDealt, viewer: Viewer) -> HandDealt:
    """Keep the viewer's own cards of the deck; the backs and the missing salts say nothing of the others."""
    place = (viewer - NEXT[event.dealer]) % 4
    deck = tuple(code if viewer != SPECTATOR and at % 4 == place else BACK for at, code in enumerate(event.deck))
    return HandDealt(hand_no=event.hand_no, dealer=event.dealer, deck=deck)


def _redacted_pass(event: CardsPassed, viewer: Viewer) -> CardsPassed:
    """Keep what the viewer gave and got; of the others, that three cards moved (SBT-44)."""
    cards = tuple(
        given if viewer in {seat, receiver(seat, event.direction)} else (BACK,) * len(given)
        for seat, given in zip(SEATS, event.cards, strict=True)
    )
    return CardsPassed(event.direction, cards)


def canonical(state: State) -> dict[str, object]:
    """Return the whole state in wire names: what a state hash covers."""
    rules = {name: getattr(state.rules, name) for name in state.rules.__struct_fields__}
    return {
        "rules": {name: list(value) if isinstance(value, tuple) else value for name, value in rules.items()},
        "phase": state.phase.value,
        "clock": state.clock,
        "hand_no": state.hand_no,
        "dealer": state.dealer,
        "hands": [hand_of(state, seat) for seat in SEATS],
        "ready": list(seats_of(state.ready)),
        "gave": [list(codes(cards)) for cards in state.gave],
        "selected": [list(codes(cards)) for cards in state.selected],
        "answered": list(seats_of(state.answers)),
        "doubled": list(codes(state.doubled)),
        "announced": list(seats_of(state.announced)),
        "leader": state.leader,
        "turn": state.turn,
        "trick": [CODES[card] for card in state.trick],
        "last_leader": state.last_leader,
        "last_trick": [CODES[card] for card in state.last_trick],
        "taken": [list(codes(cards)) for cards in state.taken],
        "tricks": list(state.tricks),
        "voids": [_SUIT_SETS[mask] for mask in state.voids],
        "points": list(state.points),
        "totals": list(state.totals),
        "target_reached": state.reached,
        "places": list(state.places),
    }


def hand_of(state: State, seat: Seat) -> list[str]:
    """Return a hand in codes, a back for every card of it that the state does not know."""
    return list(hand_codes(state.hands[seat], state.hidden[seat]))
