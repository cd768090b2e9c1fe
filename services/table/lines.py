"""Whose line is held by which gateway, and when each was last heard of: the lines of one that falls silent are lost."""

from typing import Final

import msgspec

SILENCE_MS: Final = 15_000  # three signs of life in a row that did not come; real time, at any scale


class Line(msgspec.Struct, frozen=True):
    """A player's connection, as tables know it."""

    match: str
    player: str
    epoch: str


class Lines:
    """The lines to one partition's tables. Kept in memory: after a restart every player is told from anew."""

    def __init__(self) -> None:
        """Begin with nobody connected."""
        self._heard: dict[str, int] = {}  # by gateway: when, in milliseconds
        self._held: dict[str, dict[str, tuple[str, str]]] = {}  # by match and player: gateway and epoch

    def opened(self, line: Line, gateway: str, now: int) -> None:
        """Note who holds a line, instead of whoever held the player's line before."""
        self._held.setdefault(line.match, {})[line.player] = (gateway, line.epoch)
        self.heard(gateway, now)

    def heard(self, gateway: str, now: int) -> None:
        """Note a sign of life."""
        self._heard[gateway] = now

    def ended(self, match: str) -> None:
        """Forget a match."""
        self._held.pop(match, None)

    def due(self) -> int | None:
        """Return when the first gateway will have been silent for too long, in milliseconds."""
        return min(self._heard.values()) + SILENCE_MS if self._heard else None

    def lost(self, now: int) -> list[Line]:
        """Return the lines of gateways that have been silent for too long, and forget those gateways."""
        silent = {gateway for gateway, at in self._heard.items() if at + SILENCE_MS <= now}
        for gateway in silent:
            del self._heard[gateway]
        lines = [
            Line(match, player, epoch)
            for match, held in self._held.items()
            for player, (gateway, epoch) in held.items()
            if gateway in silent
        ]
        for line in lines:
            del self._held[line.match][line.player]
        return lines
