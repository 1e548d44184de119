"""Reasoning that a provider sends beside the text, in the members that servers have for it."""

from typing import Any, Final

REASONING_TEXTS: Final = ("reasoning_content", "reasoning")
"""Members of a message that are text."""

REASONING_LISTS: Final = ("reasoning_details", "thinking_blocks")
"""Members of a message that are lists of typed parts."""

READABLE: Final = ("text", "summary", "thinking")
"""Members of such a part that people can read."""


def reasoning_beside(extra: Any) -> str:
    """Return the reasoning in what a provider sent beside the text, once: the same may come under several names.

    extra: any JSON value. What is encrypted or signed is no text.
    """
    if not isinstance(extra, dict):
        return ""
    texts = (text for name in REASONING_TEXTS if isinstance(text := extra.get(name), str))
    lists = (_of_parts(parts) for name in REASONING_LISTS if isinstance(parts := extra.get(name), list))
    return next((text for found in (texts, lists) for text in found if text), "")


def _of_parts(parts: list[Any]) -> str:
    items = (item for part in parts if isinstance(part, dict) for item in part.items())
    return "".join([text for name, text in items if name in READABLE and isinstance(text, str)])
