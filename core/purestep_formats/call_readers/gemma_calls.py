"""Gemma's calls: `call:NAME{key:value}`, with strings between marks of their own in which nothing is escaped.

Such a string may hold anything, its own mark too: it ends at the mark after which an object or a list can go on.
Sources: the chat templates of Gemma 4 and FunctionGemma.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from purestep.bounds import MAX_ATTRIBUTE_CHARS, MAX_CALL_BLANKS, MAX_SHORT_NAME_CHARS, MAX_TOOL_NAME_CHARS
from purestep.dialects import NAMESPACES, arguments_shape, guessed, parameter_schemas, plain_name
from purestep.json_text import BLANK, NOT_BLANK, encode_sorted, repair_json
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, KEY, name_up_to
from purestep.scanner import AMBIGUOUS, CUT, Block, BlockResult, RawValues
from purestep.schema import SchemaShape
from purestep.values import ReadCall, Tools, parse_error, repaired

from .json_calls import UNFIT, has_all, noted, read_block
from .typed_text import typed_value

_BLANKS: Final = rf"[ \t\r\n]{{0,{MAX_CALL_BLANKS // 4}}}"
_KEY: Final = name_up_to(MAX_SHORT_NAME_CHARS, KEY)
_MARK: Final = r'<\|"\|>|<escape>'
_NO_CALLS: Final = "(?P<end>(?!))(?P<call>(?!))"
PAIRS: Final = RawValues(
    f"(?P<open>{_MARK})",
    f"(?P<close>{_MARK})|(?P<open>(?!))",
    rf",{_BLANKS}(?:[\"']?{_KEY}[\"']?{_BLANKS}[:=]|{_MARK}|[\[{{]|-?[0-9]|true|false|null)|"
    rf",{_BLANKS}[}}\])]|[:}}\])]|{_NO_CALLS}",
    rf",{_BLANKS}(?:[\"']?(?:{_KEY})?[\"']?{_BLANKS}|<[|\"a-z]{{0,7}}|-)|<[|\"a-z_]{{0,20}}",
)
"""The marks around strings, and what comes after one."""

_GEMMA: Final = lazy_pattern(
    r"[ \t\r\n,]*+(?:call(?![^ \t:]))?[ \t]*+:?[ \t]*+"
    rf"((?:(?:{'|'.join(NAMESPACES)}):)?{name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)}+)[ \t\r\n]*+([{{(])",
    re.ASCII,
)
UNTYPED: Final = "<escape>"
"""The mark around texts whose types the schema gives."""

_GEMMA_OWN: Final = ("a name stood without quotes", "a string stood without quotes")


def read_gemma(block: Block, tools: Tools | None) -> BlockResult:
    """Read `call:NAME{key:value}` with Gemma's own quotes; parentheses, `=` and other quotes are read too."""
    found = _GEMMA.match(block.inner)
    if found is None:
        if "{" in block.inner:
            return read_block(block, tools)
        return BlockResult(problems=(UNFIT if block.closed else CUT,))
    name = plain_name(found[1], tools)
    known = tuple(parameter_schemas(tools, name)[0])
    inner = _with_json_strings("{" + block.inner[found.end() :], known)
    if inner is None:
        return BlockResult(problems=(AMBIGUOUS if block.closed else CUT,))
    body = _parenthesis_off(inner) if found[2] == "(" else inner
    loose = repair_json(body, bare=True, shape=arguments_shape(tools, name), closed=block.closed)
    if loose is None or not isinstance(loose.value, dict):
        return BlockResult(problems=(parse_error(f'the arguments of "{name}" cannot be read'),))
    if body[loose.end :].strip(BLANK + "})"):
        return BlockResult(problems=(AMBIGUOUS,))
    texts = list[str]()
    shape = arguments_shape(tools, name)
    params = with_types(loose.value, shape, texts) if UNTYPED in block.inner else loose.value
    if loose.cut and not block.closed and (loose.guesses or not has_all(name, params, tools)):
        return BlockResult(problems=(CUT,))
    if loose.guesses:
        return BlockResult(problems=(guessed(name, loose),))
    notes = (*(note for note in noted(loose) if note.message not in _GEMMA_OWN), *map(repaired, texts))
    return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)


def with_types(value: Any, shape: SchemaShape | None, notes: list[str]) -> Any:
    """Return arguments whose texts have the types of the schema: FunctionGemma writes other values as text too."""
    if shape is None:
        return value
    match value:
        case str():
            return typed_value(value, shape.schema, shape.root, notes)
        case dict():
            return {key: with_types(item, shape.member(key, value), notes) for key, item in value.items()}
        case list():
            return [with_types(item, shape.item(), notes) for item in value]
        case _:
            return value


def _parenthesis_off(text: str) -> str:
    body = text.rstrip(BLANK + "}")
    return body.removesuffix(")") + "}" if body.endswith(")") else body


def _with_json_strings(text: str, known: Sequence[str]) -> str | None:
    """Return the text with the strings between Gemma's marks as JSON writes them, None where none is certain.

    Names of several words stand in quotes then, too. known: the names of the tool's arguments.
    """
    parts: list[str] = []  # what stands outside of a string, then a string, by turns
    at = 0
    while mark := PAIRS.tags.search(text, at):
        end = _string_end(text, mark[0], mark.end())
        if end is None or _holds_another(text, mark.end(), end, known):
            return None
        parts += [text[at : mark.start()], encode_sorted(text[mark.end() : end]).decode()]
        at = end + len(mark[0])
    parts.append(text[at:])
    if not any(quote in part for part in parts[::2] for quote in "\"'"):
        parts[::2] = [_NAME_OF_WORDS.sub(r'\1"\2":', part) for part in parts[::2]]
    return "".join(parts)


def _string_end(text: str, mark: str, at: int) -> int | None:
    while (end := text.find(mark, at)) >= 0:
        at = end + len(mark)
        following = NOT_BLANK.search(text, at)
        if following is None or PAIRS.following.match(text, following.start()):
            return end
    return None


_NAME_AND_MARK: Final = lazy_pattern(
    rf"(?<!{KEY})({KEY}{{1,{MAX_SHORT_NAME_CHARS}}}+)[\"']?[ \t]{{0,4}}([:=]?)[ \t\r\n]{{0,4}}(?:{_MARK}|<\|?[\"|e])",
    re.ASCII,
)


def _holds_another(text: str, begin: int, end: int, known: Sequence[str]) -> bool:
    """Whether a string may have swallowed another: a mark beside a sign, or what is left of one after its name."""
    found = _NAME_AND_MARK.finditer(text, begin, end)
    return any(each[2] or each[1] in known for each in found) or _SIGN_AND_MARK.search(text, begin, end) is not None


_SIGN_AND_MARK: Final = lazy_pattern(rf"(?:{_MARK})[ \t\r\n]{{0,4}},|,[ \t\r\n]{{0,4}}(?:{_MARK})", re.ASCII)


_NAME_OF_WORDS: Final = lazy_pattern(
    rf"([{{,][ \t\r\n]*)({KEY}{{1,{MAX_ATTRIBUTE_CHARS}}}(?:[ /]{KEY}{{1,{MAX_ATTRIBUTE_CHARS}}}){{1,8}})[ ]*:",
    re.ASCII,
)
