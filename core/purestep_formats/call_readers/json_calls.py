"""Calls as JSON, in every shape that models write: what most families share inside of their markers.

Text is read strictly first; what is not JSON is repaired, and the repairs are recorded. What had to be guessed is never
a call: it is a problem that shows what was read. A call that the end of the text cut is taken only when its last value
is whole, and its tool's schema names what it requires and all of that is there.
"""

import re
from typing import Any, Final

from msgspec.structs import replace

from purestep.bounds import MAX_JSON_VALUES, MAX_NESTED_CALLS, MAX_TOOL_NAME_CHARS
from purestep.dialects import (
    ARGUMENTS,
    NAMES,
    WRAPPERS,
    CallShape,
    arguments_shape,
    beside_arguments,
    guessed,
    parameter_schemas,
    plain_name,
    unsure,
)
from purestep.json_text import BLANK, CLOSERS_MISSING, CUT_GUESSES, UNREADABLE, RepairedJson, read_json, repair_json
from purestep.lazy import lazy_pattern
from purestep.scanner import CUT, GOES_ON, Block, BlockResult
from purestep.values import Problem, ReadCall, Tools, ignored_text, parse_error, repaired

NAMELESS: Final = parse_error("a call has no tool name")
UNFIT: Final = parse_error("the text in the tool call markers is not a call")
NO_CALL: Final = ignored_text("the list of calls is empty")
FAULTS: Final = (CUT, NAMELESS, UNFIT)


def read_block(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block that holds one call object, several, or a list of them."""
    inner = block.inner.strip(BLANK)
    value = read_json(inner)
    if value is not UNREADABLE:
        return result_of(value, tools)
    return read_damaged(inner, block.closed, tools)


def result_of(value: Any, tools: Tools | None, notes: tuple[Problem, ...] = ()) -> BlockResult:
    """Return the calls of a decoded value; anything else in it is a problem. An empty list asks for nothing."""
    if value == []:
        return BlockResult(problems=(*notes, NO_CALL))
    calls, problems = calls_of(value, tools)
    if not calls and not problems:
        problems = (UNFIT,)
    return BlockResult(calls=calls, problems=(*notes, *problems))


def calls_of(value: Any, tools: Tools | None, depth: int = 0) -> tuple[tuple[ReadCall, ...], tuple[Problem, ...]]:
    """Return the calls of a decoded value and the problems with them; neither when nothing in it is like a call."""
    if isinstance(value, list) and depth <= MAX_NESTED_CALLS:
        found = [calls_of(item, tools, depth + 1) for item in value]
        lost = tuple(UNFIT for calls, problems in found if not calls and not problems)
        problems = tuple(problem for _, each in found for problem in each)
        return tuple(call for calls, _ in found for call in calls), (*problems, *lost[:1])
    if not isinstance(value, dict):
        return (), ()
    if depth < MAX_NESTED_CALLS and not isinstance(value.get("name"), str):
        wrapped = next((value[key] for key in WRAPPERS if isinstance(value.get(key), (dict, list))), None)
        if wrapped is not None:
            return calls_of(wrapped, tools, depth + 1)
    return _call_of(value, tools)


def _call_of(value: dict[str, Any], tools: Tools | None) -> tuple[tuple[ReadCall, ...], tuple[Problem, ...]]:
    name = value.get("name")
    if not isinstance(name, str):
        name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), None)
    given = "arguments" if "arguments" in value else next((key for key in ARGUMENTS if key in value), None)
    if name is None and "action_input" in value and isinstance(value.get("action"), str):
        name = value["action"]
    if name is None:
        keyed = () if tools is None and given is not None else _keyed_by_name(value, tools)
        return (keyed, ()) if keyed or given is None else ((), (NAMELESS,))
    name = plain_name(name, tools)
    if not name:
        return (), (NAMELESS,)
    params, notes = (_flat(name, value, tools), ()) if given is None else arguments_of(value[given], name, tools)
    if params is None:
        return (), notes or (no_object(name),)
    if (lost := beside_arguments(value, name, params, tools)) is not None:
        return (), (lost,)
    return (ReadCall(tool=name, params=params),), notes


def no_object(name: str) -> Problem:
    """Return the problem of a call whose arguments are not one object."""
    return parse_error(f'the arguments of "{name[:MAX_TOOL_NAME_CHARS]}" are not one JSON object')


def _keyed_by_name(value: dict[str, Any], tools: Tools | None) -> tuple[ReadCall, ...]:
    """Return the calls of an object whose keys are tools' names and whose values are their arguments."""
    calls = []
    for key, item in value.items():
        name = plain_name(key, tools)
        is_known = name in tools if tools is not None else name not in ARGUMENTS
        if not name or not isinstance(item, (dict, str)) or not is_known:
            return ()
        params = item if tools is None else arguments_of(item, name, tools)[0]
        if not isinstance(params, dict):
            return ()
        calls.append(ReadCall(tool=name, params=params))
    return tuple(calls)


def _flat(name: str, value: dict[str, Any], tools: Tools | None) -> dict[str, Any]:
    """Return the arguments of a call that has no object of them: members beside its name that the tool takes."""
    known, _ = parameter_schemas(tools, name)
    return {key: item for key, item in value.items() if key in known and key not in NAMES}


def arguments_of(
    value: Any, name: str, tools: Tools | None, *, closed: bool = True
) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    """Return an arguments object from an object, text of one, or null, and the repairs; None for all else.

    With None come the problems, if they are known. closed: whether a text is known to be whole.
    """
    match value:
        case dict():
            return value, ()
        case None:
            return {}, ()
        case str():
            return _arguments_in(value.strip(BLANK), name, tools, closed)
        case list() if not value:
            return {}, ()
        case _:
            return None, ()


def named_call(name: str, text: str, tools: Tools | None, *, closed: bool = True) -> BlockResult:
    """Return the call of a tool whose arguments are the JSON of a text, or the problem with it.

    closed: whether the text is known to be whole.
    """
    params, notes = arguments_of(text.strip(BLANK), name, tools, closed=closed)
    if params is None:
        return BlockResult(problems=notes or (no_object(name) if closed else CUT,))
    return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)


