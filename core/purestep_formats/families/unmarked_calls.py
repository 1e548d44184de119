"""Calls without markers of their own: JSON or Python amid text, or a text that begins with a tool's name.

JSON amid text is a call only where it names a known tool.
"""

import re
from typing import Any, Final

from msgspec.structs import replace

from purestep.bounds import MAX_NESTED_CALLS, MAX_SHORT_NAME_CHARS, MAX_TOOL_NAME_CHARS
from purestep.dialects import (
    ARGUMENTS,
    NAMES,
    WRAPPERS,
    bare,
    envelope,
    offers_skills,
    parameter_schemas,
    plain_name,
    skill_call,
)
from purestep.json_text import BLANK, UNREADABLE, read_json
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, name_up_to
from purestep.scanner import TEXT, Block, BlockResult, BlockStart, NamedStart
from purestep.values import ReadCall, Reading, Tools

from ..call_readers import (
    ANGLED,
    KIMI_ENDS,
    PAIRS,
    UNFIT,
    calls_of,
    read_bare_python,
    read_block,
    read_damaged,
    read_name_first,
    unsure_with_bracket,
)


def read_object(block: Block, tools: Tools | None) -> BlockResult:
    """Read an object in text for `auto`: an envelope, a bare call, or a call by name and arguments."""
    result = read_object_value(block, read_json(block.inner.strip(BLANK)), tools)
    return replace(result, unsure=True) if result.calls and unsure_with_bracket(block.inner, tools) else result


def read_object_value(block: Block, value: Any, tools: Tools | None) -> BlockResult:
    """Read an object in text whose value is decoded; value: UNREADABLE where the text is not JSON."""
    if isinstance(value, dict) and value.get("kind") in ("tool_call", "final"):
        result = _block_result(envelope.from_value(value, tools=tools))
        return replace(result, ends="answer") if block.first and result.content is not None else result
    if isinstance(value, dict) and block.first and _is_flat(value, tools):
        return _block_result(bare.from_value(value))
    called = skill_call(value) if offers_skills(tools) else None
    if called is not None and (block.first or called.tool in (tools or ())):
        return BlockResult(calls=(called,))
    if value is UNREADABLE and block.first and '"kind"' in block.inner:
        return _block_result(envelope.read(block.inner, tools))
    return read_bare(block, value, tools)


def _is_flat(value: dict[str, Any], tools: Tools | None) -> bool:
    """Whether a call's arguments stand beside its tool's name, and not in an object of their own."""
    name = value.get("tool")
    if not isinstance(name, str) or "arguments" in value:
        return False
    own = next((key for key in ARGUMENTS if isinstance(value.get(key), dict)), None)
    known, _ = parameter_schemas(tools, name)
    return own is None or set(value) != {"tool", own} or not known or own in known


def _block_result(reading: Reading) -> BlockResult:
    return BlockResult(calls=reading.calls, problems=reading.problems, content=reading.content)


def read_bare(block: Block, value: Any, tools: Tools | None) -> BlockResult:
    """Read JSON amid text: calls where it names known tools, else text.

    value: the block's value. Without a list of tools JSON is a call only at the beginning of the text, with a name and
    arguments. A text that begins with exactly a call of an unknown tool is one too; sample JSON amid prose is text.
    """
    if value is UNREADABLE:
        return _read_damaged(block, tools)
    calls, problems = calls_of(value, tools)
    result = BlockResult(calls=calls, problems=problems)
    if not calls:
        return BlockResult(problems=problems) if problems and _names_known(value, tools) else TEXT
    if tools is None:
        return result if block.first and _has_arguments(value) else TEXT
    if _names_one(calls, tools):
        return result
    is_exact_call = tools and block.first and not block.fenced and _is_exact(value)
    return BlockResult(calls=calls) if is_exact_call else TEXT


def _names_known(value: Any, tools: Tools | None, depth: int = 0) -> bool:
    """Whether a value names a known tool, whatever its arguments are."""
    items = value if isinstance(value, list) else [value]
    return any(isinstance(item, dict) and _names_known_in(item, tools, depth) for item in items)


def _names_known_in(value: dict[str, Any], tools: Tools | None, depth: int) -> bool:
    names = [value[key] for key in NAMES if isinstance(value.get(key), str)]
    if any(plain_name(name, tools) in (tools or ()) for name in names):
        return True
    inner = [value[key] for key in WRAPPERS if isinstance(value.get(key), (dict, list))]
    return depth < MAX_NESTED_CALLS and any(_names_known(each, tools, depth + 1) for each in inner)


def _is_exact(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(
        isinstance(item, dict) and set(item) in ({"name", "arguments"}, {"name", "parameters"}) for item in items
    )


def _names_one(calls: tuple[ReadCall, ...], tools: Tools) -> bool:
    return any(call.tool in tools for call in calls)


def _has_arguments(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, dict) and any(key in item for key in (*ARGUMENTS, *WRAPPERS)) for item in items)


