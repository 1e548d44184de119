"""The keywords of JSON Schema: what form the value of each must have, and what the rules keep of it.

A reader takes the compilation, a keyword's value and its pointer. It gives what the rules hold, or refuses. A new
keyword is a reader in `READERS`, and a field of the rules for its kind of value in `compile.py`.
"""

import re
from collections.abc import Callable
from typing import Any, Final, Literal, NoReturn, Protocol, TypeVar

import msgspec

from ..bounds import MAX_CHECKED_DEPTH
from ..regex import Budget, Pattern, compile_budget
from .addresses import pointer_token
from .formats import FORMATS, Format
from .subschemas import JSON_TYPES, Literals, TooDeepError, equality_key, is_integral, kind_of

Unknown = Literal["refuse", "ignore"]
Formats = Literal["annotate", "assert"]


class CompileOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller of the compiler decides; see `compile_schema`."""

    unknown: Unknown = "refuse"
    formats: Formats = "annotate"
    budget: Budget = msgspec.field(default_factory=compile_budget)


class Compilation(Protocol):
    """What a reader asks of the compiler; `compile.Compiler` has it."""

    options: CompileOptions

    def refuse(self, code: str, message: str, pointer: str) -> NoReturn:
        """Raise SchemaError for a place in this document."""

    def index_of(self, schema: object, pointer: str) -> int:
        """Return the index of a subschema inside the one being read."""

    def reference(self, reference: str, pointer: str) -> int:
        """Return the index of the subschema that a `$ref` names."""

    def dynamic_reference(self, reference: str, pointer: str) -> int:
        """Return the index of the subschema that a `$dynamicRef` names."""

    def pattern(self, source: str, pointer: str) -> Pattern:
        """Return the compiled regular expression."""


_Reader = Callable[[Compilation, object, str], Any]
_Kind = TypeVar("_Kind")

_DIALECTS: Final = ("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema")

_ANCHOR: Final = r"[A-Za-z_][-A-Za-z0-9._]*"


def type_phrase(value: object) -> str:
    """Return the JSON type of a value with its article, such as "an object"."""
    kind = kind_of(value)
    return kind if kind in ("null", "boolean", "number", "string") else f"an {kind}" if kind else "no JSON value"


def _anything(_compilation: Compilation, value: object, _at: str) -> object:
    return value


def _of_type(kind: type[_Kind], phrase: str) -> Callable[[Compilation, object, str], _Kind]:
    """Return the reader of values of one type."""

    def read(compilation: Compilation, value: object, at: str) -> _Kind:
        if not isinstance(value, kind):
            compilation.refuse("invalid_schema", f"expected {phrase}, got {type_phrase(value)}", at)
        return value

    return read


read_string: Final = _of_type(str, "a string")
_boolean: Final = _of_type(bool, "true or false")
_list: Final[Callable[[Compilation, object, str], list[Any]]] = _of_type(list, "an array")
_object: Final[Callable[[Compilation, object, str], dict[str, Any]]] = _of_type(dict, "an object")


def _dialect(compilation: Compilation, value: object, at: str) -> str:
    uri = read_string(compilation, value, at)
    # A caller that ignores unknown keywords accepts any dialect, for the keywords of it that are known.
    if uri.removesuffix("#") not in _DIALECTS and compilation.options.unknown == "refuse":
        compilation.refuse("invalid_schema", f'expected JSON Schema 2020-12 or draft-07, got "{uri}"', at)
    return uri


def _number(compilation: Compilation, value: object, at: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value - value != 0:
        compilation.refuse("invalid_schema", f"expected a finite number, got {type_phrase(value)}", at)
    return value


def _positive(compilation: Compilation, value: object, at: str) -> int | float:
    number = _number(compilation, value, at)
    if number <= 0:
        compilation.refuse("invalid_schema", "expected a number above 0", at)
    return number


def _count(compilation: Compilation, value: object, at: str) -> int:
    number = _number(compilation, value, at)
    if number < 0 or not is_integral(number):
        compilation.refuse("invalid_schema", "expected an integer that is not negative", at)
    return int(number)


def _names(compilation: Compilation, value: object, at: str) -> tuple[str, ...]:
    names = _list(compilation, value, at)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        compilation.refuse("invalid_schema", "expected an array of distinct strings", at)
    return tuple(names)


def _types(compilation: Compilation, value: object, at: str) -> tuple[str, ...]:
    types = (value,) if isinstance(value, str) else _names(compilation, value, at)
    if not types or not set(types) <= set(JSON_TYPES):
        message = f"expected one or more distinct types out of {', '.join(JSON_TYPES)}"
        compilation.refuse("invalid_schema", message, at)
    return types


def _literals(compilation: Compilation, code: str, values: list[object], at: str) -> Literals:
    try:
        keys = frozenset(equality_key(value, compilation.options.budget) for value in values)
        return Literals(code=code, values=tuple(values), keys=keys)
    except TooDeepError:
        message = f"expected values of at most {MAX_CHECKED_DEPTH} levels of nesting"
        compilation.refuse("schema_too_large", message, at)


def _enum(compilation: Compilation, value: object, at: str) -> Literals:
    return _literals(compilation, "enum", _list(compilation, value, at), at)


def _const(compilation: Compilation, value: object, at: str) -> Literals:
    return _literals(compilation, "const", [value], at)


def _pattern(compilation: Compilation, value: object, at: str) -> Pattern:
    source = read_string(compilation, value, at)
    return compilation.pattern(source, at)


def _format(compilation: Compilation, value: object, at: str) -> Format | None:
    name = read_string(compilation, value, at)
    return FORMATS.get(name) if compilation.options.formats == "assert" else None


def _reference(compilation: Compilation, value: object, at: str) -> int:
    return compilation.reference(read_string(compilation, value, at), at)


def _dynamic_reference(compilation: Compilation, value: object, at: str) -> int:
    return compilation.dynamic_reference(read_string(compilation, value, at), at)


def _address(compilation: Compilation, value: object, at: str) -> str:
    address = read_string(compilation, value, at)
    if "#" in address.removesuffix("#"):
        compilation.refuse("invalid_schema", f'expected an address without a fragment, got "{address}"', at)
    return address


def _anchor(compilation: Compilation, value: object, at: str) -> str:
    name = read_string(compilation, value, at)
    if re.fullmatch(_ANCHOR, name, re.ASCII) is None:
        message = f'expected a letter or _, then letters, digits and any of - . _, got "{name}"'
        compilation.refuse("invalid_schema", message, at)
    return name


def _vocabulary(compilation: Compilation, value: object, at: str) -> dict[str, bool]:
    marks = _object(compilation, value, at)
    return {name: _boolean(compilation, mark, at + pointer_token(name)) for name, mark in marks.items()}


def _schema(compilation: Compilation, value: object, at: str) -> int:
    return compilation.index_of(value, at)


def _schemas(compilation: Compilation, value: object, at: str) -> tuple[int, ...]:
    schemas = _list(compilation, value, at)
    if not schemas:
        compilation.refuse("invalid_schema", "expected an array of one or more schemas", at)
    return tuple(compilation.index_of(schema, f"{at}/{place}") for place, schema in enumerate(schemas))


def _schema_map(compilation: Compilation, value: object, at: str) -> dict[str, int]:
    schemas = _object(compilation, value, at)
    return {name: compilation.index_of(schema, at + pointer_token(name)) for name, schema in schemas.items()}


def _pattern_map(compilation: Compilation, value: object, at: str) -> tuple[tuple[Pattern, int], ...]:
    schemas = _schema_map(compilation, value, at)
    return tuple(
        (_pattern(compilation, source, at + pointer_token(source)), index) for source, index in schemas.items()
    )


def _schema_pairs(compilation: Compilation, value: object, at: str) -> tuple[tuple[str, int], ...]:
    return tuple(_schema_map(compilation, value, at).items())


def _names_map(compilation: Compilation, value: object, at: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = _object(compilation, value, at)
    return tuple((name, _names(compilation, needs, at + pointer_token(name))) for name, needs in names.items())


BESIDE_REF: Final = frozenset({"$ref", "$comment", "title", "description"})
"""The keywords beside which a `$ref` still means no more than its target."""

ANNOTATIONS: Final = frozenset(
    {
        "_meta",
        "defaultSnippets",
        "discriminator",
        "enumDescriptions",
        "enumNames",
        "errorMessage",
        "example",
        "externalDocs",
        "markdownDescription",
        "xml",
    }
)
"""Keywords of others that say something about a value and judge none: OpenAPI's, pydantic's, MCP's and editors'."""


def is_annotation(keyword: str) -> bool:
    """Whether a keyword without a reader is one that judges no value; `x-` marks all such of anybody's own."""
    return keyword.startswith("x-") or keyword in ANNOTATIONS


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
    "x-source": read_string,
    "type": _types,
    "unevaluatedItems": _schema,
    "unevaluatedProperties": _schema,
    "uniqueItems": _boolean,
    "writeOnly": _boolean,
}

SUBSCHEMAS: Final = {
    keyword: form
    for form, readers in (
        ("one", (_schema,)),
        ("list", (_schemas,)),
        ("map", (_schema_map, _schema_pairs, _pattern_map)),
    )
    for keyword, reader in READERS.items()
    if reader in readers
}
"""The keywords that hold subschemas: one, a list or by name. Only there do `$id` and anchors name something."""
