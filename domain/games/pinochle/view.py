"""What a seat or a spectator may see (3.12): views, redacted events, and the canonical state."""

import msgspec

from domain.cards import BACK, SUIT_LETTERS
from domain.game import SPECTATOR, Seat, Viewer
from domain.games.pinochle.commands import Command
from domain.games.pinochle.events import CardsGiven, Event, HandDealt, PassChosen
from domain.games.pinochle.flow import waiting_seats
from domain.games.pinochle.legal import legal
from domain.games.pinochle.melds import Meld
from domain.games.pinochle.pack import CODES, PACKET, SEATS, codes
from domain.games.pinochle.rules import Rules
from domain.games.pinochle.scoring import TEAMS, Pair
from domain.games.pinochle.state import NOBODY, PASS, Phase, State


class Call(msgspec.Struct, frozen=True):
    """One call of the auction; no amount is a pass."""

    seat: Seat
    amount: int | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The match through one viewer's eyes. Pairs are [team A, team B]; lists of four are by seat.

    ``shown`` is empty but during the meld display, ``given`` and ``received`` once it is over. ``trick`` is the one on
    the table, the last one until the next lead; earlier ones lie face down.
    """

    rules: Rules
    phase: Phase
    seat: Seat | None  # the viewer's
    team: int | None  # his team, "us"
    deal: int
    dealer: Seat | None
    dealer_forced: bool  # whether four passes leave the dealer with the contract
    turn: Seat | None
    waiting: tuple[Seat, ...]
    hand: tuple[str, ...]
    hand_counts: tuple[int, ...]
    calls: tuple[Call, ...]
    bid: int | None  # standing bid, then the contract
    bidder: Seat | None
    declarer: Seat | None  # once the auction is over
    forced: bool  # whether four passes made him so
    trump: str | None
    given: tuple[str, ...]  # what the viewer passed
    received: tuple[str, ...]
    melds: tuple[tuple[Meld, ...], ...]
    meld_points: Pair
    shown: tuple[tuple[str, ...], ...]
    leader: Seat | None
    trick: tuple[str, ...]
    winning: Seat | None  # who holds the trick so far
    tricks: Pair
    trick_points: Pair
    trick_takers: tuple[Seat, ...]
    made: bool | None
    deal_points: Pair  # of the hand just scored
    totals: Pair
    winner: int | None  # team
    legal: tuple[Command, ...]


def _seat(seat: Seat) -> Seat | None:
    return None if seat == NOBODY else seat


def declarer_of(state: State) -> Seat | None:
    """Return the declarer, once there is one."""
    return None if state.phase in (Phase.DEAL, Phase.BIDDING) else _seat(state.auction.bidder)


def trump_letter(state: State) -> str | None:
    """Return the letter of trump, once named."""
    return None if state.trump < 0 else SUIT_LETTERS[state.trump]


def view(state: State, viewer: Viewer) -> View:
    """Return what the viewer may see, from what is allowed."""
    auction, tricks, sits = state.auction, state.tricks, viewer != SPECTATOR
    return View(
        rules=state.rules,
        phase=state.phase,
        seat=viewer if sits else None,
        team=TEAMS[viewer] if sits else None,
        deal=state.deals,
        dealer=_seat(state.dealer),
        dealer_forced=state.dealer_is_forced(),
        turn=_seat(state.turn),
        waiting=waiting_seats(state),
        hand=codes(state.hands[viewer]) if sits else (),
        hand_counts=tuple(state.held(Seat(seat)) for seat in range(SEATS)),
        calls=tuple(Call(seat, None if amount == PASS else amount) for seat, amount in auction.calls),
        bid=auction.bid or None,
        bidder=_seat(auction.bidder),
        declarer=declarer_of(state),
        forced=auction.forced,
        trump=trump_letter(state),
        given=codes(state.given[viewer]) if sits else (),
        received=codes(state.received[viewer]) if sits else (),
        melds=state.melds,
        meld_points=state.meld_of_teams(),
        shown=tuple(codes(cards) for cards in state.shown) if state.phase is Phase.MELD else (),
        leader=_seat(tricks.leader),
        trick=tuple(CODES[kind] for kind in tricks.cards),
        winning=_seat(tricks.winner),
        tricks=tricks.taken,
        trick_points=tricks.points,
        trick_takers=tricks.takers,
        made=state.made,
        deal_points=state.deal_points,
        totals=state.totals,
        winner=None if state.champions < 0 else state.champions,
        legal=legal(state, viewer) if sits else (),
    )


def redact(event: Event, viewer: Viewer) -> Event:
    """Return the event as the viewer may see it: a back for each card he may not know, no salts."""
    match event:
        case HandDealt(deck=deck, dealer=dealer):
            mine = (viewer - dealer - 1) % SEATS if viewer != SPECTATOR else -1
            seen = tuple(code if at // PACKET % SEATS == mine else BACK for at, code in enumerate(deck))
            return HandDealt(event.number, dealer, seen)
        case PassChosen(seat=seat, cards=cards) if viewer != seat:
            return PassChosen(seat, (BACK,) * len(cards))
        case CardsGiven(seat=seat, to=to, cards=cards) if viewer not in (seat, to):
            return CardsGiven(seat, to, (BACK,) * len(cards))
    return event


def canonical(state: State) -> dict[str, object]:
    """Return the whole state in wire names, in a fixed order: what a state hash covers."""
    auction, tricks = state.auction, state.tricks
    return {
        "rules": state.rules,
        "phase": state.phase,
        "totals": state.totals,
        "first_dealer": _seat(state.first_dealer),
        "next_dealer": _seat(state.next_dealer),
        "dealer": _seat(state.dealer),
        "deals": state.deals,
        "passed_out": state.passed_out,
        "winner": None if state.champions < 0 else state.champions,
        "hands": [codes(hand) for hand in state.hands],
        "hidden": state.backs,
        "turn": _seat(state.turn),
        "waiting": waiting_seats(state),
        "calls": [[seat, None if amount == PASS else amount] for seat, amount in auction.calls],
        "bid": auction.bid or None,
        "bidder": _seat(auction.bidder),
        "forced": auction.forced,
        "trump": trump_letter(state),
        "given": [codes(cards) for cards in state.given],
        "received": [codes(cards) for cards in state.received],
        "melds": [[[meld.name, meld.points] for meld in melds] for melds in state.melds],
        "shown": [codes(cards) for cards in state.shown],
        "leader": _seat(tricks.leader),
        "trick": [CODES[kind] for kind in tricks.cards],
        "winning": _seat(tricks.winner),
        "tricks": tricks.taken,
        "trick_points": tricks.points,
        "trick_takers": tricks.takers,
        "made": state.made,
        "deal_points": state.deal_points,
    }
