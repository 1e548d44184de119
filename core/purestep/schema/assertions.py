"""Assertions: the keywords that judge a value by themselves, without another subschema (`type`, `minimum`, `enum`)."""

from collections.abc import Iterator, Sequence
from typing import Final

from ..bounds import MAX_CHECKED_DEPTH, MAX_SHOWN_CHOICES, MAX_SUGGESTION_CANDIDATES
from ..errors import closest
from ..json_text import excerpt_of
from ..regex import SHORT, Budget
from .subschemas import (
    ArrayRules,
    Literals,
    NumberRules,
    ObjectRules,
    SchemaRules,
    StringRules,
    equality_key,
    is_integral,
    kind_of,
)

IssueParts = tuple[str, dict[str, object]]
"""An issue without its path: code and params."""

STEPS_A_CANDIDATE: Final = 300
"""Steps to compare two names of the greatest length that is compared."""


def is_of_types(rules: SchemaRules, value: object) -> bool:
    """Whether the value has one of the types."""
    if rules.types is None:
        return True
    kind = kind_of(value)
    if kind != "number" or "number" in rules.types:
        return kind in rules.types
    return "integer" in rules.types and is_integral(value)


def assertion_faults(
    rules: SchemaRules, value: object, depth: int, budget: Budget, *, described: bool = False
) -> Iterator[IssueParts]:
    """Yield what is wrong with a value of the right type, `depth` levels deep, apart from its parts and branches.

    described: whether the params of the issues are wanted too; a verdict does without.
    """
    for literals in rules.literals:
        if equality_key(value, budget, MAX_CHECKED_DEPTH - depth) not in literals.keys:
            yield literals.code, _literal_params(literals, value, budget) if described else {}
    if isinstance(value, str):
        if rules.string is not None:
            yield from _string_faults(rules.string, value, budget)
    elif isinstance(value, list):
        if rules.array is not None:
            yield from _array_faults(rules.array, value, depth, budget)
    elif isinstance(value, dict):
        if rules.object is not None:
            yield from _object_faults(rules.object, value, budget)
    elif rules.number is not None and isinstance(value, int | float) and not isinstance(value, bool):
        yield from _number_faults(rules.number, value)


def _literal_params(literals: Literals, value: object, budget: Budget) -> dict[str, object]:
    budget.spend(len(literals.values) // SHORT)
    params: dict[str, object] = {"allowed": [excerpt_of(allowed) for allowed in literals.values[:MAX_SHOWN_CHOICES]]}
    if len(literals.values) > MAX_SHOWN_CHOICES:
        params["more"] = len(literals.values) - MAX_SHOWN_CHOICES
    params["value"] = excerpt_of(value)
    names = [allowed for allowed in literals.values if isinstance(allowed, str)]
    if isinstance(value, str) and (near := suggested(value, names, budget)) is not None:
        params["closest"] = near
    return params


def suggested(name: str, candidates: Sequence[str], budget: Budget) -> str | None:
    """Return the candidate nearest to a name, as `closest` does, and spend the steps that it takes."""
    budget.spend(STEPS_A_CANDIDATE * min(len(candidates), MAX_SUGGESTION_CANDIDATES))
    return closest(name, candidates)


def _number_faults(rules: NumberRules, value: int | float) -> Iterator[IssueParts]:
    if rules.minimum is not None and not value >= rules.minimum:
        yield "minimum", _limit(rules.minimum, value)
    if rules.maximum is not None and not value <= rules.maximum:
        yield "maximum", _limit(rules.maximum, value)
    if rules.exclusive_minimum is not None and not value > rules.exclusive_minimum:
        yield "exclusive_minimum", _limit(rules.exclusive_minimum, value)
    if rules.exclusive_maximum is not None and not value < rules.exclusive_maximum:
        yield "exclusive_maximum", _limit(rules.exclusive_maximum, value)
    if rules.multiple_of is not None and not is_multiple(value, rules.multiple_of):
        yield "multiple_of", _limit(rules.multiple_of, value)


def _limit(limit: int | float, value: int | float) -> dict[str, object]:
    return {"limit": limit, "value": excerpt_of(value)}


def _string_faults(rules: StringRules, value: str, budget: Budget) -> Iterator[IssueParts]:
    if len(value) < rules.min_length:
        yield "min_length", {"limit": rules.min_length, "count": len(value)}
    if rules.max_length is not None and len(value) > rules.max_length:
        yield "max_length", {"limit": rules.max_length, "count": len(value)}
    if rules.pattern is not None and not rules.pattern.search(value, budget):
        yield "pattern", {"pattern": rules.pattern.source, "value": excerpt_of(value)}
    if rules.format is not None:
        budget.spend(len(value) // SHORT)
        if not rules.format.holds(value):
            yield "format", {"format": rules.format.name, "value": excerpt_of(value)}


def _array_faults(rules: ArrayRules, value: list[object], depth: int, budget: Budget) -> Iterator[IssueParts]:
    if len(value) < rules.min_items:
        yield "min_items", {"limit": rules.min_items, "count": len(value)}
    if rules.max_items is not None and len(value) > rules.max_items:
        yield "max_items", {"limit": rules.max_items, "count": len(value)}
    if rules.unique_items and (twins := equal_items(value, depth, budget)) is not None:
        yield "unique_items", {"first": twins[0], "second": twins[1]}


def _object_faults(rules: ObjectRules, value: dict[str, object], budget: Budget) -> Iterator[IssueParts]:
    budget.spend((len(rules.required) + len(rules.dependent_required)) // SHORT)
    for name in rules.required:
        if name not in value:
            yield "required", {"name": name}
    for present, needed in rules.dependent_required:
        if present in value:
            budget.spend(len(needed) // SHORT)
            for name in needed:
                if name not in value:
                    yield "required", {"name": name, "because": present}
    if len(value) < rules.min_properties:
        yield "min_properties", {"limit": rules.min_properties, "count": len(value)}
    if rules.max_properties is not None and len(value) > rules.max_properties:
        yield "max_properties", {"limit": rules.max_properties, "count": len(value)}


def equal_items(value: list[object], depth: int, budget: Budget) -> tuple[int, int] | None:
    """Return the positions of the first two equal items, if any; raises TooDeepError for one nested past the bound."""
    places: dict[object, int] = {}
    for place, item in enumerate(value):
        first = places.setdefault(equality_key(item, budget, MAX_CHECKED_DEPTH - depth - 1), place)
        if first != place:
            return first, place
    return None


def is_multiple(value: int | float, factor: int | float) -> bool:
    """Whether the value is a whole multiple of the factor.

    Both count as the shortest decimals that denote them: 0.3 is a multiple of 0.1, as it is for the person who wrote
    them, and no number overflows.
    """
    if type(value) is int and type(factor) is int:
        return value % factor == 0
    if value - value != 0:
        return False
    digits, exponent = decimal_of(value)
    factor_digits, factor_exponent = decimal_of(factor)
    shift = exponent - factor_exponent
    dividend: int = digits * 10 ** max(shift, 0)
    divisor: int = factor_digits * 10 ** max(-shift, 0)
    return dividend % divisor == 0


def decimal_of(number: int | float) -> tuple[int, int]:
    """Return integers d and e for which d * 10**e is the shortest decimal that denotes the number, which is finite."""
    if isinstance(number, int):
        return number, 0
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    return int(whole + fraction), int(exponent or 0) - len(fraction)
