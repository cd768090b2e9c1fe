"""The cipher of the log: AES-GCM by the library, from a key in base64."""

from eventsourcing.cryptography import AESCipher
from eventsourcing.utils import Environment

from events.envelope import Cipher
from events.log.port import LogUnusable


def cipher_from(key_base64: str) -> Cipher:
    """Return the cipher of a key of 16, 24 or 32 bytes in base64; raise :class:`LogUnusable` for any other text."""
    try:
        return AESCipher(Environment(env={AESCipher.CIPHER_KEY: key_base64}))
    except (OSError, ValueError):
        raise LogUnusable("the log's key is not 16, 24 or 32 bytes in base64") from None


def new_key() -> str:
    """Return a new key of 32 bytes, in base64."""
    return AESCipher.create_key(32)
