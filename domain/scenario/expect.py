"""What a scenario may say of a table, and the check of it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NoReturn

import msgspec

from domain.game import SPECTATOR, Seat, Viewer
from domain.scenario.model import EXPECTED, Failed, Invalid, Setup
from domain.table.match import Match
from domain.table.view import view


class Looked(msgspec.Struct, frozen=True):
    """Everything that expectations are held against."""

    setup: Setup
    match: Match
    facts: Mapping[str, Any]
    kinds: Sequence[str]
    sent: Mapping[Viewer, Sequence[bytes]]
    held: Mapping[str, set[Seat]]
    payouts: tuple[int, ...] | None
    refused: str


def check(expect: Mapping[str, Any], looked: Looked, where: str) -> None:
    """Hold every expectation against the table; raise ``Failed`` for the first that is not so."""
    for name, wanted in expect.items():
        _CHECKS.get(name, partial(_fact, name))(wanted, looked, f"{where}, {name}")


def _fail(place: str, expected: object, actual: object) -> NoReturn:
    raise Failed(place, expected, actual)


def _mapping(value: object, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Invalid(f"{place} is by seat")
    return value


def _viewer(name: str, looked: Looked, place: str) -> Viewer:
    if name == "spectator":
        return SPECTATOR
    if not name.isdigit() or int(name) >= len(looked.match.seats):
        raise Invalid(f"{place}: there is no seat {name}")
    return Seat(int(name))


def _words(value: object, place: str) -> list[str]:
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    raise Invalid(f"{place}: a string of words or a list of them")


def _equal(wanted: object, actual: object, place: str) -> None:
    """Compare plain values; a string of codes stands for the list of them."""
    if isinstance(actual, list) and isinstance(wanted, str):
        wanted = wanted.split()
    if isinstance(actual, Mapping) and isinstance(wanted, Mapping):
        for key in {*actual, *wanted}:
            _equal(wanted.get(key), actual.get(key), f"{place}.{key}")
    elif isinstance(actual, list) and isinstance(wanted, list) and len(actual) == len(wanted):
        for index, (one, other) in enumerate(zip(wanted, actual, strict=True)):
            _equal(one, other, f"{place}[{index}]")
    elif wanted != actual:
        _fail(place, wanted, actual)


def _fact(name: str, wanted: object, looked: Looked, place: str) -> None:
    if name not in looked.facts:
        known = sorted({*EXPECTED, *looked.facts})
        raise Invalid(f"{place}: {looked.setup.game.name} has no such thing to expect; there are {', '.join(known)}")
    _equal(wanted, looked.facts[name], place)


def _hands(wanted: Any, looked: Looked, place: str) -> None:
    hands = looked.facts.get("hands")
    if not isinstance(hands, list):
        raise Invalid(f"{place}: there are no hands now")
    by_seat = {str(seat): hand for seat, hand in enumerate(wanted)} if isinstance(wanted, list) else wanted
    for name, cards in _mapping(by_seat, place).items():
        seat = _viewer(name, looked, place)
        if Counter(_words(cards, place)) != Counter(hands[seat]):
            _fail(f"{place} of seat {seat}", " ".join(_words(cards, place)), " ".join(hands[seat]))


def _legal(wanted: object, looked: Looked, place: str) -> None:
    match = looked.match
    for name, expected in _mapping(wanted, place).items():
        seat = _viewer(name, looked, place)
        commands = [] if match.ended else _plain(match.game.legal(match.play, seat))
        of_seat = f"{place} of seat {seat}"
        if isinstance(expected, list) and expected and all(isinstance(one, Mapping) for one in expected):
            _commands(expected, commands, of_seat)
            continue
        cards = sorted({command["card"] for command in commands if "card" in command})
        wished = sorted(_words(expected, of_seat))
        if wished != cards:
            _fail(of_seat, " ".join(wished), " ".join(cards))


def _plain(commands: Sequence[Any]) -> list[dict[str, Any]]:
    plain: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(commands))
    return plain


def _commands(expected: Sequence[Mapping[str, Any]], commands: list[dict[str, Any]], place: str) -> None:
    wanted = [
        {key: value.split() if key in ("cards", "result") and isinstance(value, str) else value
         for key, value in one.items()} for one in expected
    ]  # fmt: skip
    lacking = [one for one in wanted if one not in commands]
    beyond = [one for one in commands if one not in wanted]
    if lacking or beyond:
        _fail(place, lacking or "no other command", beyond or "missing")


def _seen(looked: Looked, viewer: Viewer) -> dict[str, Any]:
    """Return the view as one flat record: the table's part and the game's."""
    whole: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view(looked.match, viewer)))
    return {**whole, **whole["play"]}


def _subset(wanted: object, actual: object, place: str) -> None:
    if isinstance(wanted, Mapping):
        if not isinstance(actual, Mapping):
            _fail(place, wanted, actual)
        for key, part in wanted.items():
            if key not in actual:
                _fail(f"{place}.{key}", part, "absent")
            _subset(part, actual[key], f"{place}.{key}")
    else:
        _equal(wanted, actual, place)


def _view(wanted: object, looked: Looked, place: str) -> None:
    for name, part in _mapping(wanted, place).items():
        _subset(part, _seen(looked, _viewer(name, looked, place)), f"{place} {name}")


def _hidden_from(wanted: object, looked: Looked, place: str) -> None:
    for name, cards in _mapping(wanted, place).items():
        for code in _words(cards, place):
            _unseen(code, looked, _viewer(name, looked, place), f"{place} {name}")


def _never_shown(wanted: object, looked: Looked, place: str) -> None:
    for viewer in looked.sent:
        for code in _words(wanted, place):
            if viewer not in looked.held.get(code, ()):
                _unseen(code, looked, viewer, f"{place} to {viewer}")


def _unseen(code: str, looked: Looked, viewer: Viewer, place: str) -> None:
    """Check that a viewer has never been sent a card, in any copy."""
    needles = (f'"{code}"'.encode(), f'"{code}.'.encode())
    for message in looked.sent[viewer]:
        if any(needle in message for needle in needles):
            _fail(place, f"{code} not shown", message.decode())


def _payouts(wanted: object, looked: Looked, place: str) -> None:
    _equal(wanted, list(looked.payouts) if looked.payouts is not None else None, place)


def _refused(wanted: object, looked: Looked, place: str) -> None:
    _equal(wanted, looked.refused, place)


def _events(wanted: object, looked: Looked, place: str) -> None:
    """Match kinds in order; ``*`` stands for any run of them. A kind may leave out its game and version."""
    words, kinds = _words(wanted, place), list(looked.kinds)
    games_own = [kind for kind in kinds if not kind.startswith("table.")]
    if not _matches(words, games_own) and not _matches(words, kinds):
        _fail(place, words, kinds)


def _matches(wanted: list[str], kinds: list[str]) -> bool:
    if not wanted:
        return not kinds
    if wanted[0] == "*":
        return any(_matches(wanted[1:], kinds[skip:]) for skip in range(len(kinds) + 1))
    return bool(kinds) and wanted[0] in (kinds[0], kinds[0].split(".")[1]) and _matches(wanted[1:], kinds[1:])


_CHECKS: Final[dict[str, Callable[[Any, Looked, str], None]]] = {
    "legal": _legal,
    "view": _view,
    "hidden_from": _hidden_from,
    "never_shown": _never_shown,
    "events": _events,
    "payouts": _payouts,
    "refused": _refused,
    "hands": _hands,
}
