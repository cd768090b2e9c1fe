"""Deadlines, what the clock does for a seat, races, stops of the service, and being away: TBL-8 to TBL-12."""

from itertools import islice
from random import Random
from typing import Any

import pytest

from domain.game import SPECTATOR, AnyGame, Seat
from domain.games import GAMES
from domain.games.banakil.commands import Draw
from domain.games.trix.commands import CHOICES, READY, SetDoubles
from domain.games.trix.contracts import Contract
from domain.table import decide
from domain.table.decide import Refusal
from domain.table.events import (
    BotSeated,
    CameBack,
    ClockExtended,
    ConnectionLost,
    Holder,
    MatchEnded,
    MatchVoided,
    TimedOut,
    WentAway,
)
from domain.table.match import Cause, Match, Recorded, begin, evolve
from domain.table.view import redact, view
from tests.domain.matches import GAMES_AND_VARIANTS, IDS, as_bytes, outcomes, seeded
from tests.domain.table.tables import NO_CARD, OPENED, SECOND, Table, answer, doubling, kinds, trix


def away(table: Table, seat: int) -> None:
    """Let a seat's time run out twice in a row."""
    for _ in range(2):
        table.until_turn_of(seat)
        table.run_out()
    assert table.held(seat).away


def test_tbl_8_nothing_happens_before_the_deadline() -> None:
    table = Table()
    assert table.wait(19.999) == []
    assert kinds(table.wait(0.001)) == ["table.timed_out", "basra.card_played"]


def test_tbl_9_at_the_deadline_the_policy_acts_and_the_log_says_so() -> None:
    table = Table()
    seat = table.turn
    policy = table.game.automatic(table.match.play, seat, seeded(Random(1)))
    expected = table.game.decide(table.match.play, seat, policy)
    timed_out, *played = table.run_out()
    assert timed_out.event == TimedOut((seat,), ("play",), counts=True)
    assert (timed_out.actor, timed_out.cause) == ("system", Cause.CLOCK)
    assert tuple(step.event for step in played) == expected
    assert {(step.actor, step.cause) for step in played} == {(table.player(seat), Cause.CLOCK)}


def test_tbl_9_each_event_has_its_cause() -> None:
    table = Table()
    assert table.act(table.turn).recorded[0].cause is Cause.PLAYER
    away(table, 0)
    table.until_turn_of(0)
    assert {step.cause for step in table.wait(2)} == {Cause.AWAY}
    table.leave(1)
    table.until_turn_of(1)
    assert {step.cause for step in table.act(1, actor=decide.bot_of(Seat(1))).recorded} == {Cause.BOT}


@pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
def test_tbl_9_the_policy_uses_only_what_the_seat_may_see(game: AnyGame, variant: str) -> None:
    """Given the seat's own fold of what it was sent, the policy chooses the same."""
    known: dict[Seat, Match] = {}
    asked = 0
    for outcome, random in islice(outcomes(game, variant, 11, automatic=0.1), 1500):
        for seat in map(Seat, range(len(outcome.match.seats))):
            for step in outcome.recorded:
                event = redact(game, step.event, seat)
                if event is not None and seat not in known:
                    known[seat] = begin(game, event, step.at)
                elif event is not None:
                    known[seat] = evolve(known[seat], type(step)(event, step.at, step.actor, step.cause))
        match = outcome.match
        prompt = match.prompt
        if prompt is None or random.random() > 0.3:
            continue
        for seat in prompt.seats:
            chance = random.randrange(10**9)
            told = game.automatic(known[seat].play, seat, seeded(Random(chance)))
            assert told == game.automatic(match.play, seat, seeded(Random(chance)))
            asked += 1
    assert asked


def test_tbl_10_a_command_before_the_clocks_event_counts_even_after_the_deadline() -> None:
    table = Table()
    seat = table.turn
    table.now = table.deadline + 3 * SECOND
    assert table.act(seat).refused == ""
    assert table.held(seat).timeouts == 0


def test_tbl_10_a_command_after_the_clocks_event_is_too_late_and_changes_nothing() -> None:
    table = Table()
    seat = table.turn
    command = table.legal(seat)
    table.run_out()
    before = table.match
    outcome = table.act(seat, command)
    assert (outcome.refused, outcome.recorded, outcome.match) == (Refusal.TOO_LATE, (), before)


