"""The words of texts, the values in them, and whether others stand there: by form alone, in no language.

Texts are compared word by word in small letters, numbers by their size. What a letter is, and how a capital is folded,
is said by ranges that do not differ between Python versions, so all of it is the same on every host.
"""

from .forms import FormedValue, Kind, marked, spans_of, values_of_kind
from .occurrence import Scalar, WrittenWords, amounts_of, first_absent, number_form, said_texts
from .words import Word, fold, is_word_character, word_texts, words_of
from .written_values import WrittenValues, shortens_hash
