"""Partnership auction pinochle for four: bid, meld, twelve tricks (rules PIN)."""

from typing import Final

from domain.game import Game
from domain.games.pinochle.automatic import automatic
from domain.games.pinochle.bot import choose
from domain.games.pinochle.commands import Command, Refusal
from domain.games.pinochle.decide import decide
from domain.games.pinochle.events import EVENTS, Event
from domain.games.pinochle.evolve import evolve
from domain.games.pinochle.flow import proceed, prompt, result, seats, start, teams
from domain.games.pinochle.legal import legal
from domain.games.pinochle.rules import OPTIONS
from domain.games.pinochle.scenario import SCENARIOS
from domain.games.pinochle.state import State
from domain.games.pinochle.texts import TEXTS
from domain.games.pinochle.view import canonical, redact, view

GAME: Final[Game[State, Command, Event]] = Game(
    name="pinochle",
    rules_version=1,
    variants=("standard",),
    options=OPTIONS,
    commands=Command,
    events=EVENTS,
    refusals=Refusal,
    opens_deal=("pinochle.hand_dealt.v1",),
    closes_deal=(
        "pinochle.hand_scored.v1",
        "pinochle.deal_passed_out.v1",
        "pinochle.redeal_asked.v1",
    ),
    public=(
        "pinochle.contract_made.v1",
        "pinochle.deal_passed_out.v1",
        "pinochle.hand_scored.v1",
        "pinochle.match_ended.v1",
    ),
    resumes_whole=True,
    seats=seats,
    teams=teams,
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
    bot=choose,
    texts=TEXTS,
    scenarios=SCENARIOS,
)
