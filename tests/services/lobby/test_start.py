"""From everybody being ready to an open match and its end: TBL-2, TBL-7, TBL-15, TBL-18 to TBL-20."""

import msgspec
import pytest

from events.messages import HoldStakes, JoinRoom, LeaveRoom, OpenMatch, OpenRoom, ReadyUp, ReleaseStakes, SeatTaken
from services.core import Ask
from tests.services.lobby.world import World, kinds

STARTED = ["match_prepared", "stakes_held", "match_started"]


def ready_room(world: World, *, stake: int = 0, game: str = "solo", players: tuple[str, ...] = ("ali", "bo")) -> str:
    """Open a room, seat players and let them get ready."""
    room = str(world.send(OpenRoom(actor=players[0], id="open", game=game, stake=stake)).data["room"])
    for player in players[1:]:
        assert world.send(JoinRoom(actor=player, id="join", room=room)).ok
    for player in players:
        assert world.send(ReadyUp(actor=player, id="ready", room=room)).ok
    return room


def asked(ask: Ask) -> HoldStakes | ReleaseStakes | OpenMatch:
    request = HoldStakes | ReleaseStakes | OpenMatch
    return msgspec.json.decode(ask.body, type=request)


def test_an_unstaked_room_opens_its_match_with_bots_in_the_empty_seats() -> None:
    world = World(rake_bps=250)
    room = ready_room(world)
    (ask,) = world.asks
    request = asked(ask)
    assert isinstance(request, OpenMatch)
    assert ask.subject == "table.00.command"
    assert request.match.startswith("00-")
    assert request.seats == (
        SeatTaken("ali"),
        SeatTaken("bo"),
        SeatTaken("bot-1", bot=True),
        SeatTaken("bot-2", bot=True),
    )
    assert (request.stake, request.room, request.owner, request.ordinal) == (0, room, 0, 1)
    assert (request.spectators, request.against_computer, request.rake_bps) == (True, False, 250)
    assert world.seen("bo").phase == "holding"
    assert world.seen("bo").match == ""
    world.answer()
    assert (world.seen("bo").phase, world.seen("bo").match) == ("playing", request.match)
    assert world.seen("bo").seats == ("ali", "bo", "bot-1", "bot-2")


def test_a_staked_room_holds_the_stakes_of_its_people_first() -> None:
    world = World()
    ready_room(world, stake=100)
    hold = asked(world.asks[0])
    assert world.asks[0].subject == "scoring.command"
    assert isinstance(hold, HoldStakes)
    assert (hold.stake, hold.players) == (100, ("ali", "bo"))
    world.answer()
    request = asked(world.asks[0])
    assert isinstance(request, OpenMatch)
    assert request.match == hold.match
    assert [(seat.staker, seat.bot) for seat in request.seats] == [(True, False)] * 2 + [(False, True)] * 2
    assert (request.stake, request.spectators) == (100, False)  # TBL-30
    world.answer()
    assert kinds(world.log)[-3:] == STARTED


@pytest.mark.parametrize(
    ("game", "players", "stake"),
    [
        ("solo", ("ali",), 0),  # one staker in an individual game
        ("solo", ("ali", "bo"), 9),
        ("trix", ("ali", "bo"), 9),  # seats 0 and 1: one in each team
        ("basra", ("ali",), 0),
    ],
)
def test_too_few_stakers_play_for_nothing(game: str, players: tuple[str, ...], stake: int) -> None:  # TBL-20
    world = World()
    ready_room(world, stake=9, game=game, players=players)
    request = asked(world.asks[0])
    if stake:
        assert isinstance(request, HoldStakes)
        assert request.stake == stake
    else:
        assert isinstance(request, OpenMatch)
        assert request.stake == 0
        assert not any(seat.staker for seat in request.seats)


def test_two_stakers_of_one_team_play_for_nothing() -> None:  # TBL-20
    world = World()
    room = world.send(OpenRoom(actor="ali", id="o", game="trix", stake=9)).data["room"]
    world.send(JoinRoom(actor="bo", id="j", room=room, seat=2))
    world.send(ReadyUp(actor="ali", id="r", room=room))
    assert world.asks == []
    world.send(ReadyUp(actor="bo", id="r", room=room))
    assert isinstance(asked(world.asks[0]), OpenMatch)


