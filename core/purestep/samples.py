"""Plausible arguments made from a JSON Schema, for examples of tools that bring none."""

from typing import Any, Final

_MAX_DEPTH: Final = 4
"""Levels of a made sample: an example is to be read at a glance."""


def sample_arguments(parameters: dict[str, Any]) -> dict[str, Any]:
    """Give arguments with every required member, from defaults, examples, enums or the type."""
    value = _sample(parameters, parameters, "", 0)
    return value if isinstance(value, dict) else {}


def _sample(schema: Any, root: dict[str, Any], name: str, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return f"some {name or 'text'}"
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "$ref" in schema:
        return _sample(_resolve(schema["$ref"], root), root, name, depth + 1)
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
            return [_sample(schema.get("items"), root, name, depth + 1)]
        case "integer":
            return int(schema.get("minimum", 2))
        case "number":
            return schema.get("minimum", 2)
        case "boolean":
            return True
        case "null":
            return None
        case _:
            return f"some {name.replace('_', ' ') or 'text'}"


def _resolve(reference: str, root: dict[str, Any]) -> Any:
    node: Any = root
    for part in reference.removeprefix("#").split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        node = node.get(name) if isinstance(node, dict) else None
    return node
