"""A bot's choice from its seat's view (PIN-75): it sees what a person in the seat sees, and remembers nothing.

It bids what its meld, its tricks and an average partner are worth, names the suit that is worth most, leads its plain
aces, wins as cheaply as it can, gives counters to its partner's tricks and keeps them from the opponents'.
"""

from collections.abc import Sequence
from typing import Final

from domain.cards import SUIT_LETTERS
from domain.game import Randomness
from domain.games.pinochle.automatic import declarer_gift, partner_gift
from domain.games.pinochle.commands import AskRedeal, Bid, Command, Concede, Give, NameTrump, PlayCard
from domain.games.pinochle.legal import PASS_BID, PLAY_ON, READY
from domain.games.pinochle.melds import display, meld_points
from domain.games.pinochle.pack import (
    ACE,
    KINDS,
    RANKS,
    SEATS,
    SUITS,
    TEN,
    VALUES,
    codes,
    copies,
    of,
    pack,
    size,
)
from domain.games.pinochle.rules import BID_STEP
from domain.games.pinochle.state import Phase
from domain.games.pinochle.tricks import beats
from domain.games.pinochle.view import View

# Trick points of the declarer's side by what the declarer holds: a least-squares fit over hands that bots played.
_TRICKS: Final = 68
_TRUMP: Final = 8  # for each trump
_TRUMP_ACE: Final = 16  # more for each ace of trump
_TRUMP_TEN: Final = 9
_PLAIN_ACE: Final = 11
_PARTNER: Final = 36  # a partner's meld, on the average
_MARGIN: Final = 20  # a failed bid costs more than a missed one
_LONG: Final = 6  # trumps enough to draw the others'


def choose(view: View, _randomness: Randomness) -> Command:
    """Return a legal command for the viewer's seat."""
    match view.phase:
        case Phase.BIDDING:
            return _call(view)
        case Phase.TRUMP:
            return max(_named(view), key=lambda named: worth(view, SUIT_LETTERS.index(named.suit)))
        case Phase.PASS_PARTNER | Phase.PASS_DECLARER | Phase.PASS_BOTH:
            return _gift(view)
        case Phase.CONCEDE:
            return _concession(view)
        case Phase.PLAY:
            return _card(view)
    return READY


def worth(view: View, trump: int) -> int:
    """Estimate the points the side makes with this hand as declarer and the suit as trump."""
    hand = pack(view.hand)
    melds, _ = display(hand, trump, view.rules)
    trump_aces = copies(hand, of(trump, ACE))
    plain_aces = sum(copies(hand, of(suit, ACE)) for suit in range(4)) - trump_aces
    tricks = (
        _TRICKS
        + _TRUMP * size(hand & SUITS[trump])
        + _TRUMP_ACE * trump_aces
        + _TRUMP_TEN * copies(hand, of(trump, TEN))
        + _PLAIN_ACE * plain_aces
    )
    return meld_points(melds) + tricks + _PARTNER


def _named(view: View) -> list[NameTrump]:
    return [command for command in view.legal if isinstance(command, NameTrump)]


def _call(view: View) -> Command:
    bids = [command for command in view.legal if isinstance(command, Bid)]
    redeal = [command for command in view.legal if isinstance(command, AskRedeal)]
    limit = max(worth(view, suit) for suit in range(4)) - _MARGIN
    if redeal and limit < view.rules.opening_min:
        return redeal[0]
    if not bids or bids[0].amount > limit:
        return PASS_BID
    if view.bidder == _partner(view) and bids[0].amount > limit - 3 * BID_STEP:
        return PASS_BID  # the partner's bid stands
    return bids[0]


def _partner(view: View) -> int | None:
    return None if view.seat is None else (view.seat + 2) % SEATS


def _gift(view: View) -> Command:
    trump, count = SUIT_LETTERS.index(view.trump or "S"), view.rules.pass_count
    hand = pack(view.hand)
    gift = declarer_gift if view.seat == view.declarer else partner_gift
    return Give(codes(pack(gift(hand, trump, count))))


def _concession(view: View) -> Command:
    """Give up only what cannot be reached: the meld and all the tricks together stay below the bid."""
    most = view.meld_points[view.team or 0] + 250
    return Concede() if view.bid is not None and most < view.bid else PLAY_ON


def _card(view: View) -> Command:
    trump = SUIT_LETTERS.index(view.trump or "S")
    kinds = [KINDS[command.card] for command in view.legal if isinstance(command, PlayCard)]
    lying = [KINDS[code] for code in view.trick] if len(view.trick) < SEATS else []
    kind = _lead(view, kinds, trump) if not lying else _follow(view, kinds, lying, trump)
    return next(c for c in view.legal if isinstance(c, PlayCard) and KINDS[c.card] == kind)


def _dispensable(kind: int, trump: int) -> tuple[int, bool, int]:
    return VALUES[kind], kind // RANKS == trump, kind % RANKS


def _lead(view: View, kinds: Sequence[int], trump: int) -> int:
    hand = pack(view.hand)
    aces = [kind for kind in kinds if kind % RANKS == ACE and kind // RANKS != trump]
    if aces:  # the suit others are likeliest to hold as well
        return min(aces, key=lambda kind: size(hand & SUITS[kind // RANKS]))
    attacking = view.declarer is not None and view.team == view.declarer % 2
    if attacking and copies(hand, of(trump, ACE)) and size(hand & SUITS[trump]) >= _LONG:
        return of(trump, ACE)
    return min(kinds, key=lambda kind: (*_dispensable(kind, trump), size(hand & SUITS[kind // RANKS])))


def _follow(view: View, kinds: Sequence[int], lying: Sequence[int], trump: int) -> int:
    best = lying[0]
    for kind in lying[1:]:
        if beats(kind, best, trump):
            best = kind
    last = len(lying) == SEATS - 1
    winners = [kind for kind in kinds if beats(kind, best, trump)]
    if winners and last:
        return min(winners, key=lambda kind: (kind // RANKS == trump, kind % RANKS))
    if winners:
        high = max(winners, key=lambda kind: kind % RANKS)
        if high % RANKS == ACE and high // RANKS != trump:
            return high
        return min(winners, key=lambda kind: _dispensable(kind, trump))
    safe = view.winning == _partner(view) and (last or best % RANKS >= TEN or best // RANKS == trump)
    if safe:
        return min(kinds, key=lambda kind: (VALUES[kind] == 0, kind // RANKS == trump, kind % RANKS))
    return min(kinds, key=lambda kind: _dispensable(kind, trump))
