"""How many tokens a text has at most, estimated from its characters: no tokenizer, the same on every host.

A tokenizer that reads bytes makes at most one token of each byte, which is what characters outside of ASCII are
counted as; a little less in Greek, Cyrillic, Hebrew, Arabic, Chinese and Japanese.
In ASCII, digits and punctuation are a token each, a common English word is one, other words are half of
their letters, and what does not look like a word more. Linear in the text.
"""

from collections import Counter
from typing import Final

from ..bounds import MAX_WORD_LETTERS
from ..lazy import lazy_pattern
from .common_words import COMMON_WORDS

WORDS: Final = lazy_pattern(rb" ?[A-Za-z]+")
_GAPS: Final = lazy_pattern(rb" {2,}")
HUMPS: Final = lazy_pattern(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")
_LETTERS: Final = b" abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PAIRED: Final = bytes([*range(0xCE, 0xD4), *range(0xD7, 0xDC), *range(0xE3, 0xEA)])
"""First bytes of letters that tokenizers know some pairs of bytes of: half a token less for each."""
_SHORT_LETTERS: Final = 2
_SHORT_NAME_LETTERS: Final = 4


def estimated_tokens(text: str) -> int:
    """Return how many tokens a text has at most, in practice; texts as people, programs and models write them.

    text: without lone surrogates.
    """
    data = text.encode()
    tokens = len(data.translate(None, _LETTERS)) + data.count(b" ")
    for word, count in Counter(WORDS.findall(data)).items():
        tokens += count * _word_tokens(word)
    if len(data) > len(text):
        tokens -= (len(data) - len(data.translate(None, _PAIRED))) // 2
    return tokens - sum([len(gap) // 2 for gap in _GAPS.findall(data)])


def _word_tokens(word: bytes) -> int:
    """Return the tokens of a run of letters, without the blank before it, which is part of its first token."""
    letters = word.lstrip()  # ascii: bytes
    spaced = len(letters) < len(word)
    if len(letters) == 1 or letters[1:].islower():  # ascii: bytes
        return _plain_tokens(letters, spaced) - spaced
    if letters.isupper():  # ascii: bytes
        return (3 * len(letters) + 3) // 4 - 1 if spaced else len(letters)
    pieces = HUMPS.findall(letters)
    tokens = sum([_hump_tokens(piece) for piece in pieces])
    return max(tokens, _key_tokens(letters)) - spaced


def _hump_tokens(letters: bytes) -> int:
    return len(letters) if letters.isupper() else _plain_tokens(letters, False)  # ascii: bytes


def _plain_tokens(letters: bytes, spaced: bool) -> int:
    """Return the tokens of small letters, the first of which may be a capital."""
    size, plain = len(letters), letters.lower()  # ascii: bytes
    if size <= _SHORT_LETTERS:
        return 1 if spaced else size
    if plain in COMMON_WORDS:
        return 1 if spaced and (plain == letters or size <= _SHORT_NAME_LETTERS) else 2
    if plain[:-1] in COMMON_WORDS:
        return 2 if spaced else 3
    if size > MAX_WORD_LETTERS:
        return _key_tokens(letters)
    return 1 + (size - spaced) // 2


def _key_tokens(letters: bytes) -> int:
    """Return the tokens of a run of letters that is too long for a word, such as a key or a hash; else none."""
    return 3 * len(letters) // 4 if len(letters) > MAX_WORD_LETTERS else 0
