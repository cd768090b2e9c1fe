"""The games there are, by name and rules version. A new game is one package and one line here."""

from typing import Final

from domain.game import AnyGame
from domain.games import banakil, basra, leekha, pinochle, trix

_ALL: Final[tuple[AnyGame, ...]] = (
    trix.GAME,
    banakil.GAME,
    basra.GAME,
    leekha.BINT_SBEET,
    leekha.LEEKHA,
    pinochle.GAME,
)

GAMES: Final = {game.name: game for game in sorted(_ALL, key=lambda game: game.rules_version)}  # newest version
VERSIONS: Final = {(game.name, game.rules_version): game for game in _ALL}


def find(name: str, rules_version: int) -> AnyGame:
    """Return the game under the version of the rules that a match was played by; KeyError if unknown."""
    return VERSIONS[name, rules_version]
