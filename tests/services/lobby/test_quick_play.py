"""Quick play: TBL-4."""

import msgspec

from events.messages import HoldStakes, JoinRoom, LeaveRoom, ListRooms, OpenMatch, QuickPlay
from tests.services.lobby.world import World, kinds


def quick(world: World, player: str, game: str = "solo", **fields: int) -> str:
    reply = world.send(QuickPlay(actor=player, id="q", game=game, **fields))
    assert reply.ok, reply
    return str(reply.data["room"])


def opening(world: World) -> OpenMatch:
    return msgspec.json.decode(world.asks[0].body, type=OpenMatch)


def test_players_who_want_the_same_are_seated_together_and_start_when_full() -> None:
    world = World()
    room = quick(world, "ali")
    assert quick(world, "bo", stake=10) != room
    assert quick(world, "cy", "trix") != room
    assert [quick(world, player) for player in ("di", "ed")] == [room, room]
    assert world.asks == []
    assert quick(world, "fa") == room
    assert [seat.player for seat in opening(world).seats] == ["ali", "di", "ed", "fa"]
    assert opening(world).owner is None
    assert quick(world, "gi") != room


def test_bots_fill_the_empty_seats_in_time() -> None:
    world = World()
    quick(world, "ali")
    world.later(5)
    quick(world, "bo")
    world.later(14.9)
    assert world.asks == []
    world.later(0.1)
    assert [seat.bot for seat in opening(world).seats] == [False, False, True, True]


def test_fill_time_is_scaled_and_may_be_nothing() -> None:
    world = World(time_scale=10)
    quick(world, "ali")
    world.later(2)
    assert len(world.asks) == 1
    at_once = World(fill_seconds=0)
    quick(at_once, "ali")
    at_once.later(0.001)
    assert len(at_once.asks) == 1


def test_variants_of_quick_play() -> None:
    world = World(fill_seconds=0)
    for game, variant in (("basra", "single_hand"), ("trix", "complex_partnership")):
        quick(world, f"ali-{game}", game)
        world.later(1)
        assert opening(world).variant == variant
        world.answer()


def test_a_second_wish_for_the_same_is_refused() -> None:  # TBL-6
    world = World()
    room = quick(world, "ali")
    assert world.send(QuickPlay(actor="ali", id="q2", game="solo")).refused == "ALREADY_SEATED"
    assert world.send(QuickPlay(actor="ali", id="q", game="solo")).data["room"] == room
    assert world.send(QuickPlay(actor="ali", id="q3", game="chess")).refused == "GAME_UNKNOWN"


def test_rooms_of_quick_play_are_not_listed_nor_joined() -> None:
    world = World()
    room = quick(world, "ali")
    assert world.send(ListRooms(actor="bo")).data["rooms"] == []
    assert world.send(JoinRoom(actor="bo", id="j", room=room)).refused == "ROOM_UNKNOWN"
    assert world.send(LeaveRoom(actor="ali", id="l", room=room)).ok
    assert world.seen("ali").phase == "closed"
    assert quick(world, "bo") != room


def test_who_cannot_pay_loses_his_place_and_the_others_wait_on() -> None:
    world = World()
    quick(world, "ali", stake=10)
    quick(world, "bo", stake=10)
    world.later(20)
    hold = msgspec.json.decode(world.asks[0].body, type=HoldStakes)
    assert hold.players == ("ali", "bo")
    world.answer(ok=False, refused="INSUFFICIENT_FUNDS", data={"players": ["bo"]})
    assert world.seen("bo").refused_players == ("bo",)
    assert world.seen("ali").seats == ("ali", None, None, None)
    world.later(19)
    assert world.asks == []
    world.later(1)
    assert opening(world).stake == 0  # one staker is too few (TBL-20)


def test_a_room_in_which_nobody_can_pay_closes() -> None:
    world = World()
    quick(world, "ali", stake=10)
    quick(world, "bo", stake=10)
    world.later(20)
    world.answer(ok=False, refused="INSUFFICIENT_FUNDS", data={"players": ["ali", "bo"]})
    assert world.seen("ali").phase == "closed"
    assert world.core.due() is None


def test_a_room_whose_match_cannot_open_closes_after_the_stakes_are_back() -> None:
    world = World()
    quick(world, "ali", stake=10)
    quick(world, "bo", stake=10)
    world.later(20)
    world.answer()
    world.answer(ok=False, refused="GAME_UNKNOWN")
    world.answer()
    assert (world.seen("ali").phase, world.seen("ali").refused) == ("closed", "GAME_UNKNOWN")


def test_the_room_closes_with_its_match() -> None:
    world = World(fill_seconds=0)
    quick(world, "ali")
    world.later(1)
    match = opening(world).match
    world.answer()
    world.fact(match, "table.match_ended.v1")
    assert world.seen("ali").phase == "closed"
    assert kinds(world.log)[-2:] == ["match_over", "room_closed"]


def test_a_wait_that_ran_out_while_the_lobby_was_away_runs_anew() -> None:  # TBL-11
    world = World()
    quick(world, "ali")
    world.now += 60_000
    world.start()
    assert world.asks == []
    world.later(20)
    assert len(world.asks) == 1
