"""Where words come from: answers that only repeat the question, and arguments that only repeat a made-up example.

The state is small and holds neither the question nor the results: it keeps a digest of the question, and those of the
made-up values that the user or a tool has said, which are few.
"""

from typing import Any

from msgspec.structs import replace

from ..agent import corrections as words
from ..bounds import MAX_ECHO_CHARS, MIN_ECHO_WORDS
from ..carry import word_texts
from ..json_text import text_signature
from .draft import Draft


def note_question(draft: Draft, content: str) -> None:
    """Keep the digest of a question, and which made-up values it says itself."""
    asked = _signature(content) if any(each.name == "echo" for each in draft.agent.answer_guardrails) else ""
    draft.state = replace(draft.state, asked=asked, said_samples=_said(draft, content, ()))


def note_said(draft: Draft, text: str) -> None:
    """Keep which made-up values a result says."""
    said = _said(draft, text, draft.state.said_samples)
    if said != draft.state.said_samples:
        draft.state = replace(draft.state, said_samples=said)


def _said(draft: Draft, text: str, before: tuple[str, ...]) -> tuple[str, ...]:
    new = [sample for sample in draft.agent.samples if sample in text]
    return tuple(sorted({*before, *new})) if new else before


def repeats_question(draft: Draft, answer: str) -> bool:
    """Tell whether an answer has the question's words and no others."""
    return bool(draft.state.asked) and len(answer) <= MAX_ECHO_CHARS and _signature(answer) == draft.state.asked


def says_something(text: str) -> bool:
    """Tell whether a text has a few words."""
    return len(word_texts(text[:MAX_ECHO_CHARS])) >= MIN_ECHO_WORDS


def same_words(text: str, other: str) -> bool:
    """Tell whether two texts have the same words, where they are long enough to be judged by them."""
    return len(text) <= MAX_ECHO_CHARS and bool(_signature(text)) and _signature(text) == _signature(other)


def _signature(text: str) -> str:
    """Give a digest of the words of a text; "" for one too long to be repeated, or too short to be judged by it."""
    said = word_texts(text) if len(text) <= MAX_ECHO_CHARS else ()
    return text_signature(" ".join(said)) if len(said) >= MIN_ECHO_WORDS else ""


def made_up_argument(draft: Draft, tool: str, params: dict[str, Any]) -> str | None:
    """Give what is wrong with a call one of whose arguments is an example's made-up value that nobody has said."""
    for name, value in params.items():
        if isinstance(value, str) and value in draft.agent.samples and value not in draft.state.said_samples:
            return words.made_up_argument(tool, name, value)
    return None
