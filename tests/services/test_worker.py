"""The worker: everything queued goes into one commit, and nothing is answered or shown before it."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from events.codec import Codec
from events.log import LogFailed
from events.log.memory import Fault, MemoryLog
from events.messages import Reply
from services.core import Answered, Ask, Decision, Draft, Message
from services.worker import Journal, Worker


class Noted(msgspec.Struct, frozen=True, tag_field="kind", tag="test.noted.v1"):
    text: str


class Notebook:
    """A core that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.when: int | None = None

    def handle(self, request: Any, now: int) -> Decision:
        self.told.append(request)
        if isinstance(request, Answered):
            return Decision(drafts=[Draft("book", Noted(f"answer {request.reply.data}"), now)])
        if request == "ask":
            return Decision(reply=Reply(ok=True), asks=[Ask("k", "elsewhere", b"?")])
        draft = Draft("book", Noted(request), now)
        return Decision(drafts=[draft], reply=Reply(ok=True, data=request), messages=[Message("s", request.encode())])

    def due(self) -> int | None:
        return self.when

    def tick(self, now: int) -> Sequence[Decision]:
        self.when = None
        return [Decision(drafts=[Draft("book", Noted("tick"), now)])]

    def wake(self, now: int) -> Sequence[Decision]:
        return [Decision(drafts=[Draft("book", Noted("awake"), now)])]


class Wire:
    """A bus that remembers, and answers at the third try."""

    def __init__(self, log: MemoryLog) -> None:
        self.log = log
        self.published: list[tuple[str, int]] = []
        self.asked = 0

    async def publish(self, message: Message) -> None:
        self.published.append((message.body.decode(), self.log.end()))

    async def request(self, _subject: str, _body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - the port's
        assert timeout > 0
        self.asked += 1
        if self.asked < 3:
            raise ConnectionError("nobody is there")
        return Reply(ok=True, data="yes")


async def worked(worker: Worker, until: Any) -> None:
    task = asyncio.create_task(worker.run())
    try:
        async with asyncio.timeout(5):
            while not until():
                assert not task.done() or task.result() is None
                await asyncio.sleep(0.005)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def texts(log: MemoryLog) -> list[str]:
    return [event.text for _, event in Journal(log, Codec([Noted])).read("book")]


def test_what_is_queued_is_committed_once_and_only_then_answered_and_shown() -> None:
    async def scene() -> None:
        log = MemoryLog(late_seconds=0.01)
        wire, commits, answers = Wire(log), [], []
        worker = Worker("p", Notebook(), Journal(log, Codec([Noted])), wire, committed=lambda d: commits.append(len(d)))

        async def answer(reply: Reply) -> None:
            answers.append((reply.data, log.end()))

        for text in "abc":
            worker.put(text, answer)
        await worked(worker, lambda: len(answers) == 3)
        assert commits == [1, 3]
        assert answers == [("a", 4), ("b", 4), ("c", 4)]
        assert wire.published == [("a", 4), ("b", 4), ("c", 4)]
        assert texts(log) == ["awake", "a", "b", "c"]

    asyncio.run(scene())


@pytest.mark.parametrize("fault", [Fault.FAILS, Fault.LOSES_RACE, Fault.ANSWER_LOST])
def test_a_failed_commit_answers_nothing_shows_nothing_and_ends_the_worker(fault: Fault) -> None:
    async def scene() -> None:
        log = MemoryLog()
        wire, answers = Wire(log), []
        worker = Worker("p", Notebook(), Journal(log, Codec([Noted])), wire)

        async def answer(reply: Reply) -> None:
            answers.append(reply)

        log.disturb(None, fault)
        worker.put("a", answer)
        with pytest.raises(LogFailed):
            async with asyncio.timeout(5):
                await worker.run()
        assert answers == []
        assert wire.published == []

    asyncio.run(scene())


def test_an_ask_is_repeated_until_it_is_answered_and_the_answer_comes_back_as_a_request() -> None:
    async def scene() -> None:
        log = MemoryLog()
        wire = Wire(log)
        worker = Worker("p", Notebook(), Journal(log, Codec([Noted])), wire)
        worker.put("ask")
        await worked(worker, lambda: "answer yes" in texts(log))
        assert wire.asked == 3

    asyncio.run(scene())


def test_time_rings_without_requests() -> None:
    async def scene() -> None:
        log, core = MemoryLog(), Notebook()
        worker = Worker("p", core, Journal(log, Codec([Noted])), Wire(log), now=lambda: 50)
        core.when = 40
        await worked(worker, lambda: "tick" in texts(log))

    asyncio.run(scene())


def test_streams_are_chained_and_versions_go_on_after_a_reload() -> None:
    log = MemoryLog()
    Journal(log, Codec([Noted])).write([Draft("book", Noted("one"), 1), Draft("other", Noted("x"), 1)])
    again = Journal(log, Codec([Noted]))
    again.read("book")
    again.write([Draft("book", Noted("two"), 2), Draft("book", Noted("three"), 2, last=True)])
    opened = [one.header.version for one, _ in Journal(log, Codec([Noted])).read("book")]
    assert opened == [1, 2, 3]
    assert log.open_streams() == ["other"]
