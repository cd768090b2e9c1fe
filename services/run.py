"""The composition root: one service in this process, wired from its settings, until it is told to stop."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

import uvloop

from events import subjects
from events.codec import Codec
from events.envelope import Cipher
from events.log.opening import cipher_from, open_log
from events.messages import LobbyRequest, ScoringRequest
from services import logging
from services.bus import Bus
from services.core import Core
from services.partition import Partition, run_all
from services.settings import BadSetting, Settings
from services.worker import Journal

READY: Final = "READY"  # the first word of the line that a service prints once it serves

Serve = Callable[[Bus, Settings, Callable[[str], None]], Awaitable[None]]


async def table(bus: Bus, settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the tables."""
    from services.table.core import TableSettings
    from services.table.service import serve

    logs = {name: open_log(settings.log, name) for name in settings.owned}
    tables = TableSettings(time_scale=settings.time_scale, seed=bytes.fromhex(settings.seed))
    try:
        await serve(bus, logs, tables, _cipher(settings), lambda: ready(f"partitions {' '.join(logs)}"))
    finally:
        for log in logs.values():
            log.close()


async def lobby(bus: Bus, settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the rooms."""
    from services.lobby.load import CODEC, load
    from services.lobby.settings import LobbySettings

    own = LobbySettings(
        partitions=settings.partition_names,
        fill_seconds=settings.fill_seconds,
        time_scale=settings.time_scale,
        rake_bps=settings.rake_bps,
        fast_pace=settings.private,
        rooms_per_player=0 if settings.private else LobbySettings().rooms_per_player,
    )
    await _alone(
        bus, settings, "lobby", subjects.LOBBY, LobbyRequest, CODEC, lambda journal: load(journal, own), ready
    )  # fmt: skip


async def scoring(bus: Bus, settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the ledger, the pots and the leaderboards."""
    from domain.journal.events import LEDGER_EVENTS
    from services.scoring.core import ScoringCore

    def load(journal: Journal) -> ScoringCore:
        return ScoringCore.load(journal, partitions=settings.partition_names)

    await _alone(
        bus, settings, "scoring", subjects.SCORING, ScoringRequest, Codec(LEDGER_EVENTS), load, ready
    )  # fmt: skip


async def _alone(
    bus: Bus,
    settings: Settings,
    name: str,
    subject: str,
    requests: Any,
    codec: Codec,
    core: Callable[[Journal], Core],
    ready: Callable[[str], None],
) -> None:
    """Run a service that is one partition and follows the facts of the tables."""
    log = open_log(settings.log, name)
    partition = Partition(
        name, log, codec=codec, public=(), core=core, requests=requests, bus=bus, cipher=_cipher(settings)
    )
    bus.listen(subject, partition.received)
    await bus.start()
    try:
        await run_all([partition], lambda: ready("one partition"), lambda: bus.follow_facts(name, partition.fact))
    finally:
        log.close()


def _cipher(settings: Settings) -> Cipher | None:
    return cipher_from(settings.log_key) if settings.log_key else None


async def bots(bus: Bus, settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the bots."""
    from services.bots.service import BotSettings, serve

    seed = bytes.fromhex(settings.seed)
    own = BotSettings(delay_seconds=settings.bot_delay, time_scale=settings.time_scale, seed=seed)
    await serve(bus, own, lambda: ready("all games"))


async def gateway(bus: Bus, settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the door for players' apps: HTTP and WebSocket."""
    from services.gateway.app import make_app, server
    from services.gateway.bus import NatsBus
    from services.gateway.settings import GatewaySettings

    if not settings.session_key:
        raise BadSetting("SHADDA_SESSION_KEY is not set: a gateway signs sessions with it")
    own = GatewaySettings(
        session_secret=settings.session_key,
        token_key=settings.token_key,
        guests=settings.guests,
        guest_amount=settings.guest_money,
        partitions=settings.partition_names,
        origins=tuple(settings.origins.split()),
        rate_per_second=settings.frames_per_second,
    )
    await bus.start()
    serving = server(
        make_app(own, NatsBus(bus.client), on_reconnect=bus.on_reconnect),
        host=settings.host,
        port=settings.port,
        started=lambda: ready(f"http://{settings.host}:{settings.port}"),
    )
    task = asyncio.create_task(serving._serve())  # noqa: SLF001 - serve() takes the signals, which are ours
    try:
        await asyncio.shield(task)
    finally:
        serving.should_exit = True
        await task


SERVICES: Final[dict[str, Serve]] = {
    "lobby": lobby,
    "table": table,
    "scoring": scoring,
    "bots": bots,
    "gateway": gateway,
}


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
    asked = False

    def stop() -> None:
        nonlocal asked
        if not asked:  # Ctrl-C reaches the whole process group, and then the parent asks as well
            asked = True
            serving.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    try:
        await serving
    except asyncio.CancelledError:
        if not serving.cancelled():
            raise
    finally:
        await bus.stop()
