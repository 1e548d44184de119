"""A request, or a part of it, with its words and values; and what else an argument may take its value from."""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, Final, TypeVar

from msgspec import Struct

from .languages import Language
from .spans import Span, inside, spans_of
from .words import Word, language_of, stem, words_of


class Clause(Struct, frozen=True, dict=True):
    """A part of the user's words: its text, its words and values with their places in it, and its language.

    What is read of it is kept beside these, for each reading is asked for again and again (`once_per_clause`).
    """

    text: str
    words: tuple[Word, ...]
    spans: tuple[Span, ...]
    language: Language


Read = TypeVar("Read")


def once_per_clause(read: Callable[[Clause], Read]) -> Callable[[Clause], Read]:
    """Do a reading of a clause once: what comes back is kept with the clause, so it must be pure and immutable."""
    name = f"{read.__module__}.{read.__qualname__}"

    @wraps(read)
    def kept(clause: Clause) -> Read:
        own = clause.__dict__
        if name not in own:
            own[name] = read(clause)
        found: Read = own[name]
        return found

    return kept


class Words(Struct, frozen=True, dict=True):
    """What values are taken from: the part of the request at hand, all of it, and the texts of results, last first."""

    clause: Clause
    whole: Clause
    results: tuple[str, ...] = ()

    def kept_by(self, reader: object) -> dict[Any, Any]:
        """Give what a reader keeps with these words, in a bounded number; what another reader kept goes."""
        # One assignment: a plan, and with it these words, may be read by several threads.
        last: tuple[object, dict[Any, Any]] | None = self.__dict__.get(_KEPT)
        if last is None or last[0] is not reader:
            last = self.__dict__[_KEPT] = (reader, {})
        return last[1]

    @cached_property
    def looks_back(self) -> bool:
        """Whether the part at hand refers to what came before."""
        backward = self.clause.language.backward_words
        # "Mail her this: ..." points at what follows.
        return bool(self.results) and (
            any(
                word.text in backward and self.clause.text[word.end : word.end + 2] != ": "
                for word in self.clause.words
            )
            or _names_result(self.clause)
        )


_KEPT: Final = "kept"


def words_in(clause: Clause, whole: Clause) -> Words:
    """Give the words of a part before anything has a result; those of one whole are kept with the part."""
    kept: Words | None = clause.__dict__.get(_WORDS)
    if kept is None or kept.whole is not whole:
        kept = clause.__dict__[_WORDS] = Words(clause, whole)
    return kept


_WORDS: Final = "words_in"


def _names_result(clause: Clause) -> bool:
    """Tell whether a phrase such as "the number" stands for what an earlier step gave: no value follows it."""
    values = {span.start for span in clause.spans}
    for at in range(len(clause.words)):
        for phrase in clause.language.backward_phrases:
            after = at + phrase.count(" ") + 1
            if " ".join([word.text for word in clause.words[at:after]]) == phrase:
                rest = clause.words[after : after + 1]
                if not rest or rest[0].start not in values:
                    return True
    return False


def clause_of(text: str, language: Language | None = None) -> Clause:
    """Take a text as one part."""
    words = words_of(text)
    language = language or language_of(words)
    return Clause(text, words, spans_of(text, words, language), language)


def part_of(clause: Clause, begin: int, end: int) -> Clause:
    """Give a stretch of a clause as a clause, with the places of its words and values in it; all of it is itself."""
    if begin == 0 and end == len(clause.text):
        return clause
    words = tuple(
        [Word(w.text, w.start - begin, w.end - begin) for w in clause.words if begin <= w.start and w.end <= end]
    )
    spans = tuple([Span(s.kind, s.value, s.start - begin, s.end - begin) for s in inside(clause.spans, begin, end)])
    return Clause(clause.text[begin:end], words, spans, clause.language)


@once_per_clause
def kinds_in(clause: Clause) -> frozenset[str]:
    """Give the kinds of the values in a clause."""
    return frozenset([span.kind for span in clause.spans])


@once_per_clause
def stems_in(clause: Clause) -> tuple[str, ...]:
    """Give the stem of each word of a clause."""
    return tuple([stem(word.text, clause.language) for word in clause.words])


@once_per_clause
def inner_from(clause: Clause) -> int:
    """Give where a value begins that fills the rest of the request: after a colon, after "that"."""
    colon = clause.text.find(": ")
    at = colon if colon >= 0 else len(clause.text)
    words = clause.words
    for index, word in enumerate(words):
        # "Show that note" tells nothing, "note, that ..." does.
        is_later = index > 1 or (index == 1 and "," in clause.text[words[0].end : word.start])
        if is_later and word.text in clause.language.telling and not is_contracted(clause, index):
            return min(at, word.end)
    return at


def is_contracted(clause: Clause, index: int) -> bool:
    """Tell whether a word is joined to the verb after it ("that's"): then it leads to nothing."""
    word, after = clause.words[index], clause.words[index + 1 : index + 2]
    return bool(after) and clause.text[word.end : after[0].start] in ("'", "\u2019")


def trimmed(text: str) -> str:
    """Give a phrase without the punctuation around it."""
    return text.strip(_EDGES)


_EDGES: Final = " \t\n.,;:!?\"'`()[]\u201c\u201d\u201e\u00ab\u00bb\u2026\u2013\u2014-"
