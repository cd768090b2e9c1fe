"""What a seat may do now, as commands.

Copies of a face are interchangeable, so a command is listed once for all copies, by faces alone; and a set once for
all orders of its cards, suits in the order S H D C and a joker last. Wild cards are told apart by face: every order
of every 2 and joker is its own command.

A hand with most of the wild cards could be laid in very many ways (of 88,615 starters' hands the richest in 3,005).
Where lays and extensions are more than :data:`MANY`, only the steps are listed: lays of exactly three cards and
extensions by exactly one. Every longer lay or extension leaves the table as a row of steps does.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.games.banakil.commands import Command, Draw, Extend, Lay, Take, Throw
from domain.games.banakil.melds import ACE_HIGH, SET, Meld, face_at, is_bankala
from domain.games.banakil.pack import (
    FACE,
    FACES,
    SUIT_LETTERS,
    faces_of,
    is_joker,
    members,
    pairs_of,
)
from domain.games.banakil.state import State

MANY: Final = 5000
_ALL: Final = 14  # no limit: no meld is longer
_CACHED: Final = 4096

# What a meld, or the hand that feeds it, has only one of.
_TWO: Final = 1  # the place of the bankala
_JOKER: Final = 2  # the place of the joker
_ACE: Final = 4  # the hand's ace, when it has one copy
_OWN: Final = 8  # the hand's 2 of the suit, when it has one copy and 2s may be natural
_SINGLE: Final = _TWO | _JOKER | _ACE | _OWN
_REAL: Final = 16  # of this there may be many: a card that is neither a 2 nor a joker
_HOME: Final = 32  # the bankala of the table at its own place, where it is one no more

Cell = tuple[tuple[str, int, int], ...]  # choices for a place: code, what it takes, whether it comes from the hand
Row = tuple[tuple[str, ...], int, int]  # cards in a row: codes, what they take together, how many are from the hand

_DRAW: Final = Draw()
_THROWS: Final = tuple(Throw(card=face) for face in FACES)
_BITS: Final = tuple(tuple(bit for bit in range(4) if mask >> bit & 1) for mask in range(16))


class Supply(Struct, frozen=True, gc=False):
    """What a hand can give to the sequences of one suit."""

    suit: int
    faces: int  # mask of 13, ace first
    pairs: int  # mask of 13: faces of which it holds both copies
    twos: int  # mask of the four suits
    jokers: int  # mask of the two jokers
    natural: bool  # the two options on bankalas
    free: bool


class _TooManyError(Exception):
    """There are more ways than anybody could want listed."""


def throws(state: State) -> list[Command]:
    """Return a throw of each face in the hand (BNK-84); the taken top card may be barred (option)."""
    hand = state.hands[state.turn]
    faces = faces_of(hand) | hand >> 104 << 52
    found: list[Command] = [_THROWS[face] for face in members(faces)]
    barred = state.taken_top if state.rules.keep_taken_top and hand.bit_count() > 1 else None
    if barred is not None and hand >> barred & 1:
        face = FACE[barred]
        found.remove(_THROWS[face])
        if face < 52 and pairs_of(hand) >> face & 1:  # the other copy may go
            found.append(Throw(card=f"{FACES[face]}.{2 if barred == face else 1}"))
    return found


def draws(state: State) -> list[Command]:
    """Return what a seat may draw: the stock, or the ground down to each of its cards (BNK-29, BNK-30)."""
    found: list[Command] = [_DRAW]
    found += [_take(FACE[card], number) for number, card in enumerate(state.ground, 1)]
    return found


@lru_cache(_CACHED)
def _take(face: int, number: int) -> Take:
    return Take(card=FACES[face], count=number)


def melds(state: State) -> list[Command]:
    """Return the lays and extensions open to the seat on turn; see the module for what is listed."""
    try:
        return _melds(state, _ALL)
    except _TooManyError:
        return _melds(state, 1)


def _melds(state: State, most: int) -> list[Command]:
    """Return lays, and extensions by up to ``most`` cards; for 1, lays of three cards only."""
    seat = state.turn
    rules = state.rules
    hand = state.hands[seat]
    faces, pairs, jokers = faces_of(hand), pairs_of(hand), hand >> 104
    twos = _suits(faces, 1)
    supplies = [
        Supply(
            suit, faces >> 13 * suit & 0x1FFF, pairs >> 13 * suit & 0x1FFF, twos, jokers, rules.natural, rules.free_move
        )
        for suit in range(4)
    ]
    parts: list[tuple[Command, ...]] = [_sets(rank, _suits(faces, rank), jokers, most) for rank in (0, 2)]
    parts += [_sequences(supply, most) for supply in supplies]
    if not rules.add_requires_open or state.opened >> seat & 1:
        for index, meld in enumerate(state.melds):
            if (meld.owner ^ seat) & 1:
                continue
            if meld.suit == SET:
                rank = FACE[next(card for card in meld.cards if not is_joker(card))] % 13
                parts.append(_larger_sets(index, meld.cards, _suits(faces, rank), jokers, most))
            else:
                parts.append(_longer_sequences(index, meld, supplies[meld.suit], most))
    if most > 1 and sum(map(len, parts)) > MANY:
        raise _TooManyError
    return [command for part in parts for command in part]


def _suits(faces: int, rank: int) -> int:
    faces >>= rank
    return (faces & 1) | (faces >> 13 & 1) << 1 | (faces >> 26 & 1) << 2 | (faces >> 39 & 1) << 3


@lru_cache(_CACHED)
def _cells(supply: Supply) -> tuple[Cell, ...]:
    """Return for each place of the suit, 1 to 14, what the hand can put there."""
    own = 0 if supply.pairs >> 1 & 1 else _OWN if supply.natural else 0
    natural = supply.natural and bool(supply.faces >> 1 & 1)
    wild = [(FACES[13 * suit + 1], _TWO | (own if suit == supply.suit else 0), 1) for suit in _BITS[supply.twos]]
    wild += [(FACES[52 + joker], _JOKER, 1) for joker in _BITS[supply.jokers]]
    cells: list[Cell] = [()]
    for place in range(1, ACE_HIGH + 1):
        rank = (place - 1) % 13
        code = FACES[face_at(supply.suit, place)]
        if rank == 1 and natural:
            cells.append(((code, own, 1), *(choice for choice in wild if choice[0] != code)))
        elif rank != 1 and supply.faces >> rank & 1:
            takes = _REAL | (_ACE if rank == 0 and not supply.pairs & 1 else 0)
            cells.append(((code, takes, 1), *wild))
        else:
            cells.append(tuple(wild))
    return tuple(cells)


def _rows(cells: Sequence[Cell], places: range, barred: int, most: int) -> list[Row]:
    """Return every unbroken row through cells in the order of the places, the empty row first.

    None takes what is barred, and none has more than ``most`` cards of the hand.
    """
    found: list[Row] = [((), 0, 0)]
    ends = found
    for place in places:
        ends = [
            ((*row, code), taken | takes, added + new)
            for row, taken, added in ends
            for code, takes, new in cells[place]
            if not takes & (taken | barred) & _SINGLE and added + new <= most
        ]
        if not ends:
            break
        found = found + ends
        if most > 3 and len(found) > 2 * MANY:
            raise _TooManyError
    return found


@lru_cache(_CACHED)
def _sequences(supply: Supply, most: int) -> tuple[Lay, ...]:
    cells = _cells(supply)
    most = max(3, most)
    return tuple(
        Lay(cards=row)
        for first in range(1, ACE_HIGH - 1)
        for row, taken, _ in _rows(cells, range(first, ACE_HIGH + 1), 0, most)
        if len(row) >= 3 and taken & _REAL
    )


@lru_cache(_CACHED)
def _longer_sequences(index: int, meld: Meld, supply: Supply, most: int) -> tuple[Extend, ...]:
    """Return the extensions of a sequence: its bankala and its joker each stay or go."""
    joker = two = 0
    for place, card in enumerate(meld.cards, meld.start):
        if is_joker(card):
            joker = place
        elif is_bankala(card, supply.suit, place, natural=supply.natural):
            two = place
    name = f"m{index + 1}"
    return tuple(
        Extend(meld=name, result=row)
        for joker_goes in ((0, joker) if joker else (0,))
        for two_goes in ((0, two) if two else (0,))
        for home in ((False, True) if two_goes and _has_a_home(meld, two_goes, supply) else (False,))
        for row in _grown(supply, meld, joker_goes, two_goes, most, home=home)
    )


def _has_a_home(meld: Meld, place: int, supply: Supply) -> bool:
    """Say whether the bankala at a place would be natural at its own."""
    return supply.natural and FACE[meld.cards[place - meld.start]] == face_at(supply.suit, 2) and meld.start > 2


def _grown(
    supply: Supply, meld: Meld, joker_goes: int, two_goes: int, most: int, *, home: bool
) -> list[tuple[str, ...]]:
    """Return what the sequence may become; joker and bankala go from the places given, or stay for 0.

    The bankala goes ``home``, to its own place where it is natural, or anywhere else.
    """
    cells = list(_cells(supply))
    last = meld.start + len(meld.cards) - 1
    for place, card in enumerate(meld.cards, meld.start):
        if place == joker_goes or (place == two_goes and not supply.free):
            cells[place] = _exact(supply, place)
        elif place != two_goes:
            takes = (
                _JOKER
                if is_joker(card)
                else _TWO
                if is_bankala(card, supply.suit, place, natural=supply.natural)
                else 0
            )
            cells[place] = ((FACES[FACE[card]], takes, 0),)
    low, high, must = meld.start, last, 0
    if two_goes:  # the bankala of the table takes a free place, so no 2 of the hand can
        code = FACES[FACE[meld.cards[two_goes - meld.start]]]
        if home:  # there it is no bankala, and one of the hand may come
            must = _HOME
            cells[2] = ((code, _HOME, 0),)
        else:
            must = _TWO
            cells = [tuple(choice for choice in cell if not choice[1] & _TWO) for cell in cells]
            own = 2 if _has_a_home(meld, two_goes, supply) else 0
            cells = [
                cell if low <= place <= high or place == own else (*cell, (code, _TWO, 0))
                for place, cell in enumerate(cells)
            ]
        if supply.free:  # nothing need lie where it was, at an end
            low, high = low + (two_goes == low), high - (two_goes == high)
    found: list[tuple[str, ...]] = []
    for middle, held, had in _rows(cells, range(low, high + 1), 0, most):
        if len(middle) < high + 1 - low:
            continue
        below = _rows(cells, range(low - 1, 0, -1), held, most)
        above = _rows(cells, range(high + 1, ACE_HIGH + 1), held, most)
        found += [
            (*left[::-1], *middle, *right)
            for left, taken, more in below
            for right, takes, new in above
            if not taken & takes & _SINGLE and (held | taken | takes) & must == must and 1 <= had + more + new <= most
        ]
    return found


def _exact(supply: Supply, place: int) -> Cell:
    """Return the very card of the place, if the hand has it: the 2 of the suit is one too (BNK-67)."""
    face = face_at(supply.suit, place)
    if not supply.faces >> (face % 13) & 1:
        return ()
    takes = 0
    if face % 13 == 1:
        single = supply.natural and not supply.pairs >> 1 & 1
        takes = _OWN if single else 0 if supply.natural else _TWO
    elif face % 13 == 0 and not supply.pairs & 1:
        takes = _ACE
    return ((FACES[face], takes, 1),)


@lru_cache(_CACHED)
def _sets(rank: int, suits: int, jokers: int, most: int) -> tuple[Lay, ...]:
    reals = [FACES[13 * suit + rank] for suit in _BITS[suits]]
    wild = [FACES[52 + joker] for joker in _BITS[jokers]]
    sizes = range(3, 5 if most > 1 else 4)
    rows: list[tuple[str, ...]] = []
    for chosen in _subsets(reals):
        rows += [chosen, *((*chosen, joker) for joker in wild)]
    return tuple(Lay(cards=row) for row in rows if len(row) in sizes)


@lru_cache(_CACHED)
def _larger_sets(index: int, cards: tuple[int, ...], suits: int, jokers: int, most: int) -> tuple[Extend, ...]:
    """Return the extensions of a set: a joker may stay, come, or go for a real card (BNK-70)."""
    table = [FACES[FACE[card]] for card in cards if not is_joker(card)]
    there = [FACES[FACE[card]] for card in cards if is_joker(card)]
    rank = table[0][0]
    missing = [code for suit in _BITS[suits] if (code := rank + SUIT_LETTERS[suit]) not in table]
    wild = [(FACES[52 + joker], 1) for joker in _BITS[jokers]]
    found: list[Extend] = []
    for row in ((), *_subsets(missing)):
        reals = sorted((*table, *row), key=FACES.index)
        for joker, new in (("", 0), *((code, 0) for code in there), *wild):
            goes = bool(there) and joker not in there
            result = (*reals, joker) if joker else (*reals,)
            if 0 < len(row) + new <= most and (row or not goes) and 3 <= len(result) <= 4:
                found.append(Extend(meld=f"m{index + 1}", result=result))
    return tuple(found)


def _subsets(codes: list[str]) -> list[tuple[str, ...]]:
    """Return every choice of one or more of the codes, in their order."""
    return [
        tuple(code for place, code in enumerate(codes) if chosen >> place & 1) for chosen in range(1, 1 << len(codes))
    ]
