"""Sanitizes text of models, tools, logs and servers for a terminal: what cannot be seen becomes a visible escape."""

from __future__ import annotations

import json
import re
from typing import Any

from purestep_hosts.show.hidden_characters import HIDDEN, JOINED, JOINERS, VARIATIONS

_Ranges = tuple[tuple[int, int], ...]


def _members(*tables: _Ranges) -> str:
    """Return the inside of a character class."""
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for table in tables for first, last in table)


_CANDIDATES = re.compile(f"[{_members(HIDDEN, JOINERS, VARIATIONS)}]")
_JOINER = re.compile(f"[{_members(JOINERS)}]")
_VARIATION = re.compile(f"[{_members(VARIATIONS)}]")
_JOINED = re.compile(f"[{_members(JOINED)}]")


def sanitize(text: str, before: str = "") -> str:
    r"""Return the text with control, bidirectional and invisible characters as escapes such as `\x1b`.

    Tab and newline stay, and the line ends of Windows become newlines. `before` is the character shown just before the
    text, for text that comes in pieces.
    """
    return _shown(text.replace("\r\n", "\n"), before, _escape)


def one_line(text: str) -> str:
    """Return the text sanitized, with each run of white space as one space."""
    return " ".join(sanitize(text).split())


def sanitized_json(value: Any, indent: int | None = None) -> str:
    """Return the value as JSON with such characters escaped; it decodes to the same value."""
    return _shown(json.dumps(value, ensure_ascii=False, indent=indent), "", _json_escape)


def _shown(text: str, before: str, escape: Any) -> str:
    def replaced(found: re.Match[str]) -> str:
        start = found.start()
        return found[0] if _stays(found[0], text[start - 1] if start else before) else escape(found[0])

    return _CANDIDATES.sub(replaced, text)


def _stays(character: str, before: str) -> bool:
    """Return whether a joiner or variation selector belongs to the character before it."""
    if _JOINER.match(character):
        return _JOINED.match(before) is not None
    return _VARIATION.match(character) is not None and not before.isspace() and bool(_CANDIDATES.sub("", before))


def _escape(character: str) -> str:
    number = ord(character)
    if number < 0x100:  # noqa: PLR2004 (what two digits hold)
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"  # noqa: PLR2004


def _json_escape(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) != 0x7F else "\\u007f"  # noqa: PLR2004 (DEL, which JSON leaves)
