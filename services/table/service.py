"""The table service at its edge."""

import os
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
import structlog

from events import subjects
from events.envelope import Cipher
from events.log import Log
from events.messages import GatewayLives, TableRequest
from services.bus import Bus
from services.partition import Partition, run_all
from services.table.core import ListMatches, ShowBots, TableCore, TableSettings, codec, public_kinds

logger = structlog.get_logger()

_decode_lives: Final = msgspec.json.Decoder(GatewayLives).decode


async def serve(
    bus: Bus,
    logs: Mapping[str, Log],
    settings: TableSettings,
    cipher: Cipher | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Run the tables of all the partitions whose logs are given, until cancelled."""
    partitions = [
        Partition(
            name,
            log,
            codec=codec(),
            public=public_kinds(),
            core=lambda journal: TableCore(settings, journal, os.urandom),
            requests=TableRequest,
            bus=bus,
            cipher=cipher,
        )
        for name, log in logs.items()
    ]
    for partition in partitions:
        bus.listen(subjects.table(partition.name), partition.received)

    def show_bots(_body: bytes, _reply_to: str) -> None:
        for partition in partitions:
            partition.put(ShowBots())

    def list_matches(_body: bytes, reply_to: str) -> None:
        for partition in partitions:
            partition.put(ListMatches(), reply_to)

    def gateway_lives(body: bytes, _reply_to: str) -> None:
        try:
            lives = _decode_lives(body)
        except msgspec.MsgspecError:
            logger.warning("a gateway's sign of life cannot be read")
            return
        for partition in partitions:
            partition.put(lives)

    bus.listen(subjects.GATEWAYS_LIVE, gateway_lives)
    bus.listen(subjects.BOTS_HELLO, show_bots)
    bus.listen(subjects.TABLES_LIVE, list_matches)
    await bus.start()
    await run_all(partitions, ready)
