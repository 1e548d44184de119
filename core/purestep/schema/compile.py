"""From a decoded JSON Schema to its rules.

Subschemas are compiled in the order they are first named, so nothing here recurses, and a reference is only
an index. Each keyword has one reader in `_READERS`, which checks the form of its value; a keyword without one
is refused.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeVar

from purestep.schema.issues import SchemaError, pointer_token
from purestep.schema.limits import MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES, MAX_VALUE_DEPTH
from purestep.schema.nodes import (
    JSON_TYPES,
    ArrayRules,
    Condition,
    Literals,
    NumberRules,
    ObjectRules,
    Rules,
    StringRules,
    TooDeepError,
    identity,
    in_place,
    is_integral,
    kind_of,
)
from purestep.schema.patterns import Pattern, compile_pattern

_Reader = Callable[["_Compiler", object, str], Any]
_Group = TypeVar("_Group", NumberRules, StringRules, ArrayRules, ObjectRules)

_DIALECTS: Final = ("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema")

_NUMBER_FIELDS: Final = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusiveMinimum": "exclusive_minimum",
    "exclusiveMaximum": "exclusive_maximum",
    "multipleOf": "multiple_of",
}
_STRING_FIELDS: Final = {"minLength": "min_length", "maxLength": "max_length", "pattern": "pattern"}
_ARRAY_FIELDS: Final = {
    "prefixItems": "prefix",
    "items": "items",
    "contains": "contains",
    "minContains": "min_contains",
    "maxContains": "max_contains",
    "minItems": "min_items",
    "maxItems": "max_items",
    "uniqueItems": "unique",
}
_OBJECT_FIELDS: Final = {
    "properties": "properties",
    "required": "required",
    "patternProperties": "patterns",
    "additionalProperties": "additional",
    "propertyNames": "names",
    "dependentRequired": "dependent_required",
    "dependentSchemas": "dependent_schemas",
    "minProperties": "min_properties",
    "maxProperties": "max_properties",
}


def compile_nodes(schema: object, path: str) -> tuple[Rules, ...]:
    """The rules of every subschema, the root first; see `compile_schema` for the arguments and errors."""
    compiler = _Compiler(schema, path)
    compiler.index_of(schema, "")
    # Compiling one subschema names those inside of it, which lengthens the list.
    nodes = tuple(compiler.rules(*named) for named in compiler.named)
    compiler.refuse_loops(nodes)
    return nodes


class _Compiler:
    """The document at hand, its subschemas named so far, and the patterns compiled so far."""

    def __init__(self, document: object, path: str) -> None:
        self.document = document
        self.path = path
        self.named: list[tuple[object, str]] = []
        self.indexes: dict[str, int] = {}
        self.patterns: dict[str, Pattern] = {}

    def refuse(self, code: str, message: str, pointer: str) -> NoReturn:
        raise SchemaError(code, message, self.path + pointer)

    def index_of(self, schema: object, pointer: str) -> int:
        """The index of the subschema at this place; a reference with nothing beside it is the same as its
        target."""
        schema, pointer = self.followed(schema, pointer)
        index = self.indexes.setdefault(pointer, len(self.named))
        if index == len(self.named):
            self.refuse_excess(pointer)
            self.named.append((schema, pointer))
        return index

    def refuse_excess(self, pointer: str) -> None:
        if len(self.named) >= MAX_SCHEMA_NODES:
            self.refuse("schema_too_large", f"expected at most {MAX_SCHEMA_NODES} subschemas", pointer)
        # One level of subschemas takes one step of the pointer (items) or two (properties and a name).
        if pointer.count("/") > 2 * MAX_SCHEMA_DEPTH:
            self.refuse("schema_too_large", f"expected at most {MAX_SCHEMA_DEPTH} subschemas inside one another", pointer)

    def followed(self, schema: object, pointer: str) -> tuple[object, str]:
        seen = set()
        while isinstance(schema, dict) and "$ref" in schema and schema.keys() <= _BESIDE_REF:
            if pointer in seen:
                self.refuse("unresolvable_ref", "the reference leads back to itself", pointer + "/$ref")
            seen.add(pointer)
            for keyword in schema.keys() - {"$ref"}:
                _string(self, schema[keyword], pointer + pointer_token(keyword))
            schema, pointer = self.target(schema["$ref"], pointer + "/$ref")
        return schema, pointer

    def target(self, reference: object, pointer: str) -> tuple[object, str]:
        """The subschema that a reference names, and its place."""
        if not isinstance(reference, str):
            self.refuse("invalid_schema", f"expected a string, got {_named(reference)}", pointer)
        tokens = _pointer_tokens(reference)
        if tokens is None:
            message = f'expected a reference inside of this schema such as "#/$defs/name", got "{reference}"'
            self.refuse("unresolvable_ref", message, pointer)
        found = self.document
        for token in tokens:
            found = _step_into(found, token)
        if not isinstance(found, dict | bool):
            self.refuse("unresolvable_ref", f'"{reference}" does not lead to a schema', pointer)
        return found, "".join(map(pointer_token, tokens))

    def rules(self, schema: object, pointer: str) -> Rules:
        if isinstance(schema, bool):
            return Rules(pointer=pointer, types=None if schema else ())
        if not isinstance(schema, dict):
            self.refuse("invalid_schema", f"expected a schema (an object, true or false), got {_named(schema)}", pointer)
        read: dict[str, Any] = {}
        for keyword, value in schema.items():
            at = pointer + pointer_token(keyword)
            reader = _READERS.get(keyword)
            if reader is None:
                self.refuse("unsupported_keyword", f'the keyword "{keyword}" is not supported', at)
            read[keyword] = reader(self, value, at)
        return _assembled(pointer, read)

    def refuse_loops(self, nodes: tuple[Rules, ...]) -> None:
        """Refuse schemas that would be asked about the same value again without end."""
        waiting = {index: set(in_place(rules)) for index, rules in enumerate(nodes)}
        while ready := {index for index, needs in waiting.items() if not needs}:
            waiting = {index: needs - ready for index, needs in waiting.items() if index not in ready}
        if waiting:
            looping = next(iter(waiting))
            self.refuse("unresolvable_ref", "the schema refers to itself for the same value", nodes[looping].pointer)


def _assembled(pointer: str, read: Mapping[str, Any]) -> Rules:
    reference = (read["$ref"],) if "$ref" in read else ()
    return Rules(
        pointer=pointer,
        types=read.get("type"),
        literals=tuple(read[keyword] for keyword in ("const", "enum") if keyword in read),
        number=_group(NumberRules, _NUMBER_FIELDS, read),
        string=_group(StringRules, _STRING_FIELDS, read),
        array=_group(ArrayRules, _ARRAY_FIELDS, read),
        object=_group(ObjectRules, _OBJECT_FIELDS, read),
        all_of=reference + read.get("allOf", ()),
        any_of=read.get("anyOf"),
        one_of=read.get("oneOf"),
        negated=read.get("not"),
        condition=_condition(read),
    )


def _group(kind: type[_Group], fields: Mapping[str, str], read: Mapping[str, Any]) -> _Group | None:
    values = {field: read[keyword] for keyword, field in fields.items() if keyword in read}
    return kind(**values) if values else None


def _condition(read: Mapping[str, Any]) -> Condition | None:
    if "if" not in read or ("then" not in read and "else" not in read):
        return None
    return Condition(test=read["if"], then=read.get("then"), otherwise=read.get("else"))


def _pointer_tokens(reference: str) -> list[str] | None:
    """The steps of a reference into this document (RFC 6901, section 6); None when it is no such
    reference."""
    if not reference.startswith("#"):
        return None
    try:
        fragment = _PERCENT.sub(lambda found: bytes([int(found[1], 16)]), reference[1:].encode()).decode()
    except UnicodeError:
        return None
    if _POINTER.fullmatch(fragment) is None:
        return None
    return [token.replace("~1", "/").replace("~0", "~") for token in fragment.split("/")[1:]]


_PERCENT: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_POINTER: Final = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
_ARRAY_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def _step_into(value: object, token: str) -> object:
    if isinstance(value, dict):
        return value.get(token)
    if isinstance(value, list) and _ARRAY_INDEX.fullmatch(token) and int(token) < len(value):
        return value[int(token)]
    return None


def _named(value: object) -> str:
    kind = kind_of(value)
    return kind if kind in ("null", "boolean", "number", "string") else f"an {kind}" if kind else "no JSON value"


# Readers: each takes the compiler, a keyword's value and its pointer, and returns what the rules hold.


def _anything(_compiler: _Compiler, value: object, _at: str) -> object:
    return value


def _string(compiler: _Compiler, value: object, at: str) -> str:
    if not isinstance(value, str):
        compiler.refuse("invalid_schema", f"expected a string, got {_named(value)}", at)
    return value


def _boolean(compiler: _Compiler, value: object, at: str) -> bool:
    if not isinstance(value, bool):
        compiler.refuse("invalid_schema", f"expected true or false, got {_named(value)}", at)
    return value


def _list(compiler: _Compiler, value: object, at: str) -> list[Any]:
    if not isinstance(value, list):
        compiler.refuse("invalid_schema", f"expected an array, got {_named(value)}", at)
    return value


def _object(compiler: _Compiler, value: object, at: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        compiler.refuse("invalid_schema", f"expected an object, got {_named(value)}", at)
    return value


def _dialect(compiler: _Compiler, value: object, at: str) -> str:
    uri = _string(compiler, value, at)
    if uri.removesuffix("#") not in _DIALECTS:
        compiler.refuse("invalid_schema", f'expected JSON Schema 2020-12 or draft-07, got "{uri}"', at)
    return uri


def _number(compiler: _Compiler, value: object, at: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value - value != 0:
        compiler.refuse("invalid_schema", f"expected a finite number, got {_named(value)}", at)
    return value


def _positive(compiler: _Compiler, value: object, at: str) -> int | float:
    number = _number(compiler, value, at)
    if number <= 0:
        compiler.refuse("invalid_schema", "expected a number above 0", at)
    return number


def _count(compiler: _Compiler, value: object, at: str) -> int:
    number = _number(compiler, value, at)
    if number < 0 or not is_integral(number):
        compiler.refuse("invalid_schema", "expected an integer that is not negative", at)
    return int(number)


def _names(compiler: _Compiler, value: object, at: str) -> tuple[str, ...]:
    names = _list(compiler, value, at)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        compiler.refuse("invalid_schema", "expected an array of distinct strings", at)
    return tuple(names)


def _types(compiler: _Compiler, value: object, at: str) -> tuple[str, ...]:
    types = (value,) if isinstance(value, str) else _names(compiler, value, at)
    if not types or not set(types) <= set(JSON_TYPES):
        compiler.refuse("invalid_schema", f"expected a type or an array of types out of {', '.join(JSON_TYPES)}", at)
    return types


def _literals(compiler: _Compiler, code: str, values: list[object], at: str) -> Literals:
    try:
        return Literals(code=code, values=tuple(values), keys=frozenset(map(identity, values)))
    except TooDeepError:
        message = f"expected values of at most {MAX_VALUE_DEPTH} levels of nesting"
        compiler.refuse("schema_too_large", message, at)


def _enum(compiler: _Compiler, value: object, at: str) -> Literals:
    return _literals(compiler, "enum", _list(compiler, value, at), at)


def _const(compiler: _Compiler, value: object, at: str) -> Literals:
    return _literals(compiler, "const", [value], at)


def _pattern(compiler: _Compiler, value: object, at: str) -> Pattern:
    source = _string(compiler, value, at)
    if source not in compiler.patterns:
        compiler.patterns[source] = compile_pattern(source, compiler.path + at)
    return compiler.patterns[source]


def _reference(compiler: _Compiler, value: object, at: str) -> int:
    return compiler.index_of(*compiler.target(value, at))


def _schema(compiler: _Compiler, value: object, at: str) -> int:
    return compiler.index_of(value, at)


def _schemas(compiler: _Compiler, value: object, at: str) -> tuple[int, ...]:
    schemas = _list(compiler, value, at)
    if not schemas:
        compiler.refuse("invalid_schema", "expected an array of one or more schemas", at)
    return tuple(compiler.index_of(schema, f"{at}/{place}") for place, schema in enumerate(schemas))


def _schema_map(compiler: _Compiler, value: object, at: str) -> dict[str, int]:
    schemas = _object(compiler, value, at)
    return {name: compiler.index_of(schema, at + pointer_token(name)) for name, schema in schemas.items()}


def _pattern_map(compiler: _Compiler, value: object, at: str) -> tuple[tuple[Pattern, int], ...]:
    schemas = _schema_map(compiler, value, at)
    return tuple((_pattern(compiler, source, at + pointer_token(source)), index) for source, index in schemas.items())


def _schema_pairs(compiler: _Compiler, value: object, at: str) -> tuple[tuple[str, int], ...]:
    return tuple(_schema_map(compiler, value, at).items())


def _names_map(compiler: _Compiler, value: object, at: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = _object(compiler, value, at)
    return tuple((name, _names(compiler, needs, at + pointer_token(name))) for name, needs in names.items())


_BESIDE_REF: Final = frozenset({"$ref", "$comment", "title", "description"})

_READERS: Final[dict[str, _Reader]] = {
    "$comment": _string,
    "$defs": _schema_map,
    "$ref": _reference,
    "$schema": _dialect,
    "additionalProperties": _schema,
    "allOf": _schemas,
    "anyOf": _schemas,
    "const": _const,
    "contains": _schema,
    "contentEncoding": _string,
    "contentMediaType": _string,
    "default": _anything,
    "definitions": _schema_map,
    "dependentRequired": _names_map,
    "dependentSchemas": _schema_pairs,
    "deprecated": _boolean,
    "description": _string,
    "else": _schema,
    "enum": _enum,
    "examples": _list,
    "exclusiveMaximum": _number,
    "exclusiveMinimum": _number,
    "format": _string,
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
    "title": _string,
    "type": _types,
    "uniqueItems": _boolean,
    "writeOnly": _boolean,
}
