"""Markup and calls that no reader took, and that are no answer: a call without markers alone, markup left in a text.

Where tools are offered, such a text becomes a correction. Text about markup stays an answer where it stands in code or
in quotes.
"""

import re
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from purestep.bounds import MAX_BLOCK_START_CHARS
from purestep.dialects import NAMES, WRAPPERS, plain_name
from purestep.json_text import BLANK, UNREADABLE, read_json
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, LETTER
from purestep.scanner import CUT, OUTSIDE, Table, any_mark, is_words
from purestep.values import Problem, ReadCall, Reading, Tools, fatal_problem, parse_error

from ..call_readers import calls_of, no_object, parse_calls


def answer_without_markup(reading: Reading, table: Table, tools: Tools | None) -> Reading:
    """Return a reading whose answer is one: what is a call, or holds markup, becomes what the model is told.

    table: the markers of all families. The content stays as it is, since a stream has shown it.
    """
    content = reading.content
    if not tools or content is None or reading.calls or reading.closed or fatal_problem(reading):
        return reading
    calls, problems = _calls_alone(content.strip(BLANK), tools)
    if not calls and not problems:
        problems = (CUT,) if _is_cut_call(content, table, tools) else _unread_action(content, tools)
    if not calls and not problems and (found := _markup(table).search(_unquoted(content, table))):
        problems = (parse_error(f'"{found[0]}" stands in the text outside of a call; to write about it, quote it'),)
    return replace(reading, calls=calls, problems=(*reading.problems, *problems)) if calls or problems else reading


# --- a call and nothing else ------------------------------------------------------------------------------

_LISTED: Final = lazy_pattern(rf"\[[ \t\r\n]*{LETTER}{DOTTED}*+[ \t]*\(", re.ASCII)
_CALLED: Final = lazy_pattern(rf"\[?[ \t\r\n]*({LETTER}{DOTTED}*+)[ \t]*\(.*\)[ \t\r\n]*\]?", re.ASCII | re.DOTALL)
_GIVEN: Final = ("arguments", "parameters", "args", "params")
_FENCED: Final = lazy_pattern(r"```(?:json)?[ \t\r\n]*([{\[][^`]*[}\]])[ \t\r\n]*```", re.ASCII)
_CALL_KEYS: Final = frozenset((*NAMES, *_GIVEN, *WRAPPERS, "id", "tool_call_id", "type", "index", "call_id"))


def _calls_alone(body: str, tools: Tools) -> tuple[tuple[ReadCall, ...], tuple[Problem, ...]]:
    """Read a text that is nothing but calls without markers, whether or not there are such tools."""
    if fenced := _FENCED.fullmatch(body):
        body = fenced[1]
    if body[:1] in ("{", "["):
        value = read_json(body)
        if value is not UNREADABLE:
            return _of_value(value, tools)
    if _LISTED.match(body):
        calls, _, end = parse_calls(body, tools)
        if calls and end == len(body) and body.endswith("]"):
            return calls, ()
    if (called := _CALLED.fullmatch(body)) and (name := plain_name(called[1], tools)) in tools:
        return (), (parse_error(f'the arguments of "{name}" cannot be read'),)
    return (), ()


def _of_value(value: Any, tools: Tools) -> tuple[tuple[ReadCall, ...], tuple[Problem, ...]]:
    if not _is_call(value):
        return (), ()
    calls, problems = calls_of(value, tools)
    # With arguments that are no object it is a call only where there is such a tool; else it may be data.
    known = isinstance(value, dict) and any(plain_name(str(value.get(key)), tools) in tools for key in NAMES)
    return (calls, problems) if calls or known else ((), ())


def _is_call(value: Any, depth: int = 0) -> bool:
    """Whether an object can only be a call, and not data with a name or the description of a tool."""
    if isinstance(value, list) and depth == 0:
        return bool(value) and all(_is_call(item, 1) for item in value)
    if not isinstance(value, dict) or not _CALL_KEYS.issuperset(value):
        return False
    wrapped = next((value[key] for key in WRAPPERS if isinstance(value.get(key), (dict, list))), None)
    if wrapped is not None and not isinstance(value.get("name"), str):
        return depth < _MAX_WRAPPED and _is_call(wrapped, depth if isinstance(wrapped, list) else depth + 1)
    given = next((value[key] for key in _GIVEN if key in value), None)
    is_schema = isinstance(given, dict) and given.get("type") == "object" and "properties" in given
    return given is not None and not is_schema and any(isinstance(value.get(key), str) for key in NAMES)


_MAX_WRAPPED: Final = 2

# --- a call that has only begun ---------------------------------------------------------------------------

