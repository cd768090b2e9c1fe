"""How a scenario's deal is made to come out: a pack stacked in its order, in place of the shuffle."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from domain.game import Randomness, Seat
from domain.games.banakil.decide import deal_order, next_starter
from domain.games.banakil.pack import FACE, FACES, HIDDEN, NAMES, SIZE, is_joker
from domain.games.banakil.state import SEATS, State

Cards = str | tuple[str, ...]
T = TypeVar("T")


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """One deal: the whole deck before the cut, top first, or hands by seat, perhaps with the stock."""

    deck: Cards | None = None
    hands: tuple[Cards, ...] | None = None
    stock: Cards | None = None  # top first; what is left of the pack if not given
    cut: int | None = None  # the position at which the cut brings these hands about, and the system's own choice
    starter: Seat | None = None
    owner: Seat | None = None


class Stacked:
    """Chance with one outcome: a given deck and a given cut."""

    def __init__(self, deck: tuple[int, ...], cut: int) -> None:
        """Keep what will be shuffled, and where the system will cut."""
        self._deck = deck
        self._cut = cut

    def below(self, bound: int) -> int:
        """Return the place of the given cut, counted from 0."""
        return (self._cut - 1) % bound

    def shuffled(self, pack: Sequence[T]) -> tuple[T, ...]:
        """Return the pack in the order of the deck."""
        return tuple(pack[card] for card in self._deck)

    def salts(self, count: int) -> tuple[str, ...]:
        """Return no secrets: a scenario has none."""
        return ("",) * count


class Pack:
    """Gives out cards by name: named copies first, so that faces take what is left."""

    def __init__(self, groups: Sequence[Cards | None]) -> None:
        """Take every card of the groups out of a whole pack; raise ValueError where it has no such card left."""
        self.free = dict.fromkeys(range(SIZE))
        words = [words_of(group) for group in groups]
        exact = {card for group in words for _, card in map(named, group)} - {HIDDEN}
        self._exact = exact
        self.groups = [tuple(self._pick(word) for word in group) for group in words]

    def _pick(self, word: str) -> int:
        face, card = named(word)
        if card == HIDDEN:
            copies = (copy for copy in (face, face + 52) if copy in self.free and copy not in self._exact)
            card = next(copies, HIDDEN)
        if card not in self.free:
            message = f"{word} is used more often than the pack has it"
            raise ValueError(message)
        del self.free[card]
        return card


def words_of(cards: Cards | None) -> list[str]:
    """Return the codes of cards that may be written as one string."""
    return [] if cards is None else cards.split() if isinstance(cards, str) else list(cards)


def named(word: str) -> tuple[int, int]:
    """Return the face that a code names, and the card where it names a copy; raise ValueError if it is none."""
    if word not in NAMES:
        message = f"{word} is not a card"
        raise ValueError(message)
    return NAMES[word]


def stack(state: State, deal: Deal) -> Randomness:
    """Return the chance that makes a deal come out; raise ValueError if it cannot."""
    if deal.owner is not None and deal.owner != state.rules.owner:
        message = f"the owner sits at {state.rules.owner}, not at {deal.owner}"
        raise ValueError(message)
    cut = 1 if deal.cut is None else deal.cut
    if not 1 <= cut < SIZE:
        raise ValueError("a cut is from 1 to 105")
    if deal.deck is not None:
        (deck,) = Pack([deal.deck]).groups
        if len(deck) != SIZE:
            message = f"the deck has {len(deck)} cards, not {SIZE}"
            raise ValueError(message)
        return Stacked(deck, cut)
    if deal.hands is None:
        raise ValueError("a deal gives the deck or the hands")
    due = next_starter(state)
    pack = _dealt_pack(state, deal, due)
    return Stacked(pack if due is not None else pack[-cut:] + pack[:-cut], cut)


def _dealt_pack(state: State, deal: Deal, due: Seat | None) -> tuple[int, ...]:
    """Return the pack, after any cut, from which the hands come; ``due`` starts, or the cut decides."""
    assert deal.hands is not None
    given = Pack([*deal.hands, deal.stock])
    *hands, stock = given.groups
    starter = next((seat for seat, hand in enumerate(hands) if len(hand) == 19), None)
    if (
        len(hands) != SEATS
        or starter is None
        or any(len(hand) != 18 + (seat == starter) for seat, hand in enumerate(hands))
    ):
        raise ValueError("the starter has 19 cards and the three others have 18")
    if (due is not None and starter != due) or (deal.starter is not None and starter != deal.starter):
        message = f"seat {deal.starter if due is None else due} starts, not seat {starter}"
        raise ValueError(message)
    rest = [*stock, *given.free] if deal.stock is None else [*stock]
    if len(rest) != 33:
        message = f"the stock has {len(rest)} cards, not 33"
        raise ValueError(message)
    if due is None:
        _end_with(rest, (starter - (state.rules.owner or 0)) % SEATS, move=deal.stock is None)
    piles = [list(hand) for hand in hands]
    return (*(piles[seat].pop(0) for seat in deal_order(starter)), *rest)


def _end_with(rest: list[int], suit: int, *, move: bool) -> None:
    """See that the lowest card but jokers is of the suit that decides the starter (BNK-16)."""
    if move:
        rest.sort(key=lambda card: not is_joker(card) and FACE[card] // 13 == suit)
    last = next(card for card in reversed(rest) if not is_joker(card))
    if FACE[last] // 13 != suit:
        message = f"the cut would not make this seat the starter: the stock ends with {FACES[FACE[last]]}"
        raise ValueError(message)
