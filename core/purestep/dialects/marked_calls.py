"""Calls in special tokens: a name between markers, then its arguments as JSON, or in a family's own quotes.

Sources: the chat templates of DeepSeek V3 to V3.1, Kimi K2, Solar Open 1, PLaMo 3, Mistral, Gemma 3 and 4 (function
calling). DeepSeek's tokens come with blanks, underscores or ASCII bars too: llama.cpp reads all of these.
"""

import re
from functools import cache
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
from ..scanner import TEXT, Block, BlockReader, BlockResult
from ..values import Problem, ReadCall, Tools
from .call_keys import plain_name
from .gemma_calls import read_gemma
from .json_calls import CUT, NAMELESS, UNFIT, arguments_of, has_all, no_object, read_block
from .python_calls import read_bare_python
from .tagged_calls import read_keyed


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
        params, notes = read_params(inner[begin:limit], name, self.closed or after < len(inner) or ended, self.tools)
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

    @cache
    def patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Give both patterns, made on first use."""
        return re.compile(rf"[ \t\r\n]*{head}", re.ASCII), re.compile(end, re.ASCII)

    def read(block: Block, tools: Tools | None) -> BlockResult:
        head_pattern, end_pattern = patterns()
        return _CallSequence(end_pattern, block, tools).read(head_pattern)

    return read


_UP_TO_MARKER: Final = f"([^<>{{}}]{{0,{MAX_TOOL_NAME_CHARS}}}?)"
"""A tool's name that ends where a marker begins."""

KIMI_ENDS: Final = ("<|tool_calls_section_end|>", "<|tool_call_section_end|>")

# `functions.NAME:INDEX` and JSON.
read_kimi: Final = _reader(
    r"(?:<\|tool_calls?_section_begin\|>[ \t\r\n]*)?"
    rf"(?:<\|tool_call_begin\|>)?[ \t\r\n]*([^<>{{}}]{{0,{MAX_CALL_HEAD_CHARS}}}?)(?::[0-9]+)?[ \t\r\n]*"
    r"<\|tool_call_argument_begin\|>",
    r"<\|tool_call_end\|>|<\|tool_calls?_section_end\|>|(?=<\|tool_call_begin\|>)",
)
LOW_BAR: Final = r"(?:[▁_ ]|\\_)"
"""What stands between the words of DeepSeek's tokens: a low bar of its own, or what becomes of it in a text."""

_SEP: Final = rf"<[｜|]tool{LOW_BAR}sep[｜|]>"
_BEGIN: Final = rf"<[｜|]tool{LOW_BAR}call{LOW_BAR}begin[｜|]>"
# `function`, the name and fenced JSON (V3, R1), or the name and JSON (V3.1).
read_deepseek: Final = _reader(
    rf"(?:{_BEGIN})?[ \t\r\n]*(?:function(?:[ \t\r\n]*{_SEP}(?=[^{{])|=))?"
    rf"{_UP_TO_MARKER}[ \t\r\n]*(?:{_SEP}|(?=```|\{{))",
    rf"<[｜|]tool{LOW_BAR}calls?{LOW_BAR}end[｜|]>|(?={_BEGIN})",
)
# InternLM's agents: the name and JSON after tokens of their own.
read_action: Final = _reader(
    rf"{_UP_TO_MARKER}<\|action_(?:args|input|arguments)\|>", r"<\|action_end\|>|(?=<\|action_start\|>)"
)
# Qwen-Agent: the name and JSON after words between flowers.
read_flowers: Final = _reader(
    rf"[:\uff1a]?[ \t\r\n]*({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)})[ \t\r\n]*"
    r"(?:\u273fARGS\u273f[:\uff1a]?|(?=\Z))",
    r"(?=\u273f(?:FUNCTION|RESULT|RETURN)\u273f)|\Z",
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


def read_params(
    text: str, name: str, closed: bool, tools: Tools | None
) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    """Give the arguments in a text and the repairs, or None and what is wrong with it."""
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
    params, notes = read_params(block.inner[found.end() :].strip(BLANK), name, block.closed, tools)
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
        # A server that removed the marker before the name has removed the one after the values too.
        is_whole = block.closed or block.inner.rstrip(BLANK).endswith("_value>")
        return read_keyed(block._replace(closed=is_whole), tools)
    if rest.startswith("<|tool_call_argument_begin|>"):
        return read_kimi(block, tools)
    result = read_mistral(block, tools)
    is_prose = rest.startswith("{") and not _MEMBER_FIRST.match(rest)
    return TEXT if is_prose and not result.calls else result


_MEMBER_FIRST: Final = re.compile(r"\{[ \t\r\n]{0,16}[\"'][^\"'\n]{0,64}[\"'][ \t]{0,8}:")
"""The beginning of an object: braces after a word of prose hold something else."""
