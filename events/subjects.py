"""Names on the bus. Every subject that is used anywhere is made here, so permissions can be read off this page."""

import re
from typing import Final

LOBBY: Final = "lobby.command"  # request and reply
SCORING: Final = "scoring.command"  # request and reply
FACTS_STREAM: Final = "FACTS"  # the JetStream stream of public facts
FACTS_ALL: Final = "facts.>"
BOTS_HELLO: Final = "bots.hello"  # a bots service has started: tables show their bots' seats again
GATEWAYS_LIVE: Final = "gateways.live"  # gateways say that they are there: tables take the silent ones' lines for lost
TABLES_LIVE: Final = "tables.live"  # request: every owner of partitions answers with the matches it runs

PLAYER_SEATS: Final = "seat.player.>"  # all that players are shown
BOT_SEATS: Final = "seat.bot.>"  # all that bots are shown

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


def is_token(text: str) -> bool:
    """Say whether a text may be part of a subject: ids of players, rooms and matches."""
    return _TOKEN.match(text) is not None


def partition_of(match: str) -> str:
    """Return the partition that a match id carries: ``07`` of ``07-0190…``."""
    return match.partition("-")[0]


def table(partition: str) -> str:
    """Return where commands for a partition's tables go (request and reply)."""
    return f"table.{partition}.command"


def seat_of_player(player: str, match: str) -> str:
    """Return where a player's seat is shown; only gateways may read it."""
    return f"seat.player.{player}.{match}"


def seat_of_bot(bot: str, match: str) -> str:
    """Return where a bot's seat is shown; only the bots service may read it."""
    return f"seat.bot.{bot}.{match}"


def public(match: str) -> str:
    """Return where spectators' copies go."""
    return f"public.{match}"


def facts(partition: str, kind: str) -> str:
    """Return where a public fact of a partition goes (JetStream); ``lobby`` and ``scoring`` are partitions too."""
    return f"facts.{partition}.{kind}"
