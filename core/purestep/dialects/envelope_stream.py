"""The answer inside of a final envelope, character by character, while the envelope still comes."""

import re
from typing import Final

from ..bounds import MAX_ENVELOPE_HEAD_CHARS
from ..json_text import UNREADABLE, read_json

_B: Final = r"[ \t\r\n]*"
_HEAD: Final = re.compile(rf'{_B}\{{{_B}"kind"{_B}:{_B}"final"{_B},{_B}"content"{_B}:{_B}"', re.ASCII)

_TAUGHT: Final = '{"kind":"final","content":"'
_BLANKS: Final = re.compile("[ \t\r\n]+")

_PLAIN: Final = re.compile(r'[^"\\]+')
_ESCAPE: Final = re.compile(
    r'\\(?:["\\/bfnrt]|u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|u(?![dD][89abAB])[0-9a-fA-F]{4})', re.ASCII
)
_MAX_ESCAPE: Final = 12
"""Characters of the longest escape: a surrogate pair."""


def head_end(head: str) -> int | None:
    """Give where an answer's content begins, -1 when none does, None while that is open."""
    begun = head[:MAX_ENVELOPE_HEAD_CHARS]
    found = _HEAD.match(begun)
    if found:
        return found.end()
    return None if len(head) < MAX_ENVELOPE_HEAD_CHARS and _TAUGHT.startswith(_BLANKS.sub("", begun)) else -1


def content_of(text: str) -> tuple[str, int, bool]:
    """Give the answer's characters up to its closing quote, escapes decoded once whole; where, and whether it ended."""
    shown: list[str] = []
    at = 0
    while found := _PLAIN.match(text, at) or _ESCAPE.match(text, at):
        shown.append(found[0] if found[0][0] != "\\" else _decoded(found[0]))
        at = found.end()
    return "".join(shown), at, text.startswith('"', at) or len(text) - at >= _MAX_ESCAPE


def _decoded(escape: str) -> str:
    value = read_json(f'"{escape}"')
    return value if value is not UNREADABLE and isinstance(value, str) else "\ufffd"
