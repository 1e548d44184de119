"""Faults in rules of history: a pin goes, an old exchange stays, or one goes too early."""

from typing import Final

from .mutant import Mutant

_SIZES: Final = "window/history.py"
_RULES: Final = "draft/history.py"

HISTORY: Final = (
    Mutant(
        "pinned-message-goes",
        "history",
        _SIZES,
        "if part.end > boundary or part.begin in sent.pinned]",
        "if part.end > boundary]",
    ),
    Mutant(
        "old-exchanges-stay",
        "history",
        _RULES,
        "if len(history.exchanges) <= keep + slack:",
        "if len(history.exchanges) <= keep + slack + 9:",
    ),
    Mutant(
        "latest-exchange-goes",
        "history",
        _RULES,
        "boundary = history.exchanges[-keep]",
        "boundary = draft.next_index",
    ),
    Mutant(
        "pin-is-not-noted",
        "history",
        _RULES,
        "if pinned or (rules.pin and not earlier):",
        "if pinned or (rules.pin and earlier):",
    ),
)
