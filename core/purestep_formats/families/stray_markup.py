"""Markup and calls that no reader took, and that are no answer: a call without markers alone, markup left in a text.

Where tools are offered, such a text becomes a correction. Text about markup stays an answer where it stands in code or
in quotes.
"""

import re
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from purestep.bounds import MAX_BLOCK_START_CHARS
from purestep.dialects import NAMES, WRAPPERS, parameter_schemas, plain_name
from purestep.errors import closest
from purestep.json_text import BLANK, UNREADABLE, read_json
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, LETTER
from purestep.scanner import BEHIND_THE_END, CUT, OUTSIDE, Table, any_mark, is_words
from purestep.values import Problem, ReadCall, Reading, Tools, fatal_problem, parse_error

from ..call_readers import calls_of, no_object, parse_calls


def answer_without_markup(reading: Reading, table: Table, tools: Tools | None) -> Reading:
    """Return a reading whose answer is one: what is a call, or holds markup, becomes what the model is told.

    table: the markers of all families. The content stays as it is, since a stream has shown it.
    """
    content = reading.content
    if not tools or content is None or reading.closed or fatal_problem(reading):
        return reading
    if reading.calls:
        return _with_lost_call(reading, content, table, tools)
    calls, problems = _calls_alone(content.strip(BLANK), tools)
    if not calls and not problems:
        problems = (CUT,) if _is_cut_call(content, table, tools) else _unread_form(content, tools)
    if not calls and not problems and (left := _markup_left(_unquoted(content, table), table)):
        problems = (parse_error(f'"{left}" stands in the text outside of a call; to write about it, quote it'),)
    return replace(reading, calls=calls, problems=(*reading.problems, *problems)) if calls or problems else reading


def _with_lost_call(reading: Reading, content: str, table: Table, tools: Tools) -> Reading:
    """Return a reading of calls with what its text shows of another one, which was damaged."""
    problems = _unread_call(content, tools)
    lost = _ARGUMENT if BEHIND_THE_END not in reading.problems else _ARGUMENT_OR_TOKEN
    if not problems and (left := lost.search(_unquoted(content, table))):
        problems = (parse_error(f'"{left[0]}" stands in the text beside the calls, so that one may be lost'),)
    return replace(reading, problems=(*reading.problems, *problems)) if problems else reading


_ARGUMENT: Final = lazy_pattern(
    r"<[^<>\n]{0,16}(?:parameter|param)[ =]|<[^<>\n]{0,24}arg_(?:key|value)>|\[ARGS\]|<\|tool_arg:|"
    r"<\|open\|>[ ]?argument|<\|tool_call_argument_begin\|>|<[\uff5c|]tool[▁_ ]sep|<\|\"\|>",
    re.ASCII,
)
"""What begins an argument, or all of them, in the markers of a family."""

_ARGUMENT_OR_TOKEN: Final = lazy_pattern(r"<\|/?[A-Za-z][A-Za-z0-9_:./-]{0,64}[^A-Za-z0-9\s]{0,2}\|>", re.ASCII)
"""The same where calls were left out: any token, which may be the damaged beginning of those that were read."""


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
    rf"(?:^|\n)[ \t*_#>-]{{0,8}}[Aa]ction(?:[ ]?[0-9]{{1,3}})?[*_]{{0,2}}:[ \t*_`\"'\[]{{0,8}}({LETTER}{DOTTED}*+)"
    r"[`\"'*_]{0,3}(?=[ \t]{0,8}(?:\r?\n|[(\[{:]|\Z|[*_]{0,2}[Aa]ction))",
    re.ASCII,
)


def _unread_form(content: str, tools: Tools) -> tuple[Problem, ...]:
    """Return the problem of a call as prompts of other programs teach it."""
    problems = _unread_action(content, tools) if "ction" in content else ()
    problems = problems or _unread_call(content, tools) or _unread_begin(content.strip(BLANK), tools)
    return problems or (_unread_tag(content, tools) if "<" in content else ())


def _unread_action(content: str, tools: Tools) -> tuple[Problem, ...]:
    """Return the problem of a line as ReAct's that names a known tool, and after which no object could be read."""
    names = (plain_name(found[1], tools) for found in _ACTION.finditer(_FENCES.sub(" ", content)))
    return next(((no_object(name),) for name in names if name in tools), ())


