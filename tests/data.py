"""A data folder as a backend leaves it, made by the services' cores alone: no bus, no processes, no waiting."""

from pathlib import Path
from random import Random
from typing import Any, Self

import msgspec

from domain.game import AnyGame, Randomness, Seat, Settings
from domain.games import GAMES
from domain.journal.events import LEDGER_EVENTS
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness
from domain.table.match import Match
from events.codec import Codec
from events.envelope import Cipher, unseal
from events.log import Log
from events.log.opening import open_log
from events.messages import Act, Deposit, Fact, HoldStakes, OpenMatch, SeatTaken, SeatUpdate, VoidMatch
from services.core import Decision, Draft
from services.lobby.events import PlayerSeated, RoomOpened
from services.lobby.load import CODEC as LOBBY_CODEC
from services.scoring.core import ScoringCore
from services.table.core import TableCore, TableSettings, codec, public_kinds
from services.worker import Journal

NOW = 1_790_000_000_000  # 2026-09-21, 14:13:20 UTC
PLAYERS = ("ana", "bo", "cy", "di")
STEP_MS = 700
EVENTS_MAX = 40_000


class DataFolder:
    """The partitions ``00``, ``01``, lobby and scoring of one folder or database; a context manager."""

    def __init__(self, place: Path | str, *, cipher: Cipher | None = None, seed: int = 1) -> None:
        """Open the logs in a folder or a database, or make them."""
        self._place = str(place)
        self.now = NOW
        self._cipher = cipher
        self._random = Random(seed)
        self._logs: dict[str, Log] = {}
        self._tables: dict[str, tuple[Journal, TableCore]] = {}
        self._published: dict[str, int] = {}  # position of the last fact, by partition
        self._count = 0
        self._wild = 0.0
        self.sent: dict[str, list[SeatUpdate]] = {}  # by subject: what seats and spectators were sent
        for partition in ("00", "01"):
            journal = self._journal(partition, codec())
            self._tables[partition] = (journal, TableCore(TableSettings(), journal, self._random.randbytes))
        self._scoring = self._journal("scoring", Codec(LEDGER_EVENTS))
        self._ledger = ScoringCore.load(self._scoring)
        self._lobby = self._journal("lobby", LOBBY_CODEC)

    def __enter__(self) -> Self:
        """Return the folder itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the logs."""
        for log in self._logs.values():
            log.close()

    def _journal(self, partition: str, kinds: Codec) -> Journal:
        log = self._logs[partition] = open_log(self._place, partition)
        return Journal(log, kinds, self._cipher)

    # --- money and rooms ---

    def _score(self, request: Any) -> None:
        decision = self._ledger.handle(request, self.now)
        assert decision.reply is not None
        assert decision.reply.ok, decision.reply
        self._scoring.write(decision.drafts)

    def fund(self, amount: int, *players: str) -> None:
        for player in players:
            self._count += 1
            self._score(Deposit(key=f"fund-{self._count}", player=player, amount=amount, actor="operator"))

    def room(self, room: str = "room-1") -> None:
        """Write two events of a room."""
        opened = RoomOpened(room=room, game="trix", variant="complex", options={}, seats=4)
        self._lobby.write([Draft(room, opened, self.now), Draft(room, PlayerSeated("ana", 0), self.now)])

    # --- matches ---

    def play(
        self,
        match: str,
        *,
        game: str = "trix",
        variant: str = "",
        stake: int = 0,
        rake_bps: int = 0,
        bots: int = 0,
        deals: int = 0,
        ends: str = "played",
        settles: bool = True,
        wild: float = 0.4,
        **options: Any,
    ) -> None:
        """Play a random lawful match; it ends ``played`` or ``voided``, or ``runs`` on in deal ``deals`` + 1.

        ``wild`` is the share of moves that chance alone picks. Now and then the clock acts for a seat. Unless
        ``settles`` is off scoring hears of the match.
        """
        self._wild = wild
        rules = GAMES[game]
        variant = variant or rules.variants[0]
        seats = rules.seats(Settings(variant=variant, options=checked(rules.options, options)))
        holders = [SeatTaken(player, staker=stake > 0) for player in PLAYERS[: seats - bots]]
        holders += [SeatTaken(f"bot-{number}", bot=True) for number in range(bots)]
        if stake:
            self._score(HoldStakes(match, stake, PLAYERS[: seats - bots]))
        opening = OpenMatch(
            match=match, game=game, variant=variant, options=options, seats=tuple(holders), stake=stake,
            rake_bps=rake_bps, room="room-1", owner=0, spectators=not stake, pace="max",
        )  # fmt: skip
        partition = match.partition("-")[0]
        journal, core = self._tables[partition]
        self.now += STEP_MS
        drafts = self._done(core.handle(opening, self.now))
        while match in core._tables:
            at_table = core._tables[match].match
            if ends != "played" and at_table.deal > deals and self._well_into(at_table):
                break
            drafts += self._move(core, match, at_table)
            assert len(drafts) < EVENTS_MAX, "the match does not end"
        if ends == "voided":
            self.now += STEP_MS
            drafts += self._done(core.handle(VoidMatch(match=match, actor="staff", reason="broken"), self.now))
        journal.write(drafts)
        if settles:
            self.relay(partition)

    def _well_into(self, match: Match) -> bool:
        """Say whether some cards of the deal have been played."""
        prompt = match.prompt
        return prompt is not None and prompt.kind == "turn" and self._random.random() < 0.2

    def _done(self, decision: Decision) -> list[Draft]:
        """Keep what a decision sends; return what it writes."""
        assert decision.reply is None or decision.reply.ok, decision.reply
        for message in decision.messages:
            self.sent.setdefault(message.subject, []).append(msgspec.json.decode(message.body, type=SeatUpdate))
        return list(decision.drafts)

    def _move(self, core: TableCore, name: str, match: Match) -> list[Draft]:
        prompt = match.prompt
        assert prompt is not None
        if self._random.random() < 0.03:
            due = core.due()
            assert due is not None
            self.now = max(self.now, due)
            return [draft for decision in core.tick(self.now) for draft in self._done(decision)]
        self._count += 1
        self.now += STEP_MS
        seat = self._random.choice(prompt.seats)
        command = msgspec.Raw(msgspec.json.encode(self._choice(match.game, match, seat)))
        actor = match.seats[seat].actor
        return self._done(core.handle(Act(name, actor, f"c-{self._count}", command), self.now))

    def _choice(self, game: AnyGame, match: Match, seat: Seat) -> Any:
        """Return a lawful command: a bot's, the clock's policy's or any."""
        if self._random.random() < self._wild:
            return self._random.choice(game.legal(match.play, seat))
        if self._random.random() < 0.2:
            return game.automatic(match.play, seat, self._chance())
        return game.bot(game.view(match.play, seat), self._chance())

    def _chance(self) -> Randomness:
        return SeededRandomness(self._random.randbytes(SEED_BYTES))

    def relay(self, partition: str) -> None:
        """Hand scoring the public facts of a partition that it has not seen, as the relay copies them."""
        log = self._logs[partition]
        last = self._published.get(partition, 0)
        for stored in log.tail(last, 1_000_000, kinds=sorted(public_kinds())):
            opened = unseal(stored, self._cipher)
            event = msgspec.Raw(opened.payload)
            at = opened.header.at
            self._score(Fact(partition, stored.position, last, stored.stream, stored.version, at, stored.kind, event))
            last = self._published[partition] = stored.position
