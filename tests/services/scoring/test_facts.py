"""Facts of tables: pots, settlements and refunds, each exactly once, whatever the bus does to their order."""

import asyncio
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.journal.books import HOUSE, pot_account
from domain.journal.events import FactSeen, MatchRecorded, Posted, What
from domain.table.events import MatchEnded
from events import subjects
from events.log.memory import Fault, MemoryLog
from events.messages import (
    Deposit,
    Fact,
    HoldStakes,
    ReleaseStakes,
    Reply,
    ResendFacts,
    ShowBalance,
    Withdraw,
    encode,
)
from services.core import Ask, Message
from services.scoring.core import GAP, ScoringCore
from services.worker import Worker
from tests.services.scoring.world import NOW, Scored, Scoring, Table, ended, opened, total, voided


def held(*players: str, stake: int = 100, match: str = "07-m") -> tuple[Scoring, Table]:
    """Return a service in which each player had 1000 and has his stake held."""
    scoring = Scoring()
    scoring.fund(1000, *players)
    assert scoring.answer(HoldStakes(match, stake, players)).ok
    return scoring, Table()


def records(scoring: Scoring) -> list[MatchRecorded]:
    return [event for event in scoring.ledger() if isinstance(event, MatchRecorded)]


def faults(scoring: Scoring) -> list[str]:
    return [event.fault for event in scoring.ledger() if isinstance(event, FactSeen)]


def test_a_staked_match_is_settled() -> None:
    scoring, table = held("ana", "bo", "cy")
    opening = opened(["ana", "bo", "cy"], stake=100, bots=["bot-1"], rake_bps=500)
    scoring.do(table.fact("07-m", opening))
    assert scoring.core.books.balance(pot_account("07-m")) == 300
    scoring.do(table.fact("07-m", ended(opening, [200, 85, 0, 0], rake=15)))
    assert [scoring.balance(player)[0] for player in ("ana", "bo", "cy")] == [1100, 985, 900]
    assert scoring.core.books.balance(HOUSE) == 15
    assert scoring.core.books.balance(pot_account("07-m")) == 0
    (record,) = records(scoring)
    assert (record.settled, record.rake_bps, record.bots) == (True, 500, (False, False, False, True))


def test_a_voided_match_gives_every_stake_back() -> None:
    scoring, table = held("ana", "bo")
    opening = opened(["ana", "bo"], stake=100, rake_bps=500)
    scoring.do(table.fact("07-m", opening))
    scoring.do(table.fact("07-m", voided(opening)))
    assert [scoring.balance(player) for player in ("ana", "bo")] == [(1000, 0), (1000, 0)]
    (record,) = records(scoring)
    assert (record.voided, record.payouts, record.rake) == ("broken", (100, 100), 0)


def test_an_unstaked_match_moves_nothing_and_is_recorded() -> None:
    scoring, table = Scoring(), Table()
    opening = opened(["ana"], bots=["bot-1"])
    scoring.do(table.fact("07-m", opening))
    scoring.do(table.fact("07-m", ended(opening, [0, 0])))
    assert not [event for event in scoring.ledger() if isinstance(event, Posted)]
    assert [(record.match, record.settled, record.pot) for record in records(scoring)] == [("07-m", True, 0)]


def test_an_unstaked_match_may_be_voided() -> None:
    scoring, table = Scoring(), Table()
    opening = opened(["ana"], bots=["bot-1"])
    scoring.do(table.fact("07-m", opening))
    scoring.do(table.fact("07-m", voided(opening)))
    assert [(record.voided, record.settled) for record in records(scoring)] == [("broken", True)]


def test_other_facts_only_move_the_position() -> None:
    scoring, table = Scoring(), Table()
    fact = table.fact("07-m", Scored())
    decision = scoring.do(fact)
    assert [draft.event.fact for draft in decision.drafts] == ["trix.hand_scored.v1"]
    assert scoring.core.progress.position("07") == fact.position


def test_facts_of_services_without_tables_are_left_alone() -> None:
    scoring = Scoring()
    for partition in ("lobby", "scoring"):
        decision = scoring.do(Table(partition).fact("m", Scored()))
        assert (decision.drafts, decision.reply) == ((), Reply(ok=True))


