"""A request, or a part of it, with its words and values; and what else an argument may take its value from."""

from typing import Final

from msgspec import Struct

from .languages import Language
from .spans import Span, inside, spans_of
from .words import Word, language_of, words_of


class Clause(Struct, frozen=True):
    """A part of the user's words: its text, its words and values with their places in it, and its language."""

    text: str
    words: tuple[Word, ...]
    spans: tuple[Span, ...]
    language: Language


class Words(Struct, frozen=True):
    """What values are taken from: the part of the request at hand, all of it, and the texts of results, last first."""

    clause: Clause
    whole: Clause
    results: tuple[str, ...] = ()

    @property
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
    """Give a stretch of a clause as a clause, with the places of its words and values in it."""
    words = tuple(
        [Word(w.text, w.start - begin, w.end - begin) for w in clause.words if begin <= w.start and w.end <= end]
    )
    spans = tuple([Span(s.kind, s.value, s.start - begin, s.end - begin) for s in inside(clause.spans, begin, end)])
    return Clause(clause.text[begin:end], words, spans, clause.language)


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
