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
@click.option("--json", "as_json", is_flag=True, help="Print the final state and every step's outcome as JSON.")
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
    outcomes = [_one(path, as_json=as_json, trace=trace) for path in files]
    sys.exit(max(outcomes))


def _one(path: Path, *, as_json: bool, trace: bool) -> int:
    try:
        setup = parse(path.read_bytes())
        runner = Run(setup) if setup.scenario.final is None else run(setup)
    except OSError as fault:
        click.echo(f"{path}: {fault.strerror}", err=True)
        return 2
    except Invalid as fault:
        click.echo(f"{path}: not a scenario: {fault}", err=True)
        return 2
    except Failed as failed:
        return _report(path, failed, as_json=as_json)
    try:
        if setup.scenario.final is None:
            for place, step in enumerate(runner.play()):
                if trace:
                    _trace(place, step.step, step.events, step.refused)
    except Invalid as fault:
        click.echo(f"{path}: not a scenario: {fault}", err=True)
        return 2
    except Failed as failed:
        return _report(path, failed, as_json=as_json)
    if as_json:
        facts = runner.facts()
        steps = [{"step": one.step, "events": one.events, "refused": one.refused} for one in runner.steps]
        click.echo(msgspec.json.encode({"file": str(path), "ok": True, "steps": steps, "state": facts}).decode())
    else:
        click.echo(f"PASS {path}")
    return 0


def _trace(place: int, step: object, events: tuple[object, ...], refused: str) -> None:
    said = msgspec.json.encode(step).decode()
    told = f"refused {refused}" if refused else ", ".join(str(kind) for kind in events)
    click.echo(f"{place + 1:4} {said}\n       {told}")


def _report(path: Path, failed: Failed, *, as_json: bool) -> int:
    if as_json:
        click.echo(msgspec.json.encode({"file": str(path), "ok": False, "failed": str(failed)}).decode())
    else:
        click.echo(f"FAIL {path}: {failed}")
    return 1
