"""Find and read JSON in a model's text: whole, fenced, amid prose, or without its closing brackets.

One linear pass finds the outermost brackets. Quotes begin strings only inside them, so quotes and backticks in prose
do no harm.
"""

import re
from typing import Any, Final

import msgspec
from msgspec import Struct

from ..bounds import MAX_DEPTH, MAX_RESTARTS, MAX_VALUE_DEPTH
from ..lazy import lazy_pattern
from .canonical import plain_numbers
from .codec import clean_text, replace_lone_surrogates, within_bounds

_TOKEN: Final = lazy_pattern(r'["{}\[\]]')
_STRING_END: Final = lazy_pattern(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_OPENING: Final = lazy_pattern(r"[{\[]")
_CLOSER: Final = {"{": "}", "[": "]"}

BLANK: Final = " \t\n\r"
"""JSON's own whitespace; what else str.strip() removes differs between Unicode versions."""

WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What Python or JavaScript removes at the ends of a text: one of nothing else is empty to the servers written in them.

Source: Python's str.strip, with Unicode's White_Space; ECMA-262, String.prototype.trim.
"""

NOT_BLANK: Final = lazy_pattern(r"[^ \t\r\n]")
"""A character that is not JSON's whitespace."""


class Unreadable(Struct, frozen=True):
    """Marks text that is not one JSON value; `None` cannot, since it is the value null."""


UNREADABLE: Final = Unreadable()


class Found(Struct, frozen=True):
    """A bracketed stretch of a text that may be one JSON value.

    `start` and `end` are offsets in characters, end exclusive; `missing` holds the closing brackets it lacks.
    """

    start: int
    end: int
    missing: str = ""


def read_json(text: str) -> Any:
    """Return the value of a JSON text, UNREADABLE for any other; numbers are those of canonical JSON.

    An object that gives a name twice is none: nobody knows which of the values was meant.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = clean_text(text).encode()
    # A value nested past the bound has two brackets for each level.
    if len(data) > 2 * MAX_VALUE_DEPTH and not within_bounds(data, MAX_VALUE_DEPTH):
        return UNREADABLE
    try:
        value = _decode(data)
    except (msgspec.MsgspecError, RecursionError):
        value = _read_slowly(data)
    return UNREADABLE if gives_twice(text, value) else value


_NAME: Final = lazy_pattern(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"(?:[ \t\r\n]*+(:))?)?', re.DOTALL)


def gives_twice(text: str, value: Any) -> bool:
    """Whether an object in a JSON text gives a name twice; value: what the text was decoded to."""
    colons, members, within = text.count(":"), 0, [value]
    for each in within:  # it grows while it is read
        kind = type(each)
        if kind is dict:
            members += len(each)
            if members >= colons:  # each member has one, so there are no others; most end here, with little looked at
                return False
            within += each.values()
        elif kind is list:
            within += each
    return colons > members and sum(1 for found in _NAME.finditer(text) if found[1]) > members


def _read_slowly(data: bytes) -> Any:
    """Read bytes that the decoder refused; only lone surrogates are repaired here."""
    if b"\\u" not in data:
        return UNREADABLE
    try:
        return _decode(replace_lone_surrogates(data))
    except (msgspec.MsgspecError, RecursionError):
        return UNREADABLE


def _number(literal: str) -> float | int:
    """Return the number of a literal with a fraction or exponent; raises ValueError past the range of a double."""
    value = plain_numbers(float(literal))
    if value in _INFINITE:
        raise ValueError(literal)
    number: float | int = value
    return number


_INFINITE: Final = (float("inf"), float("-inf"))
_decode: Final = msgspec.json.Decoder(float_hook=_number).decode  # eager: as in `codec`


def find_json(text: str, start: int = 0) -> Found | None:
    """Return the first outermost bracketed stretch at or after `start` (characters); None without a bracket.

    A stray bracket of prose that never closes is skipped, a bounded number of times. One that begins as JSON does is
    not skipped: a part of a cut value must not be taken for the value.
    """
    first_open: Found | None = None
    for _ in range(MAX_RESTARTS):
        found = _stretch(text, start)
        if found is None or not found.missing or _VALUE_START.match(text, found.start):
            return found or first_open
        first_open = first_open or found
        start = found.start + 1
    return first_open


_VALUE_START: Final = lazy_pattern(r"""\{[ \t\r\n]*["'}]|\[[ \t\r\n]*[{\["']""")


def _stretch(text: str, start: int) -> Found | None:
    begin = _next_open(text, start)
    if begin < 0:
        return None
    stack: list[str] = []
    at = begin
    while token := _TOKEN.search(text, at):
        at = token.end()
        mark = token[0]
        if mark == '"':
            end = _STRING_END.match(text, at)
            if end is None:
                break
            at = end.end()
        elif mark in _CLOSER:
            stack.append(_CLOSER[mark])
            if len(stack) > MAX_DEPTH:
                break
        elif mark == stack[-1]:
            stack.pop()
            if not stack:
                return Found(begin, at)
        else:
            break
    return Found(begin, len(text), "".join(reversed(stack)))


def _next_open(text: str, start: int) -> int:
    found = _OPENING.search(text, start)
    return found.start() if found else -1


_COMPLETE_END: Final = lazy_pattern(r'(?:["}\]]|true|false|null)$', re.ASCII)


def close_json(text: str, found: Found) -> Any:
    """Return the value of a stretch after its missing closing brackets are added, or UNREADABLE where that is not safe.

    Safe means that the text ends with a complete value: a number at the very end may be cut, and so may a key.
    """
    body = text[found.start : found.end].rstrip(BLANK)
    if not found.missing or not _COMPLETE_END.search(body):
        return UNREADABLE
    return read_json(body + found.missing)
