"""Running ``shadda`` in a test, and what the tests' data folder holds."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from click.testing import CliRunner, Result

from events.messages import SeatUpdate
from services.cli.main import shadda

ENDED = "00-ended"
FREE = "01-free"  # unstaked, seat 3 is a bot, spectators may watch
VOIDED = "00-voided"
RUNNING = "01-running"  # in deal 3


class Recorded(NamedTuple):
    """A data folder, and what everybody was sent while it came about, by subject."""

    folder: Path
    sent: dict[str, list[SeatUpdate]]


def run(*arguments: object, exit_code: int | tuple[int, ...] = 0, **environment: str) -> Result:
    """Run a command. There is never a traceback, and the exit status is the one expected, or one of those."""
    environment = {"SHADDA_LOG": "/nonexistent", **environment}
    result = CliRunner().invoke(shadda, [str(argument) for argument in arguments], env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    expected = (exit_code,) if isinstance(exit_code, int) else exit_code
    assert result.exit_code in expected, (result.stdout, result.stderr)
    assert "Traceback" not in result.stderr
    return result


def fault(*arguments: object, exit_code: int = 2, **environment: str) -> str:
    """Run a command that has nothing to print; return its one line on standard error."""
    result = run(*arguments, exit_code=exit_code, **environment)
    assert result.stdout == ""
    assert result.stderr.startswith("shadda: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.strip()


def document(*arguments: object, exit_code: int = 0, **environment: str) -> Any:
    """Run a command with ``--json``; return the one document that it prints."""
    return msgspec.json.decode(run(*arguments, "--json", exit_code=exit_code, **environment).stdout)


def change(folder: Path, partition: str, statement: str, *values: object) -> None:
    """Change a log behind Shadda's back."""
    with closing(sqlite3.connect(folder / f"log-{partition}.sqlite")) as database, database:
        assert database.execute(statement, values).rowcount > 0


def stored(folder: Path, partition: str, stream: str) -> list[tuple[int, str, bytes]]:
    """Return version, kind and record of a stream's events."""
    query = (
        "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ? ORDER BY originator_version"
    )
    with closing(sqlite3.connect(folder / f"log-{partition}.sqlite")) as database:
        return database.execute(query, (stream,)).fetchall()


def change_records(folder: Path, partition: str, stream: str, records: Iterable[tuple[int, bytes]]) -> None:
    """Change the records of a stream's events, by version."""
    with closing(sqlite3.connect(folder / f"log-{partition}.sqlite")) as database, database:
        database.executemany(SET_RECORD, [(record, stream, version) for version, record in records])


SET_RECORD = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
