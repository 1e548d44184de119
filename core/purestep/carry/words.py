"""Stems of words, and the language of a text."""

from functools import cache, lru_cache
from typing import Final

from ..bounds import MAX_KEPT_STEMS
from ..text import Word, fold, is_word_character, word_texts, words_of
from .languages import LANGUAGES, Language

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


__all__ = ["Word", "fold", "is_word_character", "language_of", "stem", "word_texts", "words_of"]
