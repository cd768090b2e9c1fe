"""The envelope: what a record is, and what of it the hash covers."""

import msgspec
import pytest

from events.envelope import GENESIS, Corrupt, Header, Stored, chained, check, look, seal, unseal
from events.log.opening import cipher_from, new_key
from tests.events.streams import KIND, Writer

PAYLOAD = b'{"kind":"trix.card_played.v1","seat":2,"card":"QS"}'


def _header(**changes: object) -> Header:
    header = Header(stream="07-a", version=1, at=1_790_000_000_000, kind=KIND, actor="sami", cause="player")
    return msgspec.structs.replace(header, **changes)


def test_a_record_is_json_that_a_person_can_read() -> None:
    stored, digest = seal(_header(command="c1", deadline=1_790_000_030_000), PAYLOAD, GENESIS)

    assert stored.record == (
        b'{"header":{"stream":"07-a","version":1,"at":1790000000000,"kind":"trix.card_played.v1","actor":"sami",'
        b'"cause":"player","command":"c1","deadline":1790000030000},'
        b'"payload":{"kind":"trix.card_played.v1","seat":2,"card":"QS"},"hash":"%b"}' % digest.encode()
    )
    opened = unseal(stored)
    assert (opened.header, opened.payload, opened.hash) == (
        _header(command="c1", deadline=1_790_000_030_000),
        PAYLOAD,
        digest,
    )
    assert check(stored, GENESIS) == digest


def test_the_hash_depends_on_everything_and_on_where_header_and_payload_meet() -> None:
    hashes = {
        chained(GENESIS, b"header", b"payload"),
        chained("1" + GENESIS[1:], b"header", b"payload"),
        chained(GENESIS, b"headerp", b"ayload"),
        chained(GENESIS, b"Header", b"payload"),
        chained(GENESIS, b"header", b"paYload"),
    }
    assert len(hashes) == 5


def test_every_event_hangs_on_the_one_before() -> None:
    writer = Writer()
    first, second = writer.event("07-a"), writer.event("07-a")
    digest = check(first, GENESIS)
    assert check(second, digest) == look(second)[1]
    assert check(second, None) == look(second)[1]
    with pytest.raises(Corrupt, match="07-a version 2: the hash does not follow"):
        check(second, GENESIS)


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (b"", "cannot be read"),
        (b"[]", "cannot be read"),
        (b"\xff", "cannot be read"),
        (b'{"header":{},"payload":{},"hash":""}', "cannot be read"),
        (b'{"header":' + b"[" * 5000, "cannot be read"),
    ],
)
def test_what_is_no_record_is_corrupt(record: bytes, text: str) -> None:
    for read in (unseal, look, lambda stored: check(stored, GENESIS)):
        with pytest.raises(Corrupt, match=text) as corrupt:
            read(Stored("07-a", 3, KIND, record))
        assert (corrupt.value.stream, corrupt.value.version) == ("07-a", 3)


def test_bytes_that_the_hash_does_not_cover_are_corrupt() -> None:
    stored, _ = seal(_header(), PAYLOAD, GENESIS)
    for record in (stored.record + b" ", stored.record.replace(b',"payload"', b', "payload"')):
        with pytest.raises(Corrupt, match="does not cover"):
            check(msgspec.structs.replace(stored, record=record), GENESIS)


def test_an_encrypted_payload_is_chained_as_it_is_stored() -> None:
    cipher = cipher_from(new_key())
    stored, digest = seal(_header(), PAYLOAD, GENESIS, cipher)

    assert b"QS" not in stored.record
    assert check(stored, GENESIS) == digest
    assert look(stored) == (_header(), digest)
    assert unseal(stored, cipher).payload == PAYLOAD
    with pytest.raises(Corrupt, match="no key is set"):
        unseal(stored)
    with pytest.raises(Corrupt, match="cannot be decrypted"):
        unseal(stored, cipher_from(new_key()))
    again, other = seal(_header(), PAYLOAD, GENESIS, cipher)
    assert (again.record, other) != (stored.record, digest), "the same payload must not look the same twice"


def test_what_is_in_clear_can_be_read_where_a_key_is_set() -> None:
    stored, _ = seal(_header(), PAYLOAD, GENESIS)
    assert unseal(stored, cipher_from(new_key())).payload == PAYLOAD
