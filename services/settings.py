"""Every setting of every service: one environment variable each, ``SHADDA_<NAME>``, read once at the start."""

import os
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

PREFIX: Final = "SHADDA_"
_LONG: Final = r"^(.{32,})?$"
_HEX: Final = r"^([0-9a-fA-F]{2})*$"
LEVEL: Final = r"^(debug|info|warning|error)$"
SHARE: Final = r"^[1-9][0-9]?/[1-9][0-9]?$"
TOKENS: Final = "SHADDA_TOKEN"  # of the players of `shadda play --url`; no setting


class BadSetting(ValueError):
    """An environment variable that is no setting, or a value that it does not take."""


def _about(text: str, **bounds: Any) -> msgspec.Meta:
    return msgspec.Meta(description=text, **bounds)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a process. Secrets are empty unless set; ``shadda settings`` never shows them."""

    nats_url: Annotated[str, _about("address of the NATS server, credentials included")] = "nats://127.0.0.1:4222"
    log: Annotated[str, _about("where the logs are: a folder (SQLite) or postgresql://…")] = ".shadda"
    partitions: Annotated[int, _about("how many partitions tables are spread over", ge=1, le=99)] = 8
    share: Annotated[str, _about("which share of the partitions this table process owns, as 1/2", pattern=SHARE)] = (
        "1/1"
    )
    log_key: Annotated[str, _about("base64 key of 16, 24 or 32 bytes that encrypts what is logged; empty: clear")] = ""
    host: Annotated[str, _about("address that the gateway listens on")] = "127.0.0.1"
    port: Annotated[int, _about("port that the gateway listens on; 0: any free one", ge=0, le=65535)] = 8080
    origins: Annotated[str, _about("web origins that may connect, separated by spaces; empty: the own one")] = ""
    token_key: Annotated[str, _about("key of operators' tokens: an Ed25519 public key (PEM) or an HS256 secret")] = ""
    session_key: Annotated[
        str, _about("secret of 32 bytes or more that signs sessions; the same for all gateways", pattern=_LONG)
    ] = ""
    guests: Annotated[bool, _about("whether anybody may play as a guest")] = False
    guest_money: Annotated[int, _about("play money a guest is given on arrival, minor units", ge=0)] = 0
    frames_per_second: Annotated[int, _about("frames a player may send a second; 0: any number", ge=0)] = 30
    rake_bps: Annotated[int, _about("commission of every pot, hundredths of a percent", ge=0, le=10_000)] = 0
    fill_seconds: Annotated[int, _about("how long quick play waits before bots fill up", ge=0)] = 20
    bot_delay: Annotated[float, _about("seconds a bot waits before it answers", ge=0)] = 1.2
    time_scale: Annotated[int, _about("divides every span of time; 1 in production", ge=1)] = 1
    seed: Annotated[str, _about("hex seed of every shuffle; private backends only", pattern=_HEX)] = ""
    private: Annotated[bool, _about("a backend for one user: seeds and full speed are allowed")] = False
    log_level: Annotated[str, _about("debug, info, warning or error", pattern=LEVEL)] = "info"

    @property
    def owned(self) -> tuple[str, ...]:
        """Return the partitions that this table process owns."""
        number, of = map(int, self.share.split("/"))
        return self.partition_names[number - 1 :: of] if number <= of else ()

    @property
    def partition_names(self) -> tuple[str, ...]:
        """Return the names of the partitions, ``00`` first."""
        return tuple(f"{number:02}" for number in range(self.partitions))


SECRET: Final = frozenset({"log_key", "token_key", "session_key", "seed", "nats_url"})


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings; raise :class:`BadSetting` with the variable and the reason."""
    environment = os.environ if environment is None else environment
    names = {field.name for field in msgspec.structs.fields(Settings)}
    given: dict[str, Any] = {}
    for variable, value in environment.items():
        if not variable.startswith(PREFIX) or variable == TOKENS:
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name not in names:
            raise BadSetting(f"there is no setting {variable}; `shadda settings` lists them")
        given[name] = value
    for name, value in given.items():
        try:
            msgspec.convert({name: value}, Settings, strict=False)
        except msgspec.ValidationError as fault:
            raise BadSetting(f"{PREFIX}{name.upper()}: {str(fault).partition(' - at')[0]}") from fault
    settings = msgspec.convert(given, Settings, strict=False)
    if not settings.owned:
        raise BadSetting(f"SHADDA_SHARE: {settings.share} of {settings.partitions} partitions are none")
    if settings.token_key:
        _check_token_key(settings.token_key)
    if settings.seed and not settings.private:
        raise BadSetting("SHADDA_SEED is for private backends only: it would make every deal known")
    return settings


def _check_token_key(key: str) -> None:
    from services.tokens import BadKey, check_key  # it takes a moment to load, and few commands need it

    try:
        check_key(key)
    except BadKey as fault:
        raise BadSetting(f"SHADDA_TOKEN_KEY: {fault}") from fault


def to_environment(settings: Settings) -> dict[str, str]:
    """Return the environment variables that make these settings, those at their defaults left out."""
    plain = msgspec.to_builtins(settings)
    defaults = msgspec.to_builtins(Settings())
    return {
        f"{PREFIX}{name.upper()}": str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in plain.items()
        if value != defaults[name]
    }
