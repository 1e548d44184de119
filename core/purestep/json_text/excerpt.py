"""Excerpts: a value as JSON text for a message, bounded in length and in work, and the same on every host."""

from collections.abc import Iterator
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
    text = ""
    for piece in _pieces(value, limit):
        text += piece
        if len(text) > limit:
            return text[: limit - 1] + "…"
    return text


def _pieces(value: object, limit: int) -> Iterator[str]:
    """Yield the pieces of the text; `pending` holds what is still to be written, the innermost array or object last."""
    pending: list[Iterator[object]] = [iter([value])]
    while pending:
        part = next(pending[-1], pending)
        if part is pending:
            pending.pop()
        elif isinstance(part, _Token):
            yield part
        elif isinstance(part, dict):
            pending.append(_members(part))
        elif isinstance(part, list):
            pending.append(_items(part))
        else:
            yield _scalar(part, limit)


class _Token(str):
    """Punctuation, which is written as it is, unlike a string of the value."""


def _members(value: dict[str, object]) -> Iterator[object]:
    yield _Token("{")
    for place, (name, part) in enumerate(value.items()):
        if place:
            yield _Token(", ")
        yield name
        yield _Token(": ")
        yield part
    yield _Token("}")


def _items(value: list[object]) -> Iterator[object]:
    yield _Token("[")
    for place, part in enumerate(value):
        if place:
            yield _Token(", ")
        yield part
    yield _Token("]")


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
