"""The compiler: from a decoded JSON Schema to the rules of its subschemas.

Subschemas are compiled in the order in which they are first referred to, so nothing here recurses, and a reference is
only an index. Each keyword has one reader in `READERS`, which checks the form of its value; a keyword without a reader
is refused unless it is known to judge nothing. Dynamic anchors are resolved here too: a subschema that is reached with
different ones is compiled once for each set, so checking a value never has to ask what a `$dynamicRef` means.
"""

from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeVar

from ..bounds import MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES
from ..errors import closest
from ..regex import Budget, OverBudgetError, Pattern, PatternError, compile_pattern
from .addresses import pointer_token
from .keywords import BESIDE_REF, READERS, CompileOptions, is_annotation, read_string, type_phrase
from .references import Documents, Resource, ResourcePlace
from .subschemas import ArrayRules, Condition, NumberRules, ObjectRules, SchemaRules, StringRules, in_place

_DynamicScope = tuple[tuple[str, str], ...]
"""The dynamic anchors of the resources entered on the way to a subschema, sorted, each with the pointer it means."""

_Group = TypeVar("_Group", NumberRules, StringRules, ArrayRules, ObjectRules)

_STEPS_A_SUBSCHEMA: Final = 10
"""Steps to compile a subschema, beside its literals and patterns."""

_FIELDS: Final[Mapping[str, tuple[type, str]]] = {
    keyword: (kind, field)
    for kind in (NumberRules, StringRules, ArrayRules, ObjectRules)
    for keyword, field in zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
}
"""Each keyword for one type of value, with the rules that hold it and their field for it."""


def compile_subschemas(
    schema: object, path: str, options: CompileOptions, documents: Mapping[str, object]
) -> tuple[SchemaRules, ...]:
    """Return the rules of every subschema, the root first; see `compile_schema` for the arguments and errors."""
    compiler = Compiler(Documents(schema, path, documents), options)
    try:
        compiler.index_of(schema, "")
        # Compiling one subschema appends those it refers to.
        subschemas = tuple(compiler.rules(*place) for place in compiler.places)
    except OverBudgetError:
        compiler.refuse("schema_too_large", too_much_work(options.budget), compiler.pointer)
    compiler.refuse_loops(subschemas)
    return subschemas


def too_much_work(budget: Budget) -> str:
    """Return the message of the error for schemas and patterns that take too many steps to compile."""
    return f"the schemas take more than {budget.limit} steps to compile; give fewer subschemas or smaller patterns"


