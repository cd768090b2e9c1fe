import pytest

from domain.games.banakil import GAME
from domain.games.banakil.commands import Draw, Throw
from domain.games.banakil.pack import CODES, FACE, is_real, members
from domain.games.banakil.state import State
from tests.domain.games.banakil.tables import S0, S1, at, chance, play, proceeded, settings, steps, take


def timed_out(state: State) -> tuple[State, str]:
    """Return the state after the clock has ended the turn, and the card that it threw."""
    before = state.turn
    thrown = ""
    while state.turn == before and state.phase in {"turn_draw", "turn_play"}:
        command = GAME.automatic(state, before, chance())
        thrown = command.card if isinstance(command, Throw) else thrown
        state = play(state, (before, command))
    return state, thrown


def test_bnk_114_115_draw_from_the_stock_and_throw_and_nothing_else() -> None:
    state = at("7D 8D 9D KC", phase="turn_draw", stock="6H 4S", ground=None)
    assert GAME.automatic(state, S0, chance()) == Draw()
    after, thrown = timed_out(state)
    assert (thrown, after.melds, after.turn) == ("6H", (), S1)


CHOICES = {
    "the drawn real card": ("KS QS 3D", "3D", "3D"),
    "not a drawn 2": ("4D KC JK1 2S", "2S", "KC"),
    "not a drawn joker": ("4D 3C JK1", "JK1", "4D"),
    "the highest value": ("3S 7D 4C", None, "7D"),
    "by rank": ("TS KH QS AD JC", None, "AD"),
    "low ranks": ("3S 6D 5H 4C", None, "6D"),
    "by suit": ("KC KD KH", None, "KH"),
    "spades first": ("KC KS KH", None, "KS"),
    "a 2 at last": ("2C 2H JK1", None, "2H"),
    "a joker at the very last": ("JK2 JK1", None, "JK1"),
    "of two copies the lower": ("KC.2 KC.1 3S", None, "KC"),
    "the drawn copy itself": ("KC.2 KC.1 3S", "KC.2", "KC.2"),
}


@pytest.mark.parametrize(("held", "drawn", "thrown"), CHOICES.values(), ids=CHOICES.keys())
def test_bnk_116_what_the_clock_throws(held: str, drawn: str | None, thrown: str) -> None:
    state = at(held, drawn=drawn)
    command = GAME.automatic(state, S0, chance())
    assert command == Throw(card=thrown)
    assert CODES.index(thrown) in members(state.hands[0])


def test_bnk_116_cards_from_the_ground_have_no_such_right_of_way() -> None:
    state = play(at("KS", phase="turn_draw", ground="3D 4D"), (S0, take("3D", 1)))
    assert timed_out(state)[1] == "KS"


def test_bnk_117_the_clock_may_throw_the_last_card() -> None:
    state, thrown = timed_out(at("JK1", melds=[{"cards": "7H 8H 9H", "laid_by": 0}]))
    assert thrown == "JK1"
    assert state.score is not None
    assert (state.score.how, state.score.points[0]) == ("throw", 46)


def test_bnk_119_no_penalty() -> None:
    assert timed_out(at("KS QS", phase="turn_draw"))[0].totals == (0, 0, 0, 0)


def test_bnk_120_in_the_first_turn_the_clock_only_throws() -> None:
    state = proceeded(GAME.start(settings(first=S0)))
    assert isinstance(GAME.automatic(state, S0, chance()), Throw)


def test_bnk_116_over_whole_matches_a_2_or_joker_goes_only_when_nothing_else_is_left() -> None:
    asked = 0
    for seed in range(3):
        for state, _, _ in steps(seed, automatic=0.5):
            prompt = GAME.prompt(state)
            if prompt is None or state.phase != "turn_play":
                continue
            command = GAME.automatic(state, state.turn, chance())
            assert isinstance(command, Throw)
            assert GAME.decide(state, state.turn, command)
            hand = list(members(state.hands[state.turn]))
            if any(is_real(card) for card in hand):
                assert is_real(next(card for card in hand if command.card.startswith(CODES[FACE[card]][:2])))
            asked += 1
    assert asked > 100
