"""How a statement presents an act as done, whatever its verb: by the grammar of "I have ...ed", "...ed!", "is now".

Which act it is, nobody can tell from that. It is asked only where no tool has acted at all, so that any act is untrue.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, Literal

from ..bounds import MAX_KEPT_FORMS
from .languages import CLAIM_LANGUAGES, ClaimWords
from .lexicon import all_words, doing
from .texts import SentencePart

Presented = Literal["not", "weakly", "begun", "own"]
"""`own`: the one who answers says "I have" done it, or did it to "your" things. `begun`: "I did", or a statement
begins with what was done ("Sent!"). `weakly`: a passive, or a word for what is so from now on; what was read may be
told like that.
"""

STRENGTHS: Final[tuple[Presented, ...]] = ("not", "weakly", "begun", "own")

_DOER_WORDS: Final = 5
_AUXILIARY_WORDS: Final = 5
_TRAILING_WORDS: Final = 8
_NEAR_WORDS: Final = 20
_MARKS: Final = "[\u2705\u2714\u2611\U0001f389\U0001f44d\U0001f680]"


@lru_cache(maxsize=MAX_KEPT_FORMS)
def acts_told(word: str) -> tuple[ClaimWords, ...]:
    """Give the languages in which a word is a participle or a past of a verb that may change something outside."""
    return tuple([
        language
        for language, pattern in _participles()
        if word not in language.private and word not in language.unlike
        and (word in language.irregular or pattern.fullmatch(word) is not None)
    ])  # fmt: skip


@cache
def _participles() -> tuple[tuple[ClaimWords, "re.Pattern[str]"], ...]:
    return tuple([(language, re.compile("|".join(language.participles), re.ASCII)) for language in CLAIM_LANGUAGES])


@cache
def _marks() -> "re.Pattern[str]":
    return re.compile(_MARKS, re.ASCII)


def presented(part: SentencePart, text: str, before: Sequence[str] = ()) -> Presented:
    """Tell how a statement, one that denies nothing and sets no condition, presents an act as done.

    text: the answer, for the signs that stand at its statements. before: the words of the part before it in the same
    sentence, whose doer goes on.
    """
    words = part.words
    if not all_words("texts").isdisjoint(words) or not all_words("drafts").isdisjoint(words):
        return "not"
    is_so = not all_words("present").isdisjoint(words) or _marks().search(text, part.start, part.end) is not None
    found: Presented = "weakly" if is_so else "not"
    skipped = _skipped()
    start = next((at for at, word in enumerate(words) if word not in skipped), 0)
    for at, word in enumerate(words):
        for language in acts_told(word):
            told = _told(words, start, at, language)
            if told == "begun" and at == start and not part.begins:
                told = _continued(before, language)
            found = stronger(found, told)
        if found == "not" and _goes_on(words, start, at):
            found = "weakly"
    return found


@cache
def _skipped() -> frozenset[str]:
    """Give the words with which a statement begins before what it tells."""
    return all_words("interjections") | all_words("joints")


def _continued(before: Sequence[str], language: ClaimWords) -> Presented:
    """Tell how a part presents an act whose doer stands in the part before: "... ran out of paper and cancelled it"."""
    if _is_own(before, language):
        return "own"
    is_others = not language.addressed.isdisjoint(before) and language.doers.isdisjoint(before)
    return "not" if is_others else "weakly"


def _is_own(words: Sequence[str], language: ClaimWords) -> bool:
    """Tell whether the one who answers has done what words tell: "I have asked him", before "and changed it"."""
    return not language.doers.isdisjoint(words) and not language.perfect.isdisjoint(words)


def _goes_on(words: Sequence[str], start: int, at: int) -> bool:
    """Tell whether a word tells of what goes on: "is printing", "closing the blinds"."""
    if not _tells_progress(words[at]):
        return False
    near = words[max(0, at - _PROGRESS_WORDS) : at]
    if not all_words("addressed").isdisjoint(near):
        return False  # "she was closing it"
    return at == start or not all_words("becomes").isdisjoint(near) or not all_words("attributes").isdisjoint(near)


_PROGRESS_WORDS: Final = 2


@lru_cache(maxsize=MAX_KEPT_FORMS)
def _tells_progress(word: str) -> bool:
    """Tell whether a word has the form of what goes on, and does not tell of something else: "morning"."""
    return word not in all_words("idle") and _progress().fullmatch(word) is not None


@cache
def _progress() -> "re.Pattern[str]":
    return re.compile("|".join([form for language in CLAIM_LANGUAGES for form in language.progress]), re.ASCII)


def stronger(one: Presented, other: Presented) -> Presented:
    """Give the one of two that says more."""
    return max(one, other, key=STRENGTHS.index)


def _told(words: Sequence[str], start: int, at: int, language: ClaimWords) -> Presented:
    before = words[max(0, at - (_NEAR_WORDS if language.verb_last else _DOER_WORDS)) : at]
    if not (language.modals.isdisjoint(before) and language.leaving.isdisjoint(before)):
        return "not"
    if language.verb_last and not language.modals.isdisjoint(words[at + 1 : at + 2]):
        return "not"
    who, to_be = "", False
    for word in before:
        if word in language.doers or word in language.addressed:
            who, to_be = word, False
        elif word in language.becomes:
            to_be = True
    if who in language.doers:
        is_own = words[at] in doing() or not language.perfect.isdisjoint(before)
        return "own" if is_own or not language.yours.isdisjoint(words[at + 1 : at + 3]) else "begun"
    if who and not to_be:
        return "not"
    if at == start:
        return "begun"
    span = before if language.verb_last else words[max(0, at - _AUXILIARY_WORDS) : at]
    if not language.auxiliaries.isdisjoint(span) or to_be:
        return "weakly"
    describes = words[at - 1] in language.attributes
    return "weakly" if at - start < _TRAILING_WORDS and not describes else "not"
