"""A bot's choice: it sees one seat's view and nothing else.

It weighs a hand by what could be laid of it at once against what would stay, and so decides how deep to dig into the
ground. It lays whatever can be laid, real cards before wild ones, and throws what is furthest from any meld.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.game import Randomness
from domain.games.banakil.commands import Command, Cut, Extend, Lay, Take, Throw
from domain.games.banakil.pack import CARDS, FACE, NAMES, VALUES, faces_of, mask_of, pairs_of, value_of
from domain.games.banakil.view import MeldView, View

_OPENING: Final = 30.0  # half-points: what it is worth to have a first meld to lay
_OUT: Final = 40.0  # and to have at most one card more than can be laid
_KEPT: Final = 0.8  # what a card costs that stays for now, as a part of its value
_DRAWN: Final = 2.0  # what a card from the stock is hoped to bring
_TWOS: Final = mask_of(card for card in range(104) if card % 13 == 1)

Ends = tuple[tuple[int, int], ...]  # first and last place of each sequence of one suit


class Table(Struct, frozen=True):
    """What the melds of a team are still open to."""

    ends: tuple[Ends, Ends, Ends, Ends]  # by suit
    missing: int  # mask of the faces that sets lack
    twos: int  # sequences without a bankala
    jokers: int  # melds with room for a joker


def bot(view: View, randomness: Randomness) -> Command:
    """Return a legal command for the seat that the view is of."""
    legal = view.legal
    if isinstance(legal[0], Cut):
        return legal[randomness.below(len(legal))]
    assert view.turn is not None
    if view.phase == "turn_draw":
        return _draw(view, view.turn)
    melds = [command for command in legal if isinstance(command, Lay | Extend)]
    if melds:
        opened = view.opened[view.turn]
        lying = {meld.meld: [code.partition(".")[0] for code in meld.cards] for meld in view.melds}
        return max(melds, key=lambda command: _merit(command, lying, opened=opened))
    return _throw(view, view.turn)


def _draw(view: View, seat: int) -> Command:
    """Draw from the stock, or take from the ground as far down as pays best."""
    hand = mask_of(CARDS[code] for code in view.hand)
    table = table_of(meld for meld in view.melds if meld.team == seat % 2)
    opened = view.opened[seat]
    best, most = view.legal[0], worth(hand, table, opened=opened) + _DRAWN
    for command in view.legal[1:]:
        assert isinstance(command, Take)
        hand |= 1 << CARDS[view.ground[command.count - 1]]
        value = worth(hand, table, opened=opened)
        if value > most:
            best, most = command, value
    return best


def worth(hand: int, table: Table, *, opened: bool) -> float:
    """Return what a hand is worth in half-points: what could be laid at once, less what would stay."""
    faces, pairs = faces_of(hand), pairs_of(hand)
    laid = number = near = rest = 0
    made = False
    for suit in range(4):
        shift = 13 * suit
        plan = _plan(faces >> shift & 0x1FFF, pairs >> shift & 0x1FFF, table.ends[suit])
        laid += plan[0]
        number += plan[1]
        near += plan[2]
        made = made or plan[3]
        rest |= plan[4] << shift
    for rank, each in ((0, 2), (2, 1)):
        alike = rest >> rank & 0x8004002001
        count = alike.bit_count() if alike.bit_count() >= 3 else (alike << rank & table.missing).bit_count()
        made = made or alike.bit_count() >= 3
        number += count
        laid += each * count
    for wild, value, room in (
        ((hand & _TWOS).bit_count(), 4, table.twos),
        ((hand >> 104).bit_count(), 8, table.jokers),
    ):
        paired = min(wild, near)
        placed = paired + min(wild - paired, room)
        near -= paired
        made = made or paired > 0
        number += placed + 2 * paired
        laid += value * placed + 3 * paired
    total = laid - _KEPT * max(0, value_of(hand) - laid)
    total += _OPENING if made and not opened else 0
    return total + (_OUT if hand.bit_count() - number <= 1 and (made or opened) else 0)


@lru_cache(8192)
def _plan(single: int, double: int, ends: Ends) -> tuple[int, int, int, bool, int]:
    """Plan the real cards of one suit, as masks of 13 ranks: those held, and those held twice.

    Returns the value and number of the cards that could be laid, how many pairs lack one card, whether there is a
    new sequence, and the mask of the cards left.
    """
    counts = [0] * 16  # by place, 3 to 13; the ace counts at 14, for a low one needs a wild card
    for rank in range(13):
        if rank != 1:
            counts[rank + 1 if rank else 14] = (single >> rank & 1) + (double >> rank & 1)
    added = _added(counts, ends)
    runs = [_run(counts), _run(counts)]
    laid = [place for places in (added, *runs) for place in places]
    near, left = _left(counts)
    return sum(map(_worth_at, laid)), len(laid), near, any(runs), left


def _worth_at(place: int) -> int:
    return VALUES[(place - 1) % 13]


def _added(counts: list[int], ends: Ends) -> list[int]:
    """Take out of the counts what fits the sequences on the table; return its places."""
    taken = []
    for low, high in ends:
        for places in (range(high + 1, 15), range(low - 1, 2, -1)):
            for place in places:
                if not counts[place]:
                    break
                counts[place] -= 1
                taken.append(place)
    return taken


def _run(counts: list[int]) -> list[int]:
    """Take out of the counts one card of every place in a row of three or more; return the places."""
    taken = []
    run: list[int] = []
    for place in range(3, 16):
        if counts[place]:
            run.append(place)
            continue
        if len(run) >= 3:
            taken += run
        run = []
    for place in taken:
        counts[place] -= 1
    return taken


def _left(counts: list[int]) -> tuple[int, int]:
    """Return how many pairs lack one card, and the mask of the ranks left."""
    near = left = 0
    before = -9
    for place in range(3, 15):
        if counts[place]:
            left |= 1 << (place - 1) % 13
            near += place - before <= 2
            before = -9 if place - before <= 2 else place
    return near, left


def table_of(melds: Iterable[MeldView]) -> Table:
    """Return what the melds of a team are open to."""
    ends: list[list[tuple[int, int]]] = [[], [], [], []]
    missing = twos = jokers = 0
    for meld in melds:
        suit, first, lacks, wild = _open(meld)
        missing |= lacks
        room = len(meld.cards) < (4 if suit < 0 else 14)
        jokers += room and not wild & 2
        if suit >= 0:
            ends[suit].append((first, first + len(meld.cards) - 1))
            twos += room and not wild & 1
    return Table((tuple(ends[0]), tuple(ends[1]), tuple(ends[2]), tuple(ends[3])), missing, twos, jokers)


@lru_cache(4096)
def _open(meld: MeldView) -> tuple[int, int, int, int]:
    """Return the suit (-1 for a set) and first place of a meld, the faces a set lacks, and 1 for a 2, 2 for a joker."""
    faces = [FACE[CARDS[code]] for code in meld.cards]
    wild = 0
    for face in faces:
        wild |= 2 if face >= 52 else 1 if face % 13 == 1 else 0
    if meld.shape == "set":
        rank = next(face for face in faces if face < 52) % 13
        lacks = sum(1 << face for face in range(rank, 52, 13) if face not in faces)
        return -1, 0, lacks if len(faces) < 4 or wild else 0, wild
    meant = meld.stands_for[0]
    face = faces[0] if meant is None else NAMES[meant][0]
    return face // 13, face % 13 + 1, 0, wild


def _merit(command: Lay | Extend, lying: dict[str, list[str]], *, opened: bool) -> tuple[bool, bool, int, int]:
    """Rank what can be laid: to open, then without a wild card of the hand, then by value."""
    if isinstance(command, Lay):
        added = list(command.cards)
    else:
        table = list(lying[command.meld])
        added = []
        for code in command.result:
            if code in table:
                table.remove(code)
            else:
                added.append(code)
    faces = [NAMES[code][0] for code in added]
    wild = sum(VALUES[face] for face in faces if VALUES[face] > 2)
    return isinstance(command, Lay) and not opened, wild == 0, sum(VALUES[face] for face in faces) - wild, wild


def _throw(view: View, seat: int) -> Command:
    """Throw the card that is furthest from any meld of ours and fits none of theirs."""
    hand = mask_of(CARDS[code] for code in view.hand)
    theirs = table_of(meld for meld in view.melds if meld.team != seat % 2)
    throws = [command for command in view.legal if isinstance(command, Throw)]
    return min(throws, key=lambda command: _use(hand, theirs, command))


def _use(hand: int, theirs: Table, throw: Throw) -> float:
    """Return what it would cost to throw a card: its use to us and to them, less its value in the hand."""
    face = NAMES[throw.card][0]
    value = VALUES[face]
    if value > 2:
        return 100 + value
    suit, rank = divmod(face, 13)
    faces = faces_of(hand) & ~(1 << face)
    held = faces >> 13 * suit & 0x1FFF & ~2
    row = held | (held & 1) << 13  # the ace again at its high place
    at = 13 if rank == 0 else rank
    use = 3.0 * (row >> at + 1 & 1) + 3.0 * (row >> max(0, at - 1) & 1 if at else 0)
    use += 2.0 * (row >> at + 2 & 1) + 2.0 * (row >> at - 2 & 1 if at > 1 else 0)
    if rank in {0, 2}:
        use += 2.0 * (faces >> rank & 0x8004002001).bit_count()
    use += 3.0 * (theirs.missing >> face & 1)
    for low, high in theirs.ends[suit]:
        use += 3.0 * (at + 1 in {low - 1, high + 1})
    return use - value
