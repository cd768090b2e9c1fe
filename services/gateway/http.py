"""The HTTP side: sign in, what games there are, one's balance, live matches, calling a match off."""

from typing import Annotated, Any, Final

import msgspec
import structlog
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta

from domain.game import AnyGame
from events.messages import Deposit, Reply, ShowBalance, VoidMatch, encode
from events.subjects import SCORING, TABLES_LIVE, is_token
from services.gateway.gateway import Gateway
from services.gateway.texts import BAD_TOKEN, FORBIDDEN, GATEWAY_TEXTS, MALFORMED, NO_GUESTS, UNAVAILABLE
from services.ids import new_id
from services.tokens import BadToken, Identity, check_session, check_token, make_session

logger = structlog.get_logger()

GATHER_SECONDS: Final = 1.0
STATUS: Final = {"UNKNOWN_MATCH": 404, "MATCH_OVER": 409, UNAVAILABLE: 503, FORBIDDEN: 403, BAD_TOKEN: 401}

Call = Request[Any, Any, State]
Here = NamedDependency[Gateway]


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An operator's signed token, or the wish to come in as a guest."""

    token: Annotated[str, Meta(max_length=8192)] = ""
    guest: bool = False


class Session(msgspec.Struct, frozen=True):
    """Who has come in, with the token for ``/play`` and for HTTP (``Authorization: Bearer …``)."""

    player: str
    roles: tuple[str, ...]
    token: str
    expires_in: int  # seconds


class Words(msgspec.Struct, frozen=True):
    """A text in both languages."""

    en: str
    ar: str


class OptionShown(msgspec.Struct, frozen=True):
    """An option that the owner of a private room may set."""

    name: str
    default: Any
    about: str
    allowed: str
    choices: tuple[int | str, ...]
    minimum: int
    maximum: int


class GameShown(msgspec.Struct, frozen=True):
    """A game with its variants (default first), its options, and its texts by key."""

    name: str
    rules_version: int
    variants: tuple[str, ...]
    options: tuple[OptionShown, ...]
    texts: dict[str, Words]


class Games(msgspec.Struct, frozen=True):
    """All games, and the text of every refusal by its code."""

    games: tuple[GameShown, ...]
    refusals: dict[str, Words]


class Balance(msgspec.Struct, frozen=True):
    """What a player has, in minor units; ``held`` is in matches that run."""

    balance: int
    held: int


class LiveMatch(msgspec.Struct, frozen=True):
    """An open match: no card, no choice."""

    match: str
    game: str
    variant: str
    deal: int
    stake: int
    players: tuple[str, ...]
    began: int


class Matches(msgspec.Struct, frozen=True):
    """The matches that run now, oldest first."""

    matches: tuple[LiveMatch, ...]


class VoidWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a match is called off; it is recorded."""

    reason: Annotated[str, Meta(min_length=1, max_length=200)]


class Done(msgspec.Struct, frozen=True):
    """It is done."""

    ok: bool = True


class Refusal(HTTPException):
    """A request that is refused, with a code and a text for people."""

    def __init__(self, code: str, text: str = "", status: int = 0) -> None:
        """Keep what the caller is told."""
        super().__init__(detail=code, status_code=status or STATUS.get(code, 400))
        self.code = code
        self.text = text or GATEWAY_TEXTS.get(code, (code, ""))[0]


def identity_of(request: Call, gateway: Gateway) -> Identity:
    """Return who calls, by the session token in the header; raise :class:`Refusal`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise Refusal(BAD_TOKEN, "Send Authorization: Bearer and a session token.")
    try:
        return check_session(token.strip(), secret=gateway.settings.session_secret)
    except BadToken as fault:
        raise Refusal(BAD_TOKEN, str(fault)) from fault


@post("/v1/session", status_code=200, tags=["players"], summary="Sign in")
async def sign_in(data: JSONBody[SignIn], gateway: Here) -> Session:
    """Take an operator's token, or a guest where guests are admitted, and give a session."""
    if data.token:
        identity = _signed(data.token, gateway)
    elif not gateway.settings.guests:
        raise Refusal(NO_GUESTS, status=403)
    elif data.guest:
        identity = await _guest(gateway)
    else:
        raise Refusal(MALFORMED, "Send a token, or guest: true.")
    seconds = gateway.settings.session_seconds
    token = make_session(identity, seconds=seconds, secret=gateway.settings.session_secret)
    logger.info("session", player=identity.player, roles=identity.roles)
    return Session(identity.player, identity.roles, token, seconds)


