"""Prints rows to a terminal or a pipe: a column of labels, a column of text, colour only on terminals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from purestep_hosts.extras import CLI
from purestep_hosts.show.rows import Row, Tone
from purestep_hosts.show.sanitize import one_line, sanitize
from purestep_hosts.show.streams import inner_stream

with CLI:
    from rich.cells import cell_len
    from rich.console import Console
    from rich.padding import Padding
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.status import Status
    from rich.style import Style
    from rich.table import Table
    from rich.text import Text

LABEL_WIDTH = 11
MOST_WORD_CELLS = 24
"""Longer words, such as addresses, are cut in a column: for them alone no table is given up."""
MAX_LIVE_CHARS = 600
MAX_LIVE_LINES = 8
"""The most that a live row shows of a long text: about half a screen. The log holds all of it."""

_BAR = (
    TextColumn("{task.description}", markup=False),
    BarColumn(),
    MofNCompleteColumn(),
    TimeRemainingColumn(),
)
_TONES: dict[Tone, tuple[Style, Style]] = {
    "plain": (Style(color="cyan"), Style()),
    "quiet": (Style(dim=True), Style(dim=True)),
    "good": (Style(color="green"), Style(dim=True)),
    "warning": (Style(color="yellow"), Style()),
    "bad": (Style(color="red", bold=True), Style(bold=True)),
    "strong": (Style(color="cyan", bold=True), Style(bold=True)),
}
"""The styles of label and text by tone."""


class Printer:
    """Prints rows to one console; all text is sanitized here, and never interpreted as markup."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def row(self, row: Row) -> None:
        """Print a row; on a terminal its text wraps in its column, elsewhere it is not wrapped."""
        label, style = _TONES[row.tone]
        name, text = one_line(row.label), sanitize(row.text)
        if not self.console.is_terminal:
            indented = text.replace("\n", "\n" + " " * LABEL_WIDTH)
            self.line(Text(f"{name:<{LABEL_WIDTH}}{indented}"))
            return
        grid = Table.grid(padding=0)
        grid.add_column(width=LABEL_WIDTH, no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(Text(name, label), Text(text, style, overflow="fold"))
        self.console.print(grid)

    def line(self, text: Text | str = "") -> None:
        """Print a line without wrapping; outside of a terminal, unchanged."""
        shown = Text(sanitize(text)) if isinstance(text, str) else Text(sanitize(text.plain), text.style)
        if self.console.is_terminal:
            self.console.print(shown, soft_wrap=True, highlight=False)
            return
        self.console.file.write(f"{shown.plain}\n")
        self.console.file.flush()

    def block(self, text: str) -> None:
        """Print a text in full, indented."""
        if self.console.is_terminal:
            self.console.print(Padding(Text(sanitize(text), overflow="fold"), (0, 0, 0, LABEL_WIDTH)))
        else:
            self.line(Text("\n".join(" " * LABEL_WIDTH + line for line in text.split("\n"))))

    def table(self, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
        """Print rows in columns on a terminal, or below each other on a narrow one, separated by tabs elsewhere.

        No cell has more than one line of its own.
        """
        shown = [tuple(map(one_line, row)) for row in rows]
        if not self.console.is_terminal:
            for row in shown:
                self.line("\t".join(row))
        elif self.console.width < _least_width(heads, shown):
            for first, *others in shown:
                self.line(Text(first, "bold"))
                self.block("; ".join(filter(None, others)))
        else:
            self.console.print(_columns(heads, shown))

    @contextmanager
    def progress(self, what: str, total: int, *, shown: bool = True) -> Iterator[Callable[[], None]]:
        """Show a bar until the end of the block, on a terminal; yields what is called for each thing that is done."""
        bar = Progress(*_BAR, console=self.console, transient=True, disable=not (shown and self.console.is_terminal))
        task = bar.add_task(one_line(what), total=total)
        with bar:
            yield lambda: bar.advance(task)

    def status(self, what: str) -> Status:
        """Return a spinner with a label, which is not started."""
        return self.console.status(Text(one_line(what)), spinner_style="dim")


def _columns(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for number, head in enumerate(heads):
        table.add_column(head, overflow="fold", no_wrap=number == 0)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _least_width(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> int:
    """Return in how many cells the columns fit without a word that is cut, but for words that no column holds."""
    columns = list(zip(heads, *rows, strict=True))
    names = max(map(cell_len, columns[0]))
    words = [
        max(min(cell_len(word), MOST_WORD_CELLS) for cell in column for word in cell.split() or [""])
        for column in columns[1:]
    ]
    return names + sum(words) + 2 * len(columns)


def cut(text: str) -> str:
    """Return the start of a long text, with the number of characters left out."""
    kept = "\n".join(text.split("\n", MAX_LIVE_LINES)[:MAX_LIVE_LINES])[:MAX_LIVE_CHARS]
    left = len(text) - len(kept)
    return f"{kept} … {left:,} characters more in the log" if left else text


def stderr_printer() -> Printer:
    """Return the printer on stderr, for progress and questions."""
    return Printer(Console(file=inner_stream(sys.stderr), highlight=False, markup=False, emoji=False))


def stdout_printer() -> Printer:
    """Return the printer on stdout, for results."""
    return Printer(Console(file=inner_stream(sys.stdout), highlight=False, markup=False, emoji=False))
