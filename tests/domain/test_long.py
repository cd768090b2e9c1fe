"""A thousand random matches of every game and variant: the laws of all games, and the invariants of each.

Run by ``make test-long``; ``SHADDA_LONG_MATCHES`` sets another number. What it prints goes into ``docs/rules.md``.
"""

import inspect
import re
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from os import environ
from random import Random
from typing import Any, Final

import msgspec
import pytest

from domain.game import AnyGame, Seat, Settings, Viewer
from domain.options import Option, checked
from domain.table import decide
from domain.table.decide import Outcome
from domain.table.events import TABLE_EVENTS, Holder, MatchEnded, MatchOpened
from domain.table.match import Match, Recorded, begin, evolve
from domain.table.steps import state_hash
from domain.table.view import redact, view
from events.codec import Codec, kind_of
from tests.domain.matches import ENDING, GAMES_AND_VARIANTS, IDS, as_bytes, seeded, viewers
from tests.domain.table.tables import answer

MATCHES: Final = int(environ.get("SHADDA_LONG_MATCHES", "1000"))
MOVES_MAX: Final = 60_000
LOOKS: Final = 0.05  # share of the moments at which views and refusals are looked at
SLOWLY: Final = 10  # every so many matches are also seen through the eyes of every viewer at every event

pytestmark = pytest.mark.long


