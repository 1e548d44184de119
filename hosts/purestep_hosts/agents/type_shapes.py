"""A Python type as JSON Schema, and values between JSON and the type: by msgspec, or by pydantic for its types.

msgspec takes the built-in types, structs, dataclasses, TypedDicts, enums, literals, dates and unions of them. Where a
type or its `Annotated` metadata is pydantic's (or that of annotated_types), pydantic does all of it, and is imported
only then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

import msgspec

from purestep import convert_to
from purestep_hosts.agents.result import RunResult

_REF: Final = "#/$defs/"
_TEMPLATE: Final = "#/$defs/{name}"
_PYDANTIC: Final = ("__pydantic_validator__", "__pydantic_core_schema__", "__get_pydantic_core_schema__")
_SCHEMA_MAPS: Final = ("properties", "$defs", "patternProperties")
"""Members whose names are the author's, and whose values are schemas."""


class NotOfType(Exception):
    """A JSON value that is not of the type, although it fits its schema; `message` says where and why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class TypeShape(msgspec.Struct, frozen=True):
    """A type's JSON Schema, and the function that makes its values of JSON ones, which raises NotOfType."""

    schema: dict[str, Any]
    value_of: Callable[[Any], Any]


def shape_of(annotation: Any, where: str, *, is_output: bool = False) -> TypeShape:
    """Return the shape of a type; `where` names what has it, `is_output` asks for the schema of what is written.

    Raises TypeError for a type that no JSON value has.
    """
    try:
        found = _pydantic_shape(annotation, is_output) if _is_pydantic(annotation) else _msgspec_shape(annotation)
    except (TypeError, NameError, RecursionError) as error:
        raise TypeError(
            f"{where} has the type {shown(annotation)}, which has no JSON Schema: {_first(error)}"
        ) from None
    description = description_in(annotation)
    schema = {**found.schema, "description": description} if description else found.schema
    return TypeShape(schema, found.value_of)


def description_in(annotation: Any) -> str:
    """Return the description in `Annotated`: a text, or what has one in `description` or `documentation`."""
    for note in get_args(annotation)[1:] if get_origin(annotation) is Annotated else ():
        text = note if isinstance(note, str) else getattr(note, "description", None)
        text = text or getattr(note, "documentation", None)
        if isinstance(text, str) and text.strip():
            return text.strip()
    return ""


def json_value(value: Any) -> Any:
    """Return a value of these types as JSON has it; raises TypeError for one that JSON does not have."""
    return msgspec.to_builtins(value, str_keys=True, enc_hook=_dumped)


def shown(annotation: Any) -> str:
    """Return a type as an error names it."""
    return getattr(annotation, "__name__", None) or str(annotation).replace("typing.", "")


def _dumped(value: Any) -> Any:
    if isinstance(value, RunResult):
        raise TypeError(f"a RunResult is no JSON; return its answer or its data: {value.answer:.80}")
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json", by_alias=True)
    raise TypeError(f"a value of the type {type(value).__name__} is no JSON")


def _is_pydantic(annotation: Any) -> bool:
    return any(
        any(hasattr(part, name) for name in _PYDANTIC)
        or type(part).__module__.partition(".")[0] in ("pydantic", "annotated_types")
        for part in _parts(annotation)
    )


def _parts(annotation: Any) -> Iterator[Any]:
    """Yield what an annotation is made of: types and metadata, fields of classes not included."""
    yield annotation
    if get_origin(annotation) in (Annotated, Union, UnionType) or get_args(annotation):
        for part in get_args(annotation):
            yield from _parts(part)


def _msgspec_shape(annotation: Any) -> TypeShape:
    schema = msgspec.json.schema(annotation, ref_template=_TEMPLATE)

    def value_of(value: Any) -> Any:
        try:
            return convert_to(value, annotation)
        except msgspec.ValidationError as error:
            raise NotOfType(str(error)) from None

    return TypeShape(tidied(schema), value_of)


def _pydantic_shape(annotation: Any, is_output: bool) -> TypeShape:
    import pydantic

    try:
        adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(annotation)
        mode: Any = "serialization" if is_output else "validation"
        schema = adapter.json_schema(ref_template="#/$defs/{model}", mode=mode)
    except pydantic.errors.PydanticUserError as error:
        raise TypeError(error.message) from None

    def value_of(value: Any) -> Any:
        try:
            return adapter.validate_json(json.dumps(value))
        except pydantic.ValidationError as error:
            faults = error.errors(include_url=False, include_input=False, include_context=False)
            raise NotOfType("; ".join(_fault(fault["loc"], fault["msg"]) for fault in faults)) from None

    return TypeShape(tidied(schema), value_of)


def _fault(place: tuple[int | str, ...], message: str) -> str:
    return f"{message} - at `{'.'.join(map(str, place))}`" if place else message


def tidied(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema as a model reads it best: without titles made from names, and what is used once in its place."""
    bare = _without_titles(schema)
    definitions = bare.get("$defs", {})
    uses = {name: _uses(bare, _REF + name) for name in definitions}
    once = {name for name, count in uses.items() if count == 1 and not _uses(definitions[name], _REF + name)}
    placed = _placed(bare, {name: definitions[name] for name in once})
    left = {name: item for name, item in placed.get("$defs", {}).items() if name not in once}
    rest = {name: item for name, item in placed.items() if name != "$defs"}
    return {**rest, "$defs": left} if left else rest


def _without_titles(schema: Any) -> Any:
    match schema:
        case dict():
            return {
                name: {key: _without_titles(inner) for key, inner in item.items()}
                if name in _SCHEMA_MAPS and isinstance(item, dict)
                else item
                if name in ("default", "const", "enum", "examples")
                else _without_titles(item)
                for name, item in schema.items()
                if name != "title"
            }
        case list():
            return [_without_titles(item) for item in schema]
        case _:
            return schema


def _uses(schema: Any, ref: str) -> int:
    match schema:
        case dict():
            return (schema.get("$ref") == ref) + sum(_uses(item, ref) for item in schema.values())
        case list():
            return sum(_uses(item, ref) for item in schema)
        case _:
            return 0


def _placed(schema: Any, once: dict[str, Any]) -> Any:
    match schema:
        case {"$ref": str(ref)} if ref.removeprefix(_REF) in once:
            rest = {name: item for name, item in schema.items() if name != "$ref"}
            return {**_placed(once[ref.removeprefix(_REF)], once), **rest}
        case dict():
            return {name: _placed(item, once) for name, item in schema.items()}
        case list():
            return [_placed(item, once) for item in schema]
        case _:
            return schema


def _first(error: BaseException) -> str:
    return str(error).strip().rpartition("\n")[2] or type(error).__name__
