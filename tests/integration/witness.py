"""A witness on the bus: whatever is said on any subject, kept in order."""

import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import nats
import nats.errors
from nats.aio.msg import Msg


class Said(msgspec.Struct, frozen=True):
    """One message."""

    subject: str
    reply: str
    body: bytes

    @property
    def content(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.body)
        return found


class Witness:
    """Everything that was said since it began to listen."""

    def __init__(self, told: Callable[[Said], None] = lambda _said: None) -> None:
        """Begin empty; ``told`` is called with every message."""
        self.heard: list[Said] = []
        self._told = told

    async def take(self, message: Msg) -> None:
        said = Said(message.subject, message.reply, message.data)
        self.heard.append(said)
        self._told(said)

    def on(self, prefix: str) -> list[Said]:
        """Return what was said on subjects that begin so."""
        return [said for said in self.heard if said.subject.startswith(prefix)]

    def answers(self) -> dict[str, bytes]:
        """Return the first answer that was given to each place for answers."""
        found: dict[str, bytes] = {}
        for said in self.on("_INBOX."):
            found.setdefault(said.subject, said.body)
        return found

    def accepted(self) -> list[tuple[str, str, str]]:
        """Return every command, as (match, actor, id), that a table has acknowledged."""
        answers = self.answers()
        found = []
        for said in self.on("table."):
            request = said.content
            answer = answers.get(said.reply)
            if request["do"] == "act" and answer and msgspec.json.decode(answer)["ok"]:
                found.append((request["match"], request["actor"], request["id"]))
        return found


@asynccontextmanager
async def witness(url: str, told: Callable[[Said], None] = lambda _said: None) -> AsyncIterator[Witness]:
    """Listen to every subject of a server until the end, or until the server is gone."""

    async def silent(_fault: Exception) -> None:
        """The server may be killed while we listen."""

    client = await nats.connect(url, allow_reconnect=False, error_cb=silent)
    found = Witness(told)
    await client.subscribe(">", cb=found.take, pending_msgs_limit=-1, pending_bytes_limit=-1)
    await client.flush()
    try:
        yield found
    finally:
        with contextlib.suppress(nats.errors.Error, OSError, TimeoutError):
            await client.drain()
        if not client.is_closed:
            await client.close()
