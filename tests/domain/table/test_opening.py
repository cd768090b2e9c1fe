"""Seats, the first event of a match and the deal that follows it: TBL-1 to TBL-8, TBL-20, TBL-26, TBL-27."""

from typing import Any

import pytest

from domain.game import AnyGame, Seat, Settings, next_seat
from domain.games import GAMES
from domain.options import checked
from domain.table import decide
from domain.table.decide import Refusal
from domain.table.events import Holder, MatchOpened
from domain.table.match import Cause, begin, evolve
from events.codec import kind_of
from tests.domain.table.tables import FOUR, OPENED, SECOND, Table, kinds

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
TEAMS = {
    ("trix", "complex_partnership"): (0, 1, 0, 1),
    ("trix", "partnership"): (0, 1, 0, 1),
    ("trix", "complex"): None,
    ("trix", "individual"): None,
    ("bint_sbeet", "standard"): None,
    ("leekha", "standard"): (0, 1, 0, 1),
    ("pinochle", "standard"): (0, 1, 0, 1),
    ("banakil", "standard"): (0, 1, 0, 1),
    ("basra", "match"): None,
    ("basra", "single_hand"): None,
}


@every_game
def test_tbl_1_seats_follow_in_order_and_partners_sit_opposite(game: AnyGame) -> None:
    assert [next_seat(Seat(seat)) for seat in range(4)] == [1, 2, 3, 0]
    assert next_seat(Seat(1), 2) == 0
    for variant in game.variants:
        settings = Settings(variant=variant, options=checked(game.options, {}))
        assert game.teams(settings) == TEAMS[game.name, variant]
        alone = TEAMS[game.name, variant] is None
        sides = [game.team_of(settings, Seat(seat)) for seat in range(game.seats(settings))]
        assert sides == (list(range(len(sides))) if alone else [0, 1, 0, 1])


def test_tbl_2_a_seat_is_held_by_a_human_or_a_bot() -> None:
    table = Table(seats=(Holder("ali"), Holder("bot-1", bot=True)))
    assert [(held.player, held.bot, held.human) for held in table.match.seats] == [
        ("ali", "", True),
        ("bot-1", "bot-1", False),
    ]
    table.until_turn_of(1)
    outcome = table.act(1)
    assert {(step.actor, step.cause) for step in outcome.recorded} == {("bot-1", Cause.BOT)}


@every_game
def test_tbl_3_the_first_event_fixes_the_match_and_the_deal_follows(game: AnyGame) -> None:
    table = Table(game.name, stake=250, rake_bps=100, room="room-1")
    first, second = table.log[:2]
    assert first.event == table.opened
    assert (first.at, first.actor, first.cause) == (OPENED, "system", Cause.SYSTEM)
    assert first.event.options.keys() == {option.name for option in game.options}
    assert kind_of(second.event) in game.opens_deal
    assert (table.match.deal, table.match.settings.variant) == (1, game.variants[0])


def test_tbl_3_what_the_owner_set_is_what_is_played() -> None:
    table = Table(options={"players": 4, "turn_seconds": 60})
    assert len(table.match.seats) == 4
    assert table.deadline == OPENED + 60 * SECOND


def test_tbl_4_quick_plays_variant_is_the_games_own() -> None:
    quick = {game.name: game.quick_variant or game.variants[0] for game in GAMES.values()}
    assert quick["trix"] == "complex_partnership"
    assert quick["basra"] == "single_hand"
    for game in GAMES.values():
        assert quick[game.name] in game.variants


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if not game.clock_against_bots])
def test_tbl_5_no_clock_runs_for_a_lone_human_and_one_does_for_the_bots(game: str) -> None:
    for human in range(2):
        seats = tuple(
            Holder("ali") if seat == human else Holder(f"bot-{seat}", bot=True)
            for seat in range(len(Table(game).match.seats))
        )
        table = Table(game, seats=seats, against_computer=True)
        for _ in range(12):
            prompt = table.prompt
            if human in prompt.seats:  # also where bots are asked with him: no clock hurries him
                assert table.match.clock is None or table.match.clock.number != prompt.number
            elif prompt.seats:
                assert table.deadline == table.now + prompt.seconds * SECOND
            table.act(table.prompt.seats[0], actor=table.held(table.prompt.seats[0]).actor)


@every_game
def test_tbl_5_a_game_may_keep_its_clock_against_the_computer(game: AnyGame) -> None:
    """Only Banakil's own rules give the lone human a clock."""
    assert game.clock_against_bots == (game.name == "banakil")
    count = len(Table(game.name).match.seats)
    seats = (Holder("ali"), *(Holder(f"bot-{seat}", bot=True) for seat in range(1, count)))
    table = Table(game.name, seats=seats, against_computer=True, owner=0)
    while 0 not in table.prompt.seats:
        table.wait((table.deadline - table.now) / SECOND)
    running = table.match.clock is not None and table.match.clock.number == table.prompt.number
    assert running == game.clock_against_bots


def test_tbl_6_who_does_not_hold_a_seat_has_no_say() -> None:
    table = Table()
    for outcome in (
        table.act(table.turn, actor="stranger"),
        table.act(table.turn, actor="bot-standin-0"),
        table.take(decide.act(table.match, "", table.legal(table.turn), table.now, table.chance)),
        table.take(decide.leave(table.match, "stranger", table.now, table.chance)),
    ):
        assert (outcome.refused, outcome.recorded) == (Refusal.NOT_SEATED, ())
    assert decide.connected(table.match, "stranger", "epoch", table.now, table.chance).recorded == ()
    assert decide.disconnected(table.match, "stranger", "", table.now, table.chance).recorded == ()


