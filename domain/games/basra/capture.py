"""What a thrown card takes from the floor (BSR-20 to BSR-31), and when that is a basra (BSR-32 to BSR-35)."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from domain.cards import CARDS, CODES, RANKS, Card
from domain.games.basra.rules import Rules

JACK: Final = 9  # rank
KOMI: Final = CARDS["7D"]
SWEEPERS: Final = frozenset(CARDS[code] for code in ("JS", "JH", "JD", "JC", "7D"))
KOMI_LIMIT: Final = 10

_NUMERALS: Final = {"A": 1, "T": 10, **{str(number): number for number in range(2, 10)}}
VALUES: Final = tuple(_NUMERALS.get(code[0], 0) for code in CODES)  # by card; 0 for pictures (BSR-2)
POINTS: Final = tuple({"TD": 3, "2C": 2}.get(code, int(code[0] in "AJ")) for code in CODES)  # by card (BSR-43, 44)

# What matters of a numeral in a sum: its value, and whether it is the two of clubs, the one odd card of its value.
_KINDS: Final = tuple(2 * value + (code == "2C") for value, code in zip(VALUES, CODES, strict=True))
_POINT_BITS: Final = 4  # the points in all sums of one throw are at most 6

Cards = tuple[Card, ...]
_Left = tuple[int, ...]  # cards left by kind


class Capture(NamedTuple):
    """What a throw does: cards taken in floor order, and what it scores beside them."""

    taken: Cards
    basra: bool = False
    jack_bonus: int = 0


NOTHING: Final = Capture(())


def capture(rules: Rules, card: Card, floor: Cards) -> Capture:
    """Work out a throw of ``card`` on ``floor`` (oldest first). The player has no say in it (BSR-17, BSR-25)."""
    if not floor:
        return NOTHING  # BSR-30
    if card == KOMI:
        return Capture(floor, basra=komi_basra(rules, floor))
    if card % RANKS == JACK:
        lone_jack = len(floor) == 1 and floor[0] % RANKS == JACK
        return Capture(floor, jack_bonus=rules.jack_on_jack if lone_jack else 0)
    taken = taken_by(card, floor, union=rules.union)
    return Capture(taken, basra=len(taken) == len(floor)) if taken else NOTHING


def taken_by(card: Card, floor: Cards, *, union: bool) -> Cards:
    """Return what an ordinary card, no sweeper, takes: its own rank and sums together (BSR-20 to BSR-24, BSR-26)."""
    rank = card % RANKS
    value = VALUES[card]
    lower = [other for other in floor if 0 < VALUES[other] < value]
    if len(lower) > 1:
        reach = 1
        for other in lower:
            reach |= reach << VALUES[other]
        if reach >> value & 1:
            kinds = tuple([_KINDS[other] for other in lower])
            places = _in_any_group(value, kinds) if union else best_family(value, kinds)
            summed = {lower[place] for place in places}
            return tuple([other for other in floor if other % RANKS == rank or other in summed])
    return tuple([other for other in floor if other % RANKS == rank])


def komi_basra(rules: Rules, floor: Cards) -> bool:
    """Say whether the seven of diamonds scores a basra on this floor (BSR-34, BSR-35; option ``komi_basra``)."""
    values = [VALUES[card] for card in floor]
    if 0 in values:
        return False
    if sum(values) <= KOMI_LIMIT:
        return True
    return rules.equal_groups and any(_splits(total, floor) for total in range(max(values), KOMI_LIMIT + 1))


def _splits(total: int, floor: Cards) -> bool:
    """Say whether numerals, none above ``total``, split completely into groups of one or more cards adding up to it."""
    kinds = tuple(_KINDS[card] for card in floor if VALUES[card] < total)
    return len(best_family(total, kinds)) == len(kinds)


def _in_any_group(value: int, kinds: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places of all cards that belong to some group adding up to ``value`` (``union``)."""
    found = []
    for place, kind in enumerate(kinds):
        reach = 1
        for other in (*kinds[:place], *kinds[place + 1 :]):
            reach |= reach << other // 2
        if reach >> value - kind // 2 & 1:
            found.append(place)
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def best_family(value: int, kinds: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places of the cards in the best family of disjoint groups that each add up to ``value``.

    ``kinds`` are numerals of lower value than ``value``, oldest first. Best is the most cards, then the most points,
    then the places that come first in sorted order (BSR-23, BSR-24). Each card weighs accordingly: one high bit, its
    points below, and a bit for its place, the oldest highest. So the heaviest family is the best, and its low bits
    name it. Cards of one kind differ in age alone, so the oldest are taken first, and a family is a count by kind.
    """
    size = len(kinds)
    order = sorted(set(kinds), reverse=True)  # dear cards first: they leave the fewest partners open
    worth = tuple(2 * (kind % 2) + (kind == 2) for kind in order)
    weights = []  # by kind: of its oldest 0, 1, 2 … cards together
    for kind, points in zip(order, worth, strict=True):
        sums = [0]
        for place in (place for place in range(size) if kinds[place] == kind):
            sums.append(sums[-1] + (1 << size + _POINT_BITS) + (points << size) + (1 << size - 1 - place))
        weights.append(sums)
    values = tuple(kind // 2 for kind in order)
    heaviest = _heaviest(value, values, weights)
    return tuple(place for place in range(size) if heaviest >> size - 1 - place & 1)


def _heaviest(value: int, values: tuple[int, ...], weights: list[list[int]]) -> int:
    """Return the weight of the heaviest family; ``weights`` are by kind and by number of cards taken of it."""

    def taken(left: _Left) -> int:
        return sum(sums[len(sums) - 1 - count] for sums, count in zip(weights, left, strict=True))

    @cache
    def best(left: _Left) -> int:
        first = next((kind for kind, count in enumerate(left) if count), None)
        if first is None:
            return 0
        leave = best((*left[:first], 0, *left[first + 1 :]))
        before = taken(left)
        one_less = _less(left, first)
        groups = set(_groups(values, one_less, first, value - values[first]))
        return max(leave, *(taken(rest) - before + best(rest) for rest in groups)) if groups else leave

    return best(tuple(len(sums) - 1 for sums in weights))


def _less(left: _Left, kind: int) -> _Left:
    return (*left[:kind], left[kind] - 1, *left[kind + 1 :])


def _groups(values: tuple[int, ...], left: _Left, first: int, need: int) -> Iterator[_Left]:
    """Yield what is left after each way to take cards of kinds from ``first`` on that add up to ``need``."""
    if need == 0:
        yield left
        return
    for kind in range(first, len(left)):
        if left[kind] and values[kind] <= need:
            yield from _groups(values, _less(left, kind), kind, need - values[kind])
