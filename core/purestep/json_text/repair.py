"""Repair: text that is nearly JSON, as models write it, read in one bounded pass that says what it changed.

Accepted besides JSON: single and special quotes, names without quotes, comments, trailing and missing commas, `=` for
`:`, the constants of Python and JavaScript, tuples and sets, numbers with leading zeros, raw line breaks and quotes
inside strings, missing closing brackets. Only called for text that is not JSON; never evaluates anything.
"""

import re
from typing import Any, Final

from msgspec import Struct

from ..bounds import MAX_REPAIRED_CHARS, MAX_VALUE_DEPTH
from ..names import WORD, WORD_REST
from .extract import UNREADABLE, read_json

_SKIP: Final = re.compile(r"(?:[ \t\r\n]++|//[^\n]*+|/\*(?s:.*?)\*/|#[^\n]*+)*+", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9][0-9_]*+)?(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_.])", re.ASCII)
_WORD: Final = re.compile(rf"{WORD}{WORD_REST}*+", re.ASCII)
_BARE: Final = re.compile(r"[^,\]\[{}()\n<>\"']+", re.ASCII)
_MORE_WORDS: Final = re.compile(r"[ \t]+[^ \t\r\n,\]\[{}()<>\"']", re.ASCII)
_WORDS: Final[dict[str, Any]] = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None, "undefined": None,
    "TRUE": True, "FALSE": False, "NULL": None, "nil": None,
}  # fmt: skip
_JSON_WORDS: Final = ("true", "false", "null")
_CLOSERS: Final = {"{": "}", "[": "]", "(": ")"}
_SPECIAL: Final = ('<|"|>', "<escape>")
_ENDS: Final = ",:}]=);"
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_RUN: Final = {quote: re.compile(rf"[^{quote}\\]*+") for quote in "\"'`"}  # ascii: only the quotes differ
_UNICODE: Final = re.compile(r"u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?", re.ASCII)


class RepairedJson(Struct, frozen=True, kw_only=True):
    """A value that was read from text that is nearly JSON.

    Attributes: `value`; `end` (offset after it, in characters); `notes` (sentences, one for each kind of repair); `cut`
    (when the text ended first, the names and positions that were still open, outermost first; else None).
    """

    value: Any
    end: int
    notes: tuple[str, ...] = ()
    cut: tuple[str | int, ...] | None = None


class _Unfit(Exception):
    """The text cannot be read as a value, even with repairs."""


def repair_json(text: str, at: int = 0, *, bare: bool = False) -> RepairedJson | None:
    """Give the value that begins at an offset of the text; None when there is none.

    at: in characters. bare: whether words without quotes are strings.
    """
    if len(text) - at > MAX_REPAIRED_CHARS:
        return None
    parser = _RepairParser(text, at, bare)
    try:
        value = parser.value(0)
    except _Unfit:
        return None
    return RepairedJson(
        value=value, end=parser.at, notes=tuple(parser.notes), cut=tuple(parser.path) if parser.is_cut else None
    )


class _Cut:
    """Marks a value that the end of the text cut off."""


_CUT: Final = _Cut()


