"""What a mutant is: one small change of the core's source that breaks a promise."""

from msgspec import Struct


class Mutant(Struct, frozen=True):
    """A fault with a name: in a module of the core, `old` stands once and becomes `new`.

    case: the definition whose exploration finds it.
    """

    name: str
    case: str
    module: str
    old: str
    new: str
