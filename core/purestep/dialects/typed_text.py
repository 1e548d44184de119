"""Typed text: the value of an argument that a model wrote as raw text, typed by the tool's schema.

XML-like dialects write `<parameter=count>3</parameter>` without quotes, so only the schema can distinguish 3 from "3":
a string stays the text it is ("123_456", an enum's "none"), anything else is read as JSON where that fits.
"""

import re
from typing import Any, Final

from ..bounds import MAX_FOLLOWED_REFERENCES
from ..json_text import BLANK, UNREADABLE, read_json, repair_json
from ..schema import subschema_at
from ..values import Tools

_WORDS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_OVERRULING: Final = ("$ref", "enum", "const")
"""Keywords that count before the type."""

_WHOLE: Final = ("integer", "number")
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,14}", re.ASCII)
_NULLS: Final = ("null", "None", "NULL", "nil")


def parameter_schema(tools: Tools | None, tool: str, name: str) -> tuple[Any, Any]:
    """Give the schema of a tool's parameter and the whole that its references count from; None where unknown."""
    spec = tools.get(tool) if tools else None
    if spec is None:
        return None, None
    properties = spec.parameters.get("properties")
    own = properties.get(name) if isinstance(properties, dict) else None
    return own, spec.parameters


def typed_value(raw: str, schema: Any, root: Any = None) -> Any:
    """Give the value that a raw text means under a schema (None or a boolean: any)."""
    if isinstance(schema, dict) and not any(map(schema.__contains__, _OVERRULING)):
        if schema.get("type") == "string":
            return raw
        if schema.get("type") in _WHOLE and _INTEGER.fullmatch(raw):
            return int(raw)
    types, enum = allowed_values(schema, root)
    text = raw.strip(BLANK)
    if enum is not None:
        return _chosen(raw, text, enum)
    if list(types) == ["string"]:
        return raw
    if text in _NULLS and ("null" in types or (not types and text == "null")):
        return None
    value = _read(text)
    if not types:
        return raw if value is UNREADABLE else value
    if value is not UNREADABLE and not isinstance(value, str) and _type_of(value) & types.keys():
        return value
    if "boolean" in types and text in _WORDS:
        return _WORDS[text]
    if "string" in types:
        return raw
    return raw if value is UNREADABLE else value


def allowed_values(schema: Any, root: Any) -> tuple[dict[str, None], list[Any] | None]:
    """Give the types that a schema allows by name (none: any), and the values, where it lists them."""
    return _allowed(schema, root, 0)


def _read(text: str) -> Any:
    value = read_json(text)
    if value is UNREADABLE and text[:1] in ("{", "["):
        loose = repair_json(text)
        if loose is not None and loose.cut is None and not text[loose.end :].strip(BLANK):
            return loose.value
    return value


def _chosen(raw: str, text: str, enum: list[Any]) -> Any:
    for candidate in (raw, text):
        if candidate in [item for item in enum if isinstance(item, str)]:
            return candidate
    value = _read(text)
    if value is not UNREADABLE and any(value == item and type(value) is type(item) for item in enum):
        return value
    return None if text in _NULLS and None in enum else raw


def _type_of(value: Any) -> dict[str, None]:
    match value:
        case None:
            names = ("null",)
        case bool():
            names = ("boolean",)
        case int():
            names = ("integer", "number")  # type: ignore[assignment]
        case float():
            names = ("number",)
        case list():
            names = ("array",)
        case dict():
            names = ("object",)
        case _:
            names = ("string",)
    return dict.fromkeys(names)


def _allowed(schema: Any, root: Any, depth: int) -> tuple[dict[str, None], list[Any] | None]:
    if not isinstance(schema, dict) or depth > MAX_FOLLOWED_REFERENCES:
        return {}, None
    if isinstance(schema.get("$ref"), str):
        return _allowed(subschema_at(root, schema["$ref"]), root, depth + 1)
    if isinstance(schema.get("enum"), list):
        return {}, schema["enum"]
    if "const" in schema:
        return {}, [schema["const"]]
    given = schema.get("type")
    if given is not None:
        names = given if isinstance(given, list) else [given]
        return dict.fromkeys(name for name in names if isinstance(name, str)), None
    return _of_union(schema, root, depth)


def _of_union(schema: dict[str, Any], root: Any, depth: int) -> tuple[dict[str, None], list[Any] | None]:
    types: dict[str, None] = {}
    enum: list[Any] = []
    branches = [*_list(schema.get("anyOf")), *_list(schema.get("oneOf")), *_list(schema.get("allOf"))]
    for branch in branches:
        inner, values = _allowed(branch, root, depth + 1)
        types |= inner
        enum += values or []
    if not branches and isinstance(schema.get("properties"), dict):
        return {"object": None}, None
    if enum:
        types |= {name: None for item in enum for name in _type_of(item)}
    return types, None


def _list(value: Any) -> list[Any]:
    return value[:MAX_FOLLOWED_REFERENCES] if isinstance(value, list) else []
