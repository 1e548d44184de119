"""Calls as JSON, in every shape that models write: what most families share inside of their markers.

Text is read strictly first; what is not JSON is repaired, and the repairs are recorded. A call that the end of the text
cut is taken only when its tool's schema names what it requires and all of that is there.
"""

from typing import Any, Final

from ..bounds import MAX_CLOSING_BRACKETS, MAX_JSON_VALUES, MAX_NESTED_CALLS
from ..json_text import BLANK, UNREADABLE, RepairedJson, read_json, repair_json
from ..scanner import Block, BlockResult
from ..values import Problem, ReadCall, Tools, ignored_text, parse_error, repaired, truncated

NAMES: Final = ("name", "tool_name", "function_name", "function", "tool", "recipient_name")
ARGUMENTS: Final = (
    "arguments", "parameters", "args", "params", "input", "kwargs", "tool_input", "action_input", "tool_parameters",
)  # fmt: skip
WRAPPERS: Final = ("tool_calls", "tool_call", "function_call", "function", "calls")
_BESIDE: Final = ("id", "tool_call_id", "type", "index", "call_id")

CUT: Final = truncated("the tool call ends before it is complete")
NAMELESS: Final = parse_error("a call has no tool name")
UNFIT: Final = parse_error("the text in the tool call markers is not a call")
FAULTS: Final = (CUT, NAMELESS, UNFIT)


def plain_name(name: str, tools: Tools | None) -> str:
    """Give a tool's name without what families write around it."""
    name = name.strip(BLANK)
    if tools is not None and name in tools:
        return name
    if tools is not None and name.removesuffix(".call") in tools:
        return name.removesuffix(".call")  # Llama's form for the tools that it was built with
    for prefix in ("functions.", "function.", "tools."):
        if name.startswith(prefix):
            return name.removeprefix(prefix) or name
    return name


