"""Limits of what one player may send."""

from collections.abc import Callable
from time import monotonic


class Allowance:
    """A bucket of tokens: ``burst`` at once, then ``per_second``. A rate of 0 allows everything."""

    __slots__ = ("_burst", "_clock", "_left", "_rate", "_since")

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float] = monotonic) -> None:
        """Begin full."""
        self._rate = per_second
        self._burst = burst
        self._left = float(burst)
        self._clock = clock
        self._since = clock()

    def take(self) -> bool:
        """Take one; False if none is left."""
        if not self._rate:
            return True
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._since) * self._rate)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
