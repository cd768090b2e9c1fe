"""What the clock does for a seat that let its time pass (PIN-77 to PIN-80)."""

from domain.cards import SUIT_LETTERS
from domain.game import Randomness, Seat
from domain.games.pinochle.commands import Command, Give, NameTrump, PlayCard
from domain.games.pinochle.decide import trumps
from domain.games.pinochle.legal import PASS_BID, PLAY_ON, READY, allowed_cards
from domain.games.pinochle.melds import display, meld_points
from domain.games.pinochle.pack import CODES, RANKS, SUITS, VALUES, codes, copies, counters, pack, size
from domain.games.pinochle.rules import Rules
from domain.games.pinochle.state import Phase, State


def best_trump(hand: int, suits: tuple[int, ...], rules: Rules) -> int:
    """Return the suit to name (PIN-78): most cards, then own meld, then counters, then S, H, D, C."""

    def strength(suit: int) -> tuple[int, int, int, int]:
        melds, _ = display(hand, suit, rules)
        cards = hand & SUITS[suit]
        return size(cards), meld_points(melds), counters(cards), -suit

    return max(suits, key=strength)


def partner_gift(hand: int, trump: int, count: int) -> tuple[str, ...]:
    """Return what the declarer's partner gives (PIN-79): trumps from the top, then plain cards from the top."""
    order = sorted(range(24), key=lambda kind: (kind // RANKS != trump, -(kind % RANKS), kind // RANKS))
    return _first(hand, order, count)


def declarer_gift(hand: int, trump: int, count: int) -> tuple[str, ...]:
    """Return what the declarer gives back (PIN-79): plain cards from the bottom, then trumps from the bottom."""
    order = sorted(range(24), key=lambda kind: (kind // RANKS == trump, kind % RANKS, kind // RANKS))
    return _first(hand, order, count)


def _first(hand: int, order: list[int], count: int) -> tuple[str, ...]:
    return tuple(CODES[kind] for kind in order for _ in range(copies(hand, kind)))[:count]


def cheapest(cards: int, trump: int) -> str:
    """Return the card to play (PIN-80): no counter, plain, low, in the order S H D C."""
    held = [kind for kind in range(24) if copies(cards, kind)]
    kind = min(held, key=lambda kind: (VALUES[kind], kind // RANKS == trump, kind % RANKS, kind // RANKS))
    return CODES[kind]


def automatic(state: State, seat: Seat, _randomness: Randomness) -> Command:
    """Return what the clock does for a seat of the prompt; nothing is left to chance."""
    hand, trump, count = state.hands[seat], state.trump, state.rules.pass_count
    match state.phase:
        case Phase.BIDDING:
            return PASS_BID
        case Phase.TRUMP:
            return NameTrump(SUIT_LETTERS[best_trump(hand, trumps(state, seat), state.rules)])
        case Phase.PASS_PARTNER | Phase.PASS_DECLARER | Phase.PASS_BOTH:
            declares = seat == state.auction.bidder
            gift = declarer_gift(hand, trump, count) if declares else partner_gift(hand, trump, count)
            return Give(codes(pack(gift)))
        case Phase.CONCEDE:
            return PLAY_ON
        case Phase.PLAY:
            return PlayCard(cheapest(allowed_cards(state, seat), trump))
    return READY
