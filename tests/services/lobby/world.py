"""A lobby over a memory log: every decision is stored, and the state must be what the log says."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import msgspec

from domain.games import basra, pinochle, trix
from events.log.memory import MemoryLog
from events.messages import Fact, Reply, RoomUpdate
from services.core import Answered, Ask, Decision
from services.lobby import CODEC, LobbyCore, LobbySettings, load
from services.worker import Journal

SOLO: Final = replace(  # four play alone, so two of them can stake (TBL-20)
    basra.GAME, name="solo", seats=lambda _settings: 4, teams=lambda _settings: None
)
GAMES: Final = {game.name: game for game in (basra.GAME, pinochle.GAME, trix.GAME, SOLO)}
NOW: Final = 1_800_000_000_000


class World:
    """The core, its log and what it has sent, with a clock that the test moves."""

    def __init__(self, **settings: Any) -> None:
        """Begin with an empty log."""
        self.settings = LobbySettings(**settings)
        self.log = MemoryLog()
        self.made = 0
        self.now = NOW
        self.asks: list[Ask] = []
        self.shown: list[tuple[str, RoomUpdate]] = []
        self.start()

    def new_id(self) -> str:
        self.made += 1
        return f"{self.made:032x}"

    def start(self) -> None:
        """Build the core from the log, as after a crash."""
        self.journal = Journal(self.log, CODEC)
        self.core = self.loaded(self.journal)
        self.take(*self.core.wake(self.now))

    def loaded(self, journal: Journal) -> LobbyCore:
        return load(journal, self.settings, GAMES, new_id=self.new_id, new_code=lambda: "SECRET23")

    def take(self, *decisions: Decision) -> None:
        drafts = [draft for decision in decisions for draft in decision.drafts]
        if drafts:
            self.journal.write(drafts)
        for decision in decisions:
            self.asks.extend(decision.asks)
            for message in decision.messages:
                player = message.subject.split(".")[2]
                self.shown.append((player, msgspec.json.decode(message.body, type=RoomUpdate)))
        again = self.loaded(Journal(self.log, CODEC))
        assert list(again.rooms) == list(self.core.rooms)
        assert again.ordinal == self.core.ordinal

    def send(self, request: Any) -> Reply:
        decision = self.core.handle(request, self.now)
        self.take(decision)
        assert decision.reply is not None
        return decision.reply

    def answer(self, *, ok: bool = True, refused: str = "", data: Any = None) -> None:
        """Answer the oldest thing that the core has asked."""
        ask = self.asks.pop(0)
        self.take(self.core.handle(Answered(ask.key, Reply(ok=ok, refused=refused, data=data)), self.now))

    def fact(self, match: str, kind: str, event: dict[str, Any] | None = None) -> None:
        raw = msgspec.Raw(msgspec.json.encode({"kind": kind} | (event or {})))
        self.send(Fact("00", 1, 0, match, 1, self.now, kind, raw))

    def later(self, seconds: float) -> None:
        self.now += round(seconds * 1000)
        due = self.core.due()
        if due is not None and due <= self.now:
            self.take(*self.core.tick(self.now))

    def seen(self, player: str) -> RoomUpdate:
        """Return the last that a player was shown."""
        return next(update for name, update in reversed(self.shown) if name == player)


def kinds(log: MemoryLog) -> list[str]:
    return [stored.kind.split(".")[1] for stored in log.tail(0, 1000)]


def codes(replies: Iterable[Reply]) -> list[str]:
    return [reply.refused for reply in replies]
