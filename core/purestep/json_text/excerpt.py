"""Excerpts: a value as JSON text for a message, bounded in length and in work, and the same on every host."""

from collections.abc import Iterable
from typing import Final

from ..bounds import MAX_EXCERPT_CHARS, MAX_SHOWN_BITS

TYPE_PHRASES: Final = {
    "null": "null",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "array": "an array",
    "object": "an object",
}
"""The types of JSON Schema in words."""


def excerpt_of(value: object, limit: int = MAX_EXCERPT_CHARS) -> str:
    """Return the value as JSON, cut to `limit` characters with an ellipsis at the end when it is longer."""
    text = _shown(value, limit)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _shown(value: object, room: int) -> str:
    """Return the value as JSON, or more than `room` of its first characters; each level inside has less room."""
    if isinstance(value, dict):
        members = ((f"{_scalar(name, room)}: ", part) for name, part in value.items())
        return _listed("{", members, "}", room)
    if isinstance(value, list):
        return _listed("[", (("", part) for part in value), "]", room)
    return _scalar(value, room)


def _listed(opener: str, parts: Iterable[tuple[str, object]], closer: str, room: int) -> str:
    text = opener
    for place, (name, part) in enumerate(parts):
        text += (", " if place else "") + name
        if len(text) > room:
            return text
        text += _shown(part, room - len(text))
    return text + closer


def _scalar(value: object, limit: int) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if value.bit_length() <= MAX_SHOWN_BITS else f"of {value.bit_length()} bits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        # One character more than is shown, so that the caller sees that there is more.
        return f'"{_escaped(value[: limit + 1])}"'
    return f"a Python {type(value).__name__}"


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES).encode("utf-8", "backslashreplace").decode()


_ESCAPES: Final = {code: f"\\u{code:04x}" for code in range(0x20)} | {
    ord('"'): '\\"',
    ord("\\"): "\\\\",
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
}
