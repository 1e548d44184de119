"""What a terminal shows of what was written to it, and a picture of that: the part of xterm that the program uses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, Literal
from xml.sax.saxutils import escape

from rich.cells import get_character_cell_size

Theme = Literal["dark", "light"]

_PART: Final = re.compile(r"\x1b\[(\??)(\d*)((?:;\d+)*)([A-Za-z])|\x1b.|.", re.DOTALL)
_TAB: Final = 8


@dataclass(frozen=True)
class Style:
    """How a character is drawn; `colour` is the number of xterm, 30 to 37, or 0."""

    bold: bool = False
    dim: bool = False
    colour: int = 0

    def after(self, number: int) -> Style:
        """Return the style after a code of it."""
        match number:
            case 0:
                return Style()
            case 1:
                return replace(self, bold=True)
            case 2:
                return replace(self, dim=True)
            case 22:
                return replace(self, bold=False, dim=False)
            case 39:
                return replace(self, colour=0)
            case _ if 30 <= number <= 37:  # noqa: PLR2004 (the eight colours)
                return replace(self, colour=number)
        raise AssertionError(f"a terminal was told the style {number}, which this one does not know")


@dataclass(frozen=True)
class Cell:
    """A character, with what is drawn over it, and the cells that it takes; none for the second of a wide one."""

    text: str = " "
    cells: int = 1
    style: Style = field(default_factory=Style)


class ScreenOf:
    """A screen of some size; rows that scroll away above it are lost, as nothing can reach them."""

    def __init__(self, written: str, rows: int, columns: int) -> None:
        self.cells: list[list[Cell]] = [[] for _ in range(rows)]
        self._size = (rows, columns)
        self._row = self._column = 0
        self._style = Style()
        for found in _PART.finditer(written):
            private, number, more, letter = found.groups()
            if letter is None:
                self._put(found[0])
            elif not private:
                self._obey(letter, [int(each or 0) for each in (number + more).split(";")])

    @property
    def rows(self) -> list[str]:
        """The text of each row."""
        return ["".join(cell.text for cell in row if cell.cells) for row in self.cells]

    def text(self) -> list[str]:
        """Return the rows from the first to the last that is not empty."""
        return "\n".join(row.rstrip() for row in self.rows).strip("\n").split("\n")

    def _obey(self, letter: str, numbers: list[int]) -> None:
        match letter, numbers[0]:
            case "A", number:
                self._row = max(0, self._row - max(1, number))
            case "K", 2:
                self.cells[self._row] = []
            case "m", _:
                for number in numbers:
                    self._style = self._style.after(number)
            case _:
                raise AssertionError(f"a terminal was told {letter} {numbers}, which this one does not know")

    def _put(self, char: str) -> None:
        match char:
            case "\r":
                self._column = 0
            case "\n":
                self._down()
            case "\t":
                for _ in range(min(self._size[1], (self._column // _TAB + 1) * _TAB) - self._column):
                    self._write(" ")
            case "\x07":
                pass
            case _:
                self._write(char)

    def _write(self, char: str) -> None:
        size = get_character_cell_size(char)
        row = self.cells[self._row]
        if size == 0:
            if 0 < self._column <= len(row):
                at = self._column - 1 - (row[self._column - 1].cells == 0)
                row[at] = replace(row[at], text=row[at].text + char)
            return
        # A row that is full is left only when something follows on it.
        if self._column + size > self._size[1]:
            self._column = 0
            self._down()
            row = self.cells[self._row]
        row += [Cell()] * (self._column - len(row))
        row[self._column : self._column + size] = [
            Cell(char, size, self._style),
            *[Cell("", 0, self._style)] * (size - 1),
        ]
        self._column += size

    def _down(self) -> None:
        self._row += 1
        if self._row == self._size[0]:
            self.cells = [*self.cells[1:], []]
            self._row -= 1


_COLOURS: Final[dict[Theme, dict[int | str, str]]] = {
    "dark": {
        "ground": "#0d1117", "frame": "#30363d", 0: "#e6edf3", "dim": "#8b949e",
        31: "#ff7b72", 32: "#3fb950", 33: "#d29922", 36: "#39c5cf",
    },
    "light": {
        "ground": "#ffffff", "frame": "#d0d7de", 0: "#1f2328", "dim": "#656d76",
        31: "#cf222e", 32: "#1a7f37", 33: "#9a6700", 36: "#1b7c83",
    },
}  # fmt: skip
_CELL, _LINE, _EDGE = 8.4, 20, 16
"""The width and height of a cell, of a monospaced letter of 14 pixels, and the free edge."""


def picture(screen: ScreenOf, columns: int, theme: Theme, title: str) -> str:
    """Return the screen as an SVG, without the empty rows below; title: what it shows, for who cannot see it."""
    last = max(at for at, row in enumerate(screen.rows) if row.strip())
    width, height = round(columns * _CELL) + 2 * _EDGE, (last + 1) * _LINE + 2 * _EDGE
    colours = _COLOURS[theme]
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">',
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{colours["ground"]}" '
        f'stroke="{colours["frame"]}"/>',
        "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" "
        f'font-size="14" fill="{colours[0]}" style="white-space: pre">',
    ]
    for number, row in enumerate(screen.cells[: last + 1]):
        drawn += _spans(row, _EDGE + number * _LINE + 14, colours)
    return "\n".join([*drawn, "</g>", "</svg>", ""])


def _spans(row: list[Cell], y: int, colours: dict[int | str, str]) -> list[str]:
    spans, column = [], 0
    shown = [cell for cell in row if cell.cells]
    # Fonts have wide characters of other widths than two narrow ones.
    for (blank, size, style), group in groupby(shown, key=lambda cell: (cell.text == " ", cell.cells, cell.style)):
        cells = list(group)
        if not blank:
            place = (_EDGE + column * _CELL, y, len(cells) * size * _CELL)
            spans.append(_span("".join(cell.text for cell in cells), style, place, colours))
        column += len(cells) * size
    return spans


def _span(text: str, style: Style, place: tuple[float, int, float], colours: dict[int | str, str]) -> str:
    x, y, length = place
    fill = colours["dim"] if style.dim else colours[style.colour]
    colour = "" if fill == colours[0] else f' fill="{fill}"'
    weight = ' font-weight="600"' if style.bold else ""
    return f'<text x="{x:.1f}" y="{y}" textLength="{length:.1f}"{colour}{weight}>{escape(text)}</text>'
