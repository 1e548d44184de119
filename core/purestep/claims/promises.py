"""Promises: whether what an answer says will be done is what a call has set up, as in "I'll wake you at 6"."""

from collections.abc import Collection
from typing import Final

from ..carry import word_texts
from ..values import Claims
from .effects import Effects
from .items import items_of
from .known import Known
from .lexicon import all_words, ordering

_NEXT_STEPS: Final = frozenset({
    "now", "next", "first", "then", "start", "starting", "begin", "step", "jetzt", "nun", "zuerst", "zunächst", "dann",
    "nächstes", "gleich", "anschließend", "schritt",
})  # fmt: skip
"""Words of what comes next in the work itself, and not of what a call does later."""


def promise_is_backed(text: str, effects: Effects, claims: Claims | None, succeeded: Collection[str]) -> bool:
    """Tell whether a call that acted is what a text about the future rests on.

    It names no next step and nothing to look up, no act of a tool that has not acted, and no item (a time, a number,
    an address) that neither the user nor a call has said. claims: what is known of the exchange; None where the
    definition does not ask for that.
    """
    acted = effects.tools.keys() & succeeded if claims is None else effects.acted_of(succeeded, claims.acted)
    words = word_texts(text)
    if not acted or not (_NEXT_STEPS | all_words("reads")).isdisjoint(words):
        return False
    for word in words:
        able = [effects.of_kind(kind) for kind, _ in ordering().get(word, ())]
        if any(able) and all(tools.isdisjoint(acted) for tools in able if tools):
            return False
    if claims is None:
        return True
    ordered = [item for order in claims.ordered for item in order.items]
    known = Known((*claims.items, *claims.seen, *claims.words, *ordered))
    return claims.cut or all(known.holds(item) for item in items_of(text))
