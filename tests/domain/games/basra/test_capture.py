import random
from itertools import combinations

import pytest

from domain.cards import CARDS, PACK
from domain.games.basra.capture import POINTS, VALUES, taken_by
from domain.games.basra.events import CardPlayed
from domain.games.basra.state import Cards, cards, names
from tests.domain.games.basra.plays import play, position, throw


def takes(floor: str, card: str, **options: object) -> str:
    return " ".join(names(throw(floor, card, **options).taken))


def test_bsr_02_values_of_numerals_and_none_of_pictures() -> None:
    assert [VALUES[CARDS[rank + "S"]] for rank in "A23456789TJQK"] == [*range(1, 11), 0, 0, 0]
    assert takes("KS 9H", "9C") == "9H"
    assert takes("JS QS", "5C") == ""


@pytest.mark.parametrize(
    ("floor", "card", "taken"),
    [
        ("5S 5H 9C", "5D", "5S 5H"),
        ("KS KH KC 2D", "KD", "KS KH KC"),
        ("5S 6H", "5D", "5S"),
    ],
)
def test_bsr_20_a_card_takes_every_card_of_its_rank(floor: str, card: str, taken: str) -> None:
    assert takes(floor, card) == taken


@pytest.mark.parametrize(
    ("floor", "card", "taken"),
    [
        ("4S 5H", "9C", "4S 5H"),
        ("2S 3H 4D", "9C", "2S 3H 4D"),
        ("4S 4H", "8D", "4S 4H"),
        ("AS AH", "2C", "AS AH"),
        ("AS", "2C", ""),
        ("9S AH", "8C", ""),
    ],
)
def test_bsr_21_a_numeral_takes_sums_of_lower_ones(floor: str, card: str, taken: str) -> None:
    assert takes(floor, card) == taken


@pytest.mark.parametrize(
    ("floor", "card", "taken"),
    [
        ("4S 5H 6D 3C KD", "9C", "4S 5H 6D 3C"),
        ("9H AS 5C 3D", "9C", "9H AS 5C 3D"),
        ("6D 2C 8S 4D 3S AH", "8H", "6D 2C 8S 4D 3S AH"),
    ],
)
def test_bsr_22_match_and_sums_go_together(floor: str, card: str, taken: str) -> None:
    assert takes(floor, card) == taken


@pytest.mark.parametrize(
    ("floor", "card", "disjoint", "union"),
    [
        ("4S 5H 5D", "9C", "4S 5H", "4S 5H 5D"),
        ("AS 2H 6D 7C 3S", "9C", "2H 6D 7C 3S", "AS 2H 6D 7C 3S"),
        ("6C 4H AH 3S 2D", "6S", "6C AH 3S 2D", "6C 4H AH 3S 2D"),
        ("AS 2H 3D 4C 5S 7H", "7C", "2H 3D 4C 5S 7H", "AS 2H 3D 4C 5S 7H"),
    ],
)
def test_bsr_23_a_card_serves_in_one_sum_or_in_any(floor: str, card: str, disjoint: str, union: str) -> None:
    assert takes(floor, card) == disjoint
    assert takes(floor, card, capture_overlap="union") == union


@pytest.mark.parametrize(
    ("floor", "card", "taken"),
    [
        ("3S 2H 2C", "5D", "3S 2C"),  # (a) more points
        ("AC 5C 3S 6D 2C", "8S", "5C 3S 6D 2C"),  # cards before points
        ("4S 5H 5D", "9C", "4S 5H"),  # (b) the older of two fives
        ("5D 5H 4S", "9C", "5D 4S"),
        ("2S 6H 5D 3C", "8C", "2S 6H 5D 3C"),
    ],
)
def test_bsr_24_ties_go_to_points_then_to_age(floor: str, card: str, taken: str) -> None:
    assert takes(floor, card) == taken


def groups(floor: Cards, value: int) -> list[frozenset[int]]:
    """List by brute force the places of every group of two or more that adds up to the value."""
    places = [place for place, card in enumerate(floor) if VALUES[card]]
    return [
        frozenset(group)
        for size in range(2, len(places) + 1)
        for group in combinations(places, size)
        if sum(VALUES[floor[place]] for place in group) == value
    ]


def families(found: list[frozenset[int]]) -> set[frozenset[int]]:
    """List by brute force what every family of disjoint groups takes."""
    unions = {frozenset[int]()}
    for group in found:
        unions |= {taken | group for taken in unions if not taken & group}
    return unions


def best(floor: Cards, value: int) -> frozenset[int]:
    def key(taken: frozenset[int]) -> tuple[int, int, list[int]]:
        return -len(taken), -sum(POINTS[floor[place]] for place in taken), sorted(taken)

    return min(families(groups(floor, value)), key=key)


