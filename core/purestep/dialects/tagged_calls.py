"""Calls whose arguments are tags around raw text; the tool's schema tells its type.

Sources: Qwen3-Coder and those after it (`<function=f><parameter=k>v</parameter></function>`), MiniMax M2, DeepSeek
V3.2 and others (`<invoke name="f"><parameter name="k">v</parameter></invoke>`), MiniCPM (`<function name="f"><param
name="k">`), GLM 4.5 (`f<arg_key>k</arg_key><arg_value>v</arg_value>`).
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ..bounds import MAX_ATTRIBUTE_CHARS, MAX_KEY_CHARS, MAX_TOOL_NAME_CHARS
from ..json_text import BLANK, UNREADABLE, read_json
from ..names import DOTTED, NAME, name_up_to
from ..scanner import Block, BlockResult
from ..values import Problem, ReadCall, Tools, parse_error, repaired
from .call_keys import plain_name
from .json_calls import CUT, UNFIT, arguments_of, begins_object, has_all, no_object, read_block
from .typed_text import parameter_schema, typed_value

_CALL: Final = re.compile(
    r"<[ \t]{0,2}(?P<prefix>[a-zA-Z]+:)?(?P<tag>function|invoke|tool|tool_call)"
    rf"(?:[ \t]{{0,2}}=[ \t]*(?P<bare>[^<>\n]{{1,{MAX_TOOL_NAME_CHARS}}})|"
    rf"[ \t]+(?:name|function)[ \t]*=[ \t]*[\"'](?P<quoted>[^\"'<>\n]{{0,{MAX_TOOL_NAME_CHARS}}})[\"']"
    rf"[^<>\n]{{0,{MAX_ATTRIBUTE_CHARS}}})>?",
    re.ASCII,
)
_PARAMETER: Final = re.compile(
    r"<[ \t]{0,2}(?:[a-zA-Z]+:)?(?P<tag>parameter|param|argument|arg)"
    rf"(?:[ \t]{{0,2}}=[ \t]*(?P<bare>[^<>\n]{{1,{MAX_TOOL_NAME_CHARS}}})|"
    rf"[ \t]+(?:name|key)[ \t]*=[ \t]*[\"'](?P<quoted>[^\"'<>\n]{{1,{MAX_TOOL_NAME_CHARS}}})[\"']"
    rf"(?P<rest>[^<>\n]{{0,{MAX_ATTRIBUTE_CHARS}}}))(?:>|(?=\n))",
    re.ASCII,
)
_END: Final = r"<[ \t]{0,2}/[ \t]{0,2}(?:[a-zA-Z]+:)?(?:%s)[ \t]{0,2}>"
_CALL_END: Final = re.compile(_END % "function|invoke|tool|tool_call", re.ASCII)
_PARAMETER_END: Final = re.compile(_END % "parameter|param|argument|arg", re.ASCII)
_PLAIN_END: Final = re.compile(r'string[ \t]*=[ \t]*["\']true["\']', re.ASCII)
_TYPED: Final = re.compile(r'string[ \t]*=[ \t]*["\']false["\']', re.ASCII)
_CDATA: Final = re.compile(r"[ \t\r\n]*<!\[CDATA\[(.*)\]\]>[ \t\r\n]*", re.DOTALL)


class TaggedCall(NamedTuple):
    """One call's stretch: its name, the text inside, and whether its own end was there."""

    name: str
    inner: str
    closed: bool


