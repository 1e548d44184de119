"""Which branch of a union an invalid value was probably meant for, and what the branches accept, in words."""

from ..bounds import MAX_SHOWN_CHOICES
from ..json_text import TYPE_PHRASES, excerpt_of
from ..regex import SHORT, Budget
from .assertions import assertion_faults, is_of_types
from .portable import Verdicts
from .subschemas import SchemaRules, equality_key, kind_of, parts


def closest_branch(verdicts: Verdicts, branches: tuple[int, ...], value: object, depth: int) -> int | None:
    """Return the index of the one branch that the value was meant for; None when none stands out.

    That is the one whose type fits; of several, the one whose tags fit; of several again, for an array or object, the
    one that knows the most of its names and then finds the fewest faults. A tag is a property with fixed values, such
    as `"kind": {"const": "circle"}`.
    """
    fitting = [index for index in branches if _fits(verdicts, index, value)]
    if len(fitting) > 1 and isinstance(value, dict):
        tagged = [index for index in fitting if _has_its_tags(verdicts, index, value)]
        fitting = tagged or [index for index in fitting if _has_its_tags(verdicts, index, value, or_none=True)]
    if len(fitting) > 1 and isinstance(value, list | dict):
        fitting = _nearest(verdicts, fitting, value, depth)
    return fitting[0] if len(fitting) == 1 else None


def _nearest(verdicts: Verdicts, branches: list[int], value: object, depth: int) -> list[int]:
    """Return the branches nearest to the value, one if one stands out."""
    distances = [(-_known_names(verdicts, index, value), _faults(verdicts, index, value, depth)) for index in branches]
    least = min(distances)
    return [index for index, distance in zip(branches, distances, strict=True) if distance == least]


def _known_names(verdicts: Verdicts, index: int, value: object) -> int:
    known: set[str] = set()
    verdicts.budget.spend(len(value) // SHORT if isinstance(value, dict) else 0)
    for rules in conjoined(verdicts, verdicts.subschemas[index]):
        if rules.object is not None:
            verdicts.budget.spend((len(rules.object.properties) + len(rules.object.required)) // SHORT)
            known.update(rules.object.properties, rules.object.required)
    return sum(name in known for name in value) if isinstance(value, dict) else 0


def _faults(verdicts: Verdicts, index: int, value: object, depth: int) -> int:
    """Count the keywords and parts of a value that a branch finds wrong; a part counts once."""
    count = 0
    for rules in conjoined(verdicts, verdicts.subschemas[index]):
        count += sum(1 for _ in assertion_faults(rules, value, depth, verdicts.budget))
        found = parts(rules, value, verdicts.budget)
        count += sum(not verdicts.accepts(part.index, part.value, depth + 1) for part in found)
    return count


def expectations(verdicts: Verdicts, branches: tuple[int, ...]) -> list[str]:
    """Return what each branch accepts, as phrases such as `a string` or `an object with "city"`, each once."""
    found: dict[str, None] = {}
    pending, seen = list(reversed(branches)), set(branches)
    while pending and len(found) < MAX_SHOWN_CHOICES:
        rules = verdicts.subschemas[pending.pop()]
        inner = [index for index in reversed(rules.any_of or rules.one_of or ()) if index not in seen]
        if inner and rules.types is None and not rules.literals:
            pending += inner
            seen.update(inner)
        else:
            found.update(dict.fromkeys(_phrases(conjoined(verdicts, rules), verdicts.budget)))
    return list(found)[:MAX_SHOWN_CHOICES]


def conjoined(verdicts: Verdicts, rules: SchemaRules) -> list[SchemaRules]:
    """Return the rules with all those that `allOf` and references add to them."""
    verdicts.budget.spend(1)
    found, seen = [rules], set(rules.all_of)
    pending = list(reversed(rules.all_of))
    while pending:
        added = verdicts.subschemas[pending.pop()]
        verdicts.budget.spend(1 + len(added.all_of) // SHORT)
        found.append(added)
        pending += [index for index in reversed(added.all_of) if index not in seen]
        seen.update(added.all_of)
    return found


def _fits(verdicts: Verdicts, index: int, value: object) -> bool:
    kind = kind_of(value)
    for rules in conjoined(verdicts, verdicts.subschemas[index]):
        verdicts.budget.spend(sum(len(literals.values) for literals in rules.literals) // SHORT)
        if not is_of_types(rules, value):
            return False
        if any(all(kind_of(allowed) != kind for allowed in literals.values) for literals in rules.literals):
            return False
    return True


def _has_its_tags(verdicts: Verdicts, index: int, value: dict[str, object], *, or_none: bool = False) -> bool:
    """Whether every property with fixed values has one of them; with `or_none` it may be absent too."""
    for rules in conjoined(verdicts, verdicts.subschemas[index]):
        properties = {} if rules.object is None else rules.object.properties
        verdicts.budget.spend(len(properties) // SHORT)
        for name, part in properties.items():
            if or_none and name not in value:
                continue
            for literals in verdicts.subschemas[part].literals:
                given = value.get(name)
                if isinstance(given, dict | list) or equality_key(given, verdicts.budget) not in literals.keys:
                    return False
    return True


def _phrases(conjoined: list[SchemaRules], budget: Budget) -> list[str]:
    for rules in conjoined:
        for literals in rules.literals:
            budget.spend(len(literals.values))
            return [excerpt_of(value) for value in literals.values]
    for rules in conjoined:
        if rules.types:
            return [TYPE_PHRASES[name] + _detail(conjoined, name) for name in rules.types]
    return [f"what {conjoined[0].pointer} describes"]


def _detail(conjoined: list[SchemaRules], type_name: str) -> str:
    """Return what tells a branch from others of the same type."""
    for rules in conjoined:
        if type_name == "object" and rules.object is not None and rules.object.required:
            return " with " + ", ".join(excerpt_of(name) for name in rules.object.required)
        if type_name == "string" and rules.string is not None and rules.string.pattern is not None:
            return f" matching {rules.string.pattern.source}"
    return ""
