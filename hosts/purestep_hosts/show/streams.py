"""The standard streams of the command: whatever is written to them as plain text is sanitized.

The one exception is the styling that the command itself adds: `Printer` and `AnswerWriter` sanitize first, add their
colours and cursor moves after, and write to the stream inside. A traceback, a parser's message, a warning and a thread
that dies write to `sys.stdout` and `sys.stderr` like any other code, and are sanitized there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TextIO, cast

from purestep_hosts.show.sanitize import sanitize

_IS_ASIDE: ContextVar[bool] = ContextVar("is_aside", default=False)


class _SanitizedStream:
    """Sanitizes what is written to a stream; everything else is the stream's own."""

    def __init__(self, inner: TextIO, aside: TextIO | None = None) -> None:
        self.inner = inner
        self._aside = aside
        self._last = ""

    def write(self, text: str) -> int:
        if self._aside is not None and _IS_ASIDE.get():
            return self._aside.write(text)
        self.inner.write(sanitize(text, self._last))
        self._last = text[-1:] or self._last
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def inner_stream(stream: TextIO) -> TextIO:
    """Return the stream inside of a sanitized one, for text that is sanitized already and then styled."""
    return stream.inner if isinstance(stream, _SanitizedStream) else stream


@contextmanager
def stdout_aside() -> Iterator[None]:
    """Have what this thread, or this task, prints to stdout go to stderr: it is foreign code, and no answer."""
    token = _IS_ASIDE.set(True)
    try:
        yield
    finally:
        _IS_ASIDE.reset(token)


@contextmanager
def sanitized_streams() -> Iterator[None]:
    """Sanitize what is written to stdout and stderr for the length of the block."""
    before = sys.stdout, sys.stderr
    sys.stderr = cast("TextIO", _SanitizedStream(sys.stderr))
    sys.stdout = cast("TextIO", _SanitizedStream(sys.stdout, aside=sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
