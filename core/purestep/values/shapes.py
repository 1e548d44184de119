"""Why a JSON value does not have a documented shape: our own words and paths, used only after a decode failed.

The shapes are the Structs themselves: their JSON Schema is checked by our own portable validator, so the
words are the same on every host and with every decoder version.
"""

from typing import Any

import msgspec

from ..bounds import MAX_SHAPE_LEVELS
from ..errors import PurestepError
from ..schema import Issue, compile_schema, render


def first_issue(shape: Any, value: Any) -> Issue | None:
    """Give the first thing in which the value is not of the shape (a Struct type or a union of tagged ones)."""
    (root,), definitions = msgspec.json.schema_components([shape], ref_template="#/$defs/{name}")
    schema = {**_narrow(root, definitions, value), "$defs": definitions}
    _, issues = compile_schema(_plain(schema), native=False).check(value)
    return issues[0] if issues else None


def shape_error(shape: Any, value: Any, code: str, path: str = "") -> PurestepError:
    """Give the error that names the first thing in which the value is not of the shape."""
    issue = first_issue(shape, value)
    if issue is None:
        return PurestepError(code, "expected the documented shape; got something near it", path)
    return PurestepError(code, render(issue), path + issue.path)


def _narrow(schema: dict[str, Any], definitions: dict[str, Any], value: Any) -> dict[str, Any]:
    """Replace each union of tagged shapes that the value's tag decides by the shape it names."""

    def walk(node: Any, part: Any, depth: int) -> Any:
        if not isinstance(node, dict) or depth == 0:
            return node
        if "discriminator" in node:
            return _by_tag(node, part)
        if "$ref" in node and len(node) == 1:
            return walk(definitions[node["$ref"].rpartition("/")[2]], part, depth - 1)
        if isinstance(part, dict) and "properties" in node:
            members = {key: walk(sub, part.get(key), depth - 1) for key, sub in node["properties"].items()}
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
