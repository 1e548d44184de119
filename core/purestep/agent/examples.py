"""Plausible arguments made from a JSON Schema, for examples of tools that bring none."""

from collections.abc import Iterable
from typing import Any

from ..bounds import MAX_EXAMPLE_DEPTH, MAX_EXAMPLE_ITEMS, MAX_EXAMPLE_WORDS
from ..json_text import encode_sorted
from ..schema import FORMATS, subschema_at, with_pointers
from ..values import ToolSpec


def sample_arguments(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with every required member, from defaults, examples, enums or the type."""
    plain = with_pointers(parameters)
    value = _sample(plain, plain, "", 0)
    return value if isinstance(value, dict) else {}


def made_texts(specs: Iterable[ToolSpec]) -> frozenset[str]:
    """Return the texts that stand as arguments in made examples and that no schema brings."""
    made: set[str] = set()
    for spec in specs:
        if not spec.examples:
            given = encode_sorted(spec.parameters).decode()
            texts = [value for value in sample_arguments(spec.parameters).values() if isinstance(value, str)]
            made |= {text for text in texts if text and text not in given}
    return frozenset(made)


def _sample(schema: Any, root: dict[str, Any], name: str, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > MAX_EXAMPLE_DEPTH:
        return f"some {name or 'text'}"
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "$ref" in schema:
        return _sample(subschema_at(root, schema["$ref"]), root, name, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return _sample(schema[key][0], root, name, depth + 1)
    return _of_type(schema, root, name, depth)


def _of_type(schema: dict[str, Any], root: dict[str, Any], name: str, depth: int) -> Any:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            properties = schema.get("properties", {})
            wanted = [key for key in properties if key in schema.get("required", ())] or list(properties)[:1]
            return {key: _sample(properties[key], root, key, depth + 1) for key in wanted}
        case "array":
            return [_sample(schema.get("items"), root, name, depth + 1)] * max(
                1, min(schema.get("minItems", 1), MAX_EXAMPLE_ITEMS)
            )
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return True
        case "null":
            return None
        case _ if schema.get("format") in FORMATS:
            return FORMATS[schema["format"]].sample
        case _:
            text = f"some {name.replace('_', ' ') or 'text'}"
            missing = max(schema.get("minLength", 0) - len(text), 0)
            return text + " more" * min(-(-missing // len(" more")), MAX_EXAMPLE_WORDS)


def _number(schema: dict[str, Any]) -> Any:
    """Return a number within the bounds, as far as a simple one is."""
    if "minimum" in schema:
        return schema["minimum"]
    if "exclusiveMinimum" in schema:
        return schema["exclusiveMinimum"] + 1
    return min(2, schema.get("maximum", 2), schema.get("exclusiveMaximum", 3) - 1)
