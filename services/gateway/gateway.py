"""What every connection and every HTTP handler of one gateway shares."""

from collections.abc import Mapping
from typing import Final

from domain.game import AnyGame
from domain.games import GAMES
from events.messages import Reply
from events.subjects import partition_of, table
from services.gateway.asking import ask
from services.gateway.bus import Bus
from services.gateway.metrics import Metrics
from services.gateway.players import Players
from services.gateway.settings import GatewaySettings
from services.gateway.texts import refusal_texts
from services.gateway.watchers import Watchers

ENGLISH: Final = 0
UNKNOWN_MATCH: Final = "UNKNOWN_MATCH"


class Gateway:
    """One gateway process: its settings, its bus, and who is connected."""

    def __init__(self, settings: GatewaySettings, bus: Bus, games: Mapping[str, AnyGame] = GAMES) -> None:
        """Begin with nobody connected."""
        self.settings = settings
        self.bus = bus
        self.games = games
        self.metrics = Metrics()
        self.players = Players(bus, settings, self.metrics)
        self.watchers = Watchers(bus, settings, self.metrics)
        self.texts = refusal_texts(games)

    async def ask(self, subject: str, body: bytes) -> Reply:
        """Ask another service; the answer is ``UNAVAILABLE`` if none comes in time."""
        return await ask(self.bus, self.metrics, subject, body, self.settings.request_seconds)

    def may_exist(self, match: str) -> bool:
        """Say whether a match id names a partition that there is; nobody need be asked for any other."""
        return not self.settings.partitions or partition_of(match) in self.settings.partitions

    async def ask_table(self, match: str, body: bytes) -> Reply:
        """Ask the table of a match."""
        if not self.may_exist(match):
            return Reply(ok=False, refused=UNKNOWN_MATCH)
        return await self.ask(table(partition_of(match)), body)

    def text_of(self, reply: Reply) -> str:
        """Return what people are told about a refusal."""
        return reply.text or self.texts.get(reply.refused, (reply.refused, ""))[ENGLISH]

    async def start(self) -> None:
        """Begin to serve, in the loop that will."""
        self.players.presence.start()

    async def close(self) -> None:
        """Let go of everybody."""
        await self.players.close()
        await self.watchers.close()
