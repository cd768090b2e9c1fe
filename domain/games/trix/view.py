"""What a seat or a spectator may see (TRX-23 to TRX-25, TRX-136 to TRX-142), built from nothing field by field."""

from typing import Final

import msgspec
from msgspec.structs import replace

from domain.cards import BACK, CODES, SUITS, CardSet, has
from domain.game import SPECTATOR, Seat, Viewer
from domain.games.trix.commands import Command
from domain.games.trix.contracts import HAND, SEATS, SEVEN_OF_HEARTS, Contract
from domain.games.trix.events import CardPlayed, Dealt, DoublesSelected, Event, HandsTurnedUp
from domain.games.trix.names import few_names, names, suit_names
from domain.games.trix.scoring import team_totals
from domain.games.trix.state import Move, Phase, State, Trick
from domain.games.trix.turns import legal

_FACE_DOWN: Final = frozenset({Phase.CHOOSING, Phase.ANNOUNCED})
_BACKS: Final = tuple((BACK,) * count for count in range(53))
_SCORED: Final = frozenset({Phase.DEAL_SCORED, Phase.MATCH_OVER})
_NOTHING: Final[tuple[tuple[str, ...], ...]] = ((),) * SEATS


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The table from one place at it. Lists of four are by seat, in :attr:`rows` by suit S H D C."""

    seat: Seat | None  # None: a spectator
    variant: str
    phase: Phase
    deal: int  # from 1
    deals: int  # in a match
    kingdom: int  # from 1
    owner: Seat | None
    contracts_played: tuple[Contract, ...]  # in this kingdom, the present one left out
    contracts_open: tuple[Contract, ...]
    contract: Contract | None
    turn: Seat | None
    hand: tuple[str, ...]  # one's own; backs while it lies face down
    counts: tuple[int, ...]  # cards in each hand
    seven_of_hearts: Seat | None  # who holds it in the first deal, until it is played (TRX-17)
    shown: tuple[tuple[str, ...], ...]  # face up beside their holders: doubled cards or 2s not yet played
    selection: tuple[str, ...] | None  # one's own sealed doubles; None: nothing selected yet
    ready: tuple[bool, ...]
    doubled: tuple[tuple[str, ...], ...]  # all doubled cards of the deal, once revealed
    leader: Seat | None
    trick: tuple[str, ...]
    tricks: tuple[Trick, ...]  # the finished ones of this deal
    rows: tuple[tuple[str, ...], ...]  # TRIX: the cards of each suit on the table, upwards
    moves: tuple[Move, ...]  # TRIX: cards laid and passes, in order
    out: tuple[Seat, ...]  # TRIX: who has run out of cards, in order
    points: tuple[int, ...]  # of this deal so far
    totals: tuple[int, ...]  # of the deals scored
    team_totals: tuple[int, ...] | None
    places: tuple[int, ...] | None  # once the match is over
    legal: tuple[Command, ...]


def view(state: State, viewer: Viewer) -> View:
    """Return what the viewer sees: what all see, and if he sits, what is his own."""
    common = _common(state)
    return common if viewer == SPECTATOR else own(common, state, viewer)


def own(common: View, state: State, seat: Seat) -> View:
    """Return the spectators' view with what is a seat's own. It reads no hand but that one."""
    selected = state.selected[seat]
    return replace(
        common,
        seat=seat,
        hand=own_hand(state, seat),
        selection=None if selected is None else few_names(selected),
        legal=legal(state, seat),
    )


def _common(state: State) -> View:
    table = state.table
    return View(
        seat=None,
        variant=table.variant,
        phase=state.phase,
        deal=state.deal,
        deals=table.deals,
        kingdom=state.kingdom,
        owner=state.owner,
        contracts_played=state.chosen if state.contract is None else state.chosen[:-1],
        contracts_open=state.open,
        contract=state.contract,
        turn=state.turn,
        hand=(),
        counts=state.counts,
        seven_of_hearts=seven_of_hearts(state),
        shown=face_up(state),
        selection=None,
        ready=state.ready,
        doubled=tuple(map(few_names, state.doubled)),
        leader=state.leader,
        trick=tuple([CODES[card] for card in state.trick]),
        tricks=state.tricks,
        rows=rows(state),
        out=state.out,
        moves=state.moves,
        points=state.points,
        totals=state.totals,
        team_totals=team_totals(state.totals) if table.partnership else None,
        places=None if state.result is None else state.result.places,
        legal=(),
    )


def own_hand(state: State, seat: Seat) -> tuple[str, ...]:
    """Return a seat's hand as it sees it: face down until the announcement unless it owns the kingdom."""
    hand = state.hands[seat]
    if state.phase in _FACE_DOWN and seat != state.owner:
        return _BACKS[hand.bit_count() + state.backs[seat]]
    return names(hand) + _BACKS[state.backs[seat]]


def seven_of_hearts(state: State) -> Seat | None:
    """Return who is known to hold the 7 of hearts: the first owner, in the first deal, until it is played."""
    known = state.deal == 1 and state.phase not in _SCORED and not has(state.played, SEVEN_OF_HEARTS)
    return state.owner if known else None


def face_up(state: State) -> tuple[tuple[str, ...], ...]:
    """Return the cards that lie face up beside each holder: doubled ones or 2s, until played (TRX-42, TRX-91)."""
    shown = state.twos if state.contract is Contract.TRIX else state.doubled
    if state.phase in _SCORED:
        return _NOTHING
    return tuple([few_names(CardSet(cards & ~state.played)) for cards in shown])


def rows(state: State) -> tuple[tuple[str, ...], ...]:
    """Return the row of each suit in TRIX, from its lowest card up."""
    if state.contract is not Contract.TRIX:
        return _NOTHING
    return tuple([suit_names(state.played & suit) for suit in SUITS])


def redact(event: Event, viewer: Viewer) -> Event | None:
    """Return the event as the viewer may see it, or None where he is not told of it at all."""
    match event:
        case CardPlayed():
            return event
        case DoublesSelected(seat=seat):
            return event if seat == viewer else None
        case HandsTurnedUp(hands=hands):
            seen = (hand if seat == viewer else _BACKS[len(hand)] for seat, hand in enumerate(hands))
            return HandsTurnedUp(tuple(seen))
        case Dealt(deal=deal, kingdom=kingdom, owner=owner, deck=deck):
            own = range(HAND * owner, HAND * (owner + 1)) if viewer == owner else range(0)
            seen_deck = tuple(card if place in own else BACK for place, card in enumerate(deck))
            return Dealt(deal=deal, kingdom=kingdom, owner=owner, deck=seen_deck)
        case _:
            return event
