"""A request split into the parts that may each be a step: at "then", at "and", where the next part begins one."""

import re
from typing import Final

from ..bounds import MAX_CLAUSES
from .languages import Language
from .phrases import Clause, trimmed
from .spans import Span, inside, spans_of
from .words import Word, language_of, words_of

_SENTENCE: Final = re.compile(r"(?<=[.!?;])[ \n]+|\n+|[\uff0c\u3002\uff1b\uff1f\uff01]")


def clause_of(text: str, language: Language | None = None) -> Clause:
    """Take a text as one part."""
    words = words_of(text)
    language = language or language_of(words)
    return Clause(text, words, spans_of(text, words, language), language)


def parts_of(clause: Clause) -> tuple[Clause, ...]:
    """Give the parts of a request at which another step could begin; no quoted text is split."""
    cuts = _cuts(clause)
    begins, parts = [0, *(cut[1] for cut in cuts)], []
    ends = [*(cut[0] for cut in cuts), len(clause.text)]
    for begin, end in zip(begins, ends, strict=True):
        if trimmed(clause.text[begin:end]):
            parts.append(part_of(clause, begin, end))
    return tuple(parts) or (clause,)


def part_of(clause: Clause, begin: int, end: int) -> Clause:
    """Give a stretch of a clause as a clause, with the places of its words and values in it."""
    words = tuple(
        [Word(w.text, w.start - begin, w.end - begin) for w in clause.words if begin <= w.start and w.end <= end]
    )
    spans = tuple([Span(s.kind, s.value, s.start - begin, s.end - begin) for s in inside(clause.spans, begin, end)])
    return Clause(clause.text[begin:end], words, spans, clause.language)


def joined(clause: Clause, first: Clause, second: Clause) -> Clause:
    """Give the stretch of a request from one of its parts to another."""
    begin = clause.text.find(first.text)
    end = clause.text.find(second.text, begin) + len(second.text)
    return part_of(clause, begin, end)


def _cuts(clause: Clause) -> list[tuple[int, int]]:
    """Give where the request may be cut: before which place a part ends, and at which the next begins."""
    cuts = [(match.start(), match.end()) for match in _SENTENCE.finditer(clause.text)]
    words = clause.words
    for index in range(1, len(words)):
        for phrase in clause.language.clause_words:
            length = phrase.count(" ") + 1
            if " ".join([word.text for word in words[index : index + length]]) == phrase:
                cuts.append((words[index].start, words[index + length - 1].end))
                break
    whole = [span for span in clause.spans if span.kind == "quote"]
    cuts = sorted(cut for cut in cuts if not any(s.start < cut[0] < s.end or s.start < cut[1] < s.end for s in whole))
    kept: list[tuple[int, int]] = []
    for cut in cuts:
        if kept and cut[0] <= kept[-1][1] + 2:
            kept[-1] = (kept[-1][0], max(cut[1], kept[-1][1]))
        else:
            kept.append(cut)
    return kept[:MAX_CLAUSES]
