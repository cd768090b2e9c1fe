"""The lobby: rooms, seats, quick play, and the steps from everybody being ready to an open match."""

from services.lobby.core import LobbyCore
from services.lobby.load import CODEC, load
from services.lobby.refusals import TEXTS
from services.lobby.settings import LobbySettings

__all__ = ["CODEC", "TEXTS", "LobbyCore", "LobbySettings", "load"]
