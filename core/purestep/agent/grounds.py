"""Grounding: the arguments that are copied from what was said, as their schemas tell, and the tools held to it.

A schema tells the form of its values by `format`, as for addresses, or by the keyword `x-source`. Where the
conversation holds values of that form, a carried model is offered these alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from ..schema import Schema, pointer_token, subschema_at, with_pointers
from ..text import Kind
from ..values import ToolSpec

Kinds = tuple[Kind, ...]
Values = tuple[str | int | float, ...]

SOURCES: Final[dict[str, Kinds]] = {
    "number": ("number",), "url": ("url",), "email": ("email",), "path": ("path",), "date": ("date",),
    "time": ("time",), "datetime": ("datetime", "date"), "quote": ("quote",),
}  # fmt: skip
"""What `x-source` may say, and the forms of the values that it takes."""

_FORMATS: Final[dict[str, Kinds]] = {
    "uri": ("url",), "url": ("url",), "iri": ("url",), "email": ("email",), "idn-email": ("email",),
}  # fmt: skip
"""Formats whose values hardly anybody makes up: a date may be reckoned, an address is copied."""

_MAX_REFERENCES: Final = 4
"""References after one another that are followed to a parameter's schema."""


def grounds_of(spec: ToolSpec) -> dict[str, Kinds]:
    """Return the parameters of a tool whose values are copied, each with the forms that they may have."""
    root = with_pointers(spec.parameters)
    properties = root.get("properties")
    found = {
        name: _kinds(_resolved(schema, root))
        for name, schema in (properties if isinstance(properties, dict) else {}).items()
    }
    return {name: kinds for name, kinds in found.items() if kinds}


def _kinds(schema: dict[str, Any]) -> Kinds:
    if "enum" in schema or "const" in schema:
        return ()
    source, form = schema.get("x-source"), schema.get("format")
    named = SOURCES.get(source, ()) if isinstance(source, str) else ()
    return named or (_FORMATS.get(form, ()) if isinstance(form, str) else ())


def _resolved(schema: Any, root: dict[str, Any]) -> dict[str, Any]:
    """Return a schema after its reference, and without the null that makes it optional."""
    for _ in range(_MAX_REFERENCES):
        if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
            schema = subschema_at(root, schema["$ref"])
            continue
        union = schema.get("anyOf") or schema.get("oneOf") if isinstance(schema, dict) else None
        branches = [each for each in union if each != {"type": "null"}] if isinstance(union, list) else []
        if len(branches) != 1 or not isinstance(branches[0], dict):
            break
        about = {key: schema[key] for key in ("x-source",) if key in schema}
        schema = {**branches[0], **about}
    return schema if isinstance(schema, dict) else {}


def fitting_values(parameters: Schema, name: str, values: Sequence[str | int | float]) -> Values:
    """Return the values that a parameter takes by its schema; of a host without a scheme, the address that it has."""
    found = [value for value in values if _fits(parameters, name, value)]
    if not found:
        addresses = [f"https://{value}" for value in values if isinstance(value, str) and "://" not in value]
        found = [value for value in addresses if _fits(parameters, name, value)]
    return tuple(found)


def _fits(parameters: Schema, name: str, value: str | int | float) -> bool:
    path = pointer_token(name)
    return not any(issue.path == path for issue in parameters.check({name: value}))


def grounded_spec(spec: ToolSpec, candidates: Mapping[str, Values]) -> ToolSpec:
    """Return a tool some of whose arguments are held to candidates."""
    given: dict[str, Any] = spec.parameters.get("properties", {})
    properties = {
        name: {**_described(schema), "enum": list(candidates[name])} if name in candidates else schema
        for name, schema in given.items()
    }
    return replace(spec, parameters={**spec.parameters, "properties": properties})


def _described(schema: Any) -> dict[str, Any]:
    return {"description": schema["description"]} if isinstance(schema, dict) and "description" in schema else {}
