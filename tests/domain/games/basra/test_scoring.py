import pytest

from domain.cards import CARDS, FULL, card_set
from domain.game import Prompt, Seat
from domain.games.basra import GAME
from domain.games.basra.events import HandDealt, HandScored, MatchEnded, SideScore
from domain.games.basra.scoring import is_over, side_score
from domain.games.basra.state import Phase
from domain.games.basra.view import view
from domain.options import BadOption, checked
from tests.domain.games.basra.plays import Chance, endgame, fold, random_match, rules, scored, settings


@pytest.mark.parametrize(("cards", "points"), [(27, 30), (26, 0), (25, 0), (52, 30)])
def test_bsr_42_the_majority_is_27_cards(cards: int, points: int) -> None:
    assert scored(endgame("", cards)).scores[0].majority == points


@pytest.mark.parametrize(
    ("pile", "points"), [("TD", 3), ("2C", 2), ("TD 2C", 5), ("TS 2S", 0), ("AS AH", 2), ("JS JH JD JC", 4), ("KS", 0)]
)
def test_bsr_43_44_points_of_cards(pile: str, points: int) -> None:
    score = side_score(card_set(CARDS[code] for code in pile.split()), majority=0, basras=0, jack_bonus=0)
    assert score.points == points


def test_bsr_45_27_cards_four_of_them_counting_and_one_basra() -> None:
    first, second = scored(endgame("TD 2C AS JH", 27, basra=(1, 0))).scores
    assert first == SideScore(
        cards=27, majority=30, ten_of_diamonds=3, two_of_clubs=2, aces=1, jacks=1, basra=10, jack_on_jack=0, points=47
    )
    assert (second.points, second.aces, second.jacks) == (6, 3, 3)


def test_bsr_46_a_whole_pack_is_worth_13_and_43() -> None:
    assert side_score(FULL, majority=0, basras=0, jack_bonus=0).points == 13
    assert side_score(FULL, majority=30, basras=0, jack_bonus=0).points == 43


@pytest.mark.parametrize(("before", "after"), [(0, 30), (30, 60), (60, 90)])
def test_bsr_47_26_each_carries_the_majority_on(before: int, after: int) -> None:
    state = scored(endgame("TD", 26, carry=before))
    assert state.carry == after
    assert [score.majority for score in state.scores] == [0, 0]
    assert view(state, Seat(0)).carry == after


@pytest.mark.parametrize("carry", [0, 30, 60])
def test_bsr_48_a_majority_takes_the_carry(carry: int) -> None:
    state = scored(endgame("TD", 27, carry=carry))
    assert state.scores[0].majority == 30 + carry
    assert state.carry == 0


def test_bsr_48_a_carry_open_at_the_end_is_void() -> None:
    state = scored(endgame("TD AS AH JS JH", 26, (110, 100), basra=(1, 0)))
    assert (state.totals, state.phase, state.carry) == ((127, 106), Phase.MATCH_END, 0)


@pytest.mark.parametrize(
    ("before", "totals", "places"),
    [
        ((86, 60), (121, 68), (1, 2)),  # BSR-49: reaching is enough
        ((85, 60), (120, 68), None),
        ((92, 113), (127, 121), (1, 2)),  # BSR-50
        ((90, 125), (125, 133), (2, 1)),
        ((90, 117), (125, 125), None),  # BSR-51
    ],
)
def test_bsr_49_50_51_the_end_of_a_match(
    before: tuple[int, int], totals: tuple[int, int], places: tuple[int, int] | None
) -> None:
    state = scored(endgame("TD AS JS", 30, before))
    assert state.totals == totals
    result = GAME.result(state)
    assert (result and result.places) == places
    assert result is None or result.totals == totals


def test_bsr_51_after_a_tie_an_ordinary_hand_follows() -> None:
    state = scored(endgame("TD AS JS", 30, (90, 117)))
    assert GAME.prompt(state) == Prompt(number=3, kind="hand_break", seats=(), commands=(), seconds=8)
    events = GAME.proceed(state, Chance(1))
    assert isinstance(events[0], HandDealt)
    assert events[0].dealer == (state.dealer + 1) % 2
    assert fold(state, events).totals == (125, 125)


def test_bsr_52_quick_play_is_one_hand() -> None:
    state = scored(endgame("TD AS AH JS JH", 26, variant="single_hand"))
    assert (state.totals, state.phase, GAME.prompt(state)) == ((7, 6), Phase.MATCH_END, None)
    result = GAME.result(state)
    assert result is not None
    assert (result.places, result.draw, result.team_totals) == ((1, 2), False, None)
    assert view(state, Seat(0)).target is None


@pytest.mark.parametrize("target", [31, 61, 101, 501])
def test_bsr_53_the_host_may_choose_the_target(target: int) -> None:
    assert is_over(rules(target=target), (target, 0))
    assert not is_over(rules(target=target), (target - 1, 0))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", 30),
        ("target", 502),
        ("players", 3),
        ("capture_overlap", "any"),
        ("komi_basra", "never"),
        ("jack_on_jack", 10),
        ("turn_seconds", 4),
        ("turn_seconds", 61),
        ("format", "match"),
    ],
)
def test_bsr_53_54_v2_options_have_bounds(name: str, value: object) -> None:
    with pytest.raises(BadOption):
        checked(GAME.options, {name: value})


def test_bsr_54_defaults_of_the_clock() -> None:
    options = settings().options
    assert (options["turn_seconds"], options["hand_break_seconds"], options["target"]) == (20, 8, 121)


def test_bsr_59_first_of_the_result_is_the_one_who_opened_the_match() -> None:
    for players in (2, 4):
        steps = random_match(59, players=players)
        openers = [after.turn for _, event, after in steps if isinstance(event, HandDealt)]
        result = GAME.result(steps[-1][2])
        assert result is not None
        assert result.first == openers[0]
        assert not result.draw


def test_bsr_v1_teams_win_together() -> None:
    steps = random_match(7, players=4)
    result = GAME.result(steps[-1][2])
    assert result is not None
    assert result.team_totals is not None
    assert result.totals == result.team_totals * 2
    assert result.places in {(1, 3, 1, 3), (3, 1, 3, 1)}
    assert steps[-1][1] == MatchEnded(places=result.places)


def test_bsr_v4_a_jack_on_a_lone_jack_is_scored_apart() -> None:
    first, second = scored(endgame("TD", 27, jack_bonus=(30, 0))).scores
    assert (first.jack_on_jack, first.basra, first.points) == (30, 0, 63)
    assert second.jack_on_jack == 0


def test_the_scored_hand_holds_everything_of_it() -> None:
    for before, event, after in random_match(3):
        if isinstance(event, HandScored):
            assert event.scores == after.scores
            assert event.totals == tuple(t + s.points for t, s in zip(before.totals, event.scores, strict=True))
