"""The AsyncAPI document is made from the structs, whole, and says what really goes over the line."""

import json
from typing import Any

from domain.games import GAMES as ALL
from events.codec import kind_of
from services.gateway.asyncapi import document
from tests.services.gateway.fakes import GAMES


def references(node: Any) -> list[str]:
    if isinstance(node, dict):
        return [node["$ref"]] if "$ref" in node else [ref for value in node.values() for ref in references(value)]
    return [ref for value in node for ref in references(value)] if isinstance(node, list) else []


def resolved(whole: dict[str, Any], reference: str) -> Any:
    node: Any = whole
    for key in reference.removeprefix("#/").split("/"):
        node = node[key]
    return node


def test_every_reference_leads_somewhere() -> None:
    whole = document(GAMES)
    found = references(whole)
    assert len(found) > 50
    for reference in found:
        assert resolved(whole, reference)


def test_commands_are_described_as_clients_send_them() -> None:
    schemas = document(GAMES)["components"]["schemas"]
    assert set(schemas["OpenRoom"]["required"]) == {"do", "id", "game"}
    assert "actor" not in schemas["OpenRoom"]["properties"]
    assert set(schemas["basra.Play"]["required"]) == {"id", "table", "do", "card"}


def test_what_is_shown_is_described_too() -> None:
    schemas = document(GAMES)["components"]["schemas"]
    events = schemas["EventFrame"]["properties"]["event"]["oneOf"]
    assert {"$ref": "#/components/schemas/trix.CardPlayed"} in events
    assert {"$ref": "#/components/schemas/table.MatchEnded"} in events
    assert schemas["ViewFrame"]["properties"]["view"] == {"$ref": "#/components/schemas/MatchView"}


def test_it_is_version_3_and_plain_json() -> None:
    whole = document(GAMES)
    assert whole["asyncapi"] == "3.0.0"
    assert json.loads(json.dumps(whole)).keys() == whole.keys()
    received = whole["operations"]["command"]["messages"]
    assert {"$ref": "#/channels/play/messages/Hello"} in received
    assert {"$ref": "#/channels/play/messages/EventFrame"} not in received


def test_every_kind_of_event_is_described_once() -> None:
    schemas = document(ALL)["components"]["schemas"]
    names = [one["$ref"].rpartition("/")[2] for one in schemas["EventFrame"]["properties"]["event"]["oneOf"]]
    kinds = [kind for name in names for kind in schemas[name]["properties"]["kind"]["enum"]]
    assert len(kinds) == len(set(kinds))
    assert {kind_of(event) for game in ALL.values() for event in game.events} <= set(kinds)
