"""The core of the table service: the open matches of one partition, and what every request does to them."""

import heapq
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import structlog

from domain.game import SPECTATOR
from domain.games import GAMES, VERSIONS, find
from domain.options import BadOption, checked
from domain.shuffle import Randomness, SeededRandomness, expand
from domain.table import decide
from domain.table.decide import Outcome
from domain.table.events import PUBLIC_FACTS, TABLE_EVENTS, Holder, MatchEnded, MatchOpened, MatchVoided
from domain.table.match import Cause, Match, Recorded, begin, evolve
from events.codec import Codec
from events.messages import (
    Act,
    Connected,
    Disconnected,
    GatewayLives,
    Leave,
    OpenMatch,
    Reply,
    Resume,
    TableRequest,
    VoidMatch,
    Watch,
)
from services.core import Decision, Draft, Message
from services.table.lines import Line, Lines
from services.table.shows import count, seat_update, show
from services.worker import Journal

logger = structlog.get_logger()

REFUSALS_KEPT: Final = 64  # of one match: a command refused and sent again gets its first answer
ENDED_KEPT: Final = 10_000  # matches whose end is remembered, so that late commands are answered without the log
ENDED_WHOLE: Final = 16  # of these, those whose last state and answers are kept as well

OfMatch = Act | Leave | Connected | Disconnected | Resume | Watch | VoidMatch  # requests about one that is open


class ShowBots(msgspec.Struct, frozen=True):
    """A bots service has started: show it every seat that waits for a bot."""


