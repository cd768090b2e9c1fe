"""Kill -9 of one service in the middle of a match, and its return: the players notice a delay, and nothing else."""

import asyncio
import os
import signal
from pathlib import Path

from msgspec.structs import replace

from domain.table.events import ConnectionLost, ConnectionRestored
from services.backend import Backend, backend
from services.settings import Settings
from services.tokens import Identity, make_token
from tests.integration.people import company
from tests.integration.records import assert_kept, assert_sound, steps_of

SETTINGS = Settings(private=True, frames_per_second=0, bot_delay=0.0, port=0, log_level="error")
WITHOUT_WHOM_IT_WAITS = ("table", "bots", "gateway", "nats", "table")
WITHOUT_WHOM_IT_GOES_ON = ("scoring", "lobby")
SECONDS = 60.0


class Place:
    """A backend that runs in this process's charge."""

    def __init__(self, running: Backend) -> None:
        """Take what runs."""
        self.url = running.url
        self.nats_url = running.settings.nats_url
        self._key = running.secrets.token_key

    def token(self, player: str) -> str:
        return make_token(Identity(player), seconds=3600, key=self._key)


async def killed(running: Backend, name: str) -> None:
    """Kill one process."""
    pid = running.processes.pids[name]
    os.kill(pid, signal.SIGKILL)
    while Path(f"/proc/{pid}").exists():  # noqa: ASYNC110, ASYNC240 - until it has been reaped; /proc is no disk
        await asyncio.sleep(0.005)


async def killed_and_started(running: Backend, name: str, folder: Path) -> None:
    """Kill one process and start it again as it was."""
    await killed(running, name)
    processes = running.processes
    if name == "nats":
        port = int(running.settings.nats_url.rpartition(":")[2])
        assert await processes.nats(folder / "nats", port) == running.settings.nats_url
    else:
        await processes.service(name, running.settings)


def test_each_service_is_killed_in_a_match(tmp_path: Path) -> None:
    folder = tmp_path / "data"

    async def whole() -> None:
        async with backend(folder, replace(SETTINGS, log=str(folder))) as running:
            async with company(Place(running), 3, game="trix", stake=500, seed=7) as players:
                await players.sit("trix", "complex_partnership", 500)
                playing = asyncio.create_task(players.play())
                for number, victim in enumerate(WITHOUT_WHOM_IT_WAITS, start=1):
                    async with asyncio.timeout(SECONDS):
                        while len(players.accepted) < 40 * number:  # noqa: ASYNC110 - counted by the clients
                            await asyncio.sleep(0.001)
                    await killed_and_started(running, victim, folder)
                assert not playing.done()
                for victim in WITHOUT_WHOM_IT_GOES_ON:
                    await killed_and_started(running, victim, folder)
                async with asyncio.timeout(SECONDS):
                    view = await playing
                assert_kept(str(folder), [(players.match, *one) for one in players.accepted])
                steps = steps_of(str(folder), players.match)
                assert view["end"]["payouts"] == list(steps[-1].event.payouts)
                assert not [step for step in steps if step.cause == "clock"]
            await asyncio.to_thread(assert_sound, str(folder))

    asyncio.run(whole())


def test_tbl_13_a_killed_gateway_takes_its_lines_with_it_and_the_players_come_back_by_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "data"

    def happened(match: str, kind: type[ConnectionLost | ConnectionRestored]) -> list[int]:
        return [step.event.seat for step in steps_of(str(folder), match) if isinstance(step.event, kind)]

    async def whole() -> None:
        async with (
            backend(folder, replace(SETTINGS, log=str(folder))) as running,
            company(Place(running), 2, game="basra", stake=100, seed=7) as players,
        ):
            await players.sit("basra", "match", 100)
            playing = asyncio.create_task(players.play())
            async with asyncio.timeout(SECONDS):
                while not players.accepted:  # noqa: ASYNC110 - counted by the clients
                    await asyncio.sleep(0.001)
            before = len(happened(players.match, ConnectionRestored))
            await killed(running, "gateway")
            assert happened(players.match, ConnectionLost) == []
            async with asyncio.timeout(SECONDS):
                while sorted(happened(players.match, ConnectionLost)) != [0, 1]:  # noqa: ASYNC110 - read from disk
                    await asyncio.sleep(0.2)
            await running.processes.service("gateway", running.settings)
            async with asyncio.timeout(SECONDS):
                await playing
            assert sorted(happened(players.match, ConnectionRestored)[before:]) == [0, 1]
            await asyncio.to_thread(assert_sound, str(folder))

    asyncio.run(whole())
