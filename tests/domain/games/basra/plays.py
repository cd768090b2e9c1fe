"""What the tests of Basra share: seeded chance, positions in a line, and whole matches."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from domain.cards import PACK
from domain.game import CommandRejected, Randomness, Seat, Settings
from domain.games.basra import GAME
from domain.games.basra.capture import Capture, capture
from domain.games.basra.commands import Play
from domain.games.basra.events import CardPlayed, Event
from domain.games.basra.rules import Rules, rules_of
from domain.games.basra.scenario import Position, place
from domain.games.basra.state import Phase, State, cards
from domain.options import checked

T = TypeVar("T")
Actor = Callable[[State, Seat, Randomness], Play]

ZERO, ONE = map(Seat, range(2))
_GOLDEN = (
    "5H TC 8C AS 9H TS JH AD 7D 9D 4C 4S QH JC JD QS 2H 9C JS TD 2S 3H 6D 6C AC 4H 3D 8S 7H AH TH 8H KC 3S 2D 6H "
    "8D KH 6S KS KD 7C 7S 4D QD 5D 9S 5C QC 3C 5S 2C"
)
GOLDEN = _GOLDEN.split()


class Chance:
    """Seeded draws for tests."""

    def __init__(self, seed: int) -> None:
        """Begin from a seed."""
        self._random = random.Random(seed)

    def below(self, bound: int) -> int:
        return self._random.randrange(bound)

    def shuffled(self, pack: Sequence[T]) -> tuple[T, ...]:
        order = list(pack)
        self._random.shuffle(order)
        return tuple(order)

    def salts(self, count: int) -> tuple[str, ...]:
        return tuple(self._random.randbytes(16).hex() for _ in range(count))


def settings(variant: str = "match", **options: object) -> Settings:
    return Settings(variant=variant, options=checked(GAME.options, options))


def rules(**options: object) -> Rules:
    return rules_of(settings(**options))  # type: ignore[arg-type] # options only


def throw(floor: str, card: str, **options: object) -> Capture:
    """Work out one throw on a floor, oldest first."""
    return capture(rules(**options), cards((card,))[0], cards(tuple(floor.split())))


def position(*hands: str, options: Settings | None = None, **given: object) -> State:
    """Stand in the middle of a hand."""
    return place(options or settings(), Position(hands=hands, **given))  # type: ignore[arg-type] # as in its fields


def fold(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def play(state: State, *codes: str) -> State:
    """Let each seat in turn throw a card."""
    for code in codes:
        state = fold(state, GAME.decide(state, state.turn, Play(code)))
    return state


def refusal(state: State, seat: Seat, code: str) -> str:
    """Return the code of a refusal; fail where the card may be thrown."""
    try:
        GAME.decide(state, seat, Play(code))
    except CommandRejected as rejected:
        return rejected.reason.value
    raise AssertionError(code)


def dealt(deck: Sequence[str], options: Settings | None = None, dealer: int = 1) -> State:
    """Return the first hand of a match with a given pack."""
    state = GAME.start(options or settings())
    hooks = GAME.scenarios
    return fold(state, GAME.proceed(state, hooks.stack(state, hooks.deal(deck=tuple(deck), dealer=dealer))))


def any_card(state: State, seat: Seat, randomness: Randomness) -> Play:
    """Throw any card at all."""
    choices = GAME.legal(state, seat)
    return choices[randomness.below(len(choices))]


def by_bot(state: State, seat: Seat, randomness: Randomness) -> Play:
    return GAME.bot(GAME.view(state, seat), randomness)


def match(options: Settings, actors: Sequence[Actor], randomness: Randomness) -> Iterator[tuple[State, Event, State]]:
    """Play a match to its end, yielding every event between the states before and after it."""
    state = GAME.start(options)
    while GAME.result(state) is None:
        prompt = GAME.prompt(state)
        if prompt is None or not prompt.seats:
            events = GAME.proceed(state, randomness)
        else:
            (seat,) = prompt.seats
            events = GAME.decide(state, seat, actors[seat](state, seat, randomness))
        for event in events:
            after = GAME.evolve(state, event)
            yield state, event, after
            state = after


def random_match(seed: int, variant: str = "match", **options: object) -> list[tuple[State, Event, State]]:
    of = settings(variant, **options)
    return list(match(of, [any_card] * GAME.seats(of), Chance(seed)))


def endgame(pile: str, count: int, before: tuple[int, int] = (0, 0), variant: str = "match", **given: object) -> State:
    """Stand before the last throw, of 3H by seat 1, which goes to seat 0 as a leftover.

    Seat 0 ends with ``count`` cards, of those that count for points exactly the ones in ``pile``.
    """
    mine = pile.split()
    plain = [code for code in PACK if code[0] not in "AJ" and code not in {"TD", "2C", "3H"}]
    mine += plain[: count - 1 - len(mine)]
    others = " ".join(code for code in PACK if code != "3H" and code not in mine)
    piles = (" ".join(mine), others)
    return position("", "3H", options=settings(variant), piles=piles, totals=before, last_capturer=0, **given)


def scored(state: State) -> State:
    """Throw the one card left."""
    after = play(state, "3H")
    assert after.phase in {Phase.HAND_END, Phase.MATCH_END}
    return after


def thrown(steps: Sequence[tuple[State, Event, State]]) -> list[tuple[State, CardPlayed, State]]:
    """Pick the throws out of a match."""
    return [(before, event, after) for before, event, after in steps if isinstance(event, CardPlayed)]
