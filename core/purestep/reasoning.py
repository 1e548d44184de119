"""Reasoning, split off before anything else is read: a draft in it is never a call and never an answer.

Source: the `<think>` tags of Qwen, DeepSeek and the models trained after them; a chat template may have opened
the tag already, so a text can also begin inside.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from .jsontext import BLANK
from .reading import Reading, truncated
from .toolspec import Tools

OPEN: Final = "<think>"
CLOSE: Final = "</think>"

_MARK: Final = "think>"
"""What both tags hold: one look tells most texts apart."""

Reader = Callable[[str, Tools | None], Reading]


def read_with_reasoning(read: Reader, text: str, tools: Tools | None) -> Reading:
    """Read a text by a dialect's reader, its reasoning split off first."""
    if _MARK not in text:
        return read(text, tools)
    reasoning, rest = _split(text)
    if reasoning is None:
        return read(text, tools)
    if rest is None:
        return Reading(reasoning=reasoning, problems=(truncated("the reasoning does not end"),))
    return replace(read(rest, tools), reasoning=reasoning)


def _split(text: str) -> tuple[str | None, str | None]:
    """Give the reasoning (None: none at the beginning) and the text behind it (None: it does not end)."""
    begun = text.lstrip(BLANK)
    if not begun.startswith(OPEN):
        # A text that begins as a call or an answer does only mentions the tag.
        inside = CLOSE in begun and begun[:1] not in "{[`" and OPEN not in begun.partition(CLOSE)[0]
        begun = OPEN + begun if inside else ""
    parts: list[str] = []
    while begun.startswith(OPEN):
        inner, close, rest = begun.removeprefix(OPEN).partition(CLOSE)
        parts.append(inner.strip(BLANK))
        if not close:
            return "\n".join(parts), None
        begun = rest.lstrip(BLANK)
    return ("\n".join(parts), begun) if parts else (None, text)