class Compiler:
    """The documents at hand, and the places of subschemas and the patterns found so far.

    A place is listed once for each dynamic scope that it is reached with; its position is the subschema's index.
    """

    def __init__(self, documents: Documents, options: CompileOptions) -> None:
        self.documents = documents
        self.options = options
        self.places: list[tuple[ResourcePlace, _DynamicScope]] = []
        self.indexes: dict[tuple[str, _DynamicScope], int] = {}
        self.patterns: dict[str, Pattern] = {}
        # Those of the subschema being read.
        self.resource: Resource = documents.root
        self.scope: _DynamicScope = ()
        self.pointer = ""

    def refuse(self, code: str, message: str, pointer: str) -> NoReturn:
        """Raise SchemaError for a place in this document."""
        self.documents.refuse(code, message, pointer)

    def index_of(self, schema: object, pointer: str) -> int:
        """Return the index of a subschema inside the one being read."""
        return self.index_at(self.documents.place(schema, pointer, self.resource))

    def index_at(self, place: ResourcePlace) -> int:
        """Return the index of the subschema at a place; a schema that is nothing but a `$ref` is its target."""
        place, scope = self.follow_references(place)
        index = self.indexes.setdefault((place.pointer, scope), len(self.places))
        if index == len(self.places):
            self.refuse_excess(place.pointer)
            self.places.append((place, scope))
        return index

    def refuse_excess(self, pointer: str) -> None:
        """Refuse a subschema at this place when there are too many already, or it is nested too deep."""
        if len(self.places) >= MAX_SCHEMA_NODES:
            self.refuse("schema_too_large", f"expected at most {MAX_SCHEMA_NODES} subschemas", pointer)
        # One level of subschemas takes one step of the pointer (items) or two (properties and a name).
        if pointer.count("/") > 2 * MAX_SCHEMA_DEPTH:
            message = f"expected at most {MAX_SCHEMA_DEPTH} subschemas inside one another"
            self.refuse("schema_too_large", message, pointer)

    def follow_references(self, place: ResourcePlace) -> tuple[ResourcePlace, _DynamicScope]:
        """Return the place and scope that a `$ref` with nothing beside it leads to; any other place as it is."""
        seen: set[str] = set()
        scope = _scope_inside(self.scope, place.resource)
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
            scope = _scope_inside(scope, place.resource)
        return place, scope

    def reference(self, reference: str, pointer: str) -> int:
        """Return the index of the subschema that a `$ref` at this place names."""
        return self.index_at(self.documents.target(reference, pointer, self.resource)[0])

    def dynamic_reference(self, reference: str, pointer: str) -> int:
        """Return the index of the subschema that a `$dynamicRef` at this place names in the dynamic scope.

        Where it names a dynamic anchor, the outermost resource on the way here that has one of the same name decides
        (2020-12, core, 8.2.3.2).
        """
        place, anchor = self.documents.target(reference, pointer, self.resource)
        if anchor in place.resource.dynamic:
            outermost = dict(self.scope).get(anchor)
            place = place if outermost is None else self.documents.dynamic_places[outermost]
        return self.index_at(place)

    def pattern(self, source: str, pointer: str) -> Pattern:
        """Return the compiled regular expression; the same source is compiled once."""
        if source not in self.patterns:
            try:
                self.patterns[source] = compile_pattern(source, self.options.budget)
            except PatternError as error:
                self.refuse(error.code, error.message, pointer)
        return self.patterns[source]

    def rules(self, place: ResourcePlace, scope: _DynamicScope) -> SchemaRules:
        """Return the rules of one subschema, with those it refers to listed."""
        self.resource, self.scope, self.pointer = place.resource, scope, place.pointer
        self.options.budget.spend(_STEPS_A_SUBSCHEMA)
        if isinstance(place.schema, bool):
            return SchemaRules(pointer=place.pointer, types=None if place.schema else ())
        if not isinstance(place.schema, dict):
            message = f"expected a schema (an object, true or false), got {type_phrase(place.schema)}"
            self.refuse("invalid_schema", message, place.pointer)
        return _rules_of(place.pointer, self.read(place.schema, place.pointer))

    def read(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Return what the readers make of each keyword of a subschema."""
        read: dict[str, Any] = {}
        for keyword, value in schema.items():
            at = pointer + pointer_token(keyword)
            reader = READERS.get(keyword)
            if reader is not None:
                read[keyword] = reader(self, value, at)
            elif self.options.unknown == "refuse" and not is_annotation(keyword):
                self.refuse("unsupported_keyword", _unknown(keyword), at)
        return read

    def refuse_loops(self, subschemas: tuple[SchemaRules, ...]) -> None:
        """Refuse a schema that would apply to the same value again without end."""
        asked = [set(in_place(rules)) for rules in subschemas]
        asking: list[list[int]] = [[] for _ in subschemas]
        for index, needs in enumerate(asked):
            for need in sorted(needs):
                asking[need].append(index)
        settled = [index for index, needs in enumerate(asked) if not needs]
        for index in settled:
            for user in asking[index]:
                asked[user].discard(index)
                if not asked[user]:
                    settled.append(user)
        for rules, needs in zip(subschemas, asked, strict=True):
            if needs:
                self.refuse("unresolvable_ref", "the schema refers to itself for the same value", rules.pointer)


def _unknown(keyword: str) -> str:
    near = closest(keyword, tuple(READERS))
    hint = f'did you mean "{near}"?' if near else 'leave it out, or begin its name with "x-" if it judges no value'
    return f'the keyword "{keyword}" is not supported; {hint}'


def _scope_inside(scope: _DynamicScope, resource: Resource) -> _DynamicScope:
    """Return the dynamic scope inside a resource: its anchors, overruled by those of the resources around it."""
    if not resource.dynamic:
        return scope
    known = {name: place.pointer for name, place in resource.dynamic.items()} | dict(scope)
    return tuple(sorted(known.items()))


def _rules_of(pointer: str, read: Mapping[str, Any]) -> SchemaRules:
    references = tuple(read[keyword] for keyword in ("$ref", "$dynamicRef") if keyword in read)
    groups = _grouped(read)
    return SchemaRules(
        pointer=pointer,
        types=read.get("type"),
        literals=tuple(read[keyword] for keyword in ("const", "enum") if keyword in read),
        number=_group(NumberRules, groups),
        string=_group(StringRules, groups),
        array=_group(ArrayRules, groups),
        object=_group(ObjectRules, groups),
        all_of=references + read.get("allOf", ()),
        any_of=read.get("anyOf"),
        one_of=read.get("oneOf"),
        negated=read.get("not"),
        condition=_condition(read),
    )


def _grouped(read: Mapping[str, Any]) -> dict[type, dict[str, Any]]:
    """Return the fields of the rules for each type of value that any keyword is for."""
    groups: dict[type, dict[str, Any]] = {}
    for keyword, value in read.items():
        if keyword in _FIELDS and value is not None:
            kind, field = _FIELDS[keyword]
            groups.setdefault(kind, {})[field] = value
    return groups


def _group(kind: type[_Group], groups: Mapping[type, Mapping[str, Any]]) -> _Group | None:
    return kind(**groups[kind]) if kind in groups else None


def _condition(read: Mapping[str, Any]) -> Condition | None:
    if "if" not in read:
        return None
    return Condition(test=read["if"], then=read.get("then"), otherwise=read.get("else"))
