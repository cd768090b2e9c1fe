"""A table without sockets: its core over a log in memory, and people and bots who do whatever comes to their mind."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from domain.cards import PACK
from events.log.memory import MemoryLog
from events.messages import (
    Act,
    Connected,
    Disconnected,
    Leave,
    OpenMatch,
    Reply,
    Resume,
    SeatTaken,
    TableRequest,
    Watch,
    encode,
)
from services.core import Decision, Message
from services.table.core import TableCore, TableSettings, codec
from services.worker import Journal

MATCH = "00-stage"


class _Play(msgspec.Struct):
    legal: tuple[msgspec.Raw, ...]


class _View(msgspec.Struct):
    play: _Play
    end: msgspec.Raw


class _Update(msgspec.Struct):
    view: _View


_legal = msgspec.json.Decoder(_Update).decode


class Stage:
    """One match of four. Everything that leaves the table is kept: messages by subject, and replies."""

    def __init__(self, variant: str, seed: int, *, bots: Sequence[int] = (), stake: int = 0) -> None:
        """Open the match."""
        self.random = Random(seed)
        self.now = 1_800_000_000_000
        self.log = MemoryLog()
        self.messages: list[Message] = []
        self.replies: list[tuple[TableRequest, Reply]] = []
        self.newest: dict[str, bytes] = {}  # by actor, what he was shown last
        self.players = [f"bot-{seat}" if seat in bots else f"p{seat}" for seat in range(4)]
        self._made = 0
        self._journal = Journal(self.log, codec())
        self._core = TableCore(TableSettings(), self._journal, self.random.randbytes)
        self._people = [player for player in self.players if player.startswith("p")]
        seats = tuple(SeatTaken(player, player.startswith("bot"), player in self._people) for player in self.players)
        stakers = bool(stake)
        seats = tuple(SeatTaken(seat.player, seat.bot, seat.staker and stakers) for seat in seats)
        opening = OpenMatch(
            match=MATCH, game="trix", variant=variant, options={}, seats=seats, stake=stake, spectators=not stake
        )
        assert self.send(opening).ok

    @property
    def over(self) -> bool:
        return not self.log.open_streams()

    def events(self) -> list[dict[str, Any]]:
        """Return the whole log of the match as plain JSON."""
        return [msgspec.json.decode(opened.payload) for opened, _ in self._journal.read(MATCH)]

    def send(self, request: TableRequest) -> Reply:
        """Let the table decide on a request, and commit."""
        decision = self._core.handle(request, self.now)
        self._deliver(decision)
        assert decision.reply is not None
        self.replies.append((request, decision.reply))
        return decision.reply

    def _deliver(self, decision: Decision) -> None:
        if decision.drafts:
            self._journal.write(decision.drafts)
        for message in decision.messages:
            self.messages.append(message)
            if message.subject.startswith("seat."):
                self.newest[message.subject.split(".")[2]] = message.body

    def run(self) -> None:
        """Go on until the match is over."""
        steps = 0
        while not self.over:
            self.step()
            steps += 1
            assert steps < 20_000, "the match does not end"

    def step(self) -> None:
        """Let one thing happen."""
        chance = self.random.random()
        if chance < 0.03:
            self._wait()
        elif chance < 0.05:
            self._nonsense()
        elif chance < 0.06:
            self._come_or_go()
        elif chance < 0.065:
            self.send(Resume(MATCH, self.random.choice(self.players)))
            self.send(Watch(MATCH))
        else:
            self._act()

    def _wait(self) -> None:
        due = self._core.due()
        self.now = max(self.now, due or 0)
        for decision in self._core.tick(self.now):
            self._deliver(decision)

    def _act(self) -> None:
        asked = [(actor, legal) for actor, seen in self.newest.items() if (legal := _legal(seen).view.play.legal)]
        if not asked:
            self._wait()
            return
        actor, legal = self.random.choice(asked)
        self.now += self.random.randrange(3000)
        self._command(actor, bytes(self.random.choice(legal)))

    def _nonsense(self) -> None:
        card = self.random.choice(PACK)
        commands = [{"do": "play", "card": card}, {"do": "set_doubles", "cards": [card]}, {"do": "ready"}]
        self._command(self.random.choice(list(self.newest)), encode(self.random.choice(commands)))

    def _command(self, actor: str, command: bytes) -> None:
        self._made += 1
        self.send(Act(MATCH, actor, f"c-{self._made}", msgspec.Raw(command)))

    def _come_or_go(self) -> None:
        player = self.random.choice(self._people)
        self._made += 1
        epoch = f"e-{self._made}"
        if self.random.random() < 0.1:
            self.send(Leave(MATCH, player, epoch))
            return
        self.send(Connected(MATCH, player, epoch))
        if self.random.random() < 0.5:
            self.send(Disconnected(MATCH, player, epoch))
            self.now += self.random.randrange(70_000)
            for decision in self._core.tick(self.now):
                self._deliver(decision)