class Tally:
    """Counts what was tried, and says how far it is."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.began = time.monotonic()
        self.matches = self.deals = self.events = self.looks = self.refused = 0

    def done(self) -> None:
        self.matches += 1
        if self.matches % 250 == 0 or self.matches == MATCHES:
            spent = time.monotonic() - self.began
            sys.stdout.write(
                f"\n{self.what:28} {self.matches:6,} matches  {self.deals:8,} deals  {self.events:10,} events  "
                f"{self.looks:9,} looks  {self.refused:9,} refusals  {spent:6.0f} s"
            )
            sys.stdout.flush()


def options(game: AnyGame, random: Random) -> dict[str, Any]:
    """Return options of a room: the defaults for every other match, else some of them set at random."""
    if random.random() < 0.5:
        return dict(ENDING.get(game.name, {}))
    return {
        **{one.name: chosen(one, random) for one in game.options if random.random() < 0.3},
        **ENDING.get(game.name, {}),
    }


def chosen(option: Option, random: Random) -> Any:
    if isinstance(option.default, bool):
        return random.random() < 0.5
    if isinstance(option.default, tuple):
        return tuple(random.choices(option.choices, k=random.randint(1, option.maximum)))
    return random.choice(option.choices or (option.minimum, option.default, option.maximum))


def opened(game: AnyGame, variant: str, random: Random) -> MatchOpened:
    complete = checked(game.options, options(game, random))
    seats = game.seats(Settings(variant=variant, options=complete))
    return MatchOpened(
        game=game.name,
        rules_version=game.rules_version,
        variant=variant,
        options=dict(complete),
        seats=tuple(Holder(f"player-{seat}", staker=True) for seat in range(seats)),
        stake=random.choice((1, 7, 100, 12_345)),
        rake_bps=random.choice((0, 0, 250)),
        owner=random.choice((0, 1, None)),
        pace=random.choice(("max", "human")),
    )


def outcomes(game: AnyGame, variant: str, random: Random) -> Iterator[Outcome]:
    """Yield what every step of a match leads to: chance, bots, the policy and the clock decide by turns."""
    now = 1_000_000

    def chance(_match: Match) -> Any:
        return seeded(random)

    outcome = decide.open_match(game, opened(game, variant, random), now, chance)
    yield outcome
    for _ in range(MOVES_MAX):
        match = outcome.match
        if match.ended is not None:
            return
        prompt = match.prompt
        assert prompt is not None
        who = random.random()
        if not prompt.seats or who < 0.04:
            when = decide.due(match)
            assert when is not None
            now = max(now, when)
            outcome = decide.tick(match, now, chance)
        else:
            seat = random.choice(prompt.seats)
            if who < 0.4:
                command = game.bot(game.view(match.play, seat), seeded(random))
            elif who < 0.55:
                command = game.automatic(match.play, seat, seeded(random))
            else:
                command = random.choice(game.legal(match.play, seat))
            now += 50
            outcome = decide.act(match, match.seats[seat].player, command, now, chance)
            assert not outcome.refused, (outcome.refused, command)
        assert outcome.recorded
        yield outcome
    raise AssertionError("the match does not end")


class Laws:
    """Holds one match against the laws of every game, as it goes on."""

    def __init__(self, game: AnyGame, random: Random, tally: Tally) -> None:
        self.game, self.random, self.tally = game, random, tally
        self.codec = Codec((*TABLE_EVENTS, *game.events))
        self.folded: Match | None = None
        self.known: Match | None = None
        self.viewer: Viewer = Seat(0)
        self.packs: set[tuple[str, ...]] = set()
        self.earlier: list[Any] = []

    def look(self, outcome: Outcome) -> None:
        if self.folded is None:
            self.viewer = self.random.choice(viewers(outcome.match))
        for step in outcome.recorded:
            self._step(step)
        assert self.folded == outcome.match
        if self.random.random() < LOOKS or outcome.match.ended:
            self.tally.looks += 1
            assert self.known is not None
            assert as_bytes(view(self.known, self.viewer)) == as_bytes(view(outcome.match, self.viewer))
            self._legal(outcome.match)

    def _step(self, step: Recorded) -> None:
        self.tally.events += 1
        event = step.event
        assert self.codec.decode(kind_of(event), self.codec.encode(event)) == event
        self.folded = begin(self.game, event, step.at) if self.folded is None else evolve(self.folded, step)
        if step.state:
            assert step.state == state_hash(self.folded)
        told = redact(self.game, event, self.viewer)
        if told is not None:
            seen = msgspec.structs.replace(step, event=told)
            self.known = begin(self.game, told, step.at) if self.known is None else evolve(self.known, seen)
        if kind_of(event) == self.game.opens_deal[0]:
            self.tally.deals += 1
            self.packs.add(tuple(sorted(event.deck)))
            assert len(self.packs) == 1, "every deal is of one pack"
            self._deal_again(event, told)

    def _deal_again(self, event: Any, told: Any) -> None:
        """Deal what the viewer is not shown in another order: he is told the same (TBL-29)."""
        seen = ("??",) * len(event.deck) if told is None else told.deck
        places = [place for place, code in enumerate(seen) if code == "??"]
        deck = list(event.deck)
        for place, source in zip(places, self.random.sample(places, len(places)), strict=True):
            deck[place] = event.deck[source]
        other = redact(self.game, msgspec.structs.replace(event, deck=tuple(deck)), self.viewer)
        assert as_bytes(other) == as_bytes(told)

    def _legal(self, match: Match) -> None:
        """Exactly the seats that are asked may act; what is legal is accepted, and a refusal changes nothing."""
        before = state_hash(match)
        for seat in map(Seat, range(len(match.seats))):
            legal = self.game.legal(match.play, seat)
            assert bool(legal) == (match.prompt is not None and seat in match.prompt.seats)
            for command in self.random.sample(legal, min(5, len(legal))):
                assert self.game.decide(match.play, seat, command)
            for command in self.random.sample(self.earlier, min(5, len(self.earlier))):
                if command not in legal:
                    self._refused(match, seat, command)
            self.earlier = (self.earlier + list(legal[:10]))[-200:]
        assert state_hash(match) == before

    def _refused(self, match: Match, seat: Seat, command: Any) -> None:
        told = answer(self.game, match.play, seat, command)
        self.tally.refused += isinstance(told, self.game.refusals)
        if not isinstance(told, self.game.refusals):
            listed = self.game.legal(match.play, seat)
            same = any(answer(self.game, match.play, seat, one) == told for one in listed)
            assert same or len(listed) > 100, "it is another name for what is listed, or there is too much to list"

    def end(self) -> None:
        assert self.folded is not None
        ended = self.folded.ended
        assert isinstance(ended, MatchEnded)
        stake = self.folded.opened.stake
        assert sum(ended.payouts) + ended.rake == ended.pot == stake * len(self.folded.seats)
        assert min(ended.payouts) >= 0
        assert min(ended.places) == 1


@pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
def test_a_thousand_random_matches_keep_the_laws(game: AnyGame, variant: str) -> None:
    tally = Tally(f"laws {game.name} {variant}")
    for seed in range(MATCHES):
        random = Random(seed)
        laws = Laws(game, random, tally)
        for outcome in outcomes(game, variant, random):
            laws.look(outcome)
        laws.end()
        tally.done()


def invariants(folder: str, module: str, names: str) -> tuple[Any, list[Callable[..., None]]]:
    """Return a game's own module of invariants and the functions in it whose names match."""
    found = import_module(f"tests.domain.games.{folder}.{module}")
    functions: list[Callable[..., None]] = [
        one for name, one in inspect.getmembers(found, inspect.isfunction) if re.match(names, name)
    ]
    assert functions
    return found, functions


@pytest.mark.parametrize("variant", ["complex_partnership", "complex", "partnership", "individual"])
def test_a_thousand_matches_of_trix_keep_its_invariants(variant: str) -> None:
    module, _ = invariants("trix", "test_match", "test_invariants_of_every_match")
    tally = Tally(f"invariants trix {variant}")
    for seed in range(20_000, 20_000 + MATCHES):
        module.test_invariants_of_every_match.hypothesis.inner_test(variant, seed)
        tally.done()


