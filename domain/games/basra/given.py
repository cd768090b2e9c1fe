"""Cards as scenario files give them: read, checked, and made into the outcome of a shuffle."""

from collections.abc import Sequence
from typing import TypeVar

from domain.cards import CARDS, PACK, Card
from domain.game import Seat

Codes = str | tuple[str, ...]  # codes, or one string of them separated by spaces
T = TypeVar("T")


class Stacked:
    """A shuffle whose outcome is given."""

    def __init__(self, dealer: int, deck: tuple[str, ...]) -> None:
        """Take the dealer to draw and the pack's order."""
        self._dealer = dealer
        self._deck = deck

    def below(self, bound: int) -> int:
        """Return the dealer."""
        assert self._dealer < bound
        return self._dealer

    def shuffled(self, pack: Sequence[T]) -> tuple[T, ...]:
        """Return the pack in the order given."""
        place = {code: card for card, code in zip(pack, PACK, strict=True)}
        return tuple(place[code] for code in self._deck)

    def salts(self, count: int) -> tuple[str, ...]:
        """Return secrets that are none."""
        return ("00" * 16,) * count


def read_cards(where: str, given: Codes) -> tuple[Card, ...]:
    """Return the cards of some codes; raise ``ValueError`` with the place for what is no card."""
    found = given.split() if isinstance(given, str) else given
    for code in found:
        if code not in CARDS:
            message = f"{where}: {code!r} is not a card of the pack"
            raise ValueError(message)
    return tuple(CARDS[code] for code in found)


def check_whole(where: str, cards: Sequence[Card]) -> None:
    """Raise ``ValueError`` unless the cards are the pack."""
    check_once(where, cards)
    missing = [code for code, card in CARDS.items() if card not in cards]
    if missing:
        message = f"{where}: missing {' '.join(missing)}"
        raise ValueError(message)


def check_once(where: str, cards: Sequence[Card]) -> None:
    """Raise ``ValueError`` where a card is there twice."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            message = f"{where}: {PACK[card]} is there twice"
            raise ValueError(message)
        seen.add(card)


def check_size(where: str, given: Sequence[object], size: int) -> None:
    """Raise ``ValueError`` unless there are so many."""
    if len(given) != size:
        message = f"{where}: {size} are needed, not {len(given)}"
        raise ValueError(message)


def check_seat(where: str, seat: int, players: int) -> Seat:
    """Return the seat; raise ``ValueError`` where there is none of that number."""
    if not 0 <= seat < players:
        message = f"{where}: there is no seat {seat}"
        raise ValueError(message)
    return Seat(seat)
