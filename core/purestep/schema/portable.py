"""The portable validator: the definition of which values are valid.

Verdicts are remembered for each pair of subschema and value, so that a schema which asks the same question in
several branches, as recursive unions do, costs one answer per pair and never exponential time.
"""

from collections.abc import Iterator

import msgspec

from purestep.schema.limits import MAX_DESCENTS, MAX_VALUE_DEPTH
from purestep.schema.local import is_of_types, local_faults
from purestep.schema.nodes import ArrayRules, ObjectRules, Rules, TooDeepError


class Part(msgspec.Struct, frozen=True):
    """A part of a value, with the index of the subschema that judges it.

    `role` is `item`, `property`, `other` (neither named nor matched by the schema) or `name` (the value is
    the name).
    """

    index: int
    value: object
    token: str | int
    role: str


def parts(rules: Rules, value: object) -> Iterator[Part]:
    """The parts of the value that the rules have a subschema for.

    Named properties come in the order of the schema, everything else in the order of the value.
    """
    if isinstance(value, list) and rules.array is not None:
        yield from _items(rules.array, value)
    elif isinstance(value, dict) and rules.object is not None:
        yield from _properties(rules.object, value)
        yield from _other_properties(rules.object, value)


def _items(rules: ArrayRules, value: list[object]) -> Iterator[Part]:
    for place, (index, item) in enumerate(zip(rules.prefix, value, strict=False)):
        yield Part(index, item, place, "item")
    if rules.items is not None:
        for place in range(len(rules.prefix), len(value)):
            yield Part(rules.items, value[place], place, "item")


def _properties(rules: ObjectRules, value: dict[str, object]) -> Iterator[Part]:
    for name, index in rules.properties.items():
        if name in value:
            yield Part(index, value[name], name, "property")


def _other_properties(rules: ObjectRules, value: dict[str, object]) -> Iterator[Part]:
    if rules.names is None and rules.additional is None and not rules.patterns:
        return
    for name, part in value.items():
        if rules.names is not None:
            yield Part(rules.names, name, name, "name")
        matching = [index for pattern, index in rules.patterns if pattern.search(name)]
        for index in matching:
            yield Part(index, part, name, "property")
        if rules.additional is not None and not matching and name not in rules.properties:
            yield Part(rules.additional, part, name, "other")


class Verdicts:
    """Which subschemas accept which parts of one value.

    With `strict` only an int is an integer, and 1.0 is none: the reading that the native validator has.
    """

    def __init__(self, nodes: tuple[Rules, ...], *, strict: bool = False) -> None:
        self.nodes = nodes
        self.strict = strict
        # By address: every part stays alive and unchanged for as long as the value is being checked.
        self.known: dict[tuple[int, int], bool] = {}
        self.descents = 0

    def accepts(self, index: int, value: object, depth: int) -> bool:
        """Whether the subschema accepts the value, `depth` levels deep; raises TooDeepError past the bounds."""
        key = (index, id(value))  # pure: an address is only compared, within this check
        verdict = self.known.get(key)
        if verdict is None:
            self.enter(value, depth)
            verdict = self.known[key] = self.judge(self.nodes[index], value, depth)
            self.descents -= 1
        return verdict

    def enter(self, value: object, depth: int) -> None:
        """Count one subschema more inside of the others; the caller takes the count back."""
        self.descents += 1
        if self.descents > MAX_DESCENTS or (depth >= MAX_VALUE_DEPTH and isinstance(value, list | dict)):
            raise TooDeepError

    def judge(self, rules: Rules, value: object, depth: int) -> bool:
        """Whether the rules hold for the value; cheap questions come first."""
        if not is_of_types(rules, value, self.strict):
            return False
        if next(local_faults(rules, value, depth), None) is not None:
            return False
        for part in parts(rules, value):
            if not self.accepts(part.index, part.value, depth + 1):
                return False
        for index in self.conjuncts(rules, value, depth):
            if not self.accepts(index, value, depth):
                return False
        return self.judge_branches(rules, value, depth)

    def conjuncts(self, rules: Rules, value: object, depth: int) -> list[int]:
        """The subschemas that must all accept this very value, given which names it has and which condition holds."""
        found = list(rules.all_of)
        if rules.object is not None and isinstance(value, dict):
            found += [index for name, index in rules.object.dependent_schemas if name in value]
        if rules.condition is not None:
            holds = self.accepts(rules.condition.test, value, depth)
            chosen = rules.condition.then if holds else rules.condition.otherwise
            found += [] if chosen is None else [chosen]
        return found

    def judge_branches(self, rules: Rules, value: object, depth: int) -> bool:
        """Whether the keywords hold that count which subschemas accept the value or its items."""
        if rules.any_of is not None and not self.accepting(rules.any_of, value, depth, stop_after=1):
            return False
        if rules.one_of is not None and len(self.accepting(rules.one_of, value, depth, stop_after=2)) != 1:
            return False
        if rules.negated is not None and self.accepts(rules.negated, value, depth):
            return False
        return rules.array is None or self.contains_enough(rules.array, value, depth)

    def accepting(self, branches: tuple[int, ...], value: object, depth: int, *, stop_after: int) -> list[int]:
        """The positions of the first branches that accept the value, no more than `stop_after`."""
        found: list[int] = []
        for place, index in enumerate(branches):
            if len(found) < stop_after and self.accepts(index, value, depth):
                found.append(place)
        return found

    def contains_enough(self, rules: ArrayRules, value: object, depth: int) -> bool:
        """Whether as many items as asked for, and no more, fit the contained schema."""
        if rules.contains is None or not isinstance(value, list):
            return True
        count = self.contained(rules, value, depth)
        return rules.min_contains <= count and (rules.max_contains is None or count <= rules.max_contains)

    def contained(self, rules: ArrayRules, value: object, depth: int) -> int:
        """How many items the contained schema accepts."""
        count = 0
        if rules.contains is not None and isinstance(value, list):
            for item in value:
                count += self.accepts(rules.contains, item, depth + 1)
        return count
