"""Calls in special tokens: a name between markers, then its arguments as JSON, or in a family's own quotes.

Sources: the chat templates of DeepSeek V3 to V3.1, Kimi K2, Solar Open 1, PLaMo 3, Mistral, Gemma 3 and 4 (function
calling). DeepSeek's tokens come with blanks, underscores or ASCII bars too: llama.cpp reads all of these.
"""

import re
from typing import Final

from purestep.bounds import (
    MAX_ATTRIBUTE_CHARS,
    MAX_CALL_HEAD_CHARS,
    MAX_KEYED_HEAD_CHARS,
    MAX_MARKER_NAME_CHARS,
    MAX_SEARCHED_CHARS,
    MAX_TOOL_NAME_CHARS,
)
from purestep.dialects import plain_name
from purestep.json_text import BLANK, NOT_BLANK, UNREADABLE, read_json, repair_json
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, NAME, name_up_to
from purestep.scanner import CUT, TEXT, Block, BlockResult
from purestep.values import Problem, ReadCall, Tools, ignored_text

from .gemma_calls import read_gemma
from .json_calls import NAMELESS, UNFIT, has_all, named_alone, named_call, read_block
from .python_calls import read_bare_python
from .tagged_calls import read_any_form


class CallTokens:
    """The tokens around calls that stand one after the other: a begin, a head with the name, JSON, and an end.

    Blanks may stand before the head. Its group 1 is the name, with what may follow it up to the next marker: a
    possessive run of other characters, so that no two parts of a head can share a run of blanks.
    """

    def __init__(self, begin: str, head: str, end: str) -> None:
        self.head, self.end = lazy_pattern(rf"[ \t\r\n]*+{head}", re.ASCII), lazy_pattern(end, re.ASCII)
        self.words = lazy_pattern(rf"[^<>{{}}\[\]`\"\u201c\u201d]++(?=(?:{begin})|\Z)", re.ASCII)

    def read(self, block: Block, tools: Tools | None) -> BlockResult:
        """Read the calls of a block."""
        return _CallSequence(self, block, tools).read()

    def read_one(self, block: Block, tools: Tools | None) -> BlockResult:
        """Read the call of a block that ends at the bracket of its arguments."""
        found = self.head.match(block.inner)
        if found is None or block.inner[found.end() :].lstrip(BLANK)[:1] != "{":
            return self.read(block, tools)
        return named_alone(plain_name(found[1], tools), block.inner[found.end() :], tools, closed=block.closed)


class _CallSequence:
    """A block of calls one after the other."""

    def __init__(self, tokens: CallTokens, block: Block, tools: Tools | None) -> None:
        self.inner, self.closed, self.tokens, self.tools = block.inner, block.closed, tokens, tools
        self.left = MAX_SEARCHED_CHARS

    def read(self) -> BlockResult:
        calls: list[ReadCall] = []
        problems: list[Problem] = []
        at = 0
        while NOT_BLANK.search(self.inner, at):
            found = self.tokens.head.match(self.inner, at)
            words = self.tokens.words.match(self.inner, at) if found is None else None
            if words is not None and (calls or words.end() < len(self.inner)):
                at = words.end()
                problems.append(_LEFT_OUT)
                continue
            if found is None:
                problems.append(UNFIT if self.closed else CUT)
                break
            name = _INDEX.sub("", found[1].strip(BLANK))
            result, at = self.arguments(found.end(), plain_name(name, self.tools))
            calls += result.calls
            problems += result.problems
        if not calls and not problems:
            problems = [UNFIT if self.closed else CUT]
        return BlockResult(calls=tuple(calls), problems=tuple(problems))

    def arguments(self, at: int, name: str) -> tuple[BlockResult, int]:
        """Read the arguments of one call, and return the place after its end too."""
        inner, stop = self.inner, self.tokens.end.search(self.inner, at)
        begin = inner.find("{", at, stop.start() if stop is not None else len(inner))
        if begin < 0:
            lost = stop.end() if stop is not None and stop.end() > at else len(inner)
            bare = inner[at : stop.start() if stop else len(inner)].strip(BLANK)
            if name and not bare and stop is not None:
                return BlockResult(calls=(ReadCall(tool=name, params={}),)), lost
            return BlockResult(problems=(UNFIT if stop is not None or self.closed else CUT,)), lost
        limit, after, ended = self.stretch(begin, stop)
        result = named_call(name, inner[begin:limit], self.tools, closed=self.closed or after < len(inner) or ended)
        if result.calls and not ended and not self.closed and not has_all(name, result.calls[0].params, self.tools):
            return BlockResult(problems=(CUT,)), after
        return BlockResult(problems=(NAMELESS,)) if result.calls and not name else result, after

    def stretch(self, begin: int, stop: re.Match[str] | None) -> tuple[int, int, bool]:
        """Return where the arguments end, the place after their end marker, and whether there was one."""
        if stop is not None:
            body = self.inner[begin : stop.start()].rstrip(BLANK + "`")
            if read_json(body) is not UNREADABLE:
                return begin + len(body), stop.end(), True
        loose = repair_json(self.inner, begin) if self.left > 0 else None
        self.left -= (loose.end if loose is not None else len(self.inner)) - begin
        if loose is not None and not loose.cut:
            # The marker may be in a string: the one after the object is the end, and all before it the arguments.
            stop = self.tokens.end.search(self.inner, loose.end)
            if stop is None:
                return len(self.inner), len(self.inner), False
            return stop.start(), stop.end(), True
        if stop is not None:
            return stop.start(), stop.end(), True
        return len(self.inner), len(self.inner), False


