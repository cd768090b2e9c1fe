"""One record of every kind of the table's events, as once written: it reads the same for ever.

``golden/table.jsonl`` is one stream, a stored record a line, each chained to the one before. It only grows: run this
file as a program to add the kinds that it does not have yet. ``golden/encrypted.jsonl`` is one encrypted record.
"""

import sys
from pathlib import Path

import msgspec
import pytest

from domain.table.events import (
    TABLE_EVENTS,
    BotSeated,
    CameBack,
    ClockExtended,
    ConnectionLost,
    ConnectionRestored,
    Holder,
    MatchEnded,
    MatchOpened,
    MatchVoided,
    PlayerLeft,
    SeatTakenBack,
    TableEvent,
    TimedOut,
    WentAway,
)
from events.codec import Codec, kind_of
from events.envelope import GENESIS, Header, Stored, check, look, seal, unseal
from events.log.opening import cipher_from

GOLDEN = Path(__file__).parent / "golden"
TABLE = GOLDEN / "table.jsonl"
ENCRYPTED = GOLDEN / "encrypted.jsonl"
KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="  # of the encrypted record, and of nothing else
STREAM = "07-01937fd0-5b00-7000-8000-000000000000"
AFTER_TWELVE = "7288930de1765e80a4faa255bee2a61535e7ecabc80a60637f2011daebbcda06"  # the hash of the twelfth record

EXAMPLES: tuple[TableEvent, ...] = (
    MatchOpened(
        game="trix",
        rules_version=1,
        variant="partners",
        options={"doubling": True, "to": 4},
        seats=(Holder("sami", staker=True), Holder("bot-1", bot=True), Holder("rana", staker=True), Holder("منى")),
        stake=2500,
        rake_bps=250,
        room="r-1",
        owner=0,
        first=2,
        against_computer=False,
        spectators=True,
        time_scale=10,
        pace="max",
        ordinal=3,
    ),
    ConnectionLost(2, 1_790_000_040_000),
    ConnectionRestored(2, "01937fd0-5b01-7000-8000-000000000000"),
    TimedOut((0, 2), ("play", "pass"), counts=True),
    WentAway(0),
    CameBack(0),
    BotSeated(3, "bot-7"),
    SeatTakenBack(3),
    PlayerLeft(2),
    ClockExtended(12_500),
    MatchEnded(
        totals=(120, -80, 0, -40),
        team_totals=(120, -120),
        places=(1, 2, 1, 2),
        pot=5000,
        rake=125,
        payouts=(4875, 0, 0, 0),
        players=("sami", "bot-1", "rana", "منى"),
        game="trix",
        variant="partners",
        stake=2500,
        stakers=(True, False, True, False),
        room="r-1",
        forfeit=2,
    ),
    MatchVoided(reason="power cut", stake=2500, players=("sami", "bot-1"), stakers=(True, False), room="r-1"),
)


def _header(event: TableEvent, version: int) -> Header:
    return Header(
        stream=STREAM,
        version=version,
        at=1_790_000_000_000 + version,
        kind=kind_of(event),
        actor="system",
        cause="system",
        command="c-1",
        deadline=1_790_000_030_000,
        state="5e" * 32,
    )


def _kept(file: Path) -> list[Stored]:
    records = file.read_bytes().split(b"\n")[:-1]
    kinds = [msgspec.json.decode(record)["header"]["kind"] for record in records]
    return [
        Stored(STREAM, version, kind, record)
        for version, (kind, record) in enumerate(zip(kinds, records, strict=True), 1)
    ]


def test_every_kind_is_kept() -> None:
    assert {stored.kind for stored in _kept(TABLE)} >= {kind_of(event) for event in TABLE_EVENTS}
    assert {kind_of(event) for event in EXAMPLES} >= {kind_of(event) for event in TABLE_EVENTS}


def test_the_chain_of_what_is_kept_holds() -> None:
    digest = GENESIS
    for stored in _kept(TABLE):
        digest = check(stored, digest)
        if stored.version == 12:
            assert digest == AFTER_TWELVE, "lines are only ever added"


@pytest.mark.parametrize("event", EXAMPLES, ids=kind_of)
def test_an_event_reads_as_it_was_written(event: TableEvent) -> None:
    (stored,) = (stored for stored in _kept(TABLE) if stored.kind == kind_of(event))
    opened = unseal(stored)
    assert opened.header == _header(event, stored.version)
    assert Codec(TABLE_EVENTS).decode(stored.kind, opened.payload) == event


def test_a_new_record_is_the_kept_one_to_the_byte() -> None:
    """Events are written as they were, so their hashes do not depend on the version of the program."""
    codec, digest = Codec(TABLE_EVENTS), GENESIS
    for kept, event in zip(_kept(TABLE)[:12], EXAMPLES, strict=True):
        stored, digest = seal(_header(event, kept.version), codec.encode(event), digest)
        assert stored.record == kept.record


def test_an_encrypted_record_is_read_with_its_key() -> None:
    (stored,) = _kept(ENCRYPTED)
    assert check(stored, GENESIS) == look(stored)[1]
    assert Codec(TABLE_EVENTS).decode(stored.kind, unseal(stored, cipher_from(KEY)).payload) == EXAMPLES[0]


def _add() -> None:
    """Write what is missing, below what is there."""
    GOLDEN.mkdir(exist_ok=True)
    kept = _kept(TABLE) if TABLE.exists() else []
    digest = look(kept[-1])[1] if kept else GENESIS
    codec = Codec(TABLE_EVENTS)
    with TABLE.open("ab") as file:
        for event in EXAMPLES:
            if kind_of(event) not in {stored.kind for stored in kept}:
                stored, digest = seal(_header(event, len(kept) + 1), codec.encode(event), digest)
                kept.append(stored)
                file.write(stored.record + b"\n")
    if not ENCRYPTED.exists():
        stored, _ = seal(_header(EXAMPLES[0], 1), codec.encode(EXAMPLES[0]), GENESIS, cipher_from(KEY))
        ENCRYPTED.write_bytes(stored.record + b"\n")
    sys.stdout.write(f"{len(kept)} records, the last one's hash is {digest}\n")


if __name__ == "__main__":
    _add()
