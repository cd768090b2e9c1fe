"""The options of a private room; the defaults are what all other tests play by."""

import pytest

from domain.games.banakil import GAME
from domain.games.banakil.events import HandScored
from domain.games.banakil.rules import rules_of
from domain.options import BadOption
from tests.domain.games.banakil.tables import (
    DRAW,
    S0,
    S1,
    S2,
    at,
    chance,
    extend,
    fold,
    hand,
    lay,
    meld,
    play,
    refused,
    settings,
    take,
    throw,
)


def test_defaults_are_the_rules() -> None:
    rules = rules_of(settings())
    assert (rules.target, rules.margin, rules.reshuffles, rules.turn_seconds, rules.cut_seconds) == (404, 10, 2, 40, 15)
    assert (rules.bonus, rules.dead_hand_scores, rules.credit_sharer) == ("none", True, True)
    assert not any((rules.add_requires_open, rules.free_move, rules.natural, rules.keep_taken_top))


@pytest.mark.parametrize(
    "options",
    [{"target": 200}, {"turn_seconds": 4}, {"cut_seconds": 121}, {"reshuffles": 3}, {"deciding_margin": "6"}, {"x": 1}],
)
def test_other_values_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        settings(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("target", [150, 202, 222, 303])
def test_target(target: int) -> None:
    for more, over in ((0, True), (-0.5, False)):
        state = at("9D", options={"target": target}, totals=[target + 20 + more, 0, 0, 0])
        assert (GAME.result(play(state, (S0, throw("9D")))) is not None) == over


def test_deciding_margin_off_the_higher_team_wins_and_only_a_tie_goes_on() -> None:
    for ours, theirs, winner in ((202.5, 202, 0), (202, 207, 1), (203, 203, None)):
        state = at("9D", options={"deciding_margin": "off"}, totals=[ours + 20, theirs + 40, 0, 0])
        after = play(state, (S0, throw("9D")))
        assert (after.winner, after.deciding) == (winner, winner is None)


def test_add_requires_open() -> None:
    state = at(
        "8H 5D 6D 7D KC",
        options={"add_requires_open": True},
        melds=[{"cards": "5H 6H 7H", "laid_by": 2}, {"cards": "5S 6S 7S", "laid_by": 1}],
    )
    refused(state, S0, extend("m1", "5H 6H 7H 8H"), "MUST_OPEN_FIRST")
    refused(state, S0, extend("m2", "5S 6S 7S 8S"), "NOT_YOUR_TEAM_MELD")
    assert extend("m1", "5H 6H 7H 8H") not in GAME.legal(state, S0)
    state = play(state, (S0, lay("5D 6D 7D")))
    assert extend("m1", "5H 6H 7H 8H") in GAME.legal(state, S0)
    assert meld(play(state, (S0, extend("m1", "5H 6H 7H 8H")))) == "5H 6H 7H 8H"


@pytest.mark.parametrize(
    ("lies", "held", "result", "after"),
    [
        ("7H 8H 2C", "6H", "2C 6H 7H 8H", "2C(5H) 6H 7H 8H"),
        ("7H 8H 2C TH", "JK1", "7H 8H JK1 TH 2C", "7H 8H JK1(9H) TH 2C(JH)"),
        ("2C 8H 9H", "TH", "8H 9H TH 2C", "8H 9H TH 2C(JH)"),
    ],
)
def test_bankala_free_move(lies: str, held: str, result: str, after: str) -> None:
    melds = [{"cards": lies, "laid_by": 2}]
    refused(at(f"{held} KC", melds=melds), S0, extend("m1", result), "BANKALA_LOCKED")
    state = at(f"{held} KC", melds=melds, options={"bankala_free_move": True})
    assert meld(play(state, (S0, extend("m1", result)))) == after
    assert extend("m1", result) in GAME.legal(state, S0)
    without = " ".join(card for card in result.split() if card != "2C")
    code = "SEQ_NOT_CONSECUTIVE" if "JK1" in result or "TH" in lies else "BANKALA_LOCKED"
    if code == "BANKALA_LOCKED":
        refused(state, S0, extend("m1", without), code)


def test_own_suit_two_is_natural_beside_a_bankala() -> None:
    options = {"own_suit_two_is_natural": True}
    state = at("AH 2H 3H 4H 2S 2D KC", options=options)
    assert meld(play(state, (S0, lay("AH 2H 3H 4H 2S")))) == "AH 2H 3H 4H 2S(5H)"
    refused(state, S0, lay("2H 2S 2D"), "TOO_MANY_TWOS")
    refused(state, S0, lay("3H 4H 2S 2D"), "TOO_MANY_TWOS")
    refused(at("2H 2S JK1 KC", options=options), S0, lay("2H 2S JK1"), "TOO_MANY_TWOS")


def test_own_suit_two_is_natural_and_so_goes_home_to_let_another_bankala_in() -> None:
    state = at("2D 4H KC", options={"own_suit_two_is_natural": True}, melds=[{"cards": "2H 5H 6H", "laid_by": 2}])
    for result, after in (
        ("2H 2D 4H 5H 6H", "2H 2D(3H) 4H 5H 6H"),
        ("2H 4H 5H 6H", "2H(3H) 4H 5H 6H"),
        ("2H 2D 5H 6H", ""),
        ("4H 5H 6H 2H", "4H 5H 6H 2H(7H)"),
    ):
        assert (extend("m1", result) in GAME.legal(state, S0)) == bool(after)
        if after:
            assert meld(play(state, (S0, extend("m1", result)))) == after


def test_own_suit_two_is_natural_keeps_its_place_and_displaces_a_bankala() -> None:
    options = {"own_suit_two_is_natural": True}
    state = at("2H KC", options=options, melds=[{"cards": "AH 2C 3H 4H", "laid_by": 2}])
    done = play(state, (S0, extend("m1", "AH 2H 3H 4H 2C")))
    assert meld(done) == "AH 2H 3H 4H 2C(5H)"
    state = at("2C 5H KC", options=options, melds=[{"cards": "AH 2H 3H 4H", "laid_by": 2}])
    refused(state, S0, extend("m1", "AH 2C 3H 4H 5H"), "REAL_CARD_MOVED")
    assert meld(play(state, (S0, extend("m1", "AH 2H 3H 4H 5H 2C")))) == "AH 2H 3H 4H 5H 2C(6H)"


def test_own_suit_two_is_natural_frees_a_joker_beside_a_bankala() -> None:
    melds = [{"cards": "AH JK1 3H 4H 2S", "laid_by": 2}]
    state = at("2H KC", melds=melds, options={"own_suit_two_is_natural": True})
    state = play(state, (S0, extend("m1", "AH 2H 3H 4H 2S")))
    assert hand(state, S0) == ["KC", "JK1"]


def test_return_taken_top_forbidden() -> None:
    options = {"return_taken_top": "forbidden"}
    state = at("AS.2 KC", options=options, phase="turn_draw", ground="AS.1 3D")
    state = play(state, (S0, take("AS", 1)))
    refused(state, S0, throw("AS"), "TAKEN_TOP_CARD")
    refused(state, S0, throw("AS.1"), "TAKEN_TOP_CARD")
    assert set(GAME.legal(state, S0)) == {throw("KC"), throw("AS.2")}
    assert GAME.automatic(state, S0, chance()) == throw("AS.2")
    assert play(state, (S0, throw("AS.2"))).turn == S1
    both = play(at("KC", options=options, phase="turn_draw", ground="AS 3D"), (S0, take("3D", 2)))
    assert play(both, (S0, throw("AS"))).turn == S1
    alone = at("AS", options=options, taken_top="AS")
    assert play(alone, (S0, throw("AS"))).phase == "hand_scored"
    jokers = at("AS JK1", options=options, taken_top="AS")
    assert GAME.automatic(jokers, S0, chance()) == throw("JK1")


def points(bonus: str, *, other: list[dict[str, object]] | None = None, **position: object) -> tuple[int, ...]:
    state = at("7H 8H 9H KC", "3S", "4S", "5S", options={"all_at_once_bonus": bonus}, melds=other or [], **position)
    state = play(state, (S0, lay("7H 8H 9H")))
    (scored,) = [event for event in GAME.decide(state, S0, throw("KC")) if isinstance(event, HandScored)]
    return scored.points


def test_all_at_once_bonus() -> None:
    theirs = [{"cards": "3D 4D 5D", "laid_by": 1}]
    partners = [{"cards": "3D 4D 5D", "laid_by": 2}]
    assert points("none") == (46, -40, -40, -40)
    assert points("jawaker") == (204, 0, 0, 0)
    assert points("jawaker", other=theirs) == (102, 0, 0, 0)
    assert points("jawaker", other=partners) == (204, 0, 0, 0)
    assert points("jawaker", fresh=False) == (46, -40, -40, -40)
    assert points("home") == (80, -40, -40, -40)
    assert points("home", other=theirs) == (46, 2, -40, -40)
    assert points("home", other=partners) == (46, -40, 2, -40)
    assert points("home", fresh=False) == (46, -40, -40, -40)


def test_all_at_once_bonus_is_not_for_who_laid_in_an_earlier_turn_or_never_opened() -> None:
    options = {"all_at_once_bonus": "jawaker"}
    state = at("7H 8H 9H KC QC", "3S 4S", "4D 5D", "5C 6C", options=options, stock="JC TC 8C 7C 6S")
    state = play(state, (S0, lay("7H 8H 9H")), (S0, throw("KC")))
    for seat, card in ((1, "3S"), (2, "4D"), (3, "5C")):
        state = play(state, (state.turn, DRAW), (state.turn, throw(card)))
        assert seat != state.turn
    assert not state.fresh
    adding = at("TH", options=options, melds=[{"cards": "7H 8H 9H", "laid_by": 2}])
    after = play(adding, (S0, extend("m1", "7H 8H 9H TH")))
    assert after.score is not None
    assert after.score.points[0] == 0


def test_dead_hand_no_score() -> None:
    melds = [{"cards": "7H 8H 9H", "laid_by": 0}]
    state = at("9D KC", "3S", options={"dead_hand": "no_score"}, melds=melds, stock="", reshuffles=2)
    after = play(state, (S0, throw("9D")))
    assert after.score is not None
    assert (after.score.how, after.score.points) == ("dead", (0, 0, 0, 0))


def test_credit_additions_to_the_owner_of_the_meld() -> None:
    melds = [{"cards": "7H 8H 9H TH JH", "laid_by": [2, 2, 2, 0, 2]}]
    for credit, laid in (("sharer", (2, 0, 8, 0)), ("meld_owner", (0, 0, 10, 0))):
        state = at("9D", options={"credit_additions_to": credit}, melds=melds)
        after = play(state, (S0, throw("9D")))
        assert after.score is not None
        assert after.score.laid == laid


@pytest.mark.parametrize("reshuffles", [0, 1, 2])
def test_reshuffles(reshuffles: int) -> None:
    state = at("KC QC", "3S 4S", "4D 5D", "5C 6C", phase="turn_draw", stock="9D", options={"reshuffles": reshuffles})
    made = 0
    while state.phase != "hand_scored":
        if state.phase == "turn_end":
            state = fold(state, GAME.proceed(state, chance()))
            made += 1
        seat = state.turn
        state = play(state, (seat, DRAW), (seat, GAME.automatic(play(state, (seat, DRAW)), seat, chance())))
    assert made == state.reshuffles == reshuffles
    assert state.score is not None
    assert state.score.how == "dead"


def test_clocks() -> None:
    state = at("KC", options={"turn_seconds": 25})
    prompt = GAME.prompt(state)
    assert prompt is not None
    assert prompt.seconds == 25
    waiting = GAME.start(settings(owner=S2, cut_seconds=5))
    prompt = GAME.prompt(fold(waiting, GAME.proceed(waiting, chance())))
    assert prompt is not None
    assert (prompt.seconds, prompt.seats) == (5, (S2,))
