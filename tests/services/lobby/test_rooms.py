"""Rooms and seats: TBL-1 to TBL-7."""

import pytest

from events.messages import JoinRoom, LeaveRoom, ListRooms, OpenRoom, QuickPlay, ReadyUp, ShowRoom
from tests.services.lobby.world import World, kinds


def opened(world: World, **fields: object) -> str:
    request = OpenRoom(**({"actor": "ali", "id": "o1", "game": "trix"} | fields))  # type: ignore[arg-type]
    reply = world.send(request)
    assert reply.ok, reply
    return str(reply.data["room"])


def test_a_public_room_has_the_defaults_and_its_owner_in_the_first_seat() -> None:
    world = World()
    reply = world.send(OpenRoom(actor="ali", id="o1", game="basra", stake=50))
    assert reply.data == {"room": f"room-{1:032x}", "code": None}
    room = world.seen("ali")
    assert (room.variant, room.options["target"], room.stake) == ("match", 121, 50)
    assert (room.seats, room.ready, room.phase) == (("ali", None), (False, False), "waiting")
    assert (room.owner, room.private, room.match) == ("ali", False, "")


def test_a_private_room_has_a_code_and_the_options_that_its_owner_sets() -> None:
    world = World()
    reply = world.send(OpenRoom(actor="ali", id="o1", game="basra", private=True, options={"players": 4}))
    assert reply.data["code"] == "SECRET23"
    assert world.seen("ali").options["players"] == 4
    assert len(world.seen("ali").seats) == 4


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess"}, "GAME_UNKNOWN"),
        ({"variant": "blitz"}, "VARIANT_UNKNOWN"),
        ({"options": {"target": 101}}, "NO_OPTIONS_IN_PUBLIC_ROOM"),
        ({"options": {"colour": 1}, "private": True}, "BAD_OPTION"),
        ({"options": {"target": 7}, "private": True}, "BAD_OPTION"),
        ({"against_computer": True, "stake": 5}, "NO_STAKE_AGAINST_COMPUTER"),
        ({"game": "pinochle", "against_computer": True, "options": {"pass_count": 3}}, "BAD_OPTION"),  # PIN-73
        ({"pace": "max"}, "PACE_NOT_ALLOWED"),
        ({"seats": ("ali", "bo", "cy")}, "BAD_SEATS"),
        ({"seats": ("ali", "ali")}, "BAD_SEATS"),
        ({"seats": ("bo", "cy")}, "NOT_YOUR_SEAT"),
    ],
)
def test_a_room_that_is_not_allowed_is_refused_and_leaves_nothing(fields: dict[str, object], code: str) -> None:
    world = World()
    request = {"actor": "ali", "id": "o1", "game": "basra"} | fields
    reply = world.send(OpenRoom(**request))  # type: ignore[arg-type]
    assert (reply.ok, reply.refused) == (False, code)
    assert reply.text
    assert kinds(world.log) == []


def test_the_fast_pace_needs_a_backend_that_allows_it() -> None:
    world = World(fast_pace=True)
    assert world.send(OpenRoom(actor="ali", id="o1", game="basra", pace="max")).ok
    assert world.send(OpenRoom(actor="ali", id="o2", game="basra", pace="slow")).refused == "PACE_NOT_ALLOWED"


def test_players_sit_where_they_like_or_where_there_is_room() -> None:
    world = World()
    room = opened(world)
    assert world.send(JoinRoom(actor="bo", id="j", room=room, seat=2)).data == {"room": room, "seat": 2}
    assert world.send(JoinRoom(actor="cy", id="j", room=room)).data["seat"] == 1
    assert world.seen("ali").seats == ("ali", "cy", "bo", None)
    assert world.send(JoinRoom(actor="di", id="j1", room=room, seat=2)).refused == "SEAT_TAKEN"
    assert world.send(JoinRoom(actor="di", id="j2", room=room, seat=4)).refused == "SEAT_UNKNOWN"
    assert world.send(JoinRoom(actor="di", id="j3", room="room-9")).refused == "ROOM_UNKNOWN"
    assert world.send(JoinRoom(actor="di", id="j4", room=room)).ok
    assert world.send(JoinRoom(actor="ed", id="j", room=room)).refused == "ROOM_FULL"


def test_one_person_has_one_seat_in_a_room() -> None:  # TBL-6
    world = World()
    room = opened(world)
    assert world.send(JoinRoom(actor="ali", id="j", room=room, seat=1)).refused == "ALREADY_SEATED"
    assert world.seen("ali").seats == ("ali", None, None, None)


