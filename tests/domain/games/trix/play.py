"""Given, when, then for Trix: states from given hands, commands applied, refusals caught, random matches."""

from collections.abc import Iterator, Sequence
from random import Random

import msgspec
import pytest

from domain.cards import PACK
from domain.game import SPECTATOR, CommandRejected, Seat, Settings, Viewer
from domain.games.trix import GAME
from domain.games.trix.commands import ChooseContract, Command, Play, Ready, SetDoubles
from domain.games.trix.contracts import Contract
from domain.games.trix.events import Event
from domain.games.trix.scenario import Deal, Start, begin, stack
from domain.games.trix.state import State, start
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness

SEATS = tuple(map(Seat, range(4)))
VIEWERS: tuple[Viewer, ...] = (*SEATS, SPECTATOR)
SPADES, HEARTS, DIAMONDS, CLUBS = (tuple(PACK[13 * suit : 13 * suit + 13]) for suit in range(4))
SUITS = (SPADES, HEARTS, DIAMONDS, CLUBS)  # one suit a hand; 7H with seat 1
TRICK_CONTRACTS = (Contract.KING, Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH)
NORMAL = (*TRICK_CONTRACTS, Contract.TRIX)


def settings(variant: str = "individual") -> Settings:
    return Settings(variant=variant, options=checked(GAME.options, {}))


def fold(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def chance(seed: int) -> SeededRandomness:
    return SeededRandomness(Random(seed).randbytes(SEED_BYTES))


def holding(*hands: str) -> tuple[tuple[str, ...], ...]:
    """Complete four hands of which some cards are given; the rest go round in order, queens last."""
    given = [tuple(hand.split()) for hand in (*hands, "", "", "", "")[:4]]
    pool = sorted((code for code in PACK if not any(code in hand for hand in given)), key=lambda code: code[0] == "Q")
    return tuple((*hand, *(pool.pop(0) for _ in range(13 - len(hand)))) for hand in given)


def dealt(
    hands: Sequence[Sequence[str]],
    variant: str = "individual",
    *,
    owner: int | None = None,
    played: tuple[Contract, ...] = (),
) -> State:
    """Return the match after this deal: its first, or, given an owner, one of the second kingdom."""
    state = (
        start(settings(variant))
        if owner is None
        else begin(settings(variant), Start(owner=owner, contracts_played=played))
    )
    first, second, third, fourth = (tuple(hand) for hand in hands)
    return fold(state, GAME.proceed(state, stack(state, Deal(hands=(first, second, third, fourth)))))


def choose(state: State, contract: Contract) -> State:
    assert state.owner is not None
    return fold(state, GAME.decide(state, state.owner, ChooseContract(contract)))


def double(state: State, *cards: str) -> State:
    """Let each seat select its doubles, if it has any, and everybody be ready."""
    for seat, codes in zip(SEATS, (*cards, "", "", "", "")[:4], strict=True):
        if codes:
            state = fold(state, GAME.decide(state, seat, SetDoubles(tuple(codes.split()))))
        state = fold(state, GAME.decide(state, seat, Ready()))
    return state


def opened(
    hands: Sequence[Sequence[str]], contract: Contract, *cards: str, owner: int = 0, variant: str = "individual"
) -> State:
    """Return a deal of a later kingdom after the announcement and, where there is one, the doubling."""
    state = choose(dealt(hands, variant, owner=owner), contract)
    return double(state, *cards) if GAME.prompt(state) is not None and state.turn is None else state


def played(state: State, codes: str) -> State:
    """Let the seats whose turn it is play these cards."""
    for code in codes.split():
        assert state.turn is not None
        state = fold(state, GAME.decide(state, state.turn, Play(code)))
    return state


def refusal(state: State, seat: int, command: Command) -> str:
    """Return the code with which a command is refused, and check that nothing changed (INV-19)."""
    before = msgspec.json.encode(GAME.canonical(state))
    with pytest.raises(CommandRejected) as rejected:
        GAME.decide(state, Seat(seat), command)
    assert msgspec.json.encode(GAME.canonical(state)) == before
    return rejected.value.reason.value


def playable(state: State, seat: int) -> set[str]:
    return {command.card for command in GAME.legal(state, Seat(seat)) if isinstance(command, Play)}


def match(variant: str, seed: int, *, automatic: float = 0.1) -> Iterator[tuple[State, tuple[Event, ...], State]]:
    """Yield (state, events, state after) for every step of a random match; some moves are the clock's."""
    random = Random(seed)
    randomness = SeededRandomness(random.randbytes(SEED_BYTES))
    state = start(settings(variant))
    while GAME.result(state) is None:
        prompt = GAME.prompt(state)
        if prompt is None:
            events = GAME.proceed(state, randomness)
        else:
            seat = random.choice(prompt.seats)
            by_clock = random.random() < automatic
            command = GAME.automatic(state, seat, randomness) if by_clock else random.choice(GAME.legal(state, seat))
            events = GAME.decide(state, seat, command)
        after = fold(state, events)
        yield state, events, after
        state = after
