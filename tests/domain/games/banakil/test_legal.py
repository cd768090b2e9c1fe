"""What is listed as legal, held against every command there could be: by brute force, on small hands."""

from collections.abc import Iterator
from itertools import chain, combinations, permutations
from random import Random
from typing import Any

import pytest

from domain.game import CommandRejected
from domain.games.banakil import GAME, moves
from domain.games.banakil.commands import Command, Extend, Lay, Take, Throw
from domain.games.banakil.pack import FACE, FACES, members
from domain.games.banakil.state import State
from tests.domain.games.banakil.tables import DRAW, S0, at, lay, play, steps, throw

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"own_suit_two_is_natural": True}, {"bankala_free_move": True})
TABLES = (
    "5H 6H 7H", "5H 2C 7H", "5H JK1 7H", "2C 6H 7H", "5H 6H 2H", "JK1 2S 5H", "AH 2C 3H", "AH JK1 3H", "2H 3H 4H",
    "QH KH AH", "QH 2S AH", "JK2 KH AH", "2C JK1 AH", "AH 2C JK1", "AS AH AD", "AS AH JK1", "3S 3D 3C JK1",
)  # fmt: skip


def accepted(state: State, command: Command) -> bool:
    try:
        GAME.decide(state, S0, command)
    except CommandRejected:
        return False
    return True


def alike(command: Lay | Extend) -> tuple[str, ...]:
    """Return what two commands have in common that do the same: the cards of a set have no order."""
    cards = command.cards if isinstance(command, Lay) else command.result
    ranks = {card[0] for card in cards if card[0] not in "2J" or card[:2] in ("JS", "JH", "JD", "JC")}
    suits = {card[1] for card in cards if card[0] not in "2J" or card[:2] in ("JS", "JH", "JD", "JC")}
    return tuple(sorted(cards)) if len(ranks) == 1 and len(suits) > 1 else cards


def choices(cards: list[str], least: int) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(cards, size) for size in range(least, len(cards) + 1))


def rows(cards: list[str], least: int) -> set[tuple[str, ...]]:
    return {row for chosen in choices(cards, least) for row in permutations(chosen)}


def near(random: Random, count: int) -> list[str]:
    """Return cards that are likely to meet: hearts, aces, threes and wild cards."""
    hearts = [rank + "H" for rank in "A3456789TJQKA"]
    likely = [*hearts, *hearts, "AS", "AD", "AC", "3S", "3D", "2H", "2H", "2C", "2S", "2D", "JK1", "JK2"]
    while True:
        cards = random.sample(likely, count)
        if all(cards.count(card) <= (1 if card.startswith("JK") else 2) for card in cards):
            return cards


def beside(used: list[str], cards: list[str], most: int) -> list[str]:
    """Return cards that the pack still has beside those used; a face may lie on the table and be in the hand."""
    held: list[str] = []
    for card in cards:
        if (used + held).count(card) < (1 if card.startswith("JK") else 2) and len(held) < most:
            held.append(card)
    return held


def melding(state: State) -> list[Lay | Extend]:
    return [command for command in GAME.legal(state, S0) if isinstance(command, Lay | Extend)]


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "natural", "free"])
def test_lays_are_all_that_would_be_accepted_and_no_other(options: dict[str, Any]) -> None:
    found = 0
    for seed in range(40):
        cards = near(Random(seed), 6)
        state = at(" ".join(cards), options=options)
        listed = [alike(command) for command in melding(state) if isinstance(command, Lay)]
        assert len(listed) == len(set(listed))
        assert set(listed) == {alike(Lay(cards=row)) for row in rows(cards, 3) if accepted(state, Lay(cards=row))}
        found += len(listed)
    assert found > 200


