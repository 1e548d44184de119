"""The keywords: what form the value of each must have, and what the rules keep of it.

A reader takes the compiler, a keyword's value and its pointer. It returns what the rules hold, or refuses.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ..bounds import MAX_CHECKED_DEPTH
from .formats import FORMATS, Format
from .issues import pointer_token
from .nodes import JSON_TYPES, Literals, TooDeepError, identity, is_integral, kind_of
from .patterns import Pattern

if TYPE_CHECKING:
    from .compile import Compiler

_Reader = Callable[["Compiler", object, str], Any]

_DIALECTS: Final = ("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema")

_ANCHOR: Final = r"[A-Za-z_][-A-Za-z0-9._]*"


def named(value: object) -> str:
    """What kind of value it is, with its article."""
    kind = kind_of(value)
    return kind if kind in ("null", "boolean", "number", "string") else f"an {kind}" if kind else "no JSON value"


def _anything(_compiler: "Compiler", value: object, _at: str) -> object:
    return value


def read_string(compiler: "Compiler", value: object, at: str) -> str:
    """The string that a keyword holds."""
    if not isinstance(value, str):
        compiler.refuse("invalid_schema", f"expected a string, got {named(value)}", at)
    return value


def _boolean(compiler: "Compiler", value: object, at: str) -> bool:
    if not isinstance(value, bool):
        compiler.refuse("invalid_schema", f"expected true or false, got {named(value)}", at)
    return value


def _list(compiler: "Compiler", value: object, at: str) -> list[Any]:
    if not isinstance(value, list):
        compiler.refuse("invalid_schema", f"expected an array, got {named(value)}", at)
    return value


def _object(compiler: "Compiler", value: object, at: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        compiler.refuse("invalid_schema", f"expected an object, got {named(value)}", at)
    return value


def _dialect(compiler: "Compiler", value: object, at: str) -> str:
    uri = read_string(compiler, value, at)
    # Who ignores unknown keywords takes any dialect for what of it is known.
    if uri.removesuffix("#") not in _DIALECTS and compiler.choices.unknown == "refuse":
        compiler.refuse("invalid_schema", f'expected JSON Schema 2020-12 or draft-07, got "{uri}"', at)
    return uri


def _number(compiler: "Compiler", value: object, at: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value - value != 0:
        compiler.refuse("invalid_schema", f"expected a finite number, got {named(value)}", at)
    return value


def _positive(compiler: "Compiler", value: object, at: str) -> int | float:
    number = _number(compiler, value, at)
    if number <= 0:
        compiler.refuse("invalid_schema", "expected a number above 0", at)
    return number


def _count(compiler: "Compiler", value: object, at: str) -> int:
    number = _number(compiler, value, at)
    if number < 0 or not is_integral(number):
        compiler.refuse("invalid_schema", "expected an integer that is not negative", at)
    return int(number)


def _names(compiler: "Compiler", value: object, at: str) -> tuple[str, ...]:
    names = _list(compiler, value, at)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        compiler.refuse("invalid_schema", "expected an array of distinct strings", at)
    return tuple(names)


def _types(compiler: "Compiler", value: object, at: str) -> tuple[str, ...]:
    types = (value,) if isinstance(value, str) else _names(compiler, value, at)
    if not types or not set(types) <= set(JSON_TYPES):
        message = f"expected one or more distinct types out of {', '.join(JSON_TYPES)}"
        compiler.refuse("invalid_schema", message, at)
    return types


def _literals(compiler: "Compiler", code: str, values: list[object], at: str) -> Literals:
    try:
        return Literals(code=code, values=tuple(values), keys=frozenset(map(identity, values)))
    except TooDeepError:
        message = f"expected values of at most {MAX_CHECKED_DEPTH} levels of nesting"
        compiler.refuse("schema_too_large", message, at)


def _enum(compiler: "Compiler", value: object, at: str) -> Literals:
    return _literals(compiler, "enum", _list(compiler, value, at), at)


def _const(compiler: "Compiler", value: object, at: str) -> Literals:
    return _literals(compiler, "const", [value], at)


def _pattern(compiler: "Compiler", value: object, at: str) -> Pattern:
    source = read_string(compiler, value, at)
    return compiler.pattern(source, at)


def _format(compiler: "Compiler", value: object, at: str) -> Format | None:
    name = read_string(compiler, value, at)
    return FORMATS.get(name) if compiler.choices.formats == "assert" else None


def _reference(compiler: "Compiler", value: object, at: str) -> int:
    return compiler.reference(read_string(compiler, value, at), at)


def _dynamic_reference(compiler: "Compiler", value: object, at: str) -> int:
    return compiler.dynamic_reference(read_string(compiler, value, at), at)


def _address(compiler: "Compiler", value: object, at: str) -> str:
    address = read_string(compiler, value, at)
    if "#" in address.removesuffix("#"):
        compiler.refuse("invalid_schema", f'expected an address without a fragment, got "{address}"', at)
    return address


def _anchor(compiler: "Compiler", value: object, at: str) -> str:
    name = read_string(compiler, value, at)
    if re.fullmatch(_ANCHOR, name, re.ASCII) is None:
        message = f'expected a letter or _, then letters, digits and any of - . _, got "{name}"'
        compiler.refuse("invalid_schema", message, at)
    return name


def _vocabulary(compiler: "Compiler", value: object, at: str) -> dict[str, bool]:
    marks = _object(compiler, value, at)
    return {name: _boolean(compiler, mark, at + pointer_token(name)) for name, mark in marks.items()}


def _schema(compiler: "Compiler", value: object, at: str) -> int:
    return compiler.index_of(value, at)


def _schemas(compiler: "Compiler", value: object, at: str) -> tuple[int, ...]:
    schemas = _list(compiler, value, at)
    if not schemas:
        compiler.refuse("invalid_schema", "expected an array of one or more schemas", at)
    return tuple(compiler.index_of(schema, f"{at}/{place}") for place, schema in enumerate(schemas))


def _schema_map(compiler: "Compiler", value: object, at: str) -> dict[str, int]:
    schemas = _object(compiler, value, at)
    return {name: compiler.index_of(schema, at + pointer_token(name)) for name, schema in schemas.items()}


def _pattern_map(compiler: "Compiler", value: object, at: str) -> tuple[tuple[Pattern, int], ...]:
    schemas = _schema_map(compiler, value, at)
    return tuple((_pattern(compiler, source, at + pointer_token(source)), index) for source, index in schemas.items())


def _schema_pairs(compiler: "Compiler", value: object, at: str) -> tuple[tuple[str, int], ...]:
    return tuple(_schema_map(compiler, value, at).items())


def _names_map(compiler: "Compiler", value: object, at: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = _object(compiler, value, at)
    return tuple((name, _names(compiler, needs, at + pointer_token(name))) for name, needs in names.items())


BESIDE_REF: Final = frozenset({"$ref", "$comment", "title", "description"})

READERS: Final[dict[str, _Reader]] = {
    "$anchor": _anchor,
    "$comment": read_string,
    "$defs": _schema_map,
    "$dynamicAnchor": _anchor,
    "$dynamicRef": _dynamic_reference,
    "$id": _address,
    "$ref": _reference,
    "$schema": _dialect,
    "$vocabulary": _vocabulary,
    "additionalProperties": _schema,
    "allOf": _schemas,
    "anyOf": _schemas,
    "const": _const,
    "contains": _schema,
    "contentEncoding": read_string,
    "contentMediaType": read_string,
    "contentSchema": _schema,
    "default": _anything,
    "definitions": _schema_map,
    "dependentRequired": _names_map,
    "dependentSchemas": _schema_pairs,
    "deprecated": _boolean,
    "description": read_string,
    "else": _schema,
    "enum": _enum,
    "examples": _list,
    "exclusiveMaximum": _number,
    "exclusiveMinimum": _number,
    "format": _format,
    "if": _schema,
    "items": _schema,
    "maxContains": _count,
    "maxItems": _count,
    "maxLength": _count,
    "maxProperties": _count,
    "maximum": _number,
    "minContains": _count,
    "minItems": _count,
    "minLength": _count,
    "minProperties": _count,
    "minimum": _number,
    "multipleOf": _positive,
    "not": _schema,
    "oneOf": _schemas,
    "pattern": _pattern,
    "patternProperties": _pattern_map,
    "prefixItems": _schemas,
    "properties": _schema_map,
    "propertyNames": _schema,
    "readOnly": _boolean,
    "required": _names,
    "then": _schema,
    "title": read_string,
    "type": _types,
    "unevaluatedItems": _schema,
    "unevaluatedProperties": _schema,
    "uniqueItems": _boolean,
    "writeOnly": _boolean,
}
