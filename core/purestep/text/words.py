"""Words of a text: folded alike on every host, with their places.

No Unicode table decides anything here: which characters are letters, and how capitals are folded, is said by ranges
that do not differ between Python versions.
"""

import re
from functools import cache
from typing import Final

from msgspec import Struct

_WORD: Final = (
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"  # one character is a word where no spaces stand
    "|[0-9A-Za-z\u00c0-\u1fff\u2c00-\u2dff\ua000-\uabff\uf900-\ufdff]+"
)


@cache
def _word() -> "re.Pattern[str]":
    """Return the pattern of a word, made on first use."""
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
    """Whether a character is part of a word."""
    return _word().match(character) is not None


class Word(Struct, frozen=True, gc=False):
    """A word folded to small letters, and where it stands: from `start`, before `end`."""

    text: str
    start: int
    end: int


def fold(text: str) -> str:
    """Return the text in small letters; as long as it was."""
    return text.lower() if text.isascii() else text.translate(_CAPITALS)  # ascii: just asked


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text in their order."""
    folded = fold(text)
    return tuple([Word(match[0], match.start(), match.end()) for match in _word().finditer(folded)])


def word_texts(text: str) -> list[str]:
    """Return the words of a text without their places."""
    return _word().findall(fold(text))