_B: Final = r"[ \t\r\n]"
_NAME_BEGUN: Final = lazy_pattern(
    rf'\[?{_B}*+\{{{_B}*+"(?:name|tool_name|function)"{_B}*+:{_B}*+"({DOTTED}*+)"?{_B}*+,?{_B}*+\Z',
    re.ASCII,
)
_LIST_BEGUN: Final = lazy_pattern(
    rf"\[[ \t\r\n]*+({LETTER}{DOTTED}*+)[ \t]*+\([ \t\r\n]*+{DOTTED}*+[ \t]*+\Z", re.ASCII
)


def _is_cut_call(content: str, table: Table, tools: Tools) -> bool:
    """Whether a text ends where a call of a known tool, or the marker of one, has begun."""
    body = content.strip(BLANK)
    if (named := _NAME_BEGUN.match(body)) and named[1]:
        return any(name.startswith(named[1]) for name in tools)
    if listed := _LIST_BEGUN.match(body):
        return plain_name(listed[1], tools) in tools
    tail = _without_quotes(body)
    begun = _begun_marks(table)
    return any(tail[-size:] in begun for size in range(_SURE_CHARS, min(len(tail), MAX_BLOCK_START_CHARS) + 1))


_SURE_CHARS: Final = 5
"""Characters of a marker, such as `<tool`, that no text ends in by chance."""


@cache
def _begun_marks(table: Table) -> frozenset[str]:
    """Return what the markers of blocks begin with."""
    literals = [start.mark for start in table.starts if start.scan not in OUTSIDE and start.mark not in _COMMON]
    marks = [mark for mark in (*literals, "<|open|>tools<|sep|>", "<|open|>call tool=") if mark[:1] in ("<", "[", "]")]
    return frozenset(mark[:size] for mark in marks for size in range(_SURE_CHARS, len(mark)))


# --- lines of a prompted call -----------------------------------------------------------------------------

_ACTION: Final = lazy_pattern(
    rf"(?:^|\n)[ \t]{{0,8}}Action:[ \t]{{0,8}}({LETTER}{DOTTED}*+)[ \t]{{0,8}}\n{{1,2}}[ \t]{{0,8}}Action Input:",
    re.ASCII,
)


def _unread_action(content: str, tools: Tools) -> tuple[Problem, ...]:
    """Return the problem of ReAct's lines with a known tool whose input is no object."""
    found = _ACTION.search(content)
    name = plain_name(found[1], tools) if found is not None else ""
    return (no_object(name),) if name in tools else ()


# --- markup that is left ----------------------------------------------------------------------------------

_QUOTED: Final = lazy_pattern(
    r"(?:^|(?<=\n))[ \t]{0,8}(?P<fence>```|~~~)[^\n]*+\n.*?(?:\n[ \t]{0,8}(?P=fence)|\Z)|"
    r"(?P<ticks>`{1,3})(?!`).+?(?P=ticks)|"
    r'"[^"\n]{1,400}+"|“[^“”\n]{1,400}+”|«[^«»\n]{1,400}+»|(?<![^ \t\r\n(\[])\'[^\'\n]{1,400}+\'',
    re.DOTALL | re.ASCII,
)
_COMMON: Final = (
    "<code>",
    "</code>",
    "</s>",
    "</response>",
    "</answer>",
    "```tool_code\n",
    "```",
    "-> tool/function_call",
    "Observation:",
)
"""Markers that other texts hold too."""

_INNER: Final = ("<parameter=", "<arg_key>", "<arg_value>", "[ARGS]", '<|"|>', "<|tool_call_argument_begin|>")
"""Markup inside of calls, which begins none."""


_PREFIXED: Final = r"<[a-zA-Z]{1,16}:(?:function_calls?|tool_calls?|invoke|parameter)[ \t>]"
"""Tags of calls with a name of their own before them, whoever's that is."""


def _without_quotes(content: str) -> str:
    return _QUOTED.sub(" ", content)


def _unquoted(content: str, table: Table) -> str:
    """Return a text without what it quotes, and without pairs of tags around reasoning, which are text after text."""
    text = _without_quotes(content)
    for begin, closers in table.reasoning.items():
        text = _without_pairs(text, begin, closers[0])
    return text


def _without_pairs(text: str, begin: str, end: str) -> str:
    pieces, at = list[str](), 0
    while (opens := text.find(begin, at)) >= 0 and (closes := text.find(end, opens)) >= 0:
        pieces += (text[at:opens], text[opens + len(begin) : closes])
        at = closes + len(end)
    return " ".join([*pieces, text[at:]]) if pieces else text


@cache
def _markup(table: Table) -> re.Pattern[str]:
    """Return the pattern of all markers of a table, made on first use."""
    marks = {*table.by_mark, *table.reasoning, *table.reasoning_ends, *_INNER}
    marks.update(closer for start in table.starts for closer in start.closers)
    named = {mark for mark in marks if mark not in _COMMON and not is_words(mark)}
    known = any_mark(mark for mark in sorted(named) if not any(mark[:size] in named for size in range(1, len(mark))))
    return re.compile(f"{known.pattern}|{_PREFIXED}", re.ASCII)
