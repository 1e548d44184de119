"""Sanitizes text of models and tools for a terminal.

Control characters and escape sequences could move the cursor, change the title or hide a command; bidirectional
marks could make one call look like another. Both become visible escapes.
"""

from __future__ import annotations

import json
import re
from typing import Any

_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
# Direction marks and overrides, separators, invisible fillers and tags. Joiners stay: scripts and emoji need them.
_HIDDEN = r"\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
_UNSAFE = re.compile(rf"[{_CONTROLS}{_HIDDEN}\ud800-\udfff]")


def sanitize(text: str) -> str:
    r"""Return the text with control characters such as `\x1b` escaped, but tab and newline, and no carriage returns."""
    return _UNSAFE.sub(_escaped, text.replace("\r", ""))


def one_line(text: str) -> str:
    """Return the text sanitized, with each run of white space as one space."""
    return " ".join(sanitize(text).split())


def sanitized_json(value: Any, indent: int | None = None) -> str:
    """Return the value as JSON with such characters escaped; it decodes to the same value."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSAFE.sub(_json_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number < 0x100:  # noqa: PLR2004 (what two digits hold)
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"  # noqa: PLR2004


def _json_escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1] if ord(found[0]) != 0x7F else "\\u007f"  # noqa: PLR2004 (DEL, which JSON leaves)
