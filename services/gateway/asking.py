"""Asking the other services, again until they answer or the time is up."""

import asyncio
from typing import Final

from events.messages import Reply
from services.gateway.bus import Bus
from services.gateway.metrics import Metrics
from services.gateway.texts import UNAVAILABLE

TRY_SECONDS: Final = 3.0  # of one try: a table that is handed over meanwhile answers the next one


async def ask(bus: Bus, metrics: Metrics, subject: str, body: bytes, seconds: float) -> Reply:
    """Return the answer to a request, or a refusal ``UNAVAILABLE``.

    The same bytes are sent every time, so a command that arrived but whose answer got lost is not carried out twice.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    pause = 0.05
    while (left := began + seconds - loop.time()) > 0:
        try:
            reply = await bus.request(subject, body, min(TRY_SECONDS, left))
        except (TimeoutError, ConnectionError):
            await asyncio.sleep(min(pause, left))
            pause = min(pause * 2, 0.5)
            continue
        metrics.asked.labels(subject.partition(".")[0]).observe(loop.time() - began)
        return reply
    metrics.unavailable.labels(subject.partition(".")[0]).inc()
    return Reply(ok=False, refused=UNAVAILABLE)
