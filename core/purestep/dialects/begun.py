"""The beginning of a literal, as an expression: what a streamed text may end in that becomes a marker."""

import re


def begun(literal: str) -> str:
    """Give the expression for all beginnings of a literal, itself among them; never for no text."""
    inner = ""
    for char in reversed(literal[1:]):
        inner = f"(?:{re.escape(char)}{inner})?"
    return re.escape(literal[0]) + inner
