"""Rows on a terminal or in a pipe: labels in one column, text beside it, colour only where it is wanted."""

from __future__ import annotations

import sys

from purestep_hosts.extras import CLI
from purestep_hosts.show.rows import Row, Tone

with CLI:
    from rich.console import Console
    from rich.padding import Padding
    from rich.style import Style
    from rich.table import Table
    from rich.text import Text

LABEL_WIDTH = 11
MAX_LIVE_CHARS = 600
MAX_LIVE_LINES = 8
"""What a live row shows of a long text: about half a screen; the log holds all of it."""

_TONES: dict[Tone, tuple[Style, Style]] = {
    "plain": (Style(color="cyan"), Style()),
    "quiet": (Style(dim=True), Style(dim=True)),
    "good": (Style(color="green"), Style(dim=True)),
    "warning": (Style(color="yellow"), Style()),
    "bad": (Style(color="red", bold=True), Style(bold=True)),
    "strong": (Style(color="cyan", bold=True), Style(bold=True)),
}
"""The styles of label and text, by tone."""


class Page:
    """Writes rows to one console; text is never read as markup."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def row(self, row: Row) -> None:
        """Write a row; its text wraps beside its label on a terminal and is left as it is elsewhere."""
        label, style = _TONES[row.tone]
        if not self.console.is_terminal:
            text = row.text.replace("\n", "\n" + " " * LABEL_WIDTH)
            self.line(Text(f"{row.label:<{LABEL_WIDTH}}{text}"))
            return
        grid = Table.grid(padding=0)
        grid.add_column(width=LABEL_WIDTH, no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(Text(row.label, label), Text(row.text, style, overflow="fold"))
        self.console.print(grid)

    def line(self, text: Text | str = "") -> None:
        """Write a line, unwrapped; where no terminal is, exactly as it is."""
        if self.console.is_terminal:
            self.console.print(text, soft_wrap=True, markup=False, highlight=False)
            return
        self.console.file.write(f"{text.plain if isinstance(text, Text) else text}\n")
        self.console.file.flush()

    def block(self, text: str) -> None:
        """Write a text in full, set in, for exact reading."""
        if self.console.is_terminal:
            self.console.print(Padding(Text(text, overflow="fold"), (0, 0, 0, LABEL_WIDTH)))
        else:
            self.line(Text("\n".join(" " * LABEL_WIDTH + line for line in text.split("\n"))))


def cut(text: str) -> str:
    """Return the beginning of a long text, with the number of characters left out."""
    kept = "\n".join(text.split("\n", MAX_LIVE_LINES)[:MAX_LIVE_LINES])[:MAX_LIVE_CHARS]
    left = len(text) - len(kept)
    return f"{kept} … {left:,} characters more in the log" if left else text


def talk() -> Page:
    """Return the page on stderr: talk, not results."""
    return Page(Console(stderr=True, highlight=False, markup=False, emoji=False))


def paper() -> Page:
    """Return the page on stdout: what was asked for."""
    return Page(Console(file=sys.stdout, highlight=False, markup=False, emoji=False))
