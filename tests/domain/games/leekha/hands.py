"""Hands of both games in the middle, and random lawful matches, for the tests of this folder."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from domain.cards import PACK, codes
from domain.game import CommandRejected, Game, Seat, Settings
from domain.games.leekha import BINT_SBEET, LEEKHA
from domain.games.leekha.commands import Command, Pass, Play, Ready, SetDoubles
from domain.games.leekha.events import Event
from domain.games.leekha.scenario import Deal, Position
from domain.games.leekha.state import State
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness

AnyOfBoth = Game[State, Command, Event]
BOTH: tuple[AnyOfBoth, ...] = (BINT_SBEET, LEEKHA)
SEATS = tuple(map(Seat, range(4)))
both = pytest.mark.parametrize("game", BOTH, ids=lambda game: game.name)
Policy = Callable[[AnyOfBoth, State, Seat, SeededRandomness], Command]

SUITED = tuple(" ".join(rank + suit for rank in "23456789TJQKA") for suit in "SHDC")  # seat 0 holds all spades …


def chance(seed: int) -> SeededRandomness:
    return SeededRandomness(Random(seed).randbytes(SEED_BYTES))


def settings(game: AnyOfBoth, **options: object) -> Settings:
    return Settings(variant="standard", options=checked(game.options, options))


def dealt(game: AnyOfBoth, hands: tuple[str, ...] = SUITED, dealer: int = 3, **options: object) -> State:
    """Return the first hand as dealt."""
    state = game.start(settings(game, **options))
    deal = Deal(hands=hands, dealer=dealer)
    return fold(game, state, *game.proceed(state, game.scenarios.stack(state, deal)))


def position(game: AnyOfBoth, hands: tuple[str, ...], options: dict[str, object] | None = None, **parts: Any) -> State:
    """Return a hand in the middle; cards that are not named have been taken by seat 3."""
    if "taken" not in parts:
        named = {*" ".join(hands).split(), *parts.get("trick", "").split()}
        parts["taken"] = ("", "", "", " ".join(code for code in PACK if code not in named))
    return game.scenarios.place(settings(game, **(options or {})), Position(hands=hands, **parts))


def last_cards(
    game: AnyOfBoth,
    taken: tuple[str, ...],
    tricks: tuple[int, ...],
    options: dict[str, object] | None = None,
    **parts: Any,
) -> State:
    """Return a hand before its last trick, which is four clubs and goes to seat 3.

    ``taken`` are penalty cards by seat, ``tricks`` what each seat will have taken in the end.
    """
    before = (*tricks[:3], tricks[3] - 1)
    last = ("2C", "3C", "4C", "5C")
    plain = [code for code in PACK if code not in last and code not in {"QS", "TD"} and code[1] != "H"]
    filled = []
    for cards, count in zip(taken, before, strict=True):
        room = 4 * count - len(cards.split())
        filled.append(" ".join([cards, *plain[:room]]))
        del plain[:room]
    return position(game, last, options, taken=tuple(filled), leader=3, **parts)


def finish(game: AnyOfBoth, state: State) -> tuple[State, tuple[Event, ...]]:
    """Play the last trick of :func:`last_cards`; return the state and the events of its last card."""
    events: tuple[Event, ...] = ()
    for seat, card in ((3, "5C"), (0, "2C"), (1, "3C"), (2, "4C")):
        events = game.decide(state, Seat(seat), Play(card))
        state = fold(game, state, *events)
    return state, events


def fold(game: AnyOfBoth, state: State, *events: Event) -> State:
    for event in events:
        state = game.evolve(state, event)
    return state


def act(game: AnyOfBoth, state: State, seat: int, command: Command) -> State:
    return fold(game, state, *game.decide(state, Seat(seat), command))


def plays(game: AnyOfBoth, state: State, text: str) -> State:
    for one in text.split():
        seat, card = one.split(":")
        state = act(game, state, int(seat), Play(card))
    return state


def passed(game: AnyOfBoth, state: State) -> State:
    """Pass the three lowest cards of every seat."""
    for seat in SEATS:
        state = act(game, state, seat, Pass(codes(state.hands[seat])[:3]))
    return state


def doubled(game: AnyOfBoth, state: State, *choices: tuple[int, tuple[str, ...]]) -> State:
    """Double as chosen, seat by seat, and close the window."""
    for seat, cards in choices:
        state = act(game, state, seat, SetDoubles(cards))
    for seat in SEATS:
        state = act(game, state, seat, Ready())
    return state


def refusal(game: AnyOfBoth, state: State, seat: int, command: Command) -> str:
    """Return the code that a command is refused with; nothing has changed."""
    before = msgspec.json.encode(game.canonical(state))
    with pytest.raises(CommandRejected) as rejected:
        game.decide(state, Seat(seat), command)
    assert msgspec.json.encode(game.canonical(state)) == before
    assert command not in game.legal(state, Seat(seat))
    return rejected.value.reason.value


def at_random(game: AnyOfBoth, state: State, seat: Seat, randomness: SeededRandomness) -> Command:
    legal = game.legal(state, seat)
    return legal[randomness.below(len(legal))]


def by_policy(game: AnyOfBoth, state: State, seat: Seat, randomness: SeededRandomness) -> Command:
    return game.automatic(state, seat, randomness)


def by_bot(game: AnyOfBoth, state: State, seat: Seat, randomness: SeededRandomness) -> Command:
    return game.bot(game.view(state, seat), randomness)


def settled(
    game: AnyOfBoth, seed: int, policies: tuple[Policy, ...] = (at_random,) * 4, **options: object
) -> Iterator[State]:
    """Play a match; yield every state that a command or the system's step leaves behind."""
    randomness = chance(seed)
    state = game.start(settings(game, **options))
    while game.result(state) is None:
        yield state
        state = fold(game, state, *_next(game, state, policies, randomness))
    yield state


def match(
    game: AnyOfBoth, seed: int, policies: tuple[Policy, ...] = (at_random,) * 4, **options: object
) -> Iterator[tuple[State, Event, State]]:
    """Play a match; yield every event between the states before and after it."""
    randomness = chance(seed)
    state = game.start(settings(game, **options))
    while game.result(state) is None:
        for event in _next(game, state, policies, randomness):
            after = game.evolve(state, event)
            yield state, event, after
            state = after


def _next(
    game: AnyOfBoth, state: State, policies: tuple[Policy, ...], randomness: SeededRandomness
) -> tuple[Event, ...]:
    prompt = game.prompt(state)
    if prompt is None or not prompt.seats:
        return game.proceed(state, randomness)
    seat = prompt.seats[randomness.below(len(prompt.seats))]
    return game.decide(state, seat, policies[seat](game, state, seat, randomness))
