"""What a hand melds under a trump (PIN-34 to PIN-43), and the cards it shows for it (PIN-45)."""

from typing import Final, NamedTuple

import msgspec

from domain.games.pinochle.pack import ACE, JACK, KING, NINE, ONE, QUEEN, RANKS, TEN, Hand, copies, most, of
from domain.games.pinochle.rules import Rules


class Meld(msgspec.Struct, frozen=True, gc=False):
    """One line of a hand's meld: ``marriage`` with 40 points stands for two marriages."""

    name: str
    points: int


class _Found(NamedTuple):
    name: str
    points: int
    cards: int  # the copies it needs, packed


RUN: Final = 150
ROYAL_MARRIAGE: Final = 40
MARRIAGE: Final = 20
DIX: Final = 10
PINOCHLE: Final = 40
DOUBLE_PINOCHLE: Final = {"tenfold": 300, "twice": 80}
TIMES: Final = {"tenfold": 10, "twice": 2}  # a double run or around, against the single one (PIN-43)
AROUND: Final = (
    (ACE, "aces_around", 100),
    (KING, "kings_around", 80),
    (QUEEN, "queens_around", 60),
    (JACK, "jacks_around", 40),
)
NAMES: Final = (
    *("run", "double_run", "royal_marriage", "run_extra", "marriage", "dix"),
    *(prefix + name for _, name, _ in AROUND for prefix in ("", "double_")),
    *("pinochle", "double_pinochle"),
)

_RUNS: Final = tuple(sum(ONE[of(suit, rank)] for rank in (ACE, TEN, KING, QUEEN, JACK)) for suit in range(4))
_PAIRS: Final = tuple(ONE[of(suit, KING)] + ONE[of(suit, QUEEN)] for suit in range(4))
_ROUNDS: Final = {rank: sum(ONE[of(suit, rank)] for suit in range(4)) for rank in range(RANKS)}
_QUEEN_OF_SPADES: Final = of(0, QUEEN)
_JACK_OF_DIAMONDS: Final = of(2, JACK)
_PINOCHLE_CARDS: Final = ONE[_QUEEN_OF_SPADES] + ONE[_JACK_OF_DIAMONDS]
_FIRST: Final = sum(ONE)  # the low bit of every count


def sets(hand: int, cards: int) -> int:
    """Return how many times, 0 to 2, the hand holds the given different cards together."""
    mask = 3 * cards
    doubles = hand & cards << 1
    if doubles == cards << 1:
        return 2
    return int((hand & mask | doubles >> 1) & cards == cards)


def has_marriage(hand: int, suit: int) -> bool:
    """Say whether the hand holds king and queen of the suit (PIN-29)."""
    return sets(hand, _PAIRS[suit]) > 0


def _sequences(hand: int, trump: int, rules: Rules) -> list[_Found]:
    """Find the melds of type I: runs, marriages, dix; no card serves two of them (PIN-37 to PIN-39)."""
    found = []
    runs = sets(hand, _RUNS[trump])
    if runs == 2:
        found.append(_Found("double_run", RUN * TIMES[rules.double_values], 2 * _RUNS[trump]))
    elif runs:
        found.append(_Found("run", RUN, _RUNS[trump]))
    royal = sets(hand, _PAIRS[trump]) - runs
    if runs == 1 and rules.run_extras:
        spare = [kind for kind in (of(trump, KING), of(trump, QUEEN)) if copies(hand, kind) == 2]
        if spare:
            found.append(_Found("run_extra", ROYAL_MARRIAGE * len(spare), sum(ONE[kind] for kind in spare)))
    elif royal:
        found.append(_Found("royal_marriage", ROYAL_MARRIAGE * royal, royal * _PAIRS[trump]))
    pairs = [(suit, sets(hand, _PAIRS[suit])) for suit in range(4) if suit != trump]
    marriages = sum(number for _, number in pairs)
    if marriages:
        found.append(_Found("marriage", MARRIAGE * marriages, sum(number * _PAIRS[suit] for suit, number in pairs)))
    nine = of(trump, NINE)
    nines = copies(hand, nine)
    if nines and rules.dix:
        found.append(_Found("dix", DIX * nines, nines * ONE[nine]))
    return found


def _arounds(hand: int, rules: Rules) -> list[_Found]:
    """Find the melds of type II: one of a rank in each suit, or two (PIN-40, PIN-41)."""
    found = []
    for rank, name, points in AROUND:
        number = sets(hand, _ROUNDS[rank])
        if number == 2:
            found.append(_Found(f"double_{name}", points * TIMES[rules.double_values], 2 * _ROUNDS[rank]))
        elif number:
            found.append(_Found(name, points, _ROUNDS[rank]))
    return found


def _pinochles(hand: int, rules: Rules) -> list[_Found]:
    """Find the meld of type III."""
    number = sets(hand, _PINOCHLE_CARDS)
    if number == 2:
        return [_Found("double_pinochle", DOUBLE_PINOCHLE[rules.double_values], 2 * _PINOCHLE_CARDS)]
    return [_Found("pinochle", PINOCHLE, _PINOCHLE_CARDS)] if number else []


def display(hand: int, trump: int, rules: Rules) -> tuple[tuple[Meld, ...], Hand]:
    """Return everything the hand melds and the cards it shows.

    A card is shown as often as the type that needs most copies of it; a card in no meld stays hidden (PIN-45).
    """
    sequences, arounds, pinochles = _sequences(hand, trump, rules), _arounds(hand, rules), _pinochles(hand, rules)
    shown = 0
    for kind_of_meld in (sequences, arounds, pinochles):
        shown = most(shown, sum(found.cards for found in kind_of_meld))
    melds = tuple(Meld(found.name, found.points) for found in (*sequences, *arounds, *pinochles))
    return melds, Hand(shown)


def meld_points(melds: tuple[Meld, ...]) -> int:
    """Return the points of one hand's meld."""
    return sum(meld.points for meld in melds)
