"""Gaps in the facts of a partition: when to ask its table service to send them again, and how often."""

from events import subjects
from events.messages import ResendFacts, encode
from services.core import Ask

PAUSE_MS = 1_000  # what was asked for gets this long to arrive before it is asked for again


class Gaps:
    """Partitions of which a later fact is known than the last that could be applied."""

    __slots__ = ("_asked", "_seen")

    def __init__(self) -> None:
        """Begin without any."""
        self._seen: dict[str, int] = {}  # the highest position that was seen, of partitions with a gap
        self._asked: dict[str, int] = {}  # when the facts were last asked for, in milliseconds

    def found(self, partition: str, position: int, after: int, now: int) -> tuple[Ask, ...]:
        """Note a fact at a position that cannot be applied yet; return what to ask, once in a while."""
        self._seen[partition] = max(position, self._seen.get(partition, 0))
        if partition in self._asked and now - self._asked[partition] < PAUSE_MS:
            return ()
        return (self.ask(partition, after, now),)

    def ask(self, partition: str, after: int, now: int) -> Ask:
        """Return the request for a partition's facts after a position."""
        if partition in self._seen:
            self._asked[partition] = now
        return Ask(f"resend.{partition}", subjects.table(partition), encode(ResendFacts(after)))

    def reached(self, partition: str, position: int) -> None:
        """Note how far the facts were applied; the gap is closed when nothing later is known."""
        if self._seen.get(partition, 0) <= position:
            self._seen.pop(partition, None)
            self._asked.pop(partition, None)

    def due(self) -> int | None:
        """Return when to ask again, in milliseconds, or None if there is no gap."""
        return min(self._asked.values()) + PAUSE_MS if self._asked else None

    def overdue(self, now: int) -> list[str]:
        """Return the partitions to ask again."""
        return [partition for partition, asked in self._asked.items() if now - asked >= PAUSE_MS]
