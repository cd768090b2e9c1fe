"""What a scenario file holds, and the refusal of a file that is none, with the place."""

from typing import Annotated, Any, Literal

import msgspec

from domain.game import AnyGame, Settings
from domain.games import GAMES
from domain.options import BadOption, checked

Count = Annotated[int, msgspec.Meta(ge=0)]


class Invalid(ValueError):
    """A file that is not a valid scenario; says where and why."""


class Failed(Exception):
    """Something that a scenario says is not so: the place, what was expected, and what is."""

    def __init__(self, place: str, expected: object, actual: object) -> None:
        """Keep the three."""
        super().__init__(f"{place}: expected {short(expected)}, is {short(actual)}")
        self.place = place
        self.expected = expected
        self.actual = actual


def short(value: object) -> str:
    """Return a value as a person reads it in a message."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


class Final(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match's end, for examples of places and pots: totals by seat in points, and the first starter (TBL-23)."""

    totals: tuple[int | float, ...]
    first: Count = 0


class Scenario(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One scenario file as written; game parts are still plain JSON values."""

    scenario: Literal[1]
    about: str = ""
    game: str
    variant: str = ""
    options: dict[str, Any] = {}
    seats: tuple[Literal["human", "bot"], ...] = ()
    owner: Count | None = None  # the seat of the room's owner
    stake: Count = 0
    rake_bps: Count = 0
    seed: str = ""
    deals: tuple[Any, ...] = ()
    start: Any = None
    position: Any = None
    final: Final | None = None
    steps: tuple[dict[str, Any], ...] = ()
    expect: dict[str, Any] = {}


class Setup(msgspec.Struct, frozen=True):
    """A scenario whose game parts have been read as well."""

    scenario: Scenario
    game: AnyGame
    settings: Settings
    seats: tuple[str, ...]
    deals: tuple[Any, ...]
    start: Any
    position: Any
    seed: bytes


def parse(content: bytes) -> Setup:
    """Read a scenario file; raise :class:`Invalid` with the place of the first fault."""
    try:
        scenario = msgspec.json.decode(content, type=Scenario)
    except msgspec.MsgspecError as fault:
        raise Invalid(str(fault)) from fault
    game = GAMES.get(scenario.game)
    if game is None:
        raise Invalid(f"there is no game {scenario.game!r} - at `$.game`")
    variant = scenario.variant or game.variants[0]
    if variant not in game.variants:
        raise Invalid(f"{game.name} has no variant {variant!r} - at `$.variant`")
    try:
        options = checked(game.options, scenario.options)
        seed = bytes.fromhex(scenario.seed)
    except BadOption as fault:
        raise Invalid(f"{fault} - at `$.options`") from fault
    except ValueError as fault:
        raise Invalid("a seed is hex - at `$.seed`") from fault
    settings = Settings(variant=variant, options=options, owner=scenario.owner)  # type: ignore[arg-type]
    seats = scenario.seats or ("human",) * game.seats(settings)
    if len(seats) != game.seats(settings):
        raise Invalid(f"{game.name} seats {game.seats(settings)}, not {len(seats)} - at `$.seats`")
    hooks = game.scenarios
    deals = tuple(_read(deal, hooks.deal, f"$.deals[{place}]") for place, deal in enumerate(scenario.deals))
    start = None if scenario.start is None else _read(scenario.start, hooks.start, "$.start")
    position = None if scenario.position is None else _read(scenario.position, hooks.position, "$.position")
    return Setup(scenario, game, settings, tuple(seats), deals, start, position, seed)


def _read(value: Any, kind: Any, place: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as fault:
        raise Invalid(str(fault).replace("`$", f"`{place}") if "`$" in str(fault) else f"{fault} - at `{place}`") from (
            fault
        )


def schema(game: AnyGame) -> dict[str, Any]:
    """Return the JSON Schema of the parts of a scenario file that are the game's own, and of the file around them."""
    hooks = game.scenarios
    kinds = (Scenario, hooks.deal, hooks.start, hooks.position, game.commands)
    (file, deal, start, position, command), components = msgspec.json.schema_components(
        kinds, ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A scenario of {game.name}",
        **file,
        "$defs": components,
        "x-parts": {"deals": deal, "start": start, "position": position, "commands": command},
        "x-expect": sorted({*EXPECTED, *hooks.accepts}),
    }


EXPECTED = (
    "phase",
    "turn",
    "legal",
    "refused",
    "hands",
    "deal_points",
    "totals",
    "team_totals",
    "places",
    "winner",
    "payouts",
    "view",
    "hidden_from",
    "never_shown",
    "events",
)