class _RepairParser:
    """The parser: `at` is its offset, `path` the names and positions of the open members."""

    __slots__ = ("at", "bare", "is_cut", "notes", "path", "text")

    def __init__(self, text: str, at: int, bare: bool) -> None:
        self.text, self.at, self.bare = text, at, bare
        self.notes: dict[str, None] = {}
        self.path: list[str | int] = []
        self.is_cut = False

    def note(self, what: str) -> None:
        self.notes[what] = None

    def skip(self) -> str:
        """Skip whitespace and comments; give the next character, or nothing at the end."""
        found = _SKIP.match(self.text, self.at)
        end = found.end() if found else self.at
        if end > self.at and (self.text.find("/", self.at, end) >= 0 or self.text.find("#", self.at, end) >= 0):
            self.note("comments were left out")
        self.at = end
        return self.text[end : end + 1]

    def value(self, depth: int) -> Any:
        first = self.skip()
        if first in ("{", "[", "("):
            if depth >= MAX_VALUE_DEPTH:
                raise _Unfit
            return self.object(depth) if first == "{" and not self.is_set() else self.array(first, depth)
        for quote in _SPECIAL:
            if self.text.startswith(quote, self.at):
                return self.special(quote)
        if first in ('"', "'", "`"):
            return self.string(first)
        return self.scalar()

    def is_set(self) -> bool:
        """Tell Python's set of strings from an object, by what comes after its first string."""
        found = re.compile(r"""\{[ \t\r\n]*(["'])[^"'\\]*\1[ \t\r\n]*[,}]""").match(self.text, self.at)
        return found is not None

    def object(self, depth: int) -> Any:
        self.at += 1
        made: dict[str, Any] = {}
        while True:
            following = self.skip()
            if following == "}":
                self.at += 1
                return made
            if following == ",":
                self.at += 1
                continue
            if following in ("]", ")") and depth:
                self.note("a closing bracket was missing")
                return made
            if not following or not self.member(made, depth):
                self.is_cut = True
                return made

    def member(self, made: dict[str, Any], depth: int) -> bool:
        """Read one member into `made`; tell whether the text goes on after it."""
        key = self.key()
        if key is None:
            return False
        following = self.skip()
        if not following:
            return False
        if following not in (":", "="):
            raise _Unfit
        self.at += 1
        if following == "=":
            self.note("`=` stood for a colon")
        if not self.skip():
            return False
        self.path.append(key)
        value = self.value(depth + 1)
        if value is not _CUT:
            made[key] = value
        if self.is_cut:
            return False
        self.path.pop()
        return self.comma("}")

    def comma(self, closer: str) -> bool:
        following = self.skip()
        if following == ",":
            self.at += 1
            if self.skip() == closer:
                self.note("a trailing comma was left out")
        elif following and following not in ("}", "]", ")"):
            if following not in "\"'" and not _WORD.match(self.text, self.at):
                raise _Unfit
            self.note("a comma was missing")
        return bool(following)

    def key(self) -> str | None:
        first = self.text[self.at]
        for quote in _SPECIAL:
            if self.text.startswith(quote, self.at):
                return _text_or_none(self.special(quote))
        if first in ('"', "'", "`"):
            found = self.string(first)
            return _text_or_none(found)
        word = _WORD.match(self.text, self.at)
        if word is None:
            raise _Unfit
        self.at = word.end()
        self.note("a name stood without quotes")
        return word[0]

    def array(self, opener: str, depth: int) -> Any:
        self.at += 1
        closer = _CLOSERS[opener]
        if opener != "[":
            self.note("a list stood in other brackets")
        made: list[Any] = []
        while True:
            following = self.skip()
            if following == closer:
                self.at += 1
                return made
            if following == ",":
                self.at += 1
                continue
            if following in ("}", "]", ")") and depth:
                self.note("a closing bracket was missing")
                return made
            if not following:
                self.is_cut = True
                return made
            self.path.append(len(made))
            value = self.value(depth + 1)
            if value is not _CUT:
                made.append(value)
            if self.is_cut:
                return made
            self.path.pop()
            if not self.comma(closer):
                self.is_cut = True
                return made

    def special(self, quote: str) -> Any:
        """Read a string in the special quotes of a model family, in which nothing is escaped."""
        begin = self.at + len(quote)
        end = self.text.find(quote, begin)
        if end < 0:
            self.is_cut, self.at = True, len(self.text)
            return _CUT
        self.at = end + len(quote)
        return self.text[begin:end]

    def string(self, quote: str) -> Any:
        """Read a string; a quote that could not end it is part of it."""
        if quote != '"':
            self.note("other quotes were used")
        parts: list[str] = []
        self.at += 1
        while True:
            run = _RUN[quote].match(self.text, self.at)
            assert run is not None  # it matches nothing too
            parts.append(run[0])
            if quote == '"' and "\n" in run[0]:
                self.note("line breaks inside of a string were not escaped")
            self.at = run.end()
            if self.at >= len(self.text):
                self.is_cut = True
                self.path.append("".join(parts))
                return _CUT
            if self.text[self.at] == "\\":
                parts.append(self.escape())
            elif self.ends_string():
                self.at += 1
                break
            else:
                parts.append(quote)
                self.at += 1
                self.note("a quote inside of a string was not escaped")
        return "".join(parts)

    def ends_string(self) -> bool:
        found = _SKIP_BLANK.match(self.text, self.at + 1)
        end = found.end() if found else self.at + 1
        if self.text[end : end + 1] in _ENDS or self.text.startswith(("//", "/*"), end):
            return True
        # A string after a blank is the next one, its comma forgotten.
        return end > self.at + 1 and self.text[end] in "\"'"

    def escape(self) -> str:
        following = self.text[self.at + 1 : self.at + 2]
        if following == "u" and (found := _UNICODE.match(self.text, self.at + 1)):
            self.at = found.end()
            value = read_json(f'"\\{found[0]}"')
            return value if isinstance(value, str) else "\ufffd"
        self.at += 2
        if following in _ESCAPES:
            return _ESCAPES[following]
        return following if following in "\"'`\\/" else "\\" + following

    def scalar(self) -> Any:
        number = _NUMBER.match(self.text, self.at)
        if number and number[0].strip("+-"):
            return self.number(number)
        word = _WORD.match(self.text, self.at)
        if word and word[0] in _WORDS and not (self.bare and _MORE_WORDS.match(self.text, word.end())):
            self.at = word.end()
            if word[0] not in _JSON_WORDS:
                self.note("words of another language stood for JSON's")
            return self.cut_at_end(_WORDS[word[0]])
        if not self.bare:
            raise _Unfit
        return self.bareword()

    def bareword(self) -> Any:
        found = _BARE.match(self.text, self.at)
        if found is None:
            raise _Unfit
        self.at = found.end()
        self.note("a string stood without quotes")
        return self.cut_at_end(found[0].strip(" \t\r"))

    def cut_at_end(self, value: Any) -> Any:
        """Give a value that has no closing character, or the mark of a cut one at the very end of the text."""
        if self.at >= len(self.text):
            self.is_cut = True
            return _CUT
        return value

    def number(self, found: re.Match[str]) -> Any:
        literal = found[0].replace("_", "").removeprefix("+")
        sign, digits = ("-", literal[1:]) if literal.startswith("-") else ("", literal)
        head, dot, tail = digits.partition(".")
        plain = sign + (head.lstrip("0") or "0" if head.isdigit() else head or "0") + dot + tail  # ascii: from _NUMBER
        value = read_json(plain)
        if value is UNREADABLE:
            raise _Unfit
        self.at = found.end()
        if plain != found[0]:
            self.note("a number was not written as JSON has it")
        return self.cut_at_end(value)


_SKIP_BLANK: Final = re.compile(r"[ \t\r\n]*+")


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None
