"""The native validator, by pydantic-core: quick to accept, never decisive when it refuses.

Only what the library expresses exactly is translated; any other keyword leaves the whole schema to the
portable validator. Everything is strict, and every validator gives back its very input, so validators can
follow one another. References are written out in full: a recursive schema has no native form, since the
library bounds neither the depth nor the work of recursive schemas as the portable validator does.

This is the only module that imports pydantic_core, and `compile_schema` imports it with the first schema that may be
checked natively: a process that compiles none never pays for the library.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any, Final

from pydantic_core import SchemaError, SchemaValidator

from ..bounds import MAX_CHECKED_DEPTH, MAX_NATIVE_NODES
from ..regex import SHORT, STEPS_A_SEARCH, Budget, OverBudgetError
from .assertions import assertion_faults
from .subschemas import JSON_TYPES, ArrayRules, NumberRules, ObjectRules, SchemaRules, StringRules, TooDeepError

_Native = dict[str, Any]
"""A schema in the library's own terms."""

# Each schema says for itself that it is strict: some, typed-dict among them, do not hand it down.
_ANY: Final[_Native] = {"type": "any"}
_NULL: Final[_Native] = {"type": "none"}
_BOOLEAN: Final[_Native] = {"type": "bool", "strict": True}
_INTEGER: Final[_Native] = {"type": "int", "strict": True}
_FLOAT: Final[_Native] = {"type": "float", "strict": True, "allow_inf_nan": False}
_TEXT: Final[_Native] = {"type": "str", "strict": True}
_ARRAY: Final[_Native] = {"type": "list", "strict": True, "fail_fast": True}
_OBJECT: Final[_Native] = {"type": "dict", "strict": True}
_FIELDS: Final[_Native] = {"type": "typed-dict", "strict": True}

_SCALARS: Final = frozenset({int, float, bool, type(None)})
"""The types of parts that hold nothing more to look at."""


class _NoNativeFormError(Exception):
    """Something in the schema cannot be expressed exactly in the library's terms."""


class NativeValidator:
    """A predicate that accepts only valid values, and the most steps that the portable validator takes for one."""

    __slots__ = ("accepts", "steps_a_char", "steps_a_part")

    def __init__(self, accepts: Callable[[object], bool], steps_a_part: int, steps_a_char: int) -> None:
        self.accepts = accepts
        self.steps_a_part = steps_a_part
        self.steps_a_char = steps_a_char

    def fits_in(self, steps: int, value: object) -> bool:
        """Whether a value that is accepted is judged in so many steps, whatever is in it."""
        # A loop over what is left to look at, since a value may be nested deeper than any stack.
        pending, left = [value], steps - self.steps_a_part
        for part in pending:  # which grows while it is walked
            if type(part) in _SCALARS:
                continue
            if isinstance(part, dict):
                within: Iterable[object] = part.values()
            elif isinstance(part, list):
                within = part
            else:
                left -= len(part) * self.steps_a_char if isinstance(part, str) else 0
                continue
            left -= len(part) * self.steps_a_part
            if left < 0:
                return False
            pending += within
        return left >= 0


def build(subschemas: tuple[SchemaRules, ...]) -> NativeValidator | None:
    """Return the native validator; None when the schema has no native form."""
    translation = _Translation(subschemas)
    try:
        validator = SchemaValidator(translation.schema(0, 0))
    except (_NoNativeFormError, SchemaError):
        # The library has bounds of its own: lengths are machine words, and names must be encodable.
        return None
    return NativeValidator(validator.isinstance_python, translation.steps_a_part, translation.steps_a_char)


_STEPS_AN_APPLICATION: Final = 16
"""The most steps of a subschema for one part of a value, beside what depends on how much the subschema names."""


def _steps_a_part(rules: SchemaRules) -> int:
    """Return the most steps that the portable validator takes for each part of a value because of one subschema."""
    steps = _STEPS_AN_APPLICATION + 2 * len(rules.literals)
    if rules.object is not None:
        needed = sum(len(names) for _, names in rules.object.dependent_required)
        named = len(rules.object.properties) + len(rules.object.required) + len(rules.object.dependent_required)
        steps += (named + needed) // SHORT
    return steps + (_steps_a_char(rules) + STEPS_A_SEARCH if rules.string is not None else 0)


