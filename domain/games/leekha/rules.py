"""The two rule sets, their options, and what a match's settings make of them."""

from enum import StrEnum
from typing import Final

import msgspec

from domain.game import Option, Seat, Settings

BINT_NAME: Final = "bint_sbeet"
LEEKHA_NAME: Final = "leekha"
SEATS: Final = tuple(map(Seat, range(4)))
NEXT: Final = tuple(map(Seat, (1, 2, 3, 0)))
TEAMS: Final = (0, 1, 0, 1)
STEPS: Final = {"left": 3, "right": 1, "none": 0}  # from the giver to the receiver; the next seat is to the right


class Talyeekh(StrEnum):
    """Whether QS and TD are forced out of the hand."""

    OFF = "off"
    VOID = "void"
    VOID_OR_COVERED = "void_or_covered"


class MinusBasis(StrEnum):
    """What a minus must avoid (SBT-31)."""

    NO_TRICKS = "no_tricks"
    NO_PENALTY_CARDS = "no_penalty_cards"


class EndBasis(StrEnum):
    """Whose total is compared with the target (LKH-21)."""

    TEAM_SUM = "team_sum"
    INDIVIDUAL = "individual"


class Rules(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One of the two rule sets with a match's options filled in."""

    game: str
    target: int
    pass_cycle: tuple[str, ...]
    doubling: bool
    talyeekh: Talyeekh
    partners: bool
    minus: bool  # whether there is a minus rule at all
    minus_basis: MinusBasis
    hearts_double: bool  # when both QS and TD are doubled (SBT-12, LKH-8)
    end_basis: EndBasis
    pass_seconds: int
    double_seconds: int
    minus_seconds: int
    turn_seconds: int
    hand_break_seconds: int

    def direction(self, hand_no: int) -> str:
        """Return where the cards of a hand are passed: "left", "right" or "none" (SBT-7, LKH-5)."""
        return self.pass_cycle[(hand_no - 1) % len(self.pass_cycle)]


def receiver(giver: Seat, direction: str) -> Seat:
    """Return the seat that gets what the giver passes."""
    return Seat((giver + STEPS[direction]) % 4)


def giver(to: Seat, direction: str) -> Seat:
    """Return the seat whose cards the other gets."""
    return Seat((to - STEPS[direction]) % 4)


def _clock(name: str, default: int, about: str) -> Option:
    return Option(name=name, default=default, about=f"{about}, in seconds", minimum=5, maximum=120)


def _common(target: int) -> tuple[Option, ...]:
    return (
        Option(name="target", default=target, about="total that ends the match", choices=(51, 101, 151, 201)),
        Option(
            name="pass_cycle",
            default=("left", "right"),
            about="direction of the pass, hand by hand, over and over",
            choices=("left", "right", "none"),
            maximum=12,
        ),
        Option(name="doubling", default=True, about="whether QS and TD may be doubled"),
        Option(
            name="talyeekh",
            default=Talyeekh.OFF.value,
            about="whether QS and TD are forced out of the hand",
            choices=tuple(word.value for word in Talyeekh),
        ),
    )


_CLOCKS: Final = (
    _clock("pass_seconds", 30, "time to choose the pass"),
    _clock("double_seconds", 15, "time for doubling"),
    _clock("turn_seconds", 20, "time for a card"),
    _clock("hand_break_seconds", 10, "pause between hands"),
)

BINT_OPTIONS: Final = (
    *_common(151),
    Option(name="hearts_double_when_both", default=True, about="hearts are doubled when QS and TD both are"),
    Option(name="minus", default=True, about="the minus rule: points off for taking no trick"),
    Option(
        name="minus_basis",
        default=MinusBasis.NO_TRICKS.value,
        about="what a minus must avoid",
        choices=tuple(word.value for word in MinusBasis),
    ),
    *_CLOCKS,
    _clock("minus_seconds", 15, "time to announce a minus"),
)

LEEKHA_OPTIONS: Final = (
    *_common(101),
    Option(
        name="end_basis",
        default=EndBasis.TEAM_SUM.value,
        about="whose total is compared with the target",
        choices=tuple(word.value for word in EndBasis),
    ),
    *_CLOCKS,
)


def bint_rules(settings: Settings) -> Rules:
    """Return the rules of Bint al-Sbeet: four players, each for himself."""
    options = settings.options
    return Rules(
        game=BINT_NAME,
        target=options["target"],
        pass_cycle=tuple(options["pass_cycle"]),  # a list once it has been stored
        doubling=options["doubling"],
        talyeekh=Talyeekh(options["talyeekh"]),
        partners=False,
        minus=options["minus"],
        minus_basis=MinusBasis(options["minus_basis"]),
        hearts_double=options["hearts_double_when_both"],
        end_basis=EndBasis.INDIVIDUAL,
        pass_seconds=options["pass_seconds"],
        double_seconds=options["double_seconds"],
        minus_seconds=options["minus_seconds"],
        turn_seconds=options["turn_seconds"],
        hand_break_seconds=options["hand_break_seconds"],
    )


def leekha_rules(settings: Settings) -> Rules:
    """Return the rules of Leekha: partners, no minus, hearts never doubled (LKH-2, 8, 10)."""
    options = settings.options
    return Rules(
        game=LEEKHA_NAME,
        target=options["target"],
        pass_cycle=tuple(options["pass_cycle"]),  # a list once it has been stored
        doubling=options["doubling"],
        talyeekh=Talyeekh(options["talyeekh"]),
        partners=True,
        minus=False,
        minus_basis=MinusBasis.NO_TRICKS,
        hearts_double=False,
        end_basis=EndBasis(options["end_basis"]),
        pass_seconds=options["pass_seconds"],
        double_seconds=options["double_seconds"],
        minus_seconds=0,
        turn_seconds=options["turn_seconds"],
        hand_break_seconds=options["hand_break_seconds"],
    )
