"""Counts: how many things an answer says were done, or the user asked for, against the calls that did them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from ..bounds import MAX_COUNTED_ACTS
from ..values import Claims
from .answers import Answer
from .done import FalseClaim
from .effects import Effects, nouns_of
from .items import Item, is_digits
from .known import Known
from .lexicon import all_words, numbers

_LEAST: Final = 2
"""Calls that show that each was about one thing; a single one may have been about all."""
_DIGITS: Final = 3


def more_than_calls(answer: Answer, claims: Claims, effects: Effects) -> FalseClaim | None:
    """Judge "all three issues" after two calls: of a tool whose calls are about one thing each, by its noun.

    So is an answer that does not say how many, where the user did. A number that a call or a result has is no count.
    """
    calls = {name: claims.acted.count(name) for name in claims.acted if not effects.tools[name].is_for_many}
    calls = {name: count for name, count in calls.items() if count >= _LEAST}
    if not calls or claims.cut or answer.excuses or len(claims.acted) >= MAX_COUNTED_ACTS:
        return None
    told = [count for part in answer.told for count in _counted(part.words, calls, effects)]
    # The user's words are kept with their digits first, so that only words for numbers stand where they were said.
    asked = [] if told else [each for each in _counted(claims.words, calls, effects) if not is_digits(each[0])]
    known = Known((*claims.items, *claims.seen))
    wrong = [each for each in (*told, *asked) if each[1] > calls[each[2]]]
    found = next((each for each in wrong if not known.holds(Item("number", str(each[1]), 0, 0))), None)
    return None if found is None else FalseClaim((found[2],), found[0], ordered=True)


def _counted(words: Sequence[str], calls: Mapping[str, int], effects: Effects) -> Iterator[tuple[str, int, str]]:
    """Yield each number right before a noun of a tool: its word, the number, and the tool."""
    for word, thing in pairwise(words):
        number = int(word) if is_digits(word) and len(word) <= _DIGITS else numbers().get(word, 0)
        nouns = nouns_of((thing,)) if number and thing not in all_words("units") else frozenset[str]()
        yield from [(word, number, name) for name in calls if not nouns.isdisjoint(effects.tools[name].nouns)][:1]
