"""Which branch of a union a wrong value was probably meant for, and what the branches take, in words."""

from ..bounds import MAX_SHOWN_CHOICES
from ..json_text import TYPE_PHRASES, json_text
from .local import is_of_types, local_faults
from .nodes import SchemaRules, identity, kind_of
from .parts import parts
from .portable import Verdicts


def closest_branch(verdicts: Verdicts, branches: tuple[int, ...], value: object, depth: int) -> int | None:
    """The index of the one branch whose type fits, or, of several, the one whose tags do, or else, for an array
    or object, the one that knows the most of its names and then finds the fewest faults; None when none stands out.

    A tag is a property with fixed values, such as `"kind": {"const": "circle"}`.
    """
    nodes = verdicts.nodes
    fitting = [index for index in branches if _fits(nodes, index, value)]
    if len(fitting) > 1 and isinstance(value, dict):
        tagged = [index for index in fitting if _has_its_tags(nodes, index, value)]
        fitting = tagged or [index for index in fitting if _has_its_tags(nodes, index, value, or_none=True)]
    if len(fitting) > 1 and isinstance(value, list | dict):
        fitting = _nearest(verdicts, fitting, value, depth)
    return fitting[0] if len(fitting) == 1 else None


def _nearest(verdicts: Verdicts, branches: list[int], value: object, depth: int) -> list[int]:
    """The branches that are nearest to the value, one if one stands out."""
    distances = [
        (-_known_names(verdicts.nodes, index, value), _faults(verdicts, index, value, depth)) for index in branches
    ]
    return [index for index, distance in zip(branches, distances, strict=True) if distance == min(distances)]


def _known_names(nodes: tuple[SchemaRules, ...], index: int, value: object) -> int:
    known: set[str] = set()
    for rules in conjoined(nodes, nodes[index]):
        if rules.object is not None:
            known.update(rules.object.properties, rules.object.required)
    return sum(name in known for name in value) if isinstance(value, dict) else 0


def _faults(verdicts: Verdicts, index: int, value: object, depth: int) -> int:
    """How many keywords and parts of a value a branch finds wrong, however much is wrong inside of a part."""
    count = 0
    for rules in conjoined(verdicts.nodes, verdicts.nodes[index]):
        count += sum(1 for _ in local_faults(rules, value, depth))
        count += sum(not verdicts.accepts(part.index, part.value, depth + 1) for part in parts(rules, value))
    return count


def expectations(nodes: tuple[SchemaRules, ...], branches: tuple[int, ...]) -> list[str]:
    """What each branch takes, as phrases such as `a string` or `an object with "city"`, without
    repetitions."""
    found: dict[str, None] = {}
    pending, seen = list(reversed(branches)), set(branches)
    while pending and len(found) < MAX_SHOWN_CHOICES:
        rules = nodes[pending.pop()]
        inner = [index for index in reversed(rules.any_of or rules.one_of or ()) if index not in seen]
        if inner and rules.types is None and not rules.literals:
            pending += inner
            seen.update(inner)
        else:
            found.update(dict.fromkeys(_phrases(conjoined(nodes, rules))))
    return list(found)[:MAX_SHOWN_CHOICES]


def conjoined(nodes: tuple[SchemaRules, ...], rules: SchemaRules) -> list[SchemaRules]:
    """The rules with all those that `allOf` and references add to them."""
    found, seen = [rules], set(rules.all_of)
    pending = list(reversed(rules.all_of))
    while pending:
        added = nodes[pending.pop()]
        found.append(added)
        pending += [index for index in reversed(added.all_of) if index not in seen]
        seen.update(added.all_of)
    return found


def _fits(nodes: tuple[SchemaRules, ...], index: int, value: object) -> bool:
    kind = kind_of(value)
    for rules in conjoined(nodes, nodes[index]):
        if not is_of_types(rules, value, strict=False):
            return False
        if any(all(kind_of(allowed) != kind for allowed in literals.values) for literals in rules.literals):
            return False
    return True


def _has_its_tags(
    nodes: tuple[SchemaRules, ...], index: int, value: dict[str, object], *, or_none: bool = False
) -> bool:
    """Whether every property that the branch gives fixed values has one of these values, or perhaps is absent."""
    for rules in conjoined(nodes, nodes[index]):
        properties = {} if rules.object is None else rules.object.properties
        for name, part in properties.items():
            if or_none and name not in value:
                continue
            for literals in nodes[part].literals:
                given = value.get(name)
                if isinstance(given, dict | list) or identity(given) not in literals.keys:
                    return False
    return True


def _phrases(conjoined: list[SchemaRules]) -> list[str]:
    for rules in conjoined:
        for literals in rules.literals:
            return [json_text(value) for value in literals.values]
    for rules in conjoined:
        if rules.types:
            return [TYPE_PHRASES[name] + _detail(conjoined, name) for name in rules.types]
    return [f"what {conjoined[0].pointer} describes"]


def _detail(conjoined: list[SchemaRules], type_name: str) -> str:
    """What tells a branch from others of the same type."""
    for rules in conjoined:
        if type_name == "object" and rules.object is not None and rules.object.required:
            return " with " + ", ".join(json_text(name) for name in rules.object.required)
        if type_name == "string" and rules.string is not None and rules.string.pattern is not None:
            return f" matching {rules.string.pattern.source}"
    return ""
