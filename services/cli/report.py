"""``shadda report``: what operators hand on."""

import hashlib
import sys
from collections.abc import Sequence
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from domain.journal.events import LedgerEvent, MatchRecorded, MatchStarted
from projections.archive import Archive
from projections.audit import UnknownMatch, reconcile
from projections.periods import moment, zone_of
from projections.reconciliation import Difference
from projections.report import FORMATS, render
from projections.settlement import Row, Settlements
from services.cli.records import Wrong, cipher_of, data_option, now_ms, one_line_faults, progress, settings_for

ALL_FORMATS: Final = ("table", "csv", "json", "xlsx", "beancount")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The options as they were given."""

    since: str | None
    until: str | None
    zone: str
    match: str
    player: str
    names: bool
    form: str
    out: Path | None
    data: str | None


class Wanted(msgspec.Struct, frozen=True):
    """What a report is about. Times are milliseconds since 1970; the end is left out."""

    since: int | None
    until: int | None
    match: str
    player: str

    def has(self, record: MatchRecorded) -> bool:
        """Say whether a match that is over is in it."""
        return (
            (self.since is None or record.ended >= self.since)
            and (self.until is None or record.ended < self.until)
            and self.match in ("", record.match)
            and (not self.player or self.player in record.players)
        )


@click.group()
def report() -> None:
    """Reports from the ledger."""


@report.command()
@click.option("--from", "since", metavar="T", default=None, help="Matches that ended at or after T.")
@click.option("--to", "until", metavar="T", default=None, help="Matches that ended before T; a day is included whole.")
@click.option("--tz", "zone", metavar="ZONE", default="UTC", show_default=True, help="The zone of all times.")
@click.option("--match", "match", metavar="M", default="", help="One match.")
@click.option("--player", metavar="P", default="", help="One player.")
@click.option("--names", is_flag=True, help="Players' names beside their ids.")
@click.option("--format", "form", type=click.Choice(ALL_FORMATS), default="table", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FILE", help="Write it into a file.")
@data_option
def settlement(**given: Any) -> None:
    """Report what every staker put into every match that is over, and what he got back.

    T is a date or a date and time, in the zone. Amounts are minor units. The digest, under a table and in JSON, is
    the SHA-256 of the same rows as CSV in UTC. Differences between the ledger and the tables' logs are listed on
    standard error, and in JSON under "differences".

    Exit status 0 if there is no difference, 1 if there are some, 2 for wrong input.
    """
    asked = Asked(**given)
    if asked.form not in FORMATS:
        raise Wrong(f"--format {asked.form} is not available in this version; take one of {', '.join(FORMATS)}")
    if asked.names:
        raise Wrong("--names is not available in this version: players are kept by their ids alone")
    zone, wanted = _wanted(asked)
    with one_line_faults(), progress("comparing with the tables' logs") as told:
        settings = settings_for(asked.data)
        with Archive(settings.log, cipher_of(settings)) as archive:
            ledger = archive.ledger()
            if asked.match and not archive.has(asked.match) and not any(_is_of(one, asked.match) for one in ledger):
                raise UnknownMatch(asked.match)
            found = reconcile(archive, ledger, _to_compare(archive, ledger, wanted), now=now_ms(), told=told)
    rows = Settlements(ledger).rows(since=wanted.since, until=wanted.until, match=wanted.match, player=wanted.player)
    _write(_text(rows, asked.form, zone, found), asked.out)
    for one in found:
        click.echo(f"difference: {one.match}: {one.what}", err=True)
    sys.exit(1 if found else 0)


def _wanted(asked: Asked) -> tuple[tzinfo, Wanted]:
    try:
        zone = zone_of(asked.zone)
        since = None if asked.since is None else moment(asked.since, zone)
        until = None if asked.until is None else moment(asked.until, zone, end=True)
    except ValueError as fault:
        raise Wrong(str(fault)) from fault
    return zone, Wanted(since, until, asked.match, asked.player)


def _is_of(event: LedgerEvent, match: str) -> bool:
    return isinstance(event, MatchStarted | MatchRecorded) and event.match == match


def _to_compare(archive: Archive, ledger: Sequence[LedgerEvent], wanted: Wanted) -> list[str]:
    """Return the matches to compare with the ledger: those in the report, and those of which it knows no end."""
    over = {event.match: event for event in ledger if isinstance(event, MatchRecorded)}
    if wanted.match:
        return [wanted.match]
    unknown = [match for match in archive.matches() if match not in over]
    return [*(match for match, record in over.items() if wanted.has(record)), *unknown]


def _text(rows: Sequence[Row], form: str, zone: tzinfo, found: Sequence[Difference]) -> str:
    text = render(rows, form, zone)
    digest = hashlib.sha256(render(rows, "csv", UTC).encode()).hexdigest()
    if form == "json":
        document = msgspec.json.decode(text) | {"digest": f"sha256:{digest}", "differences": found}
        return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
    return f"{text}sha256 {digest}\n" if form == "table" else text


def _write(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        out.write_bytes(text.encode())
    except OSError as fault:
        raise Wrong(f"{out} cannot be written: {fault.strerror}") from fault
