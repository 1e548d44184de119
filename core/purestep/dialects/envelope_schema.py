"""The JSON Schema of an envelope: one typed branch for each tool and one for the answer.

A tool's schema with references is moved to the whole's `$defs`, and its references are made to count from there; one
without references is put where it is used.
"""

from collections.abc import Callable
from typing import Any, Final

from ..lazy import lazy_pattern
from ..schema import with_pointers
from ..values import Tools


def constrain(tools: Tools, answer_schema: Any) -> dict[str, Any]:
    """Return a schema with one typed branch per tool and one for the final answer, unless its schema is False."""

    def branch(name: str, parameters: Any) -> dict[str, Any]:
        return {"kind": {"const": "tool_call"}, "tool_name": {"const": name}, "arguments": parameters}

    return constrain_branches(
        tools, answer_schema, branch, answers=lambda schema: ({"kind": {"const": "final"}, "content": schema},)
    )


def constrain_branches(
    tools: Tools,
    answer_schema: Any,
    call: Callable[[str, Any], dict[str, Any]],
    *,
    answers: Callable[[Any], tuple[dict[str, Any], ...]],
) -> dict[str, Any]:
    """Return a schema of objects with all of their members: one for each tool, and those of an answer.

    call: a tool's name and the schema of its arguments to the members of its object. answers: the answer's schema to
    the members of each object without a call; a schema of False leaves them out where there are tools.
    """
    places = {name: _place(name, number) for number, name in enumerate(tools)}
    branches = [_object(call(spec.name, embedded(spec.parameters, places[spec.name]))) for spec in tools.values()]
    content = {"type": "string"} if answer_schema is None else embedded(answer_schema, "answer")
    if answer_schema is not False or not branches:
        branches += map(_object, answers(content))
    schema = {"anyOf": branches} if len(branches) > 1 else branches[0]
    moved = {places[spec.name]: rebased(spec.parameters, places[spec.name]) for spec in tools.values()}
    moved["answer"] = rebased(answer_schema, "answer")
    definitions = {name: part for name, part in moved.items() if part is not None}
    return {**schema, "$defs": definitions} if definitions else schema


def _place(name: str, number: int) -> str:
    # llama.cpp looks a reference up as it is written, so one to a name that had to be escaped would lead nowhere.
    return f"tool.{name}" if _PLAIN_NAME.fullmatch(name) else f"tools.{number}"


_PLAIN_NAME: Final = lazy_pattern("[A-Za-z0-9._-]+")


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


# --- references -------------------------------------------------------------------------------------------


def embedded(schema: Any, name: str) -> Any:
    """Return what is put in the place of the schema: itself, or a reference to where it was moved.

    name: of letters, digits, dots and hyphens, so that it is the same in a reference.
    """
    return schema if rebased(schema, name) is None else {"$ref": f"#/$defs/{name}"}


def rebased(schema: Any, name: str) -> Any:
    """Return the schema as it is under `$defs`, or None when it holds no reference and need not move."""
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
