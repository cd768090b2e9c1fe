"""Streams of events for tests of the log."""

from collections.abc import Sequence

from events.envelope import GENESIS, Cipher, Header, Stored, seal

KIND = "trix.card_played.v1"
PUBLIC = "table.match_ended.v1"


class Writer:
    """Seals events of any number of streams, each with the next version and hash of its stream."""

    def __init__(self, cipher: Cipher | None = None) -> None:
        """Begin every stream at its first version."""
        self.cipher = cipher
        self.heads: dict[str, tuple[int, str]] = {}

    def event(self, stream: str, *, kind: str = KIND, last: bool = False, payload: bytes | None = None) -> Stored:
        version, previous = self.heads.get(stream, (0, GENESIS))
        header = Header(
            stream=stream,
            version=version + 1,
            at=1_790_000_000_000 + version,
            kind=kind,
            actor="sami",
            cause="player",
            command=f"c{version}",
            last=last,
        )
        payload = payload or b'{"kind":"%b","seat":%d,"card":"QS"}' % (kind.encode(), version % 4)
        stored, digest = seal(header, payload, previous, self.cipher)
        self.heads[stream] = (version + 1, digest)
        return stored

    def match(self, stream: str, length: int) -> list[Stored]:
        """Return a stream of so many events, the last of which ends it."""
        return [self.event(stream, last=place == length) for place in range(1, length + 1)]


def places(events: Sequence[Stored]) -> list[tuple[str, int]]:
    return [(event.stream, event.version) for event in events]
