"""Events to bytes and back, by stable kind and version, never by Python path.

Every event is a msgspec struct whose tag, in the field ``kind``, is its permanent name: ``trix.card_played.v1``. An
upcaster turns the payload of a kind no longer written into that of its successor. A kind that this process does not
know is kept as :class:`Unknown`, never dropped.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]  # an old payload to the next one, "kind" included


class Unknown(msgspec.Struct, frozen=True):
    """An event of a kind that this process does not know, as it was stored."""

    kind: str
    payload: bytes


def kind_of(event: object) -> str:
    """Return the permanent name of an event or of a class of events."""
    owner = event if isinstance(event, type) else type(event)
    tag = owner.__struct_config__.tag  # type: ignore[attr-defined]
    assert isinstance(tag, str), f"{owner.__name__} has no kind"
    return tag


_encode: Final = msgspec.json.Encoder().encode


class Codec:
    """The kinds that a process reads and writes."""

    __slots__ = ("_decoders", "_upcasters")

    def __init__(self, events: Iterable[type[Any]], upcasters: Mapping[str, Upcaster] | None = None) -> None:
        """Take the classes of events, and an upcaster for each kind no longer written."""
        self._decoders: dict[str, msgspec.json.Decoder[Any]] = {}
        for event in events:
            kind = kind_of(event)
            assert kind not in self._decoders, f"two classes of events are called {kind}"
            self._decoders[kind] = msgspec.json.Decoder(event)
        self._upcasters = dict(upcasters or {})

    @property
    def kinds(self) -> frozenset[str]:
        """Return every kind that can be read as it stands."""
        return frozenset(self._decoders)

    def encode(self, event: msgspec.Struct) -> bytes:
        """Return the event as JSON; an :class:`Unknown` comes back as it was stored."""
        if isinstance(event, Unknown):
            return event.payload
        return _encode(event)

    def decode(self, kind: str, payload: bytes) -> Any:
        """Return the event, upcast if its kind is an old one; raise ``msgspec.ValidationError`` if it is malformed."""
        decoder = self._decoders.get(kind)
        if decoder is not None:
            return decoder.decode(payload)
        if kind not in self._upcasters:
            return Unknown(kind, payload)
        content = msgspec.json.decode(payload)
        while content["kind"] in self._upcasters:
            content = self._upcasters[content["kind"]](content)
        return self.decode(content["kind"], _encode(content))
