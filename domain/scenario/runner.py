"""The runner: a table of its own, driven by the steps of a scenario on a clock that only they move."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from domain.game import SPECTATOR, Randomness, Result, Seat, Viewer
from domain.scenario.expect import Looked, check
from domain.scenario.model import Failed, Invalid, Setup, short
from domain.shuffle import SEED_BYTES, SeededRandomness, expand
from domain.stakes import can_be_staked, shares
from domain.table import decide
from domain.table.decide import Outcome
from domain.table.events import Holder, MatchEnded, MatchOpened
from domain.table.match import Match
from domain.table.steps import state_hash
from domain.table.view import redact, view

OWED: Final = frozenset({"deal", "deal_scored", "hand_scored", "hand_end", "hand_score", "scored"})  # a deal is next
OF_THE_DEAL: Final = frozenset({"cut"})  # chance still belongs to the deal given last
BEGAN: Final = 1_000_000  # when a scenario's table opens, in milliseconds
TIMES_MAX: Final = 10_000  # of a step's time-outs
WAIT_MAX_SECONDS: Final = 7 * 86_400
_LISTS: Final = ("cards", "result")  # fields of commands that may be one string of codes


class Step(msgspec.Struct, frozen=True):
    """What one step led to."""

    step: dict[str, Any]
    events: tuple[Any, ...] = ()
    refused: str = ""


class Run:
    """One scenario under way: the match as it stands and everything that anybody has been sent."""

    def __init__(self, setup: Setup) -> None:
        """Open the table; raise :class:`Invalid` if what the file sets up is no table of the game."""
        self.setup = setup
        self.now = BEGAN
        self.steps: list[Step] = []
        self.kinds: list[str] = []
        viewers = [*map(Seat, range(len(setup.seats))), SPECTATOR]
        self.sent: dict[Viewer, list[bytes]] = {viewer: [] for viewer in viewers}
        self.held: dict[str, set[Seat]] = {}  # who has had each card in his hand
        self._dealt = 0
        self.match: Match
        self._open()

    def _open(self) -> None:
        setup, scenario, game = self.setup, self.setup.scenario, self.setup.game
        humans = [kind == "human" for kind in setup.seats]
        staked = scenario.stake > 0 and can_be_staked(humans, game.teams(setup.settings))
        seats = tuple(Holder(f"{kind}-{seat}", kind == "bot", staked and kind == "human") for seat, kind in
                      enumerate(setup.seats))  # fmt: skip
        event = MatchOpened(
            game=game.name,
            rules_version=game.rules_version,
            variant=setup.settings.variant,
            options=dict(setup.settings.options),
            seats=seats,
            stake=scenario.stake if staked else 0,
            rake_bps=scenario.rake_bps,
            owner=setup.settings.owner,
            pace="max",
        )
        try:
            play = self._play()
            self._take(decide.open_match(game, event, self.now, self._chance, play))
        except ValueError as fault:
            raise Invalid(str(fault)) from fault

    def _play(self) -> Any:
        hooks, setup = self.setup.game.scenarios, self.setup
        if setup.position is not None:
            return hooks.place(setup.settings, setup.position)
        if setup.start is not None:
            return hooks.begin(setup.settings, setup.start)
        return None

    def _chance(self, match: Match) -> Randomness | None:
        """Return the next given deal where one is owed, else chance from the seed, if there is one."""
        phase = self.setup.game.scenarios.facts(match.play).get("phase")
        owed = phase in OWED or (match.deal == 0 and self.setup.position is None)
        if owed and self._dealt < len(self.setup.deals):
            self._dealt += 1
            return self._stacked(match)
        if phase in OF_THE_DEAL and self._dealt and getattr(self.setup.deals[self._dealt - 1], "cut", None):
            return self._stacked(match)
        if owed and not self.setup.seed:
            return None
        return SeededRandomness(expand(self.setup.seed or bytes(SEED_BYTES), 1, match.deal + 1))

    def _stacked(self, match: Match) -> Randomness:
        place = self._dealt - 1
        try:
            return self.setup.game.scenarios.stack(match.play, self.setup.deals[place])
        except ValueError as fault:
            raise Invalid(f"{fault} - at `$.deals[{place}]`") from fault

    def _take(self, outcome: Outcome) -> None:
        """Note what an outcome records, and what every viewer is sent for it."""
        self.match = outcome.match
        game = self.setup.game
        self.kinds.extend(step.event.__struct_config__.tag for step in outcome.recorded)
        for seat, hand in enumerate(self.facts().get("hands") or ()):
            for code in hand:
                self.held.setdefault(code, set()).add(Seat(seat))
        for viewer, sent in self.sent.items():
            told = [redact(game, step.event, viewer) for step in outcome.recorded]
            sent.extend(msgspec.json.encode(event) for event in told if event is not None)
            sent.append(msgspec.json.encode(view(self.match, viewer)))

    def facts(self) -> dict[str, Any]:
        """Return what "expect" may name, as plain values."""
        facts = self.setup.game.scenarios.facts(self.match.play)
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(dict(facts)))
        ended = self.match.ended
        if isinstance(ended, MatchEnded) and ended.forfeit is not None:  # the table's end, which the game knows not of
            plain |= {"places": list(ended.places), "winner": ended.places.index(1)}
        return plain

    def play(self) -> Iterator[Step]:
        """Take the steps one by one.

        Raises :class:`Failed` where something is not as said, :class:`Invalid` for a step that is none.
        """
        for place, step in enumerate(self.setup.scenario.steps):
            where = f"step {place + 1}"
            try:
                yield self._step(step, where)
            except msgspec.ValidationError as fault:
                raise Invalid(f"{fault} - at `$.steps[{place}]`") from fault
        expect = self.setup.scenario.expect
        if expect:
            check(expect, self._looked(), "at the end")

    def _looked(self) -> Looked:
        refused = self.steps[-1].refused if self.steps else ""
        ended = self.match.ended
        payouts = getattr(ended, "payouts", None)
        return Looked(self.setup, self.match, self.facts(), self.kinds, self.sent, self.held, payouts, refused)

    def _step(self, step: dict[str, Any], where: str) -> Step:
        before = len(self.kinds)
        refused = ""
        match step:
            case {"expect": dict() as expect} if len(step) == 1:
                check(expect, self._looked(), where)
            case {"seat": int() as seat, "do": str()}:
                refused = self._command(seat, step, where)
            case {"plays": str() as plays} if len(step) == 1:
                for one in plays.split():
                    seat_text, _, card = one.partition(":")
                    if not seat_text.isdigit():
                        raise msgspec.ValidationError(f"{one!r} is not SEAT:CARD")
                    self._command(int(seat_text), {"do": "play", "card": card}, f"{where}, {one}")
            case {"timeout": bool() | int() as times} if len(step) == 1 and times <= TIMES_MAX:
                for _ in range(int(times)):
                    self._timeout()
            case {"wait": int() | float() as seconds} if len(step) == 1 and 0 <= seconds <= WAIT_MAX_SECONDS:
                self._until(self.now + int(seconds * 1000))
            case _:
                self._presence(step)
        done = Step(step, tuple(self.kinds[before:]), refused)
        self.steps.append(done)
        return done

    def _actor(self, seat: int) -> str:
        if not 0 <= seat < len(self.match.seats):
            raise msgspec.ValidationError(f"there is no seat {seat}")
        return self.match.seats[seat].actor

    def _command(self, seat: int, step: dict[str, Any], where: str) -> str:
        expected = step.get("refused", "")
        fields = {name: value for name, value in step.items() if name not in ("seat", "refused")}
        for name in _LISTS:
            if isinstance(fields.get(name), str):
                fields[name] = fields[name].split()
        command = msgspec.convert(fields, self.setup.game.commands)
        before = state_hash(self.match)
        outcome = decide.act(self.match, self._actor(seat), command, self.now, self._chance)
        self._take(outcome)
        if outcome.refused != expected:
            raise Failed(where, expected or "accepted", outcome.refused or "accepted")
        if outcome.refused and state_hash(self.match) != before:
            raise Failed(where, "a refusal changes nothing", "the state has changed")
        return outcome.refused

    def _timeout(self) -> None:
        """Let the deadline of the wait that is on pass."""
        prompt = self.match.prompt
        if prompt is None:
            raise msgspec.ValidationError("there is no deadline to pass")
        while (now := self.match.prompt) is not None and now.number == prompt.number:
            when = decide.due(self.match)
            if when is None:
                raise msgspec.ValidationError("there is no deadline to pass")
            self._until(when, once=True)

    def _until(self, time: int, *, once: bool = False) -> None:
        while (when := decide.due(self.match)) is not None and when <= time:
            self.now = max(self.now, when)
            outcome = decide.tick(self.match, self.now, self._chance)
            if not outcome.recorded:
                break
            self._take(outcome)
            if once:
                return
        self.now = max(self.now, time)

    def _presence(self, step: dict[str, Any]) -> None:
        match step:
            case {"disconnect": int() as seat} if len(step) == 1:
                player, epoch = self._player(seat), self.match.seats[seat].epoch
                outcome = decide.disconnected(self.match, player, epoch, self.now, self._chance)
            case {"return": int() as seat} if len(step) == 1:
                outcome = decide.connected(self.match, self._player(seat), f"again-{self.now}", self.now, self._chance)
            case {"leave": int() as seat} if len(step) == 1:
                outcome = decide.leave(self.match, self._player(seat), self.now, self._chance)
            case _:
                raise msgspec.ValidationError(f"{short(step)} is no step")
        self._take(outcome)

    def _player(self, seat: int) -> str:
        self._actor(seat)
        return self.match.seats[seat].player


def run(setup: Setup) -> Run:
    """Run a scenario to its end; raise :class:`Failed` where something in it is not so."""
    if setup.scenario.final is not None:
        return _finish(setup)
    runner = Run(setup)
    for _ in runner.play():
        pass
    return runner


def _finish(setup: Setup) -> Run:
    """Check places, winner and pot of a match that has ended with the totals given."""
    final, game, scenario = setup.scenario.final, setup.game, setup.scenario
    assert final is not None
    if len(final.totals) != len(setup.seats):
        raise Invalid("one total a seat - at `$.final.totals`")
    runner = Run(setup)
    try:
        result: Result = game.scenarios.final(setup.settings, final.totals, Seat(final.first))  # type: ignore[arg-type]
    except ValueError as fault:
        raise Invalid(f"{fault} - at `$.final`") from fault
    humans = [kind == "human" for kind in setup.seats]
    teams = game.teams(setup.settings)
    payouts: tuple[int, ...] = (0,) * len(humans)
    if scenario.stake and can_be_staked(humans, teams):
        payouts = shares(
            stake=scenario.stake,
            stakers=humans,
            places=result.places,
            teams=teams,
            first=result.first,
            rake_bps=scenario.rake_bps,
        ).payouts
    elif scenario.stake:
        payouts = tuple(scenario.stake if human else 0 for human in humans)  # TBL-20: released before the first deal
    winners = [seat for seat, place in enumerate(result.places) if place == 1]
    alone = len(winners) == 1 or (teams is not None and not result.draw)
    facts: dict[str, Any] = {
        "totals": list(final.totals),
        "places": list(result.places),
        "winner": winners[0] if alone else None,
    }
    if result.team_totals is not None:
        facts["team_totals"] = [total / game.unit if game.unit > 1 else total for total in result.team_totals]
    looked = Looked(setup, runner.match, facts, [], {}, {}, payouts, "")
    check(scenario.expect, looked, "at the end")
    return runner
