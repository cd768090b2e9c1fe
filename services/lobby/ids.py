"""Identifiers that sort by the time they were made (UUIDv7, RFC 9562), and join codes."""

import secrets
import time
from typing import Final

CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that is read as another
CODE_LENGTH: Final = 8  # 31^8, about 2^39: not to be guessed through a rate limit


def new_id() -> str:
    """Return a UUIDv7 as 32 hex digits: 48 bits of milliseconds, 74 bits of chance."""
    value = time.time_ns() // 1_000_000 << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return f"{value:032x}"


def new_code() -> str:
    """Return a join code for a private room."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
