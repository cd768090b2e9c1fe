"""``shadda games`` and ``shadda settings``."""

from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.options import checked
from services.settings import Settings
from tests.services.cli.shell import document, fault, run


def test_every_game_is_listed_with_what_can_be_set() -> None:
    games = {one["game"]: one for one in document("games")["games"]}
    assert games.keys() == GAMES.keys()
    for name, game in GAMES.items():
        assert games[name]["variants"] == list(game.variants)
        assert games[name]["rules_version"] == game.rules_version
        options = {one["name"]: one for one in games[name]["options"]}
        assert set(options) == {option.name for option in game.options}
        # The list says enough to make lawful options of: each default, each choice, both ends of each range.
        for described in options.values():
            for value in lawful(described):
                checked(game.options, {described["name"]: value})
    assert games["trix"]["variants"][0] == "complex_partnership"


def lawful(option: dict[str, Any]) -> list[Any]:
    match option["type"]:
        case "switch":
            return [True, False, option["default"]]
        case "words":
            return [[choice] for choice in option["choices"]] + [option["default"]]
    assert option["type"] in ("number", "word")
    choices = option.get("choices") or [option["minimum"], option["maximum"]]
    return [*choices, option["default"]]


def test_games_for_people() -> None:
    text = run("games").stdout
    assert "trix: Trix, rules version 1" in text
    assert "  variants: complex_partnership (default), complex, partnership, individual" in text
    assert "  turn_seconds = 20  (5 to 120)  time to play a card" in text


def test_every_setting_has_a_variable_a_value_and_a_meaning() -> None:
    rows = document("settings", "--data", "elsewhere", SHADDA_PORT="9999")["settings"]
    assert [row["setting"] for row in rows] == [field.name for field in msgspec.structs.fields(Settings)]
    by_name = {row["setting"]: row for row in rows}
    assert all(row["variable"] == f"SHADDA_{row['setting'].upper()}" and row["about"] for row in rows)
    assert by_name["port"]["value"] == 9999
    assert by_name["log"]["value"] == "elsewhere"
    text = run("settings", SHADDA_PORT="9999").stdout
    assert len(text.splitlines()) == len(rows) + 1
    assert "SHADDA_PORT" in text
    assert "9999" in text


@pytest.mark.parametrize("name", ["LOG_KEY", "TOKEN_KEY", "SESSION_KEY", "SEED", "NATS_URL"])
def test_secrets_are_not_shown(name: str) -> None:
    environment: dict[str, Any] = {f"SHADDA_{name}": "abcdef0123" * 4, "SHADDA_PRIVATE": "true"}
    text = run("settings", **environment).stdout + run("settings", "--json", **environment).stdout
    assert "abcdef0123" not in text
    rows = {row["variable"]: row["value"] for row in document("settings", **environment)["settings"]}
    assert rows[f"SHADDA_{name}"] == "set"
    assert list(rows.values()).count("set") == 1


@pytest.mark.parametrize(
    "address",
    ["postgresql://ann:hush@db.local:5432/shadda", "postgresql://db.local:5432/shadda?user=ann&password=hush"],
)
def test_the_password_of_a_database_is_not_shown(address: str) -> None:
    text = run("settings", SHADDA_LOG=address).stdout
    assert "postgresql://db.local:5432/shadda" in text
    assert "hush" not in text


def test_a_bad_setting_is_one_line() -> None:
    assert "SHADDA_PORT" in fault("settings", SHADDA_PORT="none")
    assert "SHADDA_COLOUR" in fault("settings", SHADDA_COLOUR="red")
