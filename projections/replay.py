"""A match again, event by event, as one viewer was told of it, or in full for an auditor.

A seat's or a spectator's replay is the fold of the redacted events, so it cannot show what that viewer was not sent
(TBL-28). His versions count what he was sent, as his frames did; an auditor's are those of the log.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.game import SPECTATOR, AnyGame, Viewer
from domain.games import VERSIONS
from domain.table.events import MatchEnded, MatchOpened, MatchVoided
from domain.table.match import Match, Recorded, begin, evolve
from domain.table.view import MatchView, redact, view
from events.codec import Unknown
from projections.archive import Entry
from projections.reconciliation import recorded

AUDIT: Final = Viewer(-2)  # who sees every card


class Unfoldable(Exception):
    """An event that does not follow from those before it, or that this version cannot read; says which it is."""


class Seen(msgspec.Struct, frozen=True, gc=False):
    """One event as its viewer was told of it, and the match as he then knew it."""

    version: int
    at: int  # milliseconds since 1970
    actor: str
    cause: str
    event: Any
    match: Match
    rests: bool  # the last that he is told of one step, after which he saw the table


def advance(match: Match | None, step: Recorded) -> Match:
    """Fold one event of a match, the first into None; raise :class:`Unfoldable` if it does not go on."""
    if isinstance(step.event, Unknown):
        raise Unfoldable(f"this version of Shadda does not know the kind {step.event.kind}")
    try:
        if match is not None:
            return evolve(match, step)
        return begin(game_of(step.event), step.event, step.at)
    except Unfoldable:
        raise
    except Exception as fault:
        # Whatever a damaged log breaks. Its words may quote cards, so they stay out of the text.
        raise Unfoldable(f"it does not follow from the events before it ({type(fault).__name__})") from fault


def game_of(opened: Any) -> AnyGame:
    """Return the game and rules that a match was opened under; raise :class:`Unfoldable` if they are not known."""
    if not isinstance(opened, MatchOpened):
        raise Unfoldable("a match does not begin with it")
    game = VERSIONS.get((opened.game, opened.rules_version))
    if game is None:
        raise Unfoldable(f"this version of Shadda does not know {opened.game} under rules {opened.rules_version}")
    return game


def _game(entries: Sequence[Entry]) -> AnyGame:
    if not entries:
        raise Unfoldable("the match has no event that can be read")
    return game_of(entries[0].event)


def step_of(entry: Entry) -> Recorded:
    """Return an event as the fold takes it; raise :class:`Unfoldable` for a cause that this version does not know."""
    try:
        return recorded(entry.header, entry.event)
    except ValueError as fault:
        raise Unfoldable("this version of Shadda does not know its cause") from fault


def replay(entries: Sequence[Entry], viewer: Viewer) -> Iterator[Seen]:
    """Yield what a seat, ``SPECTATOR`` or ``AUDIT`` was told of a match; raise :class:`Unfoldable` where it breaks."""
    game = _game(entries)
    told = list(_told(game, entries, viewer))
    match: Match | None = None
    for place, (number, version, step) in enumerate(told):
        match = advance(match, step)
        rests = place + 1 == len(told) or told[place + 1][0] != number
        yield Seen(version, step.at, step.actor, step.cause.value, step.event, match, rests)


def _told(game: AnyGame, entries: Iterable[Entry], viewer: Viewer) -> Iterator[tuple[int, int, Recorded]]:
    """Yield what a viewer was told, each with the number of its step and its version for him."""
    number, version = 0, 0
    before: tuple[int, str] | None = None
    for entry in entries:
        header = entry.header
        if (header.at, header.command) != before:
            number += 1
        before = (header.at, header.command)
        step = step_of(entry)
        if viewer == AUDIT:
            yield number, header.version, step
            continue
        # What an unknown kind would have shown him is not known either; the fold stops at it.
        seen = entry.event if isinstance(entry.event, Unknown) else redact(game, entry.event, viewer)
        if seen is not None:
            version += 1
            yield number, version, replace(step, event=seen)


def shown(seen: Seen, viewer: Viewer) -> MatchView:
    """Return the table as the viewer saw it after an event; an auditor's ``play`` is the game's whole state."""
    if viewer == AUDIT:
        return replace(view(seen.match, SPECTATOR), play=seen.match.game.canonical(seen.match.play))
    return view(seen.match, viewer)


def unfinished(entries: Sequence[Entry]) -> int | None:
    """Return the deal that is still being played, counted from 1, or None: all that were dealt are over."""
    game = _game(entries)
    deal, open_now = 0, False
    for entry in entries:
        if isinstance(entry.event, MatchEnded | MatchVoided):
            return None
        kind = entry.header.kind
        if kind in game.opens_deal:
            deal, open_now = deal + 1, True
        elif kind in game.closes_deal:
            open_now = False
    return deal if open_now else None
