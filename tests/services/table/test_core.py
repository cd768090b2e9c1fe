"""The table's core over a memory log: ids applied once, counts that betray nothing, the same tables after a restart."""

import os
from random import Random
from typing import Any

import msgspec
import pytest

from domain.game import SPECTATOR, Viewer
from domain.games import GAMES
from domain.table.view import view
from events.log.memory import MemoryLog
from events.messages import (
    Act,
    Connected,
    GatewayLives,
    Leave,
    OpenMatch,
    Resume,
    SeatTaken,
    SeatUpdate,
    VoidMatch,
    Watch,
)
from services.core import Decision
from services.table.core import ListMatches, ShowBots, TableCore, TableSettings, codec
from services.worker import Journal

MATCH = "00-0190"
PLAYERS = ("amal", "badr", "dana", "eman")


class Service:
    """A core whose decisions are committed at once."""

    def __init__(self, log: MemoryLog | None = None, seed: bytes = b"\x01") -> None:
        self.log = log or MemoryLog()
        self.seed = seed
        self.now = 1_000_000
        self.sent: list[tuple[str, SeatUpdate]] = []
        self.restart()

    def restart(self) -> None:
        self.journal = Journal(self.log, codec())
        self.core = TableCore(TableSettings(seed=self.seed), self.journal, os.urandom)
        for decision in self.core.wake(self.now):
            self.take(decision)

    def take(self, decision: Decision) -> Decision:
        self.journal.write(decision.drafts)
        for message in decision.messages:
            self.sent.append((message.subject, msgspec.json.decode(message.body, type=SeatUpdate)))
        return decision

    def ask(self, request: Any) -> Any:
        self.now += 10
        reply = self.take(self.core.handle(request, self.now)).reply
        assert reply is not None
        return reply

    def open(self, match: str = MATCH, **changes: Any) -> None:
        seats = tuple(SeatTaken(player) for player in PLAYERS)
        fields = {"game": "trix", "variant": "complex", "options": {}, "seats": seats} | changes
        assert self.ask(OpenMatch(match=match, **fields)).ok

    def act(self, player: str, command: dict[str, Any], name: str, match: str = MATCH) -> Any:
        return self.ask(Act(match, player, name, msgspec.Raw(msgspec.json.encode(command))))

    def move(self, random: Random, name: str) -> None:
        """Make one lawful move at the table."""
        table = self.core._tables[MATCH].match
        prompt = table.prompt
        assert prompt is not None
        seat = random.choice(prompt.seats)
        command = random.choice(table.game.legal(table.play, seat))
        assert self.act(PLAYERS[seat], msgspec.to_builtins(command), name).ok


def owner(service: Service) -> str:
    prompt = service.core._tables[MATCH].match.prompt
    assert prompt is not None
    return PLAYERS[prompt.seats[0]]


def test_a_command_id_is_applied_once_and_gets_its_first_answer() -> None:
    service = Service()
    service.open()
    choice = {"do": "choose_contract", "contract": "complex"}
    first = service.act(owner_ := owner(service), choice, "c-1")
    events = service.log.end()
    assert first.ok
    assert service.act(owner_, choice, "c-1") == first
    assert service.log.end() == events
    service.restart()
    events = service.log.end()
    assert service.act(owner_, choice, "c-1") == first, "also after a restart"
    assert service.log.end() == events
    assert service.act(owner_, choice, "c-2").refused == "WRONG_PHASE"


def test_a_refused_id_keeps_its_answer_and_the_same_id_of_another_player_is_another() -> None:
    service = Service()
    service.open()
    other = next(player for player in PLAYERS if player != owner(service))
    choice = {"do": "choose_contract", "contract": "complex"}
    assert service.act(other, choice, "c-1").refused == "NOT_OWNER"
    assert service.act(owner(service), choice, "c-1").ok
    assert service.act(other, choice, "c-1").refused == "NOT_OWNER"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"do": "play", "card": "5H", "extra": 1}, "BAD_COMMAND"),
        ({"do": "fly"}, "BAD_COMMAND"),
        ({"do": "play"}, "BAD_COMMAND"),
        ({"do": "play", "card": 5}, "BAD_COMMAND"),
        ({"do": "play", "card": "5H"}, "WRONG_PHASE"),
    ],
)
def test_bad_commands_are_refused_and_write_nothing(command: dict[str, Any], code: str) -> None:
    service = Service()
    service.open()
    before = service.log.end()
    reply = service.act(owner(service), command, "c-1")
    assert reply.refused == code
    assert "5H" not in reply.text
    assert service.log.end() == before


