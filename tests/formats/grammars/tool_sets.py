"""Tool sets that constraints are held to: each with calls that must be taken and calls that must not."""

from typing import Any, NamedTuple


class ToolSet(NamedTuple):
    """A tool, arguments that fit it, and arguments with one thing wrong that a grammar can see."""

    tool: dict[str, Any]
    good: list[dict[str, Any]]
    bad: list[dict[str, Any]]


def _tool(name: str, properties: dict[str, Any], optional: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    required = [key for key in properties if key not in optional]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "parameters": {**schema, **more}}


_TRIP = {
    "type": "object",
    "properties": {
        "to": {"type": "string"},
        "back": {"type": "boolean"},
        "via": {"type": ["string", "null"]},
        "stop": {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]},
    },
    "required": ["to", "back"],
    "additionalProperties": False,
}
_POINT = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "ok": {"type": "boolean"}},
    "required": ["x"],
    "additionalProperties": False,
}

TOOL_SETS: dict[str, ToolSet] = {
    "no arguments": ToolSet(_tool("now", {}), [{}], [{"zone": "x"}]),
    "scalars": ToolSet(
        _tool(
            "book",
            {
                "day": {"type": "string"},
                "guests": {"type": "integer"},
                "price": {"type": "number"},
                "vip": {"type": "boolean"},
            },
            optional=("price", "vip"),
        ),
        [{"day": 'a "b" c\\', "guests": 2}, {"day": "x < y", "guests": 0, "price": -1.5e-7, "vip": True}],
        [
            {"guests": 2},
            {"day": "x", "guests": "many"},
            {"day": "x", "guests": 1.5},
            {"day": "x", "guests": 1, "vip": 0},
        ],
    ),
    "nested": ToolSet(
        _tool("plan", {"trip": _TRIP}),
        [
            {"trip": {"to": "Rome", "back": True}},
            {"trip": {"to": "a\nb", "back": False, "via": None, "stop": {"days": 2}}},
        ],
        [{"trip": {"to": "Rome"}}, {"trip": {"to": 1, "back": True}}, {"trip": {"to": "x", "back": None}}, {"trip": 3}],
    ),
    "enums": ToolSet(
        _tool(
            "set", {"mode": {"enum": ["off", "on", "it's"]}, "level": {"enum": [1, None, "x"]}, "kind": {"const": "k"}}
        ),
        [{"mode": "on", "level": None, "kind": "k"}, {"mode": "it's", "level": "x", "kind": "k"}],
        [
            {"mode": "of", "level": 1, "kind": "k"},
            {"mode": "on", "level": 2, "kind": "k"},
            {"mode": "on", "level": 1, "kind": "j"},
        ],
    ),
    "arrays": ToolSet(
        _tool(
            "tag",
            {"names": {"type": "array", "items": {"type": "string"}}, "points": {"type": "array", "items": _POINT}},
        ),
        [{"names": [], "points": []}, {"names": ["a", "b"], "points": [{"x": 1}, {"x": -2, "ok": False}]}],
        [{"names": [1], "points": []}, {"names": ["a"], "points": [{"y": 1}]}, {"names": {}, "points": []}],
    ),
    "unicode names": ToolSet(
        _tool("größe_ändern", {"länge": {"type": "string"}, "数": {"type": "integer"}}),
        [{"länge": "größer 漢😀", "数": 7}],
        [{"länge": "x", "数": "七"}, {"länge": "x"}, {"lange": "x", "数": 7}],
    ),
    "references": ToolSet(
        _tool(
            "tree",
            {"root": {"$ref": "#/$defs/node"}},
            **{"$defs": {"node": _tool("", {"leaf": {"$ref": "#/$defs/node"}}, optional=("leaf",))["parameters"]}},
        ),
        [{"root": {}}, {"root": {"leaf": {"leaf": {}}}}],
        [{"root": {"leaf": 1}}, {"root": {"leaf": {"left": {}}}}],
    ),
}

ODD: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "text or null": (
        _tool("name", {"nick": {"anyOf": [{"type": "string"}, {"type": "null"}]}}),
        [{"nick": "a b"}, {"nick": None}],
    ),
    "anything": (_tool("keep", {"it": {}}), [{"it": "a b"}, {"it": 5}, {"it": {"a": [True, None, "x"]}}]),
}
"""Schemas that leave open what comes, so that a grammar has little to refuse."""
