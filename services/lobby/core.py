"""The lobby's core: rooms and their matches, decided without clock, network or disk.

It is the :class:`services.core.Core` of the lobby's one partition. Requests are those of
:data:`events.messages.LobbyRequest`, the :class:`~services.core.Answered` to what it asks, and the
:class:`~events.messages.Fact` values of the tables' partitions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.game import AnyGame
from domain.games import GAMES
from events.envelope import Header
from events.messages import (
    Fact,
    JoinRoom,
    LeaveRoom,
    ListRooms,
    OpenRoom,
    QuickPlay,
    ReadyUp,
    Reply,
    ShowRoom,
)
from services.core import Answered, Decision
from services.ids import new_id as uuid7
from services.lobby import rules, saga
from services.lobby.answers import Answers, answer_of
from services.lobby.changes import Changes, asked, messages, still_running
from services.lobby.codes import new_code as join_code
from services.lobby.events import (
    MatchPrepared,
    PlayerLeft,
    PlayerReady,
    PlayerSeated,
    RoomClosed,
    WaitExtended,
)
from services.lobby.refusals import Refusal, Refused
from services.lobby.registry import Registry
from services.lobby.rooms import Phase, Room, begin, evolve, shown
from services.lobby.settings import LobbySettings

LISTED: Final = 100  # public rooms in one answer

_OVER: Final = {"table.match_ended.v1": False, "table.match_voided.v1": True}
_LEFT: Final = "table.player_left.v1"


class _Left(msgspec.Struct):
    seat: int


class _Ended(msgspec.Struct):
    next_first: int | None = None


class LobbyCore:
    """All open rooms, and what may happen to them."""

    def __init__(
        self,
        settings: LobbySettings | None = None,
        games: Mapping[str, AnyGame] = GAMES,
        *,
        new_id: Callable[[], str] = uuid7,
        new_code: Callable[[], str] = join_code,
    ) -> None:
        """Begin empty. ``new_id`` gives 32 hex digits that sort by time, ``new_code`` a join code."""
        self.settings = settings or LobbySettings()
        self.games = games
        self.rooms = Registry(self.settings)
        self.answers = Answers()
        self.ordinal = 0  # of the last match that was prepared
        self._new_id = new_id
        self._new_code = new_code

    # --- from the log

    def restore(self, recorded: Iterable[tuple[Header, Any]]) -> None:
        """Take one open room's events, in order."""
        room: Room | None = None
        for header, event in recorded:
            room = begin(event, header.at) if room is None else evolve(room, event, header.at)
            self.remember(header, event)
        if room is not None:
            self.rooms.put(room)

    def remember(self, header: Header, event: Any) -> None:
        """Take an event of any room, closed ones too: the answer that its command got, and the count of matches."""
        if isinstance(event, MatchPrepared):
            self.ordinal = max(self.ordinal, event.ordinal)
        if header.command:
            reply = answer_of(header.stream, event)
            if reply is not None:
                self.answers.keep(header.actor, header.command, reply)

    # --- requests

    def handle(self, request: Any, now: int) -> Decision:
        """Decide on a request; never raises for anything a player can send."""
        match request:
            case Answered():
                return self._answered(request, now)
            case Fact():
                return self._fact(request, now)
            case ListRooms():
                return Decision(reply=Reply(ok=True, data={"rooms": self._listed(request.actor)}))
            case ShowRoom():
                room = self.rooms.find(request.room)
                if room is None:
                    return Decision(reply=Refused(Refusal.ROOM_UNKNOWN).reply)
                return Decision(reply=Reply(ok=True, data={"room": shown(room)}))
        return self._command(request, now)

    def _listed(self, player: str) -> list[Any]:
        found = {room.id: room for room in [*self.rooms.of(player), *self.rooms.public(LISTED)]}
        return [shown(room) for room in found.values()]

    def _command(self, request: OpenRoom | JoinRoom | LeaveRoom | ReadyUp | QuickPlay, now: int) -> Decision:
        first = self.answers.find(request.actor, request.id)
        if first is not None:
            return Decision(reply=first)
        try:
            changes = self._decide(request, now)
        except Refused as refused:
            decision = Decision(reply=refused.reply)
        else:
            reply = next(filter(None, (answer_of(draft.stream, draft.event) for draft in changes.drafts)))
            self._start_if_ready(changes)
            decision = self._done(changes, reply)
        assert decision.reply is not None
        self.answers.keep(request.actor, request.id, decision.reply)
        return decision

    def _decide(self, request: OpenRoom | JoinRoom | LeaveRoom | ReadyUp | QuickPlay, now: int) -> Changes:
        match request:
            case OpenRoom():
                return self._open(request, now)
            case QuickPlay():
                return self._quick(request, now)
        room = self.rooms.find(request.room)
        if room is None:
            raise Refused(Refusal.ROOM_UNKNOWN)
        changes = Changes(room, now)
        if isinstance(request, JoinRoom):
            rules.check_join(room, request)
            self._check_limit(request.actor)
            self._sit(changes, request.actor, request.id, request.seat)
            return changes
        seat = room.seat_of(request.actor)
        if seat is None:
            raise Refused(Refusal.NOT_SEATED)
        if room.phase is not Phase.WAITING:
            raise Refused(Refusal.ROOM_NOT_WAITING)
        if isinstance(request, ReadyUp):
            changes.add(PlayerReady(request.actor, seat), request.actor, request.id)
            return changes
        changes.add(PlayerLeft(request.actor, seat), request.actor, request.id)
        if not changes.room.seated:
            changes.add(RoomClosed("empty"))
        return changes

    def _open(self, request: OpenRoom, now: int) -> Changes:
        game = rules.game_of(self.games, request.game)
        self._check_limit(request.actor)
        event = rules.opened(request, game, self.settings, self._room_id(), self._new_code())
        changes = Changes.opening(event, now, request.actor, request.id)
        self._sit(changes, request.actor, request.id)
        return changes

    def _quick(self, request: QuickPlay, now: int) -> Changes:
        game = rules.game_of(self.games, request.game)
        waiting = self.rooms.quick(game.name, request.stake)
        if any(room.seat_of(request.actor) is not None for room in waiting):
            raise Refused(Refusal.ALREADY_SEATED)
        self._check_limit(request.actor)
        if waiting:
            changes = Changes(waiting[0], now)
        else:
            event = rules.quick(request, game, self.settings, self._room_id(), now)
            changes = Changes.opening(event, now, request.actor, request.id)
        self._sit(changes, request.actor, request.id)
        return changes

    def _sit(self, changes: Changes, player: str, command: str, wanted: int | None = None) -> None:
        seat = rules.seat_for(changes.room, player, wanted)
        changes.add(PlayerSeated(player, seat), player, command)

    def _check_limit(self, player: str) -> None:
        limit = self.settings.rooms_per_player
        if limit and len(self.rooms.of(player)) >= limit:
            raise Refused(Refusal.TOO_MANY_ROOMS)

    def _room_id(self) -> str:
        return f"room-{self._new_id()}"

    # --- matches

    def _start_if_ready(self, changes: Changes) -> None:
        if rules.can_start(changes.room):
            self._start(changes)

    def _start(self, changes: Changes) -> None:
        self.ordinal += 1
        partitions = self.settings.partitions
        match = f"{partitions[(self.ordinal - 1) % len(partitions)]}-{self._new_id()}"
        game = self.games[changes.room.opened.game]
        changes.add(rules.prepared(changes.room, game, match, self.ordinal))

    def _answered(self, answered: Answered, now: int) -> Decision:
        step, _, match = answered.key.partition(".")
        room = self.rooms.playing(match)
        if room is None:
            return Decision()
        changes = Changes(room, now)
        saga.answered(changes, step, answered.reply, self.settings)
        return self._done(changes)

    def _fact(self, fact: Fact, now: int) -> Decision:
        room = self.rooms.playing(fact.stream)
        reply = Reply(ok=True)
        if room is None or room.phase not in (Phase.OPENING, Phase.PLAYING):
            return Decision(reply=reply)
        changes = Changes(room, now)
        if fact.kind in _OVER:
            first = msgspec.json.decode(fact.event, type=_Ended).next_first
            saga.over(changes, voided=_OVER[fact.kind], settings=self.settings, first=first)
        elif fact.kind == _LEFT:
            saga.gone(changes, msgspec.json.decode(fact.event, type=_Left).seat)
        return self._done(changes, reply)

    def _done(self, changes: Changes, reply: Reply | None = None) -> Decision:
        if changes.drafts:
            self.rooms.put(changes.room)
        return changes.decision(reply)

    # --- time

    def due(self) -> int | None:
        """Return when the next waiting room has waited enough, in milliseconds, or None."""
        return self.rooms.due()

    def tick(self, now: int) -> Sequence[Decision]:
        """Fill rooms of quick play with bots; close rooms that have waited long enough."""
        decisions: list[Decision] = []
        while (room := self.rooms.take_due(now)) is not None:
            changes = Changes(room, now)
            if room.opened.quick:
                self._start(changes)
            else:
                changes.add(RoomClosed("no_rematch" if room.until else "idle"))
            decisions.append(self._done(changes))
        return decisions

    def wake(self, now: int) -> Sequence[Decision]:
        """Ask again for what rooms wait for, show every room again, and give waits that ran out another run."""
        decisions: list[Decision] = []
        for room in self.rooms:
            changes = Changes(room, now)
            if room.phase is Phase.WAITING and room.until and room.until <= now:
                span = self.settings.fill_seconds if room.opened.quick else self.settings.rematch_seconds
                changes.add(WaitExtended(now + self.settings.span(span)))
                decisions.append(self._done(changes))
            else:
                asks = still_running(room) if room.phase is Phase.PLAYING else asked(room)
                decisions.append(Decision(messages=messages(room, room.seated), asks=asks))
        return decisions
