"""The dialects by name; more can be registered."""

from typing import Final

from ..call_readers import CUT, has_answer_message
from ..errors import PurestepError
from ..json_text import BLANK, UNREADABLE, read_json
from ..scanner import OPENED, START, Table, read_segments, read_with_reasoning
from ..values import Reading, Tools
from .bare import BARE
from .compact import COMPACT
from .dialect import Dialect
from .envelope import ENVELOPE
from .families import ALL_MARKERS, AUTO, FAMILY_DIALECTS
from .native import NATIVE
from .stray_markup import checked_answer
from .tool_tags import TOOL_TAGS

MISSING_BRACKETS: Final = "closing brackets were missing"
"""The note of a reader that closed an object."""

_REGISTRY: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (AUTO, BARE, COMPACT, ENVELOPE, NATIVE, TOOL_TAGS, *FAMILY_DIALECTS)
}


def register_dialect(dialect: Dialect) -> None:
    """Make a dialect known under its name, for definitions loaded from now on.

    Error codes: `unknown_dialect` when the name is taken by a different dialect.
    """
    known = _REGISTRY.setdefault(dialect.name, dialect)
    if known is not dialect:
        raise PurestepError("unknown_dialect", f'the dialect name "{dialect.name}" is taken; choose another')


def dialect_named(name: str) -> Dialect:
    """Return the dialect of that name; raises `unknown_dialect`, with the names there are."""
    try:
        return _REGISTRY[name]
    except KeyError:
        names = ", ".join(dialect_names())
        raise PurestepError("unknown_dialect", f'expected one of {names}; got "{name}"', "/dialect") from None


def read_output(
    dialect: Dialect, text: str, tools: Tools | None, *, opened: bool = False, cut: bool = False
) -> Reading:
    """Read a whole output by a dialect, its reasoning split off first.

    opened: the chat template opened the reasoning, so nothing is an answer before its closing tag. cut: the server or
    the host ended the output, so a call without its own end is not complete.
    """
    if dialect.table is not None and dialect.stream != "envelope" and not dialect.native_tools:
        reading = _read_by_table(dialect, dialect.table, text, tools, opened=opened, cut=cut)
    else:
        reading = read_with_reasoning(dialect.read, text, tools, OPENED if opened else START)
        if cut:
            reading = without_cut_calls(reading)
    if reading.calls or reading.closed or has_answer_message(text):
        return reading
    return checked_answer(reading, ALL_MARKERS, tools)


def _read_by_table(
    dialect: Dialect, table: Table, text: str, tools: Tools | None, *, opened: bool, cut: bool
) -> Reading:
    if not opened and (not cut or read_json(text.strip(BLANK)) is not UNREADABLE):
        return dialect.read(text, tools)
    return read_segments(table, text, tools, OPENED if opened else START, cut=cut)


def without_cut_calls(reading: Reading) -> Reading:
    """Return the reading of an object that was cut: where its brackets were missing, it is no call and no answer."""
    if any(problem.message == MISSING_BRACKETS for problem in reading.problems):
        return Reading(reasoning=reading.reasoning, problems=(CUT,))
    return reading


def dialect_names() -> tuple[str, ...]:
    """Return the names of all registered dialects, sorted."""
    return tuple(sorted(_REGISTRY))
