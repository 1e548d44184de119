"""Gemma's calls: `call:NAME{key:value}`, with strings between marks of their own in which nothing is escaped.

Such a string may hold anything, its own mark too: it ends at the mark after which an object or a list can go on.
Sources: the chat templates of Gemma 4 and FunctionGemma.
"""

import re
from typing import Final

from purestep.bounds import MAX_ATTRIBUTE_CHARS, MAX_CALL_BLANKS, MAX_SHORT_NAME_CHARS, MAX_TOOL_NAME_CHARS
from purestep.dialects import arguments_shape, guessed, plain_name
from purestep.json_text import BLANK, NOT_BLANK, encode_sorted, repair_json
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, KEY, name_up_to
from purestep.scanner import AMBIGUOUS, CUT, Block, BlockResult, RawValues
from purestep.values import ReadCall, Tools, parse_error

from .json_calls import UNFIT, has_all, noted, read_block

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
    rf"[ \t\r\n,]*+(?:call(?![^ \t:]))?[ \t]*+:?[ \t]*+({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)}+)[ \t\r\n]*+([{{(])",
    re.ASCII,
)
_GEMMA_OWN: Final = ("a name stood without quotes", "a string stood without quotes")


def read_gemma(block: Block, tools: Tools | None) -> BlockResult:
    """Read `call:NAME{key:value}` with Gemma's own quotes; parentheses, `=` and other quotes are read too."""
    found = _GEMMA.match(block.inner)
    if found is None:
        if "{" in block.inner:
            return read_block(block, tools)
        return BlockResult(problems=(UNFIT if block.closed else CUT,))
    name = plain_name(found[1], tools)
    inner = _with_json_strings(_with_quoted_keys("{" + block.inner[found.end() :])[1:])
    if inner is None:
        return BlockResult(problems=(AMBIGUOUS if block.closed else CUT,))
    body = "{" + (_parenthesis_off(inner) if found[2] == "(" else inner)
    loose = repair_json(body, bare=True, shape=arguments_shape(tools, name), closed=block.closed)
    if loose is None or not isinstance(loose.value, dict):
        return BlockResult(problems=(parse_error(f'the arguments of "{name}" cannot be read'),))
    if body[loose.end :].strip(BLANK + "})"):
        return BlockResult(problems=(AMBIGUOUS,))
    params = loose.value
    if loose.cut and not block.closed and (loose.guesses or not has_all(name, params, tools)):
        return BlockResult(problems=(CUT,))
    if loose.guesses:
        return BlockResult(problems=(guessed(name, loose),))
    notes = tuple(note for note in noted(loose) if note.message not in _GEMMA_OWN)
    return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)


def _parenthesis_off(text: str) -> str:
    body = text.rstrip(BLANK + "}")
    return body.removesuffix(")") + "}" if body.endswith(")") else body


def _with_json_strings(text: str) -> str | None:
    """Return the text with the strings between Gemma's marks as JSON writes them, None where the last has no end."""
    parts: list[str] = []
    at = 0
    while mark := PAIRS.tags.search(text, at):
        end = _string_end(text, mark[0], mark.end())
        if end is None:
            return None
        parts += [text[at : mark.start()], encode_sorted(text[mark.end() : end]).decode()]
        at = end + len(mark[0])
    return "".join([*parts, text[at:]])


def _string_end(text: str, mark: str, at: int) -> int | None:
    while (end := text.find(mark, at)) >= 0:
        at = end + len(mark)
        following = NOT_BLANK.search(text, at)
        if following is None or PAIRS.following.match(text, following.start()):
            return end
    return None


_QUOTE: Final = '<|"|>'
_KEY_OF_WORDS: Final = lazy_pattern(
    rf"([{{,][ \t\r\n]*)({KEY}{{1,{MAX_ATTRIBUTE_CHARS}}}(?:[ /]{KEY}{{1,{MAX_ATTRIBUTE_CHARS}}}){{1,8}})[ ]*:",
    re.ASCII,
)


def _with_quoted_keys(body: str) -> str:
    """Return arguments with the keys quoted that have blanks or slashes in them; strings stay as they are."""
    parts = body.split(_QUOTE)
    if not any(quote in part for part in parts[::2] for quote in "\"'"):
        parts[::2] = [_KEY_OF_WORDS.sub(r'\1"\2":', part) for part in parts[::2]]
    return _QUOTE.join(parts)