_LEFT_OUT: Final = ignored_text("words beside the tool calls were left out")
_INDEX: Final = lazy_pattern(r":[0-9]+\Z", re.ASCII)
"""What Kimi writes after a name."""

_B: Final = r"[ \t\r\n]*+"
_UP_TO_MARKER: Final = f"([^<>{{}}`]{{0,{MAX_CALL_HEAD_CHARS}}}+)"
"""A tool's name and all else up to the next marker, bracket or fence."""

KIMI_ENDS: Final = ("<|tool_calls_section_end|>", "<|tool_call_section_end|>")

# `functions.NAME:INDEX` and JSON.
KIMI_CALLS: Final = CallTokens(
    r"<\|tool_call_begin\|>",
    rf"(?:<\|tool_calls?_section_begin\|>{_B})?(?:<\|tool_call_begin\|>)?"
    rf"{_UP_TO_MARKER}<\|tool_call_argument_begin\|>",
    r"<\|tool_call_end\|>|<\|tool_calls?_section_end\|>|(?=<\|tool_call_begin\|>)",
)
LOW_BAR: Final = r"(?:[▁_ ]|\\_)"
"""What stands between the words of DeepSeek's tokens: a low bar of its own, or what becomes of it in a text."""

_SEP: Final = rf"<[｜|]tool{LOW_BAR}sep[｜|]>"
_BEGIN: Final = rf"<[｜|]tool{LOW_BAR}call{LOW_BAR}begin[｜|]>"
# `function`, the name and fenced JSON (V3, R1), or the name and JSON (V3.1).
DEEPSEEK_CALLS: Final = CallTokens(
    _BEGIN,
    rf"(?:{_BEGIN})?{_B}(?:function(?:{_B}{_SEP}(?=[^{{])|=))?{_UP_TO_MARKER}(?:{_SEP}|(?=```|\{{))",
    rf"<[｜|]tool{LOW_BAR}calls?{LOW_BAR}end[｜|]>|(?={_BEGIN})",
)
# InternLM's agents: the name and JSON after tokens of their own.
ACTION_CALLS: Final = CallTokens(
    "(?!)", rf"{_UP_TO_MARKER}<\|action_(?:args|input|arguments)\|>", r"<\|action_end\|>|(?=<\|action_start\|>)"
)
# Qwen-Agent: the name and JSON after words between flowers.
FLOWERS_CALLS: Final = CallTokens(
    "(?!)",
    rf"[:\uff1a]?{_B}({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)}+){_B}(?:\u273fARGS\u273f[:\uff1a]?|(?=\Z))",
    r"(?=\u273f(?:FUNCTION|RESULT|RETURN)\u273f)|\Z",
)
# Solar Open 1: an identifier, the name, and JSON.
SOLAR_CALLS: Final = CallTokens(
    r"<\|tool_call:begin\|>",
    rf"[A-Za-z0-9_-]{{0,32}}+{_B}<\|tool_call:name\|>{_UP_TO_MARKER}<\|tool_call:args\|>",
    r"<\|tool_call:end\|>|(?=<\|tool_call:begin\|>)",
)
# PLaMo 3: the name and JSON, each between markers.
PLAMO_CALLS: Final = CallTokens(
    r"<\|plamo:begin_tool_name:plamo\|>",
    rf"<\|plamo:begin_tool_name:plamo\|>{_UP_TO_MARKER}<\|plamo:end_tool_name:plamo\|>{_B}"
    r"<\|plamo:begin_tool_arguments:plamo\|>(?:<\|plamo:constrain\|>[a-z]{0,16}+)?(?:<\|plamo:msg\|>)?",
    r"<\|plamo:end_tool_arguments:plamo\|>",
)


# --- Mistral ----------------------------------------------------------------------------------------------

_MISTRAL: Final = lazy_pattern(
    rf"{_B}({name_up_to(MAX_TOOL_NAME_CHARS, NAME)}+){_B}(?:\[CALL_ID\][^\[{{]{{0,{MAX_ATTRIBUTE_CHARS}}}+)?"
    rf"(?:\[ARGS\])?{_B}(?=\{{)",
    re.ASCII,
)


def read_mistral(block: Block, tools: Tools | None) -> BlockResult:
    """Read what follows `[TOOL_CALLS]`: a JSON list, or a name, `[ARGS]` and JSON."""
    found = _MISTRAL.match(block.inner)
    if found is None:
        return read_block(block, tools)
    return named_alone(plain_name(found[1], tools), block.inner[found.end() :], tools, closed=block.closed)


_NAMED: Final = lazy_pattern(
    rf"(?:functions\.)?({name_up_to(MAX_MARKER_NAME_CHARS, DOTTED)}+)(?::[0-9]++)?[ \t\r\n]*+", re.ASCII
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
        return read_any_form(block._replace(closed=is_whole), tools)
    if rest.startswith("<|tool_call_argument_begin|>"):
        return KIMI_CALLS.read(block, tools)
    result = read_mistral(block, tools)
    is_prose = rest.startswith("{") and not _MEMBER_FIRST.match(rest)
    return TEXT if is_prose and not result.calls else result


_MEMBER_FIRST: Final = lazy_pattern(r"\{[ \t\r\n]{0,16}[\"'][^\"'\n]{0,64}[\"'][ \t]{0,8}:")
"""The beginning of an object: braces after a word of prose hold something else."""
