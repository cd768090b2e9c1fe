"""What a played match came to, read from the records it left."""

from collections.abc import Sequence
from typing import Any

import msgspec

from domain.games import GAMES
from domain.journal.events import LEDGER, LEDGER_EVENTS
from domain.table.events import MatchEnded
from events.codec import Codec
from events.log.opening import open_log
from events.subjects import partition_of
from projections.balances import Balances
from services.play.session import Plan
from services.table.core import codec
from services.worker import Journal


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


def result_of(plan: Plan, view: dict[str, Any], where: str | None) -> MatchResult:
    """Return a match's result from its last view, and from the log at ``where`` what a view does not show."""
    end, game = view["end"], GAMES[view["game"]]
    people = set(plan.players)
    rake, moves, events, seconds = (0, None, None, None) if where is None else _recorded(where, view["match"])
    points = [total / game.unit if game.unit > 1 else total for total in end["totals"]]
    teams = end["team_totals"]
    return MatchResult(
        match=view["match"],
        game=view["game"],
        variant=view["variant"],
        rules_version=view["rules_version"],
        deals=view["deal"],
        totals=points,
        team_totals=None if teams is None else [total / game.unit if game.unit > 1 else total for total in teams],
        places=end["places"],
        seats=[SeatResult(s["player"], "human" if s["player"] in people else "bot") for s in view["seats"]],
        stake=view["stake"],
        pot=view["pot"],
        rake=rake,
        payouts={s["player"]: paid for s, paid in zip(view["seats"], end["payouts"], strict=True) if s["staker"]},
        moves=moves,
        events=events,
        seconds=seconds,
    )


def _recorded(where: str, match: str) -> tuple[int, int, int, float]:
    """Return rake, moves, events and seconds of a match from its log."""
    log = open_log(where, partition_of(match), create=False)
    try:
        stream = Journal(log, codec()).read(match)
    finally:
        log.close()
    first, last = stream[0][0].header, stream[-1][0].header
    moves = {(one.header.at, one.header.actor, one.header.command) for one, _ in stream if one.header.actor != "system"}
    ended = stream[-1][1]
    rake = ended.rake if isinstance(ended, MatchEnded) else 0
    return rake, len(moves), len(stream), round((last.at - first.at) / 1000, 3)


def ledger_of(where: str) -> Ledger:
    """Return what the books at a place come to."""
    log = open_log(where, "scoring", create=False)
    try:
        balances = Balances(event for _, event in Journal(log, Codec(LEDGER_EVENTS)).read(LEDGER))
    finally:
        log.close()
    return msgspec.convert(balances.summary(), Ledger)


def verified(where: str, matches: Sequence[str]) -> bool:
    """Say whether the records of these matches hold up, as ``shadda verify`` finds."""
    from projections.audit import verify

    return verify(where, matches).ok
