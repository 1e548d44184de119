"""The portable validator: the definition of which values are valid.

Verdicts are remembered for each pair of subschema and value, so a schema that applies the same subschema in several
branches, as recursive unions do, costs one verdict per pair and never exponential time.

A part of a value is evaluated when `properties`, `items` or a keyword like them applies to it, in the schema itself or
in a subschema that applies to the same value and accepts it (2020-12, core, 11); `unevaluatedProperties` and
`unevaluatedItems` apply to all others. Evaluated parts are remembered as verdicts are.
"""

from collections.abc import Iterator
from typing import Final

from ..bounds import MAX_CHECKED_DEPTH, MAX_DESCENTS
from ..regex import SHORT, Budget
from .assertions import assertion_faults, is_of_types
from .subschemas import Part, SchemaRules, TooDeepError, in_place, parts

_STEPS_A_VERDICT: Final = 8
"""Steps of a verdict beside those of its assertions, parts and branches."""

EvaluatedParts = frozenset[str | int]
"""Names in an object, or positions in an array."""

_SCALARS: Final = (str, int, float, bool, type(None))


def _key(index: int, value: object) -> tuple[object, ...]:
    """Return what a verdict is remembered by.

    Two equal scalars share a verdict on every host, wherever they lie in memory; arrays and objects are known by their
    address, since every part stays alive and unchanged for as long as the value is being checked.
    """
    if type(value) in _SCALARS:
        return index, type(value), value
    return index, id(value)  # pure: an address is only compared, within this check


