"""What a hand is worth to the owner in each contract, in points above what it is worth to him on average.

The weights were fitted by least squares to 10 000 deals that bots played with a contract chosen by lot.
"""

from collections.abc import Sequence
from typing import Final

from domain.cards import RANK_LETTERS, SUITS, CardSet, Suit, members, rank_of
from domain.games.trix.contracts import JACK_RANK, Contract

_QUEEN: Final = RANK_LETTERS.index("Q")
_KING: Final = RANK_LETTERS.index("K")
_ACE: Final = RANK_LETTERS.index("A")
GUARDS: Final = 2  # lower cards of its suit that make a king or queen safe to hold, and to double

_Ranks = Sequence[Sequence[int]]  # of the cards in hand, ascending, by suit


def worth(contract: Contract, hand: CardSet) -> float:
    """Return the estimate for a hand of 13."""
    suits = [[rank_of(card) for card in members(CardSet(hand & suit))] for suit in SUITS]
    risk = sum(map(_risk, suits))
    match contract:
        case Contract.KING:
            return 5 - risk / 2 + _king(suits, bare=49, safe=90, ace=-35, risk=-4.5)
        case Contract.QUEENS:
            return 27 - 1.6 * risk + _queens(suits, bare=9, safe=25) - 17 * _catchers(suits)
        case Contract.DIAMONDS:
            return 35 - risk / 2 - 5 * _risk(suits[Suit.DIAMONDS]) - 3 * len(suits[Suit.DIAMONDS])
        case Contract.LTOOSH:
            return 43 - 3 * risk
        case Contract.COMPLEX:
            own = _king(suits, bare=6, safe=84, ace=-65, risk=0) + _queens(suits, bare=38, safe=38)
            return 94 - 8.6 * risk - 4.8 * _risk(suits[Suit.DIAMONDS]) + own
        case Contract.TRIX:
            late = sum(25 * (0 in ranks) + 13 * (1 in ranks) for ranks in suits)
            return 52 - late - 1.8 * sum(map(_gaps, suits))


def _risk(ranks: Sequence[int]) -> int:
    """Say how far the cards of a suit stand above low ones: the lowest should be a 4, the next a 7 and so on."""
    return sum(max(0, rank - 3 * place - 2) for place, rank in enumerate(ranks))


def guarded(ranks: Sequence[int], rank: int) -> bool:
    """Say whether a card has lower ones of its suit beside it to play in its place."""
    return sum(other < rank for other in ranks) >= GUARDS


def _king(suits: _Ranks, *, bare: float, safe: float, ace: float, risk: float) -> float:
    hearts = suits[Suit.HEARTS]
    if _KING in hearts:
        return (safe if guarded(hearts, _KING) else bare) + risk * _risk(hearts)
    return ace * (_ACE in hearts) + risk * _risk(hearts)


def _queens(suits: _Ranks, *, bare: float, safe: float) -> float:
    return sum(safe if guarded(ranks, _QUEEN) else bare for ranks in suits if _QUEEN in ranks)


def _catchers(suits: _Ranks) -> int:
    """Count the kings and aces of suits whose queen is with somebody else."""
    return sum(rank > _QUEEN for ranks in suits if _QUEEN not in ranks for rank in ranks)


def _gaps(ranks: Sequence[int]) -> int:
    """Count the cards of others that a suit has to wait for on its way from the jack to its ends."""
    if not ranks:
        return 0
    below = max(0, JACK_RANK - ranks[0]) - sum(rank < JACK_RANK for rank in ranks)
    above = max(0, ranks[-1] - JACK_RANK) - sum(rank > JACK_RANK for rank in ranks)
    return below + above
