"""Calls as Python writes them, `[f(a=1, b='x'), g()]`, read by our own small parser; nothing is evaluated.

Sources: the pythonic form of Llama 3.2 and 4, OLMo 3, LFM2 and Gemma's tool_code.
"""

import re
from typing import Any, Final

from purestep.bounds import MAX_CALL_BLANKS, MAX_JSON_VALUES, MAX_MARKER_NAME_CHARS
from purestep.dialects import arguments_shape, guessed, parameter_schemas, plain_name
from purestep.json_text import BLANK, RepairedJson, repair_json
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, KEY, LETTER, name_up_to
from purestep.scanner import CUT, TEXT, Block, BlockResult
from purestep.values import Problem, ReadCall, Tools, parse_error, repaired

from .json_calls import NO_CALL, has_all

_NAME: Final = lazy_pattern(rf"{LETTER}{DOTTED}*+", re.ASCII)
_KEY: Final = lazy_pattern(rf"""["']?({LETTER}{KEY}*+)["']?[ \t\r\n]*[=:](?!=)""", re.ASCII)
_CALL_START: Final = lazy_pattern(
    rf"\[[ \t\r\n]{{0,8}}({name_up_to(MAX_MARKER_NAME_CHARS, DOTTED)})"
    rf"\([ \t\r\n]{{0,8}}(?:{name_up_to(MAX_MARKER_NAME_CHARS, KEY)}[ \t]{{0,8}}=|\))",
    re.ASCII,
)
_BETWEEN: Final = BLANK + ",;"
_PYTHON: Final = (
    "other quotes were used", "words of another language stood for JSON's", "a list stood in other brackets",
)  # fmt: skip
"""Notes on what is correct in Python."""

_UNFIT: Final = parse_error("the text in the tool call markers is not a list of calls")


def read_python(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block of calls in markers of their own."""
    calls, notes, end = parse_calls(block.inner, tools)
    if _is_guessed(notes):
        return BlockResult(problems=notes if block.closed else (CUT,))
    rest = block.inner[end:].strip(_BETWEEN + "]")
    if block.closed and block.inner.strip(BLANK) == "[]":
        return BlockResult(problems=(NO_CALL,))
    if not rest and calls:
        return BlockResult(calls=calls, problems=notes)
    if not block.closed:
        return BlockResult(calls=calls, problems=(*notes, CUT))
    return BlockResult(calls=calls, problems=(*notes, _UNFIT))


def read_bare_python(block: Block, tools: Tools | None) -> BlockResult:
    """Read calls amid text: calls only when all of the block is, and one of them names a known tool."""
    calls, notes, end = parse_calls(block.inner, tools)
    rest = block.inner[end:].strip(BLANK)
    listed = block.inner.startswith("[")
    if listed and not block.closed and _begins_call(block.inner, tools):
        whole = calls and not rest and has_all(calls[-1].tool, calls[-1].params, tools)
        return BlockResult(calls=calls, problems=notes) if whole else BlockResult(problems=(CUT,))
    if _is_guessed(notes) and block.first and _begins_call(block.inner, tools):
        return BlockResult(problems=notes)
    if not calls or rest or (tools is None and not block.first) or (listed and not block.closed):
        return TEXT
    if tools is not None and not any(call.tool in tools for call in calls):
        return TEXT
    return BlockResult(calls=calls, problems=notes)


def _is_guessed(notes: tuple[Problem, ...]) -> bool:
    return any(note.code == "parse_error" for note in notes)


def _begins_call(inner: str, tools: Tools | None) -> bool:
    """Whether a call of a known tool begins, and not a mention of it."""
    found = _CALL_START.match(inner)
    return found is not None and tools is not None and plain_name(found[1], tools) in tools


def parse_calls(text: str, tools: Tools | None) -> tuple[tuple[ReadCall, ...], tuple[Problem, ...], int]:
    """Read calls from the beginning of a text; returns them, the repairs, and the place after the last.

    An argument that had to be guessed ends the reading; the repairs are then the problem with it.
    """
    at = len(text) - len(text.lstrip(BLANK))
    listed = text.startswith("[", at)
    at += listed
    calls: list[ReadCall] = []
    notes: dict[str, None] = {}
    guesses: list[Problem] = []
    for _ in range(MAX_JSON_VALUES):
        begin = _after(text, at, _BETWEEN)
        found = _call(text, begin, tools, notes, guesses)
        if found is None:
            break
        call, at = found
        calls.append(call)
    end = _after(text, at, _BETWEEN if listed else BLANK)
    if listed and calls and text.startswith("]", end):
        at = end + 1
    if guesses:
        return tuple(calls), tuple(guesses), at
    return tuple(calls), tuple(repaired(note) for note in notes if note not in _PYTHON), at


def _after(text: str, at: int, skipped: str) -> int:
    """Return the offset after the characters to be skipped, of which a bounded number is."""
    near = text[at : at + MAX_CALL_BLANKS]
    return at + len(near) - len(near.lstrip(skipped))


def _call(
    text: str, at: int, tools: Tools | None, notes: dict[str, None], guesses: list[Problem]
) -> tuple[ReadCall, int] | None:
    called = _NAME.match(text, at)
    if called is None or not text.startswith("(", called.end()):
        return None
    tool = plain_name(called[0], tools)
    params: dict[str, Any] = {}
    at = called.end() + 1
    while True:
        at = _past(text, at, BLANK)
        if text.startswith(")", at):
            return ReadCall(tool=tool, params=params), at + 1
        name = _argument_name(text, at, len(params), tool, tools)
        loose = _value(text, name, at, tool, tools) if name is not None else None
        if name is None or loose is None:
            return None
        # Words that are no value, for an argument that has no name, are hardly a call.
        is_wild = not name[1] and "a string stood without quotes" in loose.notes
        if loose.guesses or loose.cut or is_wild or name[0] in params:
            why = "an argument is given twice" if name[0] in params else ""
            guesses.append(guessed(tool, loose, why))
            return None
        params[name[0]] = loose.value
        notes |= dict.fromkeys(loose.notes)
        if not name[1]:
            notes["an argument stood without its name"] = None
        at = loose.end
        at = _past(text, at, BLANK)
        if text.startswith(",", at):
            at += 1
        elif not text.startswith(")", at):
            return None


def _argument_name(text: str, at: int, number: int, tool: str, tools: Tools | None) -> tuple[str, int] | None:
    """Return an argument's name, and the place after it; for a value alone the name that the schema gives, and 0."""
    key = _KEY.match(text, at)
    if key is not None:
        return key[1], key.end()
    name = _positional(tool, number, tools)
    return (name, 0) if name is not None else None


def _value(text: str, name: tuple[str, int], at: int, tool: str, tools: Tools | None) -> RepairedJson | None:
    shape = arguments_shape(tools, tool)
    own = shape.member(name[0], {}) if shape is not None else None
    return repair_json(text, name[1] or at, shape=own, within="(")


def _positional(tool: str, number: int, tools: Tools | None) -> str | None:
    names = list(parameter_schemas(tools, tool)[0])
    return names[number] if number < len(names) else None


def _past(text: str, at: int, characters: str) -> int:
    while at < len(text) and text[at] in characters:
        at += 1
    return at
