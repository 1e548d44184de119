"""Calls in Kimi K3's tags between `<|open|>`, `<|close|>` and `<|sep|>`, whose arguments name their types.

A value of type `string` is its text to the last character, all others are JSON. What stands between the tags of a
section has no meaning. Source: the model's chat template, which escapes `&` and `"` in attributes.
"""

import re
from typing import Any, Final

from ..bounds import MAX_ATTRIBUTE_CHARS, MAX_TOOL_NAME_CHARS
from ..json_text import BLANK, UNREADABLE, read_json
from ..scanner import Block, BlockResult
from ..values import Problem, ReadCall, Tools, parse_error
from .json_calls import CUT, NAMELESS, UNFIT, arguments_of, has_all, plain_name
from .typed_text import parameter_schema, typed_value

_ATTRIBUTES: Final = rf'(?:[ \t\r\n]+[a-z_]{{1,16}}="[^"<>\n]{{0,{MAX_TOOL_NAME_CHARS + MAX_ATTRIBUTE_CHARS}}}"){{0,4}}'
_CALL: Final = re.compile(rf"<\|open\|>[ ]?call({_ATTRIBUTES})[ ]?<\|sep\|>", re.ASCII)
_ARGUMENT: Final = re.compile(rf"<\|open\|>[ ]?argument({_ATTRIBUTES})[ ]?<\|sep\|>", re.ASCII)
_JSON: Final = re.compile(rf"<\|open\|>[ ]?json{_ATTRIBUTES}[ ]?<\|sep\|>(.*?)<\|close\|>[ ]?json[ ]?<\|sep\|>", re.DOTALL)
_CALL_END: Final = re.compile(r"<\|close\|>[ ]?call[ ]?<\|sep\|>")
_ARGUMENT_END: Final = re.compile(r"<\|close\|>[ ]?argument[ ]?<\|sep\|>")
_ATTRIBUTE: Final = re.compile(r'([a-z_]+)="([^"]*)"')


def read_xtml(block: Block, tools: Tools | None) -> BlockResult:
    """Read a section of calls, or one call alone."""
    text = block.marker + block.inner
    heads = list(_CALL.finditer(text))
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    for number, head in enumerate(heads):
        limit = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        end = _last(_CALL_END, text, head.end(), limit)
        closed = end is not None or block.closed or number + 1 < len(heads)
        name = plain_name(_attributes(head[1]).get("tool", ""), tools)
        params, complete = _params(text[head.end() : limit if end is None else end], name, tools)
        if params is None:
            problems.append(parse_error(f'the arguments of "{name}" are not one JSON object'))
        elif not name:
            problems.append(NAMELESS)
        elif not (complete and closed) and not has_all(name, params, tools):
            problems.append(CUT)
        else:
            calls.append(ReadCall(tool=name, params=params))
    if not heads and (not block.closed or block.inner.strip(BLANK)):
        problems = [UNFIT if block.closed else CUT]
    return BlockResult(calls=tuple(calls), problems=tuple(problems))


def _last(pattern: re.Pattern[str], text: str, begin: int, end: int) -> int | None:
    place = None
    for found in pattern.finditer(text, begin, end):
        place = found.start()
    return place


def _attributes(text: str) -> dict[str, str]:
    """Give the attributes of a tag, in any order."""
    return {name: value.replace("&quot;", '"').replace("&amp;", "&") for name, value in _ATTRIBUTE.findall(text)}


def _params(inner: str, tool: str, tools: Tools | None) -> tuple[dict[str, Any] | None, bool]:
    """Give the arguments of a call and whether all of them are whole; a `json` tag holds all at once."""
    if (whole := _JSON.search(inner)) is not None:
        return arguments_of(whole[1].strip(BLANK))[0], True
    params: dict[str, Any] = {}
    tags = list(_ARGUMENT.finditer(inner))
    for number, tag in enumerate(tags):
        limit = tags[number + 1].start() if number + 1 < len(tags) else len(inner)
        end = _last(_ARGUMENT_END, inner, tag.end(), limit)
        if end is None and number + 1 == len(tags):
            return params, False
        given = _attributes(tag[1])
        name = given.get("key", "")
        params[name] = _value(inner[tag.end() : limit if end is None else end], given.get("type"), tool, name, tools)
    return params, True


def _value(raw: str, kind: str | None, tool: str, name: str, tools: Tools | None) -> Any:
    if kind in (None, "string"):
        return raw
    value = read_json(raw.strip(BLANK))
    return value if value is not UNREADABLE else typed_value(raw, *parameter_schema(tools, tool, name))
