"""Calls in special tokens: a name between markers, then its arguments as JSON, or in a family's own quotes.

Sources: the chat templates of DeepSeek V3 to V3.1, Kimi K2, Solar Open 1, PLaMo 3, Mistral, Gemma 3 and 4 (function
calling), gpt-oss.
"""

import re
from typing import Any, Final

from ..bounds import (
    MAX_ATTRIBUTE_CHARS,
    MAX_CALL_HEAD_CHARS,
    MAX_KEYED_HEAD_CHARS,
    MAX_MARKER_NAME_CHARS,
    MAX_SEARCHED_CHARS,
    MAX_TOOL_NAME_CHARS,
)
from ..json_text import BLANK, NOT_BLANK, UNREADABLE, read_json, repair_json
from ..names import DOTTED, NAME, name_up_to
from ..scanner import MESSAGE, TEXT, Block, BlockReader, BlockResult
from ..values import Problem, ReadCall, Tools, parse_error
from .call_keys import plain_name
from .call_shape import arguments_shape
from .json_calls import CUT, NAMELESS, UNFIT, arguments_of, guessed, has_all, no_object, noted, read_block
from .python_calls import read_bare_python
from .tagged_calls import read_keyed, read_tagged


class _CallSequence:
    """A block of calls one after the other."""

    def __init__(self, end: re.Pattern[str], block: Block, tools: Tools | None) -> None:
        self.inner, self.closed, self.end, self.tools = block.inner, block.closed, end, tools
        self.left = MAX_SEARCHED_CHARS

    def read(self, head: re.Pattern[str]) -> BlockResult:
        calls: list[ReadCall] = []
        problems: list[Problem] = []
        at = 0
        while NOT_BLANK.search(self.inner, at):
            found = head.match(self.inner, at)
            if found is None:
                problems.append(UNFIT if self.closed else CUT)
                break
            result, at = self.arguments(found.end(), plain_name(found[1], self.tools))
            calls += result.calls
            problems += result.problems
        if not calls and not problems:
            problems = [UNFIT if self.closed else CUT]
        return BlockResult(calls=tuple(calls), problems=tuple(problems))

    def arguments(self, at: int, name: str) -> tuple[BlockResult, int]:
        """Read the arguments of one call; gives the place after its end."""
        inner, stop = self.inner, self.end.search(self.inner, at)
        begin = inner.find("{", at, stop.start() if stop is not None else len(inner))
        if begin < 0:
            lost = stop.end() if stop is not None and stop.end() > at else len(inner)
            bare = inner[at : stop.start() if stop else len(inner)].strip(BLANK)
            if name and not bare and stop is not None:
                return BlockResult(calls=(ReadCall(tool=name, params={}),)), lost
            return BlockResult(problems=(UNFIT if stop is not None or self.closed else CUT,)), lost
        limit, after, ended = self.stretch(begin, stop)
        params, notes = _params(inner[begin:limit], name, self.closed or after < len(inner) or ended, self.tools)
        if params is None:
            return BlockResult(problems=notes), after
        if not ended and not self.closed and not has_all(name, params, self.tools):
            return BlockResult(problems=(CUT,)), after
        if not name:
            return BlockResult(problems=(NAMELESS,)), after
        return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes), after

    def stretch(self, begin: int, stop: re.Match[str] | None) -> tuple[int, int, bool]:
        """Give where the arguments end, the place after their end marker, and whether there was one."""
        if stop is not None:
            body = self.inner[begin : stop.start()].rstrip(BLANK + "`")
            if read_json(body) is not UNREADABLE:
                return begin + len(body), stop.end(), True
        loose = repair_json(self.inner, begin) if self.left > 0 else None
        self.left -= (loose.end if loose is not None else len(self.inner)) - begin
        if loose is not None and not loose.cut:
            # The marker may be in a string: the one after the object is the end.
            stop = self.end.search(self.inner, loose.end)
            return loose.end, stop.end() if stop is not None else len(self.inner), stop is not None
        if stop is not None:
            return stop.start(), stop.end(), True
        return len(self.inner), len(self.inner), False


