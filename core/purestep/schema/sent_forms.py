"""Schemas as servers take them: with the keywords that all take, or in the strict form of OpenAI.

Sources: OpenAI, structured outputs, supported schemas; Gemini API, `Schema`; Ollama and llama.cpp take more.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET

from .addresses import pointer_tokens, value_at
from .references import with_pointers

_MAX_INLINED: Final = 6
"""References that are followed one into the next: a deeper schema is one that refers to itself, and takes any value."""

_MAX_PARTS: Final = 500
"""Of a plain schema: more than the largest tool has."""


def plain_schema(schema: Any) -> dict[str, Any]:
    """Return a schema of a tool's arguments with the keywords alone that every server takes.

    It accepts more than the one given: arguments are checked against that.
    """
    plain = _Plain(with_pointers(schema)).schema
    return plain if plain.get("type") == "object" else {"type": "object", "properties": {}}


_PLAIN: Final = ("type", "description", "enum", "required")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


class _Plain:
    """Writes one schema, of which a bounded number of parts is kept: references may repeat a part many times."""

    def __init__(self, root: Any) -> None:
        self._root, self._left = root, _MAX_PARTS
        self.schema = self._part(root, 0)

    def _part(self, schema: Any, inlined: int) -> dict[str, Any]:
        self._left -= 1
        if not isinstance(schema, dict) or self._left < 0:
            return {}
        taken, inlined = _one_branch(schema, self._root, inlined)
        plain: dict[str, Any] = {name: taken[name] for name in _PLAIN if name in taken}
        if isinstance(kinds := plain.get("type"), list):
            plain["type"] = next((kind for kind in kinds if kind != "null"), "string")
        if not all(map(_is_text, plain.get("enum", ()))):
            del plain["enum"]  # some take texts alone
        if isinstance(properties := taken.get("properties"), dict):
            plain["properties"] = {name: self._part(member, inlined) for name, member in properties.items()}
            plain["required"] = [name for name in plain.get("required", ()) if name in properties]
            plain.setdefault("type", "object")
        if not plain.get("required"):
            plain.pop("required", None)
        if plain.get("type") == "array":
            plain["items"] = self._part(taken.get("items"), inlined)
        return plain


def _one_branch(schema: dict[str, Any], root: Any, inlined: int) -> tuple[dict[str, Any], int]:
    """Return a schema without references and with the first branch of each choice, and how many were followed."""
    taken = dict(schema)
    while (branch := _branch(taken)) is not None and inlined < _MAX_INLINED:
        inlined += 1
        found = _target(branch["$ref"], root) if "$ref" in branch else branch
        others = {name: value for name, value in taken.items() if name not in _CHOICES}
        taken = {**(found if isinstance(found, dict) else {}), **others}
    return taken, inlined


_CHOICES: Final = ("$ref", "anyOf", "oneOf", "allOf")


def _branch(schema: dict[str, Any]) -> dict[str, Any] | None:
    if isinstance(schema.get("$ref"), str):
        return {"$ref": schema["$ref"]}
    for keyword in _CHOICES[1:]:
        branches = [each for each in schema.get(keyword, ()) if isinstance(each, dict) and each.get("type") != "null"]
        if branches:
            return branches[0]
    return None


def _target(reference: str, root: Any) -> Any:
    found = value_at(root, pointer_tokens(reference.removeprefix("#")))
    return None if found is UNSET else found


# --- the strict form ----------------------------------------------------------------------------------------------

_STRICT: Final = frozenset(
    {
        *("type", "description", "title", "properties", "required", "additionalProperties", "items", "enum", "const"),
        *("anyOf", "$ref", "$defs", "pattern", "format", "minimum", "maximum", "exclusiveMinimum"),
        *("exclusiveMaximum", "multipleOf", "minItems", "maxItems"),
    }
)
"""The keywords that the strict form has."""


def strict_schema(schema: Any) -> dict[str, Any] | None:
    """Return a schema in the strict form, in which members that may be absent may be null instead; None without one.

    The root is an object and no choice, and no object has members beside those that it names.
    """
    pointed = with_pointers(schema)
    if not isinstance(pointed, dict) or pointed.get("type") != "object" or "anyOf" in pointed:
        return None
    strict = _strict(pointed)
    return strict if isinstance(strict, dict) else None


def _strict(schema: Any) -> dict[str, Any] | None:
    if not isinstance(schema, dict) or not _STRICT.issuperset(schema):
        return None
    strict: dict[str, Any] = dict(schema)
    for keyword in ("$defs", "properties"):
        if keyword in schema:
            members = {name: _strict(member) for name, member in schema[keyword].items()}
            if None in members.values():
                return None
            strict[keyword] = members
    if "items" in schema and (items := _strict(schema["items"])) is not None:
        strict["items"] = items
    elif "items" in schema or schema.get("type") == "array":
        return None
    if "anyOf" in schema:
        branches = [_strict(branch) for branch in schema["anyOf"]]
        if None in branches:
            return None
        strict["anyOf"] = branches
    is_object = schema.get("type") == "object" or "properties" in schema
    return _closed(strict) if is_object else strict if _says_a_kind(schema) else None


def _says_a_kind(schema: dict[str, Any]) -> bool:
    return any(keyword in schema for keyword in ("type", "enum", "const", "anyOf", "$ref"))


def _closed(strict: dict[str, Any]) -> dict[str, Any] | None:
    """Return a strict object whose members all stand in each value; None for one with members that have no names."""
    if strict.get("additionalProperties") not in (None, False, True):
        return None
    properties, required = strict.get("properties"), strict.get("required", [])
    if not isinstance(properties, dict) or not properties or not set(required) <= set(properties):
        return None
    members = {name: member if name in required else _nullable(member) for name, member in properties.items()}
    return {**strict, "properties": members, "required": list(properties), "additionalProperties": False}


def _nullable(member: dict[str, Any]) -> dict[str, Any]:
    if member.get("type") == "null" or any(branch.get("type") == "null" for branch in member.get("anyOf", ())):
        return member
    return {"anyOf": [member, {"type": "null"}]}


def without_nulls(schema: Any, value: object) -> object:
    """Return a value of the strict form as the schema that it was made of has it: null members are absent again.

    Only members that may be absent and whose own schema takes no null.
    """
    pointed = with_pointers(schema)
    return _unfilled(pointed, pointed, value, 0)


def _unfilled(schema: Any, root: Any, value: object, inlined: int) -> object:
    if not isinstance(schema, dict):
        return value
    taken, inlined = _one_branch(schema, root, inlined)
    if isinstance(value, list):
        return [_unfilled(taken.get("items"), root, item, inlined) for item in value]
    properties = taken.get("properties")
    if not isinstance(value, dict) or not isinstance(properties, dict):
        return value
    required = taken.get("required", ())
    return {
        name: _unfilled(properties.get(name), root, member, inlined)
        for name, member in value.items()
        if member is not None or name in required or name not in properties or _takes_null(properties[name], root)
    }


def _takes_null(schema: Any, root: Any) -> bool:
    if not isinstance(schema, Mapping):
        return True
    kinds = schema.get("type")
    if kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
        return True
    if "$ref" in schema:
        found = _target(schema["$ref"], root)
        return isinstance(found, Mapping) and "$ref" not in found and _takes_null(found, root)
    named = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]
    return None in named or any(_takes_null(branch, root) for branch in schema.get("anyOf", ()))
