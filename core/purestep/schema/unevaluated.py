"""Which parts of a value a schema has looked at, and so which are left to `unevaluatedItems` and
`unevaluatedProperties`.

Looked at is what `properties`, `items` and their like name in the schema itself, and in every subschema that
judges the same value and accepts it (2020-12, core, 11). What is found is remembered for each pair of subschema
and value, as verdicts are.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .nodes import SchemaRules, in_place
from .parts import Part, parts

if TYPE_CHECKING:
    from .portable import Verdicts

EvaluatedParts = frozenset[str | int]
"""Names in an object, or positions in an array."""


def leftover(verdicts: "Verdicts", rules: SchemaRules, value: object, depth: int) -> Iterator[Part]:
    """The parts of a value, `depth` levels deep, that nothing else in these rules has looked at.

    The value is one that all other keywords accept. Raises TooDeepError past the bounds.
    """
    index = _judge_of_rest(rules, value)
    if index is None:
        return
    verdicts.enter(value, depth)
    seen = _looked_at(verdicts, rules, value, depth)
    verdicts.descents -= 1
    for token, part in _members(value):
        if token not in seen:
            yield Part(index, part, token, "rest")


def unknown_to_all(nodes: tuple[SchemaRules, ...], rules: SchemaRules, value: object) -> Iterator[Part]:
    """The leftover parts that no subschema for the same value would look at, whether it accepts the value or not.

    These are left over whatever else of the value is mended.
    """
    index = _judge_of_rest(rules, value)
    around = _all_in_place(nodes, rules)
    looks_by_content = any(each.array is not None and each.array.contains is not None for each in (rules, *around))
    if index is None or looks_by_content or any(_judge_of_rest(each, value) is not None for each in around):
        return
    seen = {part.token for each in (rules, *around) for part in parts(each, value) if part.role != "name"}
    for token, part in _members(value):
        if token not in seen:
            yield Part(index, part, token, "rest")


def _all_in_place(nodes: tuple[SchemaRules, ...], rules: SchemaRules) -> list[SchemaRules]:
    """The rules of every subschema that may judge the same value beside these."""
    found, seen = [rules], set[int]()
    for each in found:
        inner = [index for index in in_place(each) if index not in seen]
        seen.update(inner)
        found += [nodes[index] for index in inner]
    return found[1:]


def asks_for_rest(rules: SchemaRules) -> bool:
    """Whether the rules say anything of parts that nothing else has looked at."""
    asks = rules.object is not None and rules.object.unevaluated is not None
    return asks or (rules.array is not None and rules.array.unevaluated is not None)


def _judge_of_rest(rules: SchemaRules, value: object) -> int | None:
    if isinstance(value, list):
        return None if rules.array is None else rules.array.unevaluated
    return rules.object.unevaluated if isinstance(value, dict) and rules.object is not None else None


def _members(value: object) -> list[tuple[str | int, object]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _evaluated(verdicts: "Verdicts", index: int, value: object, depth: int) -> EvaluatedParts:
    """What a subschema that accepts the value has looked at, its own `unevaluated...` included."""
    key = (index, id(value))  # pure: an address is only compared, within this check
    known = verdicts.looked_at.get(key)
    if known is None:
        verdicts.enter(value, depth)
        rules = verdicts.nodes[index]
        if _judge_of_rest(rules, value) is not None:
            known = frozenset(token for token, _ in _members(value))
        else:
            known = _looked_at(verdicts, rules, value, depth)
        verdicts.descents -= 1
        # What asks nobody else is found again as quickly as it is remembered, and would only fill the memory.
        if in_place(rules):
            verdicts.looked_at[key] = known
    return known


# Loops, not comprehensions: those would take a frame of a stack that is counted (see MAX_DESCENTS).


def _looked_at(verdicts: "Verdicts", rules: SchemaRules, value: object, depth: int) -> EvaluatedParts:
    found = {part.token for part in parts(rules, value) if part.role != "name"}
    found.update(_contained(verdicts, rules, value, depth))
    for index in _accepting(verdicts, rules, value, depth) if len(found) < len(_members(value)) else ():
        found.update(_evaluated(verdicts, index, value, depth))
    return frozenset(found)


def _contained(verdicts: "Verdicts", rules: SchemaRules, value: object, depth: int) -> list[int]:
    """The positions of the items that fit `contains`, which counts as a look (2020-12, core, 10.3.1.3)."""
    contains = None if rules.array is None else rules.array.contains
    if contains is None or not isinstance(value, list):
        return []
    found: list[int] = []
    for place, item in enumerate(value):
        if verdicts.accepts(contains, item, depth + 1):
            found.append(place)
    return found


def _accepting(verdicts: "Verdicts", rules: SchemaRules, value: object, depth: int) -> list[int]:
    """The subschemas that judge the same value and accept it; what `not` holds has looked at nothing."""
    asked = [*verdicts.conjuncts(rules, value, depth), *(rules.any_of or ()), *(rules.one_of or ())]
    asked += [] if rules.condition is None else [rules.condition.test]
    found: list[int] = []
    for index in asked:
        if verdicts.accepts(index, value, depth):
            found.append(index)
    return found
