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
    moved: dict[str, Any] = {}

    def placed(schema: Any, name: str) -> Any:
        rebased = with_pointers(schema, f"#/$defs/{name}")
        if rebased == schema:
            return schema
        moved[name] = rebased
        return {"$ref": f"#/$defs/{name}"}

    branches = [
        _object(call(spec.name, placed(spec.parameters, _place(spec.name, number))))
        for number, spec in enumerate(tools.values())
    ]
    content = {"type": "string"} if answer_schema is None else placed(answer_schema, "answer")
    if answer_schema is not False or not branches:
        branches += map(_object, answers(content))
    schema = {"anyOf": branches} if len(branches) > 1 else branches[0]
    return {**schema, "$defs": moved} if moved else schema


def _place(name: str, number: int) -> str:
    # llama.cpp looks a reference up as it is written, so one to a name that had to be escaped would lead nowhere.
    return f"tool.{name}" if _PLAIN_NAME.fullmatch(name) else f"tools.{number}"


_PLAIN_NAME: Final = lazy_pattern("[A-Za-z0-9._-]+")


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
