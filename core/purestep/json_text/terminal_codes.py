"""Terminal codes: the colours, links and cursor moves that programs write between their words for a terminal.

A terminal shows none of them, so "\\x1b[32m42\\x1b[0m" says 42. The forms are those of ECMA-48, and of links and
titles.
"""

import re
from functools import cache
from typing import Any


@cache
def _codes() -> "re.Pattern[str]":
    """Return the pattern of one code; one that does not end is no more than its first two characters."""
    control, text = r"\[[0-?]*[ -/]*[@-~]", r"\][^\x07\x1b]*(?:\x07|\x1b\\)"
    return re.compile(rf"\x1b(?:{control}|{text}|[ -/]*[0-~])", re.ASCII)


def without_terminal_codes(text: str) -> str:
    """Return a text as a terminal shows it; one without codes is returned as it is."""
    return _codes().sub("", text) if "\x1b" in text else text


def plain_value(value: Any) -> Any:
    """Return a JSON value whose texts are as a terminal shows them; names stay."""
    match value:
        case str():
            return without_terminal_codes(value)
        case dict():
            return {name: plain_value(member) for name, member in value.items()}
        case list():
            return [plain_value(item) for item in value]
        case _:
            return value
