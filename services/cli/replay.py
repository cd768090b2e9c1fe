"""``shadda replay``: a match again, move by move."""

from typing import Any

import click
import msgspec

from domain.game import SPECTATOR, Seat, Viewer
from domain.table.events import MatchOpened
from events.envelope import Corrupt
from events.log.verification import verify_stream
from events.subjects import partition_of
from projections.archive import Archive, Entry
from projections.audit import UnknownMatch, Viewed
from projections.replay import AUDIT, Seen, Unfoldable, shown, unfinished
from projections.replay import replay as replay_entries
from services.cli.hands import describe
from services.cli.records import (
    Failed,
    Wrong,
    cipher_of,
    data_option,
    json_option,
    one_line_faults,
    record_look,
    settings_for,
    user_name,
)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The options as they were given."""

    deal: int | None
    seat: int | None
    spectator: bool
    audit: bool
    reason: str
    to: int | None
    data: str | None
    as_json: bool


class Record(msgspec.Struct, frozen=True):
    """What can be read of a match: its sound events, what is wrong after them, and the deal that is being played."""

    match: str
    entries: list[Entry]
    damage: str  # empty: none
    playing: int | None  # counted from 1; None: no deal is open


@click.command()
@click.argument("match", metavar="MATCH")
@click.option("--deal", type=click.IntRange(min=1), default=None, metavar="N", help="One deal, counted from 1.")
@click.option("--seat", type=click.IntRange(min=0), default=None, metavar="S", help="As this seat saw it, from 0.")
@click.option("--spectator", is_flag=True, help="As spectators saw it, or would have: what all seats share (default).")
@click.option("--audit", is_flag=True, help="Every card; finished deals only, and the look is recorded.")
@click.option("--reason", default="", metavar="TEXT", help="Why hidden cards are looked at; --audit needs it.")
@click.option("--to", "to", type=click.IntRange(min=1), default=None, metavar="VERSION", help="Stop after it.")
@data_option
@json_option
def replay(match: str, **given: Any) -> None:
    """Show a match again: when, who and why, what, and the table after it. Times are UTC.

    A seat's or a spectator's replay holds what that viewer was sent and nothing else, and its versions count that, as
    the frames of his app did; with --audit they are those of the log. Before a seat's cards or all cards are shown,
    the look is itself recorded, with the name of the user of this computer. No hand that is still being played shows.

    --json prints {"match", "game", "variant", "viewer", "events": [{"version", "at", "actor", "cause", "event",
    "view"?}]}. "at" is in milliseconds since 1970; "viewer" is a seat, "spectator" or "audit"; "view" is there after
    the last event of each step, and an audit's "play" is the game's whole state.

    Exit status 1 if the record is damaged: then only what lies before the damage is shown.
    """
    asked = Asked(**given)
    viewer = _viewer(asked)
    with one_line_faults():
        settings = settings_for(asked.data)
        with Archive(settings.log, cipher_of(settings)) as archive:
            record = _read(archive, match)
        seen, damage = _seen(record, viewer)
        chosen = _chosen(record, seen, viewer, asked)
        if viewer != SPECTATOR and chosen:
            cards = "all" if viewer == AUDIT else f"seat {viewer}"
            look = Viewed(match=match, who=user_name(), why=asked.reason, cards=cards, deal=asked.deal, to=asked.to)
            record_look(settings, look)
    if not chosen and not damage:
        raise Wrong("nothing of the match lies there: see --deal and --to")
    if chosen:
        click.echo(_json(match, chosen, viewer) if asked.as_json else describe(match, chosen, viewer))
    if damage:
        raise Failed(f"{match} is damaged: {damage}")


def _viewer(asked: Asked) -> Viewer:
    if (asked.seat is not None) + asked.spectator + asked.audit > 1:
        raise Wrong("take one of --seat, --spectator and --audit")
    if asked.audit and not asked.reason.strip():
        raise Wrong("--audit shows hidden cards: say why with --reason")
    if asked.audit:
        return AUDIT
    return SPECTATOR if asked.seat is None else Seat(asked.seat)


def _read(archive: Archive, match: str) -> Record:
    """Read a match up to the first version that is not as it was written."""
    if not archive.has(match):
        raise UnknownMatch(match)
    runs = archive.runs(match)
    findings = verify_stream(archive.log(partition_of(match)), match)
    first = findings[0].version if findings else None
    damage = f"version {first}: {findings[0].what}" if findings else ""
    entries: list[Entry] = []
    for stored in archive.stored(match):
        if first is not None and stored.version >= first:
            break
        try:
            entries.append(archive.entry(stored))
        except Corrupt as fault:
            damage = f"version {fault.version}: {fault.what}"
            break
    try:
        playing = unfinished(entries) if runs else None
    except Unfoldable as fault:
        raise Failed(f"{match} is damaged: {damage or f'version 1: {fault}'}") from fault
    return Record(match, entries, damage, playing)


def _seen(record: Record, viewer: Viewer) -> tuple[list[Seen], str]:
    """Return what the viewer was told, as far as it can be folded, and what is wrong after it."""
    opened = record.entries[0].event if record.entries else None
    if isinstance(opened, MatchOpened) and viewer >= len(opened.seats):
        raise Wrong(f"the match has seats 0 to {len(opened.seats) - 1}")
    seen: list[Seen] = []
    try:
        seen.extend(replay_entries(record.entries, viewer))
    except Unfoldable as fault:
        return seen, record.damage or str(fault)
    return seen, record.damage


def _chosen(record: Record, seen: list[Seen], viewer: Viewer, asked: Asked) -> list[Seen]:
    """Return the events that were asked for; refuse hidden cards of a deal that is still being played (TBL-31)."""
    deals, deal, to = seen[-1].match.deal if seen else 0, asked.deal, asked.to
    if deal is not None and deal > deals and seen:
        raise Wrong(f"the match has {deals} deals so far; there is no deal {deal}")
    chosen = [one for one in seen if deal in (None, one.match.deal) and (to is None or one.version <= to)]
    playing = record.playing
    if viewer != SPECTATOR and playing is not None and any(one.match.deal >= playing for one in chosen):
        finished = f"; name one of the {playing - 1} before it with --deal" if playing > 1 else ""
        raise Wrong(f"deal {playing} is still being played: its hidden cards are not shown{finished}")
    return chosen


def _json(match: str, chosen: list[Seen], viewer: Viewer) -> str:
    opened = chosen[-1].match.opened
    events = [
        {"version": one.version, "at": one.at, "actor": one.actor, "cause": one.cause, "event": one.event}
        | ({"view": shown(one, viewer)} if one.rests else {})
        for one in chosen
    ]
    who = {AUDIT: "audit", SPECTATOR: "spectator"}.get(viewer, int(viewer))
    document = {"match": match, "game": opened.game, "variant": opened.variant, "viewer": who, "events": events}
    return msgspec.json.encode(document).decode()
