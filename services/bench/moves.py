"""Speed of durable moves through the bus: real NATS, a real log with fsync, a table process, and a client beside it.

Every seat's view is published for every move and read by the client, which answers for the seat to act from the legal
moves in it. The latency of a move is from the request to its answer.
"""

import asyncio
import contextlib
import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import nats

from domain.games import GAMES
from domain.options import checked
from events import subjects
from events.messages import Act, OpenMatch, Reply, SeatTaken, TableRequest
from services.ids import new_id

GAME: Final = "trix"
ANSWER_SECONDS: Final = 10
_NOT_ASKED: Final = b'"legal":[]'
_GOES_ON: Final = b'"end":null'


class _Played(msgspec.Struct):
    legal: tuple[msgspec.Raw, ...] = ()


class _View(msgspec.Struct):
    play: _Played
    seat: int
    end: Any = None


class _Update(msgspec.Struct):
    match: str
    version: int
    view: _View


class Load(msgspec.Struct, frozen=True):
    """What is to be measured: tables that play among those that are open, and on what."""

    tables: int
    open: int
    log: str
    through: str
    processes: int  # of the table service, which share the partitions
    partitions: int
    seconds: float


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured. Processors and memory are by process, the client's beside them."""

    tables: int
    open: int
    seconds: float
    moves: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float
    log: str
    fsync: bool = True
    through: str
    processes: int
    partitions: int
    cpu_seconds: dict[str, float]
    peak_rss_mb: dict[str, float]


class Window(msgspec.Struct, frozen=True):
    """What was measured between two moments."""

    seconds: float
    latencies: list[float]  # in seconds, one for each move
    cpu_seconds: dict[str, float]
    peak_rss_mb: dict[str, float]


class Client:
    """Scripted players of many tables, who answer as soon as they see that it is their turn."""

    def __init__(self, url: str, partitions: tuple[str, ...]) -> None:
        """Take the server's address and the partitions that tables are spread over."""
        self._url = url
        self._partitions = partitions
        self._decode = msgspec.json.Decoder(_Update).decode
        self._reply = msgspec.json.Decoder(Reply).decode
        self._encode = msgspec.json.Encoder().encode
        self._random = Random(1)  # noqa: S311 - nothing is at stake
        self.latencies: list[float] = []
        self._active: set[str] = set()
        self._idle: set[str] = set()
        self._asked: dict[str, float] = {}
        self._finished = 0
        self._opening: set[asyncio.Task[None]] = set()
        self._faults: list[BaseException] = []
        self._inbox = ""

    async def run(self, tables: int, idle: int, seconds: float, pids: dict[str, int]) -> Window:
        """Play at ``tables`` tables, with ``idle`` more open ones; return what was measured once all are open."""
        self._nats = await nats.connect(self._url, pending_size=64 * 1024 * 1024)
        self._inbox = self._nats.new_inbox()
        try:
            for subject, taken in ((subjects.PLAYER_SEATS, self._shown), (f"{self._inbox}.*", self._answered)):
                await self._nats.subscribe(subject, cb=taken, pending_msgs_limit=-1, pending_bytes_limit=-1)
            for number in range(idle):
                await self._open(number, active=False)
            for number in range(tables):
                await self._open(idle + number, active=True)
            await asyncio.sleep(0.5)  # warm
            self.latencies.clear()
            before, _ = process_figures(pids)
            began = time.perf_counter()
            await asyncio.sleep(seconds)
            spent = time.perf_counter() - began
            if self._faults:
                raise self._faults[0]
            after, peak = process_figures(pids)
            self._active.clear()
            used = {name: round(value - before.get(name, 0), 2) for name, value in after.items()}
            return Window(spent, list(self.latencies), used, peak)
        finally:
            for task in self._opening:
                task.cancel()
            await asyncio.gather(*self._opening, return_exceptions=True)
            await self._nats.close()

    async def _open(self, number: int, *, active: bool) -> None:
        match = f"{self._partitions[number % len(self._partitions)]}-{new_id()}"
        (self._active if active else self._idle).add(match)
        game = GAMES[GAME]
        seats = tuple(SeatTaken(f"p{seat}-{number}") for seat in range(4))
        request: TableRequest = OpenMatch(
            match=match, game=GAME, variant=game.variants[0], options=dict(checked(game.options, {})), seats=seats
        )
        subject = subjects.table(subjects.partition_of(match))
        answer = await self._nats.request(subject, self._encode(request), timeout=ANSWER_SECONDS)
        assert self._reply(answer.data).ok

    async def _shown(self, message: Any) -> None:
        if _NOT_ASKED in message.data and _GOES_ON in message.data:
            return  # read, and nothing to answer
        update = self._decode(message.data)
        if update.match not in self._active:
            return
        view = update.view
        if view.end is not None:
            self._active.discard(update.match)
            self._finished += 1
            task = asyncio.create_task(self._open(1_000_000 + self._finished, active=True))
            self._opening.add(task)
            task.add_done_callback(self._opened)
        elif view.play.legal:
            await self._answer(message.subject.split(".")[2], update, view.play.legal)

    def _opened(self, task: asyncio.Task[None]) -> None:
        self._opening.discard(task)
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            self._faults.append(fault)

    async def _answer(self, player: str, update: _Update, legal: tuple[msgspec.Raw, ...]) -> None:
        command = legal[int(self._random.random() * len(legal))]
        name = f"{player}v{update.version}"
        if name in self._asked:
            return
        self._asked[name] = time.perf_counter()
        request: TableRequest = Act(update.match, player, name, command)
        subject = subjects.table(subjects.partition_of(update.match))
        await self._nats.publish(subject, self._encode(request), reply=f"{self._inbox}.{name}")

    async def _answered(self, message: Any) -> None:
        began = self._asked.pop(message.subject.rpartition(".")[2], None)
        if began is not None and self._reply(message.data).ok:
            self.latencies.append(time.perf_counter() - began)


def figures_of(load: Load, window: Window) -> Figures:
    """Return the figures of a load that was measured."""
    moves = len(window.latencies)
    return Figures(
        tables=load.tables,
        open=load.open,
        seconds=round(window.seconds, 2),
        moves=moves,
        moves_per_second=round(moves / window.seconds, 1),
        p50_ms=percentile(window.latencies, 0.5),
        p99_ms=percentile(window.latencies, 0.99),
        log=load.log,
        through=load.through,
        processes=load.processes,
        partitions=load.partitions,
        cpu_seconds=window.cpu_seconds,
        peak_rss_mb=window.peak_rss_mb,
    )


def percentile(values: list[float], share: float) -> float:
    """Return the value below which a share of the values lies, in milliseconds; 0 for none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)


def process_figures(pids: dict[str, int]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the processor seconds and peak memory in MB of running processes, and of this one as ``client``."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    cpu = {"client": round(own.ru_utime + own.ru_stime, 2)}
    peak = {"client": round(own.ru_maxrss / 1024, 1)}
    ticks = os.sysconf("SC_CLK_TCK")
    for name, pid in pids.items():
        with contextlib.suppress(OSError):
            fields = _read(f"/proc/{pid}/stat").rpartition(") ")[2].split()
            cpu[name] = round((int(fields[11]) + int(fields[12])) / ticks, 2)
            peak[name] = next(_peaks(f"/proc/{pid}/status"), 0.0)
    return cpu, peak


def _read(path: str) -> str:
    return Path(path).read_text(encoding="ascii", errors="replace")


def _peaks(path: str) -> Iterator[float]:
    for line in _read(path).splitlines():
        if line.startswith("VmHWM:"):
            yield round(int(line.split()[1]) / 1024, 1)