def test_tbl_7_a_series_may_prescribe_who_starts() -> None:
    table = Table(first=1)
    assert table.match.settings.first == 1
    assert begin(table.game, table.opened, OPENED).settings == table.match.settings


SECONDS: dict[str, dict[str, int]] = {
    "trix": {"contract_seconds": 20, "doubling_seconds": 15, "turn_seconds": 20},
    "basra": {"turn_seconds": 20},
    "bint_sbeet": {"pass_seconds": 30, "double_seconds": 15, "minus_seconds": 15, "turn_seconds": 20},
    "leekha": {"pass_seconds": 30, "double_seconds": 15, "turn_seconds": 20},
    "pinochle": {"turn_seconds": 40},
    "banakil": {"turn_seconds": 40, "cut_seconds": 15},
}


@every_game
def test_tbl_8_clocks_have_their_defaults_and_bounds(game: AnyGame) -> None:
    options = {option.name: option for option in game.options if option.name.endswith("_seconds")}
    assert {name: options[name].default for name in SECONDS[game.name]} == SECONDS[game.name]
    for option in options.values():
        allowed = [number for number in option.choices if isinstance(number, int)] or [option.minimum, option.maximum]
        assert min(allowed) >= 0
        assert max(allowed) <= 120
        if option.name in SECONDS[game.name]:
            assert min(allowed) >= 5


@every_game
def test_tbl_8_the_event_that_starts_a_wait_has_its_deadline(game: AnyGame) -> None:
    """The deadline is absolute, in the log, with the last event of the decision that led to the wait."""
    table = Table(game.name)
    seen = 0
    for _ in range(30):
        prompt = table.prompt
        last = table.log[-1]
        if table.match.clock is not None and table.match.clock.began == table.now:
            assert last.deadline == table.deadline == table.now + prompt.seconds * SECOND
            seen += 1
        number = prompt.number
        table.now += 700
        table.act(prompt.seats[0])
        if table.match.prompt is not None and table.prompt.number == number:
            assert table.log[-1].deadline == 0, "a turn of several commands keeps its clock"
    assert seen


def test_tbl_8_time_is_divided_by_the_scale_of_the_match() -> None:
    assert Table(time_scale=20).deadline == OPENED + SECOND
    assert Table(time_scale=1_000_000).deadline == OPENED + 1


@every_game
def test_tbl_26_every_deal_is_a_new_order_of_one_pack(game: AnyGame) -> None:
    decks = [next(step.event.deck for step in Table(game.name, seed=seed).log[1:]) for seed in range(6)]
    assert len(set(decks)) == 6
    assert len({tuple(sorted(deck)) for deck in decks}) == 1


@every_game
def test_tbl_27_the_order_is_in_the_log_before_anybody_acts_and_a_restart_keeps_it(game: AnyGame) -> None:
    table = Table(game.name)
    dealt = table.log[1]
    assert dealt.cause is Cause.SYSTEM
    again = begin(game, table.opened, OPENED)
    for step in table.log[1:]:
        again = evolve(again, step)
    assert game.canonical(again.play) == game.canonical(table.match.play)
    assert {step.event.__struct_config__.tag for step in table.recover(OPENED).recorded} == {"table.connection_lost.v1"}
    assert game.canonical(again.play) == game.canonical(table.match.play), "nothing is dealt anew"


def test_a_deal_waits_for_chance() -> None:
    """A runner that has no chance to give stops before the deal and goes on when it has."""
    game = GAMES["basra"]
    opened = Table().opened
    outcome = decide.open_match(game, opened, OPENED, lambda _match: None)
    assert kinds(outcome) == ["table.match_opened"]
    assert outcome.match.prompt is None
    assert decide.due(outcome.match) is None


def test_a_clock_that_was_set_back_does_not_run_the_log_backwards() -> None:
    table = Table()
    table.move()
    before = table.log[-1].at
    table.now -= 500
    table.act(table.turn)
    assert table.log[-1].at == before
    assert table.log[-1].deadline == before + 20 * SECOND


def test_without_pauses_the_next_hand_follows_at_once() -> None:
    def first_hand(pace: str) -> Table:
        table = Table(pace=pace, options={"turn_seconds": 5})
        while "basra.hand_scored" not in kinds(table.log):
            table.run_out()
        return table

    assert kinds(first_hand("max").log)[-1] != "basra.hand_scored"
    table = first_hand("human")
    assert (kinds(table.log)[-1], table.prompt.seats) == ("basra.hand_scored", ())
    assert table.deadline == table.now + 8 * SECOND
    assert "basra.hand_dealt" not in kinds(table.wait(7.9))
    assert kinds(table.wait(0.1))[0] == "basra.hand_dealt"


def test_the_command_id_is_with_all_that_the_command_led_to() -> None:
    table = Table()
    outcome = table.act(table.turn, command_id="c-1")
    assert {step.command for step in outcome.recorded} == {"c-1"}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_four_people_or_fewer_and_bots_play_a_match_to_its_end(players: int) -> None:
    seats = tuple(
        Holder(player) if seat < players else Holder(f"bot-{seat}", bot=True) for seat, player in enumerate(FOUR)
    )
    fields: dict[str, Any] = {"seats": seats, "pace": "max"}
    ended = Table("trix", "complex", **fields).finish()
    assert kind_of(ended) == "table.match_ended.v1"


def test_the_fields_of_the_first_event_survive() -> None:
    opened = MatchOpened(game="basra", rules_version=1, variant="match", options={}, seats=())
    assert (opened.stake, opened.rake_bps, opened.time_scale, opened.pace) == (0, 0, 1, "human")
