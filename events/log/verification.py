"""Proof that a stream is as it was written: its hash chain is followed over every event that is stored.

No key is needed, since the chain runs over what is stored. That a stream's last events, or a whole stream, were taken
away cannot be seen from its chain; that the index of open streams says a stream has ended, and it has not, can.
"""

from typing import Final

import msgspec

from events.envelope import GENESIS, Corrupt, Stored, check, look
from events.log.port import Log, LogFailed

PAGE: Final = 2000  # events read at once
_BELOW_ALL: Final = -(2**63)


class Finding(msgspec.Struct, frozen=True):
    """Something wrong with an event of a stream; ``version`` is its place, counted from 1."""

    version: int
    what: str


def verify_stream(log: Log, stream: str) -> list[Finding]:
    """Follow a stream's chain; return what is wrong with it, the first bad version first, nothing if all is well."""
    walk = _Walk()
    after = 0
    try:
        while page := log.read(stream, after=after, limit=PAGE):
            for stored in page:
                walk.step(stored)
            after = page[-1].version
        if walk.version == 0:
            walk.find(1, "the stream has no event")
        elif not walk.ended and stream not in log.open_streams():
            rest = log.read(stream, after=after)  # it may have gone on, and ended, since it was read
            for stored in rest:
                walk.step(stored)
            if not walk.ended:
                walk.find(walk.version + 1, "the stream has ended, but its last event is missing")
        below = log.read(stream, after=_BELOW_ALL, limit=1)
        if below and below[0].version < 1:
            walk.find(below[0].version, "an event stands where no stream has one")
    except LogFailed as fault:
        walk.find(walk.version + 1, f"the log cannot be read: {fault}")
    return walk.findings


class _Walk:
    """How far a chain has been followed."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.version = 0
        self.ended = False
        self._hash: str | None = GENESIS  # None: that of the event before is not known
        self._position = 0

    def find(self, version: int, what: str) -> None:
        self.findings.append(Finding(version, what))

    def step(self, stored: Stored) -> None:
        """Check the next event that is there."""
        if stored.version != self.version + 1:
            self.find(self.version + 1, _missing(self.version + 1, stored.version - 1))
            self._hash = None
        elif self.ended:
            self.find(stored.version, "the stream had ended before it")
        elif stored.position <= self._position:
            self.find(stored.version, "its position is not after that of the event before it")
        self._position = stored.position
        self.version = stored.version
        previous, self._hash = self._hash, None
        try:
            header, self._hash = look(stored)
            self.ended = self.ended or header.last
            check(stored, previous)
        except Corrupt as fault:
            self.find(stored.version, fault.what)


def _missing(first: int, last: int) -> str:
    return "the event is missing" if first == last else f"the events from here to version {last} are missing"
