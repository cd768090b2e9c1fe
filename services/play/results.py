"""What a played match came to, read from the records it left."""

from collections.abc import Sequence
from typing import Any

import msgspec

from domain.game import AnyGame
from domain.games import GAMES
from domain.journal.events import LEDGER, LEDGER_EVENTS
from domain.table.events import MatchEnded
from events.codec import Codec
from events.envelope import Cipher
from events.log.opening import open_log
from events.subjects import partition_of
from projections.audit import verify
from projections.balances import Balances
from services.table.core import codec
from services.tokens import is_bot
from services.worker import Journal


class Place(msgspec.Struct, frozen=True):
    """Where a backend keeps its records."""

    log: str
    cipher: Cipher | None = None


class SeatResult(msgspec.Struct, frozen=True):
    """Who held a seat."""

    player: str
    kind: str  # human or bot


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """One match. Totals are in the game's points, amounts in minor units."""

    match: str
    game: str
    variant: str
    rules_version: int
    deals: int
    totals: list[float]
    team_totals: list[float] | None
    places: list[int]
    seats: list[SeatResult]
    stake: int
    pot: int
    rake: int
    payouts: dict[str, int]
    moves: int | None  # commands of players, bots and the clock; not known of another's backend
    events: int | None
    seconds: float | None


class Ledger(msgspec.Struct, frozen=True):
    """The books after it."""

    balanced: bool
    accounts: int
    postings: int


def result_of(view: dict[str, Any], where: Place | None) -> MatchResult:
    """Return a match's result from its last view, and from the log at ``where`` what a view does not show."""
    end, game = view["end"], GAMES[view["game"]]
    rake, moves, events, seconds = (0, None, None, None) if where is None else _recorded(where, view["match"])
    nothing = [0] * len(view["seats"])  # of a match that was called off
    payouts = end["payouts"] or nothing
    teams = end["team_totals"]
    return MatchResult(
        match=view["match"],
        game=view["game"],
        variant=view["variant"],
        rules_version=view["rules_version"],
        deals=view["deal"],
        totals=_points(game, end["totals"] or nothing),
        team_totals=None if teams is None else _points(game, teams),
        places=end["places"] or nothing,
        seats=[SeatResult(s["player"], "bot" if is_bot(s["player"]) else "human") for s in view["seats"]],
        stake=view["stake"],
        pot=view["pot"],
        rake=rake,
        payouts={s["player"]: paid for s, paid in zip(view["seats"], payouts, strict=True) if s["staker"]},
        moves=moves,
        events=events,
        seconds=seconds,
    )


def _points(game: AnyGame, totals: Sequence[int]) -> list[float]:
    return [total / game.unit if game.unit > 1 else total for total in totals]


def _recorded(where: Place, match: str) -> tuple[int, int, int, float]:
    """Return rake, moves, events and seconds of a match from its log."""
    log = open_log(where.log, partition_of(match), create=False)
    try:
        stream = Journal(log, codec(), where.cipher).read(match)
    finally:
        log.close()
    first, last = stream[0][0].header, stream[-1][0].header
    moves = {(one.header.at, one.header.actor, one.header.command) for one, _ in stream if one.header.actor != "system"}
    ended = stream[-1][1]
    rake = ended.rake if isinstance(ended, MatchEnded) else 0
    return rake, len(moves), len(stream), round((last.at - first.at) / 1000, 3)


def ledger_of(where: Place) -> Ledger:
    """Return what the books at a place come to."""
    log = open_log(where.log, "scoring", create=False)
    try:
        journal = Journal(log, Codec(LEDGER_EVENTS), where.cipher)
        balances = Balances(event for _, event in journal.read(LEDGER))
    finally:
        log.close()
    return msgspec.convert(balances.summary(), Ledger)


def verified(where: Place, matches: Sequence[str]) -> bool:
    """Say whether the records of these matches hold up, as ``shadda verify`` finds."""
    return verify(where.log, matches, where.cipher).ok
