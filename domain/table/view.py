"""What one seat, or a spectator, may see of a match: built by allow-list from nothing (TBL-28)."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.game import SPECTATOR, AnyGame, Viewer
from domain.table.events import ConnectionRestored, MatchOpened, MatchVoided
from domain.table.match import Match


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """One seat as everybody at the table sees it."""

    player: str
    bot: bool  # a bot acts for it now
    staker: bool
    away: bool
    lost_until: int  # while its player's line is lost: when a bot takes over (milliseconds); 0: connected


class EndView(msgspec.Struct, frozen=True, gc=False):
    """How the match ended."""

    voided: str = ""  # why, if it was called off
    places: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    team_totals: tuple[int, ...] | None = None
    payouts: tuple[int, ...] = ()


class MatchView(msgspec.Struct, frozen=True, gc=False):
    """A match as one viewer sees it. Times are milliseconds since 1970; amounts are minor units."""

    game: str
    variant: str
    rules_version: int
    seat: int | None  # the viewer's own; None for a spectator
    seats: tuple[SeatView, ...]
    deal: int
    deadline: int  # of the wait that is on; 0: no clock runs
    stake: int
    pot: int
    rake_bps: int
    pace: str
    play: Any  # the game's own view, with the viewer's legal commands
    end: EndView | None


def view(match: Match, viewer: Viewer) -> MatchView:
    """Return what a viewer may see of the match as it stands."""
    return views(match, (viewer,))[0]


def views(match: Match, viewers: Sequence[Viewer]) -> list[MatchView]:
    """Return what each of several viewers may see; the table's part, which all see alike, is made once."""
    common = _common(match)
    plays = match.game.views(match.play, viewers)
    return [
        replace(common, seat=None if viewer == SPECTATOR else viewer, play=play)
        for viewer, play in zip(viewers, plays, strict=True)
    ]


def _common(match: Match) -> MatchView:
    opened = match.opened
    prompt, clock = match.prompt, match.clock
    ticking = prompt is not None and clock is not None and clock.number == prompt.number
    return MatchView(
        opened.game,
        opened.variant,
        opened.rules_version,
        None,
        tuple([SeatView(held.player, bool(held.bot), held.staker, held.away, held.lost_until) for held in match.seats]),
        match.deal,
        clock.deadline if ticking and clock is not None else 0,
        opened.stake,
        opened.stake * sum([held.staker for held in match.seats]),
        opened.rake_bps,
        match.pace,
        None,
        _end(match),
    )


def _end(match: Match) -> EndView | None:
    ended = match.ended
    if ended is None:
        return None
    if isinstance(ended, MatchVoided):
        return EndView(voided=ended.reason)
    return EndView("", ended.places, ended.totals, ended.team_totals, ended.payouts)


def redact(game: AnyGame, event: Any, viewer: Viewer) -> Any | None:
    """Return an event as a viewer may be told of it, or None; an untouched event comes back as the same object."""
    if not event.__struct_config__.tag.startswith("table."):
        return game.redact(event, viewer)
    if isinstance(event, ConnectionRestored):
        return replace(event, epoch="")
    if isinstance(event, MatchOpened):
        return replace(event, ordinal=0)
    return event
