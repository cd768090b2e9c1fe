"""Lost lines, bots that take over, coming back, leaving, and tables without people: TBL-13 to TBL-17."""

from typing import Any

import pytest

from domain.game import SPECTATOR, Seat
from domain.games.banakil.commands import Throw
from domain.games.trix.commands import READY
from domain.table import decide
from domain.table.decide import Refusal
from domain.table.events import (
    BotSeated,
    ConnectionLost,
    ConnectionRestored,
    Holder,
    MatchEnded,
    MatchVoided,
    PlayerLeft,
    SeatTakenBack,
)
from domain.table.match import Cause
from domain.table.view import redact, view
from tests.domain.table.tables import FOUR, NO_CARD, OPENED, SECOND, Table, doubling, kinds, staked

BOT = "bot-standin-0"
ALONE = (Holder("ali"), Holder("bot-1", bot=True))


def taken_over(**fields: Any) -> Table:
    """Return a table where a bot holds seat 0, whose player's line was lost for a minute."""
    table = Table(**fields)
    table.connect(0, "epoch-1")
    table.lose(0)
    table.wait(60)
    assert table.held(0).bot == BOT
    return table


def test_tbl_13_a_lost_line_is_shown_to_everybody_and_ends_nothing() -> None:
    table = Table()
    (lost,) = table.lose(1).recorded
    assert lost.event == ConnectionLost(1, OPENED + 60 * SECOND)
    assert lost.actor == "badr"
    for viewer in (Seat(0), Seat(1), SPECTATOR):
        assert redact(table.game, lost.event, viewer) == lost.event
        assert view(table.match, viewer).seats[1].lost_until == OPENED + 60 * SECOND
    assert table.match.ended is None


def test_tbl_13_his_clock_runs_on_meanwhile() -> None:
    table = Table()
    before = table.deadline
    seat = table.turn
    table.now += 5 * SECOND
    table.lose(seat)
    assert table.deadline == before
    assert kinds(table.wait(15))[0] == "table.timed_out"
    assert table.held(seat).bot == ""


def test_tbl_13_after_60_seconds_a_bot_takes_the_seat() -> None:
    table = Table()
    table.lose(0)
    assert "table.bot_seated" not in kinds(table.wait(59.999))
    assert BotSeated(0, BOT) in [step.event for step in table.wait(0.001)]
    assert (table.held(0).actor, table.held(0).player, table.held(0).lost_until) == (BOT, "ali", 0)
    assert view(table.match, SPECTATOR).seats[0].bot


def test_tbl_13_two_who_are_lost_have_a_minute_each() -> None:
    table = Table()
    table.lose(0)
    table.wait(10)
    table.lose(1)
    seated = [step for step in table.wait(60) if isinstance(step.event, BotSeated)]
    assert [(step.event, step.at) for step in seated] == [
        (BotSeated(0, BOT), OPENED + 60 * SECOND),
        (BotSeated(1, "bot-standin-1"), OPENED + 70 * SECOND),
    ]


def test_tbl_13_a_bot_takes_over_before_the_clock_that_is_due_at_the_same_time() -> None:
    table = Table(options={"turn_seconds": 60})
    table.lose(table.turn)
    table.now += 60 * SECOND
    assert kinds(table.take(decide.tick(table.match, table.now, table.chance))) == ["table.bot_seated"]


def test_tbl_13_a_bot_that_takes_over_in_an_open_window_closes_it_on_what_stands() -> None:
    table = doubling()
    table.lose(1)
    table.wait(14)
    assert 1 in table.prompt.seats
    outcome = table.leave(2)
    assert kinds(outcome)[:3] == ["table.player_left", "table.bot_seated", "trix.ready"]
    assert (outcome.recorded[2].actor, outcome.recorded[2].cause) == ("bot-standin-2", Cause.BOT)
    assert 2 not in table.prompt.seats
    table = doubling(options={"doubling_seconds": 120})
    table.lose(1)
    done = table.wait(60)
    assert kinds(done) == ["table.bot_seated", "trix.ready"]
    assert table.prompt.seats == (0, 2, 3)


def test_tbl_13_the_last_of_a_window_closes_it_by_being_replaced() -> None:
    table = doubling()
    for seat in (0, 1, 3):
        table.act(seat, READY)
    assert kinds(table.leave(2))[-1] == "trix.doubles_revealed"
    assert table.prompt.kind == "turn"
    assert table.deadline == table.now + 20 * SECOND


