"""Putting a tool's schema inside a larger one: references that count from its root are made to count from its place.

A schema with references is moved to the whole's `$defs`; one without stands where it is used.
"""

from typing import Any


def embedded(schema: Any, name: str) -> Any:
    """Give what stands in the place of the schema: itself, or a reference to where it was moved."""
    return schema if rebased(schema, name) is None else {"$ref": f"#/$defs/{_token(name)}"}


def rebased(schema: Any, name: str) -> Any:
    """Give the schema as it stands under `$defs`, or None when it holds no reference and need not move."""
    moved = _walk(schema, f"#/$defs/{_token(name)}")
    return None if moved == schema else moved


def _token(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _walk(node: Any, base: str) -> Any:
    match node:
        case dict():
            return {key: _reference(item, base) if key == "$ref" else _walk(item, base) for key, item in node.items()}
        case list():
            return [_walk(item, base) for item in node]
        case _:
            return node


def _reference(target: Any, base: str) -> Any:
    # A property may be named "$ref": then its schema is no string and is walked like any other.
    return base + target.removeprefix("#") if isinstance(target, str) else _walk(target, base)
