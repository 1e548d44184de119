"""What a definition's schemas may say, and what becomes of it in a run."""

import json
from typing import Any

from tests.core.agents import call, said
from tests.core.driver import Driver

BOOK = {
    "name": "book",
    "parameters": {
        "$id": "https://example.org/book",
        "type": "object",
        "properties": {"day": {"$ref": "#day"}, "guest": {"$ref": "guest#name"}},
        "required": ["day"],
        "unevaluatedProperties": False,
        "$defs": {
            "day": {"$anchor": "day", "type": "string", "format": "date"},
            "guest": {"$id": "guest", "$defs": {"name": {"$anchor": "name", "type": "string"}}},
        },
    },
}


def booked(**members: Any) -> dict[str, Any]:
    """Return the decision on a call whose day is no date."""
    driver = Driver({"tools": [BOOK], **members})
    return driver.send(said(call("book", day="tomorrow", guest="Ada")))


def test_formats_describe_unless_the_definition_lets_them_judge() -> None:
    """A value without its format is a call like any other, or a correction where formats are asserted."""
    assert "invoke_tool" == booked()["type"]
    corrected = booked(policies=[{"use": "assert_formats"}])
    assert "call_model" == corrected["type"]


def test_constraint_knows_only_pointers() -> None:
    """What a server is given names every subschema by a pointer from its root."""
    driver = Driver({"tools": [BOOK]})
    text = json.dumps(driver.decision["response_format"])
    assert "#/$defs/tool.book/$defs/guest/$defs/name" in text
    assert "#/$defs/tool.book/$defs/day" in text
    assert "$anchor" not in text
    assert "$id" not in text


def test_sample_follows_anchors() -> None:
    """The example made for a tool without one follows the references of its schema."""
    models = [{"name": "m", "carry": "ground"}]
    driver = Driver({"tools": [{**BOOK, "examples": [], "annotations": {"readOnlyHint": True}}], "models": models})
    assert '"day":"2026-01-31"' in json.dumps(driver.messages, separators=(",", ":")).replace('\\"', '"')
