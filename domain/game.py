"""The contract between a game and everything around it.

A game is a value, :class:`Game`: names, options and a handful of pure functions over its own frozen state,
commands and events. It knows nothing of tables, clocks, money or the network, and nothing around it knows
the game by name. :mod:`domain.games` lists the games there are.

The same ``evolve`` folds the whole truth and what one seat was told: where a viewer may not know a card, his
copy of the event (:attr:`Game.redact`) has the code ``??`` in its place, and the state keeps the number of such
backs beside the cards it knows. So a seat's view is a function of what the seat was sent, and a test says so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, NewType, TypeVar, get_type_hints

import msgspec

from domain.options import Option, Options, OptionValue
from domain.shuffle import Randomness

Seat = NewType("Seat", int)
Viewer = Seat  # a seat, or SPECTATOR
SPECTATOR: Final = Seat(-1)


class CommandRejected(Exception):
    """A command that the rules refuse; ``reason`` is the code of the rules file. Nothing has changed."""

    def __init__(self, reason: StrEnum) -> None:
        """Keep the refusal code."""
        super().__init__(reason.value)
        self.reason = reason


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a match of a game starts from, fixed and recorded in the match's first event."""

    variant: str
    options: Options  # complete: see domain.options.checked
    owner: Seat | None = None  # the seat of the room's owner, if he sits (Banakil's cut)
    owner_absent: bool = False  # the room has an owner, and he does not sit
    first: Seat | None = None  # the starter that a running series prescribes (Banakil, BNK-19)


