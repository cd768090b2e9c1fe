"""Events to bytes and back, the old and the unknown ones too."""

from typing import Any

import msgspec
import pytest

from domain.table.events import TABLE_EVENTS, WentAway
from events.codec import Codec, Unknown, kind_of


class Played(msgspec.Struct, frozen=True, tag_field="kind", tag="whist.card_played.v3"):
    seat: int
    card: str
    trump: bool = False


def _from_v1(old: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "whist.card_played.v2", "seat": old["player"], "card": old["card"]}


def _from_v2(old: dict[str, Any]) -> dict[str, Any]:
    return old | {"kind": "whist.card_played.v3", "card": old["card"].upper()}


UPCASTERS = {"whist.card_played.v1": _from_v1, "whist.card_played.v2": _from_v2}


def test_an_event_comes_back_by_its_kind() -> None:
    codec = Codec([*TABLE_EVENTS, Played])
    event = WentAway(3)
    assert codec.encode(event) == b'{"kind":"table.went_away.v1","seat":3}'
    assert codec.decode(kind_of(event), codec.encode(event)) == event
    assert codec.kinds == {kind_of(kind) for kind in (*TABLE_EVENTS, Played)}


def test_an_old_kind_is_read_as_the_newest_one() -> None:
    codec = Codec([Played], UPCASTERS)
    old = b'{"kind":"whist.card_played.v1","player":2,"card":"qs"}'
    assert codec.decode("whist.card_played.v1", old) == Played(2, "QS")
    assert codec.decode("whist.card_played.v2", old.replace(b"v1", b"v2").replace(b"player", b"seat")) == Played(
        2, "QS"
    )


def test_an_unknown_kind_is_kept_as_it_is() -> None:
    codec = Codec([Played])
    payload = b'{"kind":"whist.revoked.v1",  "seat": 1}'
    event = codec.decode("whist.revoked.v1", payload)
    assert event == Unknown("whist.revoked.v1", payload)
    assert codec.encode(event) == payload


def test_fields_of_a_later_version_are_passed_over() -> None:
    later = b'{"kind":"whist.card_played.v3","seat":1,"card":"2C","speed":4}'
    assert Codec([Played]).decode("whist.card_played.v3", later) == Played(1, "2C")


@pytest.mark.parametrize("payload", [b"", b"{}", b'{"kind":"whist.card_played.v3","seat":"x","card":"2C"}', b"[1]"])
def test_a_malformed_event_is_an_error(payload: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        Codec([Played]).decode("whist.card_played.v3", payload)


def test_two_events_of_one_kind_are_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match=r"two classes of events are called whist.card_played.v3"):
        Codec([Played, Played])