def test_bsr_22_23_24_agree_with_a_brute_force_search() -> None:
    chance = random.Random(23)
    low = [CARDS[code] for code in PACK if 0 < VALUES[CARDS[code]] < 8]
    for _ in range(400):
        floor = tuple(chance.sample(low if chance.random() < 0.5 else list(CARDS.values()), chance.randint(1, 9)))
        card = chance.choice([card for card in CARDS.values() if VALUES[card] and card not in floor])
        matched = {place for place, other in enumerate(floor) if VALUES[other] == VALUES[card]}
        disjoint = best(floor, VALUES[card]) | matched
        union = matched.union(*groups(floor, VALUES[card]))
        for expected, literal in ((disjoint, False), (union, True)):
            assert taken_by(card, floor, union=literal) == tuple(floor[place] for place in sorted(expected))


def test_bsr_23_a_floor_of_all_lower_numerals_is_worked_out_at_once() -> None:
    floor = tuple(card for card in CARDS.values() if 0 < VALUES[card] < 10)
    taken = taken_by(CARDS["TD"], floor, union=False)
    assert len(taken) == len(floor) == 36  # 9+1, 8+2, 7+3, 6+4 four times each, 5+5 twice


def test_bsr_25_the_log_keeps_what_was_taken() -> None:
    state = play(position("9C KS", "QS QH", floor="4S 5H 5D"), "9C")
    assert state.last_play == CardPlayed(seat=state.last_capturer, card="9C", taken=("4S", "5H"))


@pytest.mark.parametrize(
    ("floor", "card", "taken"), [("QS QH", "QD", "QS QH"), ("QS KH", "QD", "QS"), ("9S 4H", "KD", "")]
)
def test_bsr_26_king_and_queen_take_by_match_only(floor: str, card: str, taken: str) -> None:
    assert takes(floor, card) == taken


@pytest.mark.parametrize("floor", ["AS 4C QD KH TD", "2S", "JS", "7D"])
@pytest.mark.parametrize("card", ["JC", "JH"])
def test_bsr_27_33_a_jack_takes_everything_and_never_scores_a_basra(floor: str, card: str) -> None:
    assert throw(floor, card) == (cards(tuple(floor.split())), False, 0)


@pytest.mark.parametrize("floor", ["AS 4C QD KH TD", "2S", "JS", "7S 7H", "7S 3H"])
def test_bsr_28_29_the_komi_takes_everything_always(floor: str) -> None:
    assert takes(floor, "7D") == floor


@pytest.mark.parametrize("card", ["JC", "7D", "2C", "KS"])
def test_bsr_30_on_an_empty_floor_every_card_stays(card: str) -> None:
    assert throw("", card) == ((), False, 0)


@pytest.mark.parametrize(
    ("floor", "card", "taken", "basra"),
    [
        ("7D", "7S", "7D", True),
        ("7D 3C", "TH", "7D 3C", True),
        ("7D 3C JS", "TH", "7D 3C", False),
        ("JS 5C", "5D", "5C", False),
        ("JS", "QD", "", False),
        ("JS", "7D", "JS", False),
    ],
)
def test_bsr_31_sweepers_on_the_floor_are_ordinary_cards(floor: str, card: str, taken: str, *, basra: bool) -> None:
    assert takes(floor, card) == taken
    assert throw(floor, card).basra is basra


@pytest.mark.parametrize(
    ("floor", "card", "basra"),
    [
        ("6S", "6H", True),
        ("7S 3H", "TC", True),
        ("9H AS 5C 3D", "9C", True),
        ("KS KC", "KH", True),
        ("6S KH", "6H", False),
    ],
)
def test_bsr_32_an_ordinary_capture_that_clears_the_floor_is_a_basra(floor: str, card: str, *, basra: bool) -> None:
    assert throw(floor, card).basra is basra


@pytest.mark.parametrize(
    ("floor", "basra"),
    [("AS 4C 5H", True), ("9S 2H", False), ("QS", False), ("2S KH", False), ("TS", True), ("JS", False)],
)
def test_bsr_34_the_komi_scores_a_basra_on_numerals_up_to_ten(floor: str, *, basra: bool) -> None:
    assert throw(floor, "7D").basra is basra


@pytest.mark.parametrize(("floor", "basra"), [("7S 7H", False), ("7S", True), ("4S 3H 5C 2D", False)])
def test_bsr_35_the_komi_is_not_judged_as_a_seven(floor: str, *, basra: bool) -> None:
    assert throw(floor, "7D").basra is basra


@pytest.mark.parametrize(
    ("floor", "basra"),
    [
        ("5S 4H AC 5H 3C 2C", True),
        ("9S 2H", False),
        ("7S 7H", True),
        ("TS TH", True),
        ("TS 9H AC", True),
        ("6S 6H QC", False),
        ("6S 6H 5D", False),
        ("AS 2H 3D", True),
    ],
)
def test_bsr_v4_equal_groups(floor: str, *, basra: bool) -> None:
    assert throw(floor, "7D", komi_basra="equal_groups_le_10").basra is basra


@pytest.mark.parametrize(("floor", "bonus"), [("JS", 30), ("JS 2C", 0), ("QS", 0), ("", 0)])
def test_bsr_v4_jack_on_a_lone_jack(floor: str, bonus: int) -> None:
    assert throw(floor, "JH", jack_on_jack=30)[1:] == (False, bonus)
    assert throw(floor, "JH")[1:] == (False, 0)
