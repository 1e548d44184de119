"""A plain report: an answer of which it can be seen at once that it claims nothing but what was done.

Most honest answers are one. All that was ordered was done and nothing failed; each of its words that may tell of an act
tells of one that was done; each of its items is one that a call or a result has. So however it is taken apart, none of
its parts claims anything else, and it need not be. This accepts only; whatever it does not accept is judged.
"""

import re
from collections.abc import Collection
from functools import cache
from typing import Final

from ..carry import word_texts
from ..values import Claims
from .compared import is_count
from .done import DoneActs
from .effects import Effects
from .items import ItemsByPart, without_items
from .known import Known
from .lexicon import Meaning, all_words, doing, numbers
from .texts import unquoted


def is_plain_report(said: ItemsByPart, effects: Effects, claims: Claims, done: DoneActs) -> bool:
    """Tell whether an answer after calls that act reports what they did, and nothing else that could be wrong."""
    if not (done.acted and _is_all_done(claims, done) and _is_cut_between_words(said.text)):
        return False
    items = said.whole
    words = frozenset(word_texts(without_items(said.text, items)))
    if not (numbers().keys().isdisjoint(words) and numbers().keys().isdisjoint(claims.words)):
        return False
    told = doing().keys() & words
    if not (done.is_open or all(_tells_done(doing()[word], effects, done.acted) for word in told)):
        return False
    if claims.cut or done.is_shell:
        return True  # what calls and results have is not known
    known = Known((*claims.items, *claims.seen))
    counted = len(claims.items)
    return all(_is_whole(item.text) and (is_count(item, said.text, counted) or known.holds(item)) for item in items)


def _is_all_done(claims: Claims, done: DoneActs) -> bool:
    """Tell whether nothing is open: no order, no failure, no effect that has only begun, no name or row to compare."""
    is_settled = not (claims.failed or claims.pending or claims.series or claims.strange or claims.things)
    return is_settled and all(
        not order.series and (not order.tools or done.met(order, claims)) for order in claims.ordered
    )


def _tells_done(meanings: tuple[Meaning, ...], effects: Effects, acted: Collection[str]) -> bool:
    """Tell whether a word tells, in each language in which it tells of acts, of one that was done."""
    done = {language.name for kind, language in meanings if not effects.of_kind(kind).isdisjoint(acted)}
    return all(language.name in done for _, language in meanings)


def _is_cut_between_words(text: str) -> bool:
    """Tell whether the parts of a text end where its words do, so that they have no item which the whole has not."""
    return text.isascii() and unquoted(text) == text and _cut_within().search(text) is None


@cache
def _cut_within() -> "re.Pattern[str]":
    """Give the pattern of a sign that ends a sentence, or of a word that joins two, within what is read as one item."""
    joints = "|".join(sorted(word for word in all_words("joints") if word.isascii()))
    return re.compile(
        rf"[.:](?=[.?!:])|(?<=[^\s0-9a-z(){{}}<>,;!?\[\]])(?:{joints})(?![0-9a-z])", re.ASCII | re.IGNORECASE
    )


_BESIDE: Final = ("--", "+")
"""How the text of a day and of a telephone number begins, which are written in several words."""


def _is_whole(text: str) -> bool:
    return not text.startswith(_BESIDE)
