"""The four rows of TRIX (TRX-76 to TRX-90). One set of cards is all of them: a row is what it holds of a suit."""

from collections.abc import Iterator, Sequence

from domain.cards import CardSet
from domain.game import Seat, next_seat
from domain.games.trix.contracts import ACES, JACKS, TWOS


def open_places(rows: CardSet) -> CardSet:
    """Return the cards that may be laid next: every jack, and one step beyond both ends of each row (TRX-78)."""
    above = (rows & ~ACES) << 1
    below = (rows & ~TWOS) >> 1
    return CardSet((JACKS | above | below) & ~rows)


def playable(hand: CardSet, rows: CardSet) -> CardSet:
    """Return what a hand may lay."""
    return CardSet(hand & open_places(rows))


def next_with_cards(seat: Seat, hands: Sequence[CardSet], backs: Sequence[int]) -> Seat:
    """Return the next seat that still holds cards, known or not; perhaps the same again (TRX-84, TRX-86)."""
    for _ in hands:
        seat = next_seat(seat)
        if hands[seat] or backs[seat]:
            return seat
    raise AssertionError("somebody holds cards while a row is open")


def passing(turn: Seat, hands: Sequence[CardSet], rows: CardSet) -> Iterator[Seat]:
    """Yield the seats from ``turn`` on that hold cards but none to lay, up to the first that can play (TRX-82).

    It ends, because the card next to a row's end and the jack of an unopened row are in somebody's hand (TRX-90).
    A hand may still hold the card laid last: that is no open place any more.
    """
    places = open_places(rows)
    for _ in hands:
        if hands[turn] & places:
            return
        if hands[turn]:
            yield turn
        turn = next_seat(turn)
    raise AssertionError("somebody can play")
