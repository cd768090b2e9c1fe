"""Banakil in scenario files: how a deal is stacked, a later hand begun, a position placed, and the facts of a match.

Cards may be written as faces: ``7H`` is the first copy not written elsewhere, so the two copies never get in the
way; ``7H.1`` and ``7H.2`` name a copy. Facts give faces. Scores are in points, so they may end in a half.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.game import CommandRejected, Result, Scenarios, Seat, Settings
from domain.games.banakil.melds import Meld, shape_of, stands_for
from domain.games.banakil.pack import FACE, FACES, HIDDEN, mask_of, members
from domain.games.banakil.rules import rules_of
from domain.games.banakil.stacking import Cards, Deal, Pack, named, stack, words_of
from domain.games.banakil.state import SEATS, Phase, State, result, result_of, start, team_totals


class Start(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A match some hands on: the next thing is a deal."""

    totals: tuple[float, ...] = (0, 0, 0, 0)  # points by seat
    hand: int = 1  # hands played
    starter: Seat = Seat(3)  # of the hand to be dealt
    first: Seat | None = None  # starter of the first hand
    deciding: bool = False


class Laid(Struct, frozen=True, forbid_unknown_fields=True):
    """A meld on the table. What a wild card stands for may follow it, as in ``2C(9H)``."""

    cards: Cards
    laid_by: int | tuple[int, ...]  # one seat, or one a card
    owner: Seat | None = None  # who laid the meld; if not given, who laid its first card


