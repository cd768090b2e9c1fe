"""Trix (تركس): four variants, four kingdoms, contracts, doubling. The rules are ``docs/rules/trix.md``."""

from typing import Final, get_args

from domain.game import Game, Settings
from domain.games.trix import scenario
from domain.games.trix.automatic import automatic
from domain.games.trix.bot import bot
from domain.games.trix.canonical import canonical
from domain.games.trix.commands import Command
from domain.games.trix.contracts import SEATS
from domain.games.trix.decide import Refusal, decide, proceed
from domain.games.trix.events import Event
from domain.games.trix.state import State, evolve, start
from domain.games.trix.texts import TEXTS
from domain.games.trix.turns import legal, prompt
from domain.games.trix.view import own, redact, view
from domain.options import Option


def _seats(_: Settings) -> int:
    return SEATS


def _teams(settings: Settings) -> tuple[int, ...] | None:
    return (0, 1, 0, 1) if "partnership" in settings.variant else None


def _seconds(name: str, default: int, about: str) -> Option:
    return Option(name=name, default=default, about=about, minimum=5, maximum=120)


GAME: Final[Game[State, Command, Event]] = Game(
    name="trix",
    rules_version=1,
    variants=("complex_partnership", "complex", "partnership", "individual"),
    options=(
        _seconds("contract_seconds", 20, "time for the owner to choose a contract"),
        _seconds("doubling_seconds", 15, "time for everybody to double"),
        _seconds("turn_seconds", 20, "time to play a card"),
    ),
    commands=Command,
    events=get_args(Event),
    refusals=Refusal,
    opens_deal=("trix.dealt.v1",),
    closes_deal=("trix.deal_scored.v1",),
    public=("trix.deal_scored.v1", "trix.match_ended.v1"),
    seats=_seats,
    teams=_teams,
    start=start,
    evolve=evolve,
    decide=decide,
    proceed=proceed,
    prompt=prompt,
    legal=legal,
    automatic=automatic,
    result=lambda state: state.result,
    view=view,
    own=own,
    redact=redact,
    canonical=canonical,
    bot=bot,
    texts=TEXTS,
    scenarios=scenario.HOOKS,
)
