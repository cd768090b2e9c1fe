"""Whatever people, lines and servers do, in whatever order: the table goes on, and its log alone says what happened."""

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.game import SPECTATOR, AnyGame, Seat
from domain.games import GAMES
from domain.table import decide
from domain.table.decide import Refusal
from domain.table.events import Holder
from domain.table.match import begin, evolve
from domain.table.view import redact, view
from tests.domain.matches import as_bytes
from tests.domain.table.tables import FOUR, SECOND, Table

seats = st.integers(0, 3)
spans = st.sampled_from([0, 1, 2, 5, 20, 61, 600])
happenings = st.lists(
    st.tuples(st.just("move"), st.just(0))
    | st.tuples(st.just("wait"), spans)
    | st.tuples(st.just("stop"), spans)
    | st.tuples(st.sampled_from(["bad", "lose", "connect", "leave", "bot"]), seats),
    max_size=40,
)


def no_card(game: AnyGame) -> Any:
    """Return a command that is always refused: nobody holds such a card."""
    return msgspec.convert({"do": "throw" if game.name == "banakil" else "play", "card": ""}, game.commands)


def happen(table: Table, what: str, much: int) -> None:
    """Let one thing happen to a table, wherever it stands."""
    people = [seat for seat, holder in enumerate(table.opened.seats) if not holder.bot]
    seat = people[much % len(people)]
    match what:
        case "move":
            if table.match.prompt is not None and table.prompt.seats:
                asked = table.prompt.seats[0]
                answered = table.act(asked, actor=table.held(asked).actor).refused
                assert answered == ("NOT_FOR_BOTS" if table.held(asked).bot and table.prompt.personal else "")
        case "wait":
            table.wait(much)
        case "stop":
            stopped = table.now
            table.now += much * SECOND
            table.recover(stopped)
        case "bad":
            assert table.act(seat, no_card(table.game)).refused
        case "bot":
            outcome = table.act(seat, no_card(table.game), actor=decide.bot_of(Seat(seat)))
            assert outcome.refused
            assert outcome.recorded == ()
        case "lose":
            table.lose(seat)
        case "connect":
            table.connect(seat, f"epoch-{len(table.log)}")
        case "leave":
            table.leave(seat)


def consistent(table: Table) -> None:
    match = table.match
    for held in match.seats:
        assert not (held.away and held.bot), "a bot is never away"
        assert not (held.bot and held.lost_until), "nobody waits for a line whose seat a bot has"
        assert held.left is False or held.bot or match.ended, "who left has a bot"
        assert held.timeouts >= 2 if held.away else True
    when = decide.due(match)
    if match.ended is not None:
        assert (when, match.prompt) == (None, None)
    else:
        assert when is not None, "something is due as long as a match runs"
        assert match.prompt is not None


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_match_survives_whatever_happens_and_everybodys_log_gives_his_view(game: AnyGame) -> None:
    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(happenings=happenings, computer=st.booleans(), stake=st.sampled_from([0, 50]), seed=st.integers(0, 9))
    def check(happenings: list[tuple[str, int]], computer: bool, stake: int, seed: int) -> None:  # noqa: FBT001
        count = len(Table(game.name).match.seats)
        people = 1 if computer else count
        fields: dict[str, Any] = {
            "seats": tuple(
                Holder(FOUR[seat], staker=stake > 0 and not computer)
                if seat < people
                else Holder(f"b-{seat}", bot=True)
                for seat in range(count)
            ),
            "against_computer": computer,
            "stake": 0 if computer else stake,
            "owner": 0,
        }
        table = Table(game.name, seed=seed, **fields)
        for what, much in happenings:
            happen(table, what, much)
            consistent(table)
            if table.match.ended is not None:
                assert table.act(0, no_card(game)).refused == Refusal.MATCH_OVER
                break
        for viewer in (Seat(0), Seat(count - 1), SPECTATOR):
            known = None
            for step in table.log:
                event = redact(game, step.event, viewer)
                if event is not None:
                    told = type(step)(event, step.at, step.actor, step.cause, "", step.deadline)
                    known = begin(game, event, step.at) if known is None else evolve(known, told)
            assert known is not None
            assert as_bytes(view(known, viewer).seats) == as_bytes(view(table.match, viewer).seats)
            assert as_bytes(view(known, viewer).play) == as_bytes(view(table.match, viewer).play)

    check()
