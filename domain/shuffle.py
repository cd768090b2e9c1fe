"""The shuffle (TBL-26): a fresh 128-byte seed, expanded, then drawn from without bias.

128 bytes, because a pack of 106 cards has about 2^565 orders and every one must be reachable. The seed is
an argument: the operating system's generator stands in the services. It is never stored; events hold results.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

SEED_BYTES: Final = 128
SALT_BYTES: Final = 16
_BLOCK: Final = 4096

T = TypeVar("T")


class Randomness(Protocol):
    """What a game may ask for when the system deals or draws on its behalf."""

    def below(self, bound: int) -> int:
        """Return an integer from 0 up to, not including, ``bound``, each equally likely."""

    def shuffled(self, pack: Sequence[T]) -> tuple[T, ...]:
        """Return the pack in a new order, every order equally likely."""

    def salts(self, count: int) -> tuple[str, ...]:
        """Return one fresh secret a card, in hex: what a later proof of the deal commits with."""


class SeededRandomness:
    """Unbiased draws from one seed of 128 bytes, expanded by SHAKE-256 in counter mode.

    Draws use rejection sampling on whole bytes, never a bare modulo.
    """

    __slots__ = ("_at", "_block", "_counter", "_seed")

    def __init__(self, seed: bytes) -> None:
        """Take the seed; raise ``ValueError`` unless it is exactly 128 bytes long."""
        if len(seed) != SEED_BYTES:
            message = f"a seed has {SEED_BYTES} bytes, not {len(seed)}"
            raise ValueError(message)
        self._seed = seed
        self._counter = 0
        self._block = b""
        self._at = 0

    def _take(self, count: int) -> bytes:
        if self._at + count > len(self._block):
            numbered = self._seed + self._counter.to_bytes(8, "big")
            self._block = self._block[self._at :] + hashlib.shake_256(numbered).digest(_BLOCK)
            self._counter += 1
            self._at = 0
        taken = self._block[self._at : self._at + count]
        self._at += count
        return taken

    def below(self, bound: int) -> int:
        """Return an integer from 0 up to, not including, ``bound``, each equally likely."""
        if bound <= 0:
            message = "a bound is at least 1"
            raise ValueError(message)
        if bound == 1:
            return 0
        size = ((bound - 1).bit_length() + 7) // 8
        limit = 256**size - 256**size % bound
        while True:
            drawn = int.from_bytes(self._take(size), "big")
            if drawn < limit:
                return drawn % bound

    def shuffled(self, pack: Sequence[T]) -> tuple[T, ...]:
        """Return the pack in a new order (Fisher and Yates, from the last place down)."""
        cards = list(pack)
        for place in range(len(cards) - 1, 0, -1):
            other = self.below(place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        return tuple(cards)

    def salts(self, count: int) -> tuple[str, ...]:
        """Return ``count`` secrets of 16 bytes in hex."""
        return tuple(self._take(SALT_BYTES).hex() for _ in range(count))


def expand(seed: bytes, match: int, deal: int) -> bytes:
    """Derive the 128 bytes of one deal from a private backend's own seed, so that a whole run repeats."""
    numbered = b"shadda deal" + match.to_bytes(8, "big") + deal.to_bytes(8, "big") + seed
    return hashlib.shake_256(numbered).digest(SEED_BYTES)


def of_choice(seed: bytes, seat: int, deal: int, asked: bytes) -> SeededRandomness:
    """Return the chance of a scripted choice: fixed by the seed, the seat and what it is asked, not by when."""
    numbered = b"shadda choice" + seat.to_bytes(8, "big") + deal.to_bytes(8, "big")
    return SeededRandomness(hashlib.shake_256(numbered + seed + asked).digest(SEED_BYTES))
