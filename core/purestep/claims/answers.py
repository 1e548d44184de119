"""What an answer says: which effects it claims, by whom, and whether it denies, asks or puts off."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from ..carry import word_texts
from .languages import ClaimWords
from .lexicon import all_words, denying_forms, doing, phrases, stop_words
from .texts import SentencePart, parts_of, unquoted

By = Literal["doer", "passive", "bare", "finished"]
"""Who is said to have acted: the one who answers, nobody by name, nobody at all, or only that all is done."""


class Claim(Struct, frozen=True):
    """An effect that an answer claims: the kinds of act that its word may mean, by whom, and in which part."""

    kinds: tuple[str, ...]
    word: str
    by: By
    part: SentencePart


class Answer(Struct, frozen=True):
    """An answer taken apart.

    `told`: parts that deny nothing and set no condition. `denies`: it says of something that it was not done, or not
    surely. `asks`: it asks back, or says what it could do. `already`: it says that something was done before.
    """

    claims: tuple[Claim, ...]
    told: tuple[SentencePart, ...]
    denies: bool
    asks: bool
    already: bool

    @property
    def excuses(self) -> bool:
        """Whether it is open about something that was not done."""
        return self.denies or self.asks


_AUXILIARY_WORDS: Final = 4
_DOER_WORDS: Final = 5
_NEAR_WORDS: Final = 30
_SHORT_WORDS: Final = 5
"""Words of a part that is all claim: "request 5 approved"."""
_FINISHED_WORDS: Final = 7


def may_claim(text: str) -> bool:
    """Tell whether a text has a word without which no answer claims an effect; most answers have none."""
    return not _claiming().isdisjoint(word_texts(text))


@cache
def _claiming() -> frozenset[str]:
    return frozenset([*doing(), *(_telling_word(phrase) for phrase in all_words("finished"))])


def _telling_word(phrase: str) -> str:
    """Give the last word of a phrase that few other texts have."""
    words = phrase.split(" ")  # ascii: one blank parts them
    return next((word for word in reversed(words) if word not in stop_words()), words[-1])


def answer_of(text: str, ordered: Collection[str]) -> Answer:
    """Take an answer apart.

    ordered: kinds of act that the user ordered, whose forms deny nothing: "rejected", where that was the order.
    """
    denials = all_words("denials")
    if ordered:
        denials = denials.difference(*(denying_forms(kind) for kind in ordered))
    claims: list[Claim] = []
    told: list[SentencePart] = []
    flags = {"denies": False, "asks": False, "already": False}
    fact = True
    for part in parts_of(unquoted(text)):
        said = _without_harmless(part.words)
        denies = not denials.isdisjoint(said)
        opens = not all_words("conditions").isdisjoint(said) or _asks(part, said)
        own = part.begins or not all_words("doers").isdisjoint(said)
        fact = not (denies or opens) and (fact or own)
        flags["denies"] |= denies
        flags["asks"] |= opens and not _is_courtesy(part)
        flags["already"] |= not all_words("already").isdisjoint(said)
        if fact:
            told.append(part)
            claims += _claims(part, claims[-1:])
        elif denies and not part.begins and told and not (claims and claims[-1].part is told[-1]):
            told.pop()  # "invoice 8, however, was not"
    return Answer(tuple(claims), tuple(told), **flags)


def _without_harmless(words: Sequence[str]) -> tuple[str, ...]:
    said, number = phrases("harmless").subn("", " ".join(words))
    return tuple(said.split(" ")) if number else tuple(words)  # ascii: one blank parts them


def _is_courtesy(part: SentencePart) -> bool:
    return phrases("courtesy").search(" ".join(part.words)) is not None


def _asks(part: SentencePart, said: Sequence[str]) -> bool:
    joined = " ".join(said)
    if _is_courtesy(part):
        return True  # it claims nothing either
    return part.asks or any(phrases(member).search(joined) for member in ("asking", "offers"))


def _says_finished(words: Sequence[str]) -> bool:
    """Tell whether words say that all is done, perhaps after "that is" and the like."""
    at = 0
    while at < len(words) and phrases("finished").match(" ".join(words[at:])) is None:
        if words[at] not in all_words("preludes"):
            return False
        at += 1
    return at < len(words)


def _claims(part: SentencePart, before: Sequence[Claim]) -> list[Claim]:
    """Give the claims of a part; before: the claim before it, whose doer goes on in a part without its own."""
    words = part.words
    start = 1 if words[0] in all_words("joints") and len(words) > 1 else 0
    found: list[Claim] = []
    if len(words) - start <= _FINISHED_WORDS and _says_finished(words[start:]):
        found.append(Claim((), "", "finished", part))
    for at in range(start, len(words)):
        by: By | None = None
        kinds: list[str] = []
        for kind, language in doing().get(words[at], ()):
            told_by = _by(words, start, at, language)
            if told_by is not None:
                by = by or told_by
                kinds.append(kind)
        if by is not None:
            if by == "bare" and at == start and not part.begins and before:
                by = before[0].by
            found.append(Claim(tuple(sorted(set(kinds))), words[at], by, part))
    return found


def _by(words: Sequence[str], start: int, at: int, language: ClaimWords) -> By | None:
    """Tell who is said to have done what a word names; None where nobody is."""
    before, after = words[max(start, at - _NEAR_WORDS) : at], words[at + 1 : at + _NEAR_WORDS]
    near = before[-_DOER_WORDS:]
    if not language.modals.isdisjoint(before if language.verb_last else near):
        return None
    if language.verb_last and not language.modals.isdisjoint(after):
        return None
    if words[at] in language.ends and after and after[0] not in language.auxiliaries:
        return None
    who = next((word for word in reversed(near) if word in language.doers or word in language.addressed), "")
    if who in language.doers or (language.verb_last and not language.doers.isdisjoint((*before, *after))):
        return "doer"
    if who:
        return None
    if language.name == "spanish" and words[at].endswith(("é", "amos")):
        return "doer"
    auxiliaries = before if language.verb_last else before[-_AUXILIARY_WORDS:]
    if not language.auxiliaries.isdisjoint(auxiliaries):
        return "passive"
    is_short = len(words) - start <= _SHORT_WORDS and not after
    return "bare" if not before or is_short else None
