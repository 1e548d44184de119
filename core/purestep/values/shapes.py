"""Why a JSON value does not have a documented shape: our own words and paths, used only after a decode failed.

The shapes are the Structs themselves: their JSON Schema is checked by our own portable validator, so the
words are the same on every host and with every decoder version.
"""

import functools
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from ..bounds import MAX_SHAPE_LEVELS
from ..errors import PurestepError
from ..lazy import convert_to
from ..schema import Issue, compile_schema, render

_DEFINITIONS: Final = "#/$defs/"


def first_issue(shape: Any, value: Any) -> Issue | None:
    """Return the first thing in which the value is not of the shape (a Struct type or a union of tagged ones)."""
    root, definitions = _components(shape)
    narrowed = _narrow(root, definitions, value)
    schema = {**narrowed, "$defs": _reached(narrowed, definitions)}
    issues = compile_schema(_plain(schema), native=False).check(value)
    return issues[0] if issues else None


@functools.cache  # a dozen shapes, all of them declared; deriving one takes ten times as long as most steps
def _components(shape: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    (root,), definitions = msgspec.json.schema_components([shape], ref_template=f"{_DEFINITIONS}{{name}}")
    return root, definitions


def _reached(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions that a narrowed schema refers to: the others need not be compiled."""
    reached: dict[str, Any] = {}
    waiting = [*_named(schema)]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = definitions[name]
            waiting += _named(definitions[name])
    return reached


def _named(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(reference := node.get("$ref"), str):
            yield reference.removeprefix(_DEFINITIONS)
        node = [item for key, item in node.items() if key != "discriminator"]
    if isinstance(node, list):
        for item in node:
            yield from _named(item)


def shape_error(shape: Any, value: Any, code: str, path: str = "") -> PurestepError:
    """Return the error that names the first thing in which the value is not of the shape."""
    issue = first_issue(shape, value)
    if issue is None:
        return PurestepError(code, "expected the documented shape; got something near it", path)
    return PurestepError(code, render(issue), path + issue.path)


def converted(shape: Any, value: Any, code: str, path: str = "") -> Any:
    """Return a JSON value as a value of the shape; raises the error of this code that names what is wrong with it."""
    try:
        return convert_to(value, shape)
    except msgspec.ValidationError:
        raise shape_error(shape, value, code, path) from None


def _narrow(schema: dict[str, Any], definitions: dict[str, Any], value: Any) -> dict[str, Any]:
    """Replace each union of tagged shapes that the value's tag decides by the shape it names, and leave out what the
    value has no member for."""

    def walk(node: Any, part: Any, depth: int) -> Any:
        if not isinstance(node, dict) or depth == 0:
            return node
        if "discriminator" in node:
            return _by_tag(node, part)
        if "$ref" in node and len(node) == 1:
            return walk(definitions[node["$ref"].removeprefix(_DEFINITIONS)], part, depth - 1)
        if isinstance(part, dict) and "properties" in node:
            members = {
                key: walk(sub, part[key], depth - 1) if key in part else {} for key, sub in node["properties"].items()
            }
            return {**node, "properties": members}
        return node

    narrowed: dict[str, Any] = walk(schema, value, MAX_SHAPE_LEVELS)
    return narrowed


def _by_tag(node: dict[str, Any], part: Any) -> Any:
    about = node["discriminator"]
    tag = part.get(about["propertyName"]) if isinstance(part, dict) else None
    known = about["mapping"]
    if isinstance(tag, str) and tag in known:
        return {"$ref": known[tag]}
    properties = {about["propertyName"]: {"enum": list(known)}}
    return {"type": "object", "required": [about["propertyName"]], "properties": properties}


def _plain(node: Any) -> Any:
    """Drop what is no JSON Schema keyword."""
    if isinstance(node, dict):
        return {key: _plain(item) for key, item in node.items() if key != "discriminator"}
    return [_plain(item) for item in node] if isinstance(node, list) else node
