"""``shadda replay``: a hand again, and to each viewer only what he was sent."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from getpass import getuser
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.cards import CARDS
from domain.games import GAMES
from events import subjects
from events.codec import Codec
from events.log.opening import open_log
from projections.audit import Viewed, verify
from services.cli.records import record_look
from services.settings import Settings
from services.worker import Journal
from tests.data import PLAYERS, DataFolder
from tests.services.cli.shell import (
    ENDED,
    FREE,
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

WHY = ("--audit", "--reason", "complaint 17")
_CODE = re.compile(rb'"([2-9TJQKA][SHDC])"')


def payloads(folder: Path, match: str) -> list[dict[str, Any]]:
    """Return a match's events as they lie in the log, without any of Shadda's own reading."""
    return [msgspec.json.decode(record)["payload"] for _, _, record in stored(folder, match[:2], match)]


def looks(folder: Path, match: str = ENDED) -> list[tuple[str, Viewed]]:
    """Return who looked at a match, and the looks."""
    log = open_log(str(folder), "audit", create=False)
    try:
        return [(one.header.actor, look) for one, look in Journal(log, Codec([Viewed])).read(f"{match}-audit")]
    finally:
        log.close()


# --- what is shown ---


def test_the_default_is_what_spectators_see(recorded: Recorded) -> None:
    shown = document("replay", ENDED, "--data", recorded.folder)
    assert list(shown) == ["match", "game", "variant", "viewer", "events"]
    assert (shown["match"], shown["game"], shown["variant"]) == (ENDED, "trix", "complex_partnership")
    assert shown["viewer"] == "spectator"
    assert shown == document("replay", ENDED, "--spectator", "--data", recorded.folder)
    for event in shown["events"]:
        assert list(event)[:5] == ["version", "at", "actor", "cause", "event"]
    assert [event["version"] for event in shown["events"]] == list(range(1, len(shown["events"]) + 1))
    assert {event["cause"] for event in shown["events"]} == {"player", "clock", "system"}
    assert shown["events"][-1]["view"]["end"]["payouts"] == payloads(recorded.folder, ENDED)[-1]["payouts"]


@pytest.mark.parametrize("match", [ENDED, FREE, VOIDED])
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_a_seat_is_shown_byte_for_byte_what_it_was_sent(
    folder: Path, recorded: Recorded, match: str, seat: int
) -> None:
    subject = subjects.seat_of_player(PLAYERS[seat], match)
    if match == FREE and seat == 3:
        subject = subjects.seat_of_bot("bot-0", match)
    compare(recorded, subject, document("replay", match, "--seat", seat, "--data", folder))


def test_spectators_are_shown_byte_for_byte_what_they_were_sent(recorded: Recorded) -> None:
    compare(recorded, subjects.public(FREE), document("replay", FREE, "--data", recorded.folder))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_shown_as_it_was_sent_and_to_people(tmp_path: Path, game: str) -> None:
    wild = 0.0 if game in ("pinochle", "banakil") else 0.4  # which chance alone hardly ever ends
    with DataFolder(tmp_path) as data:
        data.play("00-any", game=game, wild=wild)
    compare(Recorded(tmp_path, data.sent), subjects.public("00-any"), document("replay", "00-any", "--data", tmp_path))
    subject = subjects.seat_of_player("bo", "00-any")
    shown = document("replay", "00-any", "--seat", 1, "--data", tmp_path)
    compare(Recorded(tmp_path, data.sent), subject, shown)
    for viewer in (("--seat", 1), WHY, ("--spectator",)):
        lines = run("replay", "00-any", *viewer, "--data", tmp_path).stdout.splitlines()
        assert len(lines) > len(shown["events"])
        assert sum(line.startswith("place ") for line in lines) == len(shown["events"][-1]["view"]["seats"])
    assert verify(str(tmp_path), None).ok


def compare(recorded: Recorded, subject: str, shown: dict[str, Any]) -> None:
    """Compare a replay with the messages that the table sent."""
    sent = recorded.sent[subject]
    events = [msgspec.json.decode(event) for update in sent for event in update.events]
    assert [one["event"] for one in shown["events"]] == events
    views = {update.version: msgspec.json.decode(update.view) for update in sent}
    compared = [one["version"] for one in shown["events"] if "view" in one and one["version"] in views]
    assert len(compared) > len(views) * 0.9
    for one in shown["events"]:
        if one["version"] in compared:
            assert one["view"] == views[one["version"]]


@pytest.mark.parametrize("match", [ENDED, FREE, VOIDED])
@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_no_card_is_shown_that_the_viewer_could_not_know(folder: Path, match: str, seat: int | None) -> None:
    viewer = ("--spectator",) if seat is None else ("--seat", seat)
    shown = document("replay", match, *viewer, "--data", folder)
    known = known_by_kind(payloads(folder, match), seat)
    compared = 0
    for one in shown["events"]:
        cards = set(_CODE.findall(msgspec.json.encode(one)))
        while one["event"]["kind"] != (step := next(known))[0]:
            pass
        assert {card.decode() for card in cards} <= step[1], one
        compared += len(cards)
    assert compared > 100


def known_by_kind(events: list[dict[str, Any]], seat: int | None) -> Iterator[tuple[str, set[str]]]:
    """Yield each event's kind and the cards that a seat, or with None everybody, may know after it: own and open ones.

    Own cards lie face down until they are turned up, but for the owner of the kingdom (TRX-23, TRX-24).
    """
    known: set[str] = set()
    own: set[str] = set()
    for event in events:
        kind = event["kind"]
        if kind == "trix.dealt.v1":
            own = set() if seat is None else set(event["deck"][13 * seat : 13 * seat + 13])
            known = own if event["owner"] == seat else set()
        elif kind == "trix.hands_turned_up.v1":
            known = set(own)
        elif kind == "trix.card_played.v1":
            known = known | {event["card"]}
        elif kind in ("trix.doubles_revealed.v1", "trix.twos_shown.v1"):
            known = known.union(*(event.get("doubled") or event["twos"]))
        yield kind, known


def test_the_versions_betray_no_sealed_choice(folder: Path) -> None:
    kinds = [event["kind"] for event in payloads(folder, ENDED)]
    assert "trix.doubles_selected.v1" in kinds
    spectator = document("replay", ENDED, "--data", folder)["events"]
    assert "trix.doubles_selected.v1" not in {one["event"]["kind"] for one in spectator}
    assert all(after["version"] == before["version"] + 1 for before, after in pairwise(spectator))


def test_one_deal_and_up_to_a_version(recorded: Recorded) -> None:
    data = ("--data", recorded.folder)
    whole = document("replay", ENDED, *data)["events"]
    third = document("replay", ENDED, "--deal", 3, *data)["events"]
    assert third[0]["event"]["kind"] == "trix.dealt.v1"
    assert third[0]["event"]["deal"] == 3
    assert third[-1]["event"]["kind"] == "trix.deal_scored.v1"
    first, last = third[0]["version"], third[-1]["version"]
    assert third == whole[first - 1 : last]
    part = document("replay", ENDED, "--deal", 3, "--to", first + 4, *data)["events"]
    assert part == third[:5]
    assert document("replay", ENDED, "--to", 10**9, *data)["events"] == whole


# --- people's layout ---


def test_a_person_can_follow_a_hand(recorded: Recorded) -> None:
    text = run("replay", ENDED, "--deal", 1, "--data", recorded.folder).stdout
    lines = text.splitlines()
    assert lines[0].startswith("Trix complex, partnership (trix complex_partnership, rules 1)")
    assert lines[1].split()[1:] == ["0", "ana", "1", "bo", "2", "cy", "3", "di"]
    assert "Deal 1   2026-09-21 14:13:20 UTC" in lines
    played = [event for event in payloads(recorded.folder, ENDED) if event["kind"] == "trix.card_played.v1"]
    shown = [line for line in lines if "A card is played" in line]
    for event, line in zip(played, shown, strict=False):
        assert line.endswith(f"seat {event['seat']}, card {event['card']}")
        assert f"{event['seat']} {PLAYERS[event['seat']]}" in line
    assert max(map(len, lines)) <= 120


def test_the_clock_and_bots_are_named_as_the_cause(recorded: Recorded) -> None:
    text = run("replay", FREE, "--data", recorded.folder).stdout
    assert "(clock)" in text
    assert "3 bot-0 (bot)" in text
    assert re.search(r"place 1   \d \S+ +-?\d+ points", text)


# --- hidden cards ---


def test_an_audit_shows_every_card_and_is_itself_on_record(folder: Path) -> None:
    shown = document("replay", ENDED, *WHY, "--deal", 2, "--data", folder)
    assert shown["viewer"] == "audit"
    log = dict(enumerate(payloads(folder, ENDED), 1))
    for one in shown["events"]:
        assert one["event"] == log[one["version"]]
    assert set(shown["events"][0]["event"]["deck"]) == set(CARDS)
    dealt = next(one["view"] for one in shown["events"] if "view" in one)
    assert sorted(card for hand in dealt["play"]["hands"] for card in hand) == sorted(CARDS)
    ((actor, look),) = looks(folder)
    assert (actor, look) == (getuser(), Viewed(match=ENDED, who=getuser(), why="complaint 17", cards="all", deal=2))


def test_looks_follow_each_other_in_a_chain_that_verifies(folder: Path) -> None:
    for seat in range(3):
        run("replay", ENDED, "--seat", seat, "--data", folder)
    run("replay", ENDED, *WHY, "--to", 5, "--data", folder)
    run("replay", ENDED, "--data", folder)
    assert [(look.cards, look.why, look.to) for _, look in looks(folder)] == [
        *((f"seat {seat}", "", None) for seat in range(3)),
        ("all", "complaint 17", 5),
    ]
    report = document("verify", "--all", "--data", folder)
    assert {"audit", "scoring", "lobby"} == {one["partition"] for one in report["streams"]}


def test_looks_at_the_same_time_are_all_on_record(folder: Path) -> None:
    settings = Settings(log=str(folder))

    def look(number: int) -> None:
        record_look(settings, Viewed(match=ENDED, who="auditor", why=str(number), cards="all"))

    with ThreadPoolExecutor(8) as pool:
        assert len(list(pool.map(look, range(24)))) == 24
    assert sorted(int(look.why) for _, look in looks(folder)) == list(range(24))
    assert document("verify", "--all", "--data", folder)["ok"] is True


def test_who_looks_is_not_what_the_environment_says(folder: Path) -> None:
    run("replay", ENDED, *WHY, "--data", folder, LOGNAME="somebody-else", USER="somebody-else")
    assert looks(folder)[0][0] != "somebody-else"


def test_without_a_record_of_the_look_nothing_is_shown(folder: Path) -> None:
    (folder / "log-audit.sqlite").mkdir()
    assert "log-audit.sqlite" in fault("replay", ENDED, *WHY, "--data", folder)
    assert "log-audit.sqlite" in fault("replay", ENDED, "--seat", 0, "--data", folder)
    run("replay", ENDED, "--data", folder)


def test_an_audit_needs_a_reason(folder: Path) -> None:
    for reason in ((), ("--reason", " ")):
        assert "--reason" in fault("replay", ENDED, "--audit", *reason, "--data", folder)
    assert not (folder / "log-audit.sqlite").exists()


@pytest.mark.parametrize("viewer", [WHY, ("--seat", 1)])
def test_hidden_cards_of_a_running_hand_are_refused(folder: Path, viewer: tuple[object, ...]) -> None:
    for selection in ((), ("--deal", 3), ("--json",)):
        said = fault("replay", RUNNING, *viewer, *selection, "--data", folder)
        assert "deal 3 is still being played" in said
    assert not (folder / "log-audit.sqlite").exists()
    for finished in (("--deal", 1), ("--deal", 2), ("--to", 40)):
        run("replay", RUNNING, *viewer, *finished, "--data", folder)
    assert document("replay", RUNNING, "--data", folder)["events"][-1]["view"]["deal"] == 3
    run("replay", VOIDED, *viewer, "--data", folder)


# --- faults ---


def test_wrong_use_is_one_line(recorded: Recorded, tmp_path: Path) -> None:
    data = ("--data", recorded.folder)
    assert "there is no match 00-nobody" in fault("replay", "00-nobody", *data)
    assert "there is no match ledger" in fault("replay", "ledger", *data)
    assert "take one of" in fault("replay", ENDED, "--seat", 0, "--spectator", *data)
    assert "seats 0 to 3" in fault("replay", ENDED, "--seat", 4, *data)
    assert "there is no deal 9" in fault("replay", ENDED, "--deal", 9, *data)
    assert "nothing of the match" in fault("replay", ENDED, "--deal", 2, "--to", 3, *data)
    assert "there is no log" in fault("replay", ENDED, "--data", tmp_path)
    run("replay", ENDED, "--to", 0, *data, exit_code=2)


def test_of_a_damaged_record_what_is_before_the_damage_is_shown(folder: Path) -> None:
    version, _, record = stored(folder, "00", ENDED)[99]
    change(folder, "00", SET_RECORD, record.replace(b'"at":1', b'"at":2'), ENDED, version)
    result = run("replay", ENDED, *WHY, "--json", "--data", folder, exit_code=1)
    assert [one["version"] for one in msgspec.json.decode(result.stdout)["events"]] == list(range(1, 100))
    assert result.stderr.startswith(f"shadda: {ENDED} is damaged: version 100: ")
    assert result.stderr.count("\n") == 1


def test_of_a_record_that_is_damaged_from_its_first_event_nothing_is_shown(folder: Path) -> None:
    change(folder, "00", "DELETE FROM stored_events WHERE originator_id = ? AND originator_version = 1", ENDED)
    assert "version 1: the event is missing" in fault("replay", ENDED, "--data", folder, exit_code=1)
    _, _, record = stored(folder, "01", RUNNING)[0]
    change(folder, "01", SET_RECORD, record[:-1], RUNNING, 1)
    assert "damaged: version 1: " in fault("replay", RUNNING, *WHY, "--data", folder, exit_code=1)