def test_tbl_13_in_a_turn_the_bot_that_takes_over_is_asked_and_the_clock_runs_on() -> None:
    table = Table()
    before = table.deadline
    assert kinds(table.leave(table.turn)) == ["table.player_left", "table.bot_seated"]
    assert table.deadline == before


def test_tbl_14_who_is_back_in_time_keeps_his_seat() -> None:
    table = Table()
    table.connect(0, "epoch-1")
    table.lose(0)
    table.wait(59)
    (back,) = table.connect(0, "epoch-2").recorded
    assert (back.event, back.actor, back.cause) == (ConnectionRestored(0, "epoch-2"), "ali", Cause.PLAYER)
    assert table.held(0).lost_until == 0
    assert "table.bot_seated" not in kinds(table.wait(60))


def test_tbl_14_he_takes_his_seat_back_at_any_moment_and_the_bots_last_action_stands() -> None:
    table = taken_over()
    table.until_turn_of(0)
    played = table.act(0, actor=BOT).recorded
    outcome = table.connect(0, "epoch-2")
    assert kinds(outcome) == ["table.connection_restored", "table.seat_taken_back"]
    assert table.held(0).actor == "ali"
    assert played[0] in table.log
    table.until_turn_of(0)
    assert table.act(0).refused == ""


def test_tbl_14_a_command_takes_the_seat_back_too_even_one_that_is_refused() -> None:
    table = taken_over()
    outcome = table.act(0, NO_CARD, command_id="c-1")
    assert outcome.refused
    assert [(step.event, step.command) for step in outcome.recorded] == [(SeatTakenBack(0), "")]
    table = taken_over()
    table.until_turn_of(0)
    assert kinds(table.act(0))[:2] == ["table.seat_taken_back", "basra.card_played"]


def test_tbl_14_a_bot_that_lost_the_seat_has_no_say_any_more() -> None:
    table = taken_over()
    table.until_turn_of(0)
    command = table.legal(0)
    table.connect(0, "epoch-2")
    outcome = table.act(0, command, actor=BOT)
    assert (outcome.refused, outcome.recorded) == (Refusal.NOT_SEATED, ())


def test_tbl_14_each_new_loss_starts_a_new_minute() -> None:
    table = taken_over()
    table.connect(0, "epoch-2")
    table.wait(30)
    (lost,) = table.lose(0).recorded
    assert lost.event == ConnectionLost(0, table.now + 60 * SECOND)
    assert "table.bot_seated" not in kinds(table.wait(59))
    assert "table.bot_seated" in kinds(table.wait(1))


def test_tbl_14_the_late_end_of_an_old_connection_does_not_affect_a_newer_one() -> None:
    table = Table()
    table.connect(0, "epoch-1")
    table.connect(0, "epoch-2")
    assert table.lose(0, "epoch-1").recorded == ()
    assert table.lose(0, "").recorded == ()
    assert table.held(0).lost_until == 0
    assert kinds(table.lose(0, "epoch-2")) == ["table.connection_lost"]


def test_tbl_14_a_loss_or_a_return_told_twice_is_one() -> None:
    table = Table()
    assert kinds(table.connect(0, "epoch-1")) == ["table.connection_restored"]
    assert table.connect(0, "epoch-1").recorded == ()
    assert kinds(table.lose(0)) == ["table.connection_lost"]
    table.wait(5)
    assert table.lose(0).recorded == ()
    assert table.held(0).lost_until == OPENED + 60 * SECOND


def test_tbl_14_a_line_that_is_lost_while_a_bot_plays_starts_nothing() -> None:
    table = taken_over()
    assert table.lose(0).recorded == ()


def test_tbl_14_the_name_of_a_connection_is_nobodys_affair() -> None:
    table = Table()
    (back,) = table.connect(0, "epoch-secret").recorded
    for viewer in (Seat(0), Seat(1), SPECTATOR):
        assert redact(table.game, back.event, viewer) == ConnectionRestored(0, "")


def test_tbl_15_a_bot_replaces_at_once_who_leaves() -> None:
    table = Table()
    outcome = table.leave(0)
    assert [step.event for step in outcome.recorded] == [PlayerLeft(0), BotSeated(0, BOT)]
    assert (table.held(0).left, table.held(0).human, table.held(0).actor) == (True, False, BOT)


