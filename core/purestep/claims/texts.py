"""Texts taken apart: what is quoted is left out, and the rest is parts of sentences with their words."""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from ..bounds import MAX_QUOTED_CHARS
from ..carry import word_texts, words_of
from .lexicon import all_words


class SentencePart(Struct, frozen=True, gc=False):
    """A part of a sentence: its words, where it stands, whether it begins its sentence, and whether that asks."""

    words: tuple[str, ...]
    start: int
    end: int
    begins: bool
    asks: bool


@cache
def _quotes() -> "re.Pattern[str]":
    most = MAX_QUOTED_CHARS
    return re.compile(
        rf'```.*?(?:```|\Z)|(?m:^>[^\n]*)|"[^"\n]{{1,{most}}}"|\u201c[^\u201d\n]{{1,{most}}}\u201d'
        rf"|\u201e[^\u201c\u201d\n]{{1,{most}}}[\u201c\u201d]|\u00ab[^\u00bb\n]{{1,{most}}}\u00bb|`[^`\n]{{1,{most}}}`"
        rf"|(?<![0-9A-Za-z])'[^'\n]{{1,{most}}}'(?![0-9A-Za-z])",
        re.ASCII | re.DOTALL,
    )


@cache
def _quote() -> "re.Pattern[str]":
    """Give the pattern of a character with which something quoted begins."""
    return re.compile("[\"'`>\u201c\u201e\u00ab]", re.ASCII)


def unquoted(text: str) -> str:
    """Give a text with blanks in place of what is quoted or code; as long as it was."""
    if _quote().search(text) is None:
        return text
    return _quotes().sub(lambda match: " " * len(match[0]), text)


@cache
def _sentence() -> "re.Pattern[str]":
    faces = "\U0001f400-\U0001f43f\U0001f600-\U0001f64f\U0001f900-\U0001f9ff"  # and animals
    ends = f".!?;:\n\u3002\uff01\uff1f\u2026{faces}"
    return re.compile(rf"[^{ends}]*(?:[.:?](?=[^\s.?!\u3002])[^{ends}]*)*[{ends}]*", re.ASCII)


@cache
def _titles() -> "re.Pattern[str]":
    """Give the pattern of the point after a title, which ends no sentence; points are few, so they are found first."""
    titles = ("[DM]r", "Mrs", "Ms", "St", "Prof", "Nr", "No", "Sr", "Sra", "Mme", "Hr", "Fr", "vs", "approx")
    after = "|".join([rf"(?<=(?<![A-Za-z]){title}\.)" for title in titles])
    return re.compile(rf"\.(?= )(?:{after})", re.ASCII)


@cache
def _commas() -> "re.Pattern[str]":
    return re.compile(r", |[\uff0c\u3001]| [-\u2013\u2014] |\u2014", re.ASCII)


def parts_of(text: str) -> list[SentencePart]:
    """Give the parts of a text in their order, cut at commas and at words that join statements."""
    found: list[SentencePart] = []
    for match in _sentence().finditer(_titles().sub(" ", text)):
        if match[0]:
            found += _of_sentence(match[0], match.start())
    return found


def _of_sentence(sentence: str, start: int) -> Iterator[SentencePart]:
    """Yield the parts of a sentence that stands at a place."""
    asks = "?" in sentence[-3:] or "\uff1f" in sentence[-3:]
    cuts = [match.start() for match in _commas().finditer(sentence)]
    joints = all_words("joints")
    if not cuts and joints.isdisjoint(said := word_texts(sentence)):
        if said:
            yield SentencePart(tuple(said), start, start + len(sentence), True, asks)
        return
    begun, begins, next_cut = 0, True, 0
    before: list[str] = []
    for word in words_of(sentence):
        is_cut = next_cut < len(cuts) and cuts[next_cut] < word.start
        while next_cut < len(cuts) and cuts[next_cut] < word.start:
            next_cut += 1
        if before and (word.text in joints or is_cut):
            yield SentencePart(tuple(before), start + begun, start + word.start, begins, asks)
            begun, before, begins = word.start, [], False
        before.append(word.text)
    if before:
        yield SentencePart(tuple(before), start + begun, start + len(sentence), begins, asks)