def test_tbl_10_too_late_is_said_to_those_only_on_whom_the_clock_closed() -> None:
    table = trix()
    table.run_out()  # the choice of the contract
    owner = table.log[-1].actor
    seats = {table.player(seat): seat for seat in range(4)}
    choice = CHOICES[next(iter(CHOICES))]
    assert table.act(seats[owner], choice).refused == Refusal.TOO_LATE
    for player, seat in seats.items():
        if player != owner:
            assert table.act(seat, choice).refused != Refusal.TOO_LATE


def test_tbl_10_in_a_window_only_those_who_were_not_ready_are_too_late() -> None:
    table = doubling()
    table.act(2, READY)
    table.run_out()
    assert table.act(1, READY).refused == Refusal.TOO_LATE
    assert table.act(1, SetDoubles(())).refused == Refusal.TOO_LATE
    assert table.act(2, READY).refused == "WRONG_PHASE"


def test_tbl_10_a_seat_that_is_asked_again_is_not_too_late() -> None:
    table = Table()
    seat = table.turn
    table.run_out()
    table.until_turn_of(seat)
    assert table.act(seat, NO_CARD).refused == "CARD_NOT_IN_HAND"
    assert table.act(seat).refused == ""
    assert table.act(seat, NO_CARD).refused == "NOT_YOUR_TURN", "its own move closed the prompt, not the clock"


def test_tbl_10_a_new_deal_forgets_what_was_late() -> None:
    table = Table(pace="max", options={"turn_seconds": 5})
    while table.match.deal == 1:
        table.run_out()
    assert {table.held(seat).too_late for seat in range(2)} == {()}


def test_tbl_10_after_the_match_the_match_is_over() -> None:
    table = Table(variant="single_hand", pace="max", options={"turn_seconds": 5})
    table.finish()
    assert table.act(0, NO_CARD).refused == Refusal.MATCH_OVER
    assert table.leave(0).refused == Refusal.MATCH_OVER
    assert table.void().refused == Refusal.MATCH_OVER
    assert table.connect(0, "epoch-9").recorded == table.lose(0).recorded == ()
    assert decide.due(table.match) is None
    assert table.recover(OPENED).recorded == ()


@pytest.mark.parametrize("stopped_for", [1, 5, 300, 86_400])
def test_tbl_11_time_out_of_service_does_not_count(stopped_for: int) -> None:
    table = Table()
    table.now += 5 * SECOND
    left = table.deadline - table.now
    stopped = table.now
    table.now += stopped_for * SECOND
    extended = table.recover(stopped).recorded[0]
    assert extended.event == ClockExtended(stopped_for * SECOND)
    assert extended.deadline == table.deadline == table.now + left
    assert table.wait(14.999) == []
    assert kinds(table.wait(0.001))[0] == "table.timed_out"


def test_tbl_11_after_a_stop_every_player_has_the_grace_of_a_lost_line() -> None:
    """Who is still connected is not known; whoever is says so, and nothing comes of it."""
    table = Table("trix", seats=(Holder("ali"), Holder("badr"), Holder("carim"), Holder("bot-3", bot=True)))
    table.connect(0, "epoch-1")
    table.leave(1)
    table.now += 9 * SECOND
    until = table.now + 60 * SECOND
    _, *lost = table.recover(OPENED).recorded
    assert [step.event for step in lost] == [ConnectionLost(0, until), ConnectionLost(2, until)]
    table.connect(0, "epoch-2")
    seated = [step.event for step in table.wait(60) if isinstance(step.event, BotSeated)]
    assert seated == [BotSeated(2, "bot-standin-2")]
    assert table.held(0).actor == "ali"


def test_tbl_11_who_was_lost_before_the_stop_has_the_rest_of_his_minute() -> None:
    table = Table()
    table.lose(0)
    table.now += 50 * SECOND
    stopped = table.now
    table.now += 500 * SECOND
    table.recover(stopped)
    assert table.held(0).lost_until == table.now + 10 * SECOND
    assert table.held(1).lost_until == table.now + 60 * SECOND


def test_tbl_11_a_deadline_that_had_passed_before_the_stop_is_not_moved_beyond_it() -> None:
    table = Table()
    stopped = table.deadline + 2 * SECOND
    table.now = stopped + 60 * SECOND
    table.recover(stopped)
    assert table.deadline == table.now - 2 * SECOND
    assert kinds(table.wait(0))[0] == "table.timed_out"


def test_tbl_11_the_graces_of_lost_players_are_moved_too() -> None:
    table = Table()
    table.lose(1)
    table.now += 10 * SECOND
    stopped = table.now
    table.now += 100 * SECOND
    table.recover(stopped)
    assert table.held(1).lost_until == OPENED + 160 * SECOND
    assert "table.bot_seated" not in kinds(table.wait(49))
    assert "table.bot_seated" in kinds(table.wait(1))