def named_alone(name: str, text: str, tools: Tools | None, *, closed: bool = True) -> BlockResult:
    """Return the same where the bracket of the arguments is their end, so that one too many may follow it."""
    result = named_call(name, text, tools, closed=closed)
    if not result.calls or text.count("{") + text.count("[") < _NESTED - 1:
        return result
    loose = repair_json(text.strip(BLANK) + "}", shape=arguments_shape(tools, name), closed=True)
    return replace(result, unsure=loose is None or bool(loose.guesses))


def _arguments_in(
    text: str, name: str, tools: Tools | None, closed: bool
) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    if not text:
        return {}, ()
    value = read_json(text)
    if value is UNREADABLE:
        return _damaged_arguments(text, name, tools, closed)
    if isinstance(value, str) and value != text:
        value = read_json(value)
    if value is None:
        return {}, ()
    return (value, ()) if isinstance(value, dict) else (None, ())


_FENCED: Final = lazy_pattern(r"(?:```[a-z]{0,16}[ \t\r\n]{0,16}|json[ \t\r\n]{0,16})(?=\{)", re.ASCII)


_MARKER_BEGUN: Final = lazy_pattern(r"[<\[][^<>\[\]{}\"'\n]{0,48}")
"""The beginning of a marker, in which an output that was cut ends."""


def begins_object(text: str) -> bool:
    """Whether a text begins as an object does, perhaps in a code fence."""
    return text.startswith("{") or _FENCED.match(text) is not None


def _damaged_arguments(
    text: str, name: str, tools: Tools | None, closed: bool
) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    fence = _FENCED.match(text)
    begin = fence.end() if fence else 0
    if not text.startswith("{", begin):
        return None, ()
    body = text.rstrip(BLANK + "`")
    loose = repair_json(body, begin, shape=arguments_shape(tools, name), closed=closed)
    if loose is None or not isinstance(loose.value, dict):
        return None, ()
    if CLOSERS_MISSING in loose.notes and not loose.guesses and not has_all(name, loose.value, tools):
        return None, (CUT,)
    if loose.cut and not closed and not set(loose.guesses) - set(CUT_GUESSES):
        return (None, (CUT,)) if loose.guesses else (loose.value, noted(loose))
    rest = body[loose.end :].strip(BLANK + ";)`")
    if loose.guesses or (rest and (closed or not _MARKER_BEGUN.fullmatch(rest))):
        return None, (guessed(name, loose, "more follows its object"),)
    fenced = (repaired("the arguments stood in a code fence"),) if fence else ()
    return loose.value, (*fenced, *noted(loose))


def noted(loose: RepairedJson) -> tuple[Problem, ...]:
    """Return the repairs as problems."""
    return tuple(repaired(note) for note in loose.notes)


