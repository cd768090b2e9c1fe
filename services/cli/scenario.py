"""``shadda scenario``: run scenario files."""

import json
import sys
from pathlib import Path

import click
import msgspec

from domain.games import GAMES
from domain.scenario import Failed, Invalid, Run, parse, run, schema


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the final state and every step's outcome as JSON; a list for several files.",
)
@click.option("--trace", is_flag=True, help="Show the hand step by step.")
@click.option("--schema", "schema_of", metavar="GAME", help="Print the JSON Schema of a game's scenario files.")
def scenario(files: tuple[Path, ...], schema_of: str | None, *, as_json: bool, trace: bool) -> None:
    """Run scenario files through the rules: one line each, PASS or FAIL with the place.

    Exit status 0 if all pass, 1 if one fails, 2 for a file that is no scenario.
    """
    if schema_of is not None:
        if schema_of not in GAMES:
            raise click.UsageError(f"there is no game {schema_of!r}; there are {', '.join(GAMES)}")
        click.echo(json.dumps(schema(GAMES[schema_of]), indent=2))
        return
    if not files:
        raise click.UsageError("name a scenario file")
    outcomes = [_one(path, quiet=as_json, trace=trace) for path in files]
    if as_json:
        documents = [outcome.document for outcome in outcomes if outcome.document is not None]
        whole: object = documents if len(files) > 1 else next(iter(documents), None)
        if whole is not None:
            click.echo(msgspec.json.encode(whole).decode())
    sys.exit(max(outcome.status for outcome in outcomes))


class Outcome(msgspec.Struct):
    """What came of one file: the exit status, and what there is to tell a tool."""

    status: int
    document: dict[str, object] | None = None


def _one(path: Path, *, quiet: bool, trace: bool) -> Outcome:
    try:
        setup = parse(path.read_bytes())
        runner = Run(setup) if setup.scenario.final is None else run(setup)
    except OSError as fault:
        click.echo(f"{path}: {fault.strerror}", err=True)
        return Outcome(2)
    except Invalid as fault:
        click.echo(f"{path}: not a scenario: {fault}", err=True)
        return Outcome(2)
    except Failed as failed:
        return _failed(path, failed, None, quiet=quiet)
    try:
        if setup.scenario.final is None:
            for place, step in enumerate(runner.play()):
                if trace:
                    _trace(place, step.step, step.events, step.refused, err=quiet)
    except Invalid as fault:
        click.echo(f"{path}: not a scenario: {fault}", err=True)
        return Outcome(2)
    except Failed as failed:
        return _failed(path, failed, runner, quiet=quiet)
    if not quiet:
        click.echo(f"PASS {path}")
    return Outcome(0, {"file": str(path), "ok": True} | _looked(runner))


def _trace(place: int, step: object, events: tuple[object, ...], refused: str, *, err: bool) -> None:
    said = msgspec.json.encode(step).decode()
    told = f"refused {refused}" if refused else ", ".join(str(kind) for kind in events)
    click.echo(f"{place + 1:4} {said}\n       {told}", err=err)


def _failed(path: Path, failed: Failed, runner: Run | None, *, quiet: bool) -> Outcome:
    if not quiet:
        click.echo(f"FAIL {path}: {failed}")
    looked = {} if runner is None else _looked(runner)
    return Outcome(1, {"file": str(path), "ok": False, "failed": str(failed)} | looked)


def _looked(runner: Run) -> dict[str, object]:
    """Return every step's outcome, and the state after the last."""
    steps = [{"step": one.step, "events": one.events, "refused": one.refused} for one in runner.steps]
    return {"steps": steps, "state": runner.facts()}