def test_a_match_that_opens_without_its_stakes_is_played_for_nothing() -> None:
    scoring, table = held("ana", "bo")
    scoring.do(ReleaseStakes("07-m"))
    opening = opened(["ana", "bo"], stake=100)
    scoring.do(table.fact("07-m", opening))
    scoring.do(table.fact("07-m", ended(opening, [200, 0])))
    assert [scoring.balance(player) for player in ("ana", "bo")] == [(1000, 0), (1000, 0)]
    assert [record.settled for record in records(scoring)] == [False]
    assert [event.what for event in scoring.ledger() if isinstance(event, Posted)][-1] == What.UNFUNDED


@pytest.mark.parametrize(
    ("payouts", "rake"), [([201, 0, 0], 0), ([200, -1, 0], 1), ([199, 0, 0], 0), ([100, 0, 100], 0), ([0, 0, 0], 0)]
)
def test_shares_that_are_not_the_pot_are_not_paid(payouts: list[int], rake: int) -> None:
    scoring, table = held("ana", "bo")
    opening = opened(["ana", "bo"], stake=100, bots=["bot-1"])
    scoring.do(table.fact("07-m", opening))
    scoring.do(table.fact("07-m", ended(opening, payouts, rake=rake)))
    assert [record.settled for record in records(scoring)] == [False]
    assert scoring.core.books.balance(pot_account("07-m")) == 200


def test_facts_that_cannot_be_are_noted_and_passed_over() -> None:
    scoring, table = held("ana", "bo")
    opening = opened(["ana", "bo"], stake=100)
    scoring.do(table.fact("07-x", ended(opening, [200, 0])))
    scoring.do(table.fact("07-x", voided(opening)))
    scoring.do(table.fact("07-m", opening))
    scoring.do(table.fact("07-m", opening))
    scoring.do(table.fact("07-m", ended(opening, [200])))
    broken = table.fact("07-m", Scored())
    scoring.do(msgspec.structs.replace(broken, kind="table.match_ended.v1"))
    assert faults(scoring) == [
        "no such match is running",
        "no such match is running",
        "the match was opened before",
        "its seats are not those of the match",
        "it cannot be read",
    ]
    scoring.do(table.fact("07-m", ended(opening, [200, 0])))
    assert scoring.balance("ana") == (1100, 0)


def test_a_correction_under_the_key_of_an_end_does_not_stop_the_facts() -> None:
    scoring, table = held("ana", "bo")
    opening = opened(["ana", "bo"], stake=100)
    scoring.do(table.fact("07-m", opening))
    scoring.core.books._contents["end:07-m"] = "something else"
    scoring.do(table.fact("07-m", ended(opening, [200, 0])))
    assert faults(scoring) == ["the journal refuses it: KEY_CONFLICT"]


def test_a_repeated_fact_is_answered_and_changes_nothing() -> None:
    scoring, table = held("ana", "bo")
    opening = opened(["ana", "bo"], stake=100)
    facts = [table.fact("07-m", opening), table.fact("07-m", ended(opening, [200, 0]))]
    for fact in facts:
        scoring.do(fact)
    written = scoring.ledger()
    for fact in facts * 2:
        decision = scoring.do(fact)
        assert (decision.drafts, decision.asks, decision.reply) == ((), (), Reply(ok=True))
    scoring.start()
    for fact in facts:
        assert scoring.do(fact).reply == Reply(ok=True)
    assert scoring.ledger() == written


def test_a_gap_is_asked_for_and_nothing_applied() -> None:
    scoring, table = Scoring(), Table()
    scoring.do(table.fact("07-m", Scored()))
    table.fact("07-m", Scored())
    late = table.fact("07-m", Scored())
    decision = scoring.do(late)
    ask = Ask("resend.07", subjects.table("07"), encode(ResendFacts(after=3)))
    assert (list(decision.asks), decision.drafts) == ([ask], ())
    assert decision.reply is not None
    assert decision.reply.refused == GAP
    assert not scoring.do(late, NOW + 999).asks  # what was asked for is on its way
    assert scoring.core.due() == NOW + 1000
    assert not scoring.core.tick(NOW + 999)
    assert [list(again.asks) for again in scoring.core.tick(NOW + 1000)] == [[ask]]
    for fact in table.after(3):
        scoring.do(fact)
    assert scoring.core.progress.position("07") == late.position
    assert scoring.core.due() is None


