"""``shadda streams``: what an operator declares on the bus, once."""

import asyncio
import sys

import click
import nats.errors

from services.bus import declare_streams, wait_for
from services.settings import BadSetting, from_environment


@click.command()
def streams() -> None:
    """Declare the stream of facts on the NATS server of SHADDA_NATS_URL; what is there already stays as it is."""
    try:
        url = from_environment().nats_url
        asyncio.run(_declare(url))
    except BadSetting as fault:
        click.echo(f"shadda: {fault}", err=True)
        sys.exit(2)
    except (ConnectionError, nats.errors.Error) as fault:
        click.echo(f"shadda: {fault}", err=True)
        sys.exit(1)
    click.echo("the stream of facts is declared")


async def _declare(url: str) -> None:
    await wait_for(url, 5)
    await declare_streams(url)
