from typing import Any

import pytest

from domain.game import Seat
from domain.games.banakil import GAME
from domain.games.banakil.events import HandScored, MatchEnded
from domain.games.banakil.scenario import final
from domain.games.banakil.state import State
from tests.domain.games.banakil.tables import DRAW, S0, S1, S2, S3, at, chance, extend, fold, lay, play, settings, throw

OURS = {"cards": "7H 8H 9H", "laid_by": 0}  # 6 half-points
THEIRS = {"cards": "3D 4D 5D", "laid_by": 1}  # 3 half-points


def scored(state: State, seat: Seat, command: Any) -> HandScored:
    (event,) = [event for event in GAME.decide(state, seat, command) if isinstance(event, HandScored)]
    return event


def test_bnk_6_96_a_wild_card_counts_its_own_value() -> None:
    state = at("9D", melds=[{"cards": "7H 8H 2C TH", "laid_by": 0}, {"cards": "AS AH JK1", "laid_by": 2}])
    assert scored(state, S0, throw("9D")).laid == (10, 0, 12, 0)


def test_bnk_7_halves_are_never_rounded() -> None:
    state = at("9D", "3S", melds=[OURS, THEIRS], totals=[0.5, 1, 0, 0])
    assert scored(state, S0, throw("9D")).totals == (1 + 46, 2 + 2, -40, -40)
    assert GAME.scenarios.facts(play(state, (S0, throw("9D"))))["totals"] == [23.5, 2, -20, -20]


def test_bnk_94_97_to_101_each_seat_alone_and_the_team_is_the_sum() -> None:
    """Out and opened; opened; neither; and the partner of who went out has no bonus."""
    state = at("9D", "KS KD 3C", "QS", "JS", melds=[OURS, THEIRS, {"cards": "3H 4H 5H", "laid_by": 2}])
    event = scored(state, S0, throw("9D"))
    assert event.points == (6 + 40, 3 - 5, 3 - 2, -40)
    assert event.left == (0, 5, 2, 2)
    assert event.opened == (True, True, True, False)
    assert GAME.scenarios.facts(play(state, (S0, throw("9D"))))["team_totals"] == [23.5, -21]


def test_bnk_95_opened_stays_true_for_the_hand() -> None:
    state = play(at("7H 8H 9H KC QC", "3S 4S"), (S0, lay("7H 8H 9H")), (S0, throw("KC")), (S1, DRAW))
    assert state.opened == 1
    assert play(state, (S1, throw("3S"))).opened == 1


def test_bnk_98_who_never_opened_has_minus_20_and_what_he_added_counts_for_nobody() -> None:
    state = at("9D", "3S", "", "", melds=[{"cards": "7H 8H 9H TH", "laid_by": [2, 2, 2, 0]}], turn=1)
    assert scored(state, S1, throw("3S")).points == (-40, 0, 6, -40)


@pytest.mark.parametrize("left", ["", "JK1 JK2 2S 2H KS"])
def test_bnk_98_whatever_he_holds(left: str) -> None:
    assert scored(at("9D", left, "", ""), S0, throw("9D")).points[1] == -40


def test_bnk_100_out_without_opening_is_nought() -> None:
    state = at("9D", melds=[{"cards": "7H 8H 9H TH", "laid_by": [2, 2, 2, 0]}])
    assert scored(state, S0, throw("9D")).points[0] == 0
    by_adding = at("JH", melds=[{"cards": "7H 8H 9H TH", "laid_by": [2, 2, 2, 0]}])
    assert scored(by_adding, S0, extend("m1", "7H 8H 9H TH JH")).points[0] == 0


def test_bnk_102_a_dead_hand_has_no_bonus() -> None:
    state = at("9D KC", "3S", "QS", "JS", melds=[OURS, THEIRS], stock="", reshuffles=2)
    assert scored(state, S0, throw("9D")).points == (6 - 2, 3 - 1, -40, -40)


def test_bnk_103_104_out_in_the_first_turn_all_at_once() -> None:
    state = at("7H 8H 9H", "KS", "QS", "JS", first_turn=True)
    assert scored(state, S0, lay("7H 8H 9H")).points == (46, -40, -40, -40)


def test_bnk_105_totals_may_go_below_zero() -> None:
    assert scored(at("9D", totals=[-300, -400, 0, 0]), S0, throw("9D")).totals == (-600, -840, -40, -40)


# Seat 0 goes out unopened: -20 points for his team, -40 for the other.
ENDS: dict[str, tuple[float, float, bool, int | None, bool]] = {
    "BNK-107 nobody there": (201.5, 201.5, False, None, False),
    "BNK-108 one there by a half": (202, 201.5, False, 0, False),
    "BNK-108 the other one": (-60, 202, False, 1, False),
    "BNK-109 5.5 ahead": (207.5, 202, False, 0, False),
    "BNK-109 5 ahead": (207, 202, False, None, True),
    "BNK-109 level": (203, 203, False, None, True),
    "BNK-109 far ahead": (203, 230, False, 1, False),
    "BNK-110 one there, 5 ahead": (202, 197, True, None, True),
    "BNK-110 none there, 5.5 ahead": (190, 195.5, True, 1, False),
    "BNK-110 level below": (100, 100, True, None, True),
}


@pytest.mark.parametrize(("ours", "theirs", "deciding", "winner", "more"), ENDS.values(), ids=ENDS.keys())
def test_bnk_106_to_110_the_end_of_the_match(
    ours: float,
    theirs: float,
    deciding: bool,  # noqa: FBT001
    winner: int | None,
    more: bool,  # noqa: FBT001
) -> None:
    state = at("9D", totals=[ours + 20, theirs + 40, 0, 0], deciding=deciding, hand=7, first=2)
    events = GAME.decide(state, S0, throw("9D"))
    after = fold(state, events)
    assert (after.winner, after.deciding) == (winner, more)
    assert isinstance(events[-1], MatchEnded) == (winner is not None)
    result = GAME.result(after)
    if winner is None:
        assert result is None
        assert after.phase == "hand_scored"
        return
    assert result is not None
    assert result.team_totals == (2 * ours, 2 * theirs)
    assert result.places == ((1, 3, 1, 3) if winner == 0 else (3, 1, 3, 1))
    assert result.first == S2
    assert GAME.prompt(after) is None


def test_bnk_111_a_deciding_hand_is_dealt_like_any_other_and_added() -> None:
    state = at("9D", totals=[226, 245, 0, 0], starter=1)
    state = play(state, (S0, throw("9D")))
    assert state.deciding
    dealt = fold(state, GAME.proceed(state, chance()))
    assert (dealt.turn, dealt.hand, dealt.deciding, dealt.totals) == (S2, 2, True, state.totals)


def test_bnk_112_no_draw() -> None:
    result = final(settings(), (100, 100, 103, 50), S3)
    assert not result.draw
    assert result.places == (1, 3, 1, 3)


def test_bnk_7_nothing_finer_than_a_half_point() -> None:
    with pytest.raises(ValueError, match="half points"):
        final(settings(), (0.25, 0, 0, 0), S0)  # type: ignore[arg-type]
