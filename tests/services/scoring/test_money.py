"""Money commands: their answers, and that a repetition changes nothing (R-37)."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from events.messages import (
    Deposit,
    HoldStakes,
    ReleaseStakes,
    Reply,
    ScoringRequest,
    ShowBalance,
    ShowLeaderboard,
    Withdraw,
)
from services.core import Answered
from tests.services.scoring.world import NOW, Scoring, Table, ended, opened, total


def test_a_deposit_shows_in_the_balance() -> None:
    scoring = Scoring()
    assert scoring.answer(Deposit(key="k", player="ana", amount=500, actor="operator")) == Reply(ok=True)
    assert scoring.answer(ShowBalance("ana")) == Reply(ok=True, data={"balance": 500, "held": 0})


def test_the_log_says_who_moved_money() -> None:
    scoring = Scoring()
    decision = scoring.do(Deposit(key="k", player="ana", amount=500, actor="operator"))
    assert [(draft.actor, draft.command, draft.at) for draft in decision.drafts] == [("operator", "k", NOW)]


def test_a_hold_is_all_or_none_and_names_who_has_too_little() -> None:
    scoring = Scoring()
    scoring.fund(100, "ana", "cy")
    scoring.fund(99, "bo")
    reply = scoring.answer(HoldStakes("m", 100, ("ana", "bo", "cy")))
    assert (reply.ok, reply.refused, reply.data) == (False, "INSUFFICIENT_FUNDS", {"players": ["bo"]})
    assert [scoring.balance(player) for player in ("ana", "bo", "cy")] == [(100, 0), (99, 0), (100, 0)]


def test_held_money_shows_as_held_until_the_match_is_over() -> None:
    scoring, table = Scoring(), Table()
    scoring.fund(100, "ana", "bo")
    scoring.do(HoldStakes("m", 60, ("ana", "bo")))
    assert scoring.balance("ana") == (40, 60)
    opening = opened(["ana", "bo"], stake=60)
    scoring.do(table.fact("m", opening))
    assert scoring.balance("ana") == (40, 60)
    scoring.do(table.fact("m", ended(opening, [120, 0])))
    assert (scoring.balance("ana"), scoring.balance("bo")) == ((160, 0), (40, 0))


COMMANDS: Sequence[Any] = (
    Deposit(key="d", player="ana", amount=500, actor="operator"),
    Withdraw(key="w", player="ana", amount=100, actor="operator"),
    HoldStakes("m1", 50, ("ana", "bo")),
    HoldStakes("m2", 50, ("bo", "ana")),
    ReleaseStakes("m1"),
    ReleaseStakes("never-held"),
)


@pytest.mark.parametrize("restart", [False, True])
def test_each_command_three_times_and_all_again_later_changes_nothing(restart: bool) -> None:  # noqa: FBT001
    scoring = Scoring()
    scoring.fund(1000, "ana", "bo")
    first: list[Reply] = []
    for command in COMMANDS:
        replies = [scoring.answer(command) for _ in range(3)]
        assert replies[0] == replies[1] == replies[2]
        first.append(replies[0])
    written = scoring.ledger()
    balances = scoring.core.books.balances()
    if restart:
        scoring.start()
    assert [scoring.answer(command, NOW + 10**10) for command in COMMANDS] == first
    assert all(reply.ok for reply in first)
    assert (scoring.ledger(), scoring.core.books.balances()) == (written, balances)
    assert len(written) == 2 + len(COMMANDS)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (COMMANDS[0], Deposit(key="d", player="ana", amount=501, actor="operator")),
        (COMMANDS[0], Withdraw(key="d", player="ana", amount=500, actor="operator")),
        (COMMANDS[2], HoldStakes("m1", 51, ("ana", "bo"))),
        (COMMANDS[2], HoldStakes("m1", 50, ("ana", "bo", "cy"))),
    ],
)
def test_the_same_key_for_something_else_is_a_conflict_also_after_a_restart(first: Any, other: Any) -> None:
    scoring = Scoring()
    scoring.fund(1000, "ana", "bo", "cy")
    assert scoring.answer(first).ok
    written = scoring.ledger()
    scoring.start()
    assert scoring.answer(other).refused == "KEY_CONFLICT"
    assert scoring.ledger() == written


def test_a_thousand_holds_at_once_never_take_an_account_below_zero() -> None:
    """All are decided before the first is committed, as the worker does (R-39)."""
    scoring = Scoring()
    scoring.fund(1000, "ana")
    decisions = [scoring.core.handle(HoldStakes(f"m{number}", 3, ("ana",)), NOW) for number in range(1000)]
    scoring.journal.write([draft for decision in decisions for draft in decision.drafts])
    replies = [decision.reply for decision in decisions]
    assert sum(reply is not None and reply.ok for reply in replies) == 333
    assert {reply.refused for reply in replies if reply is not None and not reply.ok} == {"INSUFFICIENT_FUNDS"}
    scoring.start()
    assert scoring.balance("ana") == (1, 999)
    assert total(scoring) == 1000


def test_every_refusal_has_a_text() -> None:
    scoring = Scoring()
    scoring.fund(10, "ana")
    scoring.do(ReleaseStakes("released"))
    requests = (
        HoldStakes("m", 11, ("ana",)),
        HoldStakes("m", 1, ("ana", "ana")),
        HoldStakes("released", 1, ("ana",)),
        ShowLeaderboard(game="trix", by="luck"),
        ShowLeaderboard(game="trix", period="century"),
    )
    replies = [scoring.answer(request) for request in requests]
    assert [reply.refused for reply in replies] == [
        "INSUFFICIENT_FUNDS",
        "DUPLICATE_PLAYER",
        "STAKES_RELEASED",
        "BAD_REQUEST",
        "BAD_REQUEST",
    ]
    assert all(reply.text and "\n" not in reply.text for reply in replies)


def test_requests_and_answers_survive_the_bus() -> None:
    scoring = Scoring()
    decode = msgspec.json.Decoder(ScoringRequest).decode
    for command in COMMANDS:
        assert decode(msgspec.json.encode(command)) == command
        reply = scoring.answer(command)
        assert msgspec.json.decode(msgspec.json.encode(reply), type=Reply) == reply


def test_an_answer_to_its_own_request_leads_to_nothing() -> None:
    decision = Scoring().do(Answered("resend.07", Reply(ok=True)))
    assert (decision.drafts, decision.reply, decision.asks) == ((), None, ())


def test_what_is_no_request_is_our_own_mistake() -> None:
    with pytest.raises(AssertionError, match="not a request of scoring"):
        Scoring().core.handle("deposit", NOW)
