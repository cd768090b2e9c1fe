"""Tokens, money and status beside a running backend, which is the real thing."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from services.backend import backend
from services.cli.main import shadda
from services.settings import Settings
from services.tokens import check_token, make_keys


def ran(*arguments: str) -> Result:
    return CliRunner().invoke(shadda, arguments)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run a backend for the module, in a loop of its own."""
    place = tmp_path_factory.mktemp("backend")
    with asyncio.Runner() as runner:
        running = backend(place, replace(Settings(), port=0, private=True, log_level="error"))
        runner.run(running.__aenter__())
        try:
            yield place
        finally:
            runner.run(running.__aexit__(None, None, None))


def test_status_says_what_runs(folder: Path) -> None:
    result = ran("status", "--data", str(folder), "--json")
    assert result.exit_code == 0
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["ready"] is True
    assert found["matches"] == 0
    assert ran("status", "--data", str(folder)).exit_code == 0


def test_money_moves_once_per_key_and_never_below_zero(folder: Path) -> None:
    data = ("--data", str(folder))
    for _ in range(2):
        assert ran("deposit", "amal", "500", "--key", "k1", *data).exit_code == 0
    conflict = ran("deposit", "amal", "501", "--key", "k1", *data)
    assert (conflict.exit_code, "KEY_CONFLICT" in conflict.stderr) == (1, True)
    short = ran("withdraw", "amal", "501", *data)
    assert (short.exit_code, "INSUFFICIENT_FUNDS" in short.stderr) == (1, True)
    assert ran("withdraw", "amal", "500", *data).exit_code == 0
    for player, key in (("two words", "k2"), ("bot-1", "k2"), ("amal", ""), ("amal", "k" * 65)):
        wrong = ran("deposit", player, "5", "--key", key, *data)
        assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)


def test_a_token_names_its_player_and_roles(folder: Path) -> None:
    key = json.loads((folder / "running.json").read_text())["token_key"]
    made = ran("token", "amal", "--role", "auditor", "--data", str(folder))
    identity = check_token(made.stdout.strip(), key=key)
    assert (identity.player, identity.roles) == ("amal", ("auditor",))
    assert ran("token", "bot-1", "--data", str(folder)).exit_code == 2


def test_without_a_backend_everything_says_so_in_one_line(tmp_path: Path) -> None:
    for arguments, what in ((("status",), "runs"), (("deposit", "amal", "5"), "runs"), (("token", "amal"), "has run")):
        result = ran(*arguments, "--data", str(tmp_path))
        assert result.exit_code in (1, 2)
        assert result.stderr == f"shadda: no backend {what} in {tmp_path}\n"


def test_a_token_can_be_made_while_nothing_runs(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "secrets.json", tmp_path)
    key = json.loads((tmp_path / "secrets.json").read_text())["token_key"]
    assert check_token(ran("token", "amal", "--data", str(tmp_path)).stdout.strip(), key=key).player == "amal"


def test_a_bus_that_does_not_answer_is_one_line_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SHADDA_NATS_URL", "nats://ann:hush@127.0.0.1:9")
    for arguments in (("deposit", "amal", "5", "--data", str(tmp_path)), ("streams",)):
        result = ran(*arguments)
        assert result.exit_code == 1
        assert result.stderr.endswith("no NATS server answers at nats://127.0.0.1:9\n")
        assert result.stderr.count("\n") == 1
    assert caplog.records == []


def test_a_token_needs_a_key_that_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    private, public = make_keys()
    monkeypatch.setenv("SHADDA_TOKEN_KEY", private)
    assert check_token(ran("token", "amal").stdout.strip(), key=public).player == "amal"
    for key in (public, "short", "-----BEGIN PRIVATE KEY-----"):
        monkeypatch.setenv("SHADDA_TOKEN_KEY", key)
        result = ran("token", "amal")
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert key not in result.stderr
