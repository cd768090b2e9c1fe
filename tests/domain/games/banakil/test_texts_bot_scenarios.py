import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain.game import Seat
from domain.games.banakil import GAME
from domain.games.banakil.bot import bot
from domain.games.banakil.scenario import Position, Start, begin, facts, place
from domain.games.banakil.stacking import Deal, stack
from domain.games.banakil.state import Phase, State
from domain.scenario import parse, run
from tests.domain.games.banakil.tables import CANONICAL, S0, S2, at, chance, fold, hand, play, settings, steps, throw

FILES = sorted((Path(__file__).parents[3] / "scenarios" / "banakil").glob("*.json"))


def test_every_text_is_there_in_two_languages() -> None:
    names = {"game", "variant.standard", "prompt.cut", "prompt.turn"}
    names |= {f"refused.{code}" for code in GAME.refusals}
    names |= {f"event.{kind.__struct_config__.tag}" for kind in GAME.events}
    names |= {f"option.{option.name}" for option in GAME.options}
    names |= {f"phase.{phase}" for phase in Phase}
    names |= {f"command.{name}" for name in ("cut", "draw", "take", "lay", "extend", "throw")}
    names |= {f"score.{name}" for name in ("laid", "left", "out", "not_opened")}
    assert names <= set(GAME.texts)
    for english, arabic in GAME.texts.values():
        assert english.isascii()
        assert any("\u0600" <= letter <= "\u06ff" for letter in arabic)
    assert len({english for name, (english, _) in GAME.texts.items() if name.startswith("refused.")}) == len(
        GAME.refusals
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"do": "draw", "seat": 1}',
        '{"do": "take", "card": "AS"}',
        '{"do": "take", "card": "AS", "count": 1.5}',
        '{"do": "throw", "card": "much too long a code"}',
        '{"do": "lay", "cards": "AS"}',
        '{"do": "cut", "position": 9999999999}',
        '{"do": "pass"}',
    ],
)
def test_commands_that_are_none_are_not_decoded(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=GAME.commands)


def match(seed: int, *, bots: int, other: str) -> tuple[int, int]:
    """Play bots in one team against random play or the clock; return the bots' result and the others'."""
    random, drawn = Random(seed), chance(seed)
    state = GAME.start(settings())
    while GAME.result(state) is None and state.hand < 60:
        prompt = GAME.prompt(state)
        if prompt is None:
            state = fold(state, GAME.proceed(state, drawn))
            continue
        (seat,) = prompt.seats
        if seat % 2 == bots:
            command = bot(GAME.view(state, seat), drawn)  # type: ignore[arg-type]
        elif other == "clock":
            command = GAME.automatic(state, seat, drawn)
        else:
            command = random.choice(GAME.legal(state, seat))
        state = play(state, (seat, command))
    ours = state.totals[bots] + state.totals[bots + 2]
    return ours, sum(state.totals) - ours


@pytest.mark.parametrize("other", ["random", "clock"])
def test_bots_beat_random_play_and_the_clock(other: str) -> None:
    results = [match(seed, bots=seed % 2, other=other) for seed in range(20)]
    assert sum(ours > theirs for ours, theirs in results) >= 19
    assert sum(ours - theirs for ours, theirs in results) > 20 * 200


def test_bnk_126_a_bot_answers_lawfully_wherever_it_is_asked() -> None:
    drawn = chance()
    asked = 0
    for state, _, _ in steps(11, hands=2):
        prompt = GAME.prompt(state)
        if prompt is None:
            continue
        for seat in prompt.seats:
            command = GAME.bot(GAME.view(state, seat), drawn)
            assert command in GAME.legal(state, seat)
            asked += 1
    assert asked > 100


def test_a_bot_lays_what_it_can_and_keeps_what_is_near() -> None:
    state = at("7D 8D 9D KC 4S 5S")
    while state.phase == "turn_play":
        state = play(state, (S0, bot(GAME.view(state, S0), chance())))  # type: ignore[arg-type]
    assert hand(state, S0) == ["4S", "5S"]
    assert facts(state)["ground"] == ["KC"]


def test_a_bot_digs_into_the_ground_for_what_it_can_lay() -> None:
    state = at("7D 8D 3S KC", phase="turn_draw", ground="4C 9D QS 5H")
    command: Any = bot(GAME.view(state, S0), chance())  # type: ignore[arg-type]
    assert (command.card, command.count) == ("9D", 2)


def test_legal_moves_come_fast_enough() -> None:
    """At least 5,000 moves a second of processor time is the aim; a busy or slow machine may take twice as long."""
    random, drawn = Random(2), chance(2)
    state = GAME.start(settings(first=S0))
    slow: list[float] = []
    began = time.process_time()
    moves = 0
    while moves < 3000:
        prompt = GAME.prompt(state)
        if prompt is None:
            state = fold(state, GAME.proceed(state, drawn))
            continue
        (seat,) = prompt.seats
        at_first = time.process_time()
        listed = GAME.legal(state, seat)
        slow.append(time.process_time() - at_first)
        state = play(state, (seat, random.choice(listed)))
        moves += 1
        if GAME.result(state) is not None:
            state = GAME.start(settings(first=S0))
    assert moves / (time.process_time() - began) > 2500
    assert sorted(slow)[int(0.99 * len(slow))] < 0.005


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_scenario(file: Path) -> None:
    scenario = run(parse(file.read_bytes()))
    assert scenario.setup.scenario.expect


