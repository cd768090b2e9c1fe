"""``shadda settings``: every setting, what it means and what it is."""

from typing import Any, get_type_hints
from urllib.parse import urlsplit

import click
import msgspec

from services.cli.records import columns, data_option, json_option, one_line_faults, settings_for
from services.settings import PREFIX, SECRET, Settings


@click.command()
@data_option
@json_option
def settings(data: str | None, *, as_json: bool) -> None:
    """List every setting: its environment variable, its value here and its meaning. Secrets are never shown.

    --json prints {"settings": [{"setting", "variable", "about", "default", "value"}]}; a secret's value is "set" or
    "not set".
    """
    with one_line_faults():
        rows = _rows(settings_for(data))
    if as_json:
        click.echo(msgspec.json.encode({"settings": rows}).decode())
        return
    cells = [(row["variable"], _text(row["value"]), row["about"]) for row in rows]
    click.echo(columns([("variable", "value", "meaning"), *cells]))


def _rows(values: Settings) -> list[dict[str, Any]]:
    hints = get_type_hints(Settings, include_extras=True)
    rows = []
    for field in msgspec.structs.fields(Settings):
        (about,) = [one.description for one in hints[field.name].__metadata__ if isinstance(one, msgspec.Meta)]
        row = {
            "setting": field.name,
            "variable": f"{PREFIX}{field.name.upper()}",
            "about": about,
            "default": field.default,
            "value": _shown(field.name, getattr(values, field.name), field.default),
        }
        rows.append(row)
    return rows


def _shown(name: str, value: object, default: object) -> object:
    """Return a value without what is secret in it; a default is no secret."""
    if name in SECRET:
        if value and value == default:
            return value
        return "set" if value else "not set"
    if name == "log" and isinstance(value, str) and "://" in value:
        return _without_password(value)
    return value


def _without_password(address: str) -> str:
    """Return where a database is, without who asks and with what: either part of its address may hold a password."""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "set"
    return f"{parts.scheme}://{host}{parts.path}"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "not set" if value == "" else str(value)
