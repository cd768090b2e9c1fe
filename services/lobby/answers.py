"""The answers to players' commands, so that one sent again gets its first answer."""

from typing import Any, Final

from events.messages import Reply
from services.lobby.events import PlayerLeft, PlayerReady, PlayerSeated, RoomOpened

KEPT: Final = 50_000  # answers


class Answers:
    """The recent answers, by player and command id; the oldest are forgotten."""

    __slots__ = ("_answers",)

    def __init__(self) -> None:
        """Begin with none."""
        self._answers: dict[tuple[str, str], Reply] = {}

    def find(self, actor: str, command: str) -> Reply | None:
        """Return the first answer to a command."""
        return self._answers.get((actor, command))

    def keep(self, actor: str, command: str, reply: Reply) -> None:
        """Keep the answer to a command unless it has one."""
        self._answers.setdefault((actor, command), reply)
        if len(self._answers) > KEPT:
            del self._answers[next(iter(self._answers))]


def answer_of(room: str, event: Any) -> Reply | None:
    """Return the answer to the command that led to an event, as it was given."""
    match event:
        case RoomOpened(quick=False):
            return Reply(ok=True, data={"room": room, "code": event.code or None})
        case PlayerSeated():
            return Reply(ok=True, data={"room": room, "seat": event.seat})
        case PlayerLeft() | PlayerReady():
            return Reply(ok=True, data={"room": room})
    return None
