"""The AsyncAPI 3 document of ``/play``, made from the very structs that read and write the frames."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

import msgspec

from domain.game import AnyGame
from domain.table.events import TABLE_EVENTS
from domain.table.view import MatchView
from events.messages import RoomUpdate
from services.gateway.frames import (
    LOBBY_FRAMES,
    OWN_FRAMES,
    WITHOUT_ID,
    EventFrame,
    RefusedFrame,
    RoomFrame,
    ViewFrame,
)

_REF: Final = "#/components/schemas/{name}"
_ID: Final = {
    "type": "string",
    "minLength": 1,
    "maxLength": 64,
    "description": "made by the client, new for every command; sent again with it, a command gets its first answer",
}
_TABLE: Final = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "the id of the match"}
_ABOUT: Final = (
    "JSON frames, one message each. The first one is `hello` with a session token from `POST /v1/session`. Every frame "
    "with an `id` is answered by one with the same text in `re`. Events at a table are numbered in `version`, one by "
    "one; a client that sees a gap, or that reconnects, sends `resume` with the last number it knows. Times are "
    "milliseconds since 1970 (UTC), amounts are whole minor units, cards are codes such as `QS`, `TD`, `JK1`."
)


def document(games: Mapping[str, AnyGame]) -> dict[str, Any]:
    """Return the document, for the games that are played here."""
    schemas: dict[str, Any] = {}
    sent = {**_own(schemas), **_lobby(schemas), **_games(schemas, games)}
    shown = _shown(schemas, games)
    messages: dict[str, dict[str, Any]] = {
        name: {"payload": {"$ref": _REF.format(name=name)}} for name in (*sent, *shown)
    }
    for name, title in (sent | shown).items():
        messages[name] |= {"name": name, "title": title}
    references = [{"$ref": f"#/channels/play/messages/{name}"} for name in messages]
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Shadda", "version": "1", "description": _ABOUT},
        "defaultContentType": "application/json",
        "channels": {
            "play": {
                "address": "/play",
                "description": _ABOUT,
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
            }
        },
        "operations": {
            "command": {
                "action": "receive",
                "channel": {"$ref": "#/channels/play"},
                "messages": references[: len(sent)],
            },
            "show": {"action": "send", "channel": {"$ref": "#/channels/play"}, "messages": references[len(sent) :]},
        },
        "components": {"schemas": schemas, "messages": messages},
    }


def _components(schemas: dict[str, Any], kinds: Iterable[Any], prefix: str = "") -> list[str]:
    """Add the schemas of structs, and of what they use; return their names."""
    references, components = msgspec.json.schema_components(kinds, ref_template=_REF.format(name=prefix + "{name}"))
    schemas.update({prefix + name: schema for name, schema in components.items()})
    return [reference["$ref"].rpartition("/")[2] for reference in references]


def _title(schema: dict[str, Any]) -> str:
    return str(schema.get("description", schema.get("title", ""))).partition("\n")[0]


def _own(schemas: dict[str, Any]) -> dict[str, str]:
    return {name: _title(schemas[name]) for name in _components(schemas, OWN_FRAMES)}


def _lobby(schemas: dict[str, Any]) -> dict[str, str]:
    """Add the lobby's requests as clients send them: who they come from is not in them."""
    names = _components(schemas, LOBBY_FRAMES)
    for name in names:
        schema = schemas[name]
        del schema["properties"]["actor"]
        schema["required"].remove("actor")
        if schema["properties"]["do"]["enum"][0] in WITHOUT_ID:
            schema["properties"]["id"] = _ID
    return {name: _title(schemas[name]) for name in names}


def _games(schemas: dict[str, Any], games: Mapping[str, AnyGame]) -> dict[str, str]:
    """Add every game's commands, which clients send with an id and the table."""
    titles: dict[str, str] = {}
    for game in games.values():
        kinds = get_args(game.commands) or (game.commands,)
        for name in _components(schemas, kinds, f"{game.name}."):
            schema = schemas[name]
            schema["properties"] |= {"id": _ID, "table": _TABLE}
            schema["required"] = ["id", "table", *schema.get("required", [])]
            titles[name] = f"{game.texts['game'][0]}: {_title(schema)}"
    return titles


def _shown(schemas: dict[str, Any], games: Mapping[str, AnyGame]) -> dict[str, str]:
    """Add what the gateway sends."""
    events = _components(schemas, TABLE_EVENTS, "table.")
    described: set[type[Any]] = set()
    for game in games.values():  # two rule sets of one package share their events
        events += _components(schemas, [one for one in game.events if one not in described], f"{game.name}.")
        described.update(game.events)
    names = _components(schemas, (EventFrame, ViewFrame, RoomFrame, RefusedFrame))
    room, view = (_REF.format(name=name) for name in _components(schemas, (RoomUpdate, MatchView)))
    schemas["RoomFrame"]["properties"]["room"] = {"$ref": room}
    schemas["EventFrame"]["properties"] |= {
        "event": {"oneOf": [{"$ref": _REF.format(name=name)} for name in events]},
        "view": {"$ref": view},
    }
    schemas["ViewFrame"]["properties"]["view"] = {"$ref": view}
    schemas["AcceptedFrame"] = {
        "type": "object",
        "title": "AcceptedFrame",
        "description": "The answer to a frame that was carried out, with what was asked for.",
        "properties": {"re": {"type": ["string", "null"]}, "ok": {"const": True}},
        "required": ["re", "ok"],
    }
    return {name: _title(schemas[name]) for name in (*names, "AcceptedFrame")}
