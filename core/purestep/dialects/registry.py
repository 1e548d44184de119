"""The dialects by name; more can be registered, and those of model families come with `purestep_formats`.

What reads the forms of families is half as large as the rest of the core, and a run in one of our own dialects has no
use for it. So it is imported once a definition names another dialect, or an answer in plain text may be a call of one.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

from ..errors import PurestepError
from ..json_text import BLANK, CLOSERS_MISSING, UNREADABLE, find_json, read_json
from ..lazy import lazy_pattern
from ..scanner import CUT, OPENED, START, Table, read_segments, read_with_reasoning
from ..values import ReadCall, Reading, Tools, fatal_problem
from .bare import BARE
from .compact import COMPACT
from .dialect import Dialect
from .envelope import ENVELOPE
from .native import NATIVE

_FAMILIES: Final = "purestep_formats.families"
"""What has the dialects of families, and checks an answer for what is left of their markup."""

_REGISTRY: dict[str, Dialect] = {dialect.name: dialect for dialect in (BARE, COMPACT, ENVELOPE, NATIVE)}


@cache  # pure: a module is the same at every import
def _families() -> Callable[[Reading, str, Tools | None], Reading]:
    """Import the families' dialects, which makes them known; returns what checks an answer for their markup."""
    families: Any = import_module(_FAMILIES)
    for dialect in families.DIALECTS:
        _REGISTRY.setdefault(dialect.name, dialect)
    check: Callable[[Reading, str, Tools | None], Reading] = families.checked_answer
    return check


def register_dialect(dialect: Dialect) -> None:
    """Make a dialect known under its name, for definitions loaded from now on.

    Error codes: `unknown_dialect` when the name is taken by a different dialect.
    """
    _families()
    known = _REGISTRY.setdefault(dialect.name, dialect)
    if known is not dialect:
        raise PurestepError("unknown_dialect", f'the dialect name "{dialect.name}" is taken; choose another')


def dialect_named(name: str) -> Dialect:
    """Return the dialect of that name; raises `unknown_dialect`, with the names there are."""
    if name not in _REGISTRY:
        _families()
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
    table = dialect.table
    is_own = table is None or dialect.native_tools or dialect.stream == "envelope"
    if table is not None and not is_own:
        reading = _read_by_table(dialect, table, text, tools, opened=opened, cut=cut)
    else:
        reading = read_with_reasoning(dialect.read, text, tools, OPENED if opened else START)
        if cut:
            reading = without_cut_calls(reading)
    if reading.closed or not tools or (reading.calls and (reading.content is None or is_own)):
        return reading
    return _families()(reading, text, tools)


def _read_by_table(
    dialect: Dialect, table: Table, text: str, tools: Tools | None, *, opened: bool, cut: bool
) -> Reading:
    if not opened and (not cut or read_json(text.strip(BLANK)) is not UNREADABLE):
        return dialect.read(text, tools)
    return read_segments(table, text, tools, OPENED if opened else START, cut=cut)


def first_whole_call(dialect: Dialect, text: str, tools: Tools | None, *, opened: bool = False) -> ReadCall | None:
    """Return the first call of a list of them that was cut in a later one; None where the text has no such list.

    The text is read again as if the list ended after its first object, so a call is whatever the dialect takes for one.
    """
    begin = _LIST.search(text)
    found = None if begin is None else find_json(text, begin.end() - 1)
    if found is None or found.missing or text[found.end :].lstrip(BLANK)[:1] != ",":
        return None
    reading = read_output(dialect, f"{text[: found.end]}]", tools, opened=opened)
    is_whole = len(reading.calls) == 1 and fatal_problem(reading) is None
    return reading.calls[0] if is_whole else None


_LIST: Final = lazy_pattern(r"\[[ \t\r\n]*\{")


def without_cut_calls(reading: Reading) -> Reading:
    """Return the reading of an object that was cut: where its brackets were missing, it is no call and no answer."""
    if any(problem.message == CLOSERS_MISSING for problem in reading.problems):
        return Reading(reasoning=reading.reasoning, problems=(CUT,))
    return reading


def dialect_names() -> tuple[str, ...]:
    """Return the names of all registered dialects, sorted."""
    _families()
    return tuple(sorted(_REGISTRY))
