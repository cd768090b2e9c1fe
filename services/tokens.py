"""Signed tokens (JWT, RFC 7519): the operator's, by which a player signs in, and the gateway's own of a session.

An operator's token has the claims ``sub`` (the player's id), ``roles`` (default ``["player"]``) and ``exp`` (seconds
since 1970), signed with EdDSA (Ed25519) or HS256. A session's token is HS256 with the gateway's secret and names its
audience, so neither passes for the other even under one secret.
"""

import time
from typing import Any, Final

import jwt
import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.subjects import is_token

ROLES: Final = ("player", "support", "auditor", "finance", "operator")
SECRET_BYTES: Final = 32  # the least that HS256 is good for (RFC 7518, 3.2)
_AUDIENCE: Final = "shadda-session"
_RESERVED: Final = ("bot-", "room-")  # ids that no person has
_LEEWAY_SECONDS: Final = 10


def is_bot(name: str) -> bool:
    """Say whether a name at a table is a bot's: no person can have one of those."""
    return name.startswith("bot-")


class BadToken(Exception):
    """A token that is not accepted; the text says why and never shows the token."""


class BadKey(Exception):
    """A key that tokens cannot be made or checked with; the text says why and never shows the key."""


class Identity(msgspec.Struct, frozen=True):
    """Who somebody is, and what he may do."""

    player: str
    roles: tuple[str, ...] = ("player",)

    def may(self, *roles: str) -> bool:
        """Say whether he has one of the roles."""
        return any(role in self.roles for role in roles)


def make_keys() -> tuple[str, str]:
    """Return a new Ed25519 key pair in PEM: the private one, which signs, and the public one, which checks."""
    private = Ed25519PrivateKey.generate()
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return secret.decode(), public.decode()


def algorithm_of(key: str) -> str:
    """Return what a key signs or checks with: EdDSA for one in PEM, HS256 for any other secret."""
    return "EdDSA" if key.lstrip().startswith("-----BEGIN") else "HS256"


def check_key(key: str) -> None:
    """Raise :class:`BadKey` for a key of operators' tokens that is neither Ed25519 in PEM nor a secret long enough."""
    if algorithm_of(key) == "HS256":
        if len(key.encode()) < SECRET_BYTES:
            raise BadKey(f"a secret has at least {SECRET_BYTES} bytes")
        return
    try:
        jwt.get_algorithm_by_name("EdDSA").prepare_key(key)
    except (jwt.PyJWTError, ValueError, TypeError, UnsupportedAlgorithm) as fault:
        raise BadKey("this is no Ed25519 key in PEM") from fault


def make_token(identity: Identity, *, seconds: int, key: str) -> str:
    """Return an operator's token for a player. ``key`` is the HS256 secret or the private key in PEM.

    Raises :class:`BadToken` for an id that no player may have or a role that does not exist, and :class:`BadKey`.
    """
    _check(identity)
    check_key(key)
    if "PUBLIC KEY" in key:
        raise BadKey("a public key checks tokens and does not make them")
    claims = {"sub": identity.player, "roles": list(identity.roles), "exp": int(time.time()) + seconds}
    return jwt.encode(claims, key, algorithm=algorithm_of(key))


def check_token(token: str, *, key: str) -> Identity:
    """Return whom an operator's token names. ``key`` is the HS256 secret or the public key in PEM.

    Raises :class:`BadToken`; only the algorithm that the key is for is accepted.
    """
    return _identity(token, key, audience=None)


def make_session(identity: Identity, *, seconds: int, secret: str) -> str:
    """Return a session's token, which is good for ``seconds``."""
    expires = int(time.time()) + seconds
    claims = {"sub": identity.player, "roles": list(identity.roles), "exp": expires, "aud": _AUDIENCE}
    return jwt.encode(claims, secret, algorithm="HS256")


def check_session(token: str, *, secret: str) -> Identity:
    """Return whose session a token is of; raises :class:`BadToken`."""
    return _identity(token, secret, audience=_AUDIENCE)


def _identity(token: str, key: str, audience: str | None) -> Identity:
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[algorithm_of(key)],
            audience=audience,
            leeway=_LEEWAY_SECONDS,
            options={"require": ["sub", "exp"]},
        )
    except jwt.ExpiredSignatureError as fault:
        raise BadToken("the token has expired") from fault
    except (jwt.PyJWTError, ValueError) as fault:
        raise BadToken("the token is not valid") from fault
    roles = claims.get("roles", ["player"])
    if not isinstance(roles, list) or not all(isinstance(role, str) for role in roles):
        raise BadToken("the token's roles are not a list of words")
    identity = Identity(claims["sub"], tuple(roles))
    _check(identity)
    return identity


def check_player(player: str) -> None:
    """Raise :class:`BadToken` for an id that no player may have."""
    if not is_token(player) or player.startswith(_RESERVED) or player == "system":
        raise BadToken("a player's id is 1 to 64 letters, digits, - and _, and does not begin with bot- or room-")


def _check(identity: Identity) -> None:
    check_player(identity.player)
    unknown = [role for role in identity.roles if role not in ROLES]
    if unknown:
        raise BadToken("the token names a role that does not exist")
