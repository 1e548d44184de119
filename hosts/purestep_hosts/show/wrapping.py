"""Breaks text into the lines of a terminal between its words, also while it is still being written.

A line is broken at blanks, and beside wide characters but for Hangul, which has blanks: not before closing punctuation
and not after opening one. What is wider than a line, such as an address, is left whole to the terminal. A line that
goes on is indented as its beginning, so that lists and code stay in their columns.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from purestep_hosts.extras import CLI

with CLI:
    from rich.cells import cell_len, split_graphemes

_TAB_CELLS: Final = 8
_PART: Final = re.compile(r"\n|[ \t]+|[^ \t\n]+")
_INDENT: Final = re.compile(r" *(?:(?:[-*+>|\u2022]|\d{1,3}[.)]) +)?")
_CLOSING: Final = frozenset(("Pe", "Pf", "Po", "Lm", "Mn", "Sk"))
"""Of what begins no line: brackets, stops, marks of length and repetition, accents, and tones of emoji."""
_OPENING: Final = frozenset(("Ps", "Pi"))


class LineWrapper:
    """Breaks one text into lines; every piece is given back as soon as its last word is known."""

    def __init__(self) -> None:
        self.lines = [0]
        """The cells of each line so far."""
        self._held = ""
        self._blanks = ""
        self._begin = ""
        """The first cells of the line as it was written, by which it goes on."""
        self._is_broken = self._has_word = False

    def feed(self, text: str, width: int) -> str:
        """Return what is to be written now; the last word is held, because it may go on. width: of the terminal."""
        parts = _PART.findall(self._held + text)
        self._held = ""
        written: list[str] = []
        for at, part in enumerate(parts):
            if part == "\n":
                written.append(self._end_line())
            elif part[0] in " \t":
                self._blank(part, written)
            else:
                units = list(_units(part))
                if at == len(parts) - 1:
                    self._held = units.pop()
                written += [self._word(unit, width) for unit in units]
        return "".join(written)

    def flush(self, width: int) -> str:
        """Return the word that was held: the text has ended."""
        word, self._held = self._held, ""
        return self._word(word, width) if word else ""

    def rows(self, width: int) -> int:
        """Return how many rows of the terminal the text takes."""
        return sum(max(1, -(-cells // width)) for cells in self.lines)

    def _blank(self, part: str, written: list[str]) -> None:
        column = self.lines[-1] + cell_len(self._blanks)
        shown = ""
        for char in part:
            shown += " " * (_TAB_CELLS - (column + len(shown)) % _TAB_CELLS) if char == "\t" else " "
        if self._has_word:
            self._blanks += shown
        else:
            written.append(self._put(shown))

    def _word(self, word: str, width: int) -> str:
        cells, column = cell_len(word), self.lines[-1]
        self._has_word = True
        needed = column + len(self._blanks) + cells
        if needed <= width or cells > width or not column:
            return self._put(self._take_blanks(needed <= width or cells > width) + word)
        self._blanks, self._is_broken = "", True
        found = _INDENT.match(self._begin)
        indent = len(found[0]) if found else 0
        if indent > width // 2 or indent + cells > width:
            indent = 0
        self.lines.append(indent)
        return "\n" + " " * indent + self._put(word)

    def _take_blanks(self, fits: bool) -> str:
        blanks, self._blanks = self._blanks, ""
        return blanks if fits else ""

    def _put(self, text: str) -> str:
        if not self._is_broken and len(self._begin) < _TAB_CELLS:
            self._begin += text
        self.lines[-1] += cell_len(text)
        return text

    def _end_line(self) -> str:
        self._blanks, self._begin, self._is_broken, self._has_word = "", "", False, False
        self.lines.append(0)
        return "\n"


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a whole text."""
    wrapper = LineWrapper()
    return (wrapper.feed(text, width) + wrapper.flush(width)).split("\n")


def _units(word: str) -> Iterator[str]:
    """Yield the parts of a word between which a line may be broken; there is at least one."""
    if word.isascii():
        yield word
        return
    begin, before = 0, ""
    for start, end, _ in split_graphemes(word)[0]:
        shown = word[start:end]
        if start > begin and _may_part(before, shown):
            yield word[begin:start]
            begin = start
        before = shown
    yield word[begin:]


def _may_part(left: str, right: str) -> bool:
    """Whether a line may be broken between two characters, neither of which is a blank."""
    if cell_len(left) < 2 and cell_len(right) < 2:  # noqa: PLR2004 (what wide characters take)
        return False
    together = (_is_hangul(left) and _is_hangul(right)) or (_is_half_flag(left) and _is_half_flag(right))
    opens = unicodedata.category(left[-1]) in _OPENING
    return not together and not opens and unicodedata.category(right[0]) not in _CLOSING


def _is_hangul(char: str) -> bool:
    return "\uac00" <= char[0] <= "\ud7a3"


def _is_half_flag(char: str) -> bool:
    return "\U0001f1e6" <= char[0] <= "\U0001f1ff"
