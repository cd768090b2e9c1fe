from typing import Any

import pytest

from domain.game import Result, Seat
from domain.games.leekha import BINT_SBEET, LEEKHA
from domain.games.leekha.events import HandScored, MatchEnded, ScoreLine
from tests.domain.games.leekha.hands import AnyOfBoth, both, finish, last_cards, settings

HEARTS = "23456789TJQKA"
SPREAD = (("QS", "TD", "5H", " ".join(rank + "H" for rank in HEARTS if rank != "5")), (3, 3, 2, 5))
ALL_HEARTS = " ".join(rank + "H" for rank in HEARTS)


def hearts(ranks: str) -> str:
    return " ".join(rank + "H" for rank in ranks)


def scored(
    game: AnyOfBoth,
    taken: tuple[str, ...],
    tricks: tuple[int, ...],
    options: dict[str, object] | None = None,
    **parts: Any,
) -> HandScored:
    _, events = finish(game, last_cards(game, taken, tricks, options, **parts))
    score = events[2]
    assert isinstance(score, HandScored)
    return score


@pytest.mark.parametrize(
    ("doubled", "bint", "leekha"),
    [
        ("", (13, 10, 1, 12), (13, 10, 1, 12)),
        ("QS", (26, 10, 1, 12), (26, 10, 1, 12)),
        ("TD", (13, 20, 1, 12), (13, 20, 1, 12)),
        ("QS TD", (26, 20, 2, 24), (26, 20, 1, 12)),
    ],
)
def test_sbt_11_12_30_32_lkh_7_8_14_15_points_of_cards(
    doubled: str, bint: tuple[int, ...], leekha: tuple[int, ...]
) -> None:
    assert scored(BINT_SBEET, *SPREAD, doubled=doubled).points == bint
    assert scored(LEEKHA, *SPREAD, doubled=doubled).points == leekha
    assert sum(bint) == {"": 36, "QS": 49, "TD": 46, "QS TD": 72}[doubled]
    assert sum(leekha) == {"": 36, "QS": 49, "TD": 46, "QS TD": 59}[doubled]


def test_option_hearts_double_when_both_off() -> None:
    score = scored(BINT_SBEET, *SPREAD, {"hearts_double_when_both": False}, doubled="QS TD")
    assert score.points == (26, 20, 1, 12)


def test_sbt_16_17_no_trick_costs_minus_ten_and_announced_minus_twenty_instead() -> None:
    hand = (("", "", "QS TD", ALL_HEARTS), (0, 0, 7, 6))
    assert scored(BINT_SBEET, *hand, announced=(1,)).points == (-10, -20, 23, 13)
    assert scored(BINT_SBEET, *hand, {"minus": False}).points == (0, 0, 23, 13)


def test_lkh_10_no_trick_costs_nothing_in_leekha() -> None:
    assert scored(LEEKHA, ("", "", "QS TD", ALL_HEARTS), (0, 0, 7, 6)).points == (0, 0, 23, 13)


@pytest.mark.parametrize(
    ("doubled", "queen", "ten", "heart"),
    [("", 26, 20, 2), ("QS", 52, 20, 2), ("TD", 26, 40, 2), ("QS TD", 52, 40, 4)],
)
def test_sbt_21_22_24_a_failed_announcement_doubles_the_announcers_points_only(
    doubled: str, queen: int, ten: int, heart: int
) -> None:
    both_doubled = 2 if doubled == "QS TD" else 1
    for taken, own in (("QS", queen), ("TD", ten), ("2H", heart)):
        others = " ".join(code for code in ["QS", "TD", *ALL_HEARTS.split()] if code != taken)
        score = scored(BINT_SBEET, (taken, "", "", others), (3, 2, 2, 6), doubled=doubled, announced=(0,))
        plain = 13 * both_doubled + (26 if "QS" in doubled else 13) + (20 if "TD" in doubled else 10) - own // 2
        assert score.points == (own, 0, 0, plain)


def test_sbt_19_each_announcement_is_judged_alone() -> None:
    taken = ("", "QS " + hearts("2345678"), "TD", hearts("9TJQKA"))
    assert scored(BINT_SBEET, taken, (0, 6, 1, 6), announced=(0, 2)).points == (-20, 20, 20, 6)


