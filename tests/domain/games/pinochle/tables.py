"""What the tests of pinochle share: matches set up, moves taken, refusals looked at."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from domain.game import CommandRejected, Seat, Settings
from domain.games.pinochle import GAME
from domain.games.pinochle.commands import Bid, Command, NameTrump, PassBid, PlayCard, Ready
from domain.games.pinochle.events import Event
from domain.games.pinochle.pack import PACK
from domain.games.pinochle.rules import Rules, rules_of
from domain.games.pinochle.scenario import Deal, Position
from domain.games.pinochle.state import State
from domain.options import checked
from domain.shuffle import SEED_BYTES, SeededRandomness

SEATS = tuple(map(Seat, range(4)))

# The hand of W-2, dealer 3.
HANDS = (
    "QS 9S AH TH KH QH JH JH QD JD KC 9C",
    "AS KS KS JS TH KH 9H TD KD QD AC TC",
    "AS TS JS 9S AH AD KD JD AC TC QC JC",
    "TS QS QH 9H AD TD 9D 9D KC QC JC 9C",
)


def settings(**options: Any) -> Settings:
    return Settings(variant="standard", options=checked(GAME.options, options))


def rules(**options: Any) -> Rules:
    return rules_of(settings(**options).options)


def started(**options: Any) -> State:
    return GAME.start(settings(**options))


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def deal(state: State, hands: tuple[str, ...] = HANDS, dealer: int | None = None) -> State:
    given: Any = Deal(hands=hands, dealer=dealer)  # type: ignore[arg-type]
    return fold(state, GAME.proceed(state, GAME.scenarios.stack(state, given)))


def dealt(hands: tuple[str, ...] = HANDS, dealer: int = 3, **options: Any) -> State:
    return deal(started(**options), hands, dealer)


def moved(state: State, *moves: tuple[int, Command]) -> State:
    for seat, command in moves:
        state = fold(state, GAME.decide(state, Seat(seat), command))
    return state


def calls(text: str) -> list[tuple[int, Command]]:
    """Read ``0:200 1:P`` as a bid and a pass."""
    pairs = [word.split(":") for word in text.split()]
    return [(int(seat), PassBid() if call == "P" else Bid(int(call))) for seat, call in pairs]


def plays(text: str) -> list[tuple[int, Command]]:
    return [(int(word[0]), PlayCard(word[2:])) for word in text.split()]


def everyone_ready() -> list[tuple[int, Command]]:
    return [(seat, Ready()) for seat in range(4)]


def contracted(trump: str = "H", hands: tuple[str, ...] = HANDS, **options: Any) -> State:
    """Return the state after seat 0, eldest, has won the auction at 200 and named trump."""
    return moved(dealt(hands, **options), *calls("0:200 1:P 2:P 3:P"), (0, NameTrump(trump)))


def playing(trump: str = "H", hands: tuple[str, ...] = HANDS, **options: Any) -> State:
    return moved(contracted(trump, hands, **options), *everyone_ready())


def position(trump: str, trick: str, hand: str, **options: Any) -> tuple[State, Seat]:
    """Return a state in which the seat named, after a trick led by seat 0, holds the hand and is to play."""
    rest = list(PACK)
    for code in (*trick.split(), *hand.split()):
        rest.remove(code)
    lying, held = len(trick.split()), len(hand.split())
    hands = []
    for seat in range(4):
        size = held - (seat < lying)
        hands.append(hand if seat == lying else " ".join(rest[:size]))
        rest = rest if seat == lying else rest[size:]
    half = len(rest) // 8 * 4
    piles = (" ".join(rest[:half]), " ".join(rest[half:]))
    given: Any = Position(trump=trump, hands=tuple(hands), leader=0, trick=trick, taken=piles)  # type: ignore[arg-type]
    return GAME.scenarios.place(settings(**options), given), Seat(lying)


def refusal(state: State, seat: int, command: Command) -> str:
    """Return the code a command is refused with; the state is as before, hash material included."""
    before = GAME.canonical(state)
    with pytest.raises(CommandRejected) as rejected:
        GAME.decide(state, Seat(seat), command)
    assert GAME.canonical(state) == before
    return str(rejected.value.reason)


def legal_cards(state: State, seat: int) -> set[str]:
    return {command.card for command in GAME.legal(state, Seat(seat)) if isinstance(command, PlayCard)}


def chance(seed: int) -> SeededRandomness:
    return SeededRandomness(Random(seed).randbytes(SEED_BYTES))


def random_command(state: State, seat: Seat, random: Random) -> Command:
    """Choose among the kinds of legal command, then within the kind; bids stay near the lowest."""
    legal = GAME.legal(state, seat)
    kind = random.choice(sorted({type(command) for command in legal}, key=lambda kind: kind.__name__))
    commands = [command for command in legal if type(command) is kind]
    return random.choice(commands[:3] if kind is Bid else commands)


def match(seed: int, deals: int = 12, **options: Any) -> Iterator[tuple[State, tuple[Event, ...], State]]:
    """Yield (state, events, state after) for every step of a random match, at most so many deals long."""
    random, randomness = Random(seed), chance(seed)
    state = started(**options)
    while GAME.result(state) is None:
        prompt = GAME.prompt(state)
        if prompt is None:
            if state.deals == deals:
                return
            events = GAME.proceed(state, randomness)
        else:
            seat = random.choice(prompt.seats)
            events = GAME.decide(state, seat, random_command(state, seat, random))
        after = fold(state, events)
        yield state, events, after
        state = after


OPTION_SETS: tuple[dict[str, Any], ...] = (
    {},
    {"pass_count": 3, "double_values": "twice", "nines_redeal": True, "run_extras": True},
    {"pass_count": 4, "pass_style": "simultaneous", "concede": True, "save_meld": "point"},
    {"heading": "trump_led_only", "bid_jump": "step_only", "trump_needs_marriage": True, "dix": False},
    {"all_pass": "dealer_forced", "mercy_limit": 1000, "target_score": 1000, "max_redeals": 0},
)
