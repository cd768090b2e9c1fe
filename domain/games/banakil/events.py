"""What happens in a match of Banakil. Tags and fields are stored for ever: add, never rename or reuse.

Cards are codes, ``7H`` and ``7H.2`` for the two copies; scores are half-points.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Seat, Viewer
from domain.games.banakil.pack import BACK


class PackShuffled(Struct, frozen=True, tag_field="kind", tag="banakil.pack_shuffled.v1"):
    """All 106 cards in their order before any cut, top first; hidden from everybody (BNK-10)."""

    hand: int  # number of the hand in the match, from 1
    deck: tuple[str, ...]
    salts: tuple[str, ...] = ()


class PackCut(Struct, frozen=True, tag_field="kind", tag="banakil.pack_cut.v1"):
    """The top ``position`` cards went under the rest (BNK-15)."""

    position: int
    seat: Seat | None  # the owner's, for whom the clock may have cut; None: he does not sit, or there is none (BNK-14)


class StarterDecided(Struct, frozen=True, tag_field="kind", tag="banakil.starter_decided.v1"):
    """The end of the cut pack, shown to all: the deciding card, then the jokers below it (BNK-16, BNK-17)."""

    shown: tuple[str, ...]
    starter: Seat


class HandDealt(Struct, frozen=True, tag_field="kind", tag="banakil.hand_dealt.v1"):
    """19 cards to the starter, 18 to the others, 33 in the stock, top first (BNK-21, BNK-23)."""

    hand: int
    starter: Seat
    hands: tuple[tuple[str, ...], ...]  # by seat
    stock: tuple[str, ...]
    shown: int = 0  # how many cards at the end of the stock all have seen (BNK-17)


class StockDrawn(Struct, frozen=True, tag_field="kind", tag="banakil.stock_drawn.v1"):
    """The top card of the stock went to a hand; only its drawer sees it, unless it was shown at the cut."""

    seat: Seat
    card: str
    shown: bool = False


class GroundTaken(Struct, frozen=True, tag_field="kind", tag="banakil.ground_taken.v1"):
    """Cards from the top of the ground went to a hand, top first, seen by all (BNK-30, BNK-130)."""

    seat: Seat
    cards: tuple[str, ...]


class MeldLaid(Struct, frozen=True, tag_field="kind", tag="banakil.meld_laid.v1"):
    """A new meld lies on the table."""

    seat: Seat
    meld: str  # "m1", "m2" … in the order of laying, all seats together
    cards: tuple[str, ...]
    stands_for: tuple[str | None, ...]  # by card: the face a wild card of a sequence stands for (BNK-74)


class MeldExtended(Struct, frozen=True, tag_field="kind", tag="banakil.meld_extended.v1"):
    """Cards were added to a meld, perhaps moving its bankala or bringing its joker back (BNK-75)."""

    seat: Seat
    meld: str
    cards: tuple[str, ...]  # the whole meld now
    stands_for: tuple[str | None, ...]
    added: tuple[str, ...]
    joker: str | None = None  # came back to the hand of the seat (BNK-64)


class CardThrown(Struct, frozen=True, tag_field="kind", tag="banakil.card_thrown.v1"):
    """A card of the hand lies on top of the ground (BNK-84)."""

    seat: Seat
    card: str


class StockRebuilt(Struct, frozen=True, tag_field="kind", tag="banakil.stock_rebuilt.v1"):
    """The ground but its top card was shuffled and is the stock again (BNK-89)."""

    stock: tuple[str, ...]  # top first
    number: int  # of the reshuffle in this hand, from 1
    salts: tuple[str, ...] = ()


class HandEnded(Struct, frozen=True, tag_field="kind", tag="banakil.hand_ended.v1"):
    """The hand is over and what is left in the four hands is shown (BNK-87, BNK-91, BNK-132)."""

    how: str  # "meld", "throw" or "dead"
    seat: Seat | None  # who went out
    hands: tuple[tuple[str, ...], ...]


class HandScored(Struct, frozen=True, tag_field="kind", tag="banakil.hand_scored.v1"):
    """The hand in half-points, by seat (BNK-94 … BNK-105)."""

    hand: int
    opened: tuple[bool, ...]
    laid: tuple[int, ...]
    left: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    deciding: bool  # whether a deciding hand must follow (BNK-109)


class MatchEnded(Struct, frozen=True, tag_field="kind", tag="banakil.match_ended.v1"):
    """A team has won (BNK-106 … BNK-112)."""

    team: int
    team_totals: tuple[int, int]


Event = (
    CardThrown
    | StockDrawn
    | GroundTaken
    | MeldLaid
    | MeldExtended
    | PackShuffled
    | PackCut
    | StarterDecided
    | HandDealt
    | StockRebuilt
    | HandEnded
    | HandScored
    | MatchEnded
)
KINDS: tuple[type[Event], ...] = (
    PackShuffled,
    PackCut,
    StarterDecided,
    HandDealt,
    StockDrawn,
    GroundTaken,
    MeldLaid,
    MeldExtended,
    CardThrown,
    StockRebuilt,
    HandEnded,
    HandScored,
    MatchEnded,
)


def redact(event: Event, viewer: Viewer) -> Event:
    """Return the event as a seat or a spectator may see it (BNK-128 … BNK-133)."""
    match event:
        case StockDrawn(seat=seat, shown=False) if seat != viewer:
            return replace(event, card=BACK)
        case HandDealt(hands=hands, stock=stock, shown=shown):
            hidden = len(stock) - shown
            return replace(
                event,
                hands=tuple(cards if seat == viewer else (BACK,) * len(cards) for seat, cards in enumerate(hands)),
                stock=(BACK,) * hidden + stock[hidden:],
            )
        case PackShuffled(deck=deck):
            return replace(event, deck=(BACK,) * len(deck), salts=())
        case StockRebuilt(stock=stock):
            return replace(event, stock=(BACK,) * len(stock), salts=())
        case _:
            return event