def test_sbt_20_23_any_trick_fails_a_minus_and_without_penalty_cards_it_scores_nothing() -> None:
    score = scored(BINT_SBEET, ("", "QS TD", "", ALL_HEARTS), (1, 3, 3, 6), announced=(0,))
    assert score.points == (0, 23, 0, 13)
    assert [line.seat for line in score.lines] == [1, 1, 3]


@pytest.mark.parametrize(("announced", "points"), [((), (-10, -10, 23, 13)), ((0,), (-20, -10, 23, 13))])
def test_sbt_31_option_minus_basis_no_penalty_cards(announced: tuple[int, ...], points: tuple[int, ...]) -> None:
    hand = (("", "", "QS TD", ALL_HEARTS), (2, 2, 4, 5))
    score = scored(BINT_SBEET, *hand, {"minus_basis": "no_penalty_cards"}, announced=announced)
    assert score.points == points


def test_sbt_31_option_minus_basis_fails_with_a_penalty_card() -> None:
    hand = (("2H", "", "QS TD", hearts("3456789TJQKA")), (2, 2, 4, 5))
    score = scored(BINT_SBEET, *hand, {"minus_basis": "no_penalty_cards"}, announced=(0, 1))
    assert score.points == (2, -20, 23, 12)


@both
def test_sbt_33_lkh_17_taking_everything_has_no_effect_of_its_own(game: AnyOfBoth) -> None:
    everything = ("", "", "", "QS TD " + ALL_HEARTS)
    assert scored(game, everything, (3, 3, 2, 5)).points == (0, 0, 0, 36)


def test_sbt_33_totals_may_be_negative() -> None:
    score = scored(BINT_SBEET, ("", "QS", "TD", ALL_HEARTS), (0, 4, 4, 5), totals=(5, 0, 0, 0), announced=(0,))
    assert score.totals[0] == -15


def test_sbt_30_a_hand_is_scored_line_by_line() -> None:
    taken = ("QS TD 2H", "", "", hearts("3456789TJQKA"))
    score = scored(BINT_SBEET, taken, (3, 0, 5, 5), doubled="TD", announced=(0, 1))
    zero, one, three = Seat(0), Seat(1), Seat(3)
    assert score.lines == (
        ScoreLine(zero, "queen", 13),
        ScoreLine(zero, "ten", 20),
        ScoreLine(zero, "hearts", 1),
        ScoreLine(zero, "minus_failed", 34),
        ScoreLine(one, "minus_made", -20),
        ScoreLine(three, "hearts", 12),
    )


@both
def test_sbt_45_points_so_far_are_public_during_the_hand(game: AnyOfBoth) -> None:
    state = last_cards(game, *SPREAD, doubled="QS", announced=(0,) if game is BINT_SBEET else ())
    queen = 52 if game is BINT_SBEET else 26
    assert game.view(state, Seat(2)).points == (queen, 10, 1, 12)  # type: ignore[attr-defined]


def test_lkh_16_teams_add_their_players_points_and_both_are_kept() -> None:
    state, _ = finish(LEEKHA, last_cards(LEEKHA, *SPREAD, totals=(1, 2, 3, 4)))
    view = LEEKHA.view(state, Seat(0))
    assert view.totals == (14, 12, 4, 16)  # type: ignore[attr-defined]
    assert view.team_totals == (18, 28)  # type: ignore[attr-defined]


# The end of the match: SPREAD adds 13, 10, 1 and 12.


def ending(
    game: AnyOfBoth, totals: tuple[int, ...], options: dict[str, object] | None = None, **parts: Any
) -> MatchEnded | None:
    """Return the end of the match, if these totals after a hand bring it."""
    before = tuple(total - points for total, points in zip(totals, (13, 10, 1, 12), strict=True))
    state, events = finish(game, last_cards(game, *SPREAD, options, totals=before, **parts))
    end = events[-1]
    if isinstance(end, MatchEnded):
        assert (state.phase, game.prompt(state), game.result(state) is None) == ("match_end", None, False)
        return end
    assert (state.phase, game.result(state)) == ("hand_score", None)
    return None


