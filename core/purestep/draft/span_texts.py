"""The texts of a conversation from which arguments are copied, and the grammar that holds arguments to them."""

from collections.abc import Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..agent import Agent
from ..bounds import MAX_SPAN_TEXTS
from ..constraints import span_texts, with_copied
from ..values import Message, RunState, Switched, text_of
from .draft import Draft


def note_span_text(draft: Draft, text: str) -> None:
    """Keep a text that arguments may be copied from; what of it is left out is logged."""
    if not draft.agent.keeps_spans:
        return
    parts = span_texts(text)
    left_out = len(text) - sum(map(len, parts)) if parts else 0
    if left_out > 0 and (len(parts) > 1 or parts[0] != text):
        draft.derived(Switched(what="spans", cause="length", dropped=left_out))
    kept = (*(each for each in draft.run.span_texts if each not in parts), *parts)
    draft.run = replace(draft.run, span_texts=kept[-MAX_SPAN_TEXTS:])


def adopted_span_texts(messages: Sequence[Message]) -> tuple[str, ...]:
    """Return what a run copies from that begins with another program's messages: the latest of users and tools."""
    texts = [text_of(message.content or "") for message in messages if message.role in ("user", "tool")]
    parts = dict.fromkeys(part for text in texts[-MAX_SPAN_TEXTS:] for part in span_texts(text))
    return tuple(parts)[-MAX_SPAN_TEXTS:]


def grammar_now(agent: Agent, state: RunState, grammar: str | UnsetType) -> str | UnsetType:
    """Return the grammar of a model call; where the model copies strings and figures, held to the conversation."""
    if grammar is UNSET or not agent.keeps_spans:
        return grammar
    return with_copied(grammar, state.run.span_texts, agent.definition.instructions)
