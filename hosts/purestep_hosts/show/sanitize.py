"""Sanitizes text of models, tools, logs and servers for a terminal: what cannot be seen becomes a visible escape."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from purestep_hosts.show.hidden_characters import BELONGING, HIDDEN, KEYCAPS, STYLES

_Ranges = tuple[tuple[int, int], ...]


def _any_of(*tables: _Ranges) -> re.Pattern[str]:
    ranges = "".join(f"\\U{first:08x}-\\U{last:08x}" for table in tables for first, last in table)
    return re.compile(f"[{ranges}]")


_CANDIDATES = _any_of(HIDDEN, *[characters for characters, _ in BELONGING])
_BELONGING = [(_any_of(characters), _any_of(others)) for characters, others in BELONGING]
_STYLES, _KEYCAPS = _any_of(STYLES), _any_of(KEYCAPS)


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
    return _shown(_json_text(value, indent), "", _json_escape)


def _json_text(value: Any, indent: int | None) -> str:
    """Return the value as JSON with the digits that logs have: the standard encoder writes 1e22 as 1e+22."""
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=indent or 0).decode()
    except (UnicodeError, TypeError, ValueError):
        return json.dumps(value, ensure_ascii=False, indent=indent)  # lone surrogates, which a session file may hold


def _shown(text: str, before: str, escape: Any) -> str:
    def replaced(found: re.Match[str]) -> str:
        start, end = found.span()
        stays = _stays(found[0], text[start - 1] if start else before, text[end : end + 1])
        return found[0] if stays else escape(found[0])

    return _CANDIDATES.sub(replaced, text)


def _stays(character: str, before: str, after: str) -> bool:
    """Return whether a character belongs to the one before it, or makes a keycap of it."""
    if any(characters.match(character) and others.match(before) for characters, others in _BELONGING):
        return True
    return bool(_STYLES.match(character) and _KEYCAPS.match(after))


def _escape(character: str) -> str:
    number = ord(character)
    if number < 0x100:  # noqa: PLR2004 (what two digits hold)
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"  # noqa: PLR2004


def _json_escape(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) != 0x7F else "\\u007f"  # noqa: PLR2004 (DEL, which JSON leaves)
