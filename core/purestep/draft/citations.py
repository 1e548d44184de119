"""What an answer may cite: the accepted results of the exchange, and where each stands in the evidence."""

import re
from typing import Final

from msgspec.structs import replace

from ..bounds import MAX_CALL_NUMBER_DIGITS, MAX_CITABLE, MAX_EVIDENCE_RESULT_CHARS
from ..checks import CitedText, marks_of
from ..lazy import lazy_pattern
from ..values import Citable, Citation, Evidence, Pending, RunState
from .draft import Draft, is_citable, number_of

_DIGITS: Final = lazy_pattern(rf"[0-9]{{1,{MAX_CALL_NUMBER_DIGITS}}}", re.ASCII)


def result_chars(draft: Draft) -> int:
    """Return how much of accepted results the evidence holds."""
    return 0 if draft.state.exchange.evidence is None else len(draft.state.exchange.evidence.results)


def note_citable(draft: Draft, call: Pending, before: int) -> None:
    """Keep where an accepted result stands in the evidence; before: what that held without it."""
    if not is_citable(draft.agent, call):
        return
    exchange, end = draft.state.exchange, result_chars(draft)
    entry = Citable(call.call_id, call.tool, min(before + 1 if before else 0, end), end)
    draft.exchange = replace(exchange, citable=(*exchange.citable, entry)[-MAX_CITABLE:])


def citable_texts(draft: Draft) -> dict[int, CitedText]:
    """Return what an answer may cite by number, where its definition has it cite."""
    kept = draft.state.exchange.evidence
    if not draft.agent.cites or kept is None:
        return {}
    entries = sorted(draft.state.exchange.citable, key=lambda entry: number_of(entry.call_id))
    return {number_of(entry.call_id): _text(kept, entry) for entry in entries}


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
