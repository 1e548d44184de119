"""Which branch of a union a wrong value was probably meant for, and what the branches take, in words."""

from purestep.schema.limits import MAX_SHOWN_CHOICES
from purestep.schema.local import is_of_types
from purestep.schema.nodes import Rules, identity, kind_of
from purestep.schema.shown import TYPE_PHRASES, json_text


def closest_branch(nodes: tuple[Rules, ...], branches: tuple[int, ...], value: object) -> int | None:
    """The index of the one branch whose type fits, or, of several, the one whose tags do; None when none
    stands out.

    A tag is a property with fixed values, such as `"kind": {"const": "circle"}`.
    """
    fitting = [index for index in branches if _fits(nodes, index, value)]
    if len(fitting) > 1 and isinstance(value, dict):
        fitting = [index for index in fitting if _has_its_tags(nodes, index, value)]
    return fitting[0] if len(fitting) == 1 else None


def expectations(nodes: tuple[Rules, ...], branches: tuple[int, ...]) -> list[str]:
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
            found.update(dict.fromkeys(_phrases(_conjoined(nodes, rules))))
    return list(found)[:MAX_SHOWN_CHOICES]


def _conjoined(nodes: tuple[Rules, ...], rules: Rules) -> list[Rules]:
    """The rules with all those that `allOf` and `$ref` add to them."""
    found, seen = [rules], set(rules.all_of)
    pending = list(reversed(rules.all_of))
    while pending:
        added = nodes[pending.pop()]
        found.append(added)
        pending += [index for index in reversed(added.all_of) if index not in seen]
        seen.update(added.all_of)
    return found


def _fits(nodes: tuple[Rules, ...], index: int, value: object) -> bool:
    kind = kind_of(value)
    for rules in _conjoined(nodes, nodes[index]):
        if not is_of_types(rules, value, strict=False):
            return False
        if any(all(kind_of(allowed) != kind for allowed in literals.values) for literals in rules.literals):
            return False
    return True


def _has_its_tags(nodes: tuple[Rules, ...], index: int, value: dict[str, object]) -> bool:
    """Whether the value has every property that the branch gives fixed values, with one of these values."""
    for rules in _conjoined(nodes, nodes[index]):
        properties = {} if rules.object is None else rules.object.properties
        for name, part in properties.items():
            for literals in nodes[part].literals:
                given = value.get(name)
                if isinstance(given, dict | list) or identity(given) not in literals.keys:
                    return False
    return True


def _phrases(conjoined: list[Rules]) -> list[str]:
    for rules in conjoined:
        for literals in rules.literals:
            return [json_text(value) for value in literals.values]
    for rules in conjoined:
        if rules.types:
            return [TYPE_PHRASES[name] + _detail(conjoined, name) for name in rules.types]
    return [f"what {conjoined[0].pointer} describes"]


def _detail(conjoined: list[Rules], type_name: str) -> str:
    """What tells a branch from others of the same type."""
    for rules in conjoined:
        if type_name == "object" and rules.object is not None and rules.object.required:
            return " with " + ", ".join(json_text(name) for name in rules.object.required)
        if type_name == "string" and rules.string is not None and rules.string.pattern is not None:
            return f" matching {rules.string.pattern.source}"
    return ""
