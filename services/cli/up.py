"""``shadda up``: a whole backend on this machine."""

import asyncio
import signal
import sys
from pathlib import Path

import click
from msgspec.structs import replace

from events.log.port import LogUnusable
from services.backend import Unusable, backend
from services.processes import NotStarted
from services.settings import BadSetting, from_environment

GUEST_MONEY = 10_000


@click.command()
@click.option("--data", type=click.Path(path_type=Path), default=Path(".shadda"), show_default=True, help="The folder.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes any free one.")
def up(data: Path, port: int) -> None:
    """Run NATS and every service on this machine, over one data folder, until Ctrl-C."""
    try:
        sys.exit(asyncio.run(_up(data, port)))
    except (Unusable, LogUnusable, NotStarted, BadSetting) as fault:
        click.echo(f"shadda: {fault}", err=True)
        sys.exit(2)


async def _up(data: Path, port: int) -> int:
    settings = from_environment()
    level = "warning" if settings.log_level == "info" else settings.log_level  # a terminal shows what needs a person
    settings = replace(settings, port=port, log_level=level)
    if settings.guests is False:
        settings = replace(settings, guests=True, guest_money=settings.guest_money or GUEST_MONEY)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with backend(data, settings, lambda line: click.echo(f"  {line}")) as running:
        click.echo(f"Shadda is at {running.url}  (data in {data}; Ctrl-C stops it)")
        ended = asyncio.create_task(running.processes.first_to_end())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({ended, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if ended.done() and not stop.is_set():
            name, status = ended.result()
            click.echo(f"shadda: {name} ended with status {status}; everything is stopped", err=True)
            return 1
        ended.cancel()
        click.echo("stopping")
    return 0
