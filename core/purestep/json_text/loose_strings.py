"""Strings as models write them: with other quotes, raw line breaks, and quotes inside that are not escaped.

A quote ends its string only where what follows can follow a string at that place: a comma and a name, a closing bracket
of an open one. Any other quote is part of the string. That is a change of the writing alone where those quotes are
pairs around words, as in `he said "hi" to me`; else it is a guess.
"""

import re
from typing import Final

from ..bounds import MAX_CLOSERS_AHEAD
from ..lazy import lazy_pattern
from .extract import BLANK, UNREADABLE, read_json
from .loose_text import QUOTES, SPECIAL, LooseText

UNCLOSED: Final = "a string is not closed"
UNSURE_QUOTES: Final = "it is not certain which quotes end a string"
UNSURE_ESCAPE: Final = "a backslash in a string can mean more than one thing"

_ENDINGS: Final = {
    '"': '"', "'": "'", "`": "`", "“": "”“\"", "”": "”\"", "„": "“”\"", "‟": "”\"",
    "\u2018": "\u2019\u2018'", "\u2019": "\u2019'", "\u201a": "\u2018\u2019'", "\u201b": "\u2019'",
}  # fmt: skip
"""The quotes that may end a string, by the one that it begins with."""

_RUN: Final = {quote: lazy_pattern(rf"[^{endings}\\]*+", re.ASCII) for quote, endings in _ENDINGS.items()}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_AS_THEY_ARE: Final = "\"'`\\/"
_UNICODE: Final = lazy_pattern(r"u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?", re.ASCII)
_UNSURE: Final = lazy_pattern(r"x[0-9a-fA-F]{2}|[0u\r\n]|[_#!~<>]|\Z", re.ASCII)
_MARKDOWN: Final = lazy_pattern(r"(?<!\\)(?:\\\\)*+\\[*.()\[\]{}+|?^$-]", re.ASCII)
"""A backslash that Markdown writes before a character that means something to it, and a regular expression too."""

_PATTERN: Final = lazy_pattern(r"\\[dwsbDWSB]", re.ASCII)
"""What only a regular expression has."""

_WORD_CHAR: Final = lazy_pattern(r"[^\x00-/:-@\[-`{-\x7f\u2010-\u206f]")
_CLOSING_RUN: Final = lazy_pattern(rf"[ \t\r\n}})\]]{{0,{MAX_CLOSERS_AHEAD}}}+", re.ASCII)
_VALUE_AHEAD: Final = lazy_pattern(rf"[{QUOTES}{{\[(<0-9+.-]|[A-Za-z_]+[ \t\r\n]{{0,16}}[,\]}})]", re.ASCII)
_COLON_LEFT_OUT: Final = lazy_pattern(r'"[^"\\]{0,256}"[ \t\r\n]{0,16}[,}]')
_SEPARATOR: Final = lazy_pattern(r"[ \t\r\n]*[:=,]?[ \t\r\n]*")
_SCALAR_AHEAD: Final = lazy_pattern(r"[0-9-]|(?:true|false|null)\b", re.ASCII)


def read_special(source: LooseText, quote: str) -> str | None:
    """Read a string in the special quotes of a model family; None when the text ends first."""
    begin = source.at + len(quote)
    end = source.text.find(quote, begin)
    if end < 0:
        source.guess(UNCLOSED)
        source.at = len(source.text)
        return None
    source.at = end + len(quote)
    return source.text[begin:end]


def read_string(source: LooseText, place: str) -> tuple[str, bool]:
    """Read a string from its first quote on; gives it, and whether it was closed.

    place: `key`, `member`, `item`, or `alone`, which tells what may follow.
    """
    quote = source.text[source.at]
    if quote != '"':
        source.note("other quotes were used")
        if source.text.startswith(quote * 3, source.at):
            return _tripled(source, quote)
    elif source.text.startswith('"""', source.at):
        return _tripled(source, quote)
    begin = source.at + 1
    parts, inner, is_closed = _parts(source, quote, place)
    end = source.at - 1 if is_closed else source.at
    if _MARKDOWN.search(source.text, begin, end) and not _PATTERN.search(source.text, begin, end):
        source.guess(UNSURE_ESCAPE)
    if inner:
        _judge(source, quote, place, begin, end, inner)
    return "".join(parts), is_closed


def _parts(source: LooseText, quote: str, place: str) -> tuple[list[str], list[tuple[int, bool]], bool]:
    """Read up to the quote that ends a string; gives its parts and the quotes inside, each with whether it is raw."""
    text, run = source.text, _RUN[quote]
    parts: list[str] = []
    inner: list[tuple[int, bool]] = []
    source.at += 1
    while True:
        found = run.match(text, source.at)
        assert found is not None  # it matches nothing too
        parts.append(found[0])
        if quote == '"' and "\n" in found[0]:
            source.note("line breaks inside of a string were not escaped")
        source.at = found.end()
        if source.at >= len(text):
            source.guess(UNCLOSED)
            return parts, inner, False
        if text[source.at] == "\\":
            if text[source.at + 1 : source.at + 2] == quote:
                inner.append((source.at + 1, False))
            parts.append(_escape(source))
        elif ends_string(source, source.at + 1, place):
            source.at += 1
            return parts, inner, True
        else:
            inner.append((source.at, True))
            parts.append(text[source.at])
            source.at += 1


def _tripled(source: LooseText, quote: str) -> tuple[str, bool]:
    """Read a string in Python's tripled quotes, or an empty string whose end is damaged."""
    begin = source.at + 3
    end = source.text.find(quote * 3, begin)
    source.note("other quotes were used")
    if end < 0 or source.text[source.after_blanks(begin) :][:1] in (",", "}", "]", ":", ""):
        source.guess(UNSURE_QUOTES)
        source.at = len(source.text)
        return "", False
    source.at = end + 3
    if "\\" in source.text[begin:end]:
        source.guess(UNSURE_ESCAPE)
    if begin == end:
        source.guess(UNSURE_QUOTES)  # quotes without backslashes, or no text in three of them
    return source.text[begin:end], True


