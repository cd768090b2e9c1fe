"""The whole backend in one process: real cores, workers and relays over logs in memory, a bus that loses, and people.

Processes are killed and logs fail at random. People ask again until they are answered, as the gateway does for them.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, cast

import msgspec

from domain.games import GAMES
from domain.journal.events import LEDGER, LEDGER_EVENTS, LedgerEvent
from domain.shuffle import SEED_BYTES, SeededRandomness
from domain.table.match import Recorded
from events import subjects
from events.codec import Codec
from events.log.memory import Fault, MemoryLog
from events.log.verification import verify_stream
from events.messages import (
    Act,
    Connected,
    Deposit,
    Disconnected,
    JoinRoom,
    Leave,
    LobbyRequest,
    OpenRoom,
    ReadyUp,
    Reply,
    Resume,
    RoomUpdate,
    ScoringRequest,
    SeatUpdate,
    ShowBalance,
    ShowRoom,
    TableRequest,
    encode,
)
from projections.balances import Balances
from projections.reconciliation import differences, recorded
from services.bus import Bus
from services.core import Core
from services.lobby import CODEC as LOBBY_CODEC
from services.lobby import LobbySettings
from services.lobby import load as load_lobby
from services.partition import Partition
from services.scoring.core import ScoringCore
from services.table.core import TableCore, TableSettings, codec, public_kinds
from services.worker import Journal
from tests.chaos.virtual import BEGIN_MS, Network, Port, VirtualLoop

PARTITIONS = ("00", "01")
FUNDS = 1_000

_decode_update = msgspec.json.Decoder(SeatUpdate).decode
_decode_view = msgspec.json.Decoder(dict[str, Any]).decode


class Process:
    """Partitions that live and die together."""

    def __init__(self, world: "World", names: Sequence[str], *, follows: bool) -> None:
        """Take the names of the partitions; one that follows the facts is handed them."""
        self._world = world
        self._names = names
        self._follows = follows
        self._tasks: list[asyncio.Task[None]] = []
        self._port: Port | None = None

    def start(self) -> None:
        """Start the process over the logs as they are."""
        network = self._world.network
        self._port = Port(network)
        for name in self._names:
            partition = self._world.partition(name, self._port)
            network.listen(subject_of(name), partition.received)
            self._tasks.append(asyncio.create_task(partition.run()))
            if self._follows:
                self._tasks.append(asyncio.create_task(network.pump(name, partition.fact)))
        for task in self._tasks:
            task.add_done_callback(self._world.ended)

    async def kill(self) -> None:
        """End it at once, whatever it is doing; what its disk was doing may still happen."""
        assert self._port is not None
        self._port.alive = False
        for name in self._names:
            self._world.network.unlisten(subject_of(name))
        for task in self._tasks:
            task.remove_done_callback(self._world.ended)
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()


def subject_of(partition: str) -> str:
    """Return where a partition is asked."""
    return {"lobby": subjects.LOBBY, "scoring": subjects.SCORING}.get(partition) or subjects.table(partition)


class Actor:
    """A person or a bot at tables: answers what is asked of him with whatever is allowed, and asks again."""

    def __init__(self, world: "World", name: str) -> None:
        """Begin without having seen anything."""
        self.name = name
        self.accepted: list[tuple[str, str]] = []  # match and id of commands
        self.refused: list[tuple[str, str, str]] = []  # and the code
        self.over: set[str] = set()
        self._world = world
        self._news = asyncio.Event()
        self._newest: dict[str, SeatUpdate] = {}
        self._made = 0

    def take(self, subject: str, body: bytes) -> None:
        """Be shown a seat; what is older than what one knows is nothing new."""
        if subject.endswith(".room"):
            return
        update = _decode_update(body)
        known = self._newest.get(update.match)
        if known is None or update.version >= known.version:
            self._newest[update.match] = update
            self._news.set()

    async def play(self, match: str) -> None:
        """Play a match to its end."""
        while match not in self.over:
            self._news.clear()
            view = self._view(match)
            if view is not None and view["end"] is not None:
                self.over.add(match)
            elif view is not None and view["play"]["legal"]:
                await self._act(match, view["play"]["legal"])
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._world.random.choice((0.05, 1.0, 4.0))):
                    await self._news.wait()
                    continue
            await self._refresh(match)

    def _view(self, match: str) -> dict[str, Any] | None:
        update = self._newest.get(match)
        return None if update is None else _decode_view(bytes(update.view))

    async def _act(self, match: str, legal: Sequence[dict[str, Any]]) -> None:
        self._made += 1
        name = f"{self.name}-{self._made}"
        random = self._world.random
        view = self._newest[match].view
        wise = random.random() < self._world.wisdom
        command = msgspec.Raw(encode(self._world.advice(bytes(view)) if wise else random.choice(legal)))
        reply = await self._world.ask(subjects.table(match[:2]), Act(match, self.name, name, command))
        if reply.ok:
            self.accepted.append((match, name))
        else:
            self.refused.append((match, name, reply.refused))

    async def _refresh(self, match: str) -> None:
        """Ask to be shown the seat again: news may have been lost."""
        reply = await self._world.ask(subjects.table(match[:2]), Resume(match, self.name))
        if reply.ok:
            self.take("", encode(reply.data))
        elif reply.refused in ("MATCH_OVER", "NOT_SEATED", "LEFT_THE_MATCH"):
            self.over.add(match)

    async def come_and_go(self, match: str) -> None:
        """Lose the line now and then, for good or not."""
        table, random = subjects.table(match[:2]), self._world.random
        while match not in self.over:
            await asyncio.sleep(random.uniform(1, 60))
            self._made += 1
            epoch = f"{self.name}-{self._made}"
            await self._world.ask(table, Connected(match, self.name, epoch))
            if random.random() < 0.5:
                await self._world.ask(table, Disconnected(match, self.name, epoch))
                await asyncio.sleep(random.uniform(1, 90))
            if random.random() < 0.05:
                await self._world.ask(table, Leave(match, self.name, f"{epoch}-leave"))


class World:
    """Everything, from one seed."""

    def __init__(self, loop: VirtualLoop, *, trouble: float = 0.02, wisdom: float = 0.0) -> None:
        """Begin with empty logs and nobody there. ``wisdom`` is how often people do as the game's bot would."""
        self.loop = loop
        self.random: Random = loop.random
        self.wisdom = wisdom
        self.network = Network(loop, trouble)
        self.logs = {name: MemoryLog() for name in ("lobby", "scoring", *PARTITIONS)}
        self.actors: dict[str, Actor] = {}
        self.faults: list[BaseException] = []
        self.kills = 0
        self._made = 0
        self._standing_in: dict[str, asyncio.Task[None]] = {}
        self.processes = [
            Process(self, PARTITIONS, follows=False),
            Process(self, ["lobby"], follows=True),
            Process(self, ["scoring"], follows=True),
        ]
        self.network.watch("seat.", self._shown)

    def now(self) -> int:
        return BEGIN_MS + round(self.loop.time() * 1000)

    def new_id(self) -> str:
        self._made += 1
        return f"{self._made:032x}"

    def _shown(self, subject: str, body: bytes) -> None:
        _, _, name, match = subject.split(".")
        if name.startswith("bot-standin"):  # it sits down in the middle of a match, perhaps again and again
            actor = self.actors.setdefault(name, Actor(self, name))
            if name not in self._standing_in or self._standing_in[name].done():
                actor.over.discard(match)
                self._standing_in[name] = asyncio.create_task(actor.play(match))
        if name in self.actors:
            self.actors[name].take(subject, body)

    def ended(self, task: asyncio.Task[None]) -> None:
        """Note that a part of a process has ended by itself, which none should."""
        if not task.cancelled():
            self.faults.append(task.exception() or AssertionError("a partition has stopped"))

    def partition(self, name: str, port: Port) -> Partition:
        """Return a partition over its log."""
        kinds, requests, core = self._parts(name)
        public = public_kinds() if name in PARTITIONS else frozenset[str]()
        return Partition(
            name,
            self.logs[name],
            codec=kinds,
            public=public,
            core=core,
            requests=requests,
            bus=cast("Bus", port),
            now=self.now,
        )

    def advice(self, view: bytes) -> msgspec.Struct:
        """Return what the game's own bot would do."""
        game = GAMES[_decode_view(view)["game"]]
        seen = msgspec.convert(_decode_view(view)["play"], game.view_type)
        command: msgspec.Struct = game.bot(seen, SeededRandomness(self.random.randbytes(SEED_BYTES)))
        return command

    def _parts(self, name: str) -> tuple[Codec, Any, Callable[[Journal], Core]]:
        if name == "lobby":
            settings = LobbySettings(partitions=PARTITIONS)
            return LOBBY_CODEC, LobbyRequest, lambda journal: load_lobby(journal, settings, new_id=self.new_id)
        if name == "scoring":
            return Codec(LEDGER_EVENTS), ScoringRequest, lambda j: ScoringCore.load(j, partitions=PARTITIONS)
        return codec(), TableRequest, lambda journal: TableCore(TableSettings(), journal, self.random.randbytes)

    async def ask(self, subject: str, request: msgspec.Struct) -> Reply:
        """Ask until there is an answer, with the same bytes each time."""
        body = encode(request)
        while True:
            try:
                return await self.network.request(subject, body, 3.0)
            except (TimeoutError, ConnectionError):
                await asyncio.sleep(0.05)

    async def harm(self, mean_seconds: float) -> None:
        """Kill processes and disturb logs at random, for ever."""
        while True:
            await asyncio.sleep(self.random.expovariate(1 / mean_seconds))
            chance = self.random.random()
            if chance < 0.1:
                await self.network.cut(self.random.choice((0.0, 0.5, 10.0, 40.0)))
            elif chance < 0.4:
                process = self.random.choice(self.processes)
                await process.kill()
                self.kills += 1
                await asyncio.sleep(self.random.choice((0.0, 0.01, 1.0, 8.0)))
                process.start()
            else:
                self.random.choice(list(self.logs.values())).disturb(self.random.choice(list(Fault)))

    # --- a match

    async def sit(self, game: str, variant: str, people: Sequence[str], stake: int) -> str:
        """Give people money, let them sit down in a room and be ready; return the match that starts."""
        for name in people:
            deposit = Deposit(key=f"fund-{name}", player=name, amount=FUNDS, actor="operator")
            assert (await self.ask(subjects.SCORING, deposit)).ok
        owner = people[0]
        opening = OpenRoom(actor=owner, id="open", game=game, variant=variant, stake=stake, pace="human")
        opened = await self.ask(subjects.LOBBY, opening)
        assert opened.ok, opened
        room = opened.data["room"]
        for seat, name in enumerate(people[1:], start=1):
            joined = await self.ask(subjects.LOBBY, JoinRoom(actor=name, id="join", room=room, seat=seat))
            assert joined.ok, joined
        for name in people:
            ready = await self.ask(subjects.LOBBY, ReadyUp(actor=name, id="ready", room=room))
            assert ready.ok, ready
        while True:
            seen = msgspec.convert((await self.ask(subjects.LOBBY, ShowRoom(owner, room))).data["room"], RoomUpdate)
            assert not seen.refused, seen
            if seen.match:
                return seen.match
            await asyncio.sleep(0.05)

    async def play(self, match: str, people: Sequence[str], bots: Sequence[str]) -> None:
        """Let everybody play a match to its end."""
        seated = [self.actors[name] for name in (*people, *bots)]
        wander = [asyncio.create_task(self.actors[name].come_and_go(match)) for name in people]
        await asyncio.gather(*(actor.play(match) for actor in seated))
        others = [*wander, *self._standing_in.values()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def settled(self, people: Sequence[str]) -> None:
        """Wait until nothing is held for anybody, and the ledger knows of all matches."""
        while True:
            replies = [await self.ask(subjects.SCORING, ShowBalance(name)) for name in people]
            if not any(reply.data["held"] for reply in replies) and self.dealt_with() == self.facts():
                return
            await asyncio.sleep(0.5)

    # --- what must hold in the end

    def steps(self, match: str) -> list[Recorded]:
        """Return a match's events."""
        journal = Journal(self.logs[match[:2]], codec())
        return [recorded(opened.header, event) for opened, event in journal.read(match)]

    def ledger(self) -> list[LedgerEvent]:
        """Return the ledger's events."""
        return [event for _, event in Journal(self.logs["scoring"], Codec(LEDGER_EVENTS)).read(LEDGER)]

    def facts(self) -> dict[str, list[int]]:
        """Return the positions of all public facts, by partition."""
        kinds = sorted(public_kinds())
        found = {name: [one.position for one in self.logs[name].tail(0, 10**6, kinds=kinds)] for name in PARTITIONS}
        return {name: positions for name, positions in found.items() if positions}

    def dealt_with(self) -> dict[str, list[int]]:
        """Return the positions of the facts that the ledger has dealt with, as often as it has, by partition."""
        found: dict[str, list[int]] = {}
        for event in self.ledger():
            source = event.source
            if source is not None:
                positions = found.setdefault(source.partition, [])
                if not positions or positions[-1] != source.position:
                    positions.append(source.position)
        return found

    def check(self) -> None:
        """Check the record: chains, settlements, books, facts once, and every answer that anybody got."""
        assert not self.faults, self.faults
        for log in self.logs.values():
            for stream in log.streams():
                assert verify_stream(log, stream) == []
        matches = {match: self.steps(match) for name in PARTITIONS for match in self.logs[name].streams()}
        ledger = self.ledger()
        assert differences(matches, ledger) == ()
        assert Balances(ledger).findings() == []
        assert self.dealt_with() == self.facts()
        done = Counter(
            (match, actor, command) for match, steps in matches.items() for actor, command in commands_of(steps)
        )
        assert not done or max(done.values()) == 1
        for actor in self.actors.values():
            for match, command in actor.accepted:
                assert done[match, actor.name, command] == 1, (match, command)
            for match, command, code in actor.refused:
                assert done[match, actor.name, command] == 0, (match, command, code)


def commands_of(steps: Sequence[Recorded]) -> list[tuple[str, str]]:
    """Return every command that was carried out, as (actor, id): each run of events that one led to counts once."""
    found: list[tuple[str, str]] = []
    last: tuple[str, str] | None = None
    for step in steps:
        if step.actor == "system":
            continue
        command = (step.actor, step.command) if step.command else None
        if command is not None and command != last:
            found.append(command)
        last = command
    return found


def seats_of(game: str, variant: str) -> int:
    """Return how many sit at a table."""
    from domain.game import Settings
    from domain.options import checked

    return GAMES[game].seats(Settings(variant=variant, options=checked(GAMES[game].options, {})))
