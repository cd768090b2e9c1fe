"""The shape that table, lobby and scoring share: a core that decides, and a worker that commits and delivers.

A core is a plain object without clock, disk or network. It is told of requests and of time, changes its state at once,
and returns :class:`Decision` values. The worker (:mod:`services.worker`) takes what is queued, collects the decisions,
commits their drafts in one transaction and only then answers and publishes. Should the commit fail, nothing has been
answered or shown, and the core is thrown away and built again from the log.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from events.messages import Reply


class Draft(msgspec.Struct, frozen=True, gc=False):
    """An event to be stored; the worker gives it its version and its place in the chain."""

    stream: str
    event: Any
    at: int
    actor: str = "system"
    cause: str = "system"
    command: str = ""
    deadline: int = 0
    state: str = ""
    last: bool = False


class Message(msgspec.Struct, frozen=True, gc=False):
    """Something to publish after the commit; losing it loses nothing, as it can be made again from the log."""

    subject: str
    body: bytes


class Ask(msgspec.Struct, frozen=True):
    """A request to another service, sent after the commit and until it is answered.

    The answer comes back to the core as an :class:`Answered` with the same key. The core must ask again after a
    restart for whatever it still waits for (:meth:`Core.wake`), so what is asked must be idempotent.
    """

    key: str
    subject: str
    body: bytes


class Answered(msgspec.Struct, frozen=True):
    """The answer to an :class:`Ask`."""

    key: str
    reply: Reply


class Decision(msgspec.Struct):
    """What one request, or the passing of time, led to."""

    drafts: Sequence[Draft] = ()
    reply: Reply | None = None
    messages: Sequence[Message] = ()
    asks: Sequence[Ask] = ()
    tracked: tuple[str, int] | None = None  # a consumer's position, committed with the drafts
    effect: Any = None  # for the worker's owner alone: called after the commit without arguments


class Core(Protocol):
    """What the worker asks of a service's rules."""

    def handle(self, request: Any, now: int) -> Decision:
        """Decide on a request. ``now`` is in milliseconds since 1970. Never raises for anything a user can send."""

    def due(self) -> int | None:
        """Return when :meth:`tick` has something to do next, in milliseconds, or None."""

    def tick(self, now: int) -> Sequence[Decision]:
        """Do what has become due."""

    def wake(self, now: int) -> Sequence[Decision]:
        """Go on after the core was built from its log: ask again, show again, move deadlines."""
