"""Every numbered rule has a row in ``docs/rules/`` that says what keeps it, and everything named there exists.

A row names test functions (``*`` stands for the rest of a name), scenario files, files of the project or texts of the
game. A rule that another part keeps says which: the table with the number of its rule, the client, the lobby, a room.
"""

import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from domain.games import GAMES

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs" / "rules"
RULES: Final = {
    "table": ("TBL", 31),
    "trix": ("TRX", 142),
    "banakil": ("BNK", 135),
    "basra": ("BSR", 62),
    "bint_sbeet": ("SBT", 46),
    "leekha": ("LKH", 24),
    "pinochle": ("PIN", 89),
}
TESTS_OF: Final = {"bint_sbeet": "leekha"}  # games whose tests are in another game's folder
ELSEWHERE: Final = re.compile(r"\bTBL-\d+|\bclient\b|\blobby\b|\broom\b|\bno rule of the engine\b")
TOKEN: Final = re.compile(r"`([^`]+)`")
BARE_SCENARIO: Final = re.compile(r"(?<![\w`-])w-\d+[a-z]?\d?(?![\w-])")
SCENARIO: Final = re.compile(r"(ex|w|s|g|trx|tbl|bsr|sbt|lkh|golden)-[\w*-]+")
FUNCTION: Final = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)


class Row(NamedTuple):
    """One row of a table of rules: the numbers that it is about, and what it says of them."""

    numbers: tuple[int, ...]
    text: str


def rows(name: str) -> list[Row]:
    prefix, _ = RULES[name]
    found = []
    for line in (DOCS / f"{name}.md").read_text().splitlines():
        cells = line.strip().strip("|").split("|")
        numbers = tuple(expanded(cells[0], prefix))
        if line.startswith("|") and numbers:
            found.append(Row(numbers, "|".join(cells[1:])))
    return found


def expanded(cell: str, prefix: str) -> list[int]:
    """Return the numbers of a row's first cell: ``PIN-1, PIN-2`` or ``PIN-36 to PIN-42``."""
    numbers = [int(number) for number in re.findall(rf"\b{prefix}-(\d+)\b", cell)]
    if re.search(rf"{prefix}-\d+ (to|…) {prefix}-\d+", cell):
        first, last = numbers
        return list(range(first, last + 1))
    return numbers


@cache
def functions() -> dict[Path, tuple[str, ...]]:
    """Return the test functions of every test file."""
    files = {file: tuple(FUNCTION.findall(file.read_text())) for file in (ROOT / "tests").rglob("test_*.py")}
    return {file: names for file, names in files.items() if names}


@cache
def near(name: str) -> dict[Path, tuple[str, ...]]:
    """Return the test files that a game's document may name without a path."""
    if name == "table":
        return functions()
    own = ROOT / "tests" / "domain" / "games" / TESTS_OF.get(name, name)
    common = ROOT / "tests" / "domain"
    return {file: names for file, names in functions().items() if own in file.parents or file.parent == common}


def with_test(name: str) -> str:
    return name if name.startswith("test_") else f"test_{name}"


def named_tests(token: str, name: str) -> bool:
    """Say whether ``file::function`` or ``function`` names a test, or ``test_file`` a file of tests."""
    module, _, function = token.rpartition("::")
    return any(
        (not module or fnmatch(file.stem, with_test(module)) or str(file).endswith(module))
        and (any(fnmatch(one, with_test(function)) for one in names) or (not module and file.stem == function))
        for file, names in near(name).items()
    )


def named_scenarios(token: str, name: str) -> bool:
    folders = [name] if name in GAMES else list(GAMES)
    stem = token.removesuffix(".json").replace("…", "*")
    return any(
        fnmatch(file.stem, stem) for folder in folders for file in (ROOT / "tests" / "scenarios" / folder).glob("*")
    )


def checked(token: str, name: str) -> bool | None:
    """Say whether what a token names exists; None for a word that names nothing of the kind."""
    if "::" in token or token.startswith("test_"):
        return named_tests(token, name)
    if "/" in token:
        return (ROOT / token.rstrip("*")).exists()
    if token.endswith(".json") or SCENARIO.fullmatch(token):
        return named_scenarios(token, name)
    if token.startswith("help."):
        return token in GAMES[name].texts
    return None


def tokens(row: Row) -> list[str]:
    return TOKEN.findall(row.text) + BARE_SCENARIO.findall(row.text)


@pytest.mark.parametrize("name", RULES)
def test_every_rule_has_a_row_and_every_row_a_rule(name: str) -> None:
    _, last = RULES[name]
    numbers = [number for row in rows(name) for number in row.numbers]
    assert set(range(1, last + 1)) - set(numbers) == set(), "rules without a row"
    assert set(numbers) - set(range(1, last + 1)) == set(), "rows without a rule"
    assert len(numbers) == len(set(numbers)), "one row a rule"


@pytest.mark.parametrize("name", RULES)
def test_everything_that_a_row_names_exists(name: str) -> None:
    missing = [(row.numbers, token) for row in rows(name) for token in tokens(row) if checked(token, name) is False]
    assert missing == []


@pytest.mark.parametrize("name", RULES)
def test_every_row_says_what_keeps_the_rule(name: str) -> None:
    unkept = [
        row.numbers
        for row in rows(name)
        if not any(checked(token, name) for token in tokens(row)) and not ELSEWHERE.search(row.text)
    ]
    assert unkept == []


def test_every_rule_of_the_table_that_a_game_points_to_is_one() -> None:
    for file in DOCS.glob("*.md"):
        for number in re.findall(r"TBL-(\d+)", file.read_text()):
            assert 1 <= int(number) <= RULES["table"][1]


def test_every_game_has_its_document_and_the_overview_leads_to_it() -> None:
    assert RULES.keys() == {"table", *GAMES}
    overview = (ROOT / "docs" / "rules.md").read_text()
    for name in RULES:
        assert f"(rules/{name}.md)" in overview


@pytest.mark.parametrize(
    ("token", "name", "there"),
    [
        ("test_tbl_26_*", "table", True),
        ("test_tbl_32_*", "table", False),
        ("test_hand::test_bsr_03_*", "basra", True),
        ("hand::bsr_03_*", "basra", True),
        ("test_hand::test_bsr_99_*", "basra", False),
        ("test_nowhere::test_bsr_03_*", "basra", False),
        ("::bsr_03_*", "basra", True),
        ("test_trx_8_and_9_*", "basra", False),
        ("tests/domain/test_laws.py", "basra", True),
        ("tests/domain/test_lore.py", "basra", False),
        ("ex-03a", "basra", True),
        ("ex-99", "basra", False),
        ("ex-13….json", "leekha", True),
        ("help.length", "pinochle", True),
        ("help.nothing", "pinochle", False),
        ("turn_seconds", "basra", None),
    ],
)
def test_a_name_that_leads_nowhere_is_noticed(token: str, name: str, there: bool | None) -> None:  # noqa: FBT001
    assert checked(token, name) is there
