"""Expressions: what a rule of a grammar allows, printed by each grammar language in its own way."""

from typing import Any, Final

from msgspec import Struct


class Literal(Struct, frozen=True):
    """This text."""

    text: str


class CharacterClass(Struct, frozen=True):
    """One character of a class, written as regular expressions do, without the brackets."""

    inside: str


class Ref(Struct, frozen=True):
    """What the rule of that name allows."""

    name: str


class Seq(Struct, frozen=True):
    """One part after the other."""

    parts: tuple[Any, ...]


class Alt(Struct, frozen=True):
    """One of the parts."""

    parts: tuple[Any, ...]


class Many(Struct, frozen=True):
    """The part any number of times, or so many at most."""

    part: Any
    most: int | None = None


class Until(Struct, frozen=True):
    """Any text up to the closer, which begins with `<` or a line break and `<`; always the whole of a rule."""

    closer: str


Expression = Literal | CharacterClass | Ref | Seq | Alt | Many | Until
EMPTY: Final = Literal("")


def reachable(root: Expression, named: dict[str, Expression]) -> dict[str, Expression]:
    """Return the rules that an expression refers to, directly or by others, in the order of reference."""
    found: dict[str, Expression] = {}
    waiting = [root]
    while waiting:
        for name in _names(waiting.pop()):
            if name not in found:
                found[name] = named[name]
                waiting.append(named[name])
    return found


def _names(expression: Any) -> list[str]:
    match expression:
        case Ref(name):
            return [name]
        case Seq(parts) | Alt(parts):
            return [name for part in parts for name in _names(part)]
        case Many(part):
            return _names(part)
        case _:
            return []
