"""``shadda verify``: whatever is done to a log behind its back is found, at the first version that it touches."""

import contextlib
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import psycopg
import pytest

from events.codec import Codec
from events.envelope import GENESIS, Cipher, seal, unseal
from events.envelope import Stored as StoredEvent
from events.log.cipher import cipher_from, new_key
from projections.archive import table_codec
from projections.audit import SETTLING_MS, verify
from services.table.core import codec
from tests.data import DataFolder
from tests.servers import database, postgresql_url
from tests.services.cli.shell import (
    ENDED,
    FREE,
    RUNNING,
    SET_RECORD,
    VOIDED,
    Recorded,
    change,
    change_records,
    document,
    fault,
    run,
    stored,
)

__all__ = ["postgresql_url"]


def findings(report: Any, match: str = ENDED) -> list[dict[str, Any]]:
    (checked,) = [one for one in report["matches"] if one["match"] == match]
    assert checked["ok"] is (not checked["findings"])
    return list(checked["findings"])


def test_a_record_that_nobody_touched_is_well(recorded: Recorded) -> None:
    report = document("verify", "--all", "--data", recorded.folder)
    assert set(report) == {"matches", "streams", "ok"}
    assert report["ok"] is True
    assert [one["match"] for one in report["matches"]] == sorted((ENDED, FREE, VOIDED, RUNNING), key=lambda m: m[3:])
    for one in report["matches"]:
        assert set(one) == {"match", "events", "ok", "findings"}
        assert one["events"] == len(stored(recorded.folder, one["match"][:2], one["match"]))
    assert [(one["partition"], one["stream"]) for one in report["streams"]] == [
        ("lobby", "room-1"),
        ("scoring", "ledger"),
    ]


def test_matches_that_are_named_and_no_others(recorded: Recorded) -> None:
    report = document("verify", RUNNING, ENDED, ENDED, "--data", recorded.folder)
    assert set(report) == {"matches", "ok"}
    assert [one["match"] for one in report["matches"]] == [RUNNING, ENDED]
    text = run("verify", ENDED, "--data", recorded.folder).stdout
    assert text.splitlines()[0].startswith(f"ok  {ENDED}")
    assert text.splitlines()[-1].endswith("all is well")


def test_wrong_use_is_one_line(recorded: Recorded, tmp_path: Path) -> None:
    data = ("--data", recorded.folder)
    assert "name matches, or give --all" in fault("verify", *data)
    assert "name matches, or give --all" in fault("verify", ENDED, "--all", *data)
    for unknown in ("00-nobody", "77-x", "lobby", "ledger", "", "00-\udcff", "00-a\0b"):
        assert "there is no match" in fault("verify", unknown, *data)
    assert "there is no log" in fault("verify", "--all", "--data", tmp_path / "none")
    assert "there is no log" in fault("verify", "--all", SHADDA_LOG=str(tmp_path))
    assert "SHADDA_COLOUR" in fault("verify", "--all", *data, SHADDA_COLOUR="red")


def test_a_log_that_cannot_be_opened_is_one_line(folder: Path) -> None:
    (folder / "log-01.sqlite").write_bytes(b"This is no database." * 1000)
    assert "log-01.sqlite" in fault("verify", "--all", "--data", folder)
    (folder / "shadda.json").write_text('{"layout": 2}')
    assert "has layout 2" in fault("verify", "--all", "--data", folder)


def test_any_byte_of_any_event_that_is_flipped_is_found_at_its_version(folder: Path) -> None:
    random = Random(7)
    events = stored(folder, "00", ENDED)
    picked = [events[0], events[-1], *random.sample(events, 25)]
    for version, _, record in picked:
        place = random.randrange(len(record))
        tampered = bytearray(record)
        tampered[place] ^= 1 << random.randrange(8)
        change(folder, "00", SET_RECORD, bytes(tampered), ENDED, version)
        report = document("verify", ENDED, "--data", folder, exit_code=1)
        assert report["ok"] is False
        assert findings(report)[0]["version"] == version, (version, place)
        change(folder, "00", SET_RECORD, record, ENDED, version)
    assert document("verify", ENDED, "--data", folder)["ok"] is True


@pytest.mark.parametrize("version", [1, 2, 57, 300, -1])
def test_an_event_that_is_deleted_is_found(folder: Path, version: int) -> None:
    version = version if version > 0 else len(stored(folder, "00", ENDED))
    statement = "DELETE FROM stored_events WHERE originator_id = ? AND originator_version = ?"
    change(folder, "00", statement, ENDED, version)
    for named in (ENDED, "--all"):
        report = document("verify", named, "--data", folder, exit_code=1)
        assert findings(report)[0]["version"] == version
    assert f"version {version}: " in run("verify", ENDED, "--data", folder, exit_code=1).stdout


