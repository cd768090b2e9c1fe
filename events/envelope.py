"""The envelope of a stored event: a clear header, a payload that may be encrypted, and a hash chained over both.

What is stored is one JSON object, ``{"header": {…}, "payload": …, "hash": "…"}``. The payload is the event itself, or
the base64 text of its ciphertext. The hash is SHA-256 over the hash of the stream's event before it and the bytes of
header and payload exactly as they stand, so whoever can read the log can check it without a key. A chain cannot show
that a stream's tail, or a whole stream, is missing.
"""

import base64
import hashlib
from typing import Final, Protocol

import msgspec

GENESIS: Final = "0" * 64  # what the first event of a stream chains to


class Corrupt(Exception):
    """A stored event that is not what was written; ``version`` is its place in the stream."""

    def __init__(self, stream: str, version: int, what: str) -> None:
        """Keep the place and the fault."""
        super().__init__(f"{stream} version {version}: {what}")
        self.stream = stream
        self.version = version
        self.what = what


class Cipher(Protocol):
    """Authenticated encryption of payloads; the library's ``AESCipher`` is one."""

    def encrypt(self, plaintext: bytes) -> bytes:
        """Return the ciphertext."""

    def decrypt(self, ciphertext: bytes) -> bytes:
        """Return the plaintext; raise ``ValueError`` if the ciphertext was changed."""


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Everything about an event that is no secret. Times are milliseconds since 1970, UTC."""

    stream: str
    version: int  # counts the stream's events from 1
    at: int
    kind: str  # "<game or service>.<event>.v<n>"
    actor: str  # id of the player or bot, or "system"
    cause: str  # player, clock, away, bot, system (TBL-9)
    command: str = ""  # id of the command that caused it; empty for the system's own steps
    deadline: int = 0  # when the wait that this event begins runs out; 0: it begins none
    state: str = ""  # hash of the canonical state after it, on the events that close a deal
    last: bool = False  # no event may follow in this stream


class Stored(msgspec.Struct, frozen=True, gc=False):
    """An event as it lies in the log. ``position`` counts the partition's events, with harmless gaps."""

    stream: str
    version: int
    kind: str
    record: bytes
    position: int = 0
    last: bool = False  # when written: no event follows in the stream, which leaves the index of open ones


class Opened(msgspec.Struct, frozen=True):
    """A stored event read back: its header, its payload in clear JSON, its hash and its position."""

    header: Header
    payload: bytes
    hash: str
    position: int = 0


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    header: msgspec.Raw
    payload: msgspec.Raw
    hash: str


_encode: Final = msgspec.json.Encoder().encode
_decode_record: Final = msgspec.json.Decoder(_Record).decode
_decode_header: Final = msgspec.json.Decoder(Header).decode
_decode_text: Final = msgspec.json.Decoder(str).decode


def chained(previous: str, header: bytes, payload: bytes) -> str:
    """Return the hash of an event, in hex, from the hash before it and the bytes as stored."""
    chain = hashlib.sha256(previous.encode())
    chain.update(len(header).to_bytes(8, "big"))
    chain.update(header)
    chain.update(payload)
    return chain.hexdigest()


def seal(header: Header, payload: bytes, previous: str, cipher: Cipher | None = None) -> tuple[Stored, str]:
    """Return the event as it is to be stored, and its hash. ``payload`` is the event's clear JSON."""
    if cipher is not None:
        payload = _encode(base64.b64encode(cipher.encrypt(payload)).decode())
    clear = _encode(header)
    digest = chained(previous, clear, payload)
    record = _encode(_Record(msgspec.Raw(clear), msgspec.Raw(payload), digest))
    return Stored(header.stream, header.version, header.kind, record, last=header.last), digest


def unseal(stored: Stored, cipher: Cipher | None = None) -> Opened:
    """Read a stored event; raise :class:`Corrupt` if it cannot be read or its header is another event's.

    The chain is not followed here: :func:`check` does that.
    """
    record, header = _parts(stored)
    payload = bytes(record.payload)
    if payload.startswith(b'"'):
        if cipher is None:
            raise Corrupt(stored.stream, stored.version, "the payload is encrypted and no key is set")
        try:
            payload = cipher.decrypt(base64.b64decode(_decode_text(payload), validate=True))
        except (msgspec.MsgspecError, ValueError):
            raise Corrupt(stored.stream, stored.version, "the payload cannot be decrypted with this key") from None
    return Opened(header, payload, record.hash, stored.position)


def look(stored: Stored) -> tuple[Header, str]:
    """Return an event's header and its hash as recorded; needs no key. Raises :class:`Corrupt` as :func:`unseal`."""
    record, header = _parts(stored)
    return header, record.hash


def check(stored: Stored, previous: str | None) -> str:
    """Follow the chain over one event as stored; return its hash, or raise :class:`Corrupt`.

    ``previous`` is the hash of the event before it, or None where that is unknown: then all but the chain is checked.
    """
    record, _header = _parts(stored)
    if previous is not None and chained(previous, bytes(record.header), bytes(record.payload)) != record.hash:
        raise Corrupt(stored.stream, stored.version, "the hash does not follow from the event and the one before it")
    if _encode(record) != stored.record:
        raise Corrupt(stored.stream, stored.version, "the record has bytes that its hash does not cover")
    return record.hash


def _parts(stored: Stored) -> tuple[_Record, Header]:
    try:
        record = _decode_record(stored.record)
        header = _decode_header(record.header)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        # The parser's own words may quote a payload, so they stay out of the text.
        raise Corrupt(stored.stream, stored.version, "it cannot be read: it is not a record") from fault
    if (header.stream, header.version, header.kind) != (stored.stream, stored.version, stored.kind):
        raise Corrupt(stored.stream, stored.version, "its header belongs to another event")
    return record, header
