"""Words of a text: folded alike on every host, with their places, and their stems.

No Unicode table decides anything here: which characters are letters, and how capitals are folded, is said by ranges
that do not differ between Python versions.
"""

import re
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from ..bounds import MAX_KEPT_STEMS
from .languages import LANGUAGES, Language

_WORD: Final = (
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"  # one character is a word where no spaces stand
    "|[0-9A-Za-z\u00c0-\u1fff\u2c00-\u2dff\ua000-\uabff\uf900-\ufdff]+"
)


@cache
def _word() -> "re.Pattern[str]":
    """Give the pattern of a word, made on first use."""
    return re.compile(_WORD, re.ASCII)


_TIMES_SIGN: Final = 0xD7

_CAPITALS: Final = {
    **{
        code: code + 0x20
        for code in (*range(0x41, 0x5B), *range(0xC0, 0xDF), *range(0x391, 0x3AA))
        if code != _TIMES_SIGN
    },
    **{code: code + 0x20 for code in range(0x410, 0x430)},
    **{code: code + 0x50 for code in range(0x400, 0x410)},
    **{code: code + 1 for code in (*range(0x100, 0x130, 2), *range(0x14A, 0x178, 2))},
    **{code: code + 1 for code in (*range(0x139, 0x149, 2), *range(0x179, 0x17F, 2))},
}
"""Capitals of Latin, Greek and Cyrillic to their small letters."""


def is_word_character(character: str) -> bool:
    """Tell whether a character is part of a word."""
    return _word().match(character) is not None


class Word(Struct, frozen=True, gc=False):
    """A word folded to small letters, and where it stands: from `start`, before `end`."""

    text: str
    start: int
    end: int


def fold(text: str) -> str:
    """Give the text in small letters; as long as it was."""
    return text.lower() if text.isascii() else text.translate(_CAPITALS)  # ascii: just asked


def words_of(text: str) -> tuple[Word, ...]:
    """Give the words of a text in their order."""
    folded = fold(text)
    return tuple([Word(match[0], match.start(), match.end()) for match in _word().finditer(folded)])


def word_texts(text: str) -> list[str]:
    """Give the words of a text without their places."""
    return _word().findall(fold(text))


MIN_STEM_CHARS: Final = 3


def stem(word: str, language: Language) -> str:
    """Give a word without its ending: the longest suffix that leaves enough of it."""
    return _stem(word, language.name)


@lru_cache(maxsize=MAX_KEPT_STEMS)
def _stem(word: str, language: str) -> str:
    suffixes, longest = _SUFFIXES[language]
    for length in range(min(longest, len(word) - MIN_STEM_CHARS), 0, -1):
        if word[-length:] in suffixes:
            return word[:-length]
    return word


_SUFFIXES: Final = {
    language.name: (frozenset(language.suffixes), max(len(suffix) for suffix in language.suffixes))
    for language in LANGUAGES
}


def language_of(words: tuple[Word, ...]) -> Language:
    """Give the language most of whose common words stand in a text; the first one where the words tell none."""
    best, most = LANGUAGES[0], 0
    said = [word.text for word in words if len(word.text) > 1]  # the "A" of "A-1042" is no article
    for language in LANGUAGES:
        common = 2 * len([text for text in said if text in language.stop_words or text in language.small_talk])
        hints = _hints(language.name)
        common += len([text for text in said if text in hints])
        if common > most:
            best, most = language, common
    return best


@cache
def _hints(name: str) -> frozenset[str]:
    """Give the words of one language's groups that no other language's groups have."""
    own, others = set[str](), set[str]()
    for language in LANGUAGES:
        (own if language.name == name else others).update(word for group in language.kin for word in group)
    return frozenset(own - others)
