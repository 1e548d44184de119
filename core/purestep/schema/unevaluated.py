"""Unevaluated properties and items: the parts of a value that `unevaluatedProperties` and `unevaluatedItems` apply to.

A part is evaluated when `properties`, `items` or a keyword like them applies to it, in the schema itself or in a
subschema that applies to the same value and accepts it (2020-12, core, 11). Evaluated parts are remembered for each
pair of subschema and value, as verdicts are.
"""

from collections.abc import Iterator
from typing import Protocol

from ..regex import SHORT, Budget
from .subschemas import Part, SchemaRules, in_place, parts

EvaluatedParts = frozenset[str | int]
"""Names in an object, or positions in an array."""


class Acceptance(Protocol):
    """What is needed here of the verdicts on one value; `portable.Verdicts` has it."""

    subschemas: tuple[SchemaRules, ...]
    budget: Budget
    evaluated: dict[tuple[int, int], EvaluatedParts]
    descents: int

    def accepts(self, index: int, value: object, depth: int) -> bool:
        """Whether the subschema accepts the value."""

    def conjuncts(self, rules: SchemaRules, value: object, depth: int) -> list[int]:
        """Return the subschemas that must all accept this very value."""

    def enter(self, value: object, depth: int) -> None:
        """Count one more subschema inside the others."""


def has_unevaluated_keyword(rules: SchemaRules) -> bool:
    """Whether the rules hold `unevaluatedProperties` or `unevaluatedItems`."""
    for_objects = rules.object is not None and rules.object.unevaluated is not None
    return for_objects or (rules.array is not None and rules.array.unevaluated is not None)


def unevaluated_parts(verdicts: Acceptance, rules: SchemaRules, value: object, depth: int) -> Iterator[Part]:
    """Yield the parts that no other keyword of these rules has evaluated.

    value: one that all other keywords accept, `depth` levels deep. Raises TooDeepError past the bounds.
    """
    index = _unevaluated_subschema(rules, value)
    if index is None:
        return
    verdicts.enter(value, depth)
    seen = _evaluated_by_rules(verdicts, rules, value, depth)
    verdicts.descents -= 1
    for token, part in _members(value, verdicts.budget):
        if token not in seen:
            yield Part(index, part, token, "unevaluated")


def never_evaluated_parts(verdicts: Acceptance, rules: SchemaRules, value: object) -> Iterator[Part]:
    """Yield the parts that stay unevaluated even if other parts of the value are corrected.

    No subschema for the same value would evaluate them, whether it accepts the value or not.
    """
    index = _unevaluated_subschema(rules, value)
    around = _all_in_place(verdicts.subschemas, rules)
    verdicts.budget.spend(len(around))
    evaluates_by_content = any(each.array is not None and each.array.contains is not None for each in (rules, *around))
    if index is None or evaluates_by_content or any(_unevaluated_subschema(each, value) is not None for each in around):
        return
    budget = verdicts.budget
    seen = {part.token for each in (rules, *around) for part in parts(each, value, budget) if part.role != "name"}
    for token, part in _members(value, verdicts.budget):
        if token not in seen:
            yield Part(index, part, token, "unevaluated")


def _all_in_place(subschemas: tuple[SchemaRules, ...], rules: SchemaRules) -> list[SchemaRules]:
    """Return the rules of every other subschema that may apply to the same value."""
    found, seen = [rules], set[int]()
    for each in found:
        inner = [index for index in in_place(each) if index not in seen]
        seen.update(inner)
        found += [subschemas[index] for index in inner]
    return found[1:]


def _unevaluated_subschema(rules: SchemaRules, value: object) -> int | None:
    if isinstance(value, list):
        return None if rules.array is None else rules.array.unevaluated
    return rules.object.unevaluated if isinstance(value, dict) and rules.object is not None else None


def _members(value: object, budget: Budget) -> list[tuple[str | int, object]]:
    budget.spend(1 + (len(value) if isinstance(value, dict | list) else 0))
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


# Loops, not comprehensions: those would take a frame of a stack that is counted (see MAX_DESCENTS).


def _evaluated_by(verdicts: Acceptance, index: int, value: object, depth: int) -> EvaluatedParts:
    """Return what a subschema that accepts the value has evaluated; with `unevaluated...` that is everything."""
    key = (index, id(value))  # pure: an address is only compared, within this check
    known = verdicts.evaluated.get(key)
    if known is None:
        verdicts.enter(value, depth)
        rules = verdicts.subschemas[index]
        if _unevaluated_subschema(rules, value) is not None:
            known = frozenset(token for token, _ in _members(value, verdicts.budget))
        else:
            known = _evaluated_by_rules(verdicts, rules, value, depth)
        verdicts.descents -= 1
        verdicts.budget.spend(2 + len(known) // SHORT)
        # Without subschemas in place the answer is computed as quickly as it is looked up, and would only fill memory.
        if in_place(rules):
            verdicts.evaluated[key] = known
    return known


def _evaluated_by_rules(verdicts: Acceptance, rules: SchemaRules, value: object, depth: int) -> EvaluatedParts:
    found = {part.token for part in parts(rules, value, verdicts.budget) if part.role != "name"}
    found.update(_contained(verdicts, rules, value, depth))
    if len(found) < len(_members(value, verdicts.budget)):
        for index in _accepting(verdicts, rules, value, depth):
            seen = _evaluated_by(verdicts, index, value, depth)
            verdicts.budget.spend(len(seen))
            found.update(seen)
    return frozenset(found)


def _contained(verdicts: Acceptance, rules: SchemaRules, value: object, depth: int) -> list[int]:
    """Return the positions of the items that `contains` accepts, which evaluates them (2020-12, core, 10.3.1.3)."""
    contains = None if rules.array is None else rules.array.contains
    if contains is None or not isinstance(value, list):
        return []
    found: list[int] = []
    for place, item in enumerate(value):
        if verdicts.accepts(contains, item, depth + 1):
            found.append(place)
    return found


def _accepting(verdicts: Acceptance, rules: SchemaRules, value: object, depth: int) -> list[int]:
    """Return the subschemas that apply to the same value and accept it; one in `not` never evaluates anything."""
    candidates = [*verdicts.conjuncts(rules, value, depth), *(rules.any_of or ()), *(rules.one_of or ())]
    candidates += [] if rules.condition is None else [rules.condition.test]
    found: list[int] = []
    for index in candidates:
        if verdicts.accepts(index, value, depth):
            found.append(index)
    return found
