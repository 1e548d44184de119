"""Writes the answer to stdout: streamed on a terminal, which can clear it again; elsewhere once it is final.

On a terminal its lines are broken between words; a pipe and a file get it unchanged.
"""

from __future__ import annotations

from typing import TextIO

from purestep_hosts.extras import CLI
from purestep_hosts.show.sanitize import sanitize
from purestep_hosts.show.streams import inner_stream
from purestep_hosts.show.wrapping import LineWrapper, wrapped

with CLI:
    from rich.console import Console
    from rich.control import Control
    from rich.segment import ControlType


class AnswerWriter:
    """Writes answers, one after another.

    `live` streams text before it is known to be the answer; it needs a terminal that can clear lines.
    """

    def __init__(self, out: TextIO, *, live: bool) -> None:
        self._out = inner_stream(out)
        self._console = Console(file=self._out)
        can_clear = self.on_terminal and self._console.is_terminal and not self._console.is_dumb_terminal
        self.is_live = live and can_clear
        self._shown = ""
        self._held = ""
        self._lines = LineWrapper()

    @property
    def on_terminal(self) -> bool:
        """Whether the answer goes to a terminal."""
        return self._out.isatty()

    @property
    def is_open(self) -> bool:
        """Whether the line of the text shown so far has no newline yet."""
        return bool(self._shown) and not self._shown.endswith("\n")

    def add(self, text: str) -> None:
        """Show a piece of text that may be the answer."""
        if self.is_live:
            whole = self._held + text
            # A newline after it would make it a line end of Windows, and a keycap an emoji.
            self._held = whole[-1:] if whole.endswith(("\r", "\ufe0f")) else ""
            self._show(whole.removesuffix(self._held))

    def _show(self, text: str) -> None:
        before, self._shown = self._shown[-1:], self._shown + text
        self._write(self._lines.feed(sanitize(text, before), self._width))

    def take_back(self) -> bool:
        """Clear the text shown so far; returns whether all of it was cleared, none having scrolled off the screen."""
        width, height = self._console.size
        rows = self._lines.rows(width)
        above = ((ControlType.CURSOR_UP, 1), (ControlType.ERASE_IN_LINE, 2)) * (min(rows, height) - 1)
        self._console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2), *above))
        self._forget()
        return rows <= height

    def end_line(self) -> None:
        """End the line of the text shown so far; nothing comes any more that what was held back could belong to."""
        held, self._held = self._held.strip(), ""
        if held:
            self._show(held)
        if self.is_open:
            self._shown += "\n"
            self._write(self._lines.flush(self._width) + self._lines.feed("\n", self._width))

    def settle(self, answer: str | None) -> bool:
        """Print the answer unless it was shown already; None when the text shown is not an answer.

        Returns whether text was shown that is not the answer.
        """
        self.end_line()
        streamed = self._shown.strip()
        self._forget()
        if answer is None or streamed == answer.strip():
            self._write("\n" if answer == "" else "")
            return bool(streamed) and answer is None
        text = sanitize(answer).removesuffix("\n")
        self._write("\n".join(wrapped(text, self._width)) + "\n" if self.on_terminal else f"{text}\n")
        return bool(streamed)

    @property
    def _width(self) -> int:
        return self._console.width

    def _forget(self) -> None:
        self._shown = self._held = ""
        self._lines = LineWrapper()

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