def test_a_room_without_bots_waits_until_it_is_full() -> None:
    world = World()
    room = world.send(OpenRoom(actor="ali", id="o", game="basra", bots=False)).data["room"]
    world.send(ReadyUp(actor="ali", id="r", room=room))
    assert world.asks == []
    world.send(JoinRoom(actor="bo", id="j", room=room))
    assert world.asks == []
    world.send(ReadyUp(actor="bo", id="r", room=room))
    assert len(world.asks) == 1


def test_who_leaves_starts_nothing_and_the_others_are_asked_anew() -> None:
    world = World()
    room = world.send(OpenRoom(actor="ali", id="o", game="trix")).data["room"]
    world.send(JoinRoom(actor="bo", id="j", room=room))
    world.send(ReadyUp(actor="ali", id="r", room=room))
    world.send(LeaveRoom(actor="bo", id="l", room=room))
    assert world.asks == []
    assert world.seen("ali").ready == (False,) * 4
    world.send(ReadyUp(actor="ali", id="r2", room=room))
    assert len(world.asks) == 1


def test_a_table_against_the_computer_seats_one_human() -> None:  # TBL-5
    world = World()
    request = OpenRoom(actor="ali", id="o", game="basra", against_computer=True, options={"target": 101})
    reply = world.send(request)
    room, code = reply.data["room"], reply.data["code"]
    assert world.send(JoinRoom(actor="bo", id="j", room=room, code=code)).refused == "ROOM_FULL"
    world.send(ReadyUp(actor="ali", id="r", room=room))
    opening = asked(world.asks[0])
    assert isinstance(opening, OpenMatch)
    assert (opening.against_computer, opening.spectators, opening.options["target"]) == (True, False, 101)
    assert opening.seats == (SeatTaken("ali"), SeatTaken("bot-1", bot=True))


def test_a_refused_hold_sends_everybody_back_and_says_who_cannot_pay() -> None:  # TBL-19
    world = World()
    room = ready_room(world, stake=100)
    assert world.send(LeaveRoom(actor="bo", id="early", room=room)).refused == "ROOM_NOT_WAITING"
    world.answer(ok=False, refused="INSUFFICIENT_FUNDS", data={"players": ["bo"]})
    update = world.seen("ali")
    assert (update.phase, update.refused, update.refused_players) == ("waiting", "INSUFFICIENT_FUNDS", ("bo",))
    assert (update.ready, update.seats) == ((False,) * 4, ("ali", "bo", None, None))
    assert world.asks == []
    world.send(LeaveRoom(actor="bo", id="l", room=room))
    world.send(ReadyUp(actor="ali", id="again", room=room))
    assert isinstance(asked(world.asks[0]), OpenMatch)
    assert world.seen("ali").refused == ""


def test_a_refused_opening_gives_the_stakes_back() -> None:
    world = World()
    ready_room(world, stake=100)
    world.answer()
    world.answer(ok=False, refused="GAME_UNKNOWN")
    release = asked(world.asks[0])
    assert isinstance(release, ReleaseStakes)
    assert world.seen("ali").phase == "holding"
    world.answer()
    assert (world.seen("ali").phase, world.seen("ali").refused) == ("waiting", "GAME_UNKNOWN")
    assert kinds(world.log)[-4:] == ["match_prepared", "stakes_held", "open_refused", "stakes_released"]


def test_after_a_crash_at_any_step_the_same_is_asked_again() -> None:
    for steps, last in enumerate((HoldStakes, OpenMatch)):
        world = World()
        ready_room(world, stake=100)
        for _ in range(steps):
            world.answer()
        before = list(world.asks)
        world.asks.clear()
        world.start()
        assert world.asks == before
        assert isinstance(asked(world.asks[0]), last)
        while world.asks:
            world.answer()
        assert world.seen("ali").phase == "playing"
        assert kinds(world.log)[-3:] == STARTED


def test_an_answer_that_comes_twice_changes_nothing() -> None:
    world = World()
    ready_room(world, stake=100)
    hold = world.asks[0]
    world.answer()
    world.asks.insert(0, hold)
    before = kinds(world.log)
    world.answer()
    assert kinds(world.log) == before


def test_matches_go_round_the_partitions_and_are_counted_across_restarts() -> None:
    world = World(partitions=("03", "05"))
    seen = []
    for number in range(3):
        room = world.send(OpenRoom(actor="ali", id=f"o{number}", game="trix")).data["room"]
        world.send(ReadyUp(actor="ali", id=f"r{number}", room=room))
        request = asked(world.asks[0])
        assert isinstance(request, OpenMatch)
        seen.append((request.match.partition("-")[0], request.ordinal, world.asks[0].subject))
        world.answer()
        world.start()
        world.asks.clear()  # whether the matches so far still run
    assert seen == [("03", 1, "table.03.command"), ("05", 2, "table.05.command"), ("03", 3, "table.03.command")]


