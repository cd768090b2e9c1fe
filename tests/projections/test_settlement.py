"""The settlement report, its formats, and whether the books balance."""

import csv
import io
from datetime import UTC

import msgspec
import pytest

from domain.journal.events import MatchRecorded, Posted, Posting
from events.messages import HoldStakes, ReleaseStakes, Withdraw
from projections.balances import Balances
from projections.periods import zone_of
from projections.report import AMOUNTS, COLUMNS, FORMATS, render
from projections.settlement import Row, Settlements, Totals, totals
from tests.services.scoring.world import NOW, Scoring, Table, ended, opened, voided


def played() -> Scoring:
    """Return a service with one match played out, one called off, one unstaked, one without its stakes, one running."""
    scoring, table = Scoring(), Table()
    scoring.fund(1000, "ana", "bo")
    opening = opened(["ana", "bo"], stake=100, rake_bps=250, bots=["bot-1"])
    for number, end in enumerate((ended(opening, [195, 0, 0], rake=5), voided(opening))):
        scoring.do(HoldStakes(f"07-{number}", 100, ("ana", "bo")))
        scoring.do(table.fact(f"07-{number}", opening, NOW + number))
        scoring.do(table.fact(f"07-{number}", end, NOW + 10 + number))
    free = opened(["ana"], bots=["bot-1"])
    scoring.do(table.fact("07-2", free))
    scoring.do(table.fact("07-2", ended(free, [0, 0]), NOW + 12))
    scoring.do(HoldStakes("07-3", 100, ("ana", "bo")))
    scoring.do(ReleaseStakes("07-3"))
    scoring.do(table.fact("07-3", opening))
    scoring.do(table.fact("07-3", ended(opening, [195, 0, 0], rake=5), NOW + 13))
    scoring.do(HoldStakes("07-4", 100, ("ana", "bo")))
    scoring.do(table.fact("07-4", opening))
    return scoring


LEDGER = played().ledger()


def test_each_staker_of_each_match_has_a_row() -> None:
    rows = Settlements(LEDGER).rows()
    assert rows == (
        Row("07-0", "leekha", "standard", NOW + 10, "played", "ana", 100, 200, 5, 195, 95),
        Row("07-0", "leekha", "standard", NOW + 10, "played", "bo", 100, 200, 5, 0, -100),
        Row("07-1", "leekha", "standard", NOW + 11, "voided", "ana", 100, 200, 0, 100, 0),
        Row("07-1", "leekha", "standard", NOW + 11, "voided", "bo", 100, 200, 0, 100, 0),
    )


def test_totals_count_a_match_once_and_add_up() -> None:
    sums = totals(Settlements(LEDGER).rows())
    assert sums == Totals(matches=2, rows=4, stake=400, pot=400, rake=5, payout=395, net=-5)
    assert sums.stake == sums.payout + sums.rake


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"since": NOW + 11}, [("07-1", "ana"), ("07-1", "bo")]),
        ({"until": NOW + 11}, [("07-0", "ana"), ("07-0", "bo")]),
        ({"match": "07-0", "player": "bo"}, [("07-0", "bo")]),
        ({"player": "nobody"}, []),
    ],
)
def test_rows_can_be_chosen(chosen: dict[str, str | int], expected: list[tuple[str, str]]) -> None:
    rows = Settlements(LEDGER).rows(**chosen)  # type: ignore[arg-type] # by the names of its arguments
    assert [(row.match, row.player) for row in rows] == expected


def test_a_forfeit_and_an_unpaid_pot_are_called_so() -> None:
    scoring, table = Scoring(), Table()
    scoring.fund(1000, "ana", "bo")
    opening = opened(["ana", "bo"], stake=100)
    for number, end in enumerate(
        (msgspec.structs.replace(ended(opening, [200, 0]), forfeit=1), ended(opening, [199, 0]))
    ):
        scoring.do(HoldStakes(f"07-{number}", 100, ("ana", "bo")))
        scoring.do(table.fact(f"07-{number}", opening))
        scoring.do(table.fact(f"07-{number}", end, NOW + number))
    rows = Settlements(scoring.ledger()).rows(player="ana")
    assert [(row.outcome, row.payout) for row in rows] == [("forfeit", 200), ("unsettled", 0)]
    assert Balances(scoring.ledger()).findings() == ["the match 07-1 is over and its pot holds 200"]


