"""Every scenario file of every game, and what becomes of a file that is none."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from domain.game import AnyGame
from domain.games import GAMES
from domain.scenario import Failed, Invalid, parse, run
from services.cli.scenario import scenario

FOLDER: Final = Path(__file__).parents[1] / "scenarios"
FILES: Final = sorted(FOLDER.glob("*/*.json"))
NAMES: Final = [f"{file.parent.name}/{file.stem}" for file in FILES]

# The worked examples of each game's rules: the beginning of a file's name, and how many there are.
EXAMPLES: Final[dict[str, tuple[tuple[str, int], ...]]] = {
    "trix": (("s-", 9), ("ex-", 27), ("g-", 3)),
    "banakil": (("w-", 53),),
    "basra": (("ex-", 32), ("golden-hand", 1)),
    "bint_sbeet": (("ex-", 25), ("golden-hand", 1)),
    "leekha": (("ex-", 18), ("golden-hand", 1)),
    "pinochle": (("w-", 32),),
}


def shadda(*arguments: str) -> Result:
    return CliRunner().invoke(scenario, arguments)


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_a_scenario_comes_out_as_it_says(file: Path) -> None:
    setup = parse(file.read_bytes())
    assert setup.game.name == file.parent.name
    said = [setup.scenario.expect, *(step.get("expect") or step.get("refused") for step in setup.scenario.steps)]
    assert any(said), "a scenario says what must be true"
    run(setup)


def numbers(game: str, prefix: str) -> set[int]:
    """Return the numbers of the worked examples that have a file; a name without a number counts as the first."""
    stems = [
        file.stem.removeprefix(prefix) for file in FILES if file.parent.name == game and file.stem.startswith(prefix)
    ]
    digits = ["".join(letter for letter in stem.split("-")[0] if letter.isdigit()) for stem in stems]
    return {int(one) if one else 1 for one in digits}


@pytest.mark.parametrize("game", GAMES)
def test_every_worked_example_of_the_rules_has_a_file(game: str) -> None:
    wanted = EXAMPLES[game]
    for prefix, count in wanted:
        assert set(range(1, count + 1)) - numbers(game, prefix) == set(), prefix
    assert sum(file.parent.name == game for file in FILES) >= sum(count for _, count in wanted)


def test_the_command_says_pass_for_each_file_and_exits_with_0() -> None:
    some = [str(next(iter(sorted((FOLDER / game).glob("*.json"))))) for game in GAMES]
    result = shadda(*some)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"PASS {path}" for path in some]


PLAIN: Final[dict[str, Any]] = {
    "scenario": 1,
    "game": "trix",
    "variant": "individual",
    "deals": [
        {
            "hands": [
                "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 7H 5H",
                "3S 2S KH AC KC QC JC TC 9C 8C 7C 6C 5C",
                "AH QH JH TH 9H 8H 6H 4H 3H 2H 4C 3C 2C",
                "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
            ]
        }
    ],
    "steps": [
        {"seat": 0, "do": "choose_contract", "contract": "ltoosh"},
        {"seat": 2, "do": "play", "card": "2D", "refused": "NOT_YOUR_TURN"},
        {"plays": "0:5H 1:KH"},
    ],
    "expect": {"turn": 2, "phase": "tricks"},
}


def changed(path: str, value: object) -> str:
    """Return the plain file with one thing changed: ``path`` is its keys and places, separated by spaces."""
    whole = json.loads(json.dumps(PLAIN))
    *parents, last = [int(key) if key.isdigit() else key for key in path.split()]
    part = whole
    for key in parents:
        part = part[key]
    part[last] = value
    return json.dumps(whole)


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Path]:
    return iter(tmp_path / f"scenario-{number}.json" for number in range(10))


def test_the_plain_file_passes(written: Iterator[Path]) -> None:
    file = next(written)
    file.write_text(json.dumps(PLAIN))
    assert shadda(str(file)).stdout == f"PASS {file}\n"


def test_json_is_one_document_with_every_step_also_of_what_fails(written: Iterator[Path]) -> None:
    good, bad, none = (next(written) for _ in range(3))
    good.write_text(json.dumps(PLAIN))
    bad.write_text(changed("expect", {"turn": 3}))
    none.write_text("{")
    result = shadda("--json", "--trace", str(good), str(bad), str(none))
    assert result.exit_code == 2
    passed, failed = json.loads(result.stdout)
    assert (passed["file"], passed["ok"]) == (str(good), True)
    assert (failed["file"], failed["ok"]) == (str(bad), False)
    assert "turn" in failed["failed"]
    assert len(passed["steps"]) == len(failed["steps"]) == len(PLAIN["steps"])
    assert passed["state"] == failed["state"]
    assert shadda("--json", str(none)).stdout == ""


WRONG: Final[tuple[tuple[str, object, str], ...]] = (
    ("scenario", 2, "`$.scenario`"),
    ("scenario", "1", "`$.scenario`"),
    ("about", 5, "`$.about`"),
    ("unheard_of", 1, "unheard_of"),
    ("game", "chess", "`$.game`"),
    ("game", None, "`$.game`"),
    ("variant", "solo", "`$.variant`"),
    ("options", {"jokers": 2}, "`$.options`"),
    ("options", {"turn_seconds": 4}, "`$.options`"),
    ("options", {"turn_seconds": "slow"}, "`$.options`"),
    ("options", [], "`$.options`"),
    ("seats", ["human", "bot"], "`$.seats`"),
    ("seats", ["human", "bot", "human", "ghost"], "`$.seats[3]`"),
    ("owner", -1, "`$.owner`"),
    ("stake", -5, "`$.stake`"),
    ("stake", 2.5, "`$.stake`"),
    ("seed", "xyz", "`$.seed`"),
    ("deals 0 hands", ["AS", "KS"], "`$.deals[0].hands`"),
    ("deals 0 hands 0", 7, "`$.deals[0].hands[0]`"),
    ("deals 0 stack", "AS", "`$.deals[0]`"),
    ("deals 0", "AS KS", "`$.deals[0]`"),
    ("start", {"owner": 0, "mood": "good"}, "`$.start`"),
    ("start", {"contracts_played": ["hearts"]}, "`$.start.contracts_played[0]`"),
    ("position", {"owner": 0, "contract": 4}, "`$.position.contract`"),
    ("final", {"totals": ["many"]}, "`$.final.totals[0]`"),
    ("final", {"totals": [1, 2]}, "`$.final.totals`"),
    ("steps", {}, "`$.steps`"),
    ("steps 0", "choose", "`$.steps[0]`"),
    ("steps 0", {"seat": 0, "do": "shuffle"}, "`$.steps[0]`"),
    ("steps 0", {"seat": 0, "do": "choose_contract"}, "`$.steps[0]`"),
    ("steps 0", {"seat": 0, "do": "choose_contract", "contract": "king", "loudly": True}, "`$.steps[0]`"),
    ("steps 0", {"seat": 9, "do": "choose_contract", "contract": "king"}, "`$.steps[0]`"),
    ("steps 1 card", 2, "`$.steps[1]`"),
    ("steps 1", {"dance": 1}, "`$.steps[1]`"),
    ("steps 1", {"wait": -1}, "`$.steps[1]`"),
    ("steps 1", {"wait": 1e12}, "`$.steps[1]`"),
    ("steps 1", {"timeout": 10**6}, "`$.steps[1]`"),
    ("steps 1", {"disconnect": 4}, "`$.steps[1]`"),
    ("steps 2 plays", "0-5H", "`$.steps[2]`"),
    ("steps 2", {"plays": "0:5H", "fast": True}, "`$.steps[2]`"),
    ("expect", [], "`$.expect`"),
    ("expect", {"weather": "fine"}, "weather"),
    ("expect", {"view": {"7": {}}}, "seat 7"),
    ("expect", {"legal": "5H"}, "legal"),
    ("expect", {"legal": {"1": None}}, "legal"),
    ("expect", {"legal": {"1": [None]}}, "legal"),
    ("expect", {"hands": 4}, "hands"),
    ("expect", {"hands": [5]}, "hands"),
    ("expect", {"hands": {"0": [1]}}, "hands"),
    ("expect", {"never_shown": 1}, "never_shown"),
    ("expect", {"events": {}}, "events"),
)


@pytest.mark.parametrize(("path", "value", "place"), WRONG, ids=[f"{path}={value}"[:40] for path, value, _ in WRONG])
def test_a_file_that_is_no_scenario_exits_with_2_and_names_the_place(
    path: str, value: object, place: str, written: Iterator[Path]
) -> None:
    file = next(written)
    file.write_text(changed(path, value))
    result = shadda(str(file))
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stderr.startswith(f"{file}: not a scenario: ")
    assert place in result.stderr


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"scenario": 1}', b"scenario: 1"])
def test_what_is_no_json_record_exits_with_2(content: bytes, written: Iterator[Path]) -> None:
    file = next(written)
    file.write_bytes(content)
    result = shadda(str(file))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{file}: not a scenario: ")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"deals 0 hands 3": "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D AS"}, "AS"),
        ({"deals 0 hands 3": "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D"}, "13"),
        ({"deals 0 hands 3": "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 1D"}, "1D"),
    ],
)
def test_cards_that_are_no_pack_exit_with_2(changes: dict[str, object], fault: str, written: Iterator[Path]) -> None:
    for path, value in changes.items():
        file = next(written)
        file.write_text(changed(path, value))
        result = shadda(str(file))
        assert result.exit_code == 2
        assert fault in result.stderr


def test_cards_that_are_no_pack_are_found_in_a_later_deal_too(written: Iterator[Path]) -> None:
    later = json.loads((FOLDER / "bint_sbeet" / "sbt-next-hand.json").read_bytes())
    later["deals"][-1]["hands"][0] = "AS"
    file = next(written)
    file.write_text(json.dumps(later))
    result = shadda(str(file))
    assert result.exit_code == 2
    assert f"`$.deals[{len(later['deals']) - 1}]`" in result.stderr


LEAVES: Final[tuple[Any, ...]] = (
    None,
    0,
    -1,
    99,
    2.5,
    "",
    "AS",
    "5H 5H",
    "??",
    [],
    ["AS"],
    {},
    {"a": 1},
    True,
    [[1]],
    [None],
)


@pytest.mark.parametrize("game", GAMES)
def test_a_file_with_anything_changed_passes_fails_or_is_no_scenario(game: str) -> None:
    random = Random(1)
    files = [file for file in FILES if file.parent.name == game]
    for _ in range(120):
        whole = json.loads(random.choice(files).read_bytes())
        *parents, last = random.choice([path for path in paths(whole) if path])
        part = whole
        for key in parents:
            part = part[key]
        if random.random() < 0.8:
            part[last] = random.choice(LEAVES)
        else:
            del part[last]
        with contextlib.suppress(Invalid, Failed):
            run(parse(json.dumps(whole).encode()))


def paths(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for key in part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ():
        yield from paths(part[key], (*path, key))


def test_a_missing_file_exits_with_2_and_its_name(tmp_path: Path) -> None:
    result = shadda(str(tmp_path / "none.json"))
    assert result.exit_code == 2
    assert "none.json" in result.stderr


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("expect turn", 3, "at the end, turn: expected 3, is 2"),
        ("expect phase", "layout", "at the end, phase: expected layout, is tricks"),
        ("steps 1 refused", "CARD_NOT_IN_HAND", "step 2: expected CARD_NOT_IN_HAND, is NOT_YOUR_TURN"),
        ("steps 2 plays", "0:5H 1:3S", "step 3, 1:3S: expected accepted, is MUST_FOLLOW_SUIT"),
        ("steps 2", {"expect": {"legal": {"0": "5H"}}}, "step 3, legal of seat 0: expected 5H, is "),
        ("expect", {"never_shown": "5H"}, "at the end, never_shown to "),
        ("expect", {"events": "match_ended *"}, "at the end, events: expected "),
    ],
)
def test_a_scenario_that_fails_exits_with_1_and_says_what_is_so(
    path: str, value: object, told: str, written: Iterator[Path]
) -> None:
    file = next(written)
    file.write_text(changed(path, value))
    result = shadda(str(file))
    assert result.exit_code == 1
    assert result.stdout.startswith(f"FAIL {file}: {told}")


def test_one_file_that_fails_does_not_hide_the_others(written: Iterator[Path]) -> None:
    good, failing, wrong = next(written), next(written), next(written)
    good.write_text(json.dumps(PLAIN))
    failing.write_text(changed("expect turn", 3))
    wrong.write_text("{}")
    assert shadda(str(failing), str(good)).exit_code == 1
    result = shadda(str(wrong), str(failing), str(good))
    assert result.exit_code == 2
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["FAIL", "PASS"]


def test_json_gives_the_final_state_and_the_outcome_of_every_step(written: Iterator[Path]) -> None:
    file = next(written)
    file.write_text(json.dumps(PLAIN))
    told = json.loads(shadda("--json", str(file)).stdout)
    assert told["ok"] is True
    assert [step["refused"] for step in told["steps"]] == ["", "NOT_YOUR_TURN", ""]
    assert told["steps"][2]["events"] == ["trix.card_played.v1", "trix.card_played.v1"]
    assert told["state"]["turn"] == 2


def test_trace_shows_the_hand_step_by_step(written: Iterator[Path]) -> None:
    file = next(written)
    file.write_text(json.dumps(PLAIN))
    told = shadda("--trace", str(file)).stdout
    assert "refused NOT_YOUR_TURN" in told
    assert "trix.card_played.v1" in told
    assert told.endswith(f"PASS {file}\n")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_schema_of_a_game_names_all_that_its_files_use(game: AnyGame) -> None:
    result = shadda("--schema", game.name)
    assert result.exit_code == 0
    schema = json.loads(result.stdout)
    assert schema["$schema"].endswith("2020-12/schema")
    for file in FILES:
        if file.parent.name != game.name:
            continue
        whole = json.loads(file.read_bytes())
        assert whole.keys() <= properties(schema, {"$ref": schema["$ref"]})
        for deal in whole.get("deals", []):
            assert deal.keys() <= properties(schema, schema["x-parts"]["deals"])
        for part in ("start", "position"):
            assert whole.get(part, {}).keys() <= properties(schema, schema["x-parts"][part])
        for expect in (whole.get("expect", {}), *(step.get("expect", {}) for step in whole.get("steps", []))):
            assert set(expect) <= set(schema["x-expect"]), file.name
    assert tags(schema) == {
        struct.__struct_config__.tag for struct in getattr(game.commands, "__args__", [game.commands])
    }


def properties(schema: dict[str, Any], part: dict[str, Any]) -> set[str]:
    return set(schema["$defs"][part["$ref"].rsplit("/", 1)[1]]["properties"])


def tags(schema: dict[str, Any]) -> set[str]:
    """Return the wire names of the commands that a schema describes."""
    commands = schema["x-parts"]["commands"]
    parts = commands.get("anyOf", [commands])
    return {schema["$defs"][one["$ref"].rsplit("/", 1)[1]]["properties"]["do"]["enum"][0] for one in parts}


def test_the_schema_of_no_game_is_a_usage_error() -> None:
    result = shadda("--schema", "chess")
    assert result.exit_code == 2
    assert "chess" in result.stderr


def test_without_a_file_it_is_a_usage_error() -> None:
    assert shadda().exit_code == 2


def test_the_errors_of_a_file_are_two_kinds() -> None:
    with pytest.raises(Invalid):
        parse(b"{}")
    with pytest.raises(Failed):
        run(parse(changed("expect turn", 3).encode()))