def test_every_worked_example_has_its_scenario() -> None:
    names = {file.stem for file in FILES}
    for number in range(1, 54):
        assert any(name.rstrip("abcdef") == f"w-{number}" for name in names), number


def hands_of(starter: int) -> tuple[str, ...]:
    """Return four hands of a shuffled pack."""
    cards = CANONICAL.split()
    Random(1).shuffle(cards)
    sizes = [19 if seat == starter else 18 for seat in range(4)]
    return tuple(" ".join(cards.pop(0) for _ in range(size)) for size in sizes)


def test_a_deal_of_given_hands_comes_out_whoever_the_cut_must_make_start() -> None:
    for starter in range(4):
        for cut in (1, 40, 105):
            waiting = GAME.start(settings(owner=S2))
            deal = Deal(hands=hands_of(starter), cut=cut)
            state = fold(waiting, GAME.proceed(waiting, stack(waiting, deal)))
            state = play(state, (S2, msgspec.convert({"do": "cut", "position": cut}, GAME.commands)))
            assert state.turn == starter
            assert tuple(" ".join(hand(state, Seat(seat))) for seat in range(4)) == tuple(
                " ".join(sorted(cards.split(), key=CANONICAL.split().index)) for cards in hands_of(starter)
            )


BAD_DEALS: dict[str, tuple[State, Deal, str]] = {
    "too many of a card": (GAME.start(settings(first=S0)), Deal(deck="AS AS AS"), "more often"),
    "a short deck": (GAME.start(settings(first=S0)), Deal(deck="AS AS"), "2 cards"),
    "no card": (GAME.start(settings(first=S0)), Deal(deck="XX"), "not a card"),
    "nothing": (GAME.start(settings(first=S0)), Deal(), "the deck or the hands"),
    "short hands": (GAME.start(settings(first=S0)), Deal(hands=("AS", "", "", "")), "19 cards"),
    "another starter": (GAME.start(settings(first=S0)), Deal(hands=hands_of(1)), "seat 0 starts"),
    "another owner": (GAME.start(settings(owner=S0)), Deal(deck=CANONICAL, owner=S2), "owner"),
    "no such cut": (GAME.start(settings(owner=S0)), Deal(deck=CANONICAL, cut=106), "from 1 to 105"),
    "a short stock": (GAME.start(settings(first=S0)), Deal(hands=hands_of(0), stock=""), "0 cards"),
}


@pytest.mark.parametrize(("state", "deal", "fault"), BAD_DEALS.values(), ids=BAD_DEALS.keys())
def test_a_deal_that_cannot_be_says_why(state: State, deal: Deal, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        stack(state, deal)


BAD_POSITIONS: dict[str, tuple[dict[str, Any], str]] = {
    "three hands": ({"hands": ["AS", "", ""]}, "four hands"),
    "a phase without a turn": ({"hands": ["AS", "", "", ""], "phase": "dealing"}, "turn_draw or turn_play"),
    "cards left out": ({"hands": ["AS", "", "", ""], "ground": "KD", "stock": "KC"}, "leaves out"),
    "no stock to draw from": ({"hands": ["AS", "", "", ""], "stock": "", "phase": "turn_draw"}, "empty"),
    "no meld": ({"hands": ["AS", "", "", ""], "melds": [{"cards": "5H 6H 8H", "laid_by": 0}]}, "no meld"),
    "two teams": (
        {"hands": ["AS", "", "", ""], "melds": [{"cards": "5H 6H 7H", "laid_by": [0, 1, 0]}]},
        "one team",
    ),
    "too few seats": ({"hands": ["AS", "", "", ""], "melds": [{"cards": "5H 6H 7H", "laid_by": [0]}]}, "one seat"),
    "stands for another": (
        {"hands": ["AS", "", "", ""], "melds": [{"cards": "5H 6H 2C(8H)", "laid_by": 0}]},
        "stands for 7H",
    ),
    "drawn from nowhere": ({"hands": ["AS", "", "", ""], "drawn": "KC"}, "not in the hand"),
    "totals too fine": ({"hands": ["AS", "", "", ""], "totals": [0.25, 0, 0, 0]}, "half points"),
}


@pytest.mark.parametrize(("given", "fault"), BAD_POSITIONS.values(), ids=BAD_POSITIONS.keys())
def test_a_position_that_cannot_be_says_why(given: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        place(settings(), msgspec.convert(given, Position))


def test_a_later_hand_begins_with_the_totals_given() -> None:
    state = begin(settings(), Start(totals=(10.5, 0, -3, 0), hand=3, starter=S2, deciding=True))
    assert (state.totals, state.hand, state.deciding) == ((21, 0, -6, 0), 3, True)
    assert fold(state, GAME.proceed(state, chance())).turn == S2


def test_facts_have_a_place_for_every_name_that_may_be_expected() -> None:
    known = facts(play(at("9D"), (S0, throw("9D"))))
    assert set(GAME.scenarios.accepts) <= set(known)
