"""The bot (PIN-75), the texts (PIN-59, PIN-88, PIN-89), and the hooks of scenario files."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain.game import CommandRejected, Randomness, Seat
from domain.games.pinochle import GAME
from domain.games.pinochle.automatic import automatic
from domain.games.pinochle.commands import Bid, Command, NameTrump
from domain.games.pinochle.melds import NAMES
from domain.games.pinochle.scenario import Deal, Position, Start
from domain.games.pinochle.state import Phase, State
from domain.scenario import parse, run
from events.codec import kind_of
from tests.domain.games.pinochle.tables import (
    HANDS,
    OPTION_SETS,
    calls,
    chance,
    dealt,
    fold,
    match,
    moved,
    random_command,
    settings,
    started,
)

SCENARIOS = sorted((Path(__file__).parents[3] / "scenarios" / "pinochle").glob("*.json"))

Player = Callable[[State, Seat, Randomness], Command]


def bot(state: State, seat: Seat, randomness: Randomness) -> Command:
    return GAME.bot(GAME.view(state, seat), randomness)


def at_random(state: State, seat: Seat, randomness: Randomness) -> Command:
    return random_command(state, seat, Random(randomness.below(1 << 30)))


def team_a_wins(first: Player, second: Player, seed: int) -> bool:
    """Play a match, the first player in seats 0 and 2, and say whether he won."""
    state, randomness = started(), chance(seed)
    for _ in range(60_000):
        result = GAME.result(state)
        if result is not None:
            return result.places[0] == 1
        prompt = GAME.prompt(state)
        if prompt is None:
            state = fold(state, GAME.proceed(state, randomness))
            continue
        seat = prompt.seats[0]
        player = second if seat % 2 else first
        state = fold(state, GAME.decide(state, seat, player(state, seat, randomness)))
    raise AssertionError("the match does not end")


def test_pin_75_the_bot_beats_random_play_and_the_clocks_policy() -> None:
    assert sum(team_a_wins(bot, at_random, seed) for seed in range(40)) >= 38
    assert sum(team_a_wins(bot, automatic, seed) for seed in range(40)) >= 30


@pytest.mark.parametrize("options", OPTION_SETS)
def test_pin_75_the_bot_answers_lawfully_from_a_view_alone(options: dict[str, Any]) -> None:
    for _, _, state in match(31, deals=4, **options):
        prompt = GAME.prompt(state)
        for seat in prompt.seats if prompt else ():
            view = GAME.view(state, seat)
            assert GAME.bot(view, chance(0)) in view.legal  # type: ignore[attr-defined]


def test_pin_75_the_bot_bids_a_strong_hand_and_names_its_long_suit() -> None:
    strong = (
        "AS AS TS KS QS JS JS AH AD AC JD QS",
        "TS KS 9S TH KH QH JH 9H TD KD QD 9D",
        "9S AH TH KH QH JH 9H AC TC KC QC JC",
        "AD TD KD QD JD 9D 9C 9C TC KC QC JC",
    )
    state = dealt(strong)
    assert bot(state, Seat(0), chance(0)) == Bid(200)
    named = moved(state, *calls("0:200 1:P 2:P 3:P"))
    assert bot(named, Seat(0), chance(0)) == NameTrump("S")


def test_every_text_is_there_in_both_languages() -> None:
    prompts = ("bid", "trump", "pass", "meld_display", "concede", "turn", "hand_break")
    names = {f"command.{command.__struct_config__.tag}" for command in GAME.commands.__args__}
    names |= {f"refused.{code}" for code in GAME.refusals}
    names |= {f"event.{kind_of(event)}" for event in GAME.events}
    names |= {f"option.{option.name}" for option in GAME.options}
    names |= {f"choice.{word}" for option in GAME.options for word in option.choices if isinstance(word, str)}
    names |= {f"phase.{phase}" for phase in Phase}
    names |= {f"prompt.{kind}" for kind in prompts}
    names |= {f"score.{name}" for name in NAMES}
    names |= {f"variant.{variant}" for variant in GAME.variants}
    names |= {"game", *(f"help.{topic}" for topic in ("length", "revoke", "mistakes", "history"))}
    assert names - GAME.texts.keys() == set()
    for english, arabic in GAME.texts.values():
        assert english.isascii()
        assert any("\u0600" <= letter <= "\u06ff" for letter in arabic)


def test_commands_come_and_go_as_the_wire_names_them() -> None:
    wire = msgspec.json.decode(b'{"do":"bid","amount":210}', type=GAME.commands)
    assert wire == Bid(210)
    for wrong in (b'{"do":"bid","amount":210,"seat":0}', b'{"do":"bid","amount":"much"}', b'{"do":"cheat"}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=GAME.commands)


WRONG_DEALS: tuple[tuple[Any, str], ...] = (
    (Deal(hands=(*HANDS[:3], HANDS[3].replace("TS", "AS"))), "missing: TS"),
    (Deal(hands=(*HANDS[:3], "TS")), "1 cards"),
    (Deal(hands=(*HANDS[:3], HANDS[3].replace("TS", "2S"))), "2S"),
    (Deal(), "either hands or deck"),
)


@pytest.mark.parametrize(("given", "fault"), WRONG_DEALS)
def test_a_deal_that_is_not_the_pack_is_refused_with_the_place(given: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        GAME.scenarios.stack(started(), given)


def test_a_deal_may_give_the_deck_and_must_keep_the_dealers_turn() -> None:
    (dealt_event,) = GAME.proceed(started(), GAME.scenarios.stack(started(), Deal(hands=HANDS, dealer=2)))
    deck = " ".join(dealt_event.deck)  # type: ignore[union-attr]
    again = GAME.proceed(started(), GAME.scenarios.stack(started(), Deal(deck=deck, dealer=2)))
    assert again == (dealt_event,)
    later = GAME.scenarios.begin(settings(), Start(dealer=1, totals=(100, -200, 100, -200)))
    assert later.totals == (100, -200)
    with pytest.raises(ValueError, match="seat 1 deals next"):
        GAME.scenarios.stack(later, Deal(hands=HANDS, dealer=2))


POSITION: dict[str, Any] = {"trump": "S", "hands": HANDS, "leader": 0}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"trump": "N"}, "trump"),
        ({"taken": ("AS AS AS AS", ())}, "11"),
        ({"taken": ("AS", ())}, "whole tricks"),
        ({"trick": "AS"}, "11"),
        ({"melds": ({"flush": 10}, {}, {}, {})}, "flush"),
        ({"melds": ({},)}, "four seats"),
        ({"hands": (*HANDS[:3], HANDS[3].replace("TS", "AS"))}, "too many: AS"),
        ({"totals": (1, 2, 3, 4)}, "totals"),
    ],
)
def test_a_position_that_does_not_add_up_is_refused(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        GAME.scenarios.place(settings(), Position(**{**POSITION, **change}))


def test_facts_name_what_scenarios_may_expect() -> None:
    state = GAME.scenarios.place(settings(), Position(**POSITION))
    facts = GAME.scenarios.facts(state)
    assert set(GAME.scenarios.accepts) <= facts.keys()
    assert facts["turn"] == 0
    assert facts["trump"] == "S"
    result = GAME.scenarios.final(settings(), (1500, 900, 1500, 900), Seat(2))
    assert (result.places, result.first) == ((1, 3, 1, 3), 2)
    with pytest.raises(ValueError, match="winner"):
        GAME.scenarios.final(settings(), (900, 900, 900, 900), Seat(0))


def test_every_refusal_code_can_happen_but_the_tables_own() -> None:
    """Try every kind of command at every seat over random matches, wrong ones on purpose."""
    seen: set[str] = set()
    random = Random(5)
    wrong: list[Any] = [
        msgspec.convert(command, GAME.commands)
        for command in (
            *({"do": name} for name in ("pass_bid", "ask_redeal", "ready", "concede", "play_on")),
            *({"do": "bid", "amount": amount} for amount in (190, 205, 250, 2480)),
            *({"do": "name_trump", "suit": suit} for suit in "SHDCX"),
            *({"do": "give", "cards": cards} for cards in ((), ("AS", "KS", "QS"))),
            *({"do": "play", "card": rank + suit} for rank, suit in product("AKQJT9", "SHDC")),
        )
    ]
    sets: tuple[dict[str, Any], ...] = (
        *OPTION_SETS,
        {"trump_needs_marriage": True, "nines_redeal": True, "pass_count": 3, "pass_style": "simultaneous"},
    )
    for number, options in enumerate(sets):
        for _, _, state in match(40 + number, deals=12, **options):
            for seat, command in product(range(4), random.sample(wrong, 6)):
                try:
                    GAME.decide(state, Seat(seat), command)
                except CommandRejected as rejected:
                    seen.add(str(rejected.reason))
    assert seen == {code.value for code in GAME.refusals} - {"TOO_LATE"}


def test_every_worked_example_is_a_scenario_file() -> None:
    examples = {path.stem.split("-")[1][:2] for path in SCENARIOS if path.stem.startswith("w-")}
    assert examples == {f"{number:02}" for number in range(1, 33)}


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_worked_examples_and_further_scenarios_pass(path: Path) -> None:
    """A scenario raises where something in it is not so; each one states something and is of this game."""
    finished = run(parse(path.read_bytes()))
    scenario = finished.setup.scenario
    assert finished.setup.game is GAME
    assert scenario.expect or any("expect" in step or "refused" in step for step in scenario.steps)