def test_tbl_11_every_stop_counts_and_everybody_is_told() -> None:
    table = Table()
    for _ in range(3):
        stopped = table.now
        table.now += 7 * SECOND
        extended = table.recover(stopped).recorded[0]
        assert extended.event == ClockExtended(7 * SECOND)
        for viewer in (Seat(0), Seat(1), SPECTATOR):
            assert redact(table.game, extended.event, viewer) == extended.event
            assert view(table.match, viewer).deadline == table.deadline
    assert table.deadline == OPENED + 41 * SECOND


def test_tbl_11_a_stop_of_no_length_moves_nothing_and_one_is_not_counted_from_before_the_last_event() -> None:
    table = Table()
    assert "table.clock_extended" not in kinds(table.recover(table.now))
    table.now += 4 * SECOND
    assert "table.clock_extended" not in kinds(table.recover(table.now + SECOND))
    table = Table()
    table.now += 4 * SECOND
    extended = table.recover(OPENED - 60 * SECOND).recorded[0]
    assert extended.event == ClockExtended(4 * SECOND), "there was service when the last event was written"


def test_tbl_11_a_clock_that_is_moved_is_the_same_clock() -> None:
    """An away seat does not wait two seconds more for the stop."""
    table = Table()
    away(table, 0)
    table.until_turn_of(0)
    before = table.match.clock
    stopped = table.now
    table.now += 30 * SECOND
    table.recover(stopped)
    after = table.match.clock
    assert before is not None
    assert after is not None
    assert (after.began, after.deadline) == (before.began, before.deadline + 30 * SECOND)
    assert [step.cause for step in table.wait(0)][:1] == [Cause.AWAY]


def test_tbl_11_a_window_is_extended_as_well() -> None:
    table = doubling()
    stopped = table.now
    table.now += 30 * SECOND
    table.recover(stopped)
    assert table.deadline == table.now + 15 * SECOND


def test_tbl_12_two_time_outs_in_a_row_make_a_seat_away() -> None:
    table = Table()
    table.until_turn_of(0)
    assert "table.went_away" not in kinds(table.run_out())
    assert (table.held(0).timeouts, table.held(0).away) == (1, False)
    table.until_turn_of(0)
    assert kinds(table.run_out())[:2] == ["table.timed_out", "table.went_away"]
    assert (table.held(0).away, table.held(1).away) == (True, False)
    assert view(table.match, SPECTATOR).seats[0].away


def test_tbl_12_the_system_acts_two_seconds_into_the_turns_of_an_away_seat() -> None:
    table = Table()
    away(table, 0)
    for _ in range(3):
        table.until_turn_of(0)
        began = table.match.clock
        assert began is not None
        assert table.wait(1.999) == []
        played = table.wait(0.001)
        assert kinds(played)[0] == "basra.card_played"
        assert (played[0].at, played[0].actor, played[0].cause) == (began.began + 2 * SECOND, "ali", Cause.AWAY)


def test_tbl_12_an_accepted_command_sets_the_count_to_nought() -> None:
    table = Table()
    for _ in range(2):
        table.until_turn_of(0)
        table.run_out()
        table.until_turn_of(0)
        table.move()
        assert (table.held(0).timeouts, table.held(0).away) == (0, False)


def test_tbl_12_a_refused_command_does_not_set_the_count_back_and_brings_an_away_player_back() -> None:
    table = Table()
    table.until_turn_of(0)
    table.run_out()
    assert table.act(0, NO_CARD).recorded == ()
    assert table.held(0).timeouts == 1
    table.until_turn_of(0)
    table.run_out()
    outcome = table.act(0, NO_CARD, command_id="c-1")
    assert outcome.refused
    (back,) = outcome.recorded
    assert (back.event, back.actor, back.cause, back.command) == (CameBack(0), "ali", Cause.PLAYER, "")
    assert (table.held(0).away, table.held(0).timeouts) == (False, 0)


def test_tbl_12_an_accepted_command_brings_him_back_with_an_event_of_its_own() -> None:
    table = Table()
    away(table, 0)
    table.until_turn_of(0)
    outcome = table.act(0, command_id="c-1")
    assert kinds(outcome)[:2] == ["table.came_back", "basra.card_played"]
    assert [step.command for step in outcome.recorded[:2]] == ["", "c-1"]
    table.until_turn_of(0)
    assert table.wait(19.9) == [], "he has his whole time again"


