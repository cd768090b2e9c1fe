from collections.abc import Callable
from random import Random

import pytest

from domain.cards import CARDS, card_set
from domain.game import Randomness, Seat
from domain.games.trix import GAME
from domain.games.trix.commands import Command, Ready, SetDoubles
from domain.games.trix.contracts import Contract
from domain.games.trix.state import Phase, State
from domain.games.trix.worth import worth
from domain.shuffle import SEED_BYTES, SeededRandomness
from tests.domain.games.trix.play import choose, dealt, fold, holding, settings

Player = Callable[[State, Seat, Randomness], Command]


def by_bot(state: State, seat: Seat, randomness: Randomness) -> Command:
    return GAME.bot(GAME.view(state, seat), randomness)


def by_chance(state: State, seat: Seat, randomness: Randomness) -> Command:
    legal = GAME.legal(state, seat)
    return legal[randomness.below(len(legal))]


def winners(variant: str, seed: int, players: tuple[Player, ...]) -> set[int]:
    randomness = SeededRandomness(Random(seed).randbytes(SEED_BYTES))
    state = GAME.start(settings(variant))
    while state.result is None:
        prompt = GAME.prompt(state)
        if prompt is None:
            state = fold(state, GAME.proceed(state, randomness))
            continue
        seat = prompt.seats[0]
        command = players[seat](state, seat, randomness)
        assert command in GAME.legal(state, seat)
        state = fold(state, GAME.decide(state, seat, command))
    return {seat for seat, place in enumerate(state.result.places) if place == 1}


@pytest.mark.parametrize("foe", [by_chance, GAME.automatic], ids=["chance", "automatic"])
def test_two_bots_beat_chance_and_the_automatic_policy(foe: Player) -> None:
    won = 0
    for seed in range(30):
        players = (by_bot, foe) * 2 if seed % 2 else (foe, by_bot) * 2
        won += winners("complex_partnership", seed, players) == ({0, 2} if seed % 2 else {1, 3})
    assert won >= 24


@pytest.mark.parametrize("foe", [by_chance, GAME.automatic], ids=["chance", "automatic"])
def test_one_bot_wins_far_more_than_its_quarter(foe: Player) -> None:
    won = 0
    for seed in range(12):
        players = tuple(by_bot if seat == seed % 4 else foe for seat in range(4))
        won += winners("individual", seed, players) == {seed % 4}
    assert won >= 7


@pytest.mark.parametrize("hand", ["KH 2H 3H", "KH", "2S"])
def test_trx_44_and_133_doubling_takes_a_bot_two_commands_whatever_it_holds(hand: str) -> None:
    state = choose(dealt(holding(hand, "", "", ""), owner=0), Contract.KING)
    randomness = SeededRandomness(bytes(SEED_BYTES))
    first = by_bot(state, Seat(0), randomness)
    assert isinstance(first, SetDoubles)
    after = fold(state, GAME.decide(state, Seat(0), first))
    assert by_bot(after, Seat(0), randomness) == Ready()


def test_a_bot_doubles_a_guarded_king_and_not_a_bare_one() -> None:
    randomness = SeededRandomness(bytes(SEED_BYTES))
    for hand, cards in (("KH 2H 3H", ("KH",)), ("KH AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S", ())):
        state = choose(dealt(holding(hand), owner=0), Contract.KING)
        assert by_bot(state, Seat(0), randomness) == SetDoubles(cards)


@pytest.mark.parametrize("contract", [contract for contract in Contract if contract is not Contract.TRIX])
def test_low_cards_are_worth_more_than_high_ones_in_every_trick_contract(contract: Contract) -> None:
    low = card_set(CARDS[rank + suit] for suit in "SHDC" for rank in "234")
    high = card_set(CARDS[rank + suit] for suit in "SHDC" for rank in "AKJ")
    assert worth(contract, low) > worth(contract, high)


def test_every_text_is_there_in_english_and_arabic() -> None:
    names = {"game"}
    names |= {f"variant.{variant}" for variant in GAME.variants}
    names |= {f"command.{command.__struct_config__.tag}" for command in Command.__args__}
    names |= {f"refused.{code}" for code in GAME.refusals}
    names |= {f"event.{event.__struct_config__.tag}" for event in GAME.events}
    names |= {f"phase.{phase}" for phase in Phase}
    names |= {f"prompt.{kind}" for kind in ("contract", "doubling", "turn")}
    names |= {f"option.{option.name}" for option in GAME.options}
    names |= {f"{kind}.{contract}" for contract in Contract for kind in ("contract", "score")}
    assert names <= GAME.texts.keys()
    for english, arabic in GAME.texts.values():
        assert english.isascii()
        assert any("\u0600" <= letter <= "\u06ff" for letter in arabic)


def test_the_refusals_are_those_of_the_rules() -> None:
    assert set(GAME.refusals) == {
        "WRONG_PHASE",
        "NOT_YOUR_TURN",
        "NOT_OWNER",
        "CONTRACT_USED",
        "CONTRACT_NOT_IN_VARIANT",
        "CARD_NOT_IN_HAND",
        "MUST_FOLLOW_SUIT",
        "NOT_PLAYABLE",
        "NOT_DOUBLABLE",
        "ALREADY_READY",
        "TOO_LATE",
        "MATCH_OVER",
    }
