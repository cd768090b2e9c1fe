"""The shuffle (TBL-26): long enough a seed, no bias, every order within reach."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from math import factorial, log2, sqrt
from random import Random
from typing import Any

import pytest

from domain.game import AnyGame, Settings
from domain.games import GAMES
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness, expand

SEED = Random(26).randbytes(SEED_BYTES)


class Dictated(SeededRandomness):
    """Draws from bytes that a test dictates instead of from a seed."""

    def __init__(self, stream: Sequence[int]) -> None:
        """Take the bytes in the order in which they are to be drawn."""
        super().__init__(bytes(SEED_BYTES))
        self.stream: Iterator[int] = iter(stream)

    def _take(self, count: int) -> bytes:
        return bytes(next(self.stream) for _ in range(count))


class Watched(SeededRandomness):
    """Notes what packs a game shuffles."""

    def __init__(self, seed: bytes) -> None:
        """Take the seed."""
        super().__init__(seed)
        self.packs: list[Counter[Any]] = []

    def shuffled(self, pack: Sequence[Any]) -> tuple[Any, ...]:
        self.packs.append(Counter(pack))
        return super().shuffled(pack)


def chi_square(counts: Sequence[int]) -> float:
    """Return the statistic for equally likely cells."""
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 for count in counts) / mean


def critical(cells: int) -> float:
    """Return the value that a fair draw exceeds about once in a million (Wilson and Hilferty's approximation)."""
    freedom = cells - 1
    return freedom * (1 - 2 / (9 * freedom) + 4.75 * sqrt(2 / (9 * freedom))) ** 3


@pytest.mark.parametrize("length", [0, 1, 16, 32, 127, 129, 256])
def test_a_seed_is_exactly_128_bytes_long(length: int) -> None:
    assert SEED_BYTES == 128
    with pytest.raises(ValueError, match="128 bytes"):
        SeededRandomness(bytes(length))


def test_the_same_seed_gives_the_same_draws_and_another_seed_others() -> None:
    one, same = SeededRandomness(SEED), SeededRandomness(SEED)
    other = SeededRandomness(SEED[:-1] + bytes([SEED[-1] ^ 1]))
    first = one.shuffled(range(106))
    assert same.shuffled(range(106)) == first
    assert other.shuffled(range(106)) != first
    assert one.shuffled(range(106)) != first


@pytest.mark.parametrize("place", [0, 40, 80, 127])
def test_every_byte_of_the_seed_counts(place: int) -> None:
    changed = bytearray(SEED)
    changed[place] ^= 128
    assert SeededRandomness(bytes(changed)).shuffled(range(52)) != SeededRandomness(SEED).shuffled(range(52))


@pytest.mark.parametrize("pack", [range(52), range(80), [card % 52 for card in range(106)], "one"])
def test_a_shuffle_keeps_every_card(pack: Sequence[Any]) -> None:
    assert Counter(SeededRandomness(SEED).shuffled(pack)) == Counter(pack)


@pytest.mark.parametrize(
    ("bound", "stream", "drawn"),
    [
        (52, [208, 255, 207], 51),  # 208 = 4 * 52: from there on drawn again
        (52, [0], 0),
        (52, [52], 0),
        (100, [200, 199], 99),
        (256, [255], 255),
        (257, [255, 255, 0, 5], 5),
        (300, [255, 120, 255, 119], 65_399 % 300),  # 65 400 = 218 * 300
        (1, [], 0),
    ],
)
def test_a_draw_beyond_the_last_whole_multiple_is_rejected_not_wrapped(
    bound: int, stream: list[int], drawn: int
) -> None:
    randomness = Dictated(stream)
    assert randomness.below(bound) == drawn
    assert next(randomness.stream, None) is None


@pytest.mark.parametrize("bound", [0, -1])
def test_a_bound_is_at_least_one(bound: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        SeededRandomness(SEED).below(bound)


@pytest.mark.parametrize("bound", range(2, 54))
def test_one_byte_draws_are_exactly_even(bound: int) -> None:
    """Of the 256 bytes, each result has the same number; the others are drawn again."""
    counts = Counter(Dictated([byte, 0]).below(bound) for byte in range(256 - 256 % bound))
    assert set(counts.values()) == {256 // bound}
    assert len(counts) == bound
    for byte in range(256 - 256 % bound, 256):
        assert Dictated([byte, 1]).below(bound) == 1


@pytest.mark.parametrize("bound", [2, 3, 7, 52, 106, 300])
def test_draws_are_evenly_spread(bound: int) -> None:
    randomness = SeededRandomness(SEED)
    counts = Counter(randomness.below(bound) for _ in range(bound * 400))
    assert chi_square([counts[value] for value in range(bound)]) < critical(bound)


def test_every_order_of_five_cards_is_equally_likely() -> None:
    randomness = SeededRandomness(SEED)
    counts = Counter(randomness.shuffled(range(5)) for _ in range(120 * 200))
    assert chi_square([counts[order] for order in permutations(range(5))]) < critical(120)


def test_every_card_is_as_likely_in_every_place() -> None:
    randomness = SeededRandomness(SEED)
    places = [Counter[int]() for _ in range(52)]
    followed: Counter[tuple[int, int]] = Counter()
    for _ in range(4000):
        deck = randomness.shuffled(range(52))
        for place, card in enumerate(deck):
            places[place][card] += 1
        followed.update(pairwise(deck))
    cells = [places[place][card] for place in range(52) for card in range(52)]
    assert chi_square(cells) < critical(52 * 52)
    pairs = [followed[one, other] for one in range(52) for other in range(52) if one != other]
    assert chi_square(pairs) < critical(52 * 51)


def test_salts_are_fresh_and_16_bytes_each() -> None:
    salts = SeededRandomness(SEED).salts(106)
    assert len(set(salts)) == 106
    assert {len(bytes.fromhex(salt)) for salt in salts} == {16}


def test_a_long_run_never_repeats_its_bytes() -> None:
    randomness = SeededRandomness(SEED)
    salts = randomness.salts(3000)  # more than ten blocks
    assert len(set(salts)) == 3000


def test_a_private_seed_gives_every_deal_of_every_match_a_seed_of_its_own() -> None:
    seeds = {expand(seed, match, deal) for seed in (b"", b"x") for match in range(20) for deal in range(1, 21)}
    assert len(seeds) == 2 * 20 * 20
    assert {len(seed) for seed in seeds} == {SEED_BYTES}
    assert expand(b"x", 1, 2) == expand(b"x", 1, 2)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_tbl_26_every_order_of_every_pack_is_within_reach(game: AnyGame) -> None:
    """A seed has at least as many values as a game's pack has orders; alike cards leave fewer to tell apart."""
    for variant in game.variants:
        randomness = Watched(SEED)
        settings = Settings(variant=variant, options=checked(game.options, {}))
        assert game.proceed(game.start(settings), randomness)
        assert randomness.packs
        for pack in randomness.packs:
            assert log2(factorial(pack.total())) < 8 * SEED_BYTES