class Position(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A moment within a turn. Every card of the pack has a place; stock or ground may be left out for the rest."""

    hands: tuple[Cards, ...]
    melds: tuple[Laid, ...] = ()
    ground: Cards | None = None  # top first
    stock: Cards | None = None
    turn: Seat = Seat(0)
    phase: str = "turn_play"
    starter: Seat | None = None  # the seat before the turn, if not given
    first_turn: bool = False  # the starter's turn in which he does not draw
    opened: tuple[Seat, ...] | None = None  # those that own a meld, if not given
    reshuffles: int = 0
    drawn: str | None = None  # drawn from the stock in this turn
    taken_top: str | None = None  # the only card taken from the ground in this turn
    fresh: bool | None = None  # whether the seat on turn had laid nothing before; as the table shows, if not given
    totals: tuple[float, ...] = (0, 0, 0, 0)  # points by seat
    hand: int = 1
    first: Seat | None = None
    deciding: bool = False


def _units(points: Sequence[float]) -> tuple[int, ...]:
    """Return points by seat in half-points; raise ValueError for anything finer, or for other than four."""
    if len(points) != SEATS or any(2 * value != int(2 * value) for value in points):
        raise ValueError("totals are four numbers of whole or half points")
    return tuple(int(2 * value) for value in points)


def begin(settings: Settings, given: Start) -> State:
    """Return a match that owes a later deal than the first."""
    before = Seat((given.starter - 1) % SEATS)
    return replace(
        start(settings),
        phase=Phase.HAND_SCORED,
        hand=given.hand,
        starter=before,
        first=before if given.first is None else given.first,
        totals=_units(given.totals),
        deciding=given.deciding,
    )


def place(settings: Settings, given: Position) -> State:
    """Return a match in the middle of a turn; raise ValueError if the cards do not make up the pack."""
    if len(given.hands) != SEATS:
        raise ValueError("there are four hands")
    named = [given.turn, given.starter, given.first, *(given.opened or ())]
    if any(seat is not None and seat not in range(SEATS) for seat in named):
        raise ValueError("there are seats 0 to 3")
    phase = Phase(given.phase)
    if phase not in {Phase.TURN_DRAW, Phase.TURN_PLAY}:
        raise ValueError("a position is in turn_draw or turn_play")
    bare = [[word.partition("(")[0] for word in words_of(laid.cards)] for laid in given.melds]
    pack = Pack([*given.hands, given.ground, given.stock, *(tuple(words) for words in bare)])
    hands, (ground, stock), melds = pack.groups[:SEATS], pack.groups[SEATS : SEATS + 2], pack.groups[SEATS + 2 :]
    rest = tuple(pack.free)
    if given.stock is None:
        stock = rest
    elif given.ground is None:
        ground = rest
    elif rest:
        message = f"the position leaves out {' '.join(FACES[FACE[card]] for card in rest)}"
        raise ValueError(message)
    if phase is Phase.TURN_DRAW and not stock:
        raise ValueError("the stock is empty at the start of a turn")
    rules = rules_of(settings)
    table = tuple(_meld(laid, cards, natural=rules.natural) for laid, cards in zip(given.melds, melds, strict=True))
    owners = {meld.owner for meld in table} if given.opened is None else set(given.opened)
    laid_by = {seat for meld in table for seat in meld.laid_by} | owners
    starter = given.starter if given.starter is not None else Seat((given.turn - (not given.first_turn)) % SEATS)
    masks = tuple(mask_of(cards) for cards in hands)
    if phase is Phase.TURN_PLAY and not masks[given.turn]:
        raise ValueError("the seat on turn has no card to throw")
    return State(
        rules=rules,
        phase=phase,
        number=1,
        hand=given.hand,
        first=starter if given.first is None else given.first,
        starter=starter,
        totals=_units(given.totals),
        deciding=given.deciding,
        hands=masks,
        stock=stock,
        ground=ground,
        melds=table,
        opened=mask_of(owners),
        laid=mask_of(laid_by),
        reshuffles=given.reshuffles,
        turn=given.turn,
        turns=1 if given.first_turn else 2,
        fresh=given.turn not in laid_by if given.fresh is None else given.fresh,
        drawn=_held(given.drawn, masks[given.turn]),
        taken_top=_held(given.taken_top, masks[given.turn]),
    )


def _held(word: str | None, hand: int) -> int | None:
    """Return the lowest card of the hand that a name fits."""
    if word is None:
        return None
    face, exact = named(word)
    for card in members(hand):
        if card == exact or (exact == HIDDEN and FACE[card] == face):
            return card
    message = f"{word} is not in the hand of the seat on turn"
    raise ValueError(message)


def _meld(laid: Laid, cards: tuple[int, ...], *, natural: bool) -> Meld:
    seats = (laid.laid_by,) * len(cards) if isinstance(laid.laid_by, int) else laid.laid_by
    if len(seats) != len(cards):
        raise ValueError("a meld has one seat, or one for each card")
    try:
        suit, begins = shape_of(cards, natural=natural)
    except CommandRejected as refusal:
        message = f"{' '.join(words_of(laid.cards))} is no meld: {refusal.reason}"
        raise ValueError(message) from refusal
    owner = seats[0] if laid.owner is None else laid.owner
    if any((seat ^ owner) & 1 or not 0 <= seat < SEATS for seat in seats):
        raise ValueError("the cards of a meld are laid by one team")
    for word, face in zip(words_of(laid.cards), stands_for(cards, (suit, begins), natural=natural), strict=True):
        said = word.partition("(")[2].removesuffix(")")
        if said and said != face:
            message = f"{word}: there it stands for {face}"
            raise ValueError(message)
    return Meld(cards, seats, owner, suit, begins)


def final(_settings: Settings, totals: tuple[int, ...], first: Seat) -> Result:
    """Return the end of a match with these totals by seat, in points."""
    return result_of(_units(totals), first)


def _faces(cards: Sequence[int]) -> list[str]:
    return [FACES[FACE[card]] for card in cards]


def _points(units: Sequence[int]) -> list[float]:
    """Return half-points as points, whole where they are whole."""
    return [unit // 2 if unit % 2 == 0 else unit / 2 for unit in units]


def facts(state: State) -> Mapping[str, object]:
    """Return everything that a scenario may expect of a match."""
    ended = result(state)
    score = state.score
    playing = state.phase in {Phase.TURN_DRAW, Phase.TURN_PLAY}
    return {
        "phase": state.phase.value,
        "turn": state.turn if playing else None,
        "hands": [sorted(_faces(tuple(members(hand))), key=FACES.index) for hand in state.hands],
        "deal_points": None if score is None else _points(score.points),
        "totals": _points(state.totals),
        "team_totals": _points(team_totals(state.totals)),
        "places": None if ended is None else list(ended.places),
        "winner": state.winner,
        "melds": [_told(index, meld, natural=state.rules.natural) for index, meld in enumerate(state.melds)],
        "ground": _faces(state.ground),
        "stock": len(state.stock),
        "stock_top": _faces(state.stock[:2]),
        "stock_bottom": _faces(state.stock[-1:]),
        "opened": [seat for seat in range(SEATS) if state.opened >> seat & 1],
        "reshuffles": state.reshuffles,
        "starter": state.starter,
        "hand": state.hand,
        "cut": state.cut,
        "shown": _faces(state.shown),
        "deciding": state.deciding,
        "laid": None if score is None else _points(score.laid),
        "left": None if score is None else _points(score.left),
        "how": None if score is None else score.how,
        "out": None if score is None else score.out,
    }


def _told(index: int, meld: Meld, *, natural: bool) -> dict[str, Any]:
    faces = _faces(meld.cards)
    wild = stands_for(meld.cards, (meld.suit, meld.start), natural=natural)
    return {
        "meld": f"m{index + 1}",
        "cards": [face if means is None else f"{face}({means})" for face, means in zip(faces, wild, strict=True)],
        "laid_by": list(meld.laid_by),
        "owner": meld.owner,
    }


_ACCEPTS: Final = (
    "melds",
    "ground",
    "stock",
    "stock_top",
    "stock_bottom",
    "opened",
    "reshuffles",
    "starter",
    "hand",
    "cut",
    "shown",
    "deciding",
    "laid",
    "left",
    "how",
    "out",
)

SCENARIOS: Final[Scenarios[State]] = Scenarios(
    deal=Deal,
    start=Start,
    position=Position,
    stack=stack,
    begin=begin,
    place=place,
    final=final,
    facts=facts,
    accepts=_ACCEPTS,
)
