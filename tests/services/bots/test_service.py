"""When a bot answers: after one delay in each wait, whatever it holds and whatever happens meanwhile (TBL-16)."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import msgspec
from nats.aio.msg import Msg

from domain.game import Seat
from domain.table.view import view
from events.messages import Act, Reply, SeatUpdate
from services.bots.service import Bots, BotSettings
from services.bus import Bus
from tests.domain.table.tables import Table, doubling

DELAY = 0.5
BOT = "bot-1"


class FakeBus:
    """Keeps what bots ask of tables, and when."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.sent: list[tuple[float, dict[str, Any]]] = []
        self.show: Callable[[Msg], None]

    def listen_with_subject(self, _pattern: str, handler: Callable[[Msg], None], queue: str) -> None:
        assert queue
        self.show = handler

    async def request(self, _subject: str, body: bytes, _timeout: float) -> Reply:
        act = msgspec.json.decode(body, type=Act)
        self.sent.append((asyncio.get_running_loop().time(), msgspec.json.decode(act.command)))
        return Reply(ok=True)


def shown(table: Table, seat: int, version: int) -> Msg:
    seen = msgspec.Raw(msgspec.json.encode(view(table.match, Seat(seat))))
    body = msgspec.json.encode(SeatUpdate("00-m", version, (), seen))
    return cast("Msg", type("Shown", (), {"subject": f"seat.bot.{BOT}.00-m", "data": body}))


def test_a_bot_waits_once_in_each_wait_and_no_longer_for_what_happens_meanwhile() -> None:
    async def whole() -> None:
        bus, table = FakeBus(), doubling()
        Bots(cast("Bus", bus), BotSettings(delay_seconds=DELAY))
        began = asyncio.get_running_loop().time()
        for version in range(5):
            bus.show(shown(table, 0, version))
            await asyncio.sleep(DELAY / 5)
        while len(bus.sent) < 1:  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(DELAY / 50)
        bus.show(shown(table, 0, 6))  # the same wait goes on, as after a choice that has to be confirmed
        await asyncio.sleep(DELAY / 2)
        first, second = (when - began for when, _ in bus.sent)
        assert DELAY <= first < 1.7 * DELAY
        assert second - first < DELAY / 2
        table.run_out()
        turn = table.turn
        bus.show(shown(table, turn, 7))
        await asyncio.sleep(DELAY / 2)
        assert len(bus.sent) == 2
        await asyncio.sleep(DELAY)
        assert len(bus.sent) == 3
        assert bus.sent[-1][1]["do"] == "play"

    asyncio.run(whole())