def _steps_a_char(rules: SchemaRules) -> int:
    if rules.string is None:
        return 0
    return (rules.string.format is not None) + (rules.string.pattern.steps_a_char if rules.string.pattern else 0)


class _Translation:
    def __init__(self, subschemas: tuple[SchemaRules, ...]) -> None:
        self.subschemas = subschemas
        self.written = 0
        self.steps_a_part = 0
        self.steps_a_char = 0

    def schema(self, index: int, depth: int) -> _Native:
        """Return the native form of a subschema that is nested in `depth` others.

        The values that it sees lie no deeper than that, so checks that bound the depth err on the side of refusing.
        """
        self.written += 1
        if self.written > MAX_NATIVE_NODES or depth > MAX_CHECKED_DEPTH:
            raise _NoNativeFormError
        rules = self.subschemas[index]
        self.steps_a_part += _steps_a_part(rules)
        self.steps_a_char += _steps_a_char(rules)
        decided = rules.condition is not None and rules.condition.decides()
        if rules.types == () or rules.negated is not None or decided:
            raise _NoNativeFormError
        steps = [self.own(rules, depth), *[self.schema(each, depth + 1) for each in rules.all_of]]
        if rules.any_of is not None:
            steps.append(self.union(rules.any_of, depth))
        if rules.one_of is not None:
            self.refuse_overlap(rules.one_of)
            steps.append(self.union(rules.one_of, depth))
        return _chain([step for step in steps if step is not _ANY])

    def union(self, branches: Iterable[int], depth: int) -> _Native:
        return _union([self.schema(index, depth + 1) for index in branches])

    def refuse_overlap(self, branches: tuple[int, ...]) -> None:
        """Refuse a `oneOf` unless it equals `anyOf`, as it does when no two branches share a type."""
        seen: set[str] = set()
        for index in branches:
            types = {"number" if name == "integer" else name for name in self.subschemas[index].types or JSON_TYPES}
            if types & seen:
                raise _NoNativeFormError
            seen |= types

    def own(self, rules: SchemaRules, depth: int) -> _Native:
        """Return the native form of the subschema's own keywords: types, each with its rules, and fixed values."""
        choices = [self.typed(name, rules, depth) for name in _type_names(rules)]
        typed = _union(choices) if choices else _ANY
        texts = _only_texts(rules)
        if texts is not None and typed in (_ANY, _TEXT):
            return {"type": "literal", "expected": texts}
        if not rules.literals:
            return typed
        return _checked(typed, SchemaRules(pointer="", literals=rules.literals), depth)

    def typed(self, name: str, rules: SchemaRules, depth: int) -> _Native:
        match name:
            case "null":
                return _NULL
            case "boolean":
                return _BOOLEAN
            case "integer":
                return _number(rules.number, depth, whole=True)
            case "number":
                return _number(rules.number, depth, whole=False)
            case "string":
                return _string(rules.string, depth)
            case "array":
                return self.array(rules.array, depth)
            case _:
                return self.object(rules.object, depth)

    def array(self, rules: ArrayRules | None, depth: int) -> _Native:
        if rules is None:
            return _ARRAY
        if rules.prefix_items or rules.contains is not None or rules.unevaluated_items is not None:
            raise _NoNativeFormError
        native = _ARRAY | {"min_length": rules.min_items}
        if rules.max_items is not None:
            native["max_length"] = rules.max_items
        if rules.items is not None:
            native["items_schema"] = self.schema(rules.items, depth + 1)
        return _checked(native, SchemaRules(pointer="", array=rules), depth) if rules.unique_items else native

    def object(self, rules: ObjectRules | None, depth: int) -> _Native:
        if rules is None:
            return _OBJECT
        if (
            rules.pattern_properties
            or rules.property_names is not None
            or rules.dependent_schemas
            or rules.unevaluated_properties is not None
        ):
            raise _NoNativeFormError
        native = self.fields(rules, depth)
        counted = rules.min_properties or rules.max_properties is not None or rules.dependent_required
        return _checked(native, SchemaRules(pointer="", object=rules), depth) if counted else native

    def fields(self, rules: ObjectRules, depth: int) -> _Native:
        closed = rules.additional_properties is not None and self.subschemas[rules.additional_properties].types == ()
        others = (
            _ANY
            if rules.additional_properties is None or closed
            else self.schema(rules.additional_properties, depth + 1)
        )
        if not rules.properties and not rules.required and not closed:
            return _OBJECT | {"values_schema": others}
        unnamed = [name for name in rules.required if name not in rules.properties]
        if closed and unnamed:
            raise _NoNativeFormError
        fields = {name: self.schema(index, depth + 1) for name, index in rules.properties.items()}
        native = _FIELDS | {
            "fields": {
                name: {"type": "typed-dict-field", "schema": schema, "required": name in rules.required}
                for name, schema in [*fields.items(), *[(name, others) for name in unnamed]]
            },
            "extra_behavior": "forbid" if closed else "allow",
        }
        return native if closed or others is _ANY else native | {"extras_schema": others}


