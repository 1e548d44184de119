"""Where texts come from: answers that only repeat the question, and arguments that only an example has said.

The state is small and holds neither the question nor the results: it keeps a digest of the question, and those of the
made-up texts of examples that the user or a tool has said, which are few.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import MAX_ECHO_CHARS, MIN_ECHO_WORDS
from ..checks import echo_signature
from ..text import words_of
from ..values import Message, RunState, text_of
from .draft import Draft
from .grounding import is_carried, unsaid_argument


def note_question(draft: Draft, content: str) -> None:
    """Keep the digest of a question, and which made-up texts of examples it says itself."""
    agent = draft.agent
    if agent.judges_echoes or agent.samples:
        asked = echo_signature(content) if agent.judges_echoes else ""
        draft.exchange = replace(draft.state.exchange, asked=asked, said_samples=_said(agent, content, ()))


def note_said(draft: Draft, text: str) -> None:
    """Keep which made-up texts of examples a result says."""
    said = _said(draft.agent, text, draft.state.exchange.said_samples)
    if said != draft.state.exchange.said_samples:
        draft.exchange = replace(draft.state.exchange, said_samples=said)


def adopted_samples(agent: Agent, messages: Iterable[Message]) -> tuple[str, ...]:
    """Return which made-up texts of examples the user and tools say in another program's messages."""
    said = [text_of(message.content) for message in messages if message.role in ("user", "tool")]
    return tuple(sorted({sample for sample in agent.samples for text in said if sample in text}))


def _said(agent: Agent, text: str, before: tuple[str, ...]) -> tuple[str, ...]:
    new = [sample for sample in agent.samples if sample in text]  # order: sorted where it is kept
    return tuple(sorted({*before, *new})) if new else before


def repeats_question(draft: Draft, answer: str) -> bool:
    """Whether an answer is the question once more."""
    return bool(draft.state.exchange.asked) and echo_signature(answer) == draft.state.exchange.asked


def says_something(text: str) -> bool:
    """Whether a text has a few words."""
    return len(words_of(text[:MAX_ECHO_CHARS])) >= MIN_ECHO_WORDS


def same_words(text: str, other: str) -> bool:
    """Whether two texts are the same, where they are long enough to be judged by that."""
    return bool(signature := echo_signature(text)) and signature == echo_signature(other)


def wrong_origin(draft: Draft, tool: str, params: dict[str, Any]) -> str | None:
    """Return what is wrong with a call one of whose arguments is made up by an example, or by the model itself."""
    if draft.agent.samples and _was_shown_examples(draft.agent, draft.state):
        made_up = _made_up_argument(draft, tool, params)
        if made_up is not None:
            return made_up
    return None if draft.state.run.carried is None else unsaid_argument(draft, tool, params)


def _was_shown_examples(agent: Agent, state: RunState) -> bool:
    """Whether examples were sent: in the prompt of a carried model, or with a correction."""
    return is_carried(agent, state) or (state.exchange.negotiated is not None and state.exchange.negotiated.examples)


def _made_up_argument(draft: Draft, tool: str, params: dict[str, Any]) -> str | None:
    """Return what is wrong with a call one of whose arguments is a text of an example that nobody has said."""
    for name, value in params.items():
        if isinstance(value, str) and value in draft.agent.samples and value not in draft.state.exchange.said_samples:
            return corrections.made_up_argument(tool, name, value)
    return None
