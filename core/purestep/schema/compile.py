"""From a decoded JSON Schema to its rules.

Subschemas are compiled in the order they are first named, so nothing here recurses, and a reference is only
an index. Each keyword has one reader in `READERS`, which checks the form of its value; a keyword without one
is refused.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, NoReturn, TypeVar

import msgspec

from ..bounds import MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES
from .issues import pointer_token
from .keywords import BESIDE_REF, READERS, named, read_string
from .nodes import ArrayRules, Condition, NumberRules, ObjectRules, SchemaRules, StringRules, in_place
from .patterns import Pattern, compile_pattern
from .resources import Documents, Resource, ResourcePlace

Unknown = Literal["refuse", "ignore"]
Formats = Literal["annotate", "assert"]

_Scope = tuple[tuple[str, str], ...]
"""The dynamic anchors that references on the way here have made known, sorted, each with the pointer it means."""

_Group = TypeVar("_Group", NumberRules, StringRules, ArrayRules, ObjectRules)

_GROUPS: Final[Mapping[type, Mapping[str, str]]] = {
    NumberRules: {
        "minimum": "minimum",
        "maximum": "maximum",
        "exclusiveMinimum": "exclusive_minimum",
        "exclusiveMaximum": "exclusive_maximum",
        "multipleOf": "multiple_of",
    },
    StringRules: {
        "minLength": "min_length",
        "maxLength": "max_length",
        "pattern": "pattern",
        "format": "format",
    },
    ArrayRules: {
        "prefixItems": "prefix",
        "items": "items",
        "contains": "contains",
        "minContains": "min_contains",
        "maxContains": "max_contains",
        "minItems": "min_items",
        "maxItems": "max_items",
        "uniqueItems": "unique",
        "unevaluatedItems": "unevaluated",
    },
    ObjectRules: {
        "properties": "properties",
        "required": "required",
        "patternProperties": "patterns",
        "additionalProperties": "additional",
        "propertyNames": "names",
        "dependentRequired": "dependent_required",
        "dependentSchemas": "dependent_schemas",
        "minProperties": "min_properties",
        "maxProperties": "max_properties",
        "unevaluatedProperties": "unevaluated",
    },
}
_FIELDS: Final = {keyword: (kind, field) for kind, fields in _GROUPS.items() for keyword, field in fields.items()}
"""Each keyword for one kind of value, with the rules that hold it and their field for it."""


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller of the compiler decides; see `compile_schema`."""

    unknown: Unknown = "refuse"
    formats: Formats = "annotate"


def compile_nodes(
    schema: object, path: str, choices: Choices, documents: Mapping[str, object]
) -> tuple[SchemaRules, ...]:
    """The rules of every subschema, the root first; see `compile_schema` for the arguments and errors."""
    compiler = Compiler(Documents(schema, path, documents), choices)
    compiler.index_of(schema, "")
    # Compiling one subschema names those inside of it, which lengthens the list.
    nodes = tuple(compiler.rules(*named) for named in compiler.named)
    compiler.refuse_loops(nodes)
    return nodes


