"""The compiled form of a schema: one frozen `SchemaRules` for each subschema, which refers to others by their index.

Indexes instead of nested values make a recursive schema plain data, and give every subschema a name under which the
portable validator can remember a verdict. The keywords that apply a subschema (2020-12, core, 10) come in two kinds:
those to the same value (`in_place`), and those to a part of it (`parts`).
"""

from collections.abc import Iterator
from math import isfinite
from typing import Final

import msgspec

from ..bounds import MAX_CHECKED_DEPTH
from ..regex import SHORT, Budget, Pattern
from .formats import Format

JSON_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")

_KINDS: Final[dict[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


class TooDeepError(Exception):
    """The value, or the schema's way through it, is nested past the bounds; never leaves this package."""


class Literals(msgspec.Struct, frozen=True, kw_only=True):
    """The values of `enum` or `const`; `keys` are their equality keys."""

    code: str
    values: tuple[object, ...]
    keys: frozenset[object]


class NumberRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The keywords for numbers; None where a keyword is absent."""

    minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_minimum: int | float | None = None
    exclusive_maximum: int | float | None = None
    multiple_of: int | float | None = None


class StringRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The keywords for strings; lengths are in code points."""

    min_length: int = 0
    max_length: int | None = None
    pattern: Pattern | None = None
    format: Format | None = None


class ArrayRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The keywords for arrays; subschemas are indexes."""

    prefix_items: tuple[int, ...] = ()
    items: int | None = None
    contains: int | None = None
    min_contains: int = 1
    max_contains: int | None = None
    min_items: int = 0
    max_items: int | None = None
    unique_items: bool = False
    unevaluated_items: int | None = None


class ObjectRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The keywords for objects; subschemas are indexes."""

    properties: dict[str, int] = {}
    required: tuple[str, ...] = ()
    pattern_properties: tuple[tuple[Pattern, int], ...] = ()
    additional_properties: int | None = None
    property_names: int | None = None
    dependent_required: tuple[tuple[str, tuple[str, ...]], ...] = ()
    dependent_schemas: tuple[tuple[str, int], ...] = ()
    min_properties: int = 0
    max_properties: int | None = None
    unevaluated_properties: int | None = None


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """`if` with its `then` and `else`; without both it still counts as evaluating parts of the value."""

    test: int
    then: int | None = None
    otherwise: int | None = None

    def decides(self) -> bool:
        """Whether anything follows from the condition."""
        return self.then is not None or self.otherwise is not None


class SchemaRules(msgspec.Struct, frozen=True, kw_only=True):
    """What one subschema demands, grouped by the type of value that it demands it of.

    `pointer` is the subschema's place in the document. `types` is None when any type will do and empty for
    the schema `false`. `all_of` holds the targets of `$ref` and `$dynamicRef` and the subschemas of `allOf`.
    """

    pointer: str
    types: tuple[str, ...] | None = None
    literals: tuple[Literals, ...] = ()
    number: NumberRules | None = None
    string: StringRules | None = None
    array: ArrayRules | None = None
    object: ObjectRules | None = None
    all_of: tuple[int, ...] = ()
    any_of: tuple[int, ...] | None = None
    one_of: tuple[int, ...] | None = None
    negated: int | None = None
    condition: Condition | None = None


def in_place(rules: SchemaRules) -> tuple[int, ...]:
    """Return the subschemas that apply to the same value as `rules` does, rather than to a part of it."""
    found: list[int | None] = [*rules.all_of, *(rules.any_of or ()), *(rules.one_of or ())]
    if rules.condition is not None:
        found += [rules.condition.test, rules.condition.then, rules.condition.otherwise]
    if rules.object is not None:
        found += [index for _, index in rules.object.dependent_schemas]
    found.append(rules.negated)
    return tuple(index for index in found if index is not None)


class Part(msgspec.Struct, frozen=True):
    """A part of a value, with the index of the subschema that applies to it.

    `token` is its name or position. `role` is `item`, `property`, `other` (a property that the schema neither names nor
    matches), `unevaluated` (see `portable.py`) or `name` (the value is the property's name).
    """

    index: int
    value: object
    token: str | int
    role: str


def parts(rules: SchemaRules, value: object, budget: Budget) -> Iterator[Part]:
    """Yield the parts of the value that the rules have a subschema for.

    Named properties come in the order of the schema, everything else in the order of the value.
    """
    if isinstance(value, list) and rules.array is not None:
        yield from _items(rules.array, value, budget)
    elif isinstance(value, dict) and rules.object is not None:
        budget.spend(len(rules.object.properties) // SHORT)
        yield from _properties(rules.object, value, budget)
        yield from _other_properties(rules.object, value, budget)


def _items(rules: ArrayRules, value: list[object], budget: Budget) -> Iterator[Part]:
    for place, (index, item) in enumerate(zip(rules.prefix_items, value, strict=False)):
        budget.spend(1)
        yield Part(index, item, place, "item")
    if rules.items is not None:
        for place in range(len(rules.prefix_items), len(value)):
            budget.spend(1)
            yield Part(rules.items, value[place], place, "item")


def _properties(rules: ObjectRules, value: dict[str, object], budget: Budget) -> Iterator[Part]:
    for name, index in rules.properties.items():
        if name in value:
            budget.spend(1)
            yield Part(index, value[name], name, "property")


def _other_properties(rules: ObjectRules, value: dict[str, object], budget: Budget) -> Iterator[Part]:
    if rules.property_names is None and rules.additional_properties is None and not rules.pattern_properties:
        return
    for name, part in value.items():
        if rules.property_names is not None:
            yield Part(rules.property_names, name, name, "name")
        budget.spend(2)
        matching = [index for pattern, index in rules.pattern_properties if pattern.search(name, budget)]
        for index in matching:
            yield Part(index, part, name, "property")
        if rules.additional_properties is not None and not matching and name not in rules.properties:
            yield Part(rules.additional_properties, part, name, "other")


def kind_of(value: object) -> str | None:
    """Return the JSON type of a decoded value, "number" for integers too; None for a value that JSON does not have."""
    if type(value) is float and not isfinite(value):
        return None
    return _KINDS.get(type(value))


def is_integral(value: object) -> bool:
    """Whether a value is an integer in JSON Schema's sense, in which 1.0 is one (2020-12, validation, 6.1.1)."""
    return type(value) is int or (type(value) is float and value.is_integer())


def equality_key(value: object, budget: Budget, levels: int = MAX_CHECKED_DEPTH) -> object:
    """Return a hashable that two values share exactly when JSON Schema calls them equal: 1 is 1.0, true is not 1.

    levels: how many levels of nesting the value may have. Raises TooDeepError when it has more, and OverBudgetError.
    """
    budget.spend(2)
    if type(value) is bool:
        return ("boolean", value)
    if type(value) is not list and type(value) is not dict:
        return value
    if levels == 0:
        raise TooDeepError
    if type(value) is list:
        return ("array", *[equality_key(item, budget, levels - 1) for item in value])
    assert isinstance(value, dict)
    return frozenset([(name, equality_key(item, budget, levels - 1)) for name, item in value.items()])