@pytest.mark.parametrize(("one", "other"), [(2, 3), (1, 200), (40, 90)])
def test_two_events_that_are_swapped_are_found(folder: Path, one: int, other: int) -> None:
    records = {version: (kind, record) for version, kind, record in stored(folder, "00", ENDED)}
    both = "UPDATE stored_events SET topic = ?, state = ? WHERE originator_id = ? AND originator_version = ?"
    change(folder, "00", both, *records[one], ENDED, other)
    change(folder, "00", both, *records[other], ENDED, one)
    report = document("verify", ENDED, "--data", folder, exit_code=1)
    assert [found["version"] for found in findings(report)][:2] == [one, other]


def test_two_events_whose_versions_are_swapped_are_found(folder: Path) -> None:
    move = "UPDATE stored_events SET originator_version = ? WHERE originator_id = ? AND originator_version = ?"
    for new, old in ((10_000, 30), (30, 31), (31, 10_000)):
        change(folder, "00", move, new, ENDED, old)
    assert findings(document("verify", "--all", "--data", folder, exit_code=1))[0]["version"] == 30


def test_a_match_that_is_deleted_is_missed(folder: Path) -> None:
    change(folder, "00", "DELETE FROM stored_events WHERE originator_id = ?", ENDED)
    for named in (ENDED, "--all"):
        report = document("verify", named, "--data", folder, exit_code=1)
        assert "no table has a log of it" in [found["what"] for found in findings(report)]


def test_bytes_flipped_in_the_file_itself_never_break_the_command(folder: Path, tmp_path: Path) -> None:
    random = Random(11)
    file = folder / "log-00.sqlite"
    whole = file.read_bytes()
    statuses = []
    for attempt in range(25):
        copy = tmp_path / f"copy-{attempt}"
        shutil.copytree(folder, copy)
        damaged = bytearray(whole)
        for _ in range(20):
            damaged[random.randrange(len(damaged))] ^= 0xFF
        (copy / file.name).write_bytes(damaged)
        result = run("verify", "--all", "--data", copy, exit_code=(1, 2))
        assert result.exit_code == 1 or result.stderr.count("\n") == 1
        statuses.append(result.exit_code)
    assert statuses.count(1) > len(statuses) / 2


def rewritten(folder: Path, version: int, *, drop_state: bool = False, **changes: Any) -> None:
    """Change an event's payload as one who knows everything but cannot touch the ledger: every hash is made anew."""
    previous = GENESIS
    records = []
    for number, kind, record in stored(folder, "00", ENDED):
        opened = unseal(StoredEvent(ENDED, number, kind, record))
        payload, header = opened.payload, opened.header
        if number == version:
            payload = msgspec.json.encode(msgspec.json.decode(payload) | changes)
            header = msgspec.structs.replace(header, state="") if drop_state else header
        sealed, previous = seal(header, payload, previous)
        records.append((number, sealed.record))
    change_records(folder, "00", ENDED, records)


def version_of(folder: Path, kind: str, nth: int = 0) -> int:
    return [version for version, one, _ in stored(folder, "00", ENDED) if one == kind][nth]


def test_a_payout_that_is_changed_with_all_hashes_made_anew_differs_from_the_rules(folder: Path) -> None:
    version = version_of(folder, "table.match_ended.v1")
    rewritten(folder, version, payouts=[0, 193, 0, 194])
    found = findings(document("verify", ENDED, "--data", folder, exit_code=1))
    assert {one["version"] for one in found} == {version}
    assert any(one["what"].startswith("the table has payouts 0/193/0/194") for one in found)


def test_a_commission_that_is_changed_differs_from_the_ledger(folder: Path) -> None:
    rewritten(folder, 1, rake_bps=0)
    found = findings(document("verify", ENDED, "--data", folder, exit_code=1))
    assert any(one["what"].startswith("the ledger has rake 13") for one in found)


def test_points_that_are_changed_do_not_lead_to_the_recorded_state(folder: Path) -> None:
    version = version_of(folder, "trix.deal_scored.v1", 2)
    rewritten(folder, version, totals=[0, 0, 0, 0])
    found = findings(document("verify", ENDED, "--data", folder, exit_code=1))
    assert found[0]["version"] >= version


def test_a_card_that_is_changed_cannot_be_folded_and_its_name_stays_unsaid(folder: Path) -> None:
    version = version_of(folder, "trix.card_played.v1", 7)
    rewritten(folder, version, card="XX")
    found = findings(document("verify", ENDED, "--data", folder, exit_code=1))
    assert found == [{"version": version, "what": "it does not follow from the events before it (KeyError)"}]


