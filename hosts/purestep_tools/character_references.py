"""Decodes HTML's character references, such as `&eacute;` and `&#233;`, as browsers do in text.

Source: WHATWG HTML, 13.2.5.72 to 13.2.5.80.
"""

from __future__ import annotations

import re
from functools import cache

from purestep_tools.named_characters import LEGACY_NAMES, NAMED_CHARACTERS

_REFERENCE = re.compile(r"&(?:#([0-9]+)|#[xX]([0-9a-fA-F]+)|([A-Za-z][A-Za-z0-9]{1,31}));?")
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_LAST_CODE_POINT = 0x10FFFF
# No valid number is longer, not counting leading zeros.
_MAX_DIGITS = 7
# Pages written on Windows mean Windows-1252 by these.
_FIRST_WINDOWS, _WINDOWS = (
    0x80,
    "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f"
    "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178",
)
# Control characters and noncharacters of Unicode are not text.
_NOT_TEXT = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f\ufdd0-\ufdef]|[\ufffe\uffff]")
_SURROGATES = range(0xD800, 0xE000)


def unescaped(text: str) -> str:
    """Return `text` with its character references decoded; other text is unchanged."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    decimal, hexadecimal, name = found.groups()
    if name is not None:
        return _named(name, found[0])
    return _numbered(decimal, 10) if hexadecimal is None else _numbered(hexadecimal, 16)


def _numbered(digits: str, base: int) -> str:
    digits = digits.lstrip("0")
    number = int(digits or "0", base) if len(digits) <= _MAX_DIGITS else _LAST_CODE_POINT + 1
    if number == 0 or number in _SURROGATES or number > _LAST_CODE_POINT:
        return _UNKNOWN
    if 0 <= number - _FIRST_WINDOWS < len(_WINDOWS):
        return _WINDOWS[number - _FIRST_WINDOWS]
    return "" if number & 0xFFFE == 0xFFFE else _NOT_TEXT.sub("", chr(number))  # noqa: PLR2004 - the last two of a plane


def _named(name: str, reference: str) -> str:
    """Return the characters of a name, or of its longest prefix that needs no semicolon."""
    characters, legacy = _table()
    if reference.endswith(";") and name in characters:
        return characters[name]
    for end in range(len(name), 1, -1):
        if name[:end] in legacy:
            return characters[name[:end]] + reference[1 + end :]
    return reference


@cache
def _table() -> tuple[dict[str, str], frozenset[str]]:
    """Return the characters by name, and the names that need no semicolon; built on first use."""
    words = iter(NAMED_CHARACTERS.split(" "))
    return {name: _characters(next(words)) for name in words}, frozenset(LEGACY_NAMES.split(" "))


def _characters(numbers: str) -> str:
    return "".join(chr(int(number, 16)) for number in numbers.split("+"))
