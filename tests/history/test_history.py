"""Every match ever recorded here decodes, and folds to the same states and the same result, for ever."""

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.games import VERSIONS, find
from domain.stakes import shares
from domain.table.events import TABLE_EVENTS, MatchEnded, MatchOpened, MatchVoided
from domain.table.match import Cause, Match, Recorded, begin, evolve
from domain.table.steps import state_hash
from events.codec import Codec, kind_of
from tests.history.recordings import FOLDER, PLANS, SUMS, Line, Summary

FILES: Final = sorted(FOLDER.glob("*.jsonl"))
MATCH_OPENED: Final = kind_of(MatchOpened)
recorded_match = pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])


def read(file: Path) -> tuple[list[Line], Summary]:
    *records, last = file.read_bytes().splitlines()
    return [msgspec.json.decode(record, type=Line) for record in records], msgspec.json.decode(last, type=Summary)


def opened(lines: list[Line]) -> tuple[str, int]:
    """Return the game of a recorded match and the version of its rules."""
    first = lines[0].event
    assert first["kind"] == MATCH_OPENED
    return first["game"], first["rules_version"]


def decoded(lines: list[Line]) -> list[Recorded]:
    """Read a match back through the codec, as a table does that loads it."""
    game = find(*opened(lines))
    codec = Codec((*TABLE_EVENTS, *game.events))
    return [
        Recorded(
            codec.decode(line.event["kind"], msgspec.json.encode(line.event)),
            line.at,
            line.actor,
            Cause(line.cause),
            line.command,
            line.deadline,
            line.state,
        )
        for line in lines
    ]


@recorded_match
def test_a_recorded_match_folds_to_the_same_states_and_result(file: Path) -> None:
    lines, summary = read(file)
    game = find(*opened(lines))
    match: Match | None = None
    digest = hashlib.sha256()
    for step in decoded(lines):
        match = begin(game, step.event, step.at) if match is None else evolve(match, step)
        state = state_hash(match)
        digest.update(state.encode())
        if step.state:
            assert state == step.state
    assert match is not None
    assert (len(lines), digest.hexdigest()) == (summary.events, summary.states)
    _ended(match)


def _ended(match: Match) -> None:
    """Hold what was recorded at the end against what the folded game says and the shares of its pot."""
    ended = match.ended
    assert ended is not None
    if isinstance(ended, MatchVoided) or ended.forfeit is not None:
        assert match.result is None
        return
    result = match.result
    assert result is not None
    assert (ended.totals, ended.team_totals, ended.places) == (result.totals, result.team_totals, result.places)
    staked = match.opened.stake > 0
    pot = shares(
        stake=match.opened.stake,
        stakers=ended.stakers if staked else (True,) * len(ended.stakers),
        places=result.places,
        teams=match.teams,
        first=result.first,
        rake_bps=match.opened.rake_bps,
    )
    assert (ended.pot, ended.rake, ended.payouts) == (pot.pot, pot.rake, pot.payouts)


@recorded_match
def test_what_was_recorded_survives_being_stored_again(file: Path) -> None:
    lines, _ = read(file)
    codec = Codec((*TABLE_EVENTS, *find(*opened(lines)).events))
    for step in decoded(lines):
        assert codec.decode(kind_of(step.event), codec.encode(step.event)) == step.event


@recorded_match
def test_a_recorded_match_is_never_written_again(file: Path) -> None:
    sums = {name: digest for digest, name in (line.split("  ") for line in SUMS.read_text().splitlines())}
    assert hashlib.sha256(file.read_bytes()).hexdigest() == sums[file.name]


def test_no_recorded_match_was_lost_and_every_plan_has_one() -> None:
    names = [line.split("  ")[1] for line in SUMS.read_text().splitlines()]
    assert sorted(names) == [file.name for file in FILES]
    assert {plan.name for plan in PLANS} <= {file.stem for file in FILES}


def test_every_game_variant_and_version_of_the_rules_is_recorded() -> None:
    found = {(*opened(lines), lines[0].event["variant"]) for lines, _ in map(read, FILES)}
    wanted = {(name, version, variant) for (name, version), game in VERSIONS.items() for variant in game.variants}
    assert wanted - found == set()


@pytest.mark.parametrize(("name", "version"), VERSIONS, ids=[f"{name}-r{version}" for name, version in VERSIONS])
def test_every_kind_of_event_of_a_game_is_recorded(name: str, version: int) -> None:
    kinds: set[str] = set()
    for lines, _ in map(read, FILES):
        if opened(lines) == (name, version):
            kinds |= {line.event["kind"] for line in lines}
    assert {kind_of(event) for event in find(name, version).events} - kinds == set()


def test_every_kind_of_event_of_the_table_and_every_cause_is_recorded() -> None:
    kinds: Counter[str] = Counter()
    causes: set[Any] = set()
    for lines, _ in map(read, FILES):
        kinds.update(line.event["kind"] for line in lines)
        causes |= {line.cause for line in lines}
    assert {kind_of(event) for event in TABLE_EVENTS} - kinds.keys() == set()
    assert causes == set(Cause)
    assert kinds[kind_of(MatchEnded)] + kinds[kind_of(MatchVoided)] == len(FILES)
