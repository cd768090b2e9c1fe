"""``shadda verify``: proof that the record of matches and money is whole."""

import sys
from collections.abc import Iterable

import click
import msgspec

from events.log.verification import Finding
from projections.audit import Report
from projections.audit import verify as verify_records
from services.cli.records import (
    Wrong,
    cipher_of,
    data_option,
    json_option,
    now_ms,
    one_line_faults,
    progress,
    settings_for,
)


@click.command()
@click.argument("matches", nargs=-1, metavar="MATCH…")
@click.option("--all", "everything", is_flag=True, help="Every match, the ledger and every other stream.")
@data_option
@json_option
def verify(matches: tuple[str, ...], data: str | None, *, everything: bool, as_json: bool) -> None:
    """Prove that matches are as they were played and settled.

    Follows the hash chain of each match over its bytes as stored, folds it again, compares the state hash of every
    deal, and compares the settlement that follows from the match's log with the ledger. Names the first bad version.

    With --all the chains of the ledger and the lobby are followed too; --json then has them under "streams".

    Exit status 0 if all is well, 1 on any finding, 2 for a log or a match that is not there.
    """
    if everything == bool(matches):
        raise Wrong("name matches, or give --all")
    with one_line_faults(), progress("verifying") as told:
        settings = settings_for(data)
        report = verify_records(
            settings.log, None if everything else matches, cipher_of(settings), now=now_ms(), told=told
        )
    if as_json:
        document = msgspec.to_builtins(report)
        if not everything:
            del document["streams"]
        click.echo(msgspec.json.encode(document).decode())
    else:
        _print(report)
    sys.exit(0 if report.ok else 1)


def _print(report: Report) -> None:
    for checked in report.matches:
        _line(checked.match, checked.events, checked.findings)
    for chain in report.streams:
        _line(f"{chain.partition}: {chain.stream}", chain.events, chain.findings)
    bad = sum(not one.ok for one in report.matches) + sum(not one.ok for one in report.streams)
    events = sum(one.events for one in report.matches) + sum(one.events for one in report.streams)
    streams = f", {len(report.streams)} other streams" if report.streams else ""
    verdict = "all is well" if report.ok else f"{bad} with findings"
    click.echo(f"{len(report.matches)} matches{streams}, {events} events: {verdict}")


def _line(name: str, events: int, findings: Iterable[Finding]) -> None:
    found = list(findings)
    click.echo(f"{'BAD' if found else 'ok '} {name}  {events} events")
    for finding in found:
        click.echo(f"    version {finding.version}: {finding.what}")
