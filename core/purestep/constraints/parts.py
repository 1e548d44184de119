"""The parts of grammar rules: expressions that each grammar language prints in its own way."""

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
    """One part behind the other."""

    parts: tuple[Any, ...]


class Alt(Struct, frozen=True):
    """One of the parts."""

    parts: tuple[Any, ...]


class Many(Struct, frozen=True):
    """The part any number of times, or so many at most."""

    part: Any
    most: int | None = None


class Until(Struct, frozen=True):
    """Any text up to this, which begins with `<` but for a line break; the whole of a rule."""

    closer: str


Expression = Literal | CharacterClass | Ref | Seq | Alt | Many | Until
EMPTY: Final = Literal("")
