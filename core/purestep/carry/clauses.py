"""A request split into the parts that may each be a step: at "then", at "and", where the next part begins one."""

import re
from typing import Final

from ..bounds import MAX_CLAUSES
from ..json_text import BLANK
from .languages import Language
from .phrases import Clause, trimmed
from .spans import Span, inside, spans_of
from .words import Word, language_of, words_of

_SENTENCE: Final = re.compile(r"(?<=[.!?;])[ \n]+|\n+|[\uff0c\u3002\uff1b\uff1f\uff01]", re.ASCII)

_COMMA: Final = re.compile(r", +(?=[^0-9\s])", re.ASCII)


def clause_of(text: str, language: Language | None = None) -> Clause:
    """Take a text as one part."""
    words = words_of(text)
    language = language or language_of(words)
    return Clause(text, words, spans_of(text, words, language), language)


def parts_of(clause: Clause) -> tuple[tuple[int, int], ...]:
    """Give where the parts of a request begin and end at which another step could begin; no quoted text is split."""
    cuts = _cuts(clause)
    begins, ends = [0, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), len(clause.text)]
    found = [(begin, end) for begin, end in zip(begins, ends, strict=True) if trimmed(clause.text[begin:end])]
    return tuple(found) or ((0, len(clause.text)),)


def part_of(clause: Clause, begin: int, end: int) -> Clause:
    """Give a stretch of a clause as a clause, with the places of its words and values in it."""
    words = tuple(
        [Word(w.text, w.start - begin, w.end - begin) for w in clause.words if begin <= w.start and w.end <= end]
    )
    spans = tuple([Span(s.kind, s.value, s.start - begin, s.end - begin) for s in inside(clause.spans, begin, end)])
    return Clause(clause.text[begin:end], words, spans, clause.language)


def _cuts(clause: Clause) -> list[tuple[int, int]]:
    """Give where the request may be cut: before which place a part ends, and at which the next begins."""
    inner = inner_from(clause)
    cuts = [(match.start(), match.end()) for match in _SENTENCE.finditer(clause.text)]
    cuts += [(match.start(), match.end()) for match in _COMMA.finditer(clause.text) if match.start() < inner]
    words = clause.words
    for index in range(1, len(words)):
        for phrase in clause.language.clause_words:
            length = phrase.count(" ") + 1
            if " ".join([word.text for word in words[index : index + length]]) == phrase:
                # Within a value only a word that says what comes next begins a step: "and" joins there as well.
                if words[index].start < inner or phrase not in clause.language.joints:
                    cuts.append((words[index].start, words[index + length - 1].end))
                break
    return _apart(sorted(cuts), clause)[:MAX_CLAUSES]


def _apart(cuts: list[tuple[int, int]], clause: Clause) -> list[tuple[int, int]]:
    """Give the cuts outside of quotes, those side by side as one."""
    quotes = [span for span in clause.spans if span.kind == "quote"]
    kept: list[tuple[int, int]] = []
    for cut in cuts:
        if any(quote.start < cut[0] < quote.end or quote.start < cut[1] < quote.end for quote in quotes):
            continue
        if kept and not clause.text[kept[-1][1] : cut[0]].strip(BLANK):
            kept[-1] = (kept[-1][0], max(cut[1], kept[-1][1]))
        else:
            kept.append(cut)
    return kept


def inner_from(clause: Clause) -> int:
    """Give where a value begins that fills the rest of the request: after a colon, after "that"."""
    colon = clause.text.find(": ")
    at = colon if colon >= 0 else len(clause.text)
    for index, word in enumerate(clause.words):
        if index > 1 and word.text in clause.language.telling:
            return min(at, word.end)
    return at
