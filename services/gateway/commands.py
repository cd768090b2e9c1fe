"""What a signed-in player may send over a line, and who answers it."""

from typing import Any, Final

import msgspec
import structlog
from msgspec import Raw

from events.messages import Act, Leave, LobbyRequest, Reply, Resume, ShowBalance
from events.subjects import LOBBY, SCORING, is_token
from services.gateway.frames import (
    LOBBY_FRAMES,
    OWN_FRAMES,
    WITHOUT_ID,
    AskBalance,
    BadFrame,
    Frame,
    Hello,
    LeaveTable,
    OwnFrame,
    ResumeTable,
    UnwatchTable,
    WatchTable,
    accepted,
    encode,
    refused,
)
from services.gateway.gateway import UNKNOWN_MATCH, Gateway
from services.gateway.player import Line, Player
from services.gateway.seats import update_of
from services.gateway.texts import MALFORMED, UNKNOWN_COMMAND

logger = structlog.get_logger()


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


OWN: Final = frozenset(_tag(kind) for kind in OWN_FRAMES)
LOBBYS: Final = frozenset(_tag(kind) for kind in LOBBY_FRAMES)
_decode_own: Final = msgspec.json.Decoder(OwnFrame).decode
_decode_lobby: Final = msgspec.json.Decoder(LobbyRequest).decode
OVER: Final = "MATCH_OVER"


class _OfGame(msgspec.Struct):
    """What a view says of its game."""

    game: str = ""


_decode_game: Final = msgspec.json.Decoder(_OfGame).decode


class Commands:
    """Carries out the frames of one line."""

    def __init__(self, gateway: Gateway, player: Player, line: Line) -> None:
        """Take whose line it is."""
        self._gateway = gateway
        self._player = player
        self._line = line

    async def run(self, frame: Frame, text: str) -> None:
        """Carry out a frame and answer it; raise :class:`BadFrame` if it breaks the protocol."""
        known = frame.do in OWN or frame.do in LOBBYS
        self._gateway.metrics.received.labels(frame.do if known else "game").inc()
        if frame.do in OWN:
            await self._own(frame, text)
        elif frame.do in LOBBYS:
            await self._lobby(frame)
        elif frame.table is not None:
            await self._act(frame, frame.table)
        else:
            raise BadFrame(UNKNOWN_COMMAND, "", frame.id)

    def _answer(self, re: str | None, reply: Reply) -> None:
        if reply.ok:
            self._line.push([accepted(re, reply.data)])
        else:
            self._line.push([refused(re, reply.refused, self._gateway.text_of(reply))])

    async def _act(self, frame: Frame, match: str) -> None:
        """Pass a game's command on to its table, which alone reads it."""
        if not frame.id:
            raise BadFrame(MALFORMED, "A command has an id.")
        if not is_token(match):
            raise BadFrame(MALFORMED, "The field table is the id of a match.", frame.id)
        del frame.fields["id"], frame.fields["table"]
        request = Act(match, self._player.name, frame.id, Raw(encode(frame.fields)))
        reply = await self._gateway.ask_table(match, encode(request))
        logger.debug("command", player=self._player.name, match=match, command=frame.id, refused=reply.refused)
        self._answer(frame.id, reply)

    async def _lobby(self, frame: Frame) -> None:
        fields = frame.fields
        if "actor" in fields:
            raise BadFrame(MALFORMED, "Object contains unknown field `actor`", frame.id)
        if frame.do in WITHOUT_ID:
            fields.pop("id", None)
        fields["actor"] = Raw(encode(self._player.name))
        try:
            request = _decode_lobby(encode(fields))
        except msgspec.MsgspecError as fault:
            raise BadFrame(MALFORMED, str(fault), frame.id) from fault
        reply = await self._gateway.ask(LOBBY, encode(request))
        logger.debug("lobby", player=self._player.name, do=frame.do, command=frame.id, refused=reply.refused)
        self._answer(frame.id, reply)

    async def _own(self, frame: Frame, text: str) -> None:
        try:
            request = _decode_own(text)
        except msgspec.MsgspecError as fault:
            raise BadFrame(MALFORMED, str(fault), frame.id) from fault
        match request:
            case ResumeTable():
                await self._resume(frame.id, request)
            case LeaveTable():
                await self._leave(request)
            case WatchTable():
                await self._watch(frame.id, request.table)
            case UnwatchTable():
                await self._gateway.watchers.unwatch(request.table, self._line)
                self._answer(frame.id, Reply(ok=True))
            case AskBalance():
                self._answer(frame.id, await self._gateway.ask(SCORING, encode(ShowBalance(self._player.name))))
            case Hello():
                raise BadFrame(MALFORMED, "You have said hello already.", frame.id)

    async def _resume(self, re: str | None, request: ResumeTable) -> None:
        match, player = request.table, self._player
        if not self._gateway.may_exist(match):
            self._answer(re, Reply(ok=False, refused=UNKNOWN_MATCH))
            return
        player.learn(match)  # the table hears first that he is back, then that he wants to see
        reply = await self._gateway.ask_table(match, encode(Resume(match, player.name)))
        if reply.ok:
            self._answer(re, Reply(ok=True))
            update = update_of(reply)
            player.resumed(update, self._line, self._known(update.view, request.version))
            return
        player.forget(match)
        shown = player.table(match)
        if reply.refused == OVER and shown is not None and shown.over:  # he missed the end
            self._answer(re, Reply(ok=True))
            self._line.push(shown.since(self._known(shown.view, request.version)))
            return
        self._answer(re, reply)

    def _known(self, view: bytes | Raw, version: int) -> int:
        """Return the version after which missed events are sent; 0, so the whole view, where a game wants it."""
        game = self._gateway.games.get(_decode_game(view).game)
        return 0 if game is not None and game.resumes_whole else version

    async def _leave(self, request: LeaveTable) -> None:
        match, player = request.table, self._player
        reply = await self._gateway.ask_table(match, encode(Leave(match, player.name, request.id)))
        if reply.ok:
            player.forget(match)
            logger.info("player left a match", player=player.name, match=match, command=request.id)
        self._answer(request.id, reply)

    async def _watch(self, re: str | None, match: str) -> None:
        if self._player.seated(match):
            self._answer(re, Reply(ok=False, refused="ALREADY_SEATED"))
            return
        if not self._gateway.may_exist(match):
            self._answer(re, Reply(ok=False, refused=UNKNOWN_MATCH))
            return
        try:
            reply, frames = await self._gateway.watchers.watch(match, self._line)
        except ConnectionError:
            reply, frames = Reply(ok=False, refused="UNAVAILABLE"), []
        self._answer(re, reply)
        self._line.push(frames)
