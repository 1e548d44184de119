"""What an answer may cite: the accepted results of the exchange, and where each stands in the evidence."""

import re
from typing import Final

from msgspec.structs import replace

from ..agent import CitedText, marks_of, wrong_citations
from ..bounds import MAX_CALL_NUMBER_DIGITS, MAX_CITABLE, MAX_EVIDENCE_RESULT_CHARS
from ..lazy import lazy_pattern
from ..values import Citable, Citation, Evidence, Pending, RunState
from .draft import Draft, is_citable, number_of

_DIGITS: Final = lazy_pattern(rf"[0-9]{{1,{MAX_CALL_NUMBER_DIGITS}}}", re.ASCII)


def result_chars(draft: Draft) -> int:
    """Return how much of accepted results the evidence holds."""
    return 0 if draft.exchange.evidence is None else len(draft.exchange.evidence.results)


def note_citable(draft: Draft, call: Pending, before: int) -> None:
    """Keep where an accepted result stands in the evidence; before: what that held without it."""
    if not is_citable(draft.agent, call):
        return
    state, end = draft.state, result_chars(draft)
    entry = Citable(call.call_id, call.tool, min(before + 1 if before else 0, end), end)
    draft.exchange = replace(state.exchange, citable=(*state.exchange.citable, entry)[-MAX_CITABLE:])


def citation_problem(draft: Draft, answer: str) -> str | None:
    """Return what is wrong with the citations of an answer, where its definition demands them."""
    kept = draft.exchange.evidence
    if draft.agent.definition.citations is None or kept is None:
        return None
    entries = sorted(draft.exchange.citable, key=lambda entry: number_of(entry.call_id))
    results = {number_of(entry.call_id): _text(kept, entry) for entry in entries}
    return wrong_citations(answer, results, CitedText(kept.question, kept.question_cut))


def _text(kept: Evidence, entry: Citable) -> CitedText:
    cut = kept.results_cut and entry.end >= MAX_EVIDENCE_RESULT_CHARS
    return CitedText(kept.results[entry.begin : entry.end], cut)


def citations_of(state: RunState, answer: str) -> tuple[Citation, ...]:
    """Return the results that an answer cites, in the order of its marks."""
    if not state.exchange.citable:
        return ()
    known = {number_of(entry.call_id): entry for entry in state.exchange.citable}
    return tuple(
        [
            Citation(call_id=known[number].call_id, tool=known[number].tool, at=(mark.begin, mark.end))
            for mark in marks_of(answer)
            for number in mark.numbers
            if number in known
        ]
    )
