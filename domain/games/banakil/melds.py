"""What may lie on the table: sequences and sets, and how they may grow (BNK-38 … BNK-77)."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.game import CommandRejected
from domain.games.banakil.pack import FACE, FACES, HIDDEN, NAMES, is_joker, is_two
from domain.games.banakil.refusals import Refusal
from domain.games.banakil.rules import Rules

SET: Final = -1  # in the place of a suit
ACE_HIGH: Final = 14  # the last place of a suit; the first is 1, the ace again

Shape = tuple[int, int]  # suit and place of the first card of a sequence; (SET, 0)


class Meld(Struct, frozen=True, gc=False):
    """Cards on the table: a sequence ascending, a set in the order laid."""

    cards: tuple[int, ...]
    laid_by: tuple[int, ...]  # the seat that laid each card (BNK-82)
    owner: int  # the seat that laid the meld
    suit: int
    start: int  # place of the first card in its suit, 1 to 14; 0 for a set


def face_at(suit: int, place: int) -> int:
    """Return the face at a place of a suit: 1 is the ace, 13 the king, 14 the ace again."""
    return 13 * suit + (place - 1) % 13


def is_bankala(card: int, suit: int, place: int, *, natural: bool) -> bool:
    """Say whether a card at a place of a sequence is a bankala: any 2, but for a ``natural`` one at its own place."""
    return is_two(card) and not (natural and place == 2 and FACE[card] == face_at(suit, 2))


def stands_for(cards: Sequence[int], shape: Shape, *, natural: bool) -> tuple[str | None, ...]:
    """Say by card of a meld what a wild card of a sequence stands for; None for all others (BNK-74).

    Where a 2 may be ``natural``, the suit's own 2 at its own place is no wild card.
    """
    suit, start = shape
    if suit == SET:
        return (None,) * len(cards)
    return tuple(
        FACES[face_at(suit, place)] if is_joker(card) or is_bankala(card, suit, place, natural=natural) else None
        for place, card in enumerate(cards, start)
    )


def start_of(faces: Sequence[int]) -> int | None:
    """Return the place of the first card of a sequence, as its real cards fix it; None if none does (BNK-73)."""
    ace = None
    for index, face in enumerate(faces):
        if face < 52 and (rank := face % 13) != 1:
            if rank:
                return rank + 1 - index
            ace = index
    if ace == 0:
        return 1
    return ACE_HIGH - ace if ace is not None and ace == len(faces) - 1 else None


def shape_of(cards: Sequence[int], *, natural: bool) -> Shape:
    """Return the shape of a meld; refuse what is none (BNK-38 … BNK-50), in the order of the rules.

    With ``natural`` a 2 of the suit at its own place counts as a real card, not as the bankala.
    """
    if len(cards) < 3:
        raise CommandRejected(Refusal.TOO_FEW_CARDS)
    faces = [FACE[card] for card in cards]
    reals = [face for face in faces if face < 52 and face % 13 != 1]
    jokers = sum(face >= 52 for face in faces)
    twos = len(faces) - len(reals) - jokers
    suits = {face // 13 for face in reals}
    if twos > 1 and not (natural and len(suits) == 1 and twos == 2 and _has_natural(faces, suits)):
        raise CommandRejected(Refusal.TOO_MANY_TWOS)
    if jokers > 1:
        raise CommandRejected(Refusal.TOO_MANY_JOKERS)
    if len(suits) == 1:
        return suits.pop(), _sequence(faces)
    if not suits or len({face % 13 for face in reals}) != 1:
        raise CommandRejected(Refusal.NOT_A_MELD)
    _check_set(faces, reals, twos)
    return SET, 0


def _has_natural(faces: Sequence[int], suits: set[int]) -> bool:
    (suit,) = suits
    start = start_of(faces)
    return start is not None and 0 <= 2 - start < len(faces) and faces[2 - start] == face_at(suit, 2)


def _sequence(faces: Sequence[int]) -> int:
    start = start_of(faces)
    if start is None or start < 1 or start + len(faces) - 1 > ACE_HIGH:
        raise CommandRejected(Refusal.SEQ_NOT_CONSECUTIVE)
    for place, face in enumerate(faces, start):
        if face < 52 and (rank := face % 13) != 1 and rank != (place - 1) % 13:
            raise CommandRejected(Refusal.SEQ_NOT_CONSECUTIVE)
    return start


def _check_set(faces: Sequence[int], reals: Sequence[int], twos: int) -> None:
    if twos:
        raise CommandRejected(Refusal.TWO_IN_SET)
    if reals[0] % 13 not in {0, 2}:
        raise CommandRejected(Refusal.SET_RANK)
    if len(set(reals)) != len(reals):
        raise CommandRejected(Refusal.SET_SUIT_REPEATED)
    if len(faces) > 4:
        raise CommandRejected(Refusal.SET_TOO_LARGE)


def from_hand(hand: int, codes: Sequence[str]) -> tuple[int, ...]:
    """Return the cards of the hand that the codes name; a face alone is the lower copy not named besides.

    Refuses what is not in the hand, or named twice.
    """
    return resolved(hand, (), 0, codes)


def resolved(hand: int, table: Sequence[int], start: int, codes: Sequence[str]) -> tuple[int, ...]:
    """Return the cards that the codes of a meld-to-be name, out of the hand and the meld on the table.

    A face alone is the table's card of that face, first of all one that keeps its place (``start`` is the place
    of ``table[0]``, 0 for a set); else the lower copy in the hand that the command does not name besides.
    """
    names = [NAMES.get(code, (HIDDEN, HIDDEN)) for code in codes]
    found = [card for _, card in names]
    free = hand
    for card in table:
        free |= 1 << card
    for face, card in names:
        if face == HIDDEN or (card != HIDDEN and not free >> card & 1):
            raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
        if card != HIDDEN:
            free ^= 1 << card
    if start:
        free = _settle(names, found, table, start, free)
    for index, (face, _) in enumerate(names):
        if found[index] == HIDDEN:
            low, high = face, face + 52
            if not free >> low & 1 or (high in table and free >> high & 1 and low not in table):
                low = high
            if not free >> low & 1:
                raise CommandRejected(Refusal.CARD_NOT_IN_HAND)
            found[index] = low
            free ^= 1 << low
    return tuple(found)


def _settle(names: Sequence[tuple[int, int]], found: list[int], table: Sequence[int], start: int, free: int) -> int:
    """Match faces with table cards at the same place of the suit; return what is still free."""
    begin = start_of([face for face, _ in names])
    if begin is None:
        return free
    for place, card in enumerate(table, start):
        index = place - begin
        if 0 <= index < len(names) and found[index] == HIDDEN and names[index][0] == FACE[card] and free >> card & 1:
            found[index] = card
            free ^= 1 << card
    return free


def returned_joker(meld: Meld, cards: Sequence[int], shape: Shape, rules: Rules) -> int | None:
    """Return the joker that comes off the meld when it becomes ``cards``, or None (BNK-64, BNK-70).

    Refuses what moves or removes a real card, moves the joker, or moves the bankala out of turn (BNK-76).
    """
    if (shape[0] == SET) != (meld.suit == SET):
        raise CommandRejected(Refusal.REAL_CARD_MOVED)
    if meld.suit == SET:
        return _off_set(meld, cards)
    now = {card: place for place, card in enumerate(cards, shape[1])}
    before = {card: place for place, card in enumerate(meld.cards, meld.start)}
    joker = two = None
    for card, place in before.items():
        if now.get(card) == place:
            continue
        if is_joker(card):
            joker = card
        elif is_bankala(card, meld.suit, place, natural=rules.natural):
            two = card
        else:
            raise CommandRejected(Refusal.REAL_CARD_MOVED)
    if joker is not None and (joker in now or not _replaced(before[joker], before, cards, shape)):
        raise CommandRejected(Refusal.JOKER_LOCKED)
    if two is not None and (two not in now or not (rules.free_move or _replaced(before[two], before, cards, shape))):
        raise CommandRejected(Refusal.BANKALA_LOCKED)
    return joker


def _replaced(place: int, before: dict[int, int], cards: Sequence[int], shape: Shape) -> bool:
    """Say whether a card new to the meld lies at its own place, where a wild card stood for it."""
    suit, start = shape
    index = place - start
    if not 0 <= index < len(cards):
        return False
    return cards[index] not in before and FACE[cards[index]] == face_at(suit, place)


def _off_set(meld: Meld, cards: Sequence[int]) -> int | None:
    added = False
    for card in cards:
        added = added or (not is_joker(card) and card not in meld.cards)
    off = None
    for card in meld.cards:
        if card in cards:
            continue
        if not is_joker(card):
            raise CommandRejected(Refusal.REAL_CARD_MOVED)
        if not added:
            raise CommandRejected(Refusal.JOKER_LOCKED)
        off = card
    return off
