"""``shadda games``: the games there are, and what can be set for each."""

from typing import Any, Final

import click
import msgspec

from domain.game import AnyGame
from domain.games import GAMES
from domain.options import Option, worded
from services.cli.records import json_option

_TYPES: Final = {bool: "switch", int: "number", str: "word", tuple: "words"}


@click.command()
@json_option
def games(*, as_json: bool) -> None:
    """List the games with their variants (the default first), options and rules version.

    --json prints {"games": [{"game", "title", "title_ar", "rules_version", "variants", "options": [{"name", "type",
    "default", "choices" | "minimum" and "maximum", "about"}]}]}. Types are number, switch (true or false), word, and
    words: a list of 1 to "maximum" of the choices. An option that keeps its default at a table against the computer
    says "fixed_against_computer": true.
    """
    if as_json:
        click.echo(msgspec.json.encode({"games": [_game(GAMES[name]) for name in sorted(GAMES)]}).decode())
        return
    click.echo("\n\n".join(_paragraph(GAMES[name]) for name in sorted(GAMES)))


def _paragraph(game: AnyGame) -> str:
    """Return what a person reads of a game."""
    first, *others = game.variants
    lines = [
        f"{game.name}: {game.texts['game'][0]}, rules version {game.rules_version}",
        f"  variants: {', '.join((f'{first} (default)', *others))}",
    ]
    lines += [
        f"  {option.name} = {worded(option.default)}  ({option.allowed()})  {option.about}" for option in game.options
    ]
    return "\n".join(lines)


def _game(game: AnyGame) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.texts["game"][0],
        "title_ar": game.texts["game"][1],
        "rules_version": game.rules_version,
        "variants": game.variants,
        "options": [_option(option) for option in game.options],
    }


def _option(option: Option) -> dict[str, Any]:
    kind = _TYPES[type(option.default)]
    described: dict[str, Any] = {"name": option.name, "type": kind, "default": option.default}
    if option.choices:
        described["choices"] = option.choices
    if kind == "words":
        described["maximum"] = option.maximum
    elif kind == "number" and not option.choices:
        described |= {"minimum": option.minimum, "maximum": option.maximum}
    if option.fixed_against_computer:
        described["fixed_against_computer"] = True
    return described | {"about": option.about}
