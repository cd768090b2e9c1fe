"""Options of a game (TBL-3, TBL-8): types, ranges, defaults, and what is refused."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.game import AnyGame, Settings
from domain.games import GAMES
from domain.options import BadOption, Option, checked

NUMBER = Option(name="seconds", default=20, minimum=5, maximum=120, about="time")
CHOICE = Option(name="target", default=1500, choices=(1000, 1500), about="points")
SWITCH = Option(name="passing", default=False, about="whether cards are passed")
WORD = Option(name="rule", default="off", choices=("off", "void"), about="a rule")
WORDS = Option(name="cycle", default=("left", "right"), choices=("left", "right", "none"), maximum=3, about="passes")
ALL = (NUMBER, CHOICE, SWITCH, WORD, WORDS)


@pytest.mark.parametrize(
    ("option", "given_", "value"),
    [
        (NUMBER, 5, 5),
        (NUMBER, 120, 120),
        (NUMBER, "60", 60),
        (CHOICE, 1000, 1000),
        (CHOICE, "1500", 1500),
        (SWITCH, True, True),
        (SWITCH, "on", True),
        (SWITCH, "true", True),
        (SWITCH, "off", False),
        (SWITCH, "false", False),
        (WORD, "void", "void"),
        (Option(name="margin", default="5", choices=("5", "off"), about="points"), 5, "5"),
        (Option(name="limit", default=0, choices=(0, 1000), about="points"), "off", 0),
        (WORDS, ["left"], ("left",)),
        (WORDS, ("none", "none", "none"), ("none", "none", "none")),
        (WORDS, "left,none", ("left", "none")),
    ],
)
def test_a_value_comes_back_in_the_options_own_type(option: Option, given_: object, value: object) -> None:
    checked_value = option.check(given_)
    assert checked_value == value
    assert type(checked_value) is type(option.default)


@pytest.mark.parametrize(
    ("option", "given_"),
    [
        (NUMBER, 4),
        (NUMBER, 121),
        (NUMBER, -5),
        (NUMBER, "-5"),
        (NUMBER, "5.0"),
        (NUMBER, "\u0665\u0665"),  # Arabic digits are for people, not for the wire
        (NUMBER, "\u00b2"),
        (NUMBER, " 5"),
        (NUMBER, ""),
        (NUMBER, "-"),
        (NUMBER, 20.0),
        (NUMBER, True),
        (Option(name="few", default=0, maximum=1, about="none or one"), True),
        (Option(name="few", default=0, choices=(0, 1), about="none or one"), False),
        (NUMBER, None),
        (NUMBER, [20]),
        (CHOICE, 1200),
        (CHOICE, "many"),
        (SWITCH, 1),
        (SWITCH, 0),
        (SWITCH, "yes"),
        (SWITCH, ""),
        (SWITCH, None),
        (WORD, "maybe"),
        (WORD, ""),
        (WORD, 0),
        (WORD, True),
        (WORD, ["off"]),
        (WORDS, []),
        (WORDS, ""),
        (WORDS, "left,up"),
        (WORDS, ["left"] * 4),
        (WORDS, [1]),
        (WORDS, [["left"]]),
        (WORDS, {"left": 1}),
        (WORDS, 7),
        (WORDS, None),
    ],
)
def test_any_other_value_is_refused_with_what_is_allowed(option: Option, given_: object) -> None:
    with pytest.raises(BadOption) as refused:
        option.check(given_)
    assert str(refused.value).startswith(f"option {option.name} is {option.allowed()}, not ")


def test_what_is_allowed_is_said_in_words() -> None:
    assert [option.allowed() for option in ALL] == [
        "5 to 120",
        "1000 | 1500",
        "on or off",
        "off | void",
        "a list of 1 to 3 of left | right | none",
    ]


def test_tbl_3_what_is_not_given_has_its_default_and_all_are_recorded() -> None:
    assert checked(ALL, {"passing": "on", "seconds": 30}) == {
        "seconds": 30,
        "target": 1500,
        "passing": True,
        "rule": "off",
        "cycle": ("left", "right"),
    }
    assert list(checked(ALL, {})) == [option.name for option in ALL]


def test_tbl_5_against_the_computer_an_option_may_be_fixed() -> None:
    options = (msgspec.structs.replace(SWITCH, fixed_against_computer=True), CHOICE)
    assert checked(options, {"passing": True})["passing"] is True
    assert checked(options, {"passing": False, "target": 1000}, against_computer=True)["target"] == 1000
    with pytest.raises(BadOption, match="passing stays off at a table against the computer"):
        checked(options, {"passing": True}, against_computer=True)


def test_an_option_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(BadOption, match="there is no option jokers"):
        checked(ALL, {"seconds": 30, "jokers": 2})


@given(value=st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text() | st.integers()))
def test_nothing_but_a_refusal_ever_comes_of_a_bad_value(value: object) -> None:
    for option in ALL:
        try:
            taken = option.check(value)
        except BadOption:
            continue
        assert option.check(taken) == taken


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_option_of_a_game_allows_its_default_and_describes_itself(game: AnyGame) -> None:
    names = [option.name for option in game.options]
    assert len(set(names)) == len(names)
    defaults = checked(game.options, {})
    for option in game.options:
        assert option.name.isidentifier()
        assert option.about
        assert option.check(option.default) == option.default == defaults[option.name]
        if isinstance(option.default, tuple):
            assert option.maximum >= len(option.default)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_starts_under_every_value_of_every_option(game: AnyGame) -> None:
    for option in game.options:
        for value in values(option):
            settings = Settings(variant=game.variants[-1], options=checked(game.options, {option.name: value}))
            assert game.result(game.start(settings)) is None
            assert game.seats(settings) in (2, 4)


def values(option: Option) -> list[Any]:
    """Return the values at the edges of what an option allows."""
    if isinstance(option.default, bool):
        return [True, False]
    if isinstance(option.default, tuple):
        return [option.choices[:1], option.default]
    return list(option.choices) or [option.minimum, option.maximum]