def test_csv_has_a_header_and_rows_that_can_be_summed() -> None:
    rows = Settlements(LEDGER).rows()
    read = list(csv.DictReader(io.StringIO(render(rows, "csv", UTC), newline="")))
    assert tuple(read[0]) == COLUMNS
    assert [line["ended"] for line in read][:1] == ["2026-09-21T14:13:20+00:00"]
    for name in AMOUNTS:
        assert [int(line[name]) for line in read] == [getattr(row, name) for row in rows]


def test_json_has_rows_and_totals() -> None:
    rows = Settlements(LEDGER).rows()
    report = msgspec.json.decode(render(rows, "json", zone_of("Asia/Riyadh")))
    assert [row["net"] for row in report["rows"]] == [95, -100, 0, 0]
    assert report["rows"][0]["ended"] == "2026-09-21T17:13:20+03:00"
    assert report["totals"] == msgspec.to_builtins(totals(rows))


def test_a_table_is_aligned_and_ends_with_totals() -> None:
    lines = render(Settlements(LEDGER).rows(), "table", UTC).splitlines()
    assert lines[0].split() == list(COLUMNS)
    assert lines[-1].split() == ["2", "matches", "400", "400", "5", "395", "-5"]
    assert {len(line) for line in lines if line.startswith("07-")} == {len(lines[0])}


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_report_is_a_report(form: str) -> None:
    assert render((), form, UTC).endswith("\n")


def test_an_unknown_format_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="take one of table, csv, json"):
        render((), "pdf", UTC)


def test_the_books_balance_and_are_counted() -> None:
    balances = Balances(LEDGER)
    assert balances.findings() == []
    postings = sum(len(event.postings) for event in LEDGER if isinstance(event, Posted))
    assert balances.summary() == {"balanced": True, "accounts": 2 + 2 + 4 * 2 + 3, "postings": postings}


def test_the_views_are_the_books() -> None:
    scoring = played()
    scoring.do(Withdraw(key="w", player="ana", amount=1, actor="operator"))
    accounts = {account: amount for account, amount in Balances(scoring.ledger()).accounts.items() if amount}
    assert accounts == scoring.core.books.balances()


ENTRY = Posted("k", "deposit", (Posting("issuance", -5), Posting("player:ana", 5)), "c")


@pytest.mark.parametrize(
    ("events", "finding"),
    [
        ([ENTRY, ENTRY], "the key k is used twice"),
        ([Posted("k", "deposit", (Posting("player:ana", 5),), "c")], "the entry k does not sum to zero"),
        ([Posted("k", "deposit", (Posting("player:ana", 5),), "c")], "all accounts together hold 5"),
        (
            [Posted("k", "deposit", (Posting("player:ana", -5), Posting("house", 5)), "c")],
            "the entry k takes player:ana below zero",
        ),
    ],
)
def test_books_that_do_not_balance_say_where(events: list[Posted], finding: str) -> None:
    balances = Balances(events)
    assert finding in balances.findings()
    assert not balances.balanced


def test_views_are_the_same_whether_folded_at_once_or_one_by_one() -> None:
    settlements, balances = Settlements(), Balances()
    for position, event in enumerate(LEDGER, 1):
        settlements.apply(event, position)
        balances.apply(event, position)
    assert (settlements.position, balances.position) == (len(LEDGER), len(LEDGER))
    assert settlements.rows() == Settlements(LEDGER).rows()
    assert balances.accounts == Balances(LEDGER).accounts
    assert sum(isinstance(event, MatchRecorded) for event in LEDGER) == 4