def test_a_fact_whose_predecessor_was_passed_long_ago_is_the_next_one() -> None:
    """A kind that is no longer public leaves the chain: nothing lies between what is applied and this fact."""
    scoring, table = Scoring(), Table()
    scoring.do(table.fact("07-m", Scored()))
    scoring.do(table.fact("07-m", Scored()))
    fact = msgspec.structs.replace(table.fact("07-m", Scored()), previous=3)
    assert scoring.do(fact).reply == Reply(ok=True)
    assert scoring.core.progress.position("07") == fact.position


def test_after_a_start_every_partition_is_asked_for_what_was_missed() -> None:
    scoring = Scoring()
    scoring.do(Table("03").fact("03-m", Scored()))
    core = ScoringCore.load(scoring.journal, partitions=("00", "03"))
    asks = [ask for decision in core.wake(NOW) for ask in decision.asks]
    assert asks == [
        Ask("resend.00", subjects.table("00"), encode(ResendFacts(after=0))),
        Ask("resend.03", subjects.table("03"), encode(ResendFacts(after=3))),
    ]


def _matches(table: Table, first: int) -> None:
    """Two matches at once in a partition, both staked by the same three players, one of them called off."""
    one, other = f"{table.partition}-{first}", f"{table.partition}-{first + 1}"
    opening = opened(["ana", "bo", "cy"], stake=100)
    table.fact(one, opening)
    table.fact(other, opening)
    table.fact(one, Scored())
    table.fact(one, ended(opening, [210, 90, 0]))
    table.fact(other, voided(opening))


def _service() -> tuple[Scoring, tuple[Table, Table]]:
    scoring, tables = Scoring(), (Table("00"), Table("01"))
    scoring.fund(1000, "ana", "bo", "cy")
    for number, table in enumerate(tables):
        _matches(table, 2 * number)
        for match in {fact.stream for fact in table.facts}:
            scoring.do(HoldStakes(match, 100, ("ana", "bo", "cy")))
    return scoring, tables


def _complete(scoring: Scoring, tables: tuple[Table, Table]) -> None:
    """Send everything that the service asks for, as the tables' relays do, until it has no gap."""
    scoring.start()
    for decision in scoring.core.wake(NOW):
        for ask in decision.asks:
            partition = ask.key.removeprefix("resend.")
            after = msgspec.json.decode(ask.body, type=ResendFacts).after
            for table in tables:
                if table.partition == partition:
                    for fact in table.after(after):
                        scoring.do(fact)
    for table in tables:
        for fact in table.facts:
            scoring.do(fact)


IN_ORDER, TABLES = _service()
_complete(IN_ORDER, TABLES)


@settings(deadline=None)
@given(
    deliveries=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), max_size=30),
    crashes=st.lists(st.sampled_from((None, *Fault)), max_size=12),
)
def test_lost_repeated_and_reordered_facts_and_crashes_lead_to_the_same_books(
    deliveries: list[tuple[int, int]], crashes: list[Fault | None]
) -> None:
    scoring, tables = _service()
    scoring.crash_next(*crashes)
    for partition, number in deliveries:
        scoring.do(tables[partition].facts[number])
        assert total(scoring) == 3000
    _complete(scoring, tables)
    assert scoring.core.books.balances() == IN_ORDER.core.books.balances()
    assert scoring.core.progress.positions == IN_ORDER.core.progress.positions
    assert scoring.core.leaderboards.rows("leekha", now=NOW) == IN_ORDER.core.leaderboards.rows("leekha", now=NOW)
    assert len(scoring.ledger()) == len(IN_ORDER.ledger())


MATCH = opened(["ana", "bo", "cy"], stake=100, rake_bps=500)