def _read_damaged(block: Block, tools: Tools | None) -> BlockResult:
    if tools is None:
        return TEXT
    result = read_damaged(block.inner.strip(BLANK), block.closed, tools)
    if _names_one(result.calls, tools):
        return result
    begins = block.first or block.fenced or not block.closed or _is_begun_call(block.inner, tools)
    named = any(f'"{name}"' in block.inner or f"'{name}'" in block.inner for name in tools)
    return BlockResult(problems=result.problems or (UNFIT,)) if named and not result.calls and begins else TEXT


_CALL_BEGUN: Final = lazy_pattern(
    rf"[\[{{ \t\r\n]*+[\"'](?:{'|'.join(NAMES)})[\"'][ \t]*+:[ \t]*+[\"']([^\"'\n]{{1,{MAX_TOOL_NAME_CHARS}}})[\"']"
    rf"[ \t\r\n]*+,[ \t\r\n]*+[\"'](?:{'|'.join(ARGUMENTS)})[\"']",
    re.ASCII,
)


def _is_begun_call(text: str, tools: Tools) -> bool:
    """Whether a damaged object begins as a call of a known tool does: with its name and then arguments."""
    begun = _CALL_BEGUN.match(text)
    return begun is not None and plain_name(begun[1], tools) in tools


# --- how they begin ---------------------------------------------------------------------------------------

_B: Final = r"[ \t\r\n]"
_NAME: Final = name_up_to(MAX_SHORT_NAME_CHARS, DOTTED)
_ASCII_NAME: Final = f"[A-Za-z_][A-Za-z0-9_.-]{{0,{MAX_SHORT_NAME_CHARS - 1}}}"
_KEYS: Final = (
    "name|tool_name|function_name|function|tool|recipient_name|arguments|parameters|type|id|tool_call_id|"
    "tool_calls|tool_call|function_call|kind|skill|action|functionCall|toolUse|toolCalls?"
)
_OBJECT: Final = rf"(?:\[{_B}{{0,16}})?\{{{_B}{{0,16}}[\"'](?:{_KEYS})[\"']{_B}{{0,8}}:"
OBJECT: Final = lazy_pattern(_OBJECT, re.ASCII)
OBJECT_BEGUN: Final = rf"(?:\[{_B}{{0,16}}(?:\{{|\Z)|\{{){_B}{{0,16}}(?:[\"'][a-zA-Z_]{{0,16}}(?:[\"']{_B}{{0,8}})?)?"
FUNCTOOLS: Final = BlockStart(
    pattern=rf"functools{_B}{{0,4}}(?P<inner>)[\[{{]",
    partial=rf"f(?:u(?:n(?:c(?:t(?:o(?:o(?:l(?:s{_B}{{0,4}})?)?)?)?)?)?)?)?",
    first_chars="f",
    scan="balanced",
    read=read_block,
)
BARE_JSON: Final = BlockStart(
    pattern=f"(?P<inner>){_OBJECT}", partial=OBJECT_BEGUN, first_chars="{[", scan="balanced", read=read_object
)
BARE_PYTHON: Final = BlockStart(
    pattern=rf"(?P<inner>)\[{_B}{{0,8}}{_NAME}\(",
    partial=rf"\[{_B}{{0,8}}(?:{_NAME})?",
    first_chars="[",
    scan="python",
    read=read_bare_python,
    stops=True,
)
FUNCTIONARY: Final = BlockStart(
    pattern=rf">>>(?P<inner>)(?!all\n){_ASCII_NAME}\n",
    partial=rf">{{1,2}}|>>>(?:{_ASCII_NAME})?",
    first_chars=">",
    scan="balanced",
    read=read_name_first,
)
_WITH_JSON: Final = BlockStart(
    scan="balanced", before=("[TOOL_CALLS]",), skips=("[ARGS]", "[CALL_ID]"), read=read_name_first
)


def _with_keys(name: str) -> BlockStart:
    return BlockStart(closers=(f"</{name}>",), before=(f"<{name}>",), values=ANGLED.values, read=read_name_first)


NAMED: Final = (
    NamedStart("(", BlockStart(scan="raw", read=read_name_first)),
    NamedStart("[ARGS]", _WITH_JSON),
    NamedStart("<arg_key>", _with_keys("tool_call")),
    NamedStart("<longcat_arg_key>", _with_keys("longcat_tool_call")),
    NamedStart(
        "<|tool_call_argument_begin|>",
        BlockStart(
            scan="json",
            closers=("<|tool_call_end|>",),
            before=("<|tool_call_begin|>", *KIMI_ENDS),
            read=read_name_first,
        ),
    ),
    NamedStart(
        "{",
        BlockStart(
            closers=("<tool_call|>", "<end_function_call>"),
            before=("<|tool_call>", "<start_function_call>"),
            values=PAIRS,
            read=read_name_first,
        ),
        before_name="call:",
    ),
    NamedStart("{", _WITH_JSON),
)
"""How a text may begin with a tool's name: a server removed the start marker, or the model left it out."""

TAILS: Final = tuple(each.tail for each in NAMED)