def test_a_private_room_wants_its_code_and_is_not_listed() -> None:
    world = World()
    private = opened(world, private=True)
    public = opened(world, id="o2")
    assert world.send(JoinRoom(actor="bo", id="1", room=private)).refused == "WRONG_CODE"
    assert world.send(JoinRoom(actor="bo", id="2", room=private, code="GUESS")).refused == "WRONG_CODE"
    listed = world.send(ListRooms(actor="bo")).data["rooms"]
    assert [room.room for room in listed] == [public]
    assert world.send(JoinRoom(actor="bo", id="3", room=private, code="SECRET23")).ok
    listed = world.send(ListRooms(actor="bo")).data["rooms"]
    assert [room.room for room in listed] == [private, public]


def test_seats_can_be_kept_for_people_and_for_bots() -> None:
    world = World()
    room = opened(world, seats=("bo", "ali", "bot-1"))
    assert world.seen("ali").seats == (None, "ali", None, None)
    assert world.send(JoinRoom(actor="cy", id="1", room=room, seat=0)).refused == "NOT_YOUR_SEAT"
    assert world.send(JoinRoom(actor="cy", id="2", room=room)).data["seat"] == 3
    assert world.send(JoinRoom(actor="di", id="3", room=room)).refused == "NOT_YOUR_SEAT"
    assert world.send(JoinRoom(actor="bo", id="4", room=room)).data["seat"] == 0


def test_a_room_that_everybody_leaves_is_closed() -> None:
    world = World()
    room = opened(world)
    world.send(JoinRoom(actor="bo", id="j", room=room))
    assert world.send(LeaveRoom(actor="ali", id="l", room=room)).ok
    assert world.seen("bo").seats == (None, "bo", None, None)
    assert world.seen("ali").seats == (None, "bo", None, None)
    assert world.send(LeaveRoom(actor="ali", id="l2", room=room)).refused == "NOT_SEATED"
    world.send(LeaveRoom(actor="bo", id="l", room=room))
    assert world.seen("bo").phase == "closed"
    assert world.log.open_streams() == []
    assert len(world.core.rooms) == 0
    assert world.send(ShowRoom(actor="bo", room=room)).refused == "ROOM_UNKNOWN"


def test_a_room_in_which_nothing_happens_is_closed() -> None:
    world = World(idle_seconds=60)
    room = opened(world)
    world.later(59)
    world.send(JoinRoom(actor="bo", id="j", room=room))
    world.later(59)
    assert world.seen("bo").phase == "waiting"
    world.later(1)
    assert world.seen("bo").phase == "closed"
    assert world.core.due() is None


def test_a_command_sent_again_gets_its_first_answer_even_after_a_restart() -> None:
    world = World()
    room = opened(world, private=True)
    refused = world.send(JoinRoom(actor="bo", id="j", room=room))
    assert world.send(JoinRoom(actor="bo", id="j", room=room, code="SECRET23")) == refused
    joined = world.send(JoinRoom(actor="cy", id="j", room=room, code="SECRET23"))
    left = world.send(LeaveRoom(actor="cy", id="l", room=room))
    before = kinds(world.log)
    for _ in range(2):
        assert world.send(OpenRoom(actor="ali", id="o1", game="trix", private=True)).data["room"] == room
        assert world.send(JoinRoom(actor="cy", id="j", room=room, code="SECRET23")) == joined
        assert world.send(LeaveRoom(actor="cy", id="l", room=room)) == left
        assert kinds(world.log) == before
        world.start()


def test_the_answer_of_a_closed_room_is_found_in_the_log() -> None:
    world = World()
    room = opened(world)
    world.send(LeaveRoom(actor="ali", id="l", room=room))
    world.start()
    assert world.send(OpenRoom(actor="ali", id="o1", game="trix")).data == {"room": room, "code": None}
    assert len(world.core.rooms) == 0


def test_a_player_sits_in_a_bounded_number_of_rooms() -> None:
    world = World(rooms_per_player=2)
    opened(world)
    opened(world, id="o2")
    assert world.send(QuickPlay(actor="ali", id="q", game="trix")).refused == "TOO_MANY_ROOMS"
    assert world.send(OpenRoom(actor="ali", id="o3", game="trix")).refused == "TOO_MANY_ROOMS"


def test_nobody_gets_ready_or_leaves_where_he_does_not_sit() -> None:
    world = World()
    room = opened(world)
    assert world.send(ReadyUp(actor="bo", id="r", room=room)).refused == "NOT_SEATED"
    assert world.send(LeaveRoom(actor="bo", id="l", room=room)).refused == "NOT_SEATED"
    assert world.send(ReadyUp(actor="bo", id="r2", room="room-9")).refused == "ROOM_UNKNOWN"
