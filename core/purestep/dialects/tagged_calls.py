"""Calls whose arguments are tags around raw text; the tool's schema tells its type.

Sources: Qwen3-Coder and those after it (`<function=f><parameter=k>v</parameter></function>`), MiniMax M2, DeepSeek
V3.2 and others (`<invoke name="f"><parameter name="k">v</parameter></invoke>`), MiniCPM (`<function name="f"><param
name="k">`), GLM 4.5 (`f<arg_key>k</arg_key><arg_value>v</arg_value>`).
"""

import re
from typing import Any, Final

from ..bounds import MAX_TOOL_NAME_CHARS
from ..json_text import BLANK, NOT_BLANK, UNREADABLE, read_json
from ..names import DOTTED, NAME, name_up_to
from ..scanner import AMBIGUOUS, Block, BlockResult
from ..values import Problem, ReadCall, Tools, parse_error, repaired
from .call_keys import plain_name
from .json_calls import CUT, UNFIT, arguments_of, begins_object, has_all, no_object, read_block
from .tag_syntax import ANGLED, Tag, TagSyntax
from .tag_values import Argument, Knows, TagCall, TagReading, tag_reading
from .typed_text import parameter_schema, typed_value

_CDATA: Final = re.compile(r"[ \t\r\n]*<!\[CDATA\[(.*)\]\]>[ \t\r\n]*", re.DOTALL)
_INLINE: Final = "<seed:tool_call>"
"""The marker of a family that writes a parameter's name after `=`, but no line breaks around its value."""

_MISSING_TAG: Final = repaired("a closing tag was missing")


def read_tagged(block: Block, tools: Tools | None, syntax: TagSyntax = ANGLED) -> BlockResult:
    """Read a block of calls in tags; JSON inside of a call's tag is its arguments."""
    tags = syntax.tags_in(block.inner)
    if _holds_json(block.inner, tags):
        return _json_in_tags(block, tags, tools)
    return _TagReader(block, tools, syntax).read(tags, None)


class _TagReader:
    """A block of calls whose arguments are raw values in tags."""

    def __init__(self, block: Block, tools: Tools | None, syntax: TagSyntax) -> None:
        self.block, self.inner, self.tools, self.syntax = block, block.inner, tools, syntax

    def read(self, tags: list[Tag], first: TagCall | None) -> BlockResult:
        """Read the calls that tags make; first: one whose name stands before them."""
        reading = tag_reading(self.inner, tags, first, _knowing(self.tools))
        if reading.state == "unclear":
            return BlockResult(problems=(AMBIGUOUS if self.block.closed else CUT,))
        calls: list[ReadCall] = []
        problems: list[Problem] = []
        for number, call in enumerate(reading.calls, 1):
            is_last = number == len(reading.calls)
            value, notes = self._last_value(reading, tags, first is not None) if is_last else (None, [])
            is_whole = call.ended or not is_last or self.block.closed
            found, notes = self._call(call, value, notes, is_whole=is_whole, is_keyed=first is not None)
            calls += found
            problems += notes
        if not calls and not problems:
            problems = [UNFIT if self.block.closed else CUT]
        return BlockResult(calls=tuple(calls), problems=tuple(problems))

    def _last_value(
        self, reading: TagReading, tags: list[Tag], is_keyed: bool
    ) -> tuple[Argument | None, list[Problem]]:
        """Give the value without an end, where the end of its block ends it: nothing else may be meant."""
        value = reading.value
        if value is None:
            return None, []
        if not self.block.closed:
            return None, [CUT]
        inside = tags[slice(*value.inside)]
        end = inside[0].start if inside else len(self.inner)
        rest = self.inner[end:]
        for tag in inside:
            is_end = tag.kind in ("end", "outer")
            rest = rest.removeprefix(self.inner[tag.start : tag.end]).lstrip(BLANK) if is_end else rest
        # The end of the block may be in the value; the end of the call before it hardly.
        is_ended = is_keyed or self.inner.startswith(self.block.marker) or any(tag.kind == "end" for tag in inside)
        own_end = re.compile(rf"</[ \t]?{re.escape(value.name.strip(BLANK))}[ \t]?>[ \t\r\n]*\Z")  # ascii: literals
        if rest or not is_ended or own_end.search(self.inner, value.begin, end):
            return None, [AMBIGUOUS]
        text = self.inner[value.begin : end]
        if trimmed(text) == text and text.endswith("\n"):
            # The line break is that of the tag that came instead.
            end -= 2 if text.endswith("\r\n") else 1
        return value._replace(end=end), [_MISSING_TAG]

    def _call(
        self, call: TagCall, value: Argument | None, notes: list[Problem], *, is_whole: bool, is_keyed: bool
    ) -> tuple[list[ReadCall], list[Problem]]:
        """Give one call, or the problem with it; value: its last argument's, which has no end tag."""
        name = plain_name(call.name, self.tools)
        if not name:
            return [], [parse_error("a call has no tool name")]
        if notes and value is None:
            return [], notes
        params: dict[str, Any] = {}
        for argument in call.arguments if value is None else (*call.arguments, value):
            key = argument.name.strip(BLANK)
            key = key.replace("&amp;", "&") if self.syntax.has_escapes else key
            read = self._value(argument, name, key)
            if params.setdefault(key, read) != read:
                return [], [parse_error(f'the argument "{key}" is given twice')]
        if not params and self.inner[call.begin :].lstrip(BLANK)[:1] not in ("", "<"):
            return [], [no_object(name) if is_whole else CUT]
        if is_whole:
            return [ReadCall(tool=name, params=params)], notes
        # Nothing but the end of its block ends a call with keys: without it, more of them may have been meant.
        if is_keyed or not has_all(name, params, self.tools):
            return [], [CUT]
        return [ReadCall(tool=name, params=params)], [_MISSING_TAG]

    def _value(self, argument: Argument, tool: str, name: str) -> Any:
        text = self.inner[argument.begin : argument.end]
        if argument.is_bare and self.block.marker != _INLINE:
            text = trimmed(text)
        if "<![CDATA[" in text and (cdata := _CDATA.fullmatch(text)):
            text = cdata[1]
        if self.syntax.plain.search(argument.rest):
            return text
        schema, root = parameter_schema(self.tools, tool, name)
        if self.syntax.typed.search(argument.rest):
            value = read_json(text.strip(BLANK))
            return value if value is not UNREADABLE else typed_value(text, schema, root)
        return typed_value(text, schema, root)


