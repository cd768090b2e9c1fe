"""The options of Basra and what a match takes from them."""

from typing import Final

import msgspec

from domain.game import Seat, Settings
from domain.options import Option

SIDES: Final = 2
PACKET: Final = 4  # cards a seat in one batch, and cards of the first floor
SINGLE_HAND: Final = "single_hand"
DISJOINT_MAX: Final = "disjoint_max"
UNION: Final = "union"
SUM_LE_10: Final = "sum_le_10"
EQUAL_GROUPS_LE_10: Final = "equal_groups_le_10"

OPTIONS: Final = (
    Option(name="players", default=2, choices=(2, 4), about="two players, or four in partnerships (BSR-V1)"),
    Option(name="target", default=121, minimum=31, maximum=501, about="points that win a match (BSR-53)"),
    Option(
        name="capture_overlap",
        default=DISJOINT_MAX,
        choices=(DISJOINT_MAX, UNION),
        about="whether a floor card can serve in one sum only (BSR-23)",
    ),
    Option(
        name="komi_basra",
        default=SUM_LE_10,
        choices=(SUM_LE_10, EQUAL_GROUPS_LE_10),
        about="when the seven of diamonds scores a basra (BSR-34)",
    ),
    Option(name="jack_on_jack", default=0, choices=(0, 30), about="points of a jack on a lone jack (BSR-33)"),
    Option(name="turn_seconds", default=20, minimum=5, maximum=60, about="seconds for a turn (BSR-54)"),
    Option(name="hand_break_seconds", default=8, minimum=5, maximum=120, about="seconds between hands (BSR-54)"),
)


class Rules(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is fixed for one match."""

    players: int
    single_hand: bool  # quick play: the match is one hand (BSR-52)
    target: int
    union: bool
    equal_groups: bool
    jack_on_jack: int
    turn_seconds: int
    hand_break_seconds: int

    def side(self, seat: int) -> int:
        """Return the side, 0 or 1, that a seat plays for."""
        return seat % SIDES

    def by_seat(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """Spread values by side over the seats."""
        return values * (self.players // SIDES)


def rules_of(settings: Settings) -> Rules:
    """Read the rules of a match from its settings."""
    options = settings.options
    return Rules(
        players=options["players"],
        single_hand=settings.variant == SINGLE_HAND,
        target=options["target"],
        union=options["capture_overlap"] == UNION,
        equal_groups=options["komi_basra"] == EQUAL_GROUPS_LE_10,
        jack_on_jack=options["jack_on_jack"],
        turn_seconds=options["turn_seconds"],
        hand_break_seconds=options["hand_break_seconds"],
    )


def seats(settings: Settings) -> int:
    """Return the number of seats, 2 or 4."""
    return int(settings.options["players"])


def teams(settings: Settings) -> tuple[int, ...] | None:
    """Return the team by seat where four play (BSR-V1); None where two do."""
    return (0, 1, 0, 1) if seats(settings) == 4 else None


def dealing_order(dealer: int, players: int) -> tuple[Seat, ...]:
    """Return the seats in the order in which they are dealt to and play: the dealer last (BSR-5, BSR-8)."""
    return tuple(Seat((dealer + step) % players) for step in range(1, players + 1))
