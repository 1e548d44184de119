"""Names in a request: words with a capital where none is due, and tokens that no prose has ("web-frontend")."""

import re
from typing import Final

from ..json_text import BLANK
from .clauses import Clause, inner_from, trimmed
from .languages import words as word_set
from .orders import known_verbs
from .words import Word, fold, stem


def names_in(clause: Clause) -> tuple[str, ...]:
    """Give runs of words with a capital, outside of what is told and quoted; if there are none, those in it."""
    inner, quotes = inner_from(clause), [span for span in clause.spans if span.kind == "quote"]
    runs = _runs(clause)
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


def _runs(clause: Clause) -> list[list[Word]]:
    """Give runs of words with a capital; the first word has one anyway, and counts only if it may be a name."""
    found, run = list[list[Word]](), list[Word]()
    for index, word in enumerate(clause.words):
        capital = clause.text[word.start] != word.text[0]
        if run and not (capital and _joins(clause, run[-1], word)):
            if not capital and word.text in _WITHIN and _continues(clause, index):
                run.append(word)
                continue
            found.append(run)
            run = []
        if capital and (index or _begins_name(clause)):
            run.append(word)
    return [*found, *([run] if run else [])]


def _begins_name(clause: Clause) -> bool:
    """Tell whether the first word may be a name: it is no common word, and no verb that is known."""
    first, language = clause.words[0].text, clause.language
    common = (language.stop_words, language.opening, language.small_talk, language.asking, known_verbs(language))
    return language.capitals and not any(first in words for words in common)


def _joins(clause: Clause, before: Word, word: Word) -> bool:
    gap = clause.text[before.end : word.start]
    return gap.strip(BLANK) == "" or (gap == ". " and before.text in _TITLES) or gap == "-"


def _continues(clause: Clause, index: int) -> bool:
    """Tell whether a small word stands between two words with a capital ("Bank of Ireland")."""
    for word in clause.words[index + 1 : index + 3]:
        if clause.text[word.start] != word.text[0]:
            return True
        if word.text not in _WITHIN:
            return False
    return False


def _name(clause: Clause, run: list[Word]) -> list[str]:
    if len(run) == 1 and run[0].text in clause.language.times | _TITLES:
        return []
    return [trimmed(clause.text[run[0].start : run[-1].end])]


_WITHIN: Final = word_set("of the de van von der den del della di da du la le el al")
_TITLES: Final = word_set("dr mr mrs ms prof st sir")

_TOKEN: Final = r"[A-Za-z0-9]{2,}(?:[-_/.][A-Za-z0-9]+)+"
_TOKEN_OF_ITS_OWN: Final = r"(?<![A-Za-z0-9@#/._-])" + _TOKEN + r"(?![A-Za-z0-9@/_-])"


def tokens_in(clause: Clause) -> tuple[str, ...]:
    """Give the words that are written as identifiers: "web-frontend", "user_sessions", "hotfix/rounding"."""
    return tuple(dict.fromkeys(re.findall(_TOKEN_OF_ITS_OWN, clause.text, re.ASCII)))


def is_token(text: str) -> bool:
    """Tell whether a text is written as an identifier, or holds a digit."""
    return re.fullmatch(_TOKEN, text, re.ASCII) is not None or any("0" <= character <= "9" for character in text)


def without_own(names: tuple[str, ...], clause: Clause, known: frozenset[str]) -> tuple[str, ...]:
    """Give the names that are not just a word of the tool ("Notion")."""
    return tuple([name for name in names if " " in name or stem(fold(name), clause.language) not in known])