def _judge(source: LooseText, quote: str, place: str, begin: int, end: int, inner: list[tuple[int, bool]]) -> None:
    """Note quotes inside of a string that are not escaped, or a guess where they can be read otherwise."""
    text = source.text
    if not any(raw for _, raw in inner):
        return
    if any(raw and text[at - 1] == "\\" for at, raw in inner):
        source.guess(UNSURE_ESCAPE)
    if quote in "'\u2018\u2019\u201a\u201b":
        inner = [each for each in inner if not _is_apostrophe(text, each[0])]
    source.note("a quote inside of a string was not escaped")
    if place == "key" or len(inner) % 2:
        source.guess(UNSURE_QUOTES)
        return
    for (first, _), (last, _) in zip(inner[::2], inner[1::2], strict=True):
        if not _are_around_words(text, begin, end, first, last):
            source.guess(UNSURE_QUOTES)
            return


def _is_apostrophe(text: str, at: int) -> bool:
    return bool(_WORD_CHAR.match(text, at - 1) and _WORD_CHAR.match(text, at + 1))


def _are_around_words(text: str, begin: int, end: int, first: int, last: int) -> bool:
    """Whether two quotes inside of a string are the first and the last of words that are quoted in it."""
    before = first - 1 if text[first - 1] != "\\" else first - 2
    if before >= begin and (_WORD_CHAR.match(text, before) or text[before] in "}]"):
        return False
    within = last - 1 if text[last - 1] != "\\" else last - 2
    if within <= first or text[first + 1] in " \t\r\n,:}]" or text[within] in " \t\r\n,:{[":
        return False
    following = text[last + 1 : last + 2] if last + 1 < end else ""
    if following and (_WORD_CHAR.match(following) or following in "{["):
        return False
    rest = _SEPARATOR.match(text, last + 1, end)
    # A colon after a quote, or a quote after a comma, is what JSON has between its strings.
    mark = rest[0].strip(BLANK) if rest else ""
    return mark not in (":", "=") and not (mark == "," and rest is not None and text[rest.end()] in QUOTES)


def _escape(source: LooseText) -> str:
    following = source.text[source.at + 1 : source.at + 2]
    if following == "u" and (found := _UNICODE.match(source.text, source.at + 1)):
        source.at = found.end()
        value = read_json(f'"\\{found[0]}"')
        return value if value is not UNREADABLE and isinstance(value, str) else "\ufffd"
    if _UNSURE.match(source.text, source.at + 1):
        source.guess(UNSURE_ESCAPE)
    source.at = min(source.at + 2, len(source.text))
    if following in _ESCAPES:
        return _ESCAPES[following]
    if following and following in _AS_THEY_ARE:
        if following in "'`":
            source.note("a quote was escaped that needs it not")
        return following
    source.note("a backslash that begins no escape was taken as it is")
    return "\\" + following


# --- what may follow a string -----------------------------------------------------------------------------


def ends_string(source: LooseText, at: int, place: str) -> bool:
    """Whether a quote before a place ends its string, by what follows."""
    text = source.text
    following = source.after_blanks(at)
    char = text[following : following + 1]
    if not char:
        return True
    if place == "key":
        return _ends_key(source, char, at, following)
    if char == ",":
        return _may_follow_comma(source, following + 1, place)
    if char in "}])":
        return _may_follow_closer(source, following, place)
    if text.startswith(("//", "/*"), following) or (char == "#" and following > at):
        return True
    if char == "+":
        plus = source.after_blanks(following + 1)
        return text[plus : plus + 1] in ('"', "'")
    return _begins_next(source, char, at, following, place)


def _ends_key(source: LooseText, char: str, at: int, following: int) -> bool:
    if char in ":=,}":
        return True
    if char in "{[":
        return True
    if char == '"':
        return following > at or _COLON_LEFT_OUT.match(source.text, following) is not None
    return following > at and _SCALAR_AHEAD.match(source.text, following) is not None


def _may_follow_comma(source: LooseText, at: int, place: str) -> bool:
    """Whether what follows a comma can follow one there: a name with its colon, or a value."""
    text = source.text
    at = source.after_blanks(at)
    char = text[at : at + 1]
    if not char or char in "}]),#/" or char in QUOTES:
        return True
    if text.startswith(SPECIAL, at):
        return True
    if place == "item":
        return _VALUE_AHEAD.match(text, at) is not None
    if char in "{[0123456789-.":
        return True  # Neither can follow, so nothing is read.
    return source.is_key_at(at)


def _may_follow_closer(source: LooseText, at: int, place: str) -> bool:
    """Whether closing brackets close open ones, and something follows that can follow those."""
    text = source.text
    if not source.closes(text[at]):
        return not source.open and place != "alone"
    run = _CLOSING_RUN.match(text, at)
    end = run.end() if run else at
    closed = sum(char in "}])" for char in text[at:end])
    if closed >= len(source.open):
        return True
    char = text[end : end + 1]
    if not char or char in ",#{[" or text.startswith(("//", "/*", "<"), end):
        return True
    return source.is_key_at(end)


def _begins_next(source: LooseText, char: str, at: int, following: int, place: str) -> bool:
    """Whether the next member or item begins here, its comma forgotten."""
    if place == "item":
        return char in QUOTES and following > at
    if place == "member" and char in QUOTES:
        return source.is_key_at(following)
    has_break = "\n" in source.text[at:following]
    return place == "member" and has_break and source.is_key_at(following)
