"""What checks look back at: the user's words and the accepted results of an exchange.

The state keeps them only where a check of the definition looks there, each to its bound.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from ..agent import Agent
from ..bounds import MAX_EVIDENCE_QUESTION_CHARS, MAX_EVIDENCE_RESULT_CHARS
from ..text import said_texts
from ..values import Evidence, Message, RunState, text_of
from ..window import unframed
from .draft import Draft

_ENDED = ("done", "failed")


def begin_evidence(draft: Draft, content: str) -> None:
    """Keep the words that an exchange begins with."""
    if draft.agent.keeps_evidence:
        draft.exchange = replace(draft.state.exchange, evidence=_question((content,)))


def join_evidence(draft: Draft, content: str) -> None:
    """Add words that came in the middle of an exchange to those that it began with."""
    kept = draft.state.exchange.evidence
    if kept is None or kept.question_cut:
        return
    text, is_cut = _extended(kept.question, (content,), MAX_EVIDENCE_QUESTION_CHARS)
    draft.exchange = replace(draft.state.exchange, evidence=replace(kept, question=text, question_cut=is_cut))


def adopted_evidence(agent: Agent, messages: Iterable[Message]) -> Evidence | None:
    """Return what a run knows that begins with another program's messages: what the user and tools have said there."""
    if not agent.keeps_evidence:
        return None
    told = [unframed(text_of(message.content)) for message in messages if message.role in ("user", "tool")]
    along = [text for _, framed in told for text in framed]
    return _with_said(_question([said for said, _ in told]), along)


def _question(said: Iterable[str]) -> Evidence:
    text, is_cut = _extended("", said, MAX_EVIDENCE_QUESTION_CHARS)
    return Evidence(question=text, question_cut=is_cut)


def evidence_under(agent: Agent, state: RunState) -> Evidence | None:
    """Return what is known once another definition holds; what was not kept before counts as cut."""
    if not agent.keeps_evidence or state.phase in _ENDED or not state.messages:
        return None
    nothing_came = not state.exchange.succeeded and not state.pending
    return state.exchange.evidence or Evidence(question_cut=True, results_cut=not nothing_came)


def note_accepted(draft: Draft, output: Any) -> None:
    """Keep what an accepted result says."""
    if draft.state.exchange.evidence is not None:
        _note(draft, said_texts(output))


def kept_text(draft: Draft, output: Any) -> str:
    """Return what a result says that is still to be accepted, one character longer than the bound where it is cut."""
    kept = draft.state.exchange.evidence
    if kept is None or kept.results_cut:
        return ""
    return _extended("", said_texts(output), MAX_EVIDENCE_RESULT_CHARS + 1)[0]


def note_text(draft: Draft, text: str) -> None:
    """Keep a text as what a result says: one of `kept_text` that is accepted now, or one beside the user's words."""
    if text:
        _note(draft, (text,))


def _note(draft: Draft, said: Iterable[str]) -> None:
    kept = draft.state.exchange.evidence
    if kept is not None:
        draft.exchange = replace(draft.state.exchange, evidence=_with_said(kept, said))


def _with_said(kept: Evidence, said: Iterable[str]) -> Evidence:
    """Return what is kept with more that a result says."""
    if kept.results_cut:
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
