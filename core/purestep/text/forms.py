"""Values in a text that their form tells: addresses, paths, dates and times in digits, numbers, quotes.

Kinds are looked for in an order in which one that holds another comes first: the numbers in a date are no numbers of
the text, and the host of an e-mail address is no address in the web. Each form is linear in the text: it begins only
where a run of its characters does, and repeats nothing that it could repeat in two ways.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from msgspec import Struct

from ..bounds import MAX_FORMED_DIGITS
from ..lazy import lazy_pattern
from .numbers import NUMBER, amounts_of
from .words import fold

Kind = Literal["quote", "url", "email", "datetime", "date", "time", "path", "number"]


class FormedValue(Struct, frozen=True, gc=False):
    """A value in a text: its kind, the value as an argument has it, and where it stands, before `end`."""

    kind: Kind
    value: str | int | float
    start: int
    end: int


_QUOTE: Final = (
    r'"([^"\n]{1,400})"|\u201c([^\u201c\u201d\n]{1,400})\u201d|\u201e([^\u201e\u201c\u201d\n]{1,400})[\u201c\u201d]'
    r"|\u00ab([^\u00ab\u00bb\n]{1,400})\u00bb|`([^`\n]{1,400})`"
    r"|(?<![0-9A-Za-z'])'([^'\n]{1,200})'(?![0-9A-Za-z])"
)
_IN_URL: Final = "[^\\s<>\"'`\u00a0\u00ab\u00bb\u2018-\u201f\u3000-\u303f\uff01-\uff0f\uff1a-\uff1f]"
"""A character of an address in the web: none that only writing around it has."""

_LETTERS: Final = "\u00c0-\u024f\u0370-\u052f"
_MAILBOX: Final = rf"A-Za-z0-9._%+{_LETTERS}-"
_HOST: Final = rf"A-Za-z0-9{_LETTERS}-"

_TOP_DOMAINS: Final = (
    "com|org|net|edu|gov|info|biz|io|dev|app|ai|eu|de|at|ch|fr|es|it|nl|be|uk|ie|pl|pt|se|no|dk|fi|cz|ru|us|ca|au|nz|jp"
    "|cn|kr|br|mx|ar|za|tr|gr"
)
"""Last labels of hosts that are written without a scheme; others are endings of files or abbreviations, too."""

_LABEL: Final = "[A-Za-z0-9\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f-]{0,61}[A-Za-z0-9\u00c0-\u024f])?"
_BARE_URL: Final = (
    rf"(?<![A-Za-z0-9\u00c0-\u024f@._/+-])(?:{_LABEL}\.){{1,4}}(?:{_TOP_DOMAINS})"
    r"(?=[:/?#]|(?![A-Za-z0-9\u00c0-\u024f@_-]|\.[A-Za-z0-9]))"
    "(?::[0-9]{1,5})?(?:[/?#][^\\s<>\"'`\u00ab\u00bb\u201c-\u201f\u3000-\u303f\uff01-\uff1f]{0,2000})?"
)

_YEAR: Final = "(?:1[0-9]|20|21)[0-9]{2}"
_MONTH: Final = "(?:1[0-2]|0?[1-9])"
_DAY: Final = "(?:3[01]|[12][0-9]|0?[1-9])"
_TIME: Final = "(?:2[0-3]|[01]?[0-9]):[0-5][0-9]"
_APART: Final = r"(?<![0-9A-Za-z\u00c0-\u024f\u0370-\u052f])(?<![0-9][.,/:-])"
"""Before a date: no letter or digit, and no number that goes on."""
_ENDED: Final = r"(?![0-9A-Za-z\u00c0-\u024f\u0370-\u052f]|[./-][0-9])"
_CLOCK: Final = r"[Tt][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?"

_SOURCES: Final[tuple[tuple[Kind, str], ...]] = (
    ("quote", _QUOTE),
    ("url", rf"[Hh][Tt][Tt][Pp][Ss]?://{_IN_URL}{{1,2000}}|(?<![A-Za-z0-9.])[Ww]{{3}}\.{_IN_URL}{{3,200}}"),
    ("email", rf"(?<![{_MAILBOX}])[{_MAILBOX}]{{1,64}}@[{_HOST}]{{1,63}}(?:\.[{_HOST}]{{1,63}}){{1,5}}"),
    ("url", _BARE_URL),
    ("datetime", rf"{_APART}{_YEAR}-{_MONTH}-{_DAY}{_CLOCK}{_ENDED}"),
    ("date", rf"{_APART}{_YEAR}([-/.]){_MONTH}\1{_DAY}{_ENDED}"),
    ("date", rf"{_APART}{_DAY}\.[ ]?{_MONTH}\.[ ]?(?:{_YEAR}|[0-9]{{2}}){_ENDED}"),
    ("date", rf"{_APART}(?:{_DAY}([/-]){_MONTH}|{_MONTH}([/-]){_DAY})[/-](?:{_YEAR}|[0-9]{{2}}){_ENDED}"),
    ("time", rf"(?<![0-9.:]){_TIME}(?::[0-5][0-9])?(?![0-9:])"),
    ("path",
     r"(?<![0-9A-Za-z/\\.:_-])(?:[A-Za-z]:\\|~?/|\.{1,2}/)?(?:[A-Za-z0-9_.-]{1,255}[/\\])+[A-Za-z0-9_.-]{0,255}"
     r"|(?<![0-9A-Za-z/\\.:_-])(?:~?/|\.{1,2}/)[A-Za-z0-9_.-]{1,255}"
     r"|(?<![0-9A-Za-z/\\.@_-])[A-Za-z_][A-Za-z0-9_-]{0,254}(?:\.[A-Za-z0-9_-]{1,255})*\.[A-Za-z][A-Za-z0-9]{0,4}"
     r"(?![0-9A-Za-z])"),
)  # fmt: skip
_FORMS: Final = tuple([(kind, lazy_pattern(source, re.ASCII)) for kind, source in _SOURCES])

_SIGNS: Final[dict[Kind, tuple[str, ...]]] = {
    "quote": ('"', "\u201c", "\u201e", "\u00ab", "`", "'"), "url": (".", "://"), "email": ("@",), "datetime": ("-",),
    "date": ("-", ".", "/"), "time": (":",), "path": ("/", "\\", "."),
}  # fmt: skip
"""Characters one of which every value of a kind has: most texts are searched for few kinds."""

_TRAILING: Final = ".,;:!?)]}'"
"""What stands after an address, and is none of it."""


def spans_of(text: str) -> tuple[FormedValue, ...]:
    """Return the values of a text in their order; none overlaps another, but for those in a quote or path."""
    found: list[FormedValue] = []
    taken = bytearray(len(text))
    for kind, form in _FORMS:
        if any(sign in text for sign in _SIGNS[kind]):
            for match in form.finditer(text):
                _take(found, taken, kind, match)
    found += _numbers(text, marked(text, [span for span in found if span.kind not in ("quote", "path")]))
    return tuple(sorted(found, key=lambda span: span.start))


def marked(text: str, spans: Iterable[FormedValue]) -> bytearray:
    """Return a byte for each character of a text, 1 where one of the values stands."""
    marks = bytearray(len(text))
    for span in spans:
        marks[span.start : span.end] = b"\x01" * (span.end - span.start)
    return marks


def _take(found: list[FormedValue], taken: bytearray, kind: Kind, match: "re.Match[str]") -> None:
    value, start, end = match[0], match.start(), match.end()
    if any(taken[start:end]):
        return
    if kind == "quote":
        value = next(group for group in match.groups() if group is not None)
    elif kind in ("url", "path"):
        value = _without_trailing(value)
        end = start + len(value)
    if not value:
        return
    # A quote's inside stays open to the kinds after it: "https://a.example" in quotes is a URL all the same.
    if kind != "quote":
        taken[start:end] = b"\x01" * (end - start)
    found.append(FormedValue(kind, value, start, end))


def _without_trailing(raw: str) -> str:
    """Return an address without the punctuation after it; a bracket that it opened belongs to it."""
    value = raw.rstrip(_TRAILING)
    return f"{value})" if raw[len(value) : len(value) + 1] == ")" and "(" in value.rpartition(")")[2] else value


def _numbers(text: str, taken: bytearray) -> Iterator[FormedValue]:
    """Yield the numbers of a text, one that may be read in several ways as each of them: 1.500 is 1.5 or 1500."""
    for match in NUMBER.finditer(fold(text)):
        if not any(taken[match.start() : match.end()]):
            for negative, digits, power in sorted(amounts_of(match[0])):
                if len(digits) + max(power, 0) <= MAX_FORMED_DIGITS and -power <= MAX_FORMED_DIGITS:
                    value = _number(digits, power)
                    yield FormedValue("number", -value if negative else value, match.start(), match.end())


def _number(digits: str, power: int) -> int | float:
    return int(digits or "0") * 10**power if power >= 0 else float(f"{digits}e{power}")
