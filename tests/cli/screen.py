"""What a terminal shows of what was written to it: the part of xterm's behaviour that the program makes use of."""

from __future__ import annotations

import re

from rich.cells import get_character_cell_size

_PART = re.compile(r"\x1b\[(\??)(\d*)(?:;\d+)*([A-Za-z])|\x1b.|.", re.DOTALL)
_TAB = 8


class ScreenOf:
    """A screen of some size; rows that scroll away above it are lost, as nothing can reach them."""

    def __init__(self, written: str, rows: int, columns: int) -> None:
        self.rows = [""] * rows
        self._size = (rows, columns)
        self._row = self._column = 0
        for found in _PART.finditer(written):
            private, number, letter = found.groups()
            if letter is None:
                self._put(found[0])
            elif not private:
                self._obey(letter, int(number or 0))

    def text(self) -> list[str]:
        """Return the rows from the first to the last that is not empty."""
        return "\n".join(row.rstrip() for row in self.rows).strip("\n").split("\n")

    def _obey(self, letter: str, number: int) -> None:
        match letter, number:
            case "A", _:
                self._row = max(0, self._row - max(1, number))
            case "K", 2:
                self.rows[self._row] = ""
            case "m", _:
                pass
            case _:
                raise AssertionError(f"a terminal was told {letter} {number}, which this one does not know")

    def _put(self, char: str) -> None:
        match char:
            case "\r":
                self._column = 0
            case "\n":
                self._down()
            case "\t":
                self._write(" " * (min(self._size[1], (self._column // _TAB + 1) * _TAB) - self._column))
            case _:
                self._write(char)

    def _write(self, text: str) -> None:
        for char in text:
            # A row that is full is left only when something follows on it.
            if self._column + get_character_cell_size(char) > self._size[1]:
                self._column = 0
                self._down()
            row = self.rows[self._row]
            before = cut(row, self._column)
            self.rows[self._row] = before + char + row[len(before) + 1 :]
            self._column += get_character_cell_size(char)

    def _down(self) -> None:
        self._row += 1
        if self._row == self._size[0]:
            self.rows = [*self.rows[1:], ""]
            self._row -= 1


def cut(row: str, columns: int) -> str:
    """Return the characters of a row that stand before a column."""
    kept, taken = "", 0
    for char in row:
        taken += get_character_cell_size(char)
        if taken > columns:
            break
        kept += char
    return kept
