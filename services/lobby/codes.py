"""Join codes of private rooms."""

import secrets
from typing import Final

CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that is read as another
CODE_LENGTH: Final = 8  # 31^8, about 2^39: not to be guessed through a rate limit


def new_code() -> str:
    """Return a join code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