def test_a_payload_that_is_none_of_its_kind_is_found(folder: Path) -> None:
    version = version_of(folder, "trix.card_played.v1", 3)
    rewritten(folder, version, card=["QS"])
    found = findings(document("verify", ENDED, "--data", folder, exit_code=1))
    assert found == [{"version": version, "what": "its payload is not that of a trix.card_played.v1"}]


def test_a_state_hash_that_is_taken_away_is_missed(folder: Path) -> None:
    version = version_of(folder, "trix.deal_scored.v1")
    rewritten(folder, version, drop_state=True)
    found = findings(document("verify", ENDED, "--data", folder, exit_code=1))
    assert found == [{"version": version, "what": "it closes a deal and has no state hash"}]


def test_rules_of_a_later_version_are_named(folder: Path) -> None:
    rewritten(folder, 1, rules_version=99)
    found = findings(document("verify", ENDED, "--data", folder, exit_code=1))
    assert found == [{"version": 1, "what": "this version of Shadda does not know trix under rules 99"}]


@pytest.mark.parametrize(("partition", "stream"), [("scoring", "ledger"), ("lobby", "room-1")])
def test_ledger_and_lobby_have_their_chains_followed(folder: Path, partition: str, stream: str) -> None:
    version, _, record = stored(folder, partition, stream)[0 if partition == "scoring" else 1]
    change(folder, partition, SET_RECORD, record.replace(b"ana", b"eve"), stream, version)
    report = document("verify", "--all", "--data", folder, exit_code=1)
    (bad,) = [one for one in report["streams"] if not one["ok"]]
    assert (bad["partition"], bad["stream"], bad["findings"][0]["version"]) == (partition, stream, version)


def test_a_match_whose_end_the_ledger_missed_is_found_once_it_had_the_time(folder: Path) -> None:
    with DataFolder(folder, seed=3) as data:
        data.play("00-late", settles=False)
        ended = data.now
    assert "the ledger has no record of its end" in str(document("verify", "00-late", "--data", folder, exit_code=1))
    assert verify(str(folder), ["00-late"], now=ended + SETTLING_MS // 2).ok
    assert not verify(str(folder), ["00-late"], now=ended + SETTLING_MS * 2).ok
    assert not verify(str(folder), ["00-late"]).ok


def test_an_encrypted_log_needs_its_key(tmp_path: Path) -> None:
    key = new_key()
    cipher: Cipher = cipher_from(key)
    with DataFolder(tmp_path, cipher=cipher) as data:
        data.play("00-secret", game="basra", variant="single_hand")
    arguments = ("verify", "--all", "--data", tmp_path)
    assert document(*arguments, SHADDA_LOG_KEY=key)["ok"] is True
    assert "set SHADDA_LOG_KEY" in fault(*arguments)
    assert "SHADDA" not in fault(*arguments, SHADDA_LOG_KEY="short")
    other = document(*arguments, exit_code=1, SHADDA_LOG_KEY=new_key())
    assert "decrypted" in findings(other, "00-secret")[0]["what"]


def test_logs_in_postgresql_are_read_alike(postgresql_url: str) -> None:
    with database(postgresql_url) as url:
        with DataFolder(url) as data:
            data.fund(100, "ana", "bo")
            data.play("01-basra", game="basra", variant="single_hand", stake=10, players=2)
        for report in (document("verify", "--all", "--data", url), document("verify", "--all", SHADDA_LOG=url)):
            assert [(one["match"], one["ok"]) for one in report["matches"]] == [("01-basra", True)]
        run("replay", "01-basra", "--seat", 1, "--data", url)
        assert "audit: 01-basra-audit" in run("verify", "--all", "--data", url).stdout
        assert '"differences": []' in run("report", "settlement", "--format", "json", "--data", url).stdout
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE partition_01.stored_events SET topic = 'x' WHERE originator_version = 5")
        assert findings(document("verify", "--all", "--data", url, exit_code=1), "01-basra")[0]["version"] == 5


def test_progress_shows_on_a_terminal_only(recorded: Recorded) -> None:
    command = [sys.executable, "-m", "services.cli", "verify", "--all", "--data", str(recorded.folder)]
    piped = subprocess.run(command, capture_output=True, check=True, text=True)
    assert piped.stderr == ""
    assert "\x1b" not in piped.stdout
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"}):
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so when the other side is closed
            while part := os.read(ours, 65536):
                shown += part
    os.close(ours)
    assert b"verifying" in shown
    assert b"all is well" in shown


def test_the_codec_of_the_archive_reads_whatever_tables_write() -> None:
    mine: Codec = table_codec()
    assert mine.kinds >= codec().kinds
