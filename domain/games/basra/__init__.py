"""Basra: capture the floor by rank or by sum, and clear it for a bonus."""

from typing import Final, get_args

from domain.game import Game
from domain.games.basra import rules, scoring, state, view
from domain.games.basra.automatic import automatic
from domain.games.basra.bot import bot
from domain.games.basra.commands import Command, Refusal
from domain.games.basra.decide import decide, legal, proceed, prompt
from domain.games.basra.events import Event
from domain.games.basra.scenario import SCENARIOS
from domain.games.basra.state import State
from domain.games.basra.texts import TEXTS

GAME: Final[Game[State, Command, Event]] = Game(
    name="basra",
    rules_version=1,
    variants=("match", rules.SINGLE_HAND),
    quick_variant=rules.SINGLE_HAND,
    options=rules.OPTIONS,
    commands=Command,
    events=get_args(Event),
    refusals=Refusal,
    opens_deal=("basra.hand_dealt.v1",),
    closes_deal=("basra.hand_scored.v1",),
    public=("basra.hand_scored.v1", "basra.match_ended.v1"),
    seats=rules.seats,
    teams=rules.teams,
    start=state.start,
    evolve=state.evolve,
    decide=decide,
    proceed=proceed,
    prompt=prompt,
    legal=legal,
    automatic=automatic,
    result=scoring.result,
    view=view.view,
    redact=view.redact,
    canonical=view.canonical,
    bot=bot,
    texts=TEXTS,
    scenarios=SCENARIOS,
)
