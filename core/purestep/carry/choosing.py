"""The choice of a tool by a model's scores: the log-probabilities of labels, where the words leave a choice.

Scores come from a host. What is missing, no number, or named otherwise than asked for makes no choice, and the words
decide. Sums are whole numbers, so the same scores choose alike on every host.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

NO_TOOL: Final = ""
"""The id of the choice that stands for an answer without a tool."""
SCORE_SHARE: Final = 500
"""What a nat counts beside the words' score: 300 to 800 chose best among the ties of the tuning sets."""
NEEDED: Final = 2_000
"""Thousandths of a nat by which a tool has to pass \"no tool\" where the words are silent.

Without the condition that the request holds a value, requests of the tuning set without tools came to 3,780, and right
tools to 3,150: then no threshold parts them.
"""
_MOST_NATS: Final = 1_000
"""No two texts differ by more; what a host gives beyond is no log-probability."""


def chosen_among(scores: Mapping[str, Any] | None, rated: Sequence[tuple[str, int]]) -> str | None:
    """Give the best of tools between which the words leave a choice; None without scores.

    rated: each tool with its score by words.
    """
    found = _nats(scores, [tool for tool, _ in rated])
    if found is None:
        return None
    totals = {tool: score * 1000 + found[tool] * SCORE_SHARE for tool, score in rated}
    return min(totals, key=lambda tool: (-totals[tool], tool))


def chosen_of_all(scores: Mapping[str, Any] | None, tools: Sequence[str]) -> str | None:
    """Give the tool that a request without telling words asks for, `NO_TOOL` for none; None without scores."""
    found = _nats(scores, [NO_TOOL, *tools])
    if found is None:
        return None
    best = min(tools, key=lambda tool: (-found[tool], tool))
    return best if found[best] - found[NO_TOOL] > NEEDED else NO_TOOL


def _nats(scores: Mapping[str, Any] | None, ids: Sequence[str]) -> dict[str, int] | None:
    """Give the scores of all ids in thousandths of a nat; None where any is missing or no log-probability."""
    found = {}
    for id_ in ids:
        value = scores.get(id_) if scores is not None else None
        if not isinstance(value, int | float) or isinstance(value, bool) or not -_MOST_NATS <= value <= 0:
            return None
        found[id_] = int(value * 1000)
    return found