class ListMatches(msgspec.Struct, frozen=True):
    """Answer the open matches of this partition, without any card."""


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator sets for all tables."""

    time_scale: int = 1
    seed: bytes = b""  # only on a private backend: fixes every shuffle


class Table(msgspec.Struct):
    """One open match in memory."""

    id: str
    match: Match
    versions: list[int]  # how many events each seat, then the spectators, have been sent
    applied: set[str]  # command ids, with their actor, of everything that was accepted
    refused: OrderedDict[str, Reply]
    due: int | None = None


def codec() -> Codec:
    """Return the codec of a table's log: the table's events and those of every version of every game."""
    kinds: dict[type[Any], None] = dict.fromkeys(TABLE_EVENTS)
    for game in VERSIONS.values():
        kinds.update(dict.fromkeys(game.events))
    return Codec(kinds)


def public_kinds() -> frozenset[str]:
    """Return the kinds of events that other services are told of."""
    return frozenset({*PUBLIC_FACTS, *(kind for game in VERSIONS.values() for kind in game.public)})


class TableCore:
    """Implements :class:`services.core.Core` for the matches of one partition."""

    def __init__(self, settings: TableSettings, journal: Journal, entropy: Callable[[int], bytes]) -> None:
        """Load the open matches from the log; ``entropy`` gives fresh random bytes (the operating system's)."""
        self._settings = settings
        self._journal = journal
        self._entropy = entropy
        self._tables: dict[str, Table] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._last: OrderedDict[str, Table] = OrderedDict()  # matches that have ended lately, or were asked for since
        self._timers: list[tuple[int, str]] = []
        self._lines = Lines()
        self._stopped = 0  # the last sign of life of the process before
        self._decoders = {key: msgspec.json.Decoder(game.commands) for key, game in VERSIONS.items()}
        for stream in journal.log.open_streams():
            self._load(stream)

    def _load(self, stream: str) -> None:
        table = self._folded(stream)
        if table is not None:
            self._tables[stream] = table
            self._stopped = max(self._stopped, table.match.touched)
            self._schedule(table)

    def _folded(self, stream: str) -> Table | None:
        """Return a match as its log says, None if there is no such match."""
        table: Table | None = None
        for opened, event in self._journal.read(stream):
            header = opened.header
            cause = Cause(header.cause)
            step = Recorded(event, header.at, header.actor, cause, header.command, header.deadline, header.state)
            if table is None:
                assert isinstance(event, MatchOpened), f"{stream} does not begin with its opening"
                game = find(event.game, event.rules_version)
                match = begin(game, event, header.at)
                table = Table(stream, match, [0] * (len(event.seats) + 1), set(), OrderedDict())
            else:
                table.match = evolve(table.match, step)
            _note_applied(table, (step,))
            count(table.match, (step,), table.versions)
        return table

    # --- the core's four functions ---

    def handle(self, request: TableRequest | ShowBots | ListMatches | GatewayLives, now: int) -> Decision:
        """Decide on a request."""
        match request:
            case Act():
                return self._act(request, now)
            case OpenMatch():
                return self._open(request, now)
            case GatewayLives(gateway=gateway):
                self._lines.heard(gateway, now)
                return Decision()
            case ShowBots():
                tables = self._tables.values()
                return Decision(messages=[message for table in tables for message in self._as_it_stands(table)])
            case ListMatches():
                return Decision(reply=Reply(ok=True, data=[summary(table) for table in self._tables.values()]))
        table = self._tables.get(request.match)  # type: ignore[union-attr]
        if table is None:
            return Decision(reply=self._closed(request))  # type: ignore[arg-type]
        return self._about(table, request, now)

    def due(self) -> int | None:
        """Return when the next clock, grace or pause of any match runs out, or a gateway's silence is too long."""
        return min((when for when in (self._due(), self._lines.due()) if when is not None), default=None)

    def _due(self) -> int | None:
        timers = self._timers
        while timers:
            when, name = timers[0]
            table = self._tables.get(name)
            if table is not None and table.due == when:
                return when
            heapq.heappop(timers)
        return None

    def tick(self, now: int) -> Sequence[Decision]:
        """Act for everybody whose time is up."""
        decisions = []
        for line in self._lines.lost(now):
            table = self._tables[line.match]
            outcome = decide.disconnected(table.match, line.player, line.epoch, now, self._chance)
            decisions.append(self._decision(table, outcome))
        while (when := self._due()) is not None and when <= now:
            _, name = heapq.heappop(self._timers)
            table = self._tables[name]
            table.due = None
            outcome = decide.tick(table.match, now, self._chance)
            if outcome.recorded:
                decisions.append(self._decision(table, outcome))
            else:
                self._schedule(table)
        return decisions

    def wake(self, now: int) -> Sequence[Decision]:
        """Move the deadlines that ran while no process owned the partition, and show the bots their seats."""
        decisions = []
        for table in list(self._tables.values()):
            outcome = decide.recover(table.match, now, self._stopped, self._chance)
            decisions.append(
                self._decision(table, outcome) if outcome.recorded else Decision(messages=self._as_it_stands(table))
            )
        return decisions

    # --- requests ---

    def _act(self, request: Act, now: int) -> Decision:
        table = self._tables.get(request.match)
        if table is None:
            return Decision(reply=self._closed(request))
        key = f"{request.actor}:{request.id}"
        if key in table.applied:
            return Decision(reply=ACCEPTED)
        if key in table.refused:
            return Decision(reply=table.refused[key])
        game = table.match.game
        try:
            command = self._decoders[game.name, game.rules_version].decode(request.command)
        except (msgspec.MsgspecError, RecursionError) as fault:
            return self._no_command(table, request.actor, _unquoted(fault), now)
        outcome = decide.act(table.match, request.actor, command, now, self._chance, request.id)
        return self._decision(table, outcome, key)

    def _no_command(self, table: Table, actor: str, text: str, now: int) -> Decision:
        """Refuse what is no command of the game, and say why."""
        decision = self._decision(table, decide.no_command(table.match, actor, now, self._chance))
        assert decision.reply is not None
        if decision.reply.refused == decide.Refusal.BAD_COMMAND:
            decision.reply = msgspec.structs.replace(decision.reply, text=text)
        return decision

    def _open(self, request: OpenMatch, now: int) -> Decision:
        if request.match in self._tables or self._journal.log.read(request.match):
            return Decision(reply=ACCEPTED)
        game = GAMES.get(request.game)
        if game is None:
            return Decision(reply=Reply(ok=False, refused="GAME_UNKNOWN"))
        try:
            options = checked(game.options, request.options, against_computer=request.against_computer)
        except BadOption as fault:
            return Decision(reply=Reply(ok=False, refused="BAD_OPTION", text=str(fault)))
        event = MatchOpened(
            game=game.name,
            rules_version=game.rules_version,
            variant=request.variant,
            options=dict(options),
            seats=tuple(Holder(seat.player, seat.bot, seat.staker) for seat in request.seats),
            stake=request.stake,
            rake_bps=request.rake_bps,
            room=request.room,
            owner=request.owner,
            owner_absent=True if request.owner_absent else msgspec.UNSET,
            first=request.first,
            against_computer=request.against_computer,
            spectators=request.spectators,
            time_scale=self._settings.time_scale,
            pace=request.pace,
            ordinal=request.ordinal,
        )
        outcome = decide.open_match(game, event, now, self._chance)
        table = Table(request.match, outcome.match, [0] * (len(request.seats) + 1), set(), OrderedDict())
        self._tables[request.match] = table
        return self._decision(table, outcome)

    def _about(self, table: Table, request: TableRequest, now: int) -> Decision:
        """Decide on everything about an open match that is no command of a game."""
        match, chance = table.match, self._chance
        match request:
            case Leave():
                key = f"{request.actor}:{request.id}"
                if key in table.applied:
                    return Decision(reply=ACCEPTED)
                return self._decision(table, decide.leave(match, request.actor, now, chance, request.id), key)
            case Connected():
                if request.gateway:
                    self._lines.opened(Line(table.id, request.actor, request.epoch), request.gateway, now)
                return self._decision(table, decide.connected(match, request.actor, request.epoch, now, chance))
            case Disconnected():
                return self._decision(table, decide.disconnected(match, request.actor, request.epoch, now, chance))
            case VoidMatch():
                return self._decision(table, decide.void(match, request.reason, now, chance, request.actor))
        return Decision(reply=self._shown(table, request))

    def _shown(self, table: Table, request: TableRequest) -> Reply:
        """Return what a player or a spectator is shown when he asks."""
        match = table.match
        match request:
            case Resume():
                seat = match.seat_of(request.actor)
                if seat is None:
                    return Reply(ok=False, refused=decide.Refusal.NOT_SEATED.value)
                if match.seats[seat].left and match.seats[seat].player == request.actor:
                    return Reply(ok=False, refused=decide.Refusal.LEFT_THE_MATCH.value)  # the hand is the bot's now
                return Reply(ok=True, data=seat_update(table.id, match, seat, table.versions))
            case Watch():
                if not match.opened.spectators or match.opened.stake:
                    return Reply(ok=False, refused="NO_SPECTATORS")
                return Reply(ok=True, data=seat_update(table.id, match, SPECTATOR, table.versions))
        raise AssertionError(request)

    def _closed(self, request: OfMatch) -> Reply:
        """Answer a request for a match that is not open: it has ended, or there never was one.

        What was accepted before the end is answered so again, and who missed the end is shown it.
        """
        match = request.match
        if match not in self._ended:
            if not self._journal.log.read(match, limit=1):
                return Reply(ok=False, refused="UNKNOWN_MATCH")
            self._remember_ended(match)
        if isinstance(request, Act | Leave | Resume):
            table = self._last.get(match) or self._folded(match)
            assert table is not None, "a match that has ended is in the log"
            self._keep_last(table)
            if isinstance(request, Resume):
                return self._shown(table, request)
            if f"{request.actor}:{request.id}" in table.applied:
                return ACCEPTED
        return MATCH_OVER

    def _keep_last(self, table: Table) -> None:
        self._last[table.id] = table
        self._last.move_to_end(table.id)
        if len(self._last) > ENDED_WHOLE:
            self._last.popitem(last=False)

    # --- what comes of an outcome ---

    def _decision(self, table: Table, outcome: Outcome, key: str = "") -> Decision:
        """Keep what an outcome leads to and return what is to be written, answered and shown for it."""
        reply = ACCEPTED
        if outcome.refused:
            reply = Reply(ok=False, refused=outcome.refused)
            if key:
                table.refused[key] = reply
                if len(table.refused) > REFUSALS_KEPT:
                    table.refused.popitem(last=False)
        if not outcome.recorded:
            return Decision(reply=reply)
        table.match = outcome.match
        drafts = [_draft(table.id, step) for step in outcome.recorded]
        _note_applied(table, outcome.recorded)
        messages = show(table.id, table.match, outcome.recorded, table.versions)
        if outcome.match.ended is not None:
            del self._tables[table.id]
            self._lines.ended(table.id)
            self._remember_ended(table.id)
            self._keep_last(table)
        else:
            self._schedule(table)
        return Decision(drafts=drafts, reply=reply, messages=messages)

    def _as_it_stands(self, table: Table) -> list[Message]:
        """Show everybody at a table his seat without any news: for bots, and for clients that wait after a restart."""
        return show(table.id, table.match, (), table.versions)

    def _remember_ended(self, match: str) -> None:
        self._ended[match] = None
        if len(self._ended) > ENDED_KEPT:
            self._ended.popitem(last=False)

    def _schedule(self, table: Table) -> None:
        when = decide.due(table.match)
        if when is not None and when != table.due:
            heapq.heappush(self._timers, (when, table.id))
        table.due = when

    def _chance(self, match: Match) -> Randomness:
        """Return fresh chance for a match; on a seeded backend, what its seed fixes for the deal."""
        if self._settings.seed:
            return SeededRandomness(expand(self._settings.seed, match.opened.ordinal, match.deal + 1))
        return SeededRandomness(self._entropy(128))


ACCEPTED: Final = Reply(ok=True)
MATCH_OVER: Final = Reply(ok=False, refused=decide.Refusal.MATCH_OVER.value)


def _draft(stream: str, step: Recorded) -> Draft:
    last = isinstance(step.event, MatchEnded | MatchVoided)
    return Draft(
        stream, step.event, step.at, step.actor, step.cause.value, step.command, step.deadline, step.state, last
    )


def _unquoted(fault: Exception) -> str:
    """Return a decoding error without anything of the payload: msgspec names types and fields, but enum values too."""
    return str(fault).partition(" '")[0]


def _note_applied(table: Table, steps: Sequence[Recorded]) -> None:
    for step in steps:
        if step.command and step.cause in (Cause.PLAYER, Cause.BOT):
            table.applied.add(f"{step.actor}:{step.command}")


def summary(table: Table) -> dict[str, Any]:
    """Return what anybody may know of an open match: no card, no choice."""
    opened = table.match.opened
    return {
        "match": table.id,
        "game": opened.game,
        "variant": opened.variant,
        "deal": table.match.deal,
        "stake": opened.stake,
        "players": [seat.actor for seat in table.match.seats],
        "began": table.match.began,
    }
