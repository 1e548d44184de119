"""What a call tells while it runs: how far it is, or a line of a log. It is shown, and is no part of a run's log."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

import msgspec

_MAX_TEXT_CHARS: Final = 300
"""A note is a line on a screen; results have room for more."""

_BURST: Final = 20
_A_SECOND: Final = 5.0
"""Notes of one call: some at once, then as many as a person can follow."""


class CallNote(msgspec.Struct, frozen=True, kw_only=True):
    """One note. `done` of `total` say how far the call is; `level` is the log's, None for one about the progress.

    `left_out` counts the notes before it that came too fast to be shown.
    """

    text: str = ""
    level: str | None = None
    done: float | None = None
    total: float | None = None
    left_out: int = 0


TakeNote = Callable[[CallNote], None]


class NoteLimit:
    """Passes on the notes of one call, plain and no faster than they can be read."""

    def __init__(self, take: TakeNote | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Pass on to `take`, or drop all. clock: gives seconds."""
        self._take = take
        self._clock = clock
        self._room = float(_BURST)
        self._at = clock()
        self._left_out = 0

    def tell(self, note: CallNote) -> None:
        """Pass a note on, or count it as left out; may be called in any thread."""
        if self._take is None:
            return
        now = self._clock()
        self._room = min(float(_BURST), self._room + (now - self._at) * _A_SECOND)
        self._at = now
        if self._room < 1:
            self._left_out += 1
            return
        self._room -= 1
        left_out, self._left_out = self._left_out, 0
        self._take(
            CallNote(
                text=plain_line(note.text),
                level=note.level,
                done=_finite(note.done),
                total=_finite(note.total),
                left_out=left_out,
            )
        )


def plain_line(text: str) -> str:
    """Return a text as one line without what is no text for a screen, cut to a length."""
    found = " ".join("".join(c if c.isprintable() else " " for c in text[: 2 * _MAX_TEXT_CHARS]).split())
    return found if len(found) <= _MAX_TEXT_CHARS else f"{found[:_MAX_TEXT_CHARS]}…"


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None
