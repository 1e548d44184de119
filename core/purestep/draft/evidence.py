"""What postconditions look for values in: the user's words and the accepted results of an exchange.

The state keeps them only where a postcondition of the definition names them, each to its bound.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from ..agent import Agent, named_values
from ..bounds import MAX_EVIDENCE_QUESTION_CHARS, MAX_EVIDENCE_RESULT_CHARS
from ..text import said_texts
from ..values import Evidence, Message, NamedValue, RunState, text_of
from ..window import unframed
from .draft import Draft

_ENDED = ("done", "failed")


def begin_evidence(draft: Draft, content: str) -> None:
    """Keep the words that an exchange begins with."""
    if not draft.agent.keeps_evidence:
        return
    draft.exchange = replace(draft.exchange, evidence=_question(draft.agent, (content,)))


def join_evidence(draft: Draft, content: str) -> None:
    """Add words that came in the middle of an exchange to those that it began with."""
    kept = draft.exchange.evidence
    if kept is None or "question" not in draft.agent.evidence or kept.question_cut:
        return
    text, is_cut = _extended(kept.question, (content,), MAX_EVIDENCE_QUESTION_CHARS)
    draft.exchange = replace(draft.exchange, evidence=replace(kept, question=text, question_cut=is_cut))


def adopted_evidence(agent: Agent, messages: Iterable[Message]) -> Evidence | None:
    """Return what a run knows that begins with another program's messages: what the user and tools have said there."""
    told = [unframed(text_of(message.content)) for message in messages if message.role in ("user", "tool")]
    kept = _question(agent, [said for said, _ in told])
    along = [text for _, framed in told for text in framed]
    return kept if kept is None else _with_said(agent, kept, along)


def _question(agent: Agent, said: Iterable[str]) -> Evidence | None:
    if not agent.keeps_evidence:
        return None
    if "question" not in agent.evidence:
        return Evidence()
    text, is_cut = _extended("", said, MAX_EVIDENCE_QUESTION_CHARS)
    return Evidence(question=text, question_cut=is_cut)


def evidence_under(agent: Agent, state: RunState) -> Evidence | None:
    """Return what is known once another definition holds; what was not kept before counts as cut."""
    if not agent.keeps_evidence or state.phase in _ENDED or not state.messages:
        return None
    kept = state.exchange.evidence or Evidence()
    pointers = {each.source for each in agent.named_results}
    knows_question = bool(kept.question) or "question" not in agent.evidence
    knows_results = (
        bool(kept.results) or "results" not in agent.evidence or (not state.exchange.succeeded and not state.pending)
    )
    return Evidence(
        question=kept.question if "question" in agent.evidence else "",
        question_cut="question" in agent.evidence and (kept.question_cut or not knows_question),
        results=kept.results if "results" in agent.evidence else "",
        results_cut="results" in agent.evidence and (kept.results_cut or not knows_results),
        named=tuple([each for each in kept.named if each.pointer in pointers]),
    )


def note_accepted(draft: Draft, tool: str, output: Any) -> None:
    """Keep what an accepted result says, and what stands where postconditions look into results of its tool."""
    if draft.exchange.evidence is not None:
        _note(draft, said_texts(output))
        note_named(draft, kept_values(draft, tool, output))


def note_said_along(draft: Draft, text: str) -> None:
    """Keep what came along with the user's words as what a result says."""
    _note(draft, (text,))


def kept_values(draft: Draft, tool: str, output: Any) -> tuple[NamedValue, ...]:
    """Return what is kept of a result for pointers into it."""
    return named_values(draft.agent.named_results, tool, output) if draft.agent.named_results else ()


def note_named(draft: Draft, values: Iterable[NamedValue]) -> None:
    """Keep values of `kept_values` instead of those of an earlier result, now that theirs is accepted."""
    kept, new = draft.exchange.evidence, {each.pointer: each for each in values}
    if kept is None or not new:
        return
    known = {each.pointer: each for each in kept.named} | new
    named = tuple([known[pointer] for pointer in sorted(known)])
    draft.exchange = replace(draft.exchange, evidence=replace(kept, named=named))


def kept_text(draft: Draft, output: Any) -> str:
    """Return what a result says that is still to be accepted, one character longer than the bound where it is cut."""
    kept = draft.exchange.evidence
    if kept is None or "results" not in draft.agent.evidence or kept.results_cut:
        return ""
    return _extended("", said_texts(output), MAX_EVIDENCE_RESULT_CHARS + 1)[0]


def note_text(draft: Draft, text: str) -> None:
    """Keep a text of `kept_text`, now that it is accepted."""
    if text:
        _note(draft, (text,))


def _note(draft: Draft, said: Iterable[str]) -> None:
    kept = draft.exchange.evidence
    if kept is None:
        return
    draft.exchange = replace(draft.exchange, evidence=_with_said(draft.agent, kept, said))


def _with_said(agent: Agent, kept: Evidence, said: Iterable[str]) -> Evidence:
    """Return what is kept with more that a result says, where that is looked into."""
    if "results" not in agent.evidence or kept.results_cut:
        return kept
    text, is_cut = _extended(kept.results, said, MAX_EVIDENCE_RESULT_CHARS)
    return replace(kept, results=text, results_cut=is_cut)


def _extended(text: str, said: Iterable[str], limit: int) -> tuple[str, bool]:
    """Return a text with more said after it, each on a line, cut at the limit, and whether it was cut."""
    parts, chars = [text] if text else [], len(text)
    for each in said:
        parts.append(each)
        chars += len(each) + 1
        if chars > limit + 1:
            break
    joined = "\n".join(parts)
    return joined[:limit], len(joined) > limit