def read_block(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block that holds one call object, several, or a list of them."""
    inner = block.inner.strip(BLANK)
    value = read_json(inner)
    if value is not UNREADABLE:
        return result_of(value, tools)
    return read_damaged(inner, block.closed, tools)


def result_of(value: Any, tools: Tools | None, notes: tuple[Problem, ...] = ()) -> BlockResult:
    """Give the calls of a decoded value; anything else in it is a problem."""
    calls, problems = calls_of(value, tools)
    if not calls and not problems:
        problems = (UNFIT,)
    return BlockResult(calls=calls, problems=(*notes, *problems))


def calls_of(value: Any, tools: Tools | None, depth: int = 0) -> tuple[tuple[ReadCall, ...], tuple[Problem, ...]]:
    """Give the calls of a decoded value and the problems with them; neither when nothing in it is like a call."""
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
    if given is None:
        return (_flat(name, value, tools),), ()
    params, notes = arguments_of(value[given])
    if params is None:
        return (), (parse_error(f'the arguments of "{name}" are not one JSON object'),)
    return (ReadCall(tool=name, params=params),), notes


def _keyed_by_name(value: dict[str, Any], tools: Tools | None) -> tuple[ReadCall, ...]:
    """Give the calls of an object whose keys are tools' names and whose values are their arguments."""
    calls = []
    for key, item in value.items():
        name = plain_name(key, tools)
        if not name or not isinstance(item, (dict, str)) or (tools is not None and name not in tools):
            return ()
        params = item if tools is None else arguments_of(item)[0]
        if not isinstance(params, dict):
            return ()
        calls.append(ReadCall(tool=name, params=params))
    return tuple(calls)


def _flat(name: str, value: dict[str, Any], tools: Tools | None) -> ReadCall:
    """Give a call without an arguments object: members beside its name that the tool takes are its arguments."""
    spec = tools.get(name) if tools else None
    properties = spec.parameters.get("properties") if spec else None
    known = properties if isinstance(properties, dict) else {}
    return ReadCall(tool=name, params={key: item for key, item in value.items() if key in known and key not in NAMES})


def arguments_of(value: Any) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    """Give an arguments object from an object, text of one, or null, and the repairs; None for all else."""
    match value:
        case dict():
            return value, ()
        case None:
            return {}, ()
        case str():
            return _arguments_in(value.strip(BLANK))
        case list() if not value:
            return {}, ()
        case _:
            return None, ()


def strict_arguments(value: Any) -> dict[str, Any] | None:
    """Give an arguments object from an object, JSON text of one or null; None for anything else."""
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
    """Give what a text is that holds an object or null; UNREADABLE for all else."""
    value = read_json(text)
    return value if value is None or isinstance(value, dict) else UNREADABLE


def _arguments_in(text: str) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    if not text:
        return {}, ()
    value = read_json(text)
    if value is UNREADABLE:
        loose = repair_json(text) if text[0] == "{" else None
        if loose is None or loose.cut is not None or not isinstance(loose.value, dict):
            return None, ()
        return loose.value, noted(loose)
    if isinstance(value, str) and value != text:
        value = read_json(value)
    if value is None:
        return {}, ()
    return (value, ()) if isinstance(value, dict) else (None, ())


def noted(loose: RepairedJson) -> tuple[Problem, ...]:
    """Give the repairs as problems."""
    return tuple(repaired(note) for note in loose.notes)


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
        result, at = _read_value(inner, begin, closed, tools, bare)
        calls, problems = calls + result.calls, problems + result.problems
        if at < 0 or not result.calls:
            break
    rest = inner[at:].strip(_BETWEEN) if at >= 0 else ""
    if calls and (left or rest):
        problems = (*problems, _beside(inner, left + len(rest)))
    if not calls and not problems:
        problems = (UNFIT if closed else CUT,)
    return BlockResult(calls=calls, problems=problems)


_BETWEEN: Final = BLANK + ",;`"


def _beside(inner: str, left: int) -> Problem:
    if "```" in inner and left <= len("json"):
        return repaired("the call stood in a code fence")
    return ignored_text("text beside the tool call was left out")


def _next_bracket(text: str, at: int) -> int:
    places = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(places, default=-1)


def _read_value(inner: str, begin: int, closed: bool, tools: Tools | None, bare: bool) -> tuple[BlockResult, int]:
    """Read the value at a place; gives where it ends, or -1 when nothing after it counts."""
    loose = repair_json(inner, begin, bare=bare)
    if loose is None:
        return BlockResult(problems=(UNFIT,)), -1
    if loose.cut is not None:
        return _read_cut(inner, begin, loose, closed, tools), -1
    calls, problems = calls_of(loose.value, tools)
    return BlockResult(calls=calls, problems=(*problems, *(noted(loose) if calls else ()))), loose.end


def _read_cut(inner: str, begin: int, loose: RepairedJson, closed: bool, tools: Tools | None) -> BlockResult:
    """Read a value that the end of the block cut; with a closing marker after it only brackets are missing."""
    if closed:
        mended = _with_closers(inner[begin:], loose)
        if mended is not None and mended.cut is None:
            calls, problems = calls_of(mended.value, tools)
            notes = (repaired("closing brackets were missing"), *noted(loose)) if calls else ()
            return BlockResult(calls=calls, problems=(*(problems or (() if calls else (UNFIT,))), *notes))
    whole, last, path = _opened(loose.value, loose.cut or ())
    calls, problems = calls_of(whole, tools) if whole else ((), ())
    found = _complete(last, path, tools) if last is not None else None
    if found is None:
        return BlockResult(problems=(*problems, CUT))
    notes = (repaired("closing brackets were missing"), *noted(loose))
    return BlockResult(calls=(*calls, found), problems=(*problems, *notes))


def _with_closers(text: str, loose: RepairedJson) -> RepairedJson | None:
    """Read the text again with what is missing at its end; a key alone stays cut."""
    path = loose.cut or ()
    body = text.rstrip(BLANK)
    # The last part of the path is the string that was open, if one was.
    quote = '"' if path and isinstance(path[-1], str) and body.endswith(path[-1]) and path[-1] else ""
    for closers in ("]" * MAX_CLOSING_BRACKETS, "}" * MAX_CLOSING_BRACKETS):
        again = repair_json(f"{body}{quote} {closers}")
        if again is not None and again.cut is None:
            return again
    return None


def _opened(value: Any, path: tuple[str | int, ...]) -> tuple[list[Any], dict[str, Any] | None, tuple[str | int, ...]]:
    """Give the complete items of a cut list, the object that was cut, and the path in it."""
    if isinstance(value, list):
        if path and isinstance(path[0], int) and path[0] < len(value):
            return value[: path[0]], value[path[0]] if isinstance(value[path[0]], dict) else None, path[1:]
        return value, None, ()
    return [], value if isinstance(value, dict) else None, path


def _complete(value: dict[str, Any], path: tuple[str | int, ...], tools: Tools | None) -> ReadCall | None:
    """Give the call of a cut object when it has all that its schema requires."""
    name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), None)
    given = next((key for key in ARGUMENTS if isinstance(value.get(key), dict)), None)
    if name is None or given is None or name in path:
        return None
    name = plain_name(name, tools)
    params = value[given]
    if path[:1] == (given,) and len(path) > 1:
        params = {key: item for key, item in params.items() if key != path[1]}
    return ReadCall(tool=name, params=params) if has_all(name, params, tools) else None


def has_all(name: str, params: dict[str, Any], tools: Tools | None) -> bool:
    """Tell whether a cut call has all that its tool requires; not known where the schema requires nothing."""
    spec = tools.get(name) if tools else None
    needed = spec.parameters.get("required") if spec else None
    # A schema from elsewhere may be invalid: what is no name in it is in no call.
    return isinstance(needed, list) and bool(needed) and all(isinstance(key, str) and key in params for key in needed)