# --- a call without markers that is damaged ---------------------------------------------------------------

_NAMED_CALL: Final = lazy_pattern(
    rf"(?<!{DOTTED})({LETTER}{DOTTED}*+)[\"'\u201d]?[ \t\r\n]*+,?[\"'\u201d]?[ \t\r\n]*+[\"'\u201c]?"
    rf"(?:{'|'.join(_GIVEN)})[\"'\u201d]?[ \t]*+[:=][ \t\r\n]*+\{{|"
    rf"\[({LETTER}{DOTTED}*+)\((?={LETTER}{DOTTED}*+=|\))|"
    rf"call:({LETTER}{DOTTED}*+)\{{",
    re.ASCII,
)
_CODE: Final = lazy_pattern(r"(?P<ticks>`{1,3})(?!`).+?(?P=ticks)", re.DOTALL | re.ASCII)


def _unread_call(content: str, tools: Tools) -> tuple[Problem, ...]:
    """Return the problem of a text that names a known tool and goes on as calls do: objects, Python's, Gemma's."""
    text = _CODE.sub(" ", _FENCES.sub(" ", content))
    for found in _NAMED_CALL.finditer(text):
        name = plain_name(found[1] or found[2] or found[3], tools)
        if name in tools:
            return (parse_error(f'the arguments of "{name}" cannot be read'),)
    return (_BEGIN_LOST,) if _lacks_begin(text, tools) else ()


_BEGIN_LOST: Final = parse_error("the text holds the end of a call whose beginning is missing; write the call again")
_PIECES_OF_CALLS: Final = lazy_pattern(
    rf"[\"']({LETTER}{DOTTED}*+)[\"'][ \t]*+:[ \t\r\n]*+\{{|"
    rf"(?<!{DOTTED})({LETTER}{DOTTED}*+)\((?={LETTER}{DOTTED}*+=)|[\[{{}}\]]",
    re.ASCII,
)


def _lacks_begin(text: str, tools: Tools) -> bool:
    """Whether brackets close after arguments, or a known tool's, that nothing around them has opened."""
    opened, is_call = 0, False
    for found in _PIECES_OF_CALLS.finditer(text):
        name = found[1] or found[2]
        if name and not opened:
            is_call = is_call or plain_name(name, tools) in tools or (name in _GIVEN and found[2] is None)
        opened += 1 if found[0][-1] in "{[" else -1 if found[0] in "}]" else 0
        if opened < 0:
            if is_call:
                return True
            opened = 0
    return False


_BEGUN: Final = lazy_pattern(
    rf"({LETTER}{DOTTED}*+)(?:[ \t]*+\([ \t\r\n]*+(?P<named>{LETTER}{DOTTED}*+[ \t]*+=)|[ \t]*+\n[ \t\r\n]*+\{{)",
    re.ASCII,
)


def _unread_begin(body: str, tools: Tools) -> tuple[Problem, ...]:
    """Return the problem of a text that begins as a call of a known tool does, and cannot be read or is cut off."""
    begun = _BEGUN.match(body)
    name = plain_name(begun[1], tools) if begun else ""
    if begun is None:
        return ()
    if name not in tools:
        near = closest(name, list(tools)) if body[-1] in ")}" else None
        return (parse_error(f'there is no tool "{name}"; did you mean "{near}"?'),) if near is not None else ()
    if begun["named"]:
        return (CUT,) if body.count("(") > body.count(")") else ()
    return (no_object(name),) if body.endswith("}") else (CUT,) if body.count("{") > body.count("}") else ()


# --- tags that are called like a tool ---------------------------------------------------------------------

_TOOL_TAG: Final = lazy_pattern(
    rf"<({LETTER}{DOTTED}*+)([^<>]{{0,400}}+)>[ \t\r\n]*+(?:<({LETTER}{DOTTED}*+)(?=[ \t/>])|(?=</)|\Z)?", re.ASCII
)
_ATTRIBUTE: Final = lazy_pattern(rf"(?<!{DOTTED})({LETTER}{DOTTED}*+)[ \t]{{0,4}}=", re.ASCII)


