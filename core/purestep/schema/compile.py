"""From a decoded JSON Schema to its rules.

Subschemas are compiled in the order they are first named, so nothing here recurses, and a reference is only
an index. Each keyword has one reader in `READERS`, which checks the form of its value; a keyword without one
is refused.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeVar

from purestep.schema.issues import SchemaError, pointer_token
from purestep.schema.keywords import BESIDE_REF, READERS, named, read_string
from purestep.schema.limits import MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES
from purestep.schema.nodes import (
    ArrayRules,
    Condition,
    NumberRules,
    ObjectRules,
    Rules,
    StringRules,
    in_place,
)
from purestep.schema.patterns import Pattern, compile_pattern

_Group = TypeVar("_Group", NumberRules, StringRules, ArrayRules, ObjectRules)

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
    compiler = Compiler(schema, path)
    compiler.index_of(schema, "")
    # Compiling one subschema names those inside of it, which lengthens the list.
    nodes = tuple(compiler.rules(*named) for named in compiler.named)
    compiler.refuse_loops(nodes)
    return nodes


class Compiler:
    """The document at hand, its subschemas named so far, and the patterns compiled so far."""

    def __init__(self, document: object, path: str) -> None:
        self.document = document
        self.path = path
        self.named: list[tuple[object, str]] = []
        self.indexes: dict[str, int] = {}
        self.patterns: dict[str, Pattern] = {}

    def refuse(self, code: str, message: str, pointer: str) -> NoReturn:
        """Raise the error for a place in this document."""
        raise SchemaError(code, message, self.path + pointer)

    def index_of(self, schema: object, pointer: str) -> int:
        """The index of the subschema at this place; a reference that stands alone is its target."""
        schema, pointer = self.followed(schema, pointer)
        index = self.indexes.setdefault(pointer, len(self.named))
        if index == len(self.named):
            self.refuse_excess(pointer)
            self.named.append((schema, pointer))
        return index

    def refuse_excess(self, pointer: str) -> None:
        """Refuse a subschema at this place when there are too many already, or it lies too deep."""
        if len(self.named) >= MAX_SCHEMA_NODES:
            self.refuse("schema_too_large", f"expected at most {MAX_SCHEMA_NODES} subschemas", pointer)
        # One level of subschemas takes one step of the pointer (items) or two (properties and a name).
        if pointer.count("/") > 2 * MAX_SCHEMA_DEPTH:
            message = f"expected at most {MAX_SCHEMA_DEPTH} subschemas inside one another"
            self.refuse("schema_too_large", message, pointer)

    def followed(self, schema: object, pointer: str) -> tuple[object, str]:
        """The subschema and place that a reference with nothing beside it leads to; any other stays itself."""
        seen: set[str] = set()
        while isinstance(schema, dict) and "$ref" in schema and schema.keys() <= BESIDE_REF:
            if pointer in seen:
                self.refuse("unresolvable_ref", "the reference leads back to itself", pointer + "/$ref")
            if len(seen) >= MAX_SCHEMA_DEPTH:
                message = f"expected at most {MAX_SCHEMA_DEPTH} references that lead to one another"
                self.refuse("schema_too_large", message, pointer + "/$ref")
            seen.add(pointer)
            for keyword, value in schema.items():
                read_string(self, value, pointer + pointer_token(keyword))
            schema, pointer = self.target(schema["$ref"], pointer + "/$ref")
        return schema, pointer

    def target(self, reference: object, pointer: str) -> tuple[object, str]:
        """The subschema that a reference names, and its place."""
        if not isinstance(reference, str):
            self.refuse("invalid_schema", f"expected a string, got {named(reference)}", pointer)
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

    def pattern(self, source: str, pointer: str) -> Pattern:
        """The compiled pattern; the same source is compiled once."""
        if source not in self.patterns:
            self.patterns[source] = compile_pattern(source, self.path + pointer)
        return self.patterns[source]

    def rules(self, schema: object, pointer: str) -> Rules:
        """The rules of one subschema, with those inside of it named."""
        if isinstance(schema, bool):
            return Rules(pointer=pointer, types=None if schema else ())
        if not isinstance(schema, dict):
            message = f"expected a schema (an object, true or false), got {named(schema)}"
            self.refuse("invalid_schema", message, pointer)
        read: dict[str, Any] = {}
        for keyword, value in schema.items():
            at = pointer + pointer_token(keyword)
            reader = READERS.get(keyword)
            if reader is None:
                self.refuse("unsupported_keyword", f'the keyword "{keyword}" is not supported', at)
            read[keyword] = reader(self, value, at)
        return _assembled(pointer, read)

    def refuse_loops(self, nodes: tuple[Rules, ...]) -> None:
        """Refuse schemas that would be asked about the same value again without end."""
        asked = [set(in_place(rules)) for rules in nodes]
        asking: list[list[int]] = [[] for _ in nodes]
        for index, needs in enumerate(asked):
            for need in sorted(needs):
                asking[need].append(index)
        settled = [index for index, needs in enumerate(asked) if not needs]
        for index in settled:
            for user in asking[index]:
                asked[user].discard(index)
                if not asked[user]:
                    settled.append(user)
        for rules, needs in zip(nodes, asked, strict=True):
            if needs:
                self.refuse("unresolvable_ref", "the schema refers to itself for the same value", rules.pointer)


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
    """The steps of a reference into this document (RFC 6901, section 6); None for any other text."""
    if not reference.startswith("#"):
        return None
    try:
        fragment = _PERCENT.sub(lambda found: bytes.fromhex(found[1].decode()), reference[1:].encode()).decode()
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