def _signed(token: str, gateway: Gateway) -> Identity:
    if not gateway.settings.token_key:
        raise Refusal(BAD_TOKEN, "No tokens are accepted here.")
    try:
        return check_token(token, key=gateway.settings.token_key)
    except BadToken as fault:
        raise Refusal(BAD_TOKEN, str(fault)) from fault


async def _guest(gateway: Gateway) -> Identity:
    """Return a new guest, who has his play money."""
    player = f"guest-{new_id()}"
    amount = gateway.settings.guest_amount
    if amount:
        deposit = Deposit(key=f"guest-{player}", player=player, amount=amount, actor="gateway")
        _checked(await gateway.ask(SCORING, encode(deposit)), gateway)
    return Identity(player)


def _checked(reply: Reply, gateway: Gateway) -> Any:
    """Return an answer's data; raise :class:`Refusal` if it is none."""
    if not reply.ok:
        raise Refusal(reply.refused, gateway.text_of(reply))
    return reply.data


@get("/v1/games", tags=["players"], summary="Games, variants and options", sync_to_thread=False)
def show_games(gateway: Here) -> Games:
    """Say what can be played, with every text that players read."""
    refusals = {code: Words(*text) for code, text in sorted(gateway.texts.items())}
    return Games(tuple(_shown(game) for game in gateway.games.values()), refusals)


def _shown(game: AnyGame) -> GameShown:
    options = tuple(
        OptionShown(
            option.name,
            option.default,
            option.about,
            option.allowed(),
            option.choices,
            option.minimum,
            option.maximum,
        )
        for option in game.options
    )
    texts = {key: Words(*text) for key, text in game.texts.items()}
    return GameShown(game.name, game.rules_version, game.variants, options, texts)


@get("/v1/balance", tags=["players"], summary="One's balance")
async def show_balance(
    request: Call,
    gateway: Here,
    player: Annotated[str, QueryParameter(description="another player's, for support, finance and operators")] = "",
) -> Balance:
    """Say what a player has, in minor units."""
    identity = identity_of(request, gateway)
    if player and player != identity.player and not identity.may("support", "finance", "operator"):
        raise Refusal(FORBIDDEN)
    wanted = player or identity.player
    if not is_token(wanted):
        raise Refusal(MALFORMED, "That is no player's id.")
    return msgspec.convert(_checked(await gateway.ask(SCORING, encode(ShowBalance(wanted))), gateway), Balance)


@get("/v1/matches", tags=["everybody"], summary="Matches that run now")
async def show_matches(gateway: Here) -> Matches:
    """List the open matches of all tables that answer."""
    return Matches(await live_matches(gateway))


async def live_matches(gateway: Gateway) -> tuple[LiveMatch, ...]:
    """Return the open matches, oldest first; none if no table answers."""
    try:
        replies = await gateway.bus.gather(TABLES_LIVE, b"{}", GATHER_SECONDS)
    except (ConnectionError, TimeoutError):
        return ()
    found = [msgspec.convert(reply.data or (), tuple[LiveMatch, ...]) for reply in replies if reply.ok]
    return tuple(sorted((match for some in found for match in some), key=lambda match: (match.began, match.match)))


@post("/v1/matches/{match:str}/void", status_code=200, tags=["operators"], summary="Call a match off")
async def void_match(request: Call, gateway: Here, match: FromPath[str], data: JSONBody[VoidWish]) -> Done:
    """Call a running match off; every stake goes back. For operators."""
    identity = identity_of(request, gateway)
    if not identity.may("operator"):
        raise Refusal(FORBIDDEN)
    if not is_token(match):
        raise Refusal("UNKNOWN_MATCH")
    body = encode(VoidMatch(match, identity.player, data.reason))
    _checked(await gateway.ask_table(match, body), gateway)
    logger.info("match called off", match=match, player=identity.player)
    return Done()


HANDLERS: Final = (sign_in, show_games, show_balance, show_matches, void_match)