def played(world: World, stake: int = 0) -> tuple[str, str]:
    """Play one match in a room; return the room and the match that is over."""
    room = ready_room(world, stake=stake)
    while world.asks:
        world.answer()
    match = world.seen("ali").match
    world.fact(match, "table.match_ended.v1")
    return room, match


def test_a_room_waits_after_its_match_for_another_one_with_the_same_seats() -> None:  # TBL-7
    world = World()
    room, match = played(world)
    update = world.seen("bo")
    assert (update.phase, update.match, update.seats) == ("waiting", "", ("ali", "bo", None, None))
    assert update.ready == (False,) * 4
    world.fact(match, "table.match_ended.v1")  # delivered twice
    assert kinds(world.log).count("match_over") == 1
    world.later(59)
    for player in ("ali", "bo"):
        world.send(ReadyUp(actor=player, id="rematch", room=room))
    request = asked(world.asks[0])
    assert isinstance(request, OpenMatch)
    assert (request.ordinal, request.match != match) == (2, True)


def test_a_restart_asks_whether_a_match_still_runs_as_the_fact_of_its_end_may_be_lost() -> None:
    world = World()
    ready_room(world)
    world.answer()
    match = world.seen("ali").match
    world.start()
    assert [(ask.subject, ask.key) for ask in world.asks] == [("table.00.command", f"running.{match}")]
    world.answer(ok=False, refused="NO_SPECTATORS")
    assert world.seen("ali").phase == "playing"
    world.start()
    world.answer(ok=False, refused="MATCH_OVER")
    assert world.seen("ali").phase == "waiting"
    world.fact(match, "table.match_ended.v1")  # it was only late
    assert kinds(world.log).count("match_over") == 1


def test_without_everybodys_yes_in_time_the_room_closes() -> None:  # TBL-7
    world = World()
    room, _ = played(world, stake=5)
    world.send(ReadyUp(actor="ali", id="rematch", room=room))
    world.later(60)
    assert world.seen("ali").phase == "closed"
    assert world.log.open_streams() == []


def test_time_out_of_service_does_not_count() -> None:  # TBL-11
    world = World()
    room, _ = played(world)
    world.now += 3_600_000
    world.start()
    world.later(59)
    assert world.seen("ali").phase == "waiting"
    for player in ("ali", "bo"):
        assert world.send(ReadyUp(actor=player, id="rematch", room=room)).ok
    assert len(world.asks) == 1


def test_who_left_the_match_has_no_seat_after_it() -> None:  # TBL-15
    world = World()
    ready_room(world)
    world.answer()
    match = world.seen("ali").match
    world.fact(match, "table.player_left.v1", {"seat": 1})
    world.fact(match, "table.player_left.v1", {"seat": 1})
    assert world.seen("ali").seats == ("ali", "bo", "bot-1", "bot-2")
    world.fact(match, "table.match_voided.v1")
    assert world.seen("ali").seats == ("ali", None, None, None)
    assert world.seen("bo").phase == "waiting"
    assert kinds(world.log).count("player_left") == 1


def test_a_room_that_everybody_left_during_the_match_closes_with_it() -> None:
    world = World()
    ready_room(world, players=("ali",))
    world.answer()
    match = world.seen("ali").match
    world.fact(match, "table.player_left.v1", {"seat": 0})
    world.fact(match, "table.match_ended.v1")
    assert world.seen("ali").phase == "closed"


def test_a_match_may_be_over_before_the_answer_to_its_opening() -> None:
    world = World()
    ready_room(world)
    request = asked(world.asks[0])
    world.fact(request.match, "table.match_ended.v1")
    assert kinds(world.log)[-2:] == ["match_started", "match_over"]
    world.answer()
    assert world.seen("ali").phase == "waiting"
    assert kinds(world.log)[-1] == "match_over"


def test_facts_of_unknown_matches_are_taken_and_forgotten() -> None:
    world = World()
    world.fact("00-1", "table.match_ended.v1")
    world.fact("00-1", "trix.deal_scored.v1")
    assert kinds(world.log) == []