def _reader(head: str, end: str) -> BlockReader:
    """Give the reader of calls one after the other: a head with the name, JSON, and an end."""
    head_pattern, end_pattern = re.compile(rf"[ \t\r\n]*{head}", re.ASCII), re.compile(end, re.ASCII)

    def read(block: Block, tools: Tools | None) -> BlockResult:
        return _CallSequence(end_pattern, block, tools).read(head_pattern)

    return read


_UP_TO_MARKER: Final = f"([^<>{{}}]{{0,{MAX_TOOL_NAME_CHARS}}}?)"
"""A tool's name that ends where a marker begins."""

# `functions.NAME:INDEX` and JSON.
read_kimi: Final = _reader(
    rf"(?:<\|tool_call_begin\|>)?[ \t\r\n]*([^<>{{}}]{{0,{MAX_CALL_HEAD_CHARS}}}?)(?::[0-9]+)?[ \t\r\n]*"
    r"<\|tool_call_argument_begin\|>",
    r"<\|tool_call_end\|>|<\|tool_calls?_section_end\|>|(?=<\|tool_call_begin\|>)",
)
# `function`, the name and fenced JSON (V3, R1), or the name and JSON (V3.1).
read_deepseek: Final = _reader(
    r"(?:<[｜|]tool▁call▁begin[｜|]>)?[ \t\r\n]*(?:function[ \t\r\n]*<[｜|]tool▁sep[｜|]>(?=[^{]))?"
    rf"{_UP_TO_MARKER}[ \t\r\n]*(?:<[｜|]tool▁sep[｜|]>|(?=```|\{{))",
    r"<[｜|]tool▁calls?▁end[｜|]>|(?=<[｜|]tool▁call▁begin[｜|]>)",
)
# Solar Open 1: an identifier, the name, and JSON.
read_solar_json: Final = _reader(
    rf"[A-Za-z0-9_-]{{0,32}}[ \t\r\n]*<\|tool_call:name\|>{_UP_TO_MARKER}<\|tool_call:args\|>",
    r"<\|tool_call:end\|>|(?=<\|tool_call:begin\|>)",
)
# PLaMo 3: the name and JSON, each between markers.
read_plamo: Final = _reader(
    rf"<\|plamo:begin_tool_name:plamo\|>{_UP_TO_MARKER}<\|plamo:end_tool_name:plamo\|>[ \t\r\n]*"
    r"<\|plamo:begin_tool_arguments:plamo\|>(?:<\|plamo:constrain\|>[a-z]{0,16})?(?:<\|plamo:msg\|>)?",
    r"<\|plamo:end_tool_arguments:plamo\|>",
)


def _params(
    text: str, name: str, closed: bool, tools: Tools | None
) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    params, notes = arguments_of(text, name, tools, closed=closed)
    if params is not None or notes:
        return params, notes
    return None, (no_object(name) if closed else CUT,)


# --- Mistral ----------------------------------------------------------------------------------------------

_MISTRAL: Final = re.compile(
    rf"[ \t\r\n]*({name_up_to(MAX_TOOL_NAME_CHARS, NAME)})[ \t\r\n]*(?:\[CALL_ID\][^\[{{]{{0,{MAX_ATTRIBUTE_CHARS}}})?"
    r"(?:\[ARGS\])?[ \t\r\n]*(?=\{)",
    re.ASCII,
)


def read_mistral(block: Block, tools: Tools | None) -> BlockResult:
    """Read what follows `[TOOL_CALLS]`: a JSON list, or a name, `[ARGS]` and JSON."""
    found = _MISTRAL.match(block.inner)
    if found is None:
        return read_block(block, tools)
    name = plain_name(found[1], tools)
    params, notes = _params(block.inner[found.end() :].strip(BLANK), name, block.closed, tools)
    if params is None:
        return BlockResult(problems=notes)
    return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)


_NAMED: Final = re.compile(
    rf"(?:functions\.)?({name_up_to(MAX_MARKER_NAME_CHARS, DOTTED)}+)(?::[0-9]+)?[ \t\r\n]*", re.ASCII
)