def unsure_with_bracket(text: str, tools: Tools | None) -> bool:
    """Whether a closing bracket too many after a call object could stand for one too early inside of it."""
    if text.count("{") + text.count("[") < _NESTED:
        return False
    return unsure(text.strip(BLANK) + "}", 0, tools) is not None


_NESTED: Final = 3
"""Brackets of a call with a value that is an array or object itself."""


# --- damage -----------------------------------------------------------------------------------------------


def read_damaged(inner: str, closed: bool, tools: Tools | None, *, bare: bool = False) -> BlockResult:
    """Read text that is not one JSON value: a fence around it, several values, text after it, damage inside."""
    calls: tuple[ReadCall, ...] = ()
    problems: tuple[Problem, ...] = ()
    at, left = 0, 0
    for _ in range(MAX_JSON_VALUES):
        begin = _next_bracket(inner, at)
        if begin < 0:
            break
        left += len(inner[at:begin].strip(_BETWEEN))
        is_listed = inner[max(at, 0) : begin].strip(BLANK) == ","
        result, at = _read_value(inner, begin, closed, tools, bare)
        if calls and is_listed and not result.calls and not result.problems:
            result = BlockResult(problems=(UNFIT,))
        calls, problems = calls + result.calls, problems + result.problems
        if at < 0 or not result.calls:
            break
    rest = inner[at:].strip(_BETWEEN) if at >= 0 else ""
    if calls and rest and (_closes_more(rest) or (problems and inner.startswith('"', at))):
        return BlockResult(problems=(GOES_ON,))
    if calls and (left or rest):
        problems = (*problems, _beside(inner, left + len(rest)))
    if not calls and not problems:
        problems = (UNFIT if closed else CUT,)
    return BlockResult(calls=calls, problems=problems)


_BETWEEN: Final = BLANK + ",;`"


_QUOTE_OR_BRACKET: Final = lazy_pattern(r'["{}\[\]]')


def _closes_more(rest: str) -> bool:
    """Whether the text after a value closes a bracket that it does not open, after a quote."""
    opened: list[str] = []
    quoted = False
    for found in _QUOTE_OR_BRACKET.finditer(rest):
        if found[0] == '"':
            quoted = True
        elif found[0] in "{[":
            opened.append("}" if found[0] == "{" else "]")
        elif opened and opened[-1] == found[0]:
            opened.pop()
        elif quoted:
            return True
    return False


def _beside(inner: str, left: int) -> Problem:
    if "```" in inner and left <= len("json"):
        return repaired("the call stood in a code fence")
    return ignored_text("text beside the tool call was left out")


def _next_bracket(text: str, at: int) -> int:
    places = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(places, default=-1)


def _read_value(inner: str, begin: int, closed: bool, tools: Tools | None, bare: bool) -> tuple[BlockResult, int]:
    """Read the value at a place; returns where it ends, or -1 when nothing after it counts."""
    loose = repair_json(inner, begin, bare=bare, shape=CallShape(tools), closed=closed)
    if loose is None:
        return BlockResult(problems=(UNFIT,)), -1
    if loose.cut and not closed and not set(loose.guesses) - set(CUT_GUESSES):
        return _read_cut(loose, tools), -1
    calls, problems = calls_of(loose.value, tools)
    if loose.guesses:
        return BlockResult(problems=(guessed(calls[-1].tool if len(calls) == 1 else "", loose),)), -1
    return BlockResult(calls=calls, problems=(*problems, *(noted(loose) if calls else ()))), loose.end


def _read_cut(loose: RepairedJson, tools: Tools | None) -> BlockResult:
    """Read a value that the end of the text cut: its last call counts when that is whole."""
    items = loose.value if isinstance(loose.value, list) else [loose.value]
    whole, problems = calls_of(items[:-1], tools) if len(items) > 1 else ((), ())
    last = calls_of(items[-1], tools)[0] if items and not loose.guesses else ()
    if not last or not has_all(last[-1].tool, last[-1].params, tools):
        return BlockResult(calls=whole, problems=(*problems, CUT))
    return BlockResult(calls=(*whole, *last), problems=(*problems, *noted(loose)))


def has_all(name: str, params: dict[str, Any], tools: Tools | None) -> bool:
    """Whether a cut call has all that its tool requires; not known where the schema requires nothing."""
    spec = tools.get(name) if tools else None
    needed = spec.parameters.get("required") if spec else None
    # A schema from elsewhere may be invalid: what is no name in it is in no call.
    return isinstance(needed, list) and bool(needed) and all(isinstance(key, str) and key in params for key in needed)
