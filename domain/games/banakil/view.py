"""What a seat or a spectator sees, and the whole state in wire names. Built from nothing: an allow-list."""

from functools import lru_cache

from msgspec import Struct

from domain.game import SPECTATOR, Seat, Viewer
from domain.games.banakil.commands import Command
from domain.games.banakil.decide import legal
from domain.games.banakil.melds import SET, Meld, stands_for
from domain.games.banakil.pack import BACK, CODES, HIDDEN, codes_of
from domain.games.banakil.state import SEATS, Phase, Score, State, count, team_totals


class MeldView(Struct, frozen=True, gc=False, kw_only=True):
    """A meld on the table (BNK-131)."""

    meld: str
    team: int
    owner: Seat
    shape: str  # "sequence" or "set"
    cards: tuple[str, ...]
    stands_for: tuple[str | None, ...]  # by card: what a wild card of a sequence stands for
    laid_by: tuple[int, ...]  # by card


class View(Struct, frozen=True, gc=False, kw_only=True):
    """A match as one viewer sees it. Scores are half-points; piles are top first; lists are by seat."""

    phase: str
    turn: Seat | None
    hand_number: int
    starter: Seat | None
    hand: tuple[str, ...]  # his own cards
    hands: tuple[tuple[str, ...], ...]  # every hand: the cards he knows to be there, then backs
    counts: tuple[int, ...]
    opened: tuple[bool, ...]
    melds: tuple[MeldView, ...]
    ground: tuple[str, ...]
    stock: int
    stock_end: tuple[str, ...]  # cards of its end that all saw at the cut
    reshuffles: int  # made in this hand
    drawn: str | None  # the card he drew from the stock in this turn
    taken_top: str | None  # the only card that the seat on turn took from the ground
    cut: int | None
    shown: tuple[str, ...]  # at the cut: the deciding card, then the jokers below it
    score: Score | None  # of the hand that has ended
    totals: tuple[int, ...]
    team_totals: tuple[int, int]
    target: int
    deciding: bool
    winner: int | None  # team
    legal: tuple[Command, ...]


def view(state: State, viewer: Viewer) -> View:
    """Return the match as a seat or a spectator sees it (BNK-128 … BNK-132)."""
    asked = viewer != SPECTATOR
    playing = state.phase in {Phase.TURN_DRAW, Phase.TURN_PLAY}
    counts = tuple(count(state, seat) for seat in range(SEATS))
    hands = tuple(
        codes_of(state.hands[seat]) if seat == viewer else _seen(state.open[seat], counts[seat])
        for seat in range(SEATS)
    )
    drawn = state.drawn if playing and viewer == state.turn else None
    return View(
        phase=state.phase.value,
        turn=state.turn if playing else None,
        hand_number=state.hand,
        starter=state.starter,
        hand=hands[viewer] if asked else (),
        hands=hands,
        counts=counts,
        opened=_seats(state.opened),
        melds=tuple(meld_view(index, meld, natural=state.rules.natural) for index, meld in enumerate(state.melds)),
        ground=tuple(CODES[card] for card in state.ground),
        stock=len(state.stock),
        stock_end=tuple(CODES[card] for card in state.stock[len(state.stock) - state.tail :]),
        reshuffles=state.reshuffles,
        drawn=None if drawn is None else CODES[drawn],
        taken_top=None if state.taken_top is None else CODES[state.taken_top],
        cut=state.cut,
        shown=tuple(CODES[card] for card in state.shown),
        score=state.score,
        totals=state.totals,
        team_totals=team_totals(state.totals),
        target=state.rules.target,
        deciding=state.deciding,
        winner=state.winner,
        legal=legal(state, viewer) if asked else (),
    )


def _seen(known: int, number: int) -> tuple[str, ...]:
    codes = codes_of(known)
    return (*codes, *(BACK,) * (number - len(codes)))


def _seats(mask: int) -> tuple[bool, ...]:
    return tuple(bool(mask >> seat & 1) for seat in range(SEATS))


@lru_cache(4096)
def meld_view(index: int, meld: Meld, *, natural: bool) -> MeldView:
    """Return a meld in wire names."""
    return MeldView(
        meld=f"m{index + 1}",
        team=meld.owner % 2,
        owner=Seat(meld.owner),
        shape="set" if meld.suit == SET else "sequence",
        cards=tuple(CODES[card] for card in meld.cards),
        stands_for=stands_for(meld.cards, (meld.suit, meld.start), natural=natural),
        laid_by=meld.laid_by,
    )


def canonical(state: State) -> dict[str, object]:
    """Return the whole state in wire names: what a state hash covers."""
    return {
        "phase": state.phase.value,
        "prompt": state.number,
        "hand": state.hand,
        "first": state.first,
        "starter": state.starter,
        "totals": state.totals,
        "deciding": state.deciding,
        "winner": state.winner,
        "score": state.score,
        "deck": _codes(state.deck),
        "cut": state.cut,
        "shown": _codes(state.shown),
        "hands": tuple(_seen(state.hands[seat], count(state, seat)) for seat in range(SEATS)),
        "open": tuple(codes_of(cards) for cards in state.open),
        "stock": _codes(state.stock),
        "stock_end": state.tail,
        "ground": _codes(state.ground),
        "melds": tuple(meld_view(index, meld, natural=state.rules.natural) for index, meld in enumerate(state.melds)),
        "opened": _seats(state.opened),
        "laid": _seats(state.laid),
        "reshuffles": state.reshuffles,
        "turn": state.turn,
        "turns": state.turns,
        "fresh": state.fresh,
        "drawn": None if state.drawn is None else _codes((state.drawn,))[0],
        "taken_top": None if state.taken_top is None else CODES[state.taken_top],
    }


def _codes(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(BACK if card == HIDDEN else CODES[card] for card in cards)
