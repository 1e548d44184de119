"""Requests: whether a message asks for something to be done at all, where no verb says by which tool.

What is left after questions, statements, talk, and orders to show or word something. Such a request makes an answer
false only together with what the answer says, see `judge`.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_REQUEST_WORDS
from ..carry import LANGUAGES, Word, fold
from .effects import Effects, nouns_of
from .items import Item, items_of
from .lexicon import all_words, doing, ordering, stop_words
from .texts import SentencePart, unquoted

Opened = tuple[tuple[str, ...], bool]
"""Words of a part after greetings and polite words, and whether there were any."""


def requests_act(
    parts: Sequence[SentencePart], opened: Sequence[Opened], effects: Effects, *, names_items: bool
) -> bool:
    """Tell whether a part of a message asks for an act.

    names_items: the message has a number, a code, an address or the like.
    """
    questioned = False
    for part, (said, polite) in zip(parts, opened, strict=True):
        if _requests(part, said, polite, effects, names_items) and not (questioned and _only_names(said)):
            return True
        questioned = part.asks and not polite
    return False


def _only_names(said: Sequence[str]) -> bool:
    """Tell whether words only name what a question before them was about: "... in that thread? #dev 17.1"."""
    return ordering().keys().isdisjoint(said) and len(said) <= _NAMING_WORDS


_NAMING_WORDS: Final = 3


def _requests(part: SentencePart, said: tuple[str, ...], opens: bool, effects: Effects, names_items: bool) -> bool:
    if not said or (part.asks and not opens) or not _doubts().isdisjoint(said):
        return False
    goes_on = said[0] in ordering() or not _objects().isdisjoint(said[1:2])
    if not (part.begins or goes_on) or _is_past(said[0]):
        return False
    if _is_shown(said) or not (all_words("texts").isdisjoint(said[1:]) or is_about(said[1:], effects)):
        return False
    wishes = opens or not all_words("polite").isdisjoint(part.words)
    if said[0] in all_words("modals"):
        return False
    if any(said[0] in each.asking for each in LANGUAGES) or (said[0] in all_words("subjects") and not wishes):
        return False
    if wishes or said[0] in ordering() or names_items or not _objects().isdisjoint(said[1:2]):
        return True
    return part.begins and is_about(said, effects)  # "milk and eggs on the list"


def _is_past(word: str) -> bool:
    """Tell whether a word says what somebody has done: "I told Sam and cancelled the gym"."""
    return word in doing() and word not in ordering()


def looks_up(part: SentencePart, said: tuple[str, ...], polite: bool) -> bool:
    """Tell whether a part of a message asks a question, or orders something to be shown or found."""
    return bool(said) and ((part.asks and not polite) or _is_shown(said))


def _is_shown(said: Sequence[str]) -> bool:
    """Tell whether words order something to be shown, told or worded."""
    first = said[0]
    if any(" ".join(said[:2]) in each.not_looking for each in LANGUAGES):
        return False
    if first in all_words("handing") and first not in all_words("reads"):
        return not all_words("mine").isdisjoint(said[1:2])
    if first in all_words("composing") or (first in all_words("reads") and first not in ordering()):
        return True
    return first in all_words("showing")


@cache
def _doubts() -> frozenset[str]:
    """Give the words that make an order none; one under a condition is one."""
    return all_words("doubts") - all_words("conditions") - all_words("polite") - all_words("deadlines")


@cache
def _objects() -> frozenset[str]:
    """Give the words after a verb that orders: "bring the ...", "wake me"."""
    return all_words("attributes").union(all_words("mine"), *(each.backward_words for each in LANGUAGES))


def asks_ability(part: SentencePart, message: str) -> bool:
    """Tell whether a part of a message asks what can be done at all: "can you close issues?" points at no issue."""
    if not part.asks:
        return False
    said, own = f"{' '.join(part.words)} ", message[part.start : part.end]
    phrase = next((each for one in LANGUAGES for each in one.ability if said.startswith(f"{each} ")), "")
    asked = part.words[len(phrase.split(" ")) :]  # ascii: one blank parts them
    return (
        bool(phrase)
        and len(asked) == _VERB_AND_THINGS
        and any(word.endswith(("s", "n")) for word in asked)
        and not any(word in each.pointing or word in _PLEASE for each in LANGUAGES for word in part.words)
        and not items_of(own)
        and (fold(own[1:]) == own[1:] or phrase not in LANGUAGES[0].ability)
        and unquoted(own) == own
    )


_VERB_AND_THINGS: Final = 2
_PLEASE: Final = frozenset({"please", "pls", "bitte"})


def is_about(said: Sequence[str], effects: Effects) -> bool:
    """Tell whether words name what a tool that acts is known by; two of them may be one word of it ("back up")."""
    nouns = nouns_of([*said, *[one + other for one, other in pairwise(said)]])
    return any(not nouns.isdisjoint(tool.nouns) for tool in effects.tools.values())


def content_of(words: Iterable[Word], items: Sequence[Item]) -> tuple[str, ...]:
    """Give the items of a message that an answer may repeat, each once, and of a request its words."""
    common = stop_words()
    found = dict.fromkeys([
        *[item.text for item in items], *[each.text for each in words if len(each.text) > 1 and each.text not in common]
    ])  # fmt: skip
    return tuple([word for word in found if len(word) <= MAX_CLAIM_ITEM_CHARS])[:MAX_REQUEST_WORDS]
