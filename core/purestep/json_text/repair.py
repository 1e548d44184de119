"""Loose values: what models write for JSON when they miss it, read in one bounded pass that says what it changed.

Taken besides JSON: single and special quotes, names without quotes, comments, trailing and missing commas, `=` for
`:`, Python's and JavaScript's words, tuples and sets, numbers with leading zeros, raw line breaks and quotes inside
of strings, missing closers. Only ever called for text that is not JSON; never evaluates anything.
"""

import re
from typing import Any, Final

from msgspec import Struct

from ..bounds import MAX_LOOSE_CHARS, MAX_VALUE_DEPTH
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


class Loose(Struct, frozen=True, kw_only=True):
    """What was read: the value, where it ends, what was changed, and, when the text ended first, the open path.

    The path names the members that were still open, outermost first; None means that nothing was cut.
    """

    value: Any
    end: int
    notes: tuple[str, ...] = ()
    cut: tuple[str | int, ...] | None = None


class _Unfit(Exception):
    """The text is no value, however loosely read."""


def read_loose(text: str, at: int = 0, *, bare: bool = False) -> Loose | None:
    """Read the value that begins at a place of the text, or give None.

    bare: words without quotes are strings.
    """
    if len(text) - at > MAX_LOOSE_CHARS:
        return None
    walk = _LooseReader(text, at, bare)
    try:
        value = walk.value(0)
    except _Unfit:
        return None
    return Loose(value=value, end=walk.at, notes=tuple(walk.notes), cut=tuple(walk.path) if walk.is_cut else None)


class _Cut:
    """Stands for a value that the end of the text cut off."""


_CUT: Final = _Cut()


class _LooseReader:
    """A pass over one text."""

    __slots__ = ("at", "bare", "is_cut", "notes", "path", "text")

    def __init__(self, text: str, at: int, bare: bool) -> None:
        self.text, self.at, self.bare = text, at, bare
        self.notes: dict[str, None] = {}
        self.path: list[str | int] = []
        self.is_cut = False

    def note(self, what: str) -> None:
        self.notes[what] = None

    def skip(self) -> str:
        """Pass over blanks and comments; give the character that follows, or nothing."""
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
        """Tell Python's set of strings from an object by what stands behind its first string."""
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
        """Read one member; tells whether the text went on behind it."""
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
        """Read a string in the quotes of a family that does not escape in them."""
        begin = self.at + len(quote)
        end = self.text.find(quote, begin)
        if end < 0:
            self.is_cut, self.at = True, len(self.text)
            return _CUT
        self.at = end + len(quote)
        return self.text[begin:end]

    def string(self, quote: str) -> Any:
        """Read a string; a quote that nothing fitting follows is part of it."""
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
        # A string behind a blank is a new one, its comma forgotten.
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
        """Give a value without closing marks of its own: at the very end it may be cut."""
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
