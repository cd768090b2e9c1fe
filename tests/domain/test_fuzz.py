"""Arbitrary commands at arbitrary moments: the rules refuse or accept, and nothing else ever comes of them."""

from enum import StrEnum
from functools import cache
from os import environ
from random import Random
from typing import Any, Final, NamedTuple, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from msgspec import inspect

from domain.game import AnyGame, Seat
from domain.games import GAMES
from domain.table import decide
from domain.table.events import CameBack
from domain.table.match import Match, evolve
from domain.table.steps import state_hash
from tests.domain.matches import GAMES_AND_VARIANTS, IDS, outcomes, seeded
from tests.domain.table.tables import answer

every_game = pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
once_a_game = pytest.mark.parametrize(
    ("game", "variant"), [(game, game.variants[0]) for game in GAMES.values()], ids=GAMES
)
often = settings(
    max_examples=int(environ.get("SHADDA_FUZZ_EXAMPLES", "100")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
OF_A_KIND: Final = 12  # moments kept for each kind of wait
ENOUGH: Final = 1500  # steps of a match that moments are taken from

CODES: Final = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
WORDS: Final = [
    "",
    " ",
    "??",
    "JK1",
    "JK2",
    "AS.1",
    "1S",
    "as",
    "SA",
    "S",
    "H",
    "x",
    "0",
    "m-1",
    "king",
    "trix",
    "\x00",
    "\u0661",
]
cards = st.sampled_from(CODES)
words = cards | st.sampled_from(WORDS) | st.text(max_size=12)
numbers = st.sampled_from([0, 1, -1, 2, 3, 13, 52, 105, 106, 200, 250, 2**31, -(2**63), 10**30]) | st.integers()
json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


class Moment(NamedTuple):
    """A state that lawful play can reach, with what is legal in it."""

    kind: str
    step: int
    match: Match

    def __repr__(self) -> str:
        return f"Moment({self.kind}, step {self.step} of match 41)"


@cache
def moments(name: str, variant: str) -> tuple[Moment, ...]:
    """Return moments of a random match: some of every kind of wait, spread over it, and its end."""
    found: dict[str, list[Moment]] = {}
    random = Random(41)
    for step, (outcome, _) in enumerate(outcomes(GAMES[name], variant, 41, automatic=0.05)):
        match = outcome.match
        kind = "over" if match.ended else match.prompt.kind if match.prompt else "system"
        kept = found.setdefault(kind, [])
        if len(kept) < OF_A_KIND:
            kept.append(Moment(kind, step, match))
        elif random.random() < 0.05:
            kept[random.randrange(1, OF_A_KIND)] = Moment(kind, step, match)
        if step >= ENOUGH:
            break
    return tuple(moment for kind in sorted(found) for moment in found[kind])


def union(game: AnyGame) -> tuple[type[Any], ...]:
    return get_args(game.commands) or (game.commands,)


def value(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Return values of a field's type, in and out of its bounds: bounds are the decoder's affair."""
    match kind:
        case inspect.IntType():
            return numbers
        case inspect.FloatType():
            return st.floats()
        case inspect.BoolType():
            return st.booleans()
        case inspect.StrType():
            return words
        case inspect.EnumType(cls=cls):
            return st.sampled_from(list(cls))
        case inspect.VarTupleType(item_type=item):
            return st.lists(value(item), max_size=16).map(tuple)
        case inspect.UnionType(types=types):
            return st.one_of(*map(value, types))
    raise AssertionError(kind)


@cache
def commands(name: str) -> st.SearchStrategy[Any]:
    """Return every command that a game knows with whatever fields."""
    strategies = []
    for struct in union(GAMES[name]):
        described = inspect.type_info(struct)
        assert isinstance(described, inspect.StructType)
        fields = {field.name: value(field.type) for field in described.fields}
        strategies.append(st.builds(struct, **fields))
    return st.one_of(*strategies)


@st.composite
def near(draw: st.DrawFn, game: AnyGame, match: Match) -> Any:
    """Return a command that is legal for somebody, with one field changed: almost right is the hardest to refuse."""
    prompt = match.prompt
    asked = prompt.seats if prompt is not None else ()
    legal = [command for seat in asked for command in game.legal(match.play, seat)[:200]]
    if not legal:
        return draw(commands(game.name))
    command = draw(st.sampled_from(legal))
    if not command.__struct_fields__:
        return command
    name = draw(st.sampled_from(command.__struct_fields__))
    now = getattr(command, name)
    if isinstance(now, tuple):
        changed: list[st.SearchStrategy[Any]] = [
            st.just(now + now[:1]),
            st.just(now[1:]),
            st.just(now[::-1]),
            st.permutations(now).map(tuple),
            words.map(lambda word: (*now, word)),
            words.map(lambda word: (word, *now[1:])),
        ]
    elif isinstance(now, bool):
        changed = [st.booleans()]
    elif isinstance(now, int):
        changed = [st.integers(now - 20, now + 20)]
    else:
        changed = [words if type(now) is str else st.just(now)]
    return msgspec.structs.replace(command, **{name: draw(st.one_of(changed))})


def tried(game: AnyGame, match: Match, seat: Seat, command: Any) -> None:
    """Send a command straight to the rules and check that they answer, one way or the other, and keep the state."""
    before = state_hash(match)
    told = answer(game, match.play, seat, command)
    if isinstance(told, StrEnum):
        assert isinstance(told, game.refusals)
        assert command not in game.legal(match.play, seat)
    else:
        assert told
        assert match.prompt is not None
        assert seat in match.prompt.seats
        play = match.play
        for event in told:
            play = game.evolve(play, event)
        game.canonical(play)
    assert state_hash(match) == before


@every_game
def test_any_command_of_any_seat_at_any_moment_is_accepted_or_refused(game: AnyGame, variant: str) -> None:
    @often
    @given(moment=st.sampled_from(moments(game.name, variant)), data=st.data())
    def check(moment: Moment, data: st.DataObject) -> None:
        seat = Seat(data.draw(st.integers(0, len(moment.match.seats) - 1), "seat"))
        command = data.draw(commands(game.name), "command")
        tried(game, moment.match, seat, command)

    check()


@every_game
def test_a_command_that_is_almost_legal_is_accepted_or_refused(game: AnyGame, variant: str) -> None:
    @often
    @given(moment=st.sampled_from(moments(game.name, variant)), data=st.data())
    def check(moment: Moment, data: st.DataObject) -> None:
        asked = moment.match.prompt.seats if moment.match.prompt else ()
        seat = Seat(data.draw(st.sampled_from(asked or (0,)), "seat"))
        command = data.draw(near(game, moment.match), "command")
        tried(game, moment.match, seat, command)

    check()


@every_game
def test_at_the_table_a_refused_command_records_a_return_at_most(game: AnyGame, variant: str) -> None:
    @often
    @given(moment=st.sampled_from(moments(game.name, variant)), data=st.data())
    def check(moment: Moment, data: st.DataObject) -> None:
        match = moment.match
        seat = data.draw(st.integers(0, len(match.seats) - 1), "seat")
        command = data.draw(commands(game.name) | near(game, match), "command")
        outcome = decide.act(match, match.seats[seat].player, command, match.touched + 1, lambda _: seeded(Random(1)))
        note(outcome.refused)
        if outcome.refused:
            known = {*game.refusals, *decide.Refusal}
            assert outcome.refused in known
            assert all(isinstance(step.event, CameBack) for step in outcome.recorded)
            assert bool(outcome.recorded) == (match.seats[seat].away and match.ended is None)
            assert outcome.match.play == match.play
        else:
            folded = match
            for step in outcome.recorded:
                folded = evolve(folded, step)
            assert folded == outcome.match

    check()


@once_a_game
def test_arbitrary_json_is_a_command_or_a_decoding_error(game: AnyGame, variant: str) -> None:
    tags = [struct.__struct_config__.tag for struct in union(game)]
    names = sorted({name for struct in union(game) for name in struct.__struct_fields__})
    records = st.fixed_dictionaries({"do": st.sampled_from(tags) | words}).flatmap(
        lambda record: st.dictionaries(st.sampled_from(names) if names else words, json, max_size=3).map(
            lambda more: {**record, **more}
        )
    )
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(game.commands)

    @often
    @given(document=records | json, moment=st.sampled_from(moments(game.name, variant)))
    def check(document: object, moment: Moment) -> None:
        try:
            command = decoder.decode(msgspec.json.encode(document))
        except msgspec.MsgspecError:
            return
        assert isinstance(command, union(game))
        for seat in range(len(moment.match.seats)):
            tried(game, moment.match, Seat(seat), command)

    check()


@once_a_game
def test_arbitrary_bytes_are_a_command_or_a_decoding_error(game: AnyGame, variant: str) -> None:
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(game.commands)
    sample = [msgspec.json.encode(command) for command in lawful(game, variant)]

    @often
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        content = bytearray(data.draw(st.sampled_from(sample) | st.binary(max_size=40), "content"))
        if content:
            place = data.draw(st.integers(0, len(content) - 1), "place")
            content[place : place + data.draw(st.integers(0, 3), "length")] = data.draw(st.binary(max_size=3), "bytes")
        try:
            decoder.decode(bytes(content))
        except msgspec.MsgspecError:
            return

    check()


def lawful(game: AnyGame, variant: str) -> list[Any]:
    """Return commands of every kind that were legal at some moment."""
    found: dict[type[Any], Any] = {}
    for moment in moments(game.name, variant):
        for seat in moment.match.prompt.seats if moment.match.prompt else ():
            for command in game.legal(moment.match.play, seat)[:200]:
                found.setdefault(type(command), command)
    return list(found.values())


@every_game
def test_a_command_with_a_field_too_many_or_without_one_is_no_command(game: AnyGame, variant: str) -> None:
    for command in lawful(game, variant):
        record = msgspec.to_builtins(command)
        assert msgspec.convert(record, game.commands) == command
        for extra in ("seat", "player", "unheard_of"):
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({**record, extra: 0}, game.commands)
        for name in command.__struct_fields__ if len(union(game)) == 1 else record:  # one command needs no name
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({key: value for key, value in record.items() if key != name}, game.commands)


@every_game
def test_the_moments_show_every_kind_of_wait(game: AnyGame, variant: str) -> None:
    kinds = {moment.kind for moment in moments(game.name, variant)}
    assert "turn" in kinds or "play" in kinds
    assert len(moments(game.name, variant)) >= OF_A_KIND