def growths(lies: list[str], held: list[str]) -> set[tuple[str, ...]]:
    """Return every order of what lies there, with or without its wild cards, and some cards of the hand."""
    wild = [card for card in lies if card[0] == "2" or card.startswith("JK")]
    found: set[tuple[str, ...]] = set()
    for left in ([], *([card] for card in wild)):
        stay = [card for card in lies if card not in left]
        for added in choices(held, 1):
            found |= set(permutations([*stay, *added]))
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "natural", "free"])
def test_extensions_are_all_that_would_be_accepted_and_no_other(options: dict[str, Any]) -> None:
    found = 0
    for seed, lies in enumerate(TABLES * 2):
        used = lies.split()
        held = beside(used, near(Random(seed), 7), 3)
        state = at(" ".join(held), melds=[{"cards": lies, "laid_by": 2}], options=options)
        listed = [alike(command) for command in melding(state) if isinstance(command, Extend)]
        assert len(listed) == len(set(listed)), lies
        every = [Extend(meld="m1", result=row) for row in growths(used, held)]
        assert set(listed) == {alike(command) for command in every if accepted(state, command)}, (lies, held)
        found += len(listed)
    assert found > 25


def table(state: State) -> tuple[object, ...]:
    """Return the table and the hand by faces, sets in no order."""
    melds = [
        tuple(sorted(zip(faces, meld.laid_by, strict=True)) if meld.suit < 0 else zip(faces, meld.laid_by, strict=True))
        for meld in state.melds
        for faces in [[FACES[FACE[card]] for card in meld.cards]]
    ]
    return (*melds, "hand", *sorted(FACE[card] for card in members(state.hands[0])))


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "natural", "free"])
def test_steps_lead_wherever_longer_lays_and_extensions_do(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there are too many ways, only lays of three and additions of one are listed: they reach all the rest."""
    found = 0
    for seed, lies in enumerate(TABLES * 2):
        held = beside(lies.split(), near(Random(seed + 100), 9), 5)
        state = at(" ".join(held), melds=[{"cards": lies, "laid_by": 2}], options=options)
        wanted = {table(play(state, (S0, command))) for command in melding(state)}
        with monkeypatch.context() as patched:
            patched.setattr(moves, "MANY", 0)
            reached, ahead = {table(state)}, [state]
            while ahead:
                now = ahead.pop()
                for command in melding(now):
                    if isinstance(command, Lay) and len(now.melds) > 1:
                        continue
                    after = play(now, (S0, command))
                    if table(after) not in reached:
                        reached.add(table(after))
                        ahead.append(after)
            short = melding(state)
        assert wanted <= reached, (lies, held)
        assert all(isinstance(command, Extend) or len(command.cards) == 3 for command in short)
        found += len(wanted)
    assert found > 100


def test_a_hand_that_could_be_laid_in_too_many_ways_is_offered_in_steps() -> None:
    spades = " ".join(rank + "S" for rank in "A3456789TJQK")
    state = at(f"{spades} 2S 2H 2D 2C JK1 JK2 9D")
    listed = melding(state)
    assert all(isinstance(command, Lay) and len(command.cards) == 3 for command in listed)
    assert all(accepted(state, command) for command in listed)
    assert accepted(state, lay("3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"))


def test_draws_and_throws_one_for_each_face_and_depth() -> None:
    state = at("KC KC 2D QS", phase="turn_draw", ground="AS KD AS 9C")
    assert GAME.legal(state, S0) == (DRAW, Take("AS", 1), Take("KD", 2), Take("AS", 3), Take("9C", 4))
    assert set(GAME.legal(at("KC KC 2D QS"), S0)) == {throw("KC"), throw("2D"), throw("QS")}


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "natural", "free"])
def test_in_random_matches_all_that_is_listed_is_accepted(options: dict[str, Any]) -> None:
    random = Random(5)
    tried = 0
    for seed in range(3):
        for state, _, _ in steps(seed, hands=1, **options):
            prompt = GAME.prompt(state)
            if prompt is None or random.random() > 0.2:
                continue
            (seat,) = prompt.seats
            listed = GAME.legal(state, seat)
            assert listed
            assert len(listed) == len(set(listed))
            for command in random.sample(listed, min(25, len(listed))):
                assert GAME.decide(state, seat, command)
            throws = [command for command in listed if isinstance(command, Throw)]
            assert bool(throws) == (state.phase == "turn_play")
            tried += len(listed)
    assert tried > 300
