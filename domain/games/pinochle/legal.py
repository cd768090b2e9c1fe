"""Every command that a seat may send now."""

from collections.abc import Callable
from itertools import combinations
from typing import Final

from domain.cards import SUIT_LETTERS
from domain.game import Seat
from domain.games.pinochle.commands import (
    AskRedeal,
    Bid,
    Command,
    Concede,
    Give,
    NameTrump,
    PassBid,
    PlayCard,
    PlayOn,
    Ready,
)
from domain.games.pinochle.decide import FIVE_NINES, has_called, lowest_bid, may_bid, nines, trumps
from domain.games.pinochle.pack import CODES, RANKS, SEATS, codes, fields
from domain.games.pinochle.rules import BID_STEP, MAX_BID
from domain.games.pinochle.scoring import TEAMS
from domain.games.pinochle.state import Phase, State
from domain.games.pinochle.tricks import duty

PASS_BID: Final = PassBid()
READY: Final = Ready()
CONCEDE: Final = Concede()
PLAY_ON: Final = PlayOn()
_ASK_REDEAL: Final = AskRedeal()
_TRUMPS: Final = tuple(NameTrump(letter) for letter in SUIT_LETTERS)
_BIDS: Final = tuple(Bid(amount) for amount in range(0, MAX_BID + 1, BID_STEP))


def _suit_plays(suit: int) -> dict[int, tuple[Command, ...]]:
    """Return, for each holding of one suit, one play for every kind of card in it."""
    plays = [PlayCard(code) for code in CODES[RANKS * suit : RANKS * (suit + 1)]]
    return {field: tuple(plays[rank] for rank in reversed(range(RANKS)) if counts[rank]) for field, counts in fields()}


_PLAYS: Final = tuple(_suit_plays(suit) for suit in range(4))


def _trumps(state: State, seat: Seat) -> tuple[Command, ...]:
    return tuple(_TRUMPS[suit] for suit in trumps(state, seat))


def _concessions(_state: State, _seat: Seat) -> tuple[Command, ...]:
    return CONCEDE, PLAY_ON


def allowed_cards(state: State, seat: Seat) -> int:
    """Return the cards that the seat, whose turn it is, may play to the trick, packed."""
    hand, tricks = state.hands[seat], state.tricks
    if len(tricks.cards) % SEATS == 0:
        return hand
    always = state.rules.heading == "always"
    return duty(hand, state.trump, tricks.cards[0] // RANKS, tricks.best, always=always)[1]


def _plays(state: State, seat: Seat) -> tuple[Command, ...]:
    cards = allowed_cards(state, seat)
    spades, hearts, diamonds, clubs = _PLAYS
    return (
        spades[cards & 0xFFF] + hearts[cards >> 12 & 0xFFF] + diamonds[cards >> 24 & 0xFFF] + clubs[cards >> 36 & 0xFFF]
    )


def _calls(state: State, seat: Seat) -> tuple[Command, ...]:
    calls: tuple[Command, ...] = (PASS_BID,)
    if may_bid(state, seat):
        lowest = lowest_bid(state) // BID_STEP
        calls += _BIDS[lowest : lowest + 1] if state.rules.bid_jump == "step_only" else _BIDS[lowest:]
    if state.rules.nines_redeal and not has_called(state, seat) and nines(state, seat) >= FIVE_NINES:
        calls += (_ASK_REDEAL,)
    return calls


def _gifts(state: State, seat: Seat) -> tuple[Command, ...]:
    """Return each different choice of cards once, in the order of display."""
    choices = dict.fromkeys(combinations(codes(state.hands[seat]), state.rules.pass_count))
    return tuple(Give(choice) for choice in choices)


_TURNS: Final[dict[Phase, Callable[[State, Seat], tuple[Command, ...]]]] = {
    Phase.BIDDING: _calls,
    Phase.TRUMP: _trumps,
    Phase.PASS_PARTNER: _gifts,
    Phase.PASS_DECLARER: _gifts,
    Phase.CONCEDE: _concessions,
}


def legal(state: State, seat: Seat) -> tuple[Command, ...]:
    """Return every command that would be accepted from the seat; empty when it is not asked."""
    phase = state.phase
    if phase is Phase.PLAY:  # most of what is asked
        return _plays(state, seat) if state.turn == seat else ()
    if phase in (Phase.MELD, Phase.SCORED):
        return (READY,) if state.waiting >> seat & 1 else ()
    if phase is Phase.PASS_BOTH:
        asked = state.waiting >> seat & 1 and TEAMS[seat] == TEAMS[state.auction.bidder]
        return _gifts(state, seat) if asked else ()
    return _TURNS[phase](state, seat) if phase in _TURNS and state.turn == seat else ()