def read_name_first(block: Block, tools: Tools | None) -> BlockResult:
    """Read a text that begins with a tool's name: a server removed the start marker, or the model left it out."""
    found = _NAMED.match(block.inner)
    rest = block.inner[found.end() :] if found else ""
    if block.inner.startswith("call:"):
        return read_gemma(block, tools)
    if rest.startswith("("):
        return read_bare_python(block, tools)
    if "arg_key>" in rest[:MAX_KEYED_HEAD_CHARS]:
        return read_keyed(Block(block.inner.removesuffix("</tool_call>"), True, block.first, ""), tools)
    if rest.startswith("<|tool_call_argument_begin|>"):
        return read_kimi(Block(block.inner, block.closed, block.first, ""), tools)
    result = read_mistral(Block(block.inner, block.closed, block.first, ""), tools)
    is_prose = rest.startswith("{") and not _MEMBER_FIRST.match(rest)
    return TEXT if is_prose and not result.calls else result


_MEMBER_FIRST: Final = re.compile(r"\{[ \t\r\n]{0,16}[\"'][^\"'\n]{0,64}[\"'][ \t]{0,8}:")
"""The beginning of an object: braces after a word of prose hold something else."""


# --- Gemma ------------------------------------------------------------------------------------------------

_GEMMA: Final = re.compile(
    rf"[ \t\r\n,]*(?:call)?[ \t]*:?[ \t]*({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)})[ \t\r\n]*([{{(])", re.ASCII
)


def read_gemma(block: Block, tools: Tools | None) -> BlockResult:
    """Read `call:NAME{key:value}` with Gemma's own quotes; parentheses, `=` and other quotes are read too."""
    found = _GEMMA.match(block.inner)
    if found is None:
        if "{" in block.inner:
            return read_block(block, tools)
        return BlockResult(problems=(UNFIT if block.closed else CUT,))
    name = plain_name(found[1], tools)
    body = "{" + block.inner[found.end() :]
    if found[2] == "(":
        body = "{" + _parenthesis_off(block.inner[found.end() :])
    loose = repair_json(body, bare=True, shape=arguments_shape(tools, name), closed=block.closed)
    if loose is None or not isinstance(loose.value, dict):
        return BlockResult(problems=(parse_error(f'the arguments of "{name}" cannot be read'),))
    params = loose.value
    if loose.cut and not block.closed and (loose.guesses or not has_all(name, params, tools)):
        return BlockResult(problems=(CUT,))
    if loose.guesses:
        return BlockResult(problems=(guessed(name, loose),))
    notes = tuple(note for note in noted(loose) if note.message not in _GEMMA_OWN)
    return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)


_GEMMA_OWN: Final = ("a name stood without quotes", "a string stood without quotes")


def _parenthesis_off(text: str) -> str:
    body = text.rstrip(BLANK + "}")
    return body.removesuffix(")") + "}" if body.endswith(")") else body


# --- harmony ----------------------------------------------------------------------------------------------

_RECIPIENT: Final = re.compile(rf"to=[ \t]*(?:functions[.: ]?[ \t]*)?({NAME}+)", re.ASCII)


def harmony_shows(head: str) -> bool:
    """Tell by a message's header whether its body is meant for the reader."""
    return _recipient(head) in ("", "user") and "analysis" not in head and not _is_nameless(head)


def _is_nameless(head: str) -> bool:
    """Tell a call whose header names no tool: JSON on the channel that calls are made on."""
    return "commentary" in head and "<|constrain|>" in head and not _recipient(head)


def read_harmony(block: Block, tools: Tools | None) -> BlockResult:
    """Read one harmony message that is not visible text: a call, or the analysis."""
    head, separator, body = block.inner.partition(MESSAGE)
    recipient = _recipient(head if block.marker != "to=functions." else "to=functions." + head)
    if not separator:
        return BlockResult(problems=(CUT,))
    if _is_nameless(head):
        return BlockResult(problems=(NAMELESS,))
    if not recipient or recipient == "user":
        return BlockResult(reasoning=body)
    name = plain_name(recipient, tools)
    if not block.closed and not body.strip(BLANK):
        return BlockResult(problems=(CUT,))
    if body.lstrip(BLANK)[:1] == "<":
        return read_tagged(Block(body, block.closed, block.first, block.marker), tools)
    params, notes = _params(body.strip(BLANK), name, block.closed, tools)
    if params is None:
        if "analysis" in head:
            return BlockResult(reasoning=body)
        return BlockResult(problems=notes)
    return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)


def _recipient(head: str) -> str:
    found = _RECIPIENT.search(head)
    if found is None or found[1] in ("assistant", "all"):
        return ""
    return found[1].removeprefix("functions.")
