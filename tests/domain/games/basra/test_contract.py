"""Texts, hooks of scenarios and the wire names of the game."""

import json
from pathlib import Path

import msgspec
import pytest

from domain.cards import PACK
from domain.game import Seat
from domain.games.basra import GAME
from domain.games.basra.events import SideScore
from domain.games.basra.scenario import Deal, Position, Start
from domain.games.basra.state import Phase
from tests.domain.games.basra.plays import GOLDEN, dealt, fold, play, position, settings

SCENARIOS = Path(__file__).parents[3] / "scenarios" / "basra"


def test_every_name_has_a_text_in_both_languages() -> None:
    needed = {
        "game",
        "command.play",
        "prompt.turn",
        "prompt.hand_break",
        *(f"variant.{name}" for name in GAME.variants),
        *(f"refused.{code.value}" for code in GAME.refusals),
        *(f"event.{kind.__struct_config__.tag}" for kind in GAME.events),
        *(f"score.{name}" for name in SideScore.__struct_fields__),
        *(f"phase.{phase.value}" for phase in Phase),
        *(f"option.{option.name}" for option in GAME.options),
    }
    assert needed <= GAME.texts.keys()
    assert all(english.isascii() and not arabic.isascii() for english, arabic in GAME.texts.values())


def test_kinds_are_stable_names() -> None:
    tags = [kind.__struct_config__.tag for kind in GAME.events]
    assert sorted(map(str, tags)) == [
        "basra.batch_dealt.v1",
        "basra.card_played.v1",
        "basra.floor_card_replaced.v1",
        "basra.hand_dealt.v1",
        "basra.hand_scored.v1",
        "basra.leftovers_taken.v1",
        "basra.match_ended.v1",
    ]
    assert {*GAME.opens_deal, *GAME.closes_deal, *GAME.public} <= set(tags)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"deck": " ".join(PACK[:51])}, "deck: missing AC"),
        ({"deck": " ".join((*PACK[:51], "2S"))}, "deck: 2S is there twice"),
        ({"deck": "1S"}, "deck: '1S' is not a card of the pack"),
        ({"deck": " ".join(PACK), "floor": "2S 3S 4S 5S"}, "deck: hands, floor and stock go without it"),
        ({"deck": " ".join(PACK), "dealer": 2}, "dealer: there is no seat 2"),
        ({"hands": ["2S 3S 4S 5S"], "floor": "2H 3H 4H 5H"}, "hands: 2 are needed, not 1"),
        ({"hands": ["2S 3S 4S", "2D 3D 4D 5D"], "floor": "2H 3H 4H 5H"}, r"hands\[0\]: 4 are needed, not 3"),
        ({"hands": ["2S 3S 4S 5S", "2S 3D 4D 5D"], "floor": "2H 3H 4H 5H"}, "deal: 2S is there twice"),
        ({"hands": ["2S 3S 4S 5S", "2D 3D 4D 5D"]}, "deal: a deck, or hands and floor are needed"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(given: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        GAME.scenarios.stack(GAME.start(settings()), msgspec.convert(given, Deal))


def test_a_later_deal_has_its_dealer() -> None:
    state = GAME.scenarios.begin(settings(), Start(totals=(10, 20), dealer=1, hand_number=4, carry=30))
    with pytest.raises(ValueError, match="it is seat 1's deal"):
        GAME.scenarios.stack(state, Deal(deck=tuple(PACK), dealer=0))
    after = fold(state, GAME.proceed(state, GAME.scenarios.stack(state, Deal(deck=tuple(PACK)))))
    assert (after.dealer, after.number, after.totals, after.carry) == (1, 4, (10, 20), 30)


def test_a_deal_by_hands_comes_out_as_given() -> None:
    deal = Deal(
        hands=(" ".join(GOLDEN[:4]), tuple(GOLDEN[4:8])), floor=" ".join(GOLDEN[8:12]), stock=tuple(GOLDEN[12:])
    )
    state = GAME.start(settings())
    assert fold(state, GAME.proceed(state, GAME.scenarios.stack(state, deal))) == dealt(GOLDEN)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"hands": ["5D", "5D"]}, "position: 5D is there twice"),
        ({"hands": ["5D", ""], "turn": 1}, "hands: with seat 1 to play"),
        ({"hands": ["5D 6D 7D", "8D"]}, "hands: with seat 0 to play"),
        ({"hands": ["", ""]}, "hands: with seat 0 to play"),
        ({"hands": ["5D", "6D"], "stock": "2S 3S"}, "stock: not a multiple of 8 cards"),
        ({"hands": ["5D", "6D"], "piles": ["2S 3S", ""]}, "position: missing 4S"),
        ({"hands": ["5D", "6D"], "dealer": 0, "turn": 0}, "dealer: by the number of cards in the hands it is seat 1"),
        ({"hands": ["5D", "6D"], "basra": [1]}, "basra: 2 are needed, not 1"),
    ],
)
def test_a_position_that_cannot_be_is_refused(given: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        GAME.scenarios.place(settings(), msgspec.convert(given, Position))


def test_a_position_goes_on_to_the_end_of_its_hand() -> None:
    stock = " ".join(PACK[:8])
    state = position("5D", "6D KD", stock=stock, floor="KH", totals=(10, 20))
    assert (state.turn, state.dealer, state.batch) == (1, 1, 5)
    state = play(state, "6D", "5D", "KD")
    assert state.batch == 6
    while state.phase is Phase.TURN:
        state = play(state, GAME.legal(state, state.turn)[0].card)
    assert sum(score.cards for score in state.scores) == 52


def test_facts_are_those_announced() -> None:
    facts = GAME.scenarios.facts(dealt(GOLDEN))
    common = {"phase", "turn", "hands", "deal_points", "totals", "team_totals", "places", "winner"}
    assert facts.keys() == common | set(GAME.scenarios.accepts)
    assert facts["turn"] == 0
    assert facts["hands"] == [GOLDEN[:4], GOLDEN[4:8]]


def test_partners_share_one_total_in_a_result() -> None:
    of = settings(players=4)
    assert GAME.scenarios.final(of, (130, 90, 130, 90), Seat(1)).places == (1, 3, 1, 3)
    with pytest.raises(ValueError, match="partners share one total"):
        GAME.scenarios.final(of, (130, 90, 131, 90), Seat(1))


def test_every_worked_example_is_a_scenario() -> None:
    stems = [path.stem for path in SCENARIOS.glob("*.json")]
    for number in range(1, 33):
        assert any(stem.startswith(f"ex-{number:02}") for stem in stems), number
    assert "golden-hand" in stems


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.json")), ids=lambda path: path.stem)
def test_scenarios_set_up_by_the_hooks(path: Path) -> None:
    given = json.loads(path.read_text())
    hooks = GAME.scenarios
    of = settings(given["variant"], **given["options"])
    if "position" in given:
        assert hooks.place(of, msgspec.convert(given["position"], Position)).phase is Phase.TURN
    elif "final" in given:
        result = hooks.final(of, tuple(given["final"]["totals"]), Seat(given["final"]["first"]))
        assert list(result.places) == given["expect"]["places"]
    else:
        state = hooks.begin(of, msgspec.convert(given["start"], Start)) if "start" in given else GAME.start(of)
        deal = msgspec.convert(given["deals"][0], Deal)
        assert fold(state, GAME.proceed(state, hooks.stack(state, deal))).phase is Phase.TURN
