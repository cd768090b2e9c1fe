"""Bint al-Sbeet and Leekha: avoid the queen of spades, the ten of diamonds and the hearts.

One package of two rule sets: Leekha is Bint al-Sbeet for partners, without the minus and without doubled hearts
(rules ``SBT-n`` and ``LKH-n``). Both write events under the one namespace ``leekha.<event>.v1``, because a struct
has one tag; a match's first event says which of the two games its stream is of.
"""

from collections.abc import Callable
from typing import Any, Final

from domain.game import Game, Result, Scenarios, Seat, Settings
from domain.games.leekha import commands, decide, events, rules, scenario, scoring, texts
from domain.games.leekha.automatic import automatic
from domain.games.leekha.bot import bot
from domain.games.leekha.rules import Rules
from domain.games.leekha.state import State, evolve
from domain.games.leekha.view import canonical, redact, view

_MakeRules = Callable[[Settings], Rules]


def _scenarios(make: _MakeRules) -> Scenarios[State]:
    def begin(settings: Settings, start: scenario.Start) -> State:
        return scenario.begin(make(settings), start)

    def place(settings: Settings, position: scenario.Position) -> State:
        return scenario.place(make(settings), position)

    def final(settings: Settings, totals: tuple[int, ...], first: Seat) -> Result:
        return scenario.final(make(settings), totals, first)

    return Scenarios(
        deal=scenario.Deal,
        start=scenario.Start,
        position=scenario.Position,
        stack=scenario.stack,
        begin=begin,
        place=place,
        final=final,
        facts=scenario.facts,
        accepts=scenario.ACCEPTS,
    )


def _game(name: str, make: _MakeRules, **differences: Any) -> Game[State, commands.Command, events.Event]:
    return Game(
        name=name,
        rules_version=1,
        variants=("standard",),
        commands=commands.Command,
        refusals=commands.Refusal,
        opens_deal=(events.kind(events.HandDealt),),
        closes_deal=(events.kind(events.HandScored),),
        public=(events.kind(events.HandScored), events.kind(events.MatchEnded)),
        seats=lambda _settings: 4,
        start=lambda settings: State(rules=make(settings)),
        evolve=evolve,
        decide=decide.decide,
        proceed=decide.proceed,
        prompt=decide.prompt,
        legal=decide.legal,
        automatic=automatic,
        result=scoring.result,
        view=view,
        redact=redact,
        canonical=canonical,
        bot=bot,
        scenarios=_scenarios(make),
        **differences,
    )


BINT_SBEET: Final = _game(
    rules.BINT_NAME,
    rules.bint_rules,
    options=rules.BINT_OPTIONS,
    events=events.COMMON + events.MINUS,
    teams=lambda _settings: None,
    texts=texts.BINT_TEXTS,
)
LEEKHA: Final = _game(
    rules.LEEKHA_NAME,
    rules.leekha_rules,
    options=rules.LEEKHA_OPTIONS,
    events=events.COMMON,
    teams=lambda _settings: rules.TEAMS,
    texts=texts.LEEKHA_TEXTS,
)

__all__ = ["BINT_SBEET", "LEEKHA"]