def test_tbl_15_he_may_not_come_back_in_this_match() -> None:
    table = Table()
    table.leave(0)
    table.until_turn_of(0)
    assert table.act(0).refused == Refusal.LEFT_THE_MATCH
    assert table.act(0, NO_CARD).recorded == ()
    assert table.leave(0).refused == Refusal.LEFT_THE_MATCH
    assert table.connect(0, "epoch-9").recorded == ()
    assert table.held(0).actor == BOT
    assert table.act(0, actor=BOT).refused == ""


def test_tbl_15_who_leaves_while_a_bot_plays_for_him_leaves_it_there() -> None:
    table = taken_over()
    assert kinds(table.leave(0)) == ["table.player_left"]
    assert table.held(0).actor == BOT
    assert table.connect(0, "epoch-9").recorded == ()


def test_tbl_15_who_leaves_in_his_grace_has_his_bot_at_once() -> None:
    table = Table()
    table.lose(0)
    assert kinds(table.leave(0)) == ["table.player_left", "table.bot_seated"]
    assert "table.bot_seated" not in kinds(table.wait(61))


def test_tbl_15_a_bot_cannot_leave() -> None:
    table = taken_over()
    for bots, name in ((table, BOT), (Table(seats=ALONE), "bot-1")):
        outcome = bots.take(decide.leave(bots.match, name, bots.now, bots.chance))
        assert (outcome.refused, outcome.recorded) == (Refusal.NOT_SEATED, ())
        assert decide.connected(bots.match, name, "epoch-9", bots.now, bots.chance).recorded == ()


@pytest.mark.parametrize("leaver", [0, 1])
def test_tbl_15_leaving_a_staked_table_of_two_is_a_forfeit(leaver: int) -> None:
    table = Table(seats=staked("ali", "badr"), stake=500, rake_bps=100)
    table.move()
    outcome = table.leave(leaver)
    assert kinds(outcome) == ["table.player_left", "table.match_ended"]
    ended = table.match.ended
    assert isinstance(ended, MatchEnded)
    assert ended.forfeit == leaver
    assert ended.places == ((2, 1) if leaver == 0 else (1, 2))
    assert (ended.pot, ended.rake, ended.payouts) == (1000, 10, (0, 990) if leaver == 0 else (990, 0))


def test_tbl_15_an_unstaked_table_of_two_goes_on_with_a_bot() -> None:
    table = Table()
    assert kinds(table.leave(1)) == ["table.player_left", "table.bot_seated"]
    assert table.match.ended is None


def test_tbl_15_at_a_staked_table_of_four_the_leavers_result_counts_for_his_stake() -> None:
    table = Table("trix", "complex", seats=staked(*FOUR), stake=100, pace="max")
    table.leave(2)
    ended = table.finish()
    assert isinstance(ended, MatchEnded)
    assert ended.stakers == (True,) * 4
    assert ended.players[2] == "carim"
    assert ended.pot == sum(ended.payouts) == 400
    if ended.places[2] == 1:
        assert ended.payouts[2] >= 200


def test_tbl_16_a_bot_is_marked_as_one_to_everybody_and_in_the_record() -> None:
    table = Table(seats=ALONE)
    for viewer in (Seat(0), Seat(1), SPECTATOR):
        assert [seat.bot for seat in view(table.match, viewer).seats] == [False, True]
        told = redact(table.game, table.opened, viewer)
        assert told is not None
        assert [holder.bot for holder in told.seats] == [False, True]
    table.until_turn_of(1)
    assert {step.cause for step in table.act(1).recorded} == {Cause.BOT}


def test_tbl_16_a_bot_obeys_the_same_clock() -> None:
    table = Table(seats=ALONE)
    table.until_turn_of(1)
    assert table.deadline == table.now + 20 * SECOND
    assert kinds(table.wait(20))[0] == "table.timed_out"


def test_tbl_16_a_bots_seat_has_no_line_and_nobody_takes_it() -> None:
    table = Table(seats=ALONE)
    assert table.lose(1).recorded == ()
    assert table.act(0, table.legal(table.turn), actor="badr").refused == Refusal.NOT_SEATED