class Compiler:
    """The documents at hand, the subschemas named so far, and the patterns compiled so far.

    A subschema that references reach by ways which differ in their dynamic anchors is named once for each, so
    what `$dynamicRef` means is settled here and no longer a question when values are checked.
    """

    def __init__(self, documents: Documents, choices: Choices) -> None:
        self.documents = documents
        self.choices = choices
        self.named: list[tuple[ResourcePlace, _Scope]] = []
        self.indexes: dict[tuple[str, _Scope], int] = {}
        self.patterns: dict[str, Pattern] = {}
        # Of the subschema that is being read.
        self.resource: Resource = documents.root
        self.scope: _Scope = ()

    def refuse(self, code: str, message: str, pointer: str) -> NoReturn:
        """Raise the error for a place in this document."""
        self.documents.refuse(code, message, pointer)

    def index_of(self, schema: object, pointer: str) -> int:
        """The index of the subschema that stands here, inside of the one that is being read."""
        return self.index_at(self.documents.place(schema, pointer, self.resource))

    def index_at(self, place: ResourcePlace) -> int:
        """The index of the subschema at a place, reached from here; a reference that stands alone is its target."""
        place, scope = self.followed(place)
        index = self.indexes.setdefault((place.pointer, scope), len(self.named))
        if index == len(self.named):
            self.refuse_excess(place.pointer)
            self.named.append((place, scope))
        return index

    def refuse_excess(self, pointer: str) -> None:
        """Refuse a subschema at this place when there are too many already, or it lies too deep."""
        if len(self.named) >= MAX_SCHEMA_NODES:
            self.refuse("schema_too_large", f"expected at most {MAX_SCHEMA_NODES} subschemas", pointer)
        # One level of subschemas takes one step of the pointer (items) or two (properties and a name).
        if pointer.count("/") > 2 * MAX_SCHEMA_DEPTH:
            message = f"expected at most {MAX_SCHEMA_DEPTH} subschemas inside one another"
            self.refuse("schema_too_large", message, pointer)

    def followed(self, place: ResourcePlace) -> tuple[ResourcePlace, _Scope]:
        """The place and scope that a reference with nothing beside it leads to; any other place stays itself."""
        seen: set[str] = set()
        scope = _entered(self.scope, place.resource)
        while isinstance(place.schema, dict) and "$ref" in place.schema and place.schema.keys() <= BESIDE_REF:
            at = place.pointer + "/$ref"
            if place.pointer in seen:
                self.refuse("unresolvable_ref", "the reference leads back to itself", at)
            if len(seen) >= MAX_SCHEMA_DEPTH:
                message = f"expected at most {MAX_SCHEMA_DEPTH} references that lead to one another"
                self.refuse("schema_too_large", message, at)
            seen.add(place.pointer)
            for keyword, value in place.schema.items():
                read_string(self, value, place.pointer + pointer_token(keyword))
            place, _ = self.documents.target(place.schema["$ref"], at, place.resource)
            scope = _entered(scope, place.resource)
        return place, scope

    def reference(self, reference: str, pointer: str) -> int:
        """The index of the subschema that a `$ref` at this place names."""
        return self.index_at(self.documents.target(reference, pointer, self.resource)[0])

    def dynamic_reference(self, reference: str, pointer: str) -> int:
        """The index of the subschema that a `$dynamicRef` at this place names, reached the way that is being read.

        Where it names a dynamic anchor, the outermost resource on the way that has one of the same name decides
        (2020-12, core, 8.2.3.2).
        """
        place, anchor = self.documents.target(reference, pointer, self.resource)
        if anchor in place.resource.dynamic:
            outermost = dict(self.scope).get(anchor)
            place = place if outermost is None else self.documents.dynamic_places[outermost]
        return self.index_at(place)

    def pattern(self, source: str, pointer: str) -> Pattern:
        """The compiled pattern; the same source is compiled once."""
        if source not in self.patterns:
            self.patterns[source] = compile_pattern(source, self.documents.path_of(pointer))
        return self.patterns[source]

    def rules(self, place: ResourcePlace, scope: _Scope) -> SchemaRules:
        """The rules of one subschema, with those inside of it named."""
        self.resource, self.scope = place.resource, scope
        if isinstance(place.schema, bool):
            return SchemaRules(pointer=place.pointer, types=None if place.schema else ())
        if not isinstance(place.schema, dict):
            message = f"expected a schema (an object, true or false), got {named(place.schema)}"
            self.refuse("invalid_schema", message, place.pointer)
        return _assembled(place.pointer, self.read(place.schema, place.pointer))

    def read(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        """What the readers make of each keyword of a subschema."""
        read: dict[str, Any] = {}
        for keyword, value in schema.items():
            at = pointer + pointer_token(keyword)
            reader = READERS.get(keyword)
            if reader is not None:
                read[keyword] = reader(self, value, at)
            elif self.choices.unknown == "refuse":
                self.refuse("unsupported_keyword", f'the keyword "{keyword}" is not supported', at)
        return read

    def refuse_loops(self, nodes: tuple[SchemaRules, ...]) -> None:
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


def _entered(scope: _Scope, resource: Resource) -> _Scope:
    """The scope inside of a resource: its dynamic anchors come to those that were known before."""
    if not resource.dynamic:
        return scope
    known = {name: place.pointer for name, place in resource.dynamic.items()} | dict(scope)
    return tuple(sorted(known.items()))


def _assembled(pointer: str, read: Mapping[str, Any]) -> SchemaRules:
    references = tuple(read[keyword] for keyword in ("$ref", "$dynamicRef") if keyword in read)
    groups = _grouped(read)
    return SchemaRules(
        pointer=pointer,
        types=read.get("type"),
        literals=tuple(read[keyword] for keyword in ("const", "enum") if keyword in read),
        number=_made(NumberRules, groups),
        string=_made(StringRules, groups),
        array=_made(ArrayRules, groups),
        object=_made(ObjectRules, groups),
        all_of=references + read.get("allOf", ()),
        any_of=read.get("anyOf"),
        one_of=read.get("oneOf"),
        negated=read.get("not"),
        condition=_condition(read),
    )


def _grouped(read: Mapping[str, Any]) -> dict[type, dict[str, Any]]:
    """The fields of the rules for each kind of value that any keyword is for."""
    groups: dict[type, dict[str, Any]] = {}
    for keyword, value in read.items():
        if keyword in _FIELDS and value is not None:
            kind, field = _FIELDS[keyword]
            groups.setdefault(kind, {})[field] = value
    return groups


def _made(kind: type[_Group], groups: Mapping[type, Mapping[str, Any]]) -> _Group | None:
    return kind(**groups[kind]) if kind in groups else None


def _condition(read: Mapping[str, Any]) -> Condition | None:
    if "if" not in read:
        return None
    return Condition(test=read["if"], then=read.get("then"), otherwise=read.get("else"))
