"""The compiled form of a schema: one frozen `SchemaRules` for each subschema, referring to others by their index.

Indexes instead of nested nodes make a recursive schema plain data, and give every subschema a name under
which the portable validator can remember a verdict.
"""

from math import isfinite
from typing import Final

import msgspec

from ..bounds import MAX_CHECKED_DEPTH
from .formats import Format
from .patterns import Pattern

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
    """The value, or the schema's way through it, is nested beyond the bounds; it never leaves this package."""


class Literals(msgspec.Struct, frozen=True, kw_only=True):
    """The values of `enum` or `const`; `keys` are their identities."""

    code: str
    values: tuple[object, ...]
    keys: frozenset[object]


class NumberRules(msgspec.Struct, frozen=True, kw_only=True):
    """The keywords for numbers; None where a keyword is absent."""

    minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_minimum: int | float | None = None
    exclusive_maximum: int | float | None = None
    multiple_of: int | float | None = None


class StringRules(msgspec.Struct, frozen=True, kw_only=True):
    """The keywords for strings; lengths are in code points."""

    min_length: int = 0
    max_length: int | None = None
    pattern: Pattern | None = None
    format: Format | None = None


class ArrayRules(msgspec.Struct, frozen=True, kw_only=True):
    """The keywords for arrays; subschemas are indexes."""

    prefix: tuple[int, ...] = ()
    items: int | None = None
    contains: int | None = None
    min_contains: int = 1
    max_contains: int | None = None
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    unevaluated: int | None = None


class ObjectRules(msgspec.Struct, frozen=True, kw_only=True):
    """The keywords for objects; subschemas are indexes."""

    properties: dict[str, int] = {}
    required: tuple[str, ...] = ()
    patterns: tuple[tuple[Pattern, int], ...] = ()
    additional: int | None = None
    names: int | None = None
    dependent_required: tuple[tuple[str, tuple[str, ...]], ...] = ()
    dependent_schemas: tuple[tuple[str, int], ...] = ()
    min_properties: int = 0
    max_properties: int | None = None
    unevaluated: int | None = None


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """`if` with its `then` and `else`; without both it still says which parts it has looked at."""

    test: int
    then: int | None = None
    otherwise: int | None = None

    def decides(self) -> bool:
        """Whether anything follows from the condition."""
        return self.then is not None or self.otherwise is not None


class SchemaRules(msgspec.Struct, frozen=True, kw_only=True):
    """All that one subschema asks, grouped by the kind of value it asks it of.

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
    """The subschemas that judge the same value as `rules` does, rather than a part of it."""
    found: list[int | None] = [*rules.all_of, *(rules.any_of or ()), *(rules.one_of or ())]
    if rules.condition is not None:
        found += [rules.condition.test, rules.condition.then, rules.condition.otherwise]
    if rules.object is not None:
        found += [index for _, index in rules.object.dependent_schemas]
    found.append(rules.negated)
    return tuple(index for index in found if index is not None)


def kind_of(value: object) -> str | None:
    """The JSON type of a decoded value, integers counted as numbers; None for what JSON cannot say."""
    if type(value) is float and not isfinite(value):
        return None
    return _KINDS.get(type(value))


def is_integral(value: object) -> bool:
    """Whether a number is an integer in JSON Schema's sense, in which 1.0 is one (2020-12, validation, 6.1.1)."""
    return type(value) is int or (type(value) is float and value.is_integer())


def identity(value: object, room: int = MAX_CHECKED_DEPTH) -> object:
    """A hashable that two values share exactly when JSON Schema calls them equal: 1 is 1.0, true is not 1.

    `room` is how many levels of nesting may follow. Raises TooDeepError when there are more.
    """
    if type(value) is bool:
        return ("boolean", value)
    if type(value) is not list and type(value) is not dict:
        return value
    if room == 0:
        raise TooDeepError
    if type(value) is list:
        return ("array", *[identity(item, room - 1) for item in value])
    assert isinstance(value, dict)
    return frozenset([(name, identity(item, room - 1)) for name, item in value.items()])
