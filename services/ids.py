"""Ids that sort by time: UUIDv7 (RFC 9562) in hex."""

import os
import time


def new_id() -> str:
    """Return a new UUIDv7 as 32 hex digits."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return f"{value:032x}"
