"""``shadda run``: one service in this process."""

import sys

import click

from events.log.port import LogUnusable
from services.run import SERVICES
from services.run import run as run_service
from services.settings import BadSetting, from_environment


@click.command()
@click.argument("service", type=click.Choice(list(SERVICES)))
def run(service: str) -> None:
    """Run one service, with the settings that `shadda settings` lists, until SIGTERM or Ctrl-C."""
    try:
        run_service(service, from_environment())
    except (BadSetting, LogUnusable) as fault:
        click.echo(f"shadda: {fault}", err=True)
        sys.exit(2)
