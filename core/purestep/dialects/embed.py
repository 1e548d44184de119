"""Putting a tool's schema inside a larger one: references that count from its root are made to count from its place.

A schema with references is moved to the whole's `$defs`; one without stands where it is used.
"""

from typing import Any, Final

from ..schema import with_pointers


def embedded(schema: Any, name: str) -> Any:
    """Give what stands in the place of the schema: itself, or a reference to where it was moved.

    name: of letters, digits, dots and hyphens, so that it is the same in a reference.
    """
    return schema if rebased(schema, name) is None else {"$ref": f"#/$defs/{name}"}


def rebased(schema: Any, name: str) -> Any:
    """Give the schema as it stands under `$defs`, or None when it holds no reference and need not move."""
    plain = with_pointers(schema)
    moved = _walk(plain, f"#/$defs/{name}")
    return None if moved == schema else moved


_DATA: Final = ("const", "enum", "default", "examples")
"""Keywords whose values are data, in which a "$ref" refers to nothing."""

_NAMED: Final = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
"""Keywords whose values are schemas by names of the author's, which may be any word."""


def _walk(node: Any, base: str) -> Any:
    match node:
        case dict():
            return {key: _member(key, item, base) for key, item in node.items()}
        case list():
            return [_walk(item, base) for item in node]
        case _:
            return node


def _member(key: str, item: Any, base: str) -> Any:
    if key == "$ref":
        return _reference(item, base)
    if key in _DATA:
        return item
    if key in _NAMED and isinstance(item, dict):
        return {name: _walk(schema, base) for name, schema in item.items()}
    return _walk(item, base)


def _reference(target: Any, base: str) -> Any:
    return base + target.removeprefix("#") if isinstance(target, str) else target
