"""Values that stand in a text and whose kind their form tells: numbers, URLs, paths, dates, addresses, quotes, codes.

Kinds are searched in an order in which one that holds another comes first: the numbers inside of a date or an address
are no numbers of the request.
"""

import re
from functools import cache
from typing import Any, Final, Literal

from msgspec import Struct

from .languages import Language
from .moments import Moment, moments_in, time_of_day
from .words import Word

Kind = Literal["quote", "url", "email", "datetime", "date", "time", "glob", "path", "code", "number"]


class Span(Struct, frozen=True):
    """A value in a text: its kind, the value as an argument has it, and where it stands."""

    kind: Kind
    value: Any
    start: int
    end: int


_QUOTE: Final = (
    r'"(?P<q1>[^"\n]{1,2000})"|\u201c(?P<q2>[^\u201d\n]{1,2000})\u201d|\u201e(?P<q3>[^\u201c\u201d\n]{1,2000})[\u201c\u201d]'
    r"|\u00ab(?P<q4>[^\u00bb\n]{1,2000})\u00bb|`(?P<q5>[^`\n]{1,2000})`"
    r"|(?<![0-9A-Za-z])'(?P<q6>[^'\n]{1,200}(?:'[a-z][^'\n]{0,200})?)'(?![0-9A-Za-z])"
)
_IN_URL: Final = "[^\\s<>\"'`\u00a0\u00ab\u00bb\u2018-\u201f\u3000-\u303f\uff01-\uff0f\uff1a-\uff1f]"
"""A character of an address in the web: none that only writing around it has."""

_LETTERS: Final = "\u00c0-\u024f\u0370-\u052f"
_MAILBOX: Final = rf"A-Za-z0-9._%+{_LETTERS}-"
_HOST: Final = rf"A-Za-z0-9{_LETTERS}-"

_FORMS: Final[tuple[tuple[Kind, str], ...]] = (
    ("quote", _QUOTE),
    ("url", rf"https?://{_IN_URL}{{1,2000}}|www\.{_IN_URL}{{3,200}}"),
    ("email", rf"(?<![{_MAILBOX}])[{_MAILBOX}]{{1,64}}@[{_HOST}]{{1,63}}(?:\.[{_HOST}]{{1,63}}){{1,5}}"),
    ("datetime",
     r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:Z|[+-][0-9]{2}:[0-9]{2})?"),
    ("date", r"(?<![0-9A-Za-z/_.-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9A-Za-z/_-]|\.[a-z])"
     r"|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}"
     r"|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}"),
    ("time", r"(?<![0-9.:])[0-9]{1,2}:[0-9]{2}(?![0-9:])(?: ?[aApP][mM])?"
     r"|(?<![0-9.])[0-9]{1,2} ?[aApP][mM]\b"),
    ("glob", r"(?<![0-9A-Za-z_*-])[A-Za-z0-9_-]*\*[A-Za-z0-9_*-]*\.[A-Za-z0-9*]{1,10}"),
    ("path",
     r"(?<![0-9A-Za-z/.:_-])(?:[A-Za-z]:\\|~?/|\.{1,2}/)?(?:[A-Za-z0-9_.-]+[/\\])+[A-Za-z0-9_.-]*[A-Za-z0-9_/-]"
     r"|(?<![0-9A-Za-z/.])(?:~?/|\.{1,2}/)[A-Za-z0-9_.-]*[A-Za-z0-9_-]"
     r"|(?<![0-9A-Za-z/.:_-])[A-Za-z_][A-Za-z0-9_-]*/(?![0-9A-Za-z])"
     r"|(?<![0-9A-Za-z/.@])[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\.[a-z][a-z0-9]{0,4}(?![0-9A-Za-z])"),
    ("code",
     r"(?<![0-9A-Za-z_-])(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*"
     r"(?![0-9A-Za-z])|#[0-9A-Za-z-]+"),
    ("number",
     r"(?<![0-9A-Za-z.,])[-\u2212]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?![0-9A-Za-z])"
     r"|(?<![0-9A-Za-z.,])-?[0-9]+(?:\.[0-9]+)?(?=%)"),
)  # fmt: skip


@cache
def forms() -> tuple[tuple[Kind, "re.Pattern[str]"], ...]:
    """Give the forms compiled, on first use: most programs carry no model."""
    return tuple([(kind, re.compile(form, re.ASCII | re.IGNORECASE * (kind == "url"))) for kind, form in _FORMS])


def may_hold(text: str, kind: Kind) -> bool:
    """Tell whether a text has a character that every value of a kind has: most texts are searched for few kinds."""
    return any(sign in text for sign in _SIGNS[kind])