def read_tagged(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block of calls in tags; JSON inside of a call's tag is its arguments."""
    inner = block.inner
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    for call in _stretches(inner, block.closed):
        found, problem = _read_call(call, block.closed, tools)
        calls += found
        problems += problem
    if not calls and not problems:
        problems = [UNFIT if block.closed else CUT]
    return BlockResult(calls=tuple(calls), problems=tuple(problems))


def _stretches(inner: str, closed: bool) -> Iterator[TaggedCall]:
    tags = list(_CALL.finditer(inner))
    for number, tag in enumerate(tags):
        limit = tags[number + 1].start() if number + 1 < len(tags) else len(inner)
        end = _last(_CALL_END, inner, tag.end(), limit)
        name = tag["bare"] or tag["quoted"] or ""
        # A stretch is whole by its own end, by the next call, or by the end of the block.
        whole = end is not None or number + 1 < len(tags) or closed
        yield TaggedCall(name, inner[tag.end() : limit if end is None else end], whole)


def _last(pattern: re.Pattern[str], text: str, begin: int, end: int) -> int | None:
    place = None
    for found in pattern.finditer(text, begin, end):
        place = found.start()
    return place


def _read_call(call: TaggedCall, block_closed: bool, tools: Tools | None) -> tuple[list[ReadCall], list[Problem]]:
    name = plain_name(call.name, tools)
    if not name:
        return [], [parse_error("a call has no tool name")]
    body = call.inner.strip(BLANK)
    if begins_object(body) and not _PARAMETER.search(body):
        params, notes = arguments_of(body, name, tools, closed=call.closed)
        if params is None:
            return [], list(notes) or [no_object(name) if call.closed else CUT]
        return [ReadCall(tool=name, params=params)], list(notes)
    params, notes, complete = _parameters(call, name, tools)
    if any(note.code == "parse_error" for note in notes):
        return [], list(notes)
    if not complete or not call.closed:
        if not has_all(name, params, tools):
            return [], [*notes, CUT]
        notes = (repaired("a closing tag was missing"),)
    return [ReadCall(tool=name, params=params)], list(notes)


def _parameters(call: TaggedCall, tool: str, tools: Tools | None) -> tuple[dict[str, Any], tuple[Problem, ...], bool]:
    """Read the arguments of a call; tells whether the last one was whole."""
    params: dict[str, Any] = {}
    notes: tuple[Problem, ...] = ()
    tags = list(_parameter_tags(call.inner))
    complete = True
    for number, tag in enumerate(tags):
        limit = tags[number + 1].start() if number + 1 < len(tags) else len(call.inner)
        end = _last(_PARAMETER_END, call.inner, tag.end(), limit)
        if end is None:
            notes = (repaired("a closing tag was missing"),)
            complete = complete and (call.closed or number + 1 < len(tags))
            if not complete:
                break
        raw = call.inner[tag.end() : limit if end is None else end]
        name = (tag["bare"] or tag["quoted"] or "").strip(BLANK)
        value = _value(raw, tag["rest"] or "", tool, name, tools)
        if params.setdefault(name, value) != value:
            notes = (parse_error(f'the argument "{name}" is given twice'),)
    return params, notes, complete


def _parameter_tags(inner: str) -> Iterator[re.Match[str]]:
    """Give the opening tags of arguments."""
    at = 0
    while (found := _PARAMETER.search(inner, at)) is not None:
        yield found
        at = found.end()


def _value(raw: str, rest: str, tool: str, name: str, tools: Tools | None) -> Any:
    text = trimmed(raw)
    if "<![CDATA[" in text and (cdata := _CDATA.fullmatch(text)):
        text = cdata[1]
    if rest and _PLAIN_END.search(rest):
        return text
    schema, root = parameter_schema(tools, tool, name)
    if rest and _TYPED.search(rest):
        value = read_json(text.strip(BLANK))
        return value if value is not UNREADABLE else typed_value(text, schema, root)
    return typed_value(text, schema, root)


def trimmed(raw: str) -> str:
    """Give a raw value without the line break that may be at each end."""
    text = raw.removeprefix("\r\n") if raw.startswith("\r\n") else raw.removeprefix("\n")
    return text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")


# --- keys and values apart: GLM ---------------------------------------------------------------------------

_ARG_KEY: Final = re.compile(
    rf"<(?P<p>(?:[a-z]+_)?(?:arg|param))_key>([^<>]{{0,{MAX_KEY_CHARS}}})</(?P=p)_key>", re.ASCII
)
_ARG_VALUE: Final = re.compile(r"[ \t\r\n]*<((?:[a-z]+_)?(?:arg|param))_value>", re.ASCII)
_GLM_NAME: Final = re.compile(rf"[ \t\r\n]*({name_up_to(MAX_TOOL_NAME_CHARS, NAME)})[ \t\r\n]*(?=<|$)", re.ASCII)


def has_keys(inner: str) -> bool:
    """Tell whether a block is a name with keys and values in tags, or a name alone."""
    return _GLM_NAME.match(inner) is not None


def read_keyed(block: Block, tools: Tools | None) -> BlockResult:
    """Read a name and its `<arg_key>`, `<arg_value>` pairs; a key without a value is left out."""
    inner = block.inner
    named = _GLM_NAME.match(inner)
    if named is None:
        return BlockResult(problems=(UNFIT,))
    name = plain_name(named[1], tools)
    keys = list(_ARG_KEY.finditer(inner, named.end()))
    if not keys and inner[named.end() :].strip(BLANK):
        return BlockResult(problems=(CUT if not block.closed else UNFIT,))
    params, complete = _pairs(inner, keys, name, tools)
    if not (complete and block.closed) and not has_all(name, params, tools) and not _takes_nothing(name, tools):
        return BlockResult(problems=(CUT,))
    return BlockResult(calls=(ReadCall(tool=name, params=params),))


def _takes_nothing(name: str, tools: Tools | None) -> bool:
    spec = tools.get(name) if tools else None
    return spec is not None and not spec.parameters.get("properties")


def _pairs(inner: str, keys: list[re.Match[str]], tool: str, tools: Tools | None) -> tuple[dict[str, Any], bool]:
    params: dict[str, Any] = {}
    complete = True
    for number, key in enumerate(keys):
        limit = keys[number + 1].start() if number + 1 < len(keys) else len(inner)
        tag = _ARG_VALUE.match(inner, key.end(), limit)
        if tag is None:
            continue
        end = inner.rfind(f"</{tag[1]}_value>", tag.end(), limit)
        if end < 0 and number + 1 == len(keys):
            complete = False
            continue
        name = key[2].strip(BLANK)
        schema, root = parameter_schema(tools, tool, name)
        params[name] = typed_value(trimmed(inner[tag.end() : end if end >= 0 else limit]), schema, root)
    return params, complete


_NAME_THEN_JSON: Final = re.compile(
    rf"(?:function\n)?({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)})[ \t\r\n]*>?[ \t\r\n]*(?=\{{)", re.ASCII
)

# --- one marker, many forms -------------------------------------------------------------------------------


def read_tool_call(block: Block, tools: Tools | None) -> BlockResult:
    """Read what is in `<tool_call>` tags: JSON, tags, or a name with keys, whichever family wrote it."""
    inner = block.inner.lstrip(BLANK)
    first = inner[:1]
    if first in ("{", "["):
        return read_block(block, tools)
    if first == "<" and _CALL.match(inner):
        return read_tagged(block, tools)
    if has_keys(inner):
        return read_keyed(block, tools)
    if named := _NAME_THEN_JSON.match(inner):
        name = plain_name(named[1], tools)
        params, notes = arguments_of(inner[named.end() :].strip(BLANK), name, tools, closed=block.closed)
        if params is not None:
            return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)
        if notes:
            return BlockResult(problems=notes)
    if "{" in inner:
        return read_block(block, tools)
    return BlockResult(problems=(UNFIT if block.closed else CUT,))
