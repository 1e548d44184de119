"""Names in a request: words with a capital where none is due, and tokens that no prose has ("web-frontend")."""

import re
from collections.abc import Sequence
from typing import Final

from ..json_text import BLANK
from .clauses import Clause, inner_from, once_per_clause, trimmed
from .languages import Language
from .languages import words as word_set
from .orders import known_verbs
from .spans import Span
from .words import Word, fold, stem


@once_per_clause
def names_in(clause: Clause) -> tuple[str, ...]:
    """Give runs of words with a capital, outside of what is told and quoted; if there are none, those in it."""
    inner, quotes = inner_from(clause), [span for span in clause.spans if span.kind == "quote"]
    runs = [run for run in _runs(clause) if not any(_is_piece(run, span) for span in clause.spans)]
    outside = [
        run for run in runs
        if run[0].start < inner and not any(quote.start <= run[0].start < quote.end for quote in quotes)
    ]  # fmt: skip
    return tuple(dict.fromkeys([name for run in outside or runs for name in _name(clause, run)]))


def led_names(clause: Clause, leads: tuple[str, ...]) -> tuple[str, ...]:
    """Give the names right after one of some words ("by" before an artist)."""
    if not clause.language.capitals:
        return ()
    found = []
    for run in _runs(clause):
        before = [word for word in clause.words if word.end <= run[0].start][-1:]
        if before and before[0].text in leads and _touch(clause, before[0], run[0]):
            found += _name(clause, run)
    return tuple(found)


def _touch(clause: Clause, before: Word, word: Word) -> bool:
    return clause.text[before.end : word.start].strip(BLANK) == ""


@once_per_clause
def _runs(clause: Clause) -> tuple[tuple[Word, ...], ...]:
    """Give runs of words with a capital; the first word has one anyway, and counts only if it may be a name."""
    found, run = list[tuple[Word, ...]](), list[Word]()
    for index, word in enumerate(clause.words):
        capital = clause.text[word.start] != word.text[0]
        if run and not (capital and _joins(clause, run[-1], word)):
            if not capital and word.text in WITHIN and _continues(clause, index):
                run.append(word)
                continue
            found.append(tuple(run))
            run = []
        if capital and (_is_within(clause, index) or _may_be_name(word, clause.language)):
            run.append(word)
    return (*found, *([tuple(run)] if run else []))


def _is_within(clause: Clause, index: int) -> bool:
    """Tell whether a word stands within a sentence, where none but a name has a capital, and is not "I"."""
    if not index:
        return False
    before, word = clause.words[index - 1], clause.words[index]
    begins = any(mark in _BEGINNING for mark in clause.text[before.end : word.start]) and before.text not in TITLES
    return not begins and not (word.end - word.start == 1 and word.text in clause.language.persons)


def _may_be_name(word: Word, language: Language) -> bool:
    """Tell whether the first word of a sentence may be a name: it is no common word, and no verb that is known."""
    common = (
        language.stop_words, language.opening, language.small_talk, language.asking, known_verbs(language),
        language.frequent_verbs, language.persons,
    )  # fmt: skip
    return language.capitals and not any(word.text in words for words in common)


def _is_piece(run: Sequence[Word], span: Span) -> bool:
    """Tell whether words stand in a date, or are but a piece of an identifier: the APT of APT-317."""
    begin, end = run[0].start, run[-1].end
    if span.kind == "code":
        return span.start <= begin and end <= span.end and end - begin < span.end - span.start
    return span.kind in ("date", "datetime", "time") and span.start <= begin < span.end


@once_per_clause
def letters_in(clause: Clause) -> tuple[str, ...]:
    """Give the letters that stand as words of their own, outside of quotes ("how many s are there in ...")."""
    quotes = [span for span in clause.spans if span.kind == "quote"]
    common = clause.language.persons | clause.language.articles | {*clause.language.operators}
    return tuple([
        clause.text[word.start : word.end]
        for word in clause.words
        if word.end - word.start == 1 and "a" <= word.text <= "z" and word.text not in common
        and clause.text[word.start - 1 : word.start] not in ("'", "\u2019", "-", ".")
        and not any(quote.start <= word.start < quote.end for quote in quotes)
    ])  # fmt: skip


_BEGINNING: Final = ".!?\n"


def _joins(clause: Clause, before: Word, word: Word) -> bool:
    gap = clause.text[before.end : word.start]
    return gap.strip(BLANK) == "" or (gap == ". " and before.text in TITLES) or gap == "-"


def _continues(clause: Clause, index: int) -> bool:
    """Tell whether a small word stands between two words with a capital ("Bank of Ireland")."""
    for word in clause.words[index + 1 : index + 3]:
        if clause.text[word.start] != word.text[0]:
            return True
        if word.text not in WITHIN:
            return False
    return False


def _name(clause: Clause, run: Sequence[Word]) -> list[str]:
    if len(run) == 1 and run[0].text in clause.language.times | TITLES:
        return []
    return [trimmed(clause.text[run[0].start : run[-1].end])]


WITHIN: Final = word_set("of the de van von der den del della di da du la le el al")
TITLES: Final = word_set("dr mr mrs ms prof st sir")

_TOKEN: Final = r"[A-Za-z0-9]{2,}(?:[-_/.][A-Za-z0-9]+)+"
_TOKEN_OF_ITS_OWN: Final = r"(?<![A-Za-z0-9@#/._-])" + _TOKEN + r"(?![A-Za-z0-9@/_-])"


@once_per_clause
def tokens_in(clause: Clause) -> tuple[str, ...]:
    """Give the words that are written as identifiers: "web-frontend", "user_sessions", "hotfix/rounding"."""
    return tuple(dict.fromkeys(re.findall(_TOKEN_OF_ITS_OWN, clause.text, re.ASCII)))


def is_token(text: str) -> bool:
    """Tell whether a text is written as an identifier, or holds a digit."""
    return re.fullmatch(_TOKEN, text, re.ASCII) is not None or any("0" <= character <= "9" for character in text)


def without_own(names: tuple[str, ...], clause: Clause, known: frozenset[str]) -> tuple[str, ...]:
    """Give the names that are not just a word of the tool ("Notion")."""
    return tuple([name for name in names if " " in name or stem(fold(name), clause.language) not in known])