def _history() -> list[object]:
    """Two matches from the deposits to the end: every kind of step there is."""
    table = Table()
    return [
        Deposit(key="d1", player="ana", amount=500, actor="operator"),
        Deposit(key="d2", player="bo", amount=500, actor="operator"),
        HoldStakes("07-a", 100, ("ana", "bo", "cy")),  # refused: cy has nothing
        Deposit(key="d3", player="cy", amount=500, actor="operator"),
        HoldStakes("07-a", 100, ("ana", "bo", "cy")),
        HoldStakes("07-b", 100, ("ana", "bo", "cy")),
        HoldStakes("07-c", 100, ("ana", "bo")),
        table.fact("07-a", MATCH),
        table.fact("07-b", MATCH),
        ReleaseStakes("07-c"),
        table.fact("07-a", Scored()),
        table.fact("07-a", ended(MATCH, [200, 85, 0], rake=15)),
        Withdraw(key="w1", player="ana", amount=50, actor="operator"),
        table.fact("07-b", voided(MATCH)),
    ]


@pytest.mark.parametrize("fault", list(Fault))
def test_a_crash_at_any_step_loses_nothing_and_repeats_nothing(fault: Fault) -> None:
    whole = Scoring()
    for step in _history():
        whole.do(step)
    for crash_at in range(len(_history())):
        scoring = Scoring()
        for number, step in enumerate(_history()):
            if number == crash_at:
                scoring.crash_next(fault)
            scoring.do(step)
        scoring.start()
        assert scoring.ledger() == whole.ledger()
        assert scoring.core.books.balances() == whole.core.books.balances()
        assert scoring.core.progress.running == whole.core.progress.running == {}


class Tables:
    """A bus on which table services answer: what they are asked for comes back to the worker as facts."""

    def __init__(self, table: Table) -> None:
        """Answer for a table service that knows these facts."""
        self.table = table
        self.asked: list[tuple[str, bytes]] = []
        self.sent = asyncio.Event()
        self.send: Callable[[Fact], None] = lambda _fact: None

    async def publish(self, message: Message) -> None:
        raise AssertionError(message)

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109 - the port's
        assert timeout > 0
        self.asked.append((subject, body))
        for fact in self.table.after(msgspec.json.decode(body, type=ResendFacts).after):
            self.send(fact)
        self.sent.set()
        return Reply(ok=True)


def test_a_worker_fills_a_gap_and_commits_facts_with_other_requests() -> None:
    asyncio.run(_fill_a_gap())


async def _fill_a_gap() -> None:
    scoring, table = held("ana", "bo")
    opening = opened(["ana", "bo"], stake=100)
    table.fact("07-m", opening)
    last = table.fact("07-m", ended(opening, [200, 0]))
    bus = Tables(table)
    worker = Worker("scoring", scoring.core, scoring.journal, bus)
    bus.send = worker.put
    answers: asyncio.Queue[Reply] = asyncio.Queue()
    running = asyncio.create_task(worker.run())
    worker.put(last, answers.put)
    assert (await answers.get()).refused == GAP
    await bus.sent.wait()
    worker.put(ShowBalance("ana"), answers.put)
    assert (await answers.get()).data == {"balance": 1100, "held": 0}
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert bus.asked == [(subjects.table("07"), encode(ResendFacts(after=0)))]
    again = Scoring(scoring.log)
    assert again.core.books.balances() == scoring.core.books.balances()


def test_an_empty_log_is_an_empty_ledger() -> None:
    scoring = Scoring(MemoryLog())
    assert (scoring.core.books.balances(), scoring.core.wake(NOW), scoring.core.due()) == ({}, [], None)


def test_an_unknown_kind_in_the_ledger_is_passed_over() -> None:
    scoring = Scoring()
    scoring.fund(10, "ana")
    scoring.core.apply(Scored())  # type: ignore[arg-type] # what the codec makes of a later version's event
    assert scoring.balance("ana") == (10, 0)


def test_the_result_in_a_fact_is_read_as_the_table_wrote_it() -> None:
    event = ended(opened(["ana", "bo"], stake=5), [10, 0])
    assert msgspec.json.decode(Table().fact("07-m", event).event, type=MatchEnded) == event
