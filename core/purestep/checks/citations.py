"""Citations in an answer: each names an accepted result, and what its sentence says stands there.

A result is cited by the number of its call, `[3]` for `call_3`, as the transcript shows it. Of a sentence with
citations, the numbers, dates, addresses and quotes have to stand in the results that it cites or in the user's words.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from ..bounds import MAX_CITED_VALUES, MAX_LISTED_RESULTS
from ..json_text import BLANK
from ..lazy import lazy_pattern
from ..text import WrittenText

_MARK: Final = r"\[[0-9]{1,9}(?:[ \t]{0,2},[ \t]{0,2}[0-9]{1,9}){0,31}\]"
_MARKS: Final = lazy_pattern(_MARK, re.ASCII)
_NUMBER: Final = lazy_pattern(r"[0-9]+", re.ASCII)

_LAST: Final = "[.!?\u2026]{1,8}[\"')\u201d\u00bb*_]{0,4}(?=[ \t\r\n\\[]|\\Z)|[\u3002\uff01\uff1f]"
_ENDS: Final = lazy_pattern(rf"(?:{_LAST})(?:[ \t]{{0,4}}{_MARK}){{0,32}}|\n", re.ASCII)
"""Matches where a sentence ends: with the citations that follow its last sign, or at a line's end."""

_QUOTES: Final = (
    '"[^"\n]{1,400}"|\u201c[^\u201c\u201d\n]{1,400}\u201d|\u201e[^\u201c-\u201e\n]{1,400}[\u201c\u201d]'
    "|\u00ab[^\u00ab\u00bb\n]{1,400}\u00bb"
)
# A token stops where white space, brackets, quotes and signs of East Asian writing begin.
_TOKEN_CHAR: Final = "[^ \t\r\n<>()\\[\\]{}\"'`\u201c-\u201f\u00ab\u00bb\u3000-\u303f\uff01-\uff1f]"
_VALUES: Final = lazy_pattern(rf"{_QUOTES}|{_TOKEN_CHAR}+", re.ASCII)
"""Matches what a sentence says that can be looked for: quotes, addresses, and words with digits."""


class CitationMark(Struct, frozen=True):
    """A citation as it is written: the numbers of calls, and where it stands."""

    numbers: tuple[int, ...]
    begin: int
    end: int


class CitedText(Struct, frozen=True):
    """What a result said; `cut`: its rest is not known."""

    text: str
    cut: bool


def marks_of(answer: str) -> tuple[CitationMark, ...]:
    """Return the citations of an answer in their order."""
    return tuple(
        [
            CitationMark(tuple([int(number) for number in _NUMBER.findall(found[0])]), found.start(), found.end())
            for found in _MARKS.finditer(answer)
        ]
    )


def without_marks(answer: str) -> str:
    """Return an answer with blanks in place of its citations, whose numbers are none of what it says."""
    return _MARKS.sub(lambda mark: " " * len(mark[0]), answer)


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
    return _unsaid(answer, results, question)


def _listed(results: Mapping[int, CitedText]) -> str:
    numbers = [f"[{number}]" for number in results]
    return ", ".join(numbers if len(numbers) <= MAX_LISTED_RESULTS else [*numbers[:MAX_LISTED_RESULTS], "..."])


def _unsaid(answer: str, results: Mapping[int, CitedText], question: CitedText) -> str | None:
    """Return the first value of a sentence with citations that stands nowhere where it should."""
    written: dict[int, WrittenText] = {}
    asked: WrittenText | None = None
    left = MAX_CITED_VALUES
    for begin, end, own in cited_sentences(answer):
        cited = tuple(dict.fromkeys([number for mark in own for number in mark.numbers]))
        values = list(_said(without_marks(answer[begin:end])))
        left -= len(values)
        if left < 0:
            return f"it says more than {MAX_CITED_VALUES} values with citations, which are too many to check"
        for number in cited:
            if number not in written:
                written[number] = WrittenText(results[number].text)
        if question.cut or any(results[number].cut for number in cited):
            continue  # what is not known is not held against an answer
        for value in values:
            if any(written[number].has(value) for number in cited):
                continue
            asked = asked or WrittenText(question.text)
            if not asked.has(value):
                places = " or ".join([f"[{number}]" for number in cited])
                return f'"{value}" stands neither in {places} nor in the request'
    return None


def cited_sentences(answer: str) -> Iterator[tuple[int, int, tuple[CitationMark, ...]]]:
    """Return the sentences that have citations: code points [begin, end) without the blanks around, and the marks."""
    marks = marks_of(answer)
    begin, at = 0, 0
    for end in [*[found.end() for found in _ENDS.finditer(answer)], len(answer)]:
        first = at
        while at < len(marks) and marks[at].end <= end:
            at += 1
        if at > first:
            text = answer[begin:end]
            yield begin + len(text) - len(text.lstrip(BLANK)), begin + len(text.rstrip(BLANK)), marks[first:at]
        begin = end


def _said(sentence: str) -> Iterator[str]:
    """Yield the numbers, dates, addresses and quotes of a sentence."""
    for found in _VALUES.finditer(sentence):
        token = found[0]
        if token[0] in '"\u201c\u201e\u00ab':
            yield token[1:-1]
            continue
        token = token.strip("*_.,;:!?\u2026")
        if _NUMBER.search(token) or "@" in token or "://" in token:
            yield token