def _unread_tag(content: str, tools: Tools) -> tuple[Problem, ...]:
    """Return the problem of a tag that is called like a known tool, as Cline and Roo teach it.

    It is one where it stands alone, or with one of the tool's arguments as an attribute or the first tag in it.
    """
    body = content.strip(BLANK)
    fenced = _FENCED_TAGS.fullmatch(body)
    text = fenced[1] if fenced is not None else _without_quotes(body)
    for found in _TOOL_TAG.finditer(text):
        name = plain_name(found[1], tools)
        known, _ = parameter_schemas(tools, name)
        given = {found[3], *(each[1] for each in _ATTRIBUTE.finditer(found[2]))}
        is_alone = not found.start() and (text.endswith(f"</{found[1]}>") or found.end() == len(text))
        if name in tools and (is_alone or not given.isdisjoint(known)):
            return (parse_error(f'"{name}" stands as a tag; write the call in the form that was taught'),)
    return ()


_FENCED_TAGS: Final = lazy_pattern(r"```[a-z]{0,16}[ \t\r\n]*(<[^`]*>)[ \t\r\n]*```", re.ASCII)
_FENCES: Final = lazy_pattern(
    r"(?:^|(?<=\n))[ \t]{0,8}(?P<fence>```|~~~)[^\n]*+\n.*?(?:\n[ \t]{0,8}(?P=fence)|\Z)", re.DOTALL | re.ASCII
)


# --- markup that is left ----------------------------------------------------------------------------------

_QUOTED: Final = lazy_pattern(
    r"(?:^|(?<=\n))[ \t]{0,8}(?P<fence>```|~~~)[^\n]*+\n.*?(?:\n[ \t]{0,8}(?P=fence)|\Z)|"
    r"(?P<ticks>`{1,3})(?!`).+?(?P=ticks)|"
    r'(?<!\|)"[^"\n]{1,400}+"|“[^“”\n]{1,400}+”|«[^«»\n]{1,400}+»|(?<![^ \t\r\n(\[])\'[^\'\n]{1,400}+\'',
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

_TOKEN: Final = r"</?\uff5c[A-Za-z]|<\|/?[A-Za-z][A-Za-z0-9_:./-]{0,64}\|>"
"""What is spelled as the special tokens of templates are, in DeepSeek's bars or with a name between ASCII ones."""


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


def _markup_left(text: str, table: Table) -> str:
    """Return the first markup in a text: a marker, or a tag whose letters are a marker's; "" without any."""
    if found := _markup(table).search(text):
        return found[0]
    if "<" not in text:
        return ""
    spelled = _letters_of_marks(table)
    return next((tag[0] for tag in _ANY_TAG.finditer(text) if _letters(tag[0]) in spelled), "")


_ANY_TAG: Final = lazy_pattern(r"<[^<>\n\"'=]{6,48}+>", re.ASCII)
_NO_LETTERS: Final = lazy_pattern(r"[^a-z]+", re.ASCII)
_TWO_PARTS: Final = lazy_pattern(r"[a-z][^a-zA-Z]+[a-z]", re.ASCII)


def _letters(tag: str) -> str:
    return _NO_LETTERS.sub("", tag.lower())  # ascii: of a marker


@cache
def _letters_of_marks(table: Table) -> frozenset[str]:
    """Return the letters of markers that consist of several words, which no other tag is spelled with by chance."""
    marks = {*table.by_mark, *(closer for start in table.starts for closer in start.closers)}
    return frozenset(_letters(mark) for mark in marks if mark[:1] in ("<", "[") and _TWO_PARTS.search(mark))


@cache
def _markup(table: Table) -> re.Pattern[str]:
    """Return the pattern of all markers of a table, made on first use."""
    marks = {*table.by_mark, *table.reasoning, *table.reasoning_ends, *_INNER}
    marks.update(closer for start in table.starts for closer in start.closers)
    named = {mark for mark in marks if mark not in _COMMON and not is_words(mark)}
    known = any_mark(mark for mark in sorted(named) if not any(mark[:size] in named for size in range(1, len(mark))))
    return re.compile(f"{known.pattern}|{_PREFIXED}|{_TOKEN}", re.ASCII)