def _knowing(tools: Tools | None) -> Knows:
    """Give the function that tells whether a tool may take an argument of a name."""

    def knows(tool: str, name: str) -> bool:
        if tools is None:
            return True
        spec = tools.get(plain_name(tool, tools))
        properties = spec.parameters.get("properties") if spec is not None else {}
        return not isinstance(properties, dict) or name.strip(BLANK) in properties

    return knows


def trimmed(raw: str) -> str:
    """Give a raw value without the line break at each end that a template writes; without one before, none is."""
    for line_break in ("\r\n", "\n"):
        if raw.startswith(line_break):
            text = raw.removeprefix(line_break)
            return text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")
    return raw


# --- JSON in a call's tag ---------------------------------------------------------------------------------


def _holds_json(inner: str, tags: list[Tag]) -> bool:
    """Tell whether the first call's tag holds an object: all that is in its strings is no tag."""
    begin = next((tag.end for tag in tags if tag.kind == "call"), -1)
    first = NOT_BLANK.search(inner, begin) if begin >= 0 else None
    if first is None or not begins_object(inner[first.start() :]):
        return False
    body = inner[first.start() : next((tag.start for tag in reversed(tags) if tag.kind == "end"), len(inner))]
    return not any(tag.kind == "open" for tag in tags) or isinstance(read_json(body.strip(BLANK)), dict)


def _json_in_tags(block: Block, tags: list[Tag], tools: Tools | None) -> BlockResult:
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    begun = [number for number, tag in enumerate(tags) if tag.kind == "call"]
    for number, following in zip(begun, [*begun[1:], len(tags)], strict=True):
        tag = tags[number]
        limit = tags[following].start if following < len(tags) else len(block.inner)
        end = next((each.start for each in reversed(tags[number:following]) if each.kind == "end"), None)
        name = plain_name(tag.name or "", tools)
        is_whole = end is not None or following < len(tags) or block.closed
        body = block.inner[tag.end : limit if end is None else end].strip(BLANK)
        params, notes = arguments_of(body, name, tools, closed=is_whole)
        if not name:
            problems.append(parse_error("a call has no tool name"))
        elif params is not None:
            calls.append(ReadCall(tool=name, params=params))
            problems += notes
        else:
            problems += notes or (no_object(name) if is_whole else CUT,)
    return BlockResult(calls=tuple(calls), problems=tuple(problems))


# --- keys and values apart: GLM ---------------------------------------------------------------------------

_GLM_NAME: Final = re.compile(rf"[ \t\r\n]*({name_up_to(MAX_TOOL_NAME_CHARS, NAME)})[ \t\r\n]*(?=<|$)", re.ASCII)


def has_keys(inner: str) -> bool:
    """Tell whether a block is a name with keys and values in tags, or a name alone."""
    return _GLM_NAME.match(inner) is not None


def read_keyed(block: Block, tools: Tools | None, syntax: TagSyntax = ANGLED) -> BlockResult:
    """Read a name and its `<arg_key>`, `<arg_value>` pairs; a key without a value is left out."""
    inner = block.inner
    named = _GLM_NAME.match(inner)
    if named is None:
        return BlockResult(problems=(UNFIT,))
    tags = syntax.tags_in(inner, named.end())
    if not any(tag.kind == "key" for tag in tags) and inner[named.end() :].strip(BLANK):
        return BlockResult(problems=(CUT if not block.closed else UNFIT,))
    return _TagReader(block, tools, syntax).read(tags, TagCall(named[1], named.end(), []))


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
    if first == "<" and (tag := ANGLED.tags.match(inner)) and tag["call"]:
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
