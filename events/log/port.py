"""What a partition asks of its log."""

from collections.abc import Sequence
from typing import Protocol

from events.envelope import Stored


class LogFailed(Exception):
    """The log could not do what was asked.

    Nothing of an append has been acknowledged. It may still be there, if it was the answer of the disk or the server
    that got lost, so the writer builds its state again from the log before it goes on.
    """


class VersionConflict(LogFailed):
    """A place in a stream, or a tracked position, is taken: this process may no longer own the partition."""


class LogUnusable(Exception):
    """There is no log to be had at a place; the text is one clear line that says why."""


class Log(Protocol):
    """One partition's log: streams of events, in one order of positions, written by one process at a time.

    Calls block; services make them in a thread. A log may be used from several threads at once. Every call raises
    :class:`LogFailed` when the disk or the server fails.
    """

    def append(self, events: Sequence[Stored], *, tracked: tuple[str, int] | None = None) -> list[int]:
        """Write all events or none, on disk before it returns; return their positions.

        ``tracked`` (a consumer's name and the position it has dealt with) is written in the same transaction. It
        only ever moves forward. Raises :class:`VersionConflict` if a place in a stream is taken, or if a tracked
        position is not beyond the one kept; :class:`LogFailed` for every other failure.
        """

    def read(self, stream: str, *, after: int = 0, limit: int = 0) -> list[Stored]:
        """Return a stream's events with a version above ``after``, in order; none for an unknown stream.

        ``limit`` is how many to return at most; 0 stands for all.
        """

    def tail(self, after: int, limit: int, *, kinds: Sequence[str] = ()) -> list[Stored]:
        """Return up to ``limit`` events with a position above ``after``, of these kinds or of all, in order."""

    def end(self) -> int:
        """Return the position of the last event, 0 for an empty log."""

    def tracked(self, consumer: str) -> int:
        """Return the position that a consumer has dealt with, 0 if none."""

    def track(self, consumer: str, position: int) -> None:
        """Write a consumer's position on its own; a position not beyond the one kept changes nothing."""

    def open_streams(self) -> list[str]:
        """Return the streams whose last event is not yet written (``Header.last``), oldest first."""

    def streams(self) -> list[str]:
        """Return every stream, oldest first."""

    def close(self) -> None:
        """Let go of files and connections."""
