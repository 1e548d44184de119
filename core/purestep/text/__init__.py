"""The words of texts, the values in them, and whether others stand there: by form alone, in no language.

Texts are compared word by word in small letters, numbers by their size. What a letter is, and how a capital is folded,
is said by ranges that do not differ between Python versions, so all of it is the same on every host. Texts are ranked
by the words of a query in whole numbers.
"""

from .forms import FormedValue, Kind, marked, spans_of
from .numbers import NUMBER, amount_of, amounts_of, is_among, is_grouped
from .ranking import TextIndex, fused
from .words import fold, words_of
from .written import WrittenText, said_texts