def test_requests_for_unknown_and_ended_matches_are_told_apart() -> None:
    service = Service()
    service.open()
    assert service.act("amal", {"do": "ready"}, "c-1", match="00-nothing").refused == "UNKNOWN_MATCH"
    assert service.ask(VoidMatch(MATCH, "staff", "a test")).ok
    assert service.act("amal", {"do": "ready"}, "c-2").refused == "MATCH_OVER"
    service.restart()
    assert service.act("amal", {"do": "ready"}, "c-2").refused == "MATCH_OVER"
    assert service.act("nobody", {"do": "ready"}, "c-2").refused == "MATCH_OVER"


def test_a_match_opens_once_however_often_it_is_asked_for() -> None:
    service = Service()
    service.open()
    end = service.log.end()
    service.open()
    service.restart()
    after_restart = service.log.end()
    service.open()
    assert end < after_restart == service.log.end(), "the restart itself moves the clock"
    assert len(service.log.streams()) == 1


def test_open_refuses_what_is_no_table() -> None:
    service = Service()
    seats = tuple(SeatTaken(player) for player in PLAYERS)
    unknown = OpenMatch(match=MATCH, game="whist", variant="x", options={}, seats=seats)
    assert service.ask(unknown).refused == "GAME_UNKNOWN"
    bad = OpenMatch(match=MATCH, game="trix", variant="complex", options={"turn_seconds": 1}, seats=seats)
    assert service.ask(bad).refused == "BAD_OPTION"
    assert service.log.end() == 0


@pytest.mark.parametrize("seed", range(3))
def test_after_a_restart_every_table_version_and_view_is_what_it_was(seed: int) -> None:
    random = Random(seed)
    service = Service()
    service.open()
    for number in range(random.randrange(20, 120)):
        service.move(random, f"m{number}")
    before = service.core._tables[MATCH]
    again = TableCore(TableSettings(), Journal(service.log, codec()), os.urandom)._tables[MATCH]
    assert again.match == before.match
    assert again.versions == before.versions
    assert again.applied == before.applied
    for viewer in (*map(Viewer, range(4)), SPECTATOR):
        assert msgspec.json.encode(view(again.match, viewer)) == msgspec.json.encode(view(before.match, viewer))


def test_versions_count_by_one_what_each_seat_is_sent() -> None:
    random = Random(9)
    service = Service()
    service.open()
    for number in range(150):
        service.move(random, f"m{number}")
    seen = dict.fromkeys(PLAYERS, 0)
    sealed = 0
    for subject, update in service.sent:
        player = subject.split(".")[2]
        assert update.version == seen[player] + len(update.events), "no gap and no repetition"
        seen[player] = update.version
        sealed += any(b"doubles_selected" in bytes(event) for event in update.events)
    assert sealed
    assert service.ask(Resume(MATCH, "amal")).data.version == seen["amal"]


def test_nothing_is_shown_that_is_not_committed() -> None:
    service = Service()
    seats = tuple(SeatTaken(player) for player in PLAYERS)
    decision = service.core.handle(
        OpenMatch(match=MATCH, game="trix", variant="complex", options={}, seats=seats), service.now
    )
    assert decision.messages
    assert service.log.end() == 0, "messages stand beside the drafts; the worker sends them after its commit"


def test_clocks_of_all_tables_ring_in_order_and_act_for_those_who_are_late() -> None:
    service = Service()
    service.open("00-a")
    service.now += 5_000
    service.open("00-b")
    first = service.core.due()
    assert first is not None
    for decision in service.core.tick(first):
        service.take(decision)
    assert service.core._tables["00-a"].match.prompt != service.core._tables["00-b"].match.prompt
    second = service.core.due()
    assert second is not None
    assert second > first
    assert service.core.tick(first) == []


def test_a_player_who_leaves_is_replaced_by_a_bot_that_is_shown_the_seat() -> None:
    service = Service()
    service.open()
    service.sent.clear()
    assert service.ask(Leave(MATCH, "badr", "bye")).ok
    assert service.ask(Leave(MATCH, "badr", "bye")).ok
    assert {subject for subject, _ in service.sent} == {
        *(f"seat.player.{player}.{MATCH}" for player in PLAYERS if player != "badr"),
        f"seat.bot.bot-standin-1.{MATCH}",
    }
    assert service.act("badr", {"do": "ready"}, "c-9").refused == "LEFT_THE_MATCH"
    service.sent.clear()
    service.take(service.core.handle(ShowBots(), service.now))
    assert f"seat.bot.bot-standin-1.{MATCH}" in {subject for subject, _ in service.sent}


