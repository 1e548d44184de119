"""Citations in an answer: each names an accepted result, and what its sentence says stands there.

A result is cited by the number of its call, `[3]` for `call_3`, as the transcript shows it. Of a sentence with
citations, the numbers, dates, addresses and quotes have to stand in the results that it cites or in the user's words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from ..bounds import MAX_CITED_VALUES, MAX_LISTED_RESULTS
from ..json_text import BLANK
from ..lazy import lazy_pattern
from ..text import WrittenValues

_MARK: Final = r"\[[0-9]{1,9}(?:[ \t]{0,2},[ \t]{0,2}[0-9]{1,9}){0,31}\]"
_NUMBER: Final = lazy_pattern(r"[0-9]+", re.ASCII)


class CitationMark(Struct, frozen=True):
    """A citation as it is written: the numbers of calls, and where it stands."""

    numbers: tuple[int, ...]
    begin: int
    end: int


class CitedText(Struct, frozen=True):
    """What a result said; `cut`: its rest is not known."""

    text: str
    cut: bool


@cache
def _marks() -> "re.Pattern[str]":
    return re.compile(_MARK, re.ASCII)


@cache
def _ends() -> "re.Pattern[str]":
    """Return the pattern of where a sentence ends: with the citations that follow its last sign, or at a line's end."""
    closing = "[\"')\u201d\u00bb*_]{0,4}"
    last = f"[.!?\u2026]{{1,8}}{closing}(?=[ \t\r\n\\[]|\\Z)|[\u3002\uff01\uff1f]"
    return re.compile(rf"(?:{last})(?:[ \t]{{0,4}}{_MARK}){{0,32}}|\n", re.ASCII)


@cache
def _values() -> "re.Pattern[str]":
    """Return the pattern of what a sentence says that can be looked for: quotes, addresses, and words with digits."""
    quotes = (
        '"[^"\n]{1,400}"|\u201c[^\u201c\u201d\n]{1,400}\u201d|\u201e[^\u201c-\u201e\n]{1,400}[\u201c\u201d]'
        "|\u00ab[^\u00ab\u00bb\n]{1,400}\u00bb"
    )
    # A token stops where white space, brackets, quotes and signs of East Asian writing begin.
    char = "[^ \t\r\n<>()\\[\\]{}\"'`\u201c-\u201f\u00ab\u00bb\u3000-\u303f\uff01-\uff1f]"
    return re.compile(rf"{quotes}|{char}+", re.ASCII)


def marks_of(answer: str) -> tuple[CitationMark, ...]:
    """Return the citations of an answer in their order."""
    return tuple(
        [
            CitationMark(tuple([int(number) for number in _NUMBER.findall(found[0])]), found.start(), found.end())
            for found in _marks().finditer(answer)
        ]
    )


def without_marks(answer: str) -> str:
    """Return an answer with blanks in place of its citations, whose numbers are none of what it says."""
    return _marks().sub(lambda mark: " " * len(mark[0]), answer)


def wrong_citations(answer: str, results: Mapping[int, CitedText], question: CitedText) -> str | None:
    """Return what is wrong with the citations of an answer; None where they hold.

    results: what may be cited, by number. An answer without any results needs no citations.
    """
    marks = marks_of(answer)
    if not marks:
        return f"it cites none of the results {_listed(results)}" if results else None
    for mark in marks:
        for number in mark.numbers:
            if number not in results:
                named = f"; there are {_listed(results)}" if results else ""
                return f"[{number}] is no result of this exchange{named}"
    return _unsaid(answer, marks, results, question)


def _listed(results: Mapping[int, CitedText]) -> str:
    numbers = [f"[{number}]" for number in results]
    return ", ".join(numbers if len(numbers) <= MAX_LISTED_RESULTS else [*numbers[:MAX_LISTED_RESULTS], "..."])


def _unsaid(
    answer: str, marks: tuple[CitationMark, ...], results: Mapping[int, CitedText], question: CitedText
) -> str | None:
    """Return the first value of a sentence with citations that stands nowhere where it should."""
    written: dict[int, WrittenValues] = {}
    asked: WrittenValues | None = None
    left = MAX_CITED_VALUES
    for begin, end, own in _cited(answer, marks):
        cited = tuple(dict.fromkeys([number for mark in own for number in mark.numbers]))
        values = list(_said(_without_marks(answer, begin, end, own)))
        left -= len(values)
        if left < 0:
            return f"it says more than {MAX_CITED_VALUES} values with citations, which are too many to check"
        for number in cited:
            if number not in written:
                written[number] = WrittenValues(results[number].text)
        if question.cut or any(results[number].cut for number in cited):
            continue  # what is not known is not held against an answer
        for value in values:
            if any(written[number].has(value) for number in cited):
                continue
            asked = asked or WrittenValues(question.text)
            if not asked.has(value):
                places = " or ".join([f"[{number}]" for number in cited])
                return f'"{value}" stands neither in {places} nor in the request'
    return None


def cited_sentences(answer: str) -> Iterator[tuple[int, int, tuple[CitationMark, ...]]]:
    """Return the sentences that have citations: code points [begin, end) without the blanks around, and the marks."""
    return _cited(answer, marks_of(answer))


def _cited(answer: str, marks: tuple[CitationMark, ...]) -> Iterator[tuple[int, int, tuple[CitationMark, ...]]]:
    begin, at = 0, 0
    for end in [*[found.end() for found in _ends().finditer(answer)], len(answer)]:
        first = at
        while at < len(marks) and marks[at].end <= end:
            at += 1
        if at > first:
            text = answer[begin:end]
            yield begin + len(text) - len(text.lstrip(BLANK)), begin + len(text.rstrip(BLANK)), marks[first:at]
        begin = end


def _without_marks(answer: str, begin: int, end: int, marks: Sequence[CitationMark]) -> str:
    parts = list[str]()
    for mark in marks:
        parts.append(answer[begin : mark.begin])
        begin = mark.end
    return " ".join([*parts, answer[begin:end]])


def _said(sentence: str) -> Iterator[str]:
    """Yield the numbers, dates, addresses and quotes of a sentence."""
    for found in _values().finditer(sentence):
        token = found[0]
        if token[0] in '"\u201c\u201e\u00ab':
            yield token[1:-1]
            continue
        token = token.strip("*_.,;:!?\u2026")
        if _NUMBER.search(token) or "@" in token or "://" in token:
            yield token
