"""A replay as a person reads it: a line for each event, and under it what has changed on the table."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from domain.cards import BACK
from domain.game import SPECTATOR, Viewer
from domain.table.match import Match
from domain.table.view import MatchView
from events.codec import kind_of
from projections.replay import AUDIT, Seen, shown

WIDTH: Final = 118
INDENT: Final = " " * 15
VALUES_MAX: Final = 16  # of one field on an event's line; longer ones are seen on the table
_NOT_TABLE: Final = ("legal", "seat", "seconds", "salts")  # of a view: for the app, or the same all along

_TABLE_TEXTS: Final = {
    "table.match_opened.v1": "The match is opened",
    "table.connection_lost.v1": "The connection is lost",
    "table.connection_restored.v1": "The connection is there",
    "table.timed_out.v1": "The time is up",
    "table.went_away.v1": "The player is away: the system acts for the seat",
    "table.came_back.v1": "The player is back",
    "table.bot_seated.v1": "A bot takes the seat",
    "table.seat_taken_back.v1": "The player has his seat back",
    "table.player_left.v1": "The player leaves the match",
    "table.clock_extended.v1": "The clock is extended: the table was out of service",
    "table.match_ended.v1": "The match has ended",
    "table.match_voided.v1": "The match is called off; every stake goes back",
}


def describe(match: str, chosen: Sequence[Seen], viewer: Viewer) -> str:
    """Return a replay as text without a closing line break."""
    return "\n".join(_lines(match, chosen, viewer))


def _lines(match: str, chosen: Sequence[Seen], viewer: Viewer) -> Iterator[str]:
    yield from _heading(match, chosen[0].match, viewer)
    deal: int | None = None
    before: dict[str, Any] = {}
    for seen in chosen:
        if seen.match.deal != deal:
            deal = seen.match.deal
            yield ""
            yield f"{f'Deal {deal}' if deal else 'Before the first deal'}   {_time(seen.at, '%Y-%m-%d %H:%M:%S')} UTC"
        yield from _wrapped("", _line(seen), INDENT)
        if seen.rests:
            view = shown(seen, viewer)
            after = msgspec.to_builtins(view.play)
            yield from _table(before, after)
            before = after
            yield from _end(view, seen.match.game.unit)


def _heading(match: str, at_first: Match, viewer: Viewer) -> Iterator[str]:
    opened, game = at_first.opened, at_first.game
    who = {AUDIT: "with every card", SPECTATOR: "as spectators see it"}.get(viewer, f"as seat {viewer} saw it")
    title = game.texts.get(f"variant.{opened.variant}", game.texts["game"])[0]
    yield f"{title} ({opened.game} {opened.variant}, rules {opened.rules_version})   match {match}   {who}"
    holders = (f"{seat} {one.player}{' (bot)' if one.bot else ''}" for seat, one in enumerate(opened.seats))
    yield f"seats    {'   '.join(holders)}"
    stakers = sum(one.staker for one in opened.seats)
    if opened.stake:
        yield f"stake    {opened.stake}   pot {opened.stake * stakers}   commission {opened.rake_bps / 100:g} %"
    options = "   ".join(f"{name} {_value(value)}" for name, value in opened.options.items())
    yield from _wrapped("options  ", options, " " * 9)


def _line(seen: Seen) -> str:
    """Return the line of one event: time, version, who and why, what."""
    kind = kind_of(seen.event)
    texts = seen.match.game.texts
    text = _TABLE_TEXTS.get(kind) or texts.get(f"event.{kind}", (kind.split(".")[1].replace("_", " "),))[0]
    fields = {} if kind == "table.match_opened.v1" else _fields(seen.event)
    said = ", ".join(f"{name} {_value(value)}" for name, value in fields.items())
    return f"{_time(seen.at, '%H:%M:%S')} {seen.version:5}  {_who(seen):<24} {text}{f': {said}' if said else ''}"


def _fields(event: Any) -> dict[str, Any]:
    """Return the fields of an event that tell something and are short enough for a line."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    del fields["kind"]
    return {
        name: value
        for name, value in fields.items()
        if (leaves := list(_leaves(value))) and len(leaves) <= VALUES_MAX and set(leaves) != {BACK}
    }


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part)
    elif value not in (None, ""):
        yield value


def _who(seen: Seen) -> str:
    """Return who acted and, where it was not he himself, for what cause."""
    seat = seen.match.seat_of(seen.actor)
    name = seen.actor if seat is None else f"{seat} {seen.actor}"
    if seen.cause in ("player", seen.actor):
        return name
    return seen.cause if name == "system" else f"{name} ({seen.cause})"


def _table(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Return the lines of what has changed on the table."""
    changes = [
        f"{name} {_change(before.get(name), value)}"
        for name, value in after.items()
        if name not in _NOT_TABLE and value != before.get(name) and (before or _tells(value))
    ]
    if changes:
        yield from _wrapped(INDENT, " · ".join(changes), INDENT)


def _tells(value: Any) -> bool:
    return any(leaf not in (0, False, "") for leaf in _leaves(value))


def _change(before: Any, after: Any) -> str:
    """Return a value; of a record that grows only what is new."""
    if not (isinstance(before, list | tuple) and isinstance(after, list | tuple)):
        return _value(after)
    grows = 0 < len(before) < len(after) and isinstance(after[-1], dict)
    if grows and after[: len(before)] == before:
        return f"+ {_value(after[len(before) :])}"
    return _value(after)


def _end(view: MatchView, unit: int) -> Iterable[str]:
    """Return how the match ended, once it has: points as people count them, money in minor units."""
    if view.end is None:
        return
    yield ""
    if view.end.voided:
        yield f"called off: {view.end.voided}"
        return
    for seat, held in enumerate(view.seats):
        points = f"{view.end.totals[seat] / unit:g} points"
        money = f"   {view.end.payouts[seat]} paid out" if view.stake else ""
        yield f"place {view.end.places[seat]}   {seat} {held.player:<20} {points}{money}"


def _value(value: Any) -> str:
    """Return a value in a few characters: cards by spaces, seats' lists by bars."""
    match value:
        case None | "" | [] | ():
            return "-"
        case bool():
            return "yes" if value else "no"
        case dict():
            return " ".join(f"{name} {_value(part)}" for name, part in value.items() if part not in (None, ""))
        case list() | tuple():
            nested = any(isinstance(part, list | tuple | dict) for part in value)
            return (" | " if nested else " ").join(_value(part) for part in value)
    return str(value)


def _wrapped(first: str, text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _time(at: int, form: str) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime(form)