def _type_names(rules: SchemaRules) -> list[str]:
    """Return the types to translate; all of them when the rules name none but have keywords for some."""
    ruled = {"number": rules.number, "string": rules.string, "array": rules.array, "object": rules.object}
    if rules.types is None:
        if all(group is None for group in ruled.values()):
            return []
        return sorted({*JSON_TYPES} - {"integer"}, key=lambda name: (ruled.get(name) is None, name))
    return [name for name in rules.types if name != "integer" or "number" not in rules.types]


def _only_texts(rules: SchemaRules) -> list[str] | None:
    """Return the fixed values when there is one list of them and all are strings."""
    if len(rules.literals) != 1:
        return None
    texts = [value for value in rules.literals[0].values if isinstance(value, str)]
    return texts if 0 < len(texts) == len(rules.literals[0].values) else None


def _number(rules: NumberRules | None, depth: int, *, whole: bool) -> _Native:
    if whole and rules is not None and rules.multiple_of is None:
        return _INTEGER | _whole_bounds(rules)
    plain = _INTEGER if whole else _union([_INTEGER, _FLOAT])
    # The library compares a bound with an integer as doubles.
    return plain if rules is None else _checked(plain, SchemaRules(pointer="", number=rules), depth)


def _whole_bounds(rules: NumberRules) -> _Native:
    """Return the bounds for integers; a bound between two integers moves to the one that it includes."""
    bounds = {
        "ge": None if rules.minimum is None else math.ceil(rules.minimum),
        "le": None if rules.maximum is None else math.floor(rules.maximum),
        "gt": None if rules.exclusive_minimum is None else math.floor(rules.exclusive_minimum),
        "lt": None if rules.exclusive_maximum is None else math.ceil(rules.exclusive_maximum),
    }
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _string(rules: StringRules | None, depth: int) -> _Native:
    if rules is None:
        return _TEXT
    native = _TEXT | ({"min_length": rules.min_length} if rules.min_length else {})
    if rules.max_length is not None:
        native["max_length"] = rules.max_length
    plain = rules.pattern is None and rules.format is None
    return native if plain else _checked(native, SchemaRules(pointer="", string=rules), depth)


def _union(choices: list[_Native]) -> _Native:
    if len(choices) == 1:
        return choices[0]
    return {"type": "union", "strict": True, "mode": "left_to_right", "choices": choices}


def _chain(steps: list[_Native]) -> _Native:
    if not steps:
        return _ANY
    return steps[0] if len(steps) == 1 else {"type": "chain", "steps": steps}


def _checked(native: _Native, rules: SchemaRules, depth: int) -> _Native:
    """Return the native schema followed by assertions that only the portable validator knows."""

    def check(value: object) -> object:
        try:
            fault = next(assertion_faults(rules, value, depth, Budget()), None)
        except (TooDeepError, OverBudgetError):
            fault = ("too_deep", {})
        if fault is not None:
            raise ValueError(fault[0])
        return value

    return {"type": "function-after", "schema": native, "function": {"type": "no-info", "function": check}}