def test_tbl_17_with_no_human_left_the_match_is_played_to_its_end() -> None:
    table = Table("trix", "complex_partnership", seats=staked(*FOUR), stake=100, pace="max")
    for seat in range(4):
        table.leave(seat)
    assert not any(held.human for held in table.match.seats)
    assert table.match.ended is None
    ended = table.finish()
    assert isinstance(ended, MatchEnded)
    assert sum(ended.payouts) == 400


def test_tbl_17_against_the_computer_no_bot_takes_the_humans_seat() -> None:
    table = Table(seats=ALONE, against_computer=True)
    while table.turn != 0:
        table.move()
    (lost,) = table.lose(0).recorded
    assert lost.event == ConnectionLost(0, table.now + 86_400 * SECOND)
    assert table.wait(86_399) == []
    assert kinds(table.connect(0, "epoch-2")) == ["table.connection_restored"]
    assert table.wait(86_398) == []


def test_tbl_17_against_the_computer_the_match_is_voided_after_a_day() -> None:
    table = Table(seats=ALONE, against_computer=True)
    while table.turn != 0:
        table.move()
    table.lose(0)
    (voided,) = table.wait(86_400)
    assert isinstance(voided.event, MatchVoided)
    assert voided.event.reason == "abandoned"
    assert decide.due(table.match) is None


def test_tbl_17_a_human_who_does_nothing_for_a_day_is_gone_too() -> None:
    table = Table(seats=ALONE, against_computer=True)
    while table.turn != 0:
        table.move()
    moved = table.now
    assert table.wait(86_399) == []
    assert [step.at for step in table.wait(1)] == [moved + 86_400 * SECOND]
    assert isinstance(table.match.ended, MatchVoided)


def nearly_given_up() -> Table:
    """Return a match that the clock alone has played, all but a second of the time after which it is given up."""
    table = Table("banakil")
    table.wait(86_399)
    assert table.match.ended is None
    return table


def test_tbl_17_a_match_that_only_the_clock_plays_is_voided_after_a_day() -> None:
    table = nearly_given_up()
    table.wait(1)
    assert isinstance(table.match.ended, MatchVoided)
    assert table.match.ended.reason == "abandoned"


def test_tbl_17_whoever_does_anything_keeps_it_for_another_day() -> None:
    table = nearly_given_up()
    idle = next(seat for seat in range(4) if seat != table.turn)
    assert table.act(idle, Throw("9H")).refused == "NOT_YOUR_TURN"
    came_back = table.now
    table.finish()
    assert table.now == came_back + 86_400 * SECOND


def test_tbl_17_time_out_of_service_is_nobodys_absence() -> None:
    table = nearly_given_up()
    stopped = table.now
    table.now += 100_000 * SECOND
    table.recover(stopped)
    table.wait(3600)
    assert table.match.ended is None
    assert all(held.bot for held in table.match.seats), "nobody has come back"


def test_tbl_17_who_leaves_a_table_against_the_computer_leaves_it_to_bots() -> None:
    table = Table("trix", "complex", seats=(Holder("ali"), *(Holder(f"bot-{n}", bot=True) for n in (1, 2, 3))),
                  against_computer=True, pace="max")  # fmt: skip
    assert kinds(table.leave(0)) == ["table.player_left", "table.bot_seated"]
    assert isinstance(table.finish(), MatchEnded)


def test_a_return_shows_the_view_of_the_moment_and_lets_him_act_at_once() -> None:
    """Also in a window: what he had not answered yet is his to answer (TRX-131)."""
    table = doubling()
    table.connect(1, "epoch-1")
    table.lose(1)
    table.now += 5 * SECOND
    table.connect(1, "epoch-2")
    shown = view(table.match, Seat(1))
    assert shown.play.legal
    assert table.act(1, shown.play.legal[0]).refused == ""


def test_void_gives_everything_back_whoever_is_there() -> None:
    table = Table("trix", seats=staked(*FOUR, bots=(3,)), stake=70, room="room-1")
    table.leave(0)
    table.lose(1)
    (voided,) = table.void("power cut").recorded
    assert voided.actor == "operator-1"
    assert voided.event == MatchVoided(
        reason="power cut",
        stake=70,
        players=("ali", "badr", "carim", "bot-3"),
        stakers=(True, True, True, False),
        room="room-1",
    )
    assert view(table.match, SPECTATOR).end is not None
    assert table.act(1, NO_CARD).refused == Refusal.MATCH_OVER
    assert table.match.prompt is None
