"""Prints rows to a terminal or a pipe: a column of labels, a column of text, colour only on terminals.

The rows of a run have marks instead of labels on a terminal, so that they fit a narrow one and the answer stands out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate

from purestep_hosts.extras import CLI
from purestep_hosts.show.rows import Row, Tone
from purestep_hosts.show.sanitize import one_line, sanitize
from purestep_hosts.show.streams import inner_stream
from purestep_hosts.show.wrapping import wrapped

with CLI:
    from rich.cells import cell_len, chop_cells
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

_MARK_WIDTH = 2
_MARKS = {"call": "\u2022", "check": "\u2022", "skill": "\u2022", "run this?": "?"}
_TONE_MARKS: dict[Tone, str] = {"warning": "!", "bad": "!"}
_SHOWN_BY_PLACE = frozenset(("call", "check", "skill", "result", "model", "says", "done", "spent", "chat"))
"""The labels that a marked row goes without: the mark, the place and the style say it."""


class Printer:
    """Prints rows to one console; all text is sanitized here, and never interpreted as markup."""

    def __init__(self, console: Console, *, marked: bool = False) -> None:
        """Print to the console; `marked` rows have a mark on a terminal where others have their label."""
        self.console = console
        self._is_marked = marked

    def row(self, row: Row) -> None:
        """Print a row; on a terminal its text wraps in its column, elsewhere it is not wrapped."""
        label, style = _TONES[row.tone]
        name, text = one_line(row.label), sanitize(row.text)
        if not self.console.is_terminal:
            indented = text.replace("\n", "\n" + " " * LABEL_WIDTH)
            self.line(Text(f"{name:<{LABEL_WIDTH}}{indented}"))
        elif self._is_marked:
            self._marked_row(row, Text(text, style))
        else:
            self._columns(Text(name, label), LABEL_WIDTH, Text(text, style))

    def _marked_row(self, row: Row, text: Text) -> None:
        label, _ = _TONES[row.tone]
        name = one_line(row.label)
        mark = _MARKS.get(name) or _TONE_MARKS.get(row.tone, "")
        if not self.console.encoding.startswith("utf") and not mark.isascii():
            mark = "*"
        if name == "result":
            text.stylize(Style(dim=True))
        elif name in _MARKS:
            text.stylize(Style(bold=True), 0, (text.plain + " ").index(" "))
        if (name, text.plain) == ("changed", "nothing"):
            text = Text("nothing was changed", text.style)
        elif name and name not in _SHOWN_BY_PLACE:
            text = Text.assemble((name, label), "  ", text)
        self._columns(Text(mark, label), _MARK_WIDTH, text)

    def listed(self, rows: Sequence[Row]) -> None:
        """Print rows as a list: their labels are names, and stand in a column."""
        width = max([LABEL_WIDTH, *[cell_len(row.label) + 2 for row in rows]])
        for row in rows:
            if self.console.is_terminal and self.console.width >= width + MOST_WORD_CELLS:
                self._columns(Text(f"  {one_line(row.label)}", _TONES[row.tone][0]), width, Text(sanitize(row.text)))
            else:
                self.row(row)

    def _columns(self, head: Text, width: int, text: Text) -> None:
        """Print a text that wraps beside what stands before its first line."""
        left = max(1, self.console.width - width)
        lines = lines_of(text, left)
        for number, line in enumerate(lines):
            before = Text.assemble(head, " " * (width - cell_len(head.plain))) if number == 0 else Text(" " * width)
            self.console.print(before + line, soft_wrap=True, highlight=False)

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
            indent = 2 * _MARK_WIDTH if self._is_marked else LABEL_WIDTH
            self.console.print(Padding(Text(sanitize(text), overflow="fold"), (0, 0, 0, indent)))
        else:
            self.line(Text("\n".join(" " * LABEL_WIDTH + line for line in text.split("\n"))))

    def question(self, text: str) -> None:
        """Print what is typed after, without ending the line."""
        indent = " " * _MARK_WIDTH if self._is_marked and self.console.is_terminal else ""
        shown = "\n".join(wrapped(f"{indent}{text}", self.console.width))
        self.console.print(Text(f"{shown} ", "bold"), end="", soft_wrap=True)
        self.console.file.flush()

    def table(self, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], *, is_named: bool = False) -> None:
        """Print rows in columns on a terminal, or below each other on a narrow one, separated by tabs elsewhere.

        No cell has more than one line of its own. is_named: the heads are printed elsewhere too.
        """
        shown = [tuple(map(one_line, row)) for row in rows]
        if not self.console.is_terminal:
            for row in [heads, *shown] if is_named else shown:
                self.line("\t".join(row))
        elif self.console.width < _least_width(heads, shown):
            for first, *others in shown:
                self.line(Text(first, "bold"))
                self.block("; ".join(filter(None, others)))
        else:
            self.console.print(_table(heads, shown, self.console.width))

    @contextmanager
    def progress(self, what: str, total: int, *, shown: bool = True) -> Iterator[Callable[[], None]]:
        """Show a bar until the end of the block, on a terminal; yields what is called for each thing that is done."""
        bar = Progress(
            *_BAR, console=self.console, transient=True, disable=not (shown and shows_progress(self.console))
        )
        task = bar.add_task(one_line(what), total=total)
        with bar:
            yield lambda: bar.advance(task)

    def status(self, what: str) -> Status:
        """Return a spinner with a label, which is not started."""
        return self.console.status(Text(one_line(what)), spinner_style="dim")


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for head, cells in zip(heads, _widths(heads, rows, width), strict=True):
        table.add_column(head, overflow="fold", width=cells)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _least_width(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> int:
    """Return in how many cells the columns fit without a word that is cut, but for words that no column holds."""
    return sum(_word_widths(heads, rows)) + 2 * len(heads)


def _word_widths(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[int]:
    """Return how many cells the names take, and the longest word of each other column, as far as one is not cut."""
    names, *others = zip(heads, *rows, strict=True)
    words = [[min(cell_len(word), MOST_WORD_CELLS) for cell in each for word in cell.split()] for each in others]
    return [max(map(cell_len, names)), *[max(each, default=0) for each in words]]


def _widths(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int) -> list[int]:
    """Return the cells of each column: no word is broken, and of what is left the rows get theirs before the heads."""
    widths = _word_widths(heads, rows)
    left = width - sum(widths) - 2 * len(widths)
    for lines in (rows, [heads]):
        wanted = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
        while needy := [number for number, cells in enumerate(wanted) if cells > widths[number]][: max(left, 0)]:
            for number in needy:
                widths[number] += 1
            left -= len(needy)
    return widths


def lines_of(text: Text, width: int) -> list[Text]:
    """Return a styled text as lines that are broken between words."""
    if "\t" in text.plain:
        text = Text(text.plain.expandtabs(), text.style)
    lines: list[Text] = []
    at = 0
    for shown in wrapped(text.plain, width):
        words = shown.lstrip(" ")
        found = text.plain.find(words, at)
        # Only blanks and tabs differ between a text and its lines.
        if found < 0:
            return [*text.split("\n", allow_blank=True)]
        indent = Text(" " * (len(shown) - len(words)), text.style)
        line = indent + text[found : found + len(words)]
        # A word that no line holds is cut, so that its rows stay in their column.
        lines += [line] if cell_len(shown) <= width else line.divide(_ends(shown, width))
        at = found + len(words)
    return lines


def _ends(text: str, width: int) -> list[int]:
    """Return where each row of a text ends but the last, by the cells of a terminal."""
    return list(accumulate(map(len, chop_cells(text, width))))[:-1]


def cut(text: str) -> str:
    """Return the start of a long text, with the number of characters left out."""
    kept = "\n".join(text.split("\n", MAX_LIVE_LINES)[:MAX_LIVE_LINES])[:MAX_LIVE_CHARS]
    left = len(text) - len(kept)
    return f"{kept} … {left:,} characters more in the log" if left else text


def shows_progress(console: Console) -> bool:
    """Whether something that moves may be shown: where a person looks on, and what is printed goes to no program."""
    return console.is_terminal and not console.is_dumb_terminal and is_watched()


def is_watched() -> bool:
    """Whether stdout is a terminal, and no program that reads it."""
    return inner_stream(sys.stdout).isatty()


def stderr_printer() -> Printer:
    """Return the printer on stderr, for progress and questions."""
    return Printer(Console(file=inner_stream(sys.stderr), highlight=False, markup=False, emoji=False), marked=True)


def stdout_printer() -> Printer:
    """Return the printer on stdout, for results."""
    return Printer(Console(file=inner_stream(sys.stdout), highlight=False, markup=False, emoji=False))