def test_tbl_12_what_the_system_does_for_an_away_seat_does_not_bring_it_back() -> None:
    table = Table()
    away(table, 0)
    for _ in range(4):
        table.until_turn_of(0)
        table.wait(2)
    assert table.held(0).away
    assert "table.went_away" not in kinds(table.log[-8:])


def test_tbl_12_time_outs_of_a_choice_and_of_a_card_make_one_row() -> None:
    table = trix()
    owner = table.turn
    table.run_out()
    assert table.held(owner).timeouts == 1
    while table.prompt.kind != "turn":
        table.run_out()
    assert (table.turn, table.held(owner).timeouts) == (owner, 1)
    table.run_out()
    assert table.held(owner).away


def test_tbl_12_a_deadline_counts_whatever_he_did_before_in_that_turn() -> None:
    """In Banakil a turn has several commands: the first sets the count to nought, the end of the time counts."""
    table = Table("banakil", owner=0)
    table.run_out()  # the cut
    for _ in range(4):
        seat = table.turn
        table.run_out()
        assert table.held(seat).timeouts == 1, "the cut counts for nobody"
    for _ in range(4):
        seat = table.turn
        table.act(seat, Draw())
        assert (table.held(seat).timeouts, table.held(seat).away) == (0, False)
        table.run_out()
        assert (table.held(seat).timeouts, table.held(seat).away) == (1, False)
    seat = table.turn
    table.run_out()
    assert table.held(seat).away


def test_tbl_12_windows_neither_count_nor_break_the_row() -> None:
    table = doubling()
    timed_out = table.run_out()[0]
    assert timed_out.event == TimedOut((0, 1, 2, 3), ("set_doubles", "ready"), counts=False)
    assert {table.held(seat).timeouts for seat in range(4)} == {0}
    table = trix(seed=3)
    owner = table.turn
    table.run_out()  # one: the clock chose the first contract, which has a doubling window
    assert table.prompt.kind == "doubling"
    table.run_out()
    table.until_turn_of(owner)
    table.run_out()  # two, although the window lay between
    assert table.held(owner).away


def test_tbl_12_pauses_between_hands_count_for_nobody() -> None:
    table = Table(options={"turn_seconds": 5})
    while table.prompt.seats:
        table.move()
    counted = [table.held(seat).timeouts for seat in range(2)]
    assert kinds(table.run_out())[0] == "basra.hand_dealt"
    assert [table.held(seat).timeouts for seat in range(2)] == counted == [0, 0]


def test_tbl_12_in_a_window_the_system_makes_an_away_seat_ready_after_two_seconds_and_doubles_nothing() -> None:
    table = doubling(seed=5)
    for seat in range(4):
        table.act(seat, READY)
    away(table, 1)
    while not (table.prompt.kind == "doubling" and 1 in table.prompt.seats):
        if 1 in table.prompt.seats:
            table.wait(2)
        elif table.prompt.kind == "doubling":
            table.run_out()
        else:
            table.move()
    done = table.wait(2)
    assert {step.actor for step in done if step.cause is Cause.AWAY} == {"badr"}
    assert 1 not in table.prompt.seats
    assert table.held(1).away
    assert all(getattr(step.event, "cards", ()) == () for step in done)


def test_tbl_12_the_selection_of_an_away_seat_stands() -> None:
    """What he selected before he was away is doubled when the system presses ready for him (TRX-39)."""
    for seed in range(20):
        table = trix(seed=seed)
        hands = table.game.scenarios.facts(table.match.play)["hands"]
        seat = next(one for one in range(4) if "KH" in hands[one])  # type: ignore[index]
        table.act(table.turn, CHOICES[table.legal(table.turn).contract])
        if table.prompt.kind == "doubling":
            break
    table.act(seat, SetDoubles(("KH",)))
    table.take(decide.Outcome(*_made_away(table, seat)))
    table.wait(2)
    assert seat not in table.prompt.seats
    for other in range(4):
        if other in table.prompt.seats and table.prompt.kind == "doubling":
            table.act(other, READY)
    assert "KH" in str(table.game.scenarios.facts(table.match.play)["doubled"])


def _made_away(table: Table, seat: int) -> tuple[Match, tuple[Any, ...]]:
    """Return the match with a seat away, as if it had been before this deal."""
    step = Recorded(WentAway(seat), table.now, cause=Cause.CLOCK)
    return evolve(table.match, step), (step,)


def test_tbl_12_a_bots_time_outs_do_not_count() -> None:
    table = Table()
    table.leave(0)
    for _ in range(3):
        table.until_turn_of(0)
        table.run_out()
    assert (table.held(0).timeouts, table.held(0).away) == (0, False)


@pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
def test_tbl_12_everybody_away_and_the_match_still_ends(game: AnyGame, variant: str) -> None:
    table = Table(game.name, variant)
    ended = table.finish()
    assert all(held.away for held in table.match.seats)
    if game.name == "banakil":  # whoever only draws and throws never reaches the target
        assert isinstance(ended, MatchVoided)
        assert table.now == OPENED + 86_400 * SECOND
    else:
        assert isinstance(ended, MatchEnded)
        assert table.now < OPENED + 3_600 * SECOND


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_game_never_says_too_late_itself(game: AnyGame) -> None:
    table = Table(game.name)
    assert "TOO_LATE" in game.refusals.__members__
    before = table.match
    for seat in range(len(before.seats)):
        for command in game.legal(before.play, table.prompt.seats[0])[:5]:
            assert answer(game, before.play, seat, command) != Refusal.TOO_LATE


def test_the_deadline_that_viewers_see_is_that_of_the_wait_that_is_on() -> None:
    table = Table()
    shown = [as_bytes(view(table.match, viewer).deadline) for viewer in (Seat(0), Seat(1), SPECTATOR)]
    assert shown == [str(table.deadline).encode()] * 3
    lone = Table(against_computer=True, seats=(Holder("ali"), Holder("bot-1", bot=True)))
    lone.until_turn_of(1)
    assert view(lone.match, SPECTATOR).deadline == lone.deadline
    lone.act(1)
    assert view(lone.match, SPECTATOR).deadline == 0, "no clock runs for the human"


def test_tbl_12_automatic_passes_neither_count_nor_reset() -> None:
    passed_over = 0
    for seed in range(10):
        table = trix(seed=seed)
        table.act(table.turn, CHOICES[Contract.TRIX])
        while table.match.deal == 1:
            counts = [table.held(seat).timeouts for seat in range(4)]
            seat = table.turn
            recorded = table.run_out() if table.random.random() < 0.4 else table.act(seat).recorded
            passed = {step.event.seat for step in recorded if step.event.__struct_config__.tag == "trix.passed.v1"}
            for other in passed - {seat}:
                assert table.held(other).timeouts == counts[other]
                passed_over += counts[other] == 1
    assert passed_over


@pytest.mark.parametrize("leaves", [True, False])
def test_tbl_12_a_bot_that_takes_an_away_seat_is_not_away_and_nor_is_its_player_when_he_takes_it_back(
    leaves: bool,  # noqa: FBT001
) -> None:
    table = Table()
    away(table, 0)
    if leaves:
        table.leave(0)
    else:
        table.lose(0)
        table.wait(60)
    assert (table.held(0).bot, table.held(0).away, table.held(0).timeouts) == (decide.bot_of(Seat(0)), False, 0)
    table.until_turn_of(0)
    table.act(0, actor=decide.bot_of(Seat(0)))
    table.until_turn_of(0)
    assert table.wait(19.9) == [], "it has its whole time"
    if not leaves:
        table.connect(0, "epoch-2")
        assert (table.held(0).away, table.held(0).timeouts) == (False, 0)


def test_tbl_12_what_is_no_command_brings_its_sender_back_too() -> None:
    table = Table()
    away(table, 0)
    outcome = table.take(decide.no_command(table.match, table.player(0), table.now, table.chance))
    assert (outcome.refused, kinds(outcome)) == (Refusal.BAD_COMMAND, ["table.came_back"])
    assert not table.held(0).away
    stranger = decide.no_command(table.match, "stranger", table.now, table.chance)
    assert (stranger.refused, stranger.recorded) == (Refusal.NOT_SEATED, ())


def test_bnk_14_nobody_cuts_for_the_owner_but_the_clock() -> None:
    table = Table("banakil", owner=1)
    table.leave(1)
    assert table.held(1).bot
    assert table.act(1, actor=table.held(1).bot).refused == Refusal.NOT_FOR_BOTS
    assert kinds(table.wait(14)) == []
    assert "banakil.pack_cut" in kinds(table.wait(1))


def test_bnk_14_an_owner_who_does_not_sit_has_his_time_and_a_room_without_one_is_cut_at_once() -> None:
    table = Table("banakil", owner_absent=True)
    assert table.prompt.seats == ()
    assert kinds(table.wait(14)) == []
    assert "banakil.pack_cut" in kinds(table.wait(1))
    assert len(table.prompt.seats) == 1
    assert len(Table("banakil").prompt.seats) == 1
