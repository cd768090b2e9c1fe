"""Bots: they read the views of their seats, wait a while that does not depend on their cards, and answer (TBL-16)."""

import asyncio
import os
from collections.abc import Callable
from typing import Any, Final

import msgspec
import structlog
from nats.aio.msg import Msg

from domain.game import AnyGame
from domain.games import VERSIONS
from domain.shuffle import SEED_BYTES, SeededRandomness, of_choice
from domain.table.view import MatchView
from events import subjects
from events.messages import Act, SeatUpdate, TableRequest
from services.bus import Bus
from services.core import Message

logger = structlog.get_logger()

ANSWER_SECONDS: Final = 5.0
TRIES: Final = 5
WAITS_KEPT: Final = 10_000
_decode_update: Final = msgspec.json.Decoder(SeatUpdate).decode
_decode_match: Final = msgspec.json.Decoder(MatchView).decode
_encode: Final = msgspec.json.Encoder().encode


class BotSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator sets for bots."""

    delay_seconds: float = 1.2
    time_scale: int = 1
    seed: bytes = b""  # on a private backend: fixes their choices


class Bots:
    """Every bot of the partitions there are; several processes share the seats among them."""

    def __init__(self, bus: Bus, settings: BotSettings) -> None:
        """Take the bus, before it is started."""
        self._bus = bus
        self._settings = settings
        self._decoders: dict[tuple[str, int], msgspec.json.Decoder[Any]] = {}
        self._acting: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._latest: dict[tuple[str, str], SeatUpdate] = {}
        self._waited: dict[tuple[str, str], tuple[int, int]] = {}  # deal and deadline of the wait it has waited in
        bus.listen_with_subject(subjects.BOT_SEATS, self._shown, queue="bots")

    def _shown(self, message: Msg) -> None:
        """Keep the newest sight of a seat; one task at a time acts on it."""
        bot = message.subject.split(".")[2]
        update = _decode_update(message.data)
        key = (bot, update.match)
        self._latest[key] = update
        if key not in self._acting:
            task = asyncio.create_task(self._act(key))
            self._acting[key] = task
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            logger.error("a bot failed", exc_info=task.exception())

    async def _act(self, key: tuple[str, str]) -> None:
        try:
            while (update := self._latest.pop(key, None)) is not None:
                seen = _decode_match(update.view)
                if seen.end is not None:
                    self._waited.pop(key, None)
                elif seen.play.get("legal") and await self._has_waited(key, seen):
                    await self._answer(key[0], update, seen)
        finally:
            del self._acting[key]

    async def _has_waited(self, key: tuple[str, str], seen: MatchView) -> bool:
        """Wait once in each wait; say whether what was seen is still the newest.

        Further commands in the same wait follow at once, and nothing that happens meanwhile makes it longer: so the
        time says nothing of what the bot holds or others have chosen in secret (TBL-16, SBT-15).
        """
        wait = (seen.deal, seen.deadline)
        if seen.pace != "max" and self._waited.get(key) != wait:
            if len(self._waited) >= WAITS_KEPT:  # of seats that were given back; forgetting costs a delay
                self._waited.clear()
            self._waited[key] = wait
            await asyncio.sleep(self._settings.delay_seconds / self._settings.time_scale)
        return key not in self._latest

    async def _answer(self, bot: str, update: SeatUpdate, seen: MatchView) -> None:
        game = VERSIONS[seen.game, seen.rules_version]
        command = game.bot(self._play(game, update.view), self._chance(seen))
        request: TableRequest = Act(update.match, bot, f"v{update.version}", msgspec.Raw(_encode(command)))
        await self._send(subjects.table(subjects.partition_of(update.match)), _encode(request))

    def _play(self, game: AnyGame, view: bytes) -> Any:
        """Return the game's own part of a view, typed."""
        key = (game.name, game.rules_version)
        if key not in self._decoders:
            self._decoders[key] = msgspec.json.Decoder(msgspec.defstruct("Played", [("play", game.view_type)]))
        return self._decoders[key].decode(view).play

    def _chance(self, seen: MatchView) -> SeededRandomness:
        if not self._settings.seed:
            return SeededRandomness(os.urandom(SEED_BYTES))
        assert seen.seat is not None, "a bot is shown its own seat"
        return of_choice(self._settings.seed, seen.seat, seen.deal, _encode(seen.play["legal"]))

    async def _send(self, subject: str, body: bytes) -> None:
        """Ask the table until it answers; after that the clock acts for the bot as for anybody."""
        for attempt in range(TRIES):
            try:
                await self._bus.request(subject, body, ANSWER_SECONDS)
            except (TimeoutError, ConnectionError):
                await asyncio.sleep(0.1 * 2**attempt)
            else:
                return


async def serve(bus: Bus, settings: BotSettings, ready: Callable[[], None] = lambda: None) -> None:
    """Run bots until cancelled."""
    Bots(bus, settings)
    await bus.start()
    again = asyncio.Event()
    bus.on_reconnect.append(again.set)  # what tables showed meanwhile is lost
    await bus.publish(Message(subjects.BOTS_HELLO, b"{}"))
    ready()
    while await again.wait():
        again.clear()
        await bus.publish(Message(subjects.BOTS_HELLO, b"{}"))
