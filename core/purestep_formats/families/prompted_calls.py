"""Calls in forms that prompts teach, and in what servers leave of a template's: words without special tokens.

Prose may look like them, so they are a call only where they name a known tool. Sources: ReAct's prompt, CWM's tag,
whose label is the tool or whose text begins with it (as vLLM reads it); the chat templates of DeepSeek V3, Kimi K2 and
Apertus.
"""

import re
from typing import Any, Final

from purestep.bounds import MAX_SHORT_NAME_CHARS, MAX_TOOL_NAME_CHARS
from purestep.dialects import parameter_schemas, plain_name
from purestep.json_text import BLANK
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, name_up_to
from purestep.scanner import CUT, TEXT, Block, BlockResult, BlockStart, any_prefix
from purestep.values import ReadCall, Tools

from ..call_readers import UNFIT, arguments_of, named_alone, read_block

_NAME: Final = name_up_to(MAX_SHORT_NAME_CHARS, DOTTED)
_LABEL: Final = lazy_pattern(name_up_to(MAX_TOOL_NAME_CHARS, DOTTED), re.ASCII)
_FIRST_WORD: Final = lazy_pattern(rf"({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)})(?:[ \t\r\n]+|\Z)", re.ASCII)


def _read_lines(block: Block, tools: Tools | None) -> BlockResult:
    """Read the object after `Action Input:` as the arguments of the tool after `Action:`."""
    name = plain_name(block.marker.partition(":")[2].partition("\n")[0], tools)
    if tools is None or name not in tools:
        return TEXT
    return named_alone(name, block.inner, tools, closed=block.closed)


REACT: Final = BlockStart(
    pattern=rf"Action:[ \t]{{0,4}}{_NAME}[ \t]{{0,4}}(?:\r?\n){{1,2}}[ \t]{{0,4}}Action Input:[ \t\r\n]{{0,4}}"
    r"(?P<inner>)(?=\{)",
    partial=rf"{any_prefix('Action:')}|Action:[ \t]{{1,4}}|"
    rf"Action:[ \t]{{0,4}}{_NAME}[ \t]{{0,4}}(?:\r?\n){{0,2}}\r?[ \t]{{0,4}}"
    rf"(?:{any_prefix('Action Input:')}|Action Input:[ \t\r\n]{{1,4}})?",
    first_chars="A",
    scan="balanced",
    apart=True,
    read=_read_lines,
)
ACTION_LABEL: Final = r"Action:[ \t\r\n]{0,4}"
"""What stands before a call of JSON, in a code fence or not, in Command R+ and smolagents."""

OBSERVATION: Final = "Observation:"
"""What begins a result in ReAct's lines."""


def _read_label(block: Block, tools: Tools | None) -> BlockResult:
    """Read a call whose tag, or whose first word, is the tool's name."""
    body = block.inner.strip(BLANK)
    label = _LABEL.search(block.marker, len("<tool:"))
    name = plain_name(label[0], tools) if label else ""
    first = _FIRST_WORD.match(body)
    if (tools is None or name not in tools) and first and (tools is None or plain_name(first[1], tools) in tools):
        name, body = plain_name(first[1], tools), body[first.end() :]
    if not block.closed:
        return BlockResult(problems=(CUT,)) if tools is not None and name in tools else TEXT
    params = _arguments(body, name, tools)
    return (
        BlockResult(problems=(UNFIT,)) if params is None else BlockResult(calls=(ReadCall(tool=name, params=params),))
    )


def _arguments(body: str, name: str, tools: Tools | None) -> dict[str, Any] | None:
    """Return JSON arguments, or text as the `command` that a tool takes."""
    params, _ = arguments_of(body, name, tools)
    if params is not None:
        return params
    takes_command = tools is None or "command" in parameter_schemas(tools, name)[0]
    return {"command": body} if takes_command and body[:1] not in ("{", "[") else None


LABELLED: Final = BlockStart(
    pattern=rf"<tool:[ ]{{0,2}}{_NAME}[ ]{{0,2}}>(?P<inner>)",
    partial=rf"{any_prefix('<tool:')}|<tool:[ ]{{1,2}}|<tool:[ ]{{0,2}}{_NAME}[ ]{{0,2}}",
    first_chars="<",
    closers=("</tool>",),
    read=_read_label,
)


def _read_with_arguments(block: Block, tools: Tools | None) -> BlockResult:
    """Read JSON with arguments; without, it is the list of tools that a prompt holds in the same tags."""
    return read_block(block, tools) if '"arguments"' in block.inner else TEXT


# --- without special tokens -------------------------------------------------------------------------------


def _read_named(block: Block, tools: Tools | None) -> BlockResult:
    """Read the object after a tool's name, with what DeepSeek and Kimi write before and after the name."""
    written = block.marker.partition("\n")[0].removeprefix("functions.").partition(":")[0].strip(BLANK)
    names = [name for name in (written, written.removeprefix("function")) if tools is not None and name in tools]
    if not names:
        return TEXT
    return named_alone(names[0], block.inner, tools, closed=block.closed)


def _read_by_name(block: Block, tools: Tools | None) -> BlockResult:
    """Read a list of objects whose keys are tools."""
    result = read_block(block, tools)
    return result if tools is not None and result.calls and not result.problems else TEXT


_B: Final = r"[ \t\r\n]{0,4}"
NAKED: Final = (
    BlockStart(
        pattern=rf"function{_NAME}\n```(?:json)?\n(?P<inner>)(?=\{{)",
        partial=rf"{any_prefix('function')}|function{_NAME}(?:\n{any_prefix('```json')}|\n```(?:json)?\n|\n)?",
        first_chars="f",
        closers=("\n```",),
        scan="json",
        read=_read_named,
    ),
    BlockStart(
        pattern=rf"functions\.{_NAME}:[0-9]{{1,4}}{_B}(?P<inner>)(?=\{{)",
        partial=rf"{any_prefix('functions.')}|functions\.{_NAME}(?::[0-9]{{0,4}}{_B})?",
        first_chars="f",
        scan="balanced",
        apart=True,
        read=_read_named,
    ),
    BlockStart(
        pattern=rf'(?P<inner>)\[{_B}\{{{_B}"{_NAME}"{_B}:{_B}\{{',
        partial=rf'\[{_B}(?:\{{{_B}(?:"(?:{_NAME}(?:"{_B}(?::{_B})?)?)?)?)?',
        first_chars="[",
        scan="balanced",
        read=_read_by_name,
    ),
)

TOOLS: Final = BlockStart(mark="<tools>", closers=("</tools>",), scan="tagged", read=_read_with_arguments)