def test_a_thousand_matches_of_banakil_keep_its_invariants(monkeypatch: pytest.MonkeyPatch) -> None:
    module, functions = invariants("banakil", "test_invariants", r"test_invariants_\d+")
    checks = [one for one in functions if "bots" in inspect.signature(one).parameters]
    tally = Tally("invariants banakil")
    for seed in range(20_000, 20_000 + MATCHES):
        bots = seed % 2 == 0
        played: list[Any] = []
        for match in count():  # some of them in a row, for its tests want to have seen a few hands
            played += module.steps(seed + MATCHES * match, hands=8, bots=bots)
            if sum(kind_of(event) == "banakil.hand_scored.v1" for _, event, _ in played) >= 8:
                break
        monkeypatch.setattr(module, "matches", lambda *, bots, played=played: iter(played))  # noqa: ARG005
        for check in checks:
            check(bots=bots)
        tally.events += len(played)
        tally.done()


@pytest.mark.parametrize("variant", ["match", "single_hand"])
def test_a_thousand_matches_of_basra_keep_its_invariants(variant: str) -> None:
    module, functions = invariants("basra", "test_invariants", r"test_i\d+_|test_bsr_6")
    checks = [one for one in functions if list(inspect.signature(one).parameters) == ["steps"]]
    of_variant = [given for given in module.MATCHES if given.get("variant", "match") == variant]
    tally = Tally(f"invariants basra {variant}")
    for seed in range(20_000, 20_000 + MATCHES):
        played = module.random_match(seed, **of_variant[seed % len(of_variant)])
        for check in checks:
            if not check.__name__.startswith("test_bsr_6") or seed % SLOWLY == 0:
                check(played)
        tally.events += len(played)
        tally.done()


@pytest.mark.parametrize("name", ["BINT_SBEET", "LEEKHA"])
def test_a_thousand_matches_of_bint_sbeet_and_of_leekha_keep_their_invariants(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, functions = invariants("leekha", "test_matches", r"test_i\d+_")
    checks = [one for one in functions if list(inspect.signature(one).parameters) == ["game", "seed"]]
    game = getattr(module, name)
    tally = Tally(f"invariants {game.name}")
    for seed in range(20_000, 20_000 + MATCHES):
        played = list(module.match(game, seed, module.MIXED, **module.OPTIONS[seed % len(module.OPTIONS)]))
        monkeypatch.setattr(module, "matches", lambda _game, _seed, played=played: iter(played))
        for check in checks:
            if not check.__name__.startswith("test_i11_") or seed % SLOWLY == 0:
                check(game, seed)
        tally.events += len(played)
        tally.done()


def test_a_thousand_matches_of_pinochle_keep_its_invariants(monkeypatch: pytest.MonkeyPatch) -> None:
    module, functions = invariants("pinochle", "test_invariants", r"test_\d+_")
    checks = [one for one in functions if list(inspect.signature(one).parameters) == ["options"]]
    tally = Tally("invariants pinochle")
    play, sets = module.match, module.OPTION_SETS
    for seed in range(20_000, 20_000 + MATCHES):
        given = sets[seed % len(sets)]
        played = list(play(seed, **given))
        monkeypatch.setattr(module, "match", lambda *_a, played=played, **_k: iter(played))
        for check in checks:
            if "17" not in check.__name__ or given.get("pass_count"):
                check(given)
        tally.events += len(played)
        tally.done()


def by_chance(game: AnyGame, state: Any, seat: Seat, random: Random) -> Any:
    return random.choice(game.legal(state, seat))


def by_policy(game: AnyGame, state: Any, seat: Seat, random: Random) -> Any:
    return game.automatic(state, seat, seeded(random))


def share_of_bots(game: AnyGame, variant: str, seed: int, opponent: Callable[..., Any]) -> float:
    """Play one match, bots on every other seat against the opponent on the rest; return the bots' part of the win."""
    random = Random(seed)
    settings = Settings(variant=variant, options=checked(game.options, ENDING.get(game.name, {})), owner=Seat(0))
    state = game.start(settings)
    for _ in range(MOVES_MAX):
        result = game.result(state)
        if result is not None:
            best = [seat for seat, place in enumerate(result.places) if place == 1]
            return sum(seat % 2 == seed % 2 for seat in best) / len(best)
        prompt = game.prompt(state)
        if prompt is None or not prompt.seats:
            events = game.proceed(state, seeded(random))
        else:
            seat = random.choice(prompt.seats)
            if seat % 2 == seed % 2:
                command = game.bot(game.view(state, seat), seeded(random))
            else:
                command = opponent(game, state, seat, random)
            events = game.decide(state, seat, command)
        for event in events:
            state = game.evolve(state, event)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
def test_bots_win_against_chance_and_against_the_clocks_policy(game: AnyGame, variant: str) -> None:
    for name, opponent in (("chance", by_chance), ("policy", by_policy)):
        played = max(2, MATCHES // 5)
        won = sum(share_of_bots(game, variant, seed, opponent) for seed in range(played))
        sys.stdout.write(f"\nbots {game.name} {variant}: {won:g} of {played} against {name}")
        sys.stdout.flush()
        assert won > 0.55 * played
