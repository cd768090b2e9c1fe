"""The lobby's core, built again from its log."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.game import AnyGame
from domain.games import GAMES
from events.codec import Codec, kind_of
from events.envelope import unseal
from services.ids import new_id as uuid7
from services.lobby.codes import new_code as join_code
from services.lobby.core import LobbyCore
from services.lobby.events import LOBBY_EVENTS, MatchPrepared
from services.lobby.settings import LobbySettings
from services.worker import Journal

CODEC: Final = Codec(LOBBY_EVENTS)
RECENT: Final = 20_000  # positions at the end of the log in which answers to commands of closed rooms are looked up


def load(
    journal: Journal,
    settings: LobbySettings | None = None,
    games: Mapping[str, AnyGame] = GAMES,
    *,
    new_id: Callable[[], str] = uuid7,
    new_code: Callable[[], str] = join_code,
) -> LobbyCore:
    """Return the core as its log says: open rooms, recent answers, the count of matches. Blocks while it reads."""
    core = LobbyCore(settings, games, new_id=new_id, new_code=new_code)
    end = journal.log.end()
    for stored in journal.log.tail(max(0, end - RECENT), RECENT):
        opened = unseal(stored, journal.cipher)
        core.remember(opened.header, journal.codec.decode(opened.header.kind, opened.payload))
    if not core.ordinal:
        _count_matches(core, journal, end)
    for stream in journal.log.open_streams():
        core.restore((opened.header, event) for opened, event in journal.read(stream))
    return core


def _count_matches(core: LobbyCore, journal: Journal, end: int) -> None:
    """Find the last match that was prepared, looking back from the log's end in ever longer stretches."""
    span = RECENT
    while not core.ordinal and span < end:
        span *= 4
        for stored in journal.log.tail(max(0, end - span), span, kinds=[kind_of(MatchPrepared)]):
            opened = unseal(stored, journal.cipher)
            core.remember(opened.header, journal.codec.decode(opened.header.kind, opened.payload))