class Prompt(msgspec.Struct, frozen=True, gc=False):
    """A wait for one or more seats on one clock (TBL-8), or, without seats, a pause between hands.

    ``number`` is new exactly when a new clock starts, so a turn of several commands keeps its number.
    A ``window`` closes on ready or on time: its time-outs neither count nor break a row of them (TBL-12).
    """

    number: int
    kind: str  # "turn", "contract", "doubling" …
    seats: tuple[Seat, ...]  # those that have yet to act
    commands: tuple[str, ...]  # wire names of the commands that answer it
    seconds: int
    window: bool = False
    personal: bool = False  # the player's own: no bot answers it, and its time-outs do not count (BNK-14, TBL-12)


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a match ended, in the units of the log (divide by :attr:`Game.unit` to show points)."""

    totals: tuple[int, ...]  # by seat
    team_totals: tuple[int, ...] | None = None  # by team
    places: tuple[int, ...]  # by seat, best is 1; equal places are shared and the next one skipped
    first: Seat  # from whom odd units of money go round (TBL-23)
    next_first: Seat | None = None  # the starter of the next match of a series, where the game has one (BNK-19)

    @property
    def draw(self) -> bool:
        """Say whether a partnership match was drawn: everybody shares the first place (TBL-22)."""
        return set(self.places) == {1}


S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenarios(Generic[S]):
    """How scenario files (rules as data) set the game up and look at it.

    ``deal``, ``start`` and ``position`` are msgspec structs with unknown fields forbidden: they are the schema.
    Functions raise ``ValueError`` with the place and the fault for cards that do not make up the pack.
    """

    deal: type[Any]  # one entry of a scenario's "deals"
    start: type[Any]  # its "start"
    position: type[Any]  # its "position"
    stack: Callable[[S, Any], Randomness]  # (state that owes a deal, deal): what makes that deal come out
    begin: Callable[[Settings, Any], S]  # a state that owes a later deal than the first
    place: Callable[[Settings, Any], S]  # a state in the middle of a deal
    final: Callable[[Settings, tuple[int, ...], Seat], Result]  # totals by seat, in points, and "first"
    facts: Callable[[S], Mapping[str, object]]  # what "expect" may name, in points and codes
    accepts: tuple[str, ...] = ()  # names of further keys of "expect" that facts gives, for the schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, C, E]):
    """A game under one version of its rules. Every function is pure and total unless it says otherwise."""

    name: str
    rules_version: int
    variants: tuple[str, ...]  # the default first
    options: tuple[Option, ...]
    commands: Any  # union of what a player may send; tag field "do", unknown fields forbidden
    events: tuple[type[E], ...]  # tag field "kind", tags "<game>.<event>.v<n>"
    refusals: type[StrEnum]
    opens_deal: tuple[str, ...]  # kinds of the event that begins a deal; the first carries the deck
    closes_deal: tuple[str, ...]  # kinds of the event that scores it; its header carries the state hash
    public: tuple[str, ...]  # kinds that other services are told of; never a card that anybody hides
    quick_variant: str = ""  # what quick play plays, if not the default variant (TBL-4)
    unit: int = 1  # units of the log in one point shown to people
    resumes_whole: bool = False  # whether who was away is sent the view only, and no event that he missed (PIN-87)
    clock_against_bots: bool = False  # whether a lone human plays on the clock (TBL-5)

    seats: Callable[[Settings], int]
    teams: Callable[[Settings], tuple[int, ...] | None]  # team by seat, or None where all play alone
    start: Callable[[Settings], S]  # before the first deal
    evolve: Callable[[S, E], S]  # bookkeeping: asserts, never refuses; takes redacted events as well
    decide: Callable[[S, Seat, C], tuple[E, ...]]  # raises CommandRejected
    proceed: Callable[[S, Randomness], tuple[E, ...]]  # the system's own step, when prompt() is None or a pause is over
    prompt: Callable[[S], Prompt | None]  # whom the game waits for; None: the system's step, or the match is over
    legal: Callable[[S, Seat], tuple[C, ...]]  # every command that would be accepted; empty when not asked
    automatic: Callable[[S, Seat, Randomness], C]  # the clock's policy, for a seat of the prompt; always legal
    result: Callable[[S], Result | None]  # once the match is over

    view: Callable[[S, Viewer], msgspec.Struct]  # built by allow-list; a seat's holds its legal commands
    own: Callable[[Any, S, Seat], Any] | None = None  # a spectator's view made a seat's; saves making it all again
    redact: Callable[[E, Viewer], E | None]  # the event as that viewer may see it; None: he is not told
    canonical: Callable[[S], object]  # the state in wire names: what a state hash covers
    bot: Callable[[Any, Randomness], C]  # (a seat's view, chance): a bot's choice, sees nothing else
    texts: Mapping[str, tuple[str, str]]  # English and Arabic by "command.play", "refused.CODE", "event.kind", …
    scenarios: Scenarios[S]

    def views(self, state: S, viewers: Sequence[Viewer]) -> list[Any]:
        """Return the view of each viewer; what they have in common is made once where the game knows how."""
        if self.own is None:
            return [self.view(state, viewer) for viewer in viewers]
        common, own = self.view(state, SPECTATOR), self.own
        return [common if viewer == SPECTATOR else own(common, state, viewer) for viewer in viewers]

    @property
    def view_type(self) -> Any:
        """Return the struct that :attr:`view` builds, to decode views that came over the wire."""
        return get_type_hints(self.view)["return"]

    def team_of(self, settings: Settings, seat: Seat) -> int:
        """Return the team of a seat; where all play alone, the seat itself."""
        teams = self.teams(settings)
        return seat if teams is None else teams[seat]


AnyGame = Game[Any, Any, Any]


def next_seat(seat: Seat, seats: int = 4) -> Seat:
    """Return the seat that follows in playing order (TBL-1)."""
    return Seat((seat + 1) % seats)


def shared_places(totals: tuple[int, ...], *, lowest_wins: bool = False) -> tuple[int, ...]:
    """Return each seat's place: equal totals share one, and the next place is skipped (1, 1, 3, 4)."""
    keys = totals if lowest_wins else tuple(-total for total in totals)
    return tuple(1 + sum(other < key for other in keys) for key in keys)


__all__ = [
    "SPECTATOR",
    "AnyGame",
    "CommandRejected",
    "Game",
    "Option",
    "OptionValue",
    "Options",
    "Prompt",
    "Randomness",
    "Result",
    "Scenarios",
    "Seat",
    "Settings",
    "Viewer",
    "next_seat",
    "shared_places",
]
