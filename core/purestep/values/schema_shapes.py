"""Schemas of other dialects than JSON Schema 2020-12: draft 4 to 2019-09 and OpenAPI 3.0, read as 2020-12.

Tools come with the schemas that their libraries write: zod's converter writes draft-07, OpenAPI 3.0 documents say
`nullable`, pydantic puts a model that contains itself behind a `$ref` at the root. What means the same in 2020-12 is
put into its words, once, before the digest; what is in its words already comes back as it is.
"""

from collections.abc import Callable
from typing import Any, Final

from ..bounds import MAX_SCHEMA_DEPTH, MAX_VALUE_DEPTH
from ..schema import is_pointer, pointer_tokens

_Schema = dict[str, Any]

_ONE: Final = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords that hold a schema."""

_SEVERAL: Final = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
"""Keywords that hold an array of schemas."""

_NAMED: Final = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)
"""Keywords that hold an object of schemas."""

_OLDER: Final = frozenset(
    f"{scheme}://json-schema.org/{draft}/schema"
    for scheme in ("http", "https")
    for draft in ("draft-04", "draft-06", "draft/2019-09")
)
"""The `$schema` of the drafts that are read; draft-07's is one that the compiler takes."""

_BESIDE_ROOT_REF: Final = frozenset(
    {"$comment", "$defs", "$ref", "$schema", "default", "definitions", "deprecated", "description", "examples", "title"}
    | {"type"}
)
"""What may stand beside a `$ref` at the root that is put in place: nothing that judges a value but its type."""


def in_2020_12(schema: Any, depth: int = 0) -> Any:
    """Return a decoded schema in the words of 2020-12.

    Past MAX_VALUE_DEPTH levels, and where a keyword's value has no form of any dialect, it stays as it is, to be
    refused by the compiler with its path.
    """
    if not isinstance(schema, dict) or depth > MAX_VALUE_DEPTH:
        return schema
    read = {keyword: _below(keyword, value, depth + 1) for keyword, value in schema.items()}
    for applies, convert in _CONVERSIONS:
        if applies(read):
            read = convert(read)
    return read


def parameters_schema(schema: Any) -> Any:
    """Return the schema of a tool's arguments in the words of 2020-12: an object at the root, said there.

    Arguments are never anything else, so `type` is added where another keyword or nothing says it.
    """
    read = _in_place(in_2020_12(schema))
    if not isinstance(read, dict):
        return read
    kinds = read.get("type", "object")
    if isinstance(kinds, list) and "object" in kinds:
        kinds = "object"
    return {**read, "type": kinds} if "type" in read else {"type": kinds, **read}


def _below(keyword: str, value: Any, depth: int) -> Any:
    """Return the value of a keyword with the schemas in it read."""
    if keyword in _SEVERAL and isinstance(value, list):
        return [in_2020_12(each, depth + 1) for each in value]
    if keyword in _NAMED and isinstance(value, dict):
        return {name: in_2020_12(each, depth + 1) for name, each in value.items()}
    return in_2020_12(value, depth) if keyword in _ONE else value


def _in_place(schema: Any) -> Any:
    """Put what a `$ref` at the root names in its place, so that every reader finds the properties there."""
    for _ in range(MAX_SCHEMA_DEPTH):
        if not isinstance(schema, dict) or "$ref" not in schema or not schema.keys() <= _BESIDE_ROOT_REF:
            return schema
        target = _target(schema, schema["$ref"])
        if target is None or "$id" in target:
            return schema
        schema = {**target, **{name: value for name, value in schema.items() if name != "$ref"}}
    return schema


def _target(schema: _Schema, reference: Any) -> _Schema | None:
    """Return the object that a JSON pointer in this document names; None for another reference, which stays."""
    if not isinstance(reference, str) or not reference.startswith("#/") or "%" in reference:
        return None
    if not is_pointer(reference[1:]):
        return None  # refused by the compiler, as it is below the root
    found: Any = schema
    for name in pointer_tokens(reference[1:]):
        if not isinstance(found, dict) or name not in found:
            return None
        found = found[name]
    return found if isinstance(found, dict) else None


def _without_dialect(schema: _Schema) -> _Schema:
    return {keyword: value for keyword, value in schema.items() if keyword != "$schema"}


def _is_older(schema: _Schema) -> bool:
    uri = schema.get("$schema")
    return isinstance(uri, str) and uri.removesuffix("#") in _OLDER


def _tuple(schema: _Schema) -> _Schema:
    """Draft 4 to 2019-09: an array in `items` is a tuple, and `additionalItems` is what comes after it."""
    read = {keyword: value for keyword, value in schema.items() if keyword not in ("items", "additionalItems")}
    if schema["items"]:
        read["prefixItems"] = schema["items"]
    if "additionalItems" in schema:
        read["items"] = schema["additionalItems"]
    return read


def _without_additional(schema: _Schema) -> _Schema:
    """Beside one schema in `items`, or none, `additionalItems` says nothing (draft-07, 6.4.2)."""
    return {keyword: value for keyword, value in schema.items() if keyword != "additionalItems"}


def _dependencies(schema: _Schema) -> _Schema:
    """Draft 4 to 07: `dependencies` holds what are `dependentRequired` and `dependentSchemas` today."""
    read = {keyword: value for keyword, value in schema.items() if keyword != "dependencies"}
    names = {name: value for name, value in schema["dependencies"].items() if isinstance(value, list)}
    schemas = {name: value for name, value in schema["dependencies"].items() if not isinstance(value, list)}
    for keyword, found in (("dependentRequired", names), ("dependentSchemas", schemas)):
        beside = read.get(keyword, {})
        # What is no object stays, to be refused by the compiler with its path.
        if found and isinstance(beside, dict):
            read[keyword] = {**found, **beside}
    return read


def _nullable(schema: _Schema) -> _Schema:
    """OpenAPI 3.0: `nullable` adds null to the type beside it, and says nothing where there is none (3.0.3)."""
    read = {keyword: value for keyword, value in schema.items() if keyword != "nullable"}
    kinds = read.get("type")
    if schema["nullable"] and isinstance(kinds, str) and kinds != "null":
        read["type"] = [kinds, "null"]
    return read


def _exclusive(side: str, plain: str) -> Callable[[_Schema], _Schema]:
    """Draft 4 and OpenAPI 3.0: true makes the bound beside it an exclusive one."""

    def convert(schema: _Schema) -> _Schema:
        read = {keyword: value for keyword, value in schema.items() if keyword != side}
        if schema[side] and plain in read:
            read[side] = read.pop(plain)
        return read

    return convert


_CONVERSIONS: Final[tuple[tuple[Callable[[_Schema], bool], Callable[[_Schema], _Schema]], ...]] = (
    (_is_older, _without_dialect),
    (lambda schema: isinstance(schema.get("items"), list) and "prefixItems" not in schema, _tuple),
    (lambda schema: "additionalItems" in schema, _without_additional),
    (lambda schema: isinstance(schema.get("dependencies"), dict), _dependencies),
    (lambda schema: isinstance(schema.get("nullable"), bool), _nullable),
    (lambda schema: isinstance(schema.get("exclusiveMinimum"), bool), _exclusive("exclusiveMinimum", "minimum")),
    (lambda schema: isinstance(schema.get("exclusiveMaximum"), bool), _exclusive("exclusiveMaximum", "maximum")),
)
"""Each way in which another dialect says something, and how 2020-12 says it."""
