"""Integers that were written as floats: JSON Schema takes 3.0 for an integer, most programs do not."""

from ..bounds import MAX_CHECKED_DEPTH
from .nodes import SchemaRules
from .parts import parts
from .portable import Verdicts
from .unevaluated import leftover

_Place = tuple[int, str | int]
"""The address of an array or object, and an index or name in it."""

_ROOT: _Place = (0, "")


def with_integers(nodes: tuple[SchemaRules, ...], value: object) -> object:
    """A valid value with floats made integers wherever the schema asks for an integer and not for any number.

    A value that is valid as it stands, with no float taken for an integer, comes back unchanged.
    """
    if Verdicts(nodes, strict=True).accepts(0, value, 0):
        return value
    return _rebuilt(value, _ROOT, _float_places(nodes, value))


def _float_places(nodes: tuple[SchemaRules, ...], value: object) -> set[_Place]:
    """The places of floats that stand where an integer is asked for, along the branches that accept them."""
    verdicts = Verdicts(nodes)
    found: set[_Place] = set()
    pending, seen = [(0, value, _ROOT, 0)], {(0, _ROOT)}
    while pending:
        index, part, place, depth = pending.pop()
        rules = nodes[index]
        if isinstance(part, float) and _wants_integer(rules):
            found.add(place)
        inner = [
            (each.index, each.value, _place(part, each.token), depth + 1)
            for each in (*parts(rules, part), *leftover(verdicts, rules, part, depth))
            if each.role != "name"
        ]
        inner += [(each, part, place, depth) for each in _accepting_in_place(verdicts, rules, part, depth)]
        for step in inner:
            if (step[0], step[2]) not in seen:
                seen.add((step[0], step[2]))
                pending.append(step)
    return found


def _place(container: object, token: str | int) -> _Place:
    return id(container), token  # pure: addresses are only compared, while the value is alive


def _wants_integer(rules: SchemaRules) -> bool:
    return rules.types is not None and "integer" in rules.types and "number" not in rules.types


def _accepting_in_place(verdicts: Verdicts, rules: SchemaRules, value: object, depth: int) -> list[int]:
    found = verdicts.conjuncts(rules, value, depth)
    for branches in (rules.any_of or (), rules.one_of or ()):
        found += [branches[place] for place in verdicts.accepting(branches, value, depth, stop_after=1)]
    return found


def _rebuilt(value: object, place: _Place, places: set[_Place], room: int = MAX_CHECKED_DEPTH) -> object:
    """A copy of the value with integers at the places, none of which lies below `room` more levels."""
    if place in places and isinstance(value, float):
        return int(value)
    if room and isinstance(value, list):
        return [_rebuilt(item, _place(value, token), places, room - 1) for token, item in enumerate(value)]
    if room and isinstance(value, dict):
        return {name: _rebuilt(item, _place(value, name), places, room - 1) for name, item in value.items()}
    return value
