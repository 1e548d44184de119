"""Openers without markers of their own: calls as JSON or Python amid text, or from the first word on."""

from typing import Final

from msgspec.structs import replace

from ..json_text import BLANK, UNREADABLE, read_json
from ..names import DOTTED, LETTER
from ..scanner import TEXT, Block, BlockResult, BlockStart
from ..values import Reading, Tools
from . import bare, envelope
from .json_calls import read_block
from .json_in_text import read_bare
from .marked_calls import read_name_first
from .python_calls import read_bare_python


def read_object(block: Block, tools: Tools | None) -> BlockResult:
    """Read an object in text for `auto`: an envelope, a bare call, or a call by name and arguments."""
    value = read_json(block.inner.strip(BLANK))
    if isinstance(value, dict) and value.get("kind") in ("tool_call", "final"):
        taken = _taken(envelope.from_value(value))
        return replace(taken, ends="answer") if block.first and taken.content is not None else taken
    if isinstance(value, dict) and block.first and isinstance(value.get("tool"), str) and "arguments" not in value:
        return _taken(bare.from_value(value))
    if value is UNREADABLE and block.first and '"kind"' in block.inner:
        return _taken(envelope.read(block.inner, tools))
    return read_bare(block, value, tools)


def _taken(reading: Reading) -> BlockResult:
    return BlockResult(calls=reading.calls, problems=reading.problems, content=reading.content)


_B: Final = r"[ \t\r\n]"
_KEYS: Final = (
    "name|tool_name|function_name|function|tool|recipient_name|arguments|parameters|type|id|tool_call_id|"
    "tool_calls|tool_call|function_call|kind"
)
_OBJECT: Final = rf"(?:\[{_B}{{0,16}})?\{{{_B}{{0,16}}[\"'](?:{_KEYS})[\"']{_B}{{0,8}}:"
_OBJECT_BEGUN: Final = rf"(?:\[{_B}{{0,16}}(?:\{{|\Z)|\{{){_B}{{0,16}}(?:[\"'][a-z_]{{0,16}}(?:[\"']{_B}{{0,8}})?)?"
FUNCTOOLS: Final = BlockStart(
    pattern=rf"functools{_B}{{0,4}}(?P<inner>)[\[{{]",
    partial=rf"f(?:u(?:n(?:c(?:t(?:o(?:o(?:l(?:s{_B}{{0,4}})?)?)?)?)?)?)?)?",
    starts="f",
    scan="balanced",
    read=read_block,
)
BARE_JSON: Final = BlockStart(
    pattern=f"(?P<inner>){_OBJECT}", partial=_OBJECT_BEGUN, starts="{[", scan="balanced", read=read_object
)
BARE_PYTHON: Final = BlockStart(
    pattern=rf"(?P<inner>)\[{_B}{{0,8}}{LETTER}{DOTTED}{{0,63}}\(",
    partial=rf"\[{_B}{{0,8}}(?:{LETTER}{DOTTED}{{0,63}})?",
    starts="[",
    scan="python",
    read=read_bare_python,
)
FUNCTIONARY: Final = BlockStart(
    pattern=r">>>(?P<inner>)[A-Za-z_][A-Za-z0-9_.-]{0,63}\n",
    partial=r">{1,2}|>>>(?:[A-Za-z_][A-Za-z0-9_.-]{0,63})?",
    starts=">",
    scan="balanced",
    read=lambda block, tools: TEXT if block.inner.startswith("all\n") else read_name_first(block, tools),
)
NAMED: Final = BlockStart(scan="raw", read=read_name_first)
TAILS: Final = ("(", "[ARGS]", "<arg_key>", "<longcat_arg_key>", "<|tool_call_argument_begin|>", "{")
"""What may follow a tool's name at the beginning of a text: a server took the marker, or the model left it out."""
