"""Banakil: partnership rummy with two packs, the bankala and two jokers. Rules BNK-1 … BNK-135."""

from typing import Any, Final

from domain.game import Game
from domain.games.banakil.automatic import automatic
from domain.games.banakil.bot import bot
from domain.games.banakil.commands import Command
from domain.games.banakil.decide import decide, legal, proceed, prompt
from domain.games.banakil.events import KINDS, Event, redact
from domain.games.banakil.refusals import Refusal
from domain.games.banakil.rules import OPTIONS
from domain.games.banakil.scenario import SCENARIOS
from domain.games.banakil.state import SEATS, State, evolve, result, start
from domain.games.banakil.texts import TEXTS
from domain.games.banakil.view import canonical, view

GAME: Final[Game[State, Any, Event]] = Game(
    name="banakil",
    rules_version=1,
    variants=("standard",),
    options=OPTIONS,
    commands=Command,
    events=KINDS,
    refusals=Refusal,
    opens_deal=("banakil.pack_shuffled.v1",),
    closes_deal=("banakil.hand_scored.v1",),
    public=("banakil.hand_scored.v1", "banakil.match_ended.v1"),
    unit=2,
    clock_against_bots=True,
    seats=lambda _settings: SEATS,
    teams=lambda _settings: (0, 1, 0, 1),
    start=start,
    evolve=evolve,
    decide=decide,
    proceed=proceed,
    prompt=prompt,
    legal=legal,
    automatic=automatic,
    result=result,
    view=view,
    redact=redact,
    canonical=canonical,
    bot=bot,
    texts=TEXTS,
    scenarios=SCENARIOS,
)
