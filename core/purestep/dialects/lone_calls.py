"""Calls in one object of their own, as our own dialects write them: their arguments, and what must not be lost."""

from typing import Any, Final

from ..bounds import MAX_SHOWN_GUESS_CHARS, MAX_TOOL_NAME_CHARS
from ..errors import closest
from ..json_text import BLANK, UNREADABLE, RepairedJson, excerpt_of, read_json, repair_json
from ..lazy import lazy_pattern
from ..values import Problem, ReadCall, Reading, Tools, parse_error
from .call_keys import ARGUMENTS, BESIDE, NAMES, WRAPPERS, parameter_schemas
from .call_shape import CallShape


def strict_arguments(value: Any) -> dict[str, Any] | None:
    """Return an arguments object from an object, JSON text of one or null; None for anything else."""
    match value:
        case None:
            return {}
        case dict():
            return value
        case str():
            return strict_arguments(_object_or_null(value)) if value.strip(BLANK) else {}
        case _:
            return None


def _object_or_null(text: str) -> Any:
    """Return what a text is that holds an object or null; UNREADABLE for all else."""
    value = read_json(text)
    return value if value is None or isinstance(value, dict) else UNREADABLE


def beside_arguments(value: dict[str, Any], name: str, params: dict[str, Any], tools: Tools | None) -> Problem | None:
    """Return the problem of a call object with members that its tool takes, but not in its arguments; None without.

    Where nothing else is its arguments, a member that could be them under a name of its own counts too.
    """
    known, _ = parameter_schemas(tools, name)
    is_flat = not any(key in ARGUMENTS for key in value)
    for key, item in value.items():
        is_own = key in NAMES or key in WRAPPERS or key in BESIDE or key == "arguments"
        if is_own or key in params or (key in ARGUMENTS and not isinstance(item, dict)):
            continue
        if (not params and strict_arguments(item)) or (is_flat and closest(key, list(known)) is not None):
            return parse_error(
                f'"{_shown(key)}" is no member of a call of "{name}"; write its arguments as "arguments"'
            )
        if key in known or (key in ARGUMENTS and item and item != params):
            return parse_error(
                f'"{key}" stands beside the arguments of "{name}", not in them; write all arguments in one object'
            )
    return None


def _shown(key: str) -> str:
    return key[:MAX_TOOL_NAME_CHARS]


def lone_call(call: ReadCall, value: dict[str, Any], notes: tuple[Problem, ...], tools: Tools | None) -> Reading:
    """Return the reading of one call, unless some of its arguments stand beside the others in its object."""
    lost = beside_arguments(value, call.tool, call.params, tools)
    return Reading(calls=(call,), problems=notes) if lost is None else Reading(problems=(lost,))


def guessed(name: str, loose: RepairedJson, otherwise: str = "") -> Problem:
    """Return the problem of damaged JSON that can be read in more than one way; it shows one of them."""
    of = f'the arguments of "{name[:MAX_TOOL_NAME_CHARS]}"' if name else "the call"
    why = loose.guesses[0] if loose.guesses else otherwise
    shown = excerpt_of(loose.value, MAX_SHOWN_GUESS_CHARS)
    return parse_error(
        f"the JSON of {of} is damaged: {why}; it could be read as {shown}, but that is a guess; write it again as "
        'valid JSON, with every string in double quotes, quotes inside of strings as \\", and every bracket closed'
    )


def unsure(text: str, begin: int, tools: Tools | None) -> Problem | None:
    """Return the problem of a call object that can be read in more than one way; None for one that cannot."""
    loose = repair_json(text, begin, shape=CallShape(tools), closed=True)
    return guessed("", loose) if loose is not None and loose.guesses else None


def may_be_undone(text: str, tools: Tools | None) -> bool:
    """Whether the object of a call could be read in more than one way, were a closing bracket to follow it.

    Only a member after an object may belong to that one, and only an unexpected one to another: most have neither.
    """
    value = read_json(text)
    if isinstance(value, dict) and not _AFTER_CONTAINER.search(text) and _is_expected(value, tools):
        return False
    return unsure(text + "}", 0, tools) is not None


_AFTER_CONTAINER: Final = lazy_pattern(r"[}\]][ \t\r\n]*,")


def _is_expected(value: dict[str, Any], tools: Tools | None) -> bool:
    """Whether a call has no member but its usual ones, and its tool's arguments are flat and all known."""
    if not all(key in NAMES or key in ARGUMENTS or key in WRAPPERS or key in BESIDE for key in value):
        return False
    if tools is None:
        return True
    name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), "")
    known, _ = parameter_schemas(tools, name)
    given = [item for key, item in value.items() if key in ARGUMENTS and isinstance(item, dict)]
    return all(key in known and not isinstance(item, (dict, list)) for each in given for key, item in each.items())