_DIGITS: Final = tuple("0123456789")
_SIGNS: Final[dict[Kind, tuple[str, ...]]] = {
    "quote": ('"', "\u201c", "\u201e", "\u00ab", "`", "'"), "url": ("://", "."), "email": ("@",), "datetime": ("-",),
    "date": ("-", ".", "/"), "time": _DIGITS, "glob": ("*",), "path": ("/", "\\", "."), "code": ("#", *_DIGITS),
    "number": _DIGITS,
}  # fmt: skip

_TRAILING: Final = ".,;:!?)]}'"
_NUMBER: Final = r"-?[0-9]+(?:\.[0-9]+)?"
_MAX_DIGITS: Final = 15


def spans_of(text: str, words: tuple[Word, ...], language: Language) -> tuple[Span, ...]:
    """Give the values of a text in their order; none overlaps another."""
    found: list[Span] = []
    taken = bytearray(len(text))
    for kind, form in forms():
        if kind == "datetime":
            _take_moments(found, taken, moments_in(text, words, language))
        if may_hold(text, kind):
            for match in form.finditer(text):
                _take(found, taken, kind, match)
    found += _spelled_numbers(words, taken, language)
    return tuple(sorted(found, key=lambda span: span.start))


def _take_moments(found: list[Span], taken: bytearray, moments: list[Moment]) -> None:
    """Take dates and times in words, before the numbers in them are."""
    for kind, value, start, end in moments:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            found.append(Span(kind, value, start, end))


def _take(found: list[Span], taken: bytearray, kind: Kind, match: "re.Match[str]") -> None:
    raw, start, end = match[0], match.start(), match.end()
    if any(taken[start:end]):
        return
    value: Any = raw
    if kind == "quote":
        value = next(group for group in match.groups() if group is not None)
    elif kind == "number":
        value = number_value(raw)
    elif kind == "time":
        value = time_of_day(raw)
    elif kind in ("url", "path"):
        value = _without_trailing(raw)
        end = start + len(value)
    elif kind == "code":
        value = raw.removeprefix("#")
        if number_value(value) is not None:
            kind, value = "number", number_value(value)
    if value is None or value == "":
        return
    # A quote's inside stays open to the kinds after it: "https://a.example" in quotes is a URL all the same.
    if kind != "quote":
        taken[start:end] = b"\x01" * (end - start)
    found.append(Span(kind, value, start, end))


def _without_trailing(raw: str) -> str:
    """Give an address without the punctuation after it; a bracket that it opened belongs to it."""
    value = raw.rstrip(_TRAILING)
    return f"{value})" if raw[len(value) : len(value) + 1] == ")" and "(" in value.rpartition(")")[2] else value


def number_value(text: str) -> int | float | None:
    """Give the number that digits with separators are, or None; whole ones as integers."""
    plain = text.replace(",", "").replace("\u2212", "-")
    if re.fullmatch(_NUMBER, plain, re.ASCII) is None or len(plain) > _MAX_DIGITS:
        return None
    return float(plain) if "." in plain else int(plain)


def _spelled_numbers(words: tuple[Word, ...], taken: bytearray, language: Language) -> list[Span]:
    """Give the numbers that stand as words: "seventeen", "twenty five", "three hundred"."""
    found, at = [], 0
    while at < len(words):
        value, after = _spelled(words, at, language.number_words)
        is_pronoun = value == 1 and at > 0 and words[at - 1].text in language.before_pronouns
        if value is None or is_pronoun or any(taken[words[at].start : words[after - 1].end]):
            at += 1
            continue
        found.append(Span("number", value, words[at].start, words[after - 1].end))
        at = after
    return found


def _spelled(words: tuple[Word, ...], at: int, values: dict[str, int]) -> tuple[int | None, int]:
    total, part, begun = 0, 0, at
    while at < len(words) and (value := values.get(words[at].text)) is not None:
        if at > begun and words[at].start - words[at - 1].end > 1:
            break
        if value >= 100:  # noqa: PLR2004 (hundreds multiply what stands before them)
            part = max(part, 1) * value
            if value >= 1000:  # noqa: PLR2004
                total, part = total + part, 0
        elif part % 100 == 0 or (part % 10 == 0 and value < 10):  # noqa: PLR2004 (twenty five)
            part += value
        else:
            break
        at += 1
    return (total + part if at > begun else None), at


def inside(spans: tuple[Span, ...], start: int, end: int) -> tuple[Span, ...]:
    """Give the values that stand within a part of the text."""
    return tuple([span for span in spans if start <= span.start and span.end <= end])


__all__ = ["Kind", "Span", "inside", "number_value", "spans_of"]