def test_an_older_connections_end_changes_nothing() -> None:
    from events.messages import Disconnected

    service = Service()
    service.open()
    assert service.ask(Connected(MATCH, "amal", "e1")).ok
    assert service.ask(Connected(MATCH, "amal", "e2")).ok
    service.ask(Disconnected(MATCH, "amal", "e1"))
    assert not service.core._tables[MATCH].match.seats[0].lost_until
    service.ask(Disconnected(MATCH, "amal", "e2"))
    assert service.core._tables[MATCH].match.seats[0].lost_until
    service.ask(Connected(MATCH, "amal", "e3"))
    assert not service.core._tables[MATCH].match.seats[0].lost_until


def test_tbl_15_who_has_left_is_not_shown_his_old_seat() -> None:
    service = Service()
    service.open()
    assert service.ask(Leave(MATCH, "badr", "l-1")).ok
    refused = service.ask(Resume(MATCH, "badr"))
    assert (refused.refused, refused.data) == ("LEFT_THE_MATCH", None)
    assert service.ask(Resume(MATCH, "amal")).ok


def test_tbl_29_a_sealed_choice_sends_nothing_to_anybody_else() -> None:
    for game, variant in (("trix", "complex"), ("leekha", "standard"), ("bint_sbeet", "standard")):
        service = Service()
        service.open(game=game, variant=variant, spectators=True)
        legal: list[Any] = []
        while not legal:
            table = service.core._tables[MATCH].match
            prompt = table.prompt
            assert prompt is not None
            for seat in prompt.seats:
                choices = table.game.legal(table.play, seat)
                legal = [
                    (seat, one) for one in choices if getattr(one, "cards", ()) and "set_doubles" in prompt.commands
                ]
                if legal:
                    break
            else:
                service.move(Random(1), f"m-{service.now}")
        seat, choice = legal[0]
        service.sent.clear()
        assert service.act(PLAYERS[seat], msgspec.to_builtins(choice), "sealed").ok
        assert [subject for subject, _ in service.sent] == [f"seat.player.{PLAYERS[seat]}.{MATCH}"]


def test_tbl_13_the_silence_of_a_gateway_is_the_loss_of_its_lines() -> None:
    service = Service()
    service.open()
    for player, gateway in zip(PLAYERS, ("one", "one", "two", ""), strict=True):
        assert service.ask(Connected(MATCH, player, f"{player}-1", gateway)).ok

    def wait(seconds: int, *living: str) -> list[bool]:
        for _ in range(seconds):
            service.now += 1000
            for gateway in living:
                service.take(service.core.handle(GatewayLives(gateway), service.now))
            due = service.core.due()
            if due is not None and due <= service.now:
                for decision in service.core.tick(service.now):
                    service.take(decision)
        return [bool(seat.lost_until) for seat in service.core._tables[MATCH].match.seats]

    assert wait(14, "two") == [False, False, False, False]
    assert wait(1, "two") == [True, True, False, False]
    assert service.ask(Connected(MATCH, "amal", "amal-2", "two")).ok
    assert wait(5, "two", "one") == [False, True, False, False]
    service.restart()  # everybody has the grace of a lost line then, and is announced anew
    assert wait(30) == [True, True, True, True]


def test_spectators_see_an_unstaked_table_that_lets_them_and_nothing_of_a_staked_one() -> None:
    service = Service()
    service.open(spectators=True)
    assert service.ask(Watch(MATCH)).data.version == 2
    assert f"public.{MATCH}" in {subject for subject, _ in service.sent}
    staked = tuple(SeatTaken(player, staker=True) for player in PLAYERS)
    service.open("00-staked", spectators=True, stake=100, seats=staked)
    assert service.ask(Watch("00-staked")).refused == "NO_SPECTATORS"
    assert "public.00-staked" not in {subject for subject, _ in service.sent}


def test_the_list_of_matches_names_no_card() -> None:
    service = Service()
    service.open()
    listed = msgspec.json.encode(service.ask(ListMatches()).data)
    assert MATCH.encode() in listed
    assert not any(f'"{code}"'.encode() in listed for code in ("AS", "KH", "2C"))


def test_a_seeded_backend_deals_the_same_again_and_others_do_not() -> None:
    decks = []
    for seed in (b"\x05", b"\x05", b"\x06", b""):
        service = Service(seed=seed)
        service.open(ordinal=1)
        decks.append(service.core._tables[MATCH].match.play.hands)
    assert decks[0] == decks[1]
    assert len(set(decks)) == 3


def test_every_game_opens_with_its_defaults() -> None:
    for game in GAMES.values():
        service = Service()
        seats = tuple(SeatTaken(player) for player in PLAYERS)[: 2 if game.name == "basra" else 4]
        service.open(game=game.name, variant=game.variants[0], seats=seats, owner=0)
        assert service.core.due() is not None
