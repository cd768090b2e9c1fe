"""The lobby's core in the worker that all services share: commit first, then answer, ask and show."""

import asyncio
from typing import Any

import msgspec

from events.log.memory import MemoryLog
from events.messages import OpenRoom, ReadyUp, Reply, RoomUpdate
from services.core import Message
from services.lobby import CODEC, LobbySettings, load
from services.worker import Journal, Worker
from tests.services.lobby.world import GAMES


class Others:
    """Scoring and tables that say yes, the second time they are asked."""

    def __init__(self) -> None:
        """Begin unasked."""
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.shown: list[RoomUpdate] = []
        self.playing = asyncio.Event()

    async def publish(self, message: Message) -> None:
        update = msgspec.json.decode(message.body, type=RoomUpdate)
        self.shown.append(update)
        if update.phase == "playing":
            self.playing.set()

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - the port's name
        assert timeout > 0
        self.asked.append((subject, msgspec.json.decode(body)))
        if len(self.asked) == 1:
            raise ConnectionError("nobody is there yet")
        return Reply(ok=True)


def test_a_room_starts_through_the_worker() -> None:
    async def scenario() -> None:
        log, others = MemoryLog(), Others()
        journal = Journal(log, CODEC)
        worker = Worker("lobby", load(journal, LobbySettings(), GAMES), journal, others)
        running = asyncio.create_task(worker.run())
        answers: asyncio.Queue[Reply] = asyncio.Queue()
        worker.put(OpenRoom(actor="ali", id="o", game="trix"), answers.put)
        room = (await answers.get()).data["room"]
        worker.put(ReadyUp(actor="ali", id="r", room=room), answers.put)
        assert (await answers.get()).ok
        await asyncio.wait_for(others.playing.wait(), 5)
        assert [body["do"] for _, body in others.asked] == ["open_match", "open_match"]
        assert others.asked[0] == others.asked[1]
        assert others.shown[-1].match == others.asked[0][1]["match"]
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scenario())
