"""Events of the ledger. The tags and fields are stored for ever: add, never rename or reuse.

Amounts are minor units; times are milliseconds since 1970, UTC. An event that a table's fact led to carries the fact's
place (:class:`Source`), so that the movement and the place reached are written together or not at all.
"""

from enum import StrEnum
from typing import Final

import msgspec

LEDGER: Final = "ledger"  # the one stream of the scoring partition


class What(StrEnum):
    """Why money moved."""

    DEPOSIT = "deposit"  # issuance to player
    WITHDRAWAL = "withdrawal"  # player to issuance
    HOLD = "hold"  # player to held (TBL-19)
    RELEASE = "release"  # held to player: the match did not open
    POT = "pot"  # held to pot: the match opened
    UNFUNDED = "unfunded"  # the match opened without its stakes; what was held goes back
    SETTLEMENT = "settlement"  # pot to players and house (TBL-21 to TBL-24)
    REFUND = "refund"  # pot to players: the match was called off (TBL-24)
    CORRECTION = "correction"  # a new entry that mends an older one


class Posting(msgspec.Struct, frozen=True, gc=False):
    """One side of an entry: an amount above zero goes into the account, one below zero comes out of it."""

    account: str
    amount: int


class Source(msgspec.Struct, frozen=True, gc=False):
    """The fact that led to an event: its partition and its position there."""

    partition: str
    position: int


class Posted(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="scoring.posted.v1"):
    """An entry of the journal. Its postings sum to zero.

    ``key`` is never used again; ``content`` is the hash of what was asked for under it (R-37).
    """

    key: str
    what: str  # a What
    postings: tuple[Posting, ...]
    content: str
    match: str = ""
    source: Source | None = None


class MatchStarted(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="kind", tag="scoring.match_started.v1"
):
    """A match has opened. Tuples are by seat; ``rake_bps`` is the commission in force for it (R-42)."""

    match: str
    game: str
    variant: str
    at: int
    players: tuple[str, ...]
    bots: tuple[bool, ...]
    stakers: tuple[bool, ...]
    stake: int
    rake_bps: int
    room: str
    source: Source


class MatchRecorded(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="kind", tag="scoring.match_recorded.v1"
):
    """A match is over: how it ended and what everybody got. Tuples are by seat.

    ``settled`` is false if the pot that the table divided is not the one in the books: then nothing was paid. A match
    that was called off has a reason in ``voided`` and no places or totals.
    """

    match: str
    game: str
    variant: str
    started: int
    ended: int
    players: tuple[str, ...]
    bots: tuple[bool, ...]
    stakers: tuple[bool, ...]
    stake: int
    rake_bps: int
    pot: int
    rake: int
    payouts: tuple[int, ...]
    settled: bool
    source: Source
    places: tuple[int, ...] = ()  # best is 1
    totals: tuple[int, ...] = ()  # in the units of the table's log
    team_totals: tuple[int, ...] | None = None
    forfeit: int | None = None
    voided: str = ""
    room: str = ""


class FactSeen(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="scoring.fact_seen.v1"):
    """A fact moved nothing. ``fault`` says why, if it should have moved something."""

    source: Source
    fact: str  # its kind
    match: str
    fault: str = ""


LedgerEvent = Posted | MatchStarted | MatchRecorded | FactSeen

LEDGER_EVENTS: Final[tuple[type[LedgerEvent], ...]] = (Posted, MatchStarted, MatchRecorded, FactSeen)
