"""The answer on stdout: as it comes where it is streamed, once in any case."""

from __future__ import annotations

from typing import TextIO

from purestep_hosts.show.safe import safe


class Answer:
    """Writes one answer after the other; `live` writes text as it comes, before it is certain to be the answer."""

    def __init__(self, out: TextIO, *, live: bool) -> None:
        self._out = out
        self.is_live = live
        self._shown = ""

    @property
    def on_terminal(self) -> bool:
        """Whether the answer goes to a terminal."""
        return self._out.isatty()

    @property
    def is_open(self) -> bool:
        """Whether text stands on a line that has not ended."""
        return bool(self._shown) and not self._shown.endswith("\n")

    def add(self, text: str) -> None:
        """Show a piece of text that may be the answer."""
        if self.is_live:
            self._shown += text
            self._write(safe(text))

    def end_line(self) -> None:
        """End the line of the text shown so far, for others to write."""
        if self.is_open:
            self._shown += "\n"
            self._write("\n")

    def settle(self, answer: str | None) -> bool:
        """End with the answer, printed now unless it was shown; None when the text shown was none.

        Returns whether text was shown that is not the answer.
        """
        streamed = self._shown.strip()
        self.end_line()
        self._shown = ""
        if answer is None or streamed == answer.strip():
            self._write("\n" if answer == "" else "")
            return bool(streamed) and answer is None
        self._write(safe(answer).removesuffix("\n") + "\n")
        return bool(streamed)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