@pytest.mark.parametrize(
    ("totals", "places"),
    [
        ((151, 90, 60, 75), (4, 3, 1, 2)),
        ((150, 90, 60, 75), None),
        ((200, 90, 160, 75), (4, 2, 3, 1)),
        ((152, 60, 60, 100), None),
        ((155, 60, 90, 90), (4, 1, 2, 2)),
        ((155, 155, 155, 90), (2, 2, 2, 1)),
        ((155, 90, 90, 90), None),
    ],
)
def test_sbt_34_35_37_end_ties_and_places(totals: tuple[int, ...], places: tuple[int, ...] | None) -> None:
    end = ending(BINT_SBEET, totals)
    assert (end and end.places) == places


def test_sbt_36_the_end_stays_due_once_the_target_was_reached() -> None:
    assert ending(BINT_SBEET, (140, 80, 76, 110), target_reached=True) is not None
    assert ending(BINT_SBEET, (140, 80, 80, 110), target_reached=True) is None
    assert ending(BINT_SBEET, (140, 80, 76, 110)) is None


@pytest.mark.parametrize("target", [51, 101, 151, 201])
@both
def test_option_target(game: AnyOfBoth, target: int) -> None:
    short, reached = (target - 1, 13, 1, 12), (target, 13, 1, 12)
    if game is LEEKHA:
        short, reached = (target - 2, 13, 1, 12), (target - 1, 13, 1, 12)
    assert ending(game, short, {"target": target}) is None
    assert ending(game, reached, {"target": target}) is not None


@pytest.mark.parametrize(
    ("totals", "places"),
    [
        ((53, 30, 48, 30), (3, 1, 3, 1)),
        ((52, 30, 48, 30), None),
        ((60, 60, 45, 51), (1, 3, 1, 3)),
        ((60, 60, 41, 41), None),
        ((60, 70, 45, 20), (3, 1, 3, 1)),
        ((101, 60, 0, 60), (1, 3, 1, 3)),
    ],
)
def test_lkh_18_19_20_21_end_by_team_sums(totals: tuple[int, ...], places: tuple[int, ...] | None) -> None:
    end = ending(LEEKHA, totals)
    assert (end and end.places) == places


@pytest.mark.parametrize(
    ("totals", "places"),
    [
        ((60, 70, 45, 20), None),
        ((101, 60, 1, 60), (3, 1, 3, 1)),
        ((101, 101, 1, 60), (1, 3, 1, 3)),
        ((101, 101, 60, 12), (3, 1, 3, 1)),
        ((101, 101, 40, 40), None),
        ((101, 20, 101, 130), (1, 3, 1, 3)),
    ],
)
def test_option_end_basis_individual(totals: tuple[int, ...], places: tuple[int, ...] | None) -> None:
    end = ending(LEEKHA, totals, {"end_basis": "individual"})
    assert (end and end.places) == places


@pytest.mark.parametrize(("hand_no", "dealer", "first"), [(1, 0, 1), (2, 0, 0), (5, 3, 0), (7, 1, 0)])
@both
def test_tbl_23_odd_money_goes_round_from_the_first_hands_leader(
    game: AnyOfBoth, hand_no: int, dealer: int, first: int
) -> None:
    state, _ = finish(game, last_cards(game, *SPREAD, totals=(200, 10, 20, 30), hand_no=hand_no, dealer=dealer))
    result = game.result(state)
    assert isinstance(result, Result)
    assert result.first == first
    assert result.totals == (213, 20, 21, 42)
    assert result.team_totals == ((234, 62) if game is LEEKHA else None)


def test_sbt_43_lkh_23_results_for_the_pot() -> None:
    alone = BINT_SBEET.scenarios.final(settings(BINT_SBEET), (40, 70, 70, 160), Seat(0))
    assert alone.places == (1, 2, 2, 4)
    team = LEEKHA.scenarios.final(settings(LEEKHA), (61, 30, 50, 20), Seat(1))
    assert (team.places, team.draw) == ((3, 1, 3, 1), False)
