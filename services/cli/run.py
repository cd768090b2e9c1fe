"""``shadda run``: one service in this process."""

import sys
from collections.abc import Iterator

import click

from events.envelope import Corrupt
from events.log.port import LogUnusable
from services.bus import BusUnusable
from services.run import SERVICES
from services.run import run as run_service
from services.settings import BadSetting, from_environment


def _flat(group: BaseExceptionGroup[Exception]) -> Iterator[Exception]:
    """Yield the faults of a group, whatever groups they came in."""
    for fault in group.exceptions:
        if isinstance(fault, BaseExceptionGroup):
            yield from _flat(fault)
        else:
            yield fault


@click.command()
@click.argument("service", type=click.Choice(list(SERVICES)))
def run(service: str) -> None:
    """Run one service, with the settings that `shadda settings` lists, until SIGTERM or Ctrl-C."""
    try:
        run_service(service, from_environment())
    except* (BadSetting, LogUnusable, BusUnusable, Corrupt) as faults:
        fault = next(one for one in _flat(faults))
        more = "; `shadda verify --all` says more" if isinstance(fault, Corrupt) else ""
        click.echo(f"shadda: {fault}{more}", err=True)
        sys.exit(2)
