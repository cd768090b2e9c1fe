"""The composition root: one service in this process, wired from its settings, until it is told to stop."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Final

import uvloop

from events.log import Log
from events.log.opening import cipher_from, open_log
from services import logging
from services.bus import Bus
from services.settings import Settings

READY: Final = "READY"  # the first word of the line that a service prints once it serves

Serve = Callable[[Bus, Settings, Callable[[str], None]], Awaitable[None]]


async def table(bus: Bus, settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the tables."""
    from services.table.core import TableSettings
    from services.table.service import serve

    logs = {name: open_log(settings.log, name) for name in settings.partition_names}
    cipher = cipher_from(settings.log_key) if settings.log_key else None
    tables = TableSettings(time_scale=settings.time_scale, seed=bytes.fromhex(settings.seed))
    try:
        await serve(bus, logs, tables, cipher, lambda: ready(f"{len(logs)} partitions in {settings.log}"))
    finally:
        _close(logs)


async def bots(bus: Bus, settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the bots."""
    from services.bots.service import BotSettings, serve

    seed = bytes.fromhex(settings.seed)
    own = BotSettings(delay_seconds=settings.bot_delay, time_scale=settings.time_scale, seed=seed)
    await serve(bus, own, lambda: ready("all games"))


def _close(logs: dict[str, Log]) -> None:
    for log in logs.values():
        log.close()


SERVICES: Final[dict[str, Serve]] = {"table": table, "bots": bots}


def run(name: str, settings: Settings) -> None:
    """Run a service until SIGTERM or SIGINT; returns once it has stopped cleanly."""
    assert sys.flags.optimize == 0, "services keep their assertions on: do not run them under -O"
    logging.configure(settings.log_level)
    uvloop.run(_until_stopped(name, settings))


async def _until_stopped(name: str, settings: Settings) -> None:
    bus = Bus(settings.nats_url, f"shadda {name}")

    def ready(what: str) -> None:
        print(f"{READY} {name}: {what}", flush=True)  # noqa: T201 - whoever started us waits for this line

    serving = asyncio.ensure_future(SERVICES[name](bus, settings, ready))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        if not serving.cancelled():
            raise
    finally:
        await bus.stop()
