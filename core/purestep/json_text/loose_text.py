"""The text that is repaired, with the place in it, the brackets that are open, and what was changed or guessed."""

import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

from ..bounds import MAX_KEY_AHEAD_BLANKS, MAX_KEY_CHARS
from ..lazy import lazy_pattern
from ..names import WORD, WORD_REST

_SKIP: Final = lazy_pattern(r"(?:[ \t\r\n]++|//[^\n]*+|/\*(?s:.*?)\*/|#[^\n]*+)*+", re.ASCII)
_BLANKS: Final = lazy_pattern(r"[ \t\r\n]*+")
_WORD_KEY: Final = rf"{WORD}{WORD_REST}{{0,{MAX_KEY_CHARS}}}"

QUOTES: Final = "\"'`“”„‟\u2018\u2019\u201a\u201b"
"""Characters that strings begin and end with: JSON's, those of other languages, and those of word processors."""

SPECIAL: Final = ('<|"|>', "<escape>")
"""The quotes of model families, in which nothing is escaped."""

CLOSERS: Final = {"{": "}", "[": "]", "(": ")"}

KEY_AHEAD: Final = lazy_pattern(
    rf"[{QUOTES}][^{QUOTES}\\]{{0,{MAX_KEY_CHARS}}}[{QUOTES}][ \t\r\n]{{0,{MAX_KEY_AHEAD_BLANKS}}}[:=]",
    re.ASCII,
)
"""Matches a name in quotes with its colon."""

WORD_KEY_AHEAD: Final = lazy_pattern(rf"{_WORD_KEY}[ \t]{{0,{MAX_KEY_AHEAD_BLANKS}}}[:=]", re.ASCII)
"""Matches a name without quotes with its colon."""

KEY_WORD: Final = lazy_pattern(_WORD_KEY, re.ASCII)


class Shape(Protocol):
    """What a value is expected to be: read from a schema by those who know schemas."""

    def types(self) -> Mapping[str, None]:
        """Return the types that the value may have, by name; none: any."""
        ...

    def member(self, key: str, made: Mapping[str, Any]) -> "Shape | None":
        """Return the shape of a member's value, after those read before it; None where nothing is known."""
        ...

    def item(self) -> "Shape | None":
        """Return the shape of an array's items; None where nothing is known."""
        ...

    def has(self, key: str) -> bool | None:
        """Whether an object of this shape has such a member; None where that cannot be told."""
        ...

    def is_same_listed(self) -> bool:
        """Whether a value alone means the same as an array that holds nothing else."""
        ...


class Unfit(Exception):
    """The text cannot be read as a value, even with repairs."""


class LooseText:
    """The text: `at` is the offset of what is next, `open` the brackets that are open, outermost first."""

    __slots__ = ("at", "guesses", "is_python", "notes", "open", "text")

    def __init__(self, text: str, at: int, within: str) -> None:
        self.text, self.at = text, at
        self.open: list[str] = list(within)
        self.is_python = within == "("
        self.notes: dict[str, None] = {}
        self.guesses: dict[str, None] = {}

    def note(self, what: str) -> None:
        """Record a cosmetic repair."""
        self.notes[what] = None

    def guess(self, what: str) -> None:
        """Record something that could be otherwise."""
        self.guesses[what] = None

    def skip(self) -> str:
        """Skip whitespace and comments; give the next character, or nothing at the end."""
        found = _SKIP.match(self.text, self.at)
        end = found.end() if found else self.at
        if end > self.at and (self.text.find("/", self.at, end) >= 0 or self.text.find("#", self.at, end) >= 0):
            self.note("comments were left out")
            if end >= len(self.text) and self.open:
                self.guess("a comment goes on to the end of the text")
        self.at = end
        return self.text[end : end + 1]

    def after_blanks(self, at: int) -> int:
        """Return the place after the blanks at a place."""
        found = _BLANKS.match(self.text, at)
        return found.end() if found else at

    def closes(self, bracket: str) -> bool:
        """Whether a closing bracket has an open one, however far out."""
        return any(CLOSERS[opener] == bracket for opener in self.open)

    def is_key_at(self, at: int) -> bool:
        """Whether a member's name with its colon stands at a place."""
        return (KEY_AHEAD if self.text[at : at + 1] in QUOTES else WORD_KEY_AHEAD).match(self.text, at) is not None
