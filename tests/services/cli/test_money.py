"""``shadda report settlement`` and ``shadda leaderboard``."""

import csv
import hashlib
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.journal.events import LEDGER
from tests.data import DataFolder
from tests.services.cli.shell import (
    ENDED,
    RUNNING,
    SET_RECORD,
    VOIDED,
    Recorded,
    change,
    document,
    fault,
    run,
    stored,
)

REPORT = ("report", "settlement")


def as_json(*arguments: object, exit_code: int = 0) -> Any:
    return msgspec.json.decode(run(*REPORT, *arguments, "--format", "json", exit_code=exit_code).stdout)


def test_the_report_adds_up_and_names_players_by_their_ids(recorded: Recorded) -> None:
    report = as_json("--data", recorded.folder)
    assert list(report) == ["rows", "totals", "digest", "differences"]
    assert {row["match"] for row in report["rows"]} == {ENDED, VOIDED}
    assert report["totals"] == {
        "matches": 2, "rows": 8, "stake": 440, "pot": 440, "rake": 13, "payout": 427, "net": -13,
    }  # fmt: skip
    assert report["differences"] == []


def test_the_digest_is_that_of_the_rows_as_csv(recorded: Recorded, tmp_path: Path) -> None:
    file = tmp_path / "report.csv"
    assert run(*REPORT, "--format", "csv", "--out", file, "--data", recorded.folder).stdout == ""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert as_json("--data", recorded.folder, "--tz", "Asia/Amman")["digest"] == f"sha256:{digest}"
    assert f"sha256 {digest}" in run(*REPORT, "--data", recorded.folder).stdout
    rows = list(csv.DictReader(io.StringIO(file.read_bytes().decode(), newline="")))
    assert sum(int(row["net"]) for row in rows) == -13


def test_a_report_is_narrowed_by_time_match_and_player(recorded: Recorded) -> None:
    data = ("--data", recorded.folder)
    assert as_json("--from", "2026-09-22", *data)["rows"] == []
    assert as_json("--to", "2026-09-20", *data)["rows"] == []
    assert len(as_json("--from", "2026-09-21", "--to", "2026-09-21", *data)["rows"]) == 8
    second = next(row["ended"] for row in as_json(*data)["rows"] if row["match"] == VOIDED)
    assert {row["match"] for row in as_json("--from", "2026-09-21T14:00", "--to", second, *data)["rows"]} == {ENDED}
    assert {row["match"] for row in as_json("--from", second, *data)["rows"]} == {VOIDED}
    assert [row["player"] for row in as_json("--match", VOIDED, "--player", "cy", *data)["rows"]] == ["cy"]
    assert as_json("--match", RUNNING, *data)["rows"] == []
    assert as_json("--tz", "Asia/Amman", *data)["rows"][0]["ended"].endswith("+03:00")


def test_a_difference_is_listed_at_the_end_and_fails(folder: Path) -> None:
    for version, _, record in stored(folder, "scoring", LEDGER):
        if f'"key":"end:{ENDED}"'.encode() in record:
            changed = record.replace(b'"amount":193', b'"amount":192')
            assert changed != record
            change(folder, "scoring", SET_RECORD, changed, LEDGER, version)
    result = run(*REPORT, "--data", folder, exit_code=1)
    assert "sha256" in result.stdout
    assert f"difference: {ENDED}: version " in result.stderr
    assert "movement of player:ana 92, and the log leads to 93" in result.stderr
    differences = as_json("--data", folder, exit_code=1)["differences"]
    assert [one["match"] for one in differences] == [ENDED]
    assert as_json("--match", VOIDED, "--data", folder)["differences"] == []


def test_a_match_that_the_ledger_never_heard_of_is_a_difference(folder: Path) -> None:
    with DataFolder(folder, seed=5) as data:
        data.play("01-lost", game="basra", variant="single_hand", settles=False)
    differences = as_json("--data", folder, exit_code=1)["differences"]
    assert [one["match"] for one in differences] == ["01-lost"]


def test_a_damaged_match_is_a_difference(folder: Path) -> None:
    change(folder, "00", "DELETE FROM stored_events WHERE originator_id = ? AND originator_version = 50", ENDED)
    differences = as_json("--data", folder, exit_code=1)["differences"]
    assert differences == [{"match": ENDED, "what": "version 50: the event is missing"}]


def test_wrong_input_to_a_report_is_one_line(recorded: Recorded, tmp_path: Path) -> None:
    data = ("--data", recorded.folder)
    assert "no date or time" in fault(*REPORT, "--from", "yesterday", *data)
    assert "no time zone" in fault(*REPORT, "--tz", "Atlantis", *data)
    assert "there is no match" in fault(*REPORT, "--match", "00-nobody", *data)
    assert "cannot be written" in fault(*REPORT, "--out", tmp_path, *data)
    assert "--names is not available" in fault(*REPORT, "--names", *data)
    for form in ("xlsx", "beancount"):
        assert "not available in this version" in fault(*REPORT, "--format", form, *data)
    assert "there is no log" in fault(*REPORT, "--data", tmp_path)
    run(*REPORT, "--format", "docx", *data, exit_code=2)


def test_a_damaged_ledger_is_a_failure_of_one_line(folder: Path) -> None:
    _, _, record = stored(folder, "scoring", LEDGER)[4]
    change(folder, "scoring", SET_RECORD, record[:-2], LEDGER, 5)
    for command in (REPORT, ("leaderboard", "trix")):
        assert "ledger is damaged at version 5" in fault(*command, "--data", folder, exit_code=1)


def test_a_leaderboard(recorded: Recorded) -> None:
    board = document("leaderboard", "trix", "--data", recorded.folder)
    assert list(board) == ["game", "period", "tz", "by", "rows"]
    assert [row["rank"] for row in board["rows"]] == sorted(row["rank"] for row in board["rows"])
    assert {row["player"] for row in board["rows"]} == {"ana", "bo", "cy", "di"}
    assert sum(row["winnings"] for row in board["rows"]) == -13
    text = run("leaderboard", "trix", "--by", "winnings", "--data", recorded.folder).stdout.splitlines()
    assert text[0].split() == ["rank", "player", "points", "matches", "wins", "win", "rate", "winnings"]
    assert len(text) == 5


@pytest.mark.parametrize("by", ["points", "wins", "win_rate", "winnings"])
@pytest.mark.parametrize("period", ["day", "week", "month", "season", "all"])
def test_every_order_and_period(recorded: Recorded, by: str, period: str) -> None:
    arguments = ("--by", by, "--period", period, "--tz", "Asia/Amman", "--data", recorded.folder)
    board = document("leaderboard", "trix", *arguments)
    assert (board["by"], board["period"], board["tz"]) == (by, period, "Asia/Amman")
    values = [row[by] for row in board["rows"]]
    assert values == sorted(values, reverse=True)
    assert len(values) == (4 if period == "all" else len(values))


def test_wrong_input_to_a_leaderboard_is_one_line(recorded: Recorded) -> None:
    data = ("--data", recorded.folder)
    assert "there is no game 'chess'" in fault("leaderboard", "chess", *data)
    assert "no time zone" in fault("leaderboard", "trix", "--tz", "Atlantis", *data)
    assert document("leaderboard", "basra", *data)["rows"] == []
