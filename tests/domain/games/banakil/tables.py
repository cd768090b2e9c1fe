"""Tables to start a test from: positions, deals, and random matches that repeat by their seed."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from domain.game import CommandRejected, Seat, Settings
from domain.games.banakil import GAME
from domain.games.banakil.commands import Command, Cut, Draw, Extend, Lay, Take, Throw
from domain.games.banakil.events import Event
from domain.games.banakil.pack import FACE, FACES, members
from domain.games.banakil.scenario import Position, place
from domain.games.banakil.state import State
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness

S0, S1, S2, S3 = map(Seat, range(4))
CANONICAL = " ".join([*FACES[:52], *FACES[:52], "JK1", "JK2"])


def settings(owner: Seat | None = None, first: Seat | None = None, **options: Any) -> Settings:
    return Settings(variant="standard", options=checked(GAME.options, options), owner=owner, first=first)


def chance(seed: int = 1) -> SeededRandomness:
    return SeededRandomness(Random(seed).randbytes(SEED_BYTES))


def at(*hands: str, options: dict[str, Any] | None = None, **position: Any) -> State:
    """Place a position; hands not given are empty, cards not given are the stock."""
    whole = {"hands": (*hands, "", "", "", "")[:4], **position}
    return place(settings(**(options or {})), msgspec.convert(whole, Position))


def lay(cards: str) -> Lay:
    return Lay(cards=tuple(cards.split()))


def extend(meld: str, result: str) -> Extend:
    return Extend(meld=meld, result=tuple(result.split()))


def throw(card: str) -> Throw:
    return Throw(card=card)


def fold(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def play(state: State, *moves: tuple[Seat, Command]) -> State:
    """Return the state after commands that must all be accepted."""
    for seat, command in moves:
        state = fold(state, GAME.decide(state, seat, command))
    return state


def proceeded(state: State, seed: int = 1) -> State:
    return fold(state, GAME.proceed(state, chance(seed)))


def refused(state: State, seat: Seat, command: Command, code: str) -> None:
    """Check that a command is refused with the code, and that nothing changes."""
    before = msgspec.json.encode(GAME.canonical(state))
    with pytest.raises(CommandRejected) as rejected:
        GAME.decide(state, seat, command)
    assert rejected.value.reason == code
    assert rejected.value.reason in set(GAME.refusals)
    assert msgspec.json.encode(GAME.canonical(state)) == before


def hand(state: State, seat: Seat) -> list[str]:
    """Return the faces in a hand, in their order."""
    return sorted((FACES[FACE[card]] for card in members(state.hands[seat])), key=FACES.index)


def meld(state: State, number: int = 1) -> str:
    """Return a meld in the notation of the rules: ``7H 2C(8H) 9H``."""
    told: Any = GAME.scenarios.facts(state)["melds"]
    return " ".join(told[number - 1]["cards"])


def cut_of(position: float) -> Cut:
    return Cut(position=position)


DRAW = Draw()


def take(card: str, count: int) -> Take:
    return Take(card=card, count=count)


def steps(
    seed: int, *, hands: int = 2, bots: bool = False, automatic: float = 0.1, **options: Any
) -> Iterator[tuple[State, Event, State]]:
    """Yield state, event and next state of a match: random lawful play, or bots, the clock acting now and then."""
    random = Random(seed)
    drawn = chance(seed)
    state = GAME.start(settings(owner=S0, **options))
    while GAME.result(state) is None:
        prompt = GAME.prompt(state)
        if prompt is None:
            if state.phase == "hand_scored" and state.hand >= hands:
                return
            events = GAME.proceed(state, drawn)
        else:
            (seat,) = prompt.seats
            if random.random() < automatic:
                command = GAME.automatic(state, seat, drawn)
            elif bots:
                command = GAME.bot(GAME.view(state, seat), drawn)
            else:
                command = random.choice(GAME.legal(state, seat))
            events = GAME.decide(state, seat, command)
        for event in events:
            after = GAME.evolve(state, event)
            yield state, event, after
            state = after
