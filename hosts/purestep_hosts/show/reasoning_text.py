"""The reasoning of one output as a row: folded to its first words, or whole."""

from __future__ import annotations

from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line

_FOLDED_CHARS = 36
"""What is shown of folded reasoning: with its length it stays on one line of 80 columns."""


class ReasoningText:
    """Collects the reasoning of an output until it ends."""

    def __init__(self, *, whole: bool) -> None:
        """`whole` shows all of it, else the first words and the length."""
        self.chars = 0
        self._whole = whole
        self._parts: list[str] = []

    def add(self, text: str) -> None:
        """Add a piece."""
        self._parts.append(text)
        self.chars += len(text)

    def take(self) -> Row | None:
        """Return the row of what was collected, and begin anew; None where there was nothing to read."""
        text = "".join(self._parts)
        self._parts.clear()
        self.chars = 0
        return reasoning_row(text, whole=self._whole)


def reasoning_row(reasoning: str, *, whole: bool) -> Row | None:
    """Return the row of an output's reasoning; None where there is nothing to read."""
    text = reasoning.strip()
    if not text:
        return None
    return Row("reasoning", text if whole else _folded(text), "quiet")


def _folded(text: str) -> str:
    words = one_line(" ".join(text.split()))
    if len(words) <= _FOLDED_CHARS:
        return words
    begin = words[:_FOLDED_CHARS].rpartition(" ")[0] or words[:_FOLDED_CHARS]
    return f"{begin} … {len(text):,} characters (--reasoning)"
