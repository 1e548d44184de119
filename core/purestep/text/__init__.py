"""The words and numbers of texts, and whether values stand in them: by form alone, in no language.

Texts are compared word by word in small letters, numbers by their size. What a letter is, and how a capital is folded,
is said by ranges that do not differ between Python versions, so all of it is the same on every host.
"""

from .occurrence import Scalar, WrittenWords, amounts_of, first_absent, said_texts
from .words import Word, fold, is_word_character, word_texts, words_of
from .written_values import WrittenValues, shortens_hash

__all__ = [
    "Scalar",
    "Word",
    "WrittenValues",
    "WrittenWords",
    "amounts_of",
    "first_absent",
    "fold",
    "is_word_character",
    "said_texts",
    "shortens_hash",
    "word_texts",
    "words_of",
]
