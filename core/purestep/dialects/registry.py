"""The dialects by name; more can be registered."""

from ..errors import PurestepError
from ..scanner import read_with_reasoning
from ..values import Reading, Tools
from .bare import BARE
from .dialect import Dialect
from .envelope import ENVELOPE
from .families import AUTO, FAMILY_DIALECTS
from .native import NATIVE
from .tool_tags import TOOL_TAGS

_REGISTRY: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (AUTO, BARE, ENVELOPE, NATIVE, TOOL_TAGS, *FAMILY_DIALECTS)
}


def register_dialect(dialect: Dialect) -> None:
    """Make a dialect known under its name, for definitions loaded from now on.

    Error codes: `unknown_dialect` when the name is taken by a different dialect.
    """
    known = _REGISTRY.setdefault(dialect.name, dialect)
    if known is not dialect:
        raise PurestepError("unknown_dialect", f'the dialect name "{dialect.name}" is taken; choose another')


def dialect_named(name: str) -> Dialect:
    """Give the dialect of that name; raises `unknown_dialect`, with the names there are."""
    try:
        return _REGISTRY[name]
    except KeyError:
        names = ", ".join(dialect_names())
        raise PurestepError("unknown_dialect", f'expected one of {names}; got "{name}"', "/dialect") from None


def read_output(dialect: Dialect, text: str, tools: Tools | None) -> Reading:
    """Read a whole output by a dialect, its reasoning split off first."""
    if dialect.table is not None and dialect.stream != "envelope" and not dialect.native_tools:
        return dialect.read(text, tools)
    return read_with_reasoning(dialect.read, text, tools)


def dialect_names() -> tuple[str, ...]:
    """Give the names of all registered dialects, sorted."""
    return tuple(sorted(_REGISTRY))