class Verdicts:
    """Which subschemas accept which parts of one value."""

    def __init__(self, subschemas: tuple[SchemaRules, ...], budget: Budget) -> None:
        self.subschemas = subschemas
        self.budget = budget
        self.known: dict[tuple[object, ...], bool] = {}
        self.evaluated: dict[tuple[int, int], EvaluatedParts] = {}
        self.descents = 0

    def accepts(self, index: int, value: object, depth: int) -> bool:
        """Whether the subschema accepts the value, `depth` levels deep.

        Raises TooDeepError past the bounds, and OverBudgetError.
        """
        self.budget.spend(1)
        key = _key(index, value)
        verdict = self.known.get(key)
        if verdict is None:
            self.budget.spend(_STEPS_A_VERDICT)
            self.enter(value, depth)
            verdict = self.known[key] = self.judge(self.subschemas[index], value, depth)
            self.descents -= 1
        return verdict

    def enter(self, value: object, depth: int) -> None:
        """Count one more subschema inside the others; the caller lowers `descents` again. Raises TooDeepError."""
        self.descents += 1
        if self.descents > MAX_DESCENTS or (depth >= MAX_CHECKED_DEPTH and isinstance(value, list | dict)):
            raise TooDeepError

    def judge(self, rules: SchemaRules, value: object, depth: int, *, with_unevaluated: bool = True) -> bool:
        """Whether the rules hold for the value; cheap keywords come first.

        with_unevaluated: whether `unevaluatedProperties` and `unevaluatedItems` count too.
        """
        if not is_of_types(rules, value):
            return False
        if next(assertion_faults(rules, value, depth, self.budget), None) is not None:
            return False
        for part in parts(rules, value, self.budget):
            if not self.accepts(part.index, part.value, depth + 1):
                return False
        for index in self.conjuncts(rules, value, depth):
            if not self.accepts(index, value, depth):
                return False
        if not (self.judge_branches(rules, value, depth) and self.contains_enough(rules, value, depth)):
            return False
        if not (with_unevaluated and has_unevaluated_keyword(rules)):
            return True
        # all() over a generator would take one more frame, and frames are counted (see MAX_DESCENTS).
        for part in self.unevaluated_parts(rules, value, depth):
            if not self.accepts(part.index, part.value, depth + 1):
                return False
        return True

    def conjuncts(self, rules: SchemaRules, value: object, depth: int) -> list[int]:
        """Return the subschemas that must all accept this very value, given its names and whether `if` accepts it."""
        found = list(rules.all_of)
        if rules.object is not None and isinstance(value, dict):
            self.budget.spend(len(rules.object.dependent_schemas) // SHORT)
            found += [index for name, index in rules.object.dependent_schemas if name in value]
        if rules.condition is not None and rules.condition.decides():
            holds = self.accepts(rules.condition.test, value, depth)
            chosen = rules.condition.then if holds else rules.condition.otherwise
            found += [] if chosen is None else [chosen]
        return found

    def judge_branches(self, rules: SchemaRules, value: object, depth: int) -> bool:
        """Whether `anyOf`, `oneOf` and `not` hold."""
        for branches, at_most in ((rules.any_of, None), (rules.one_of, 1)):
            if branches is None:
                continue
            count = 0
            for index in branches:
                count += self.accepts(index, value, depth)
                if count and at_most != count:
                    break
            if count == 0 or (at_most is not None and count > at_most):
                return False
        return rules.negated is None or not self.accepts(rules.negated, value, depth)

    def contains_enough(self, rules: SchemaRules, value: object, depth: int) -> bool:
        """Whether `contains` accepts as many items as `minContains` and `maxContains` demand."""
        if rules.array is None or rules.array.contains is None or not isinstance(value, list):
            return True
        count, most = 0, rules.array.max_contains
        for item in value:
            count += self.accepts(rules.array.contains, item, depth + 1)
        return rules.array.min_contains <= count and (most is None or count <= most)

    def accepting(self, branches: tuple[int, ...], value: object, depth: int, *, stop_after: int) -> list[int]:
        """Return the positions of the first branches that accept the value, at most `stop_after` of them."""
        found: list[int] = []
        for place, index in enumerate(branches):
            if len(found) < stop_after and self.accepts(index, value, depth):
                found.append(place)
        return found

    # Loops, not comprehensions: those would take a frame of a stack that is counted (see MAX_DESCENTS).

    def unevaluated_parts(self, rules: SchemaRules, value: object, depth: int) -> Iterator[Part]:
        """Yield the parts that no other keyword of these rules has evaluated.

        value: one that all other keywords accept, `depth` levels deep. Raises TooDeepError past the bounds.
        """
        index = unevaluated_subschema(rules, value)
        if index is None:
            return
        self.enter(value, depth)
        seen = self.evaluated_by_rules(rules, value, depth)
        self.descents -= 1
        for token, part in members(value, self.budget):
            if token not in seen:
                yield Part(index, part, token, "unevaluated")

    def evaluated_by(self, index: int, value: object, depth: int) -> EvaluatedParts:
        """Return what a subschema that accepts the value has evaluated; with `unevaluated...` that is everything."""
        key = (index, id(value))  # pure: an address is only compared, within this check
        known = self.evaluated.get(key)
        if known is None:
            self.enter(value, depth)
            rules = self.subschemas[index]
            if unevaluated_subschema(rules, value) is not None:
                known = frozenset(token for token, _ in members(value, self.budget))
            else:
                known = self.evaluated_by_rules(rules, value, depth)
            self.descents -= 1
            self.budget.spend(2 + len(known) // SHORT)
            # Without subschemas in place the answer is computed as quickly as it is looked up, and would fill memory.
            if in_place(rules):
                self.evaluated[key] = known
        return known

    def evaluated_by_rules(self, rules: SchemaRules, value: object, depth: int) -> EvaluatedParts:
        """Return what the keywords of these rules but `unevaluated...` have evaluated of the value."""
        found = {part.token for part in parts(rules, value, self.budget) if part.role != "name"}
        found.update(self.contained(rules, value, depth))
        if len(found) < len(members(value, self.budget)):
            for index in self.accepting_in_place(rules, value, depth):
                seen = self.evaluated_by(index, value, depth)
                self.budget.spend(len(seen))
                found.update(seen)
        return frozenset(found)

    def contained(self, rules: SchemaRules, value: object, depth: int) -> list[int]:
        """Return the positions of the items that `contains` accepts, which evaluates them (2020-12, core, 10.3.1.3)."""
        contains = None if rules.array is None else rules.array.contains
        if contains is None or not isinstance(value, list):
            return []
        found: list[int] = []
        for place, item in enumerate(value):
            if self.accepts(contains, item, depth + 1):
                found.append(place)
        return found

    def accepting_in_place(self, rules: SchemaRules, value: object, depth: int) -> list[int]:
        """Return the subschemas that apply to the same value and accept it; one in `not` never evaluates anything."""
        candidates = [*self.conjuncts(rules, value, depth), *(rules.any_of or ()), *(rules.one_of or ())]
        candidates += [] if rules.condition is None else [rules.condition.test]
        found: list[int] = []
        for index in candidates:
            if self.accepts(index, value, depth):
                found.append(index)
        return found


def has_unevaluated_keyword(rules: SchemaRules) -> bool:
    """Whether the rules hold `unevaluatedProperties` or `unevaluatedItems`."""
    for_objects = rules.object is not None and rules.object.unevaluated_properties is not None
    return for_objects or (rules.array is not None and rules.array.unevaluated_items is not None)


def unevaluated_subschema(rules: SchemaRules, value: object) -> int | None:
    """Return the subschema for the unevaluated parts of a value, if the rules have one."""
    if isinstance(value, list):
        return None if rules.array is None else rules.array.unevaluated_items
    return rules.object.unevaluated_properties if isinstance(value, dict) and rules.object is not None else None


def members(value: object, budget: Budget) -> list[tuple[str | int, object]]:
    """Return the parts of an array or object with their positions or names."""
    budget.spend(1 + (len(value) if isinstance(value, dict | list) else 0))
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []
