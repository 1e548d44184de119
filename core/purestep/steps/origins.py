"""Where words come from: answers that only repeat the question, and arguments that nobody has said.

The state is small and holds neither the question nor the results: it keeps a digest of the question, and those of the
made-up values that the user or a tool has said, which are few.
"""

from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from ..agent import MADE_NUMBER, Agent, made_text, without_marks
from ..agent import corrections as words
from ..bounds import (
    MAX_CARRIED_CHARS,
    MAX_CARRIED_RESULT_CHARS,
    MAX_CARRIED_RESULTS,
    MAX_ECHO_CHARS,
    MIN_ECHO_WORDS,
)
from ..carry import is_greeting, plan_of
from ..json_text import text_signature
from ..text import first_absent, word_texts
from ..values import Carried, Message, text_of
from .carried import ground_words
from .draft import Draft


def note_question(draft: Draft, content: str) -> None:
    """Keep the digest of a question, and which made-up values and words of examples it says itself.

    A greeting is no question: who is greeted says the same.
    """
    asked = _signature(content) if draft.agent.judges_echoes and not is_greeting(content[: MAX_ECHO_CHARS + 1]) else ""
    # What was said in an earlier exchange is no argument of this one, but it may be what an answer is about.
    before = tuple([each for each in draft.state.said_samples if each in draft.agent.shown_words])
    draft.state = replace(draft.state, asked=asked, said_samples=_said(draft, content, before))


def note_said(draft: Draft, text: str) -> None:
    """Keep which made-up values and words of examples a result says."""
    said = _said(draft, text, draft.state.said_samples)
    if said != draft.state.said_samples:
        draft.state = replace(draft.state, said_samples=said)


def adopted_samples(agent: Agent, messages: Iterable[Message]) -> tuple[str, ...]:
    """Give which made-up values and words of examples the user and tools say in another program's messages."""
    said = [text_of(message.content) for message in messages if message.role in ("user", "tool")]
    return tuple(sorted({each for text in said for each in _said_in(agent, text)}))


def _said_in(agent: Agent, text: str) -> list[str]:
    said = [sample for sample in agent.samples if sample in text or (sample == _MADE_NUMBER and _says_number(text))]
    # order: sorted by those who keep it
    return said + list(agent.shown_words.intersection(word_texts(text))) if agent.shown_words else said


def _says_number(text: str) -> bool:
    """Tell whether a text says the number of made examples in another form, such as 7,316."""
    return _LAST_DIGITS in text and first_absent([MADE_NUMBER], [text]) is None


_MADE_NUMBER: Final = str(MADE_NUMBER)
_LAST_DIGITS: Final = _MADE_NUMBER[-3:]


def _said(draft: Draft, text: str, before: tuple[str, ...]) -> tuple[str, ...]:
    new = _said_in(draft.agent, text)
    return tuple(sorted({*before, *new})) if new else before


def repeats_question(draft: Draft, answer: str) -> bool:
    """Tell whether an answer has the question's words and no others."""
    return bool(draft.state.asked) and len(answer) <= MAX_ECHO_CHARS and _signature(answer) == draft.state.asked


def repeats_example(draft: Draft, answer: str) -> bool:
    """Tell whether an answer has the words of an example's text, whose own words neither the user nor a result said."""
    if not draft.agent.shown_texts or len(answer) > MAX_ECHO_CHARS:
        return False
    plain = answer if draft.agent.definition.citations is None else without_marks(answer)
    telling = draft.agent.shown_texts.get(tuple(word_texts(plain)))
    return telling is not None and not telling.issubset(draft.state.said_samples)


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
        text = made_text(value)
        if text and text in draft.agent.samples and text not in draft.state.said_samples:
            return words.made_up_argument(tool, name, text)
    return None


def wrong_origin(draft: Draft, tool: str, params: dict[str, Any]) -> str | None:
    """Give what is wrong with a call one of whose arguments is made up by an example, or by the model itself."""
    made_up = made_up_argument(draft, tool, params) if draft.agent.samples else None
    return made_up if made_up is not None or draft.state.carried is None else _unsaid_argument(draft, tool, params)


def _unsaid_argument(draft: Draft, tool: str, params: dict[str, Any]) -> str | None:
    """Give what is wrong with a carried model's call whose value of a kind stands nowhere, though others do.

    Where the state does not hold all that was said, a model that insists is believed.
    """
    agent, state, carried = draft.agent, draft.state, draft.state.carried
    router = agent.router
    if carried is None or router is None or tool not in router.parameters or agent.carry_level(state.model) == "off":
        return None
    insists = "invalid_arguments" in state.corrections or not agent.max_corrections
    if insists and not _holds_all(carried, state.user_at - state.preamble):
        return None
    grounded = router.loosely_grounded(tool, ground_words(plan_of(carried.task, router), carried))
    for name, known in grounded.values.items() if grounded is not None else ():
        value = params.get(name)
        is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
        if known and is_plain and value not in known and not _stands(value, draft, carried):
            return words.unsaid_argument(tool, name, str(value), [str(each) for each in known])
    return None


def _stands(value: Any, draft: Draft, carried: Carried) -> bool:
    """Tell whether a value, of a link with its scheme or without, stands in what was said, or in the definition."""
    bare = value.rpartition("://")[2] if isinstance(value, str) else value
    before = [text for pair in carried.earlier for text in pair]
    said = [
        carried.task,
        carried.data,
        *before,
        *[result.text for result in carried.results],
        draft.agent.definition.instructions,
    ]
    return first_absent([bare], [text for text in said if text]) is None


def _holds_all(carried: Carried, earlier: int) -> bool:
    """Tell whether the state holds all that was said; earlier: the messages before this exchange."""
    results = carried.results
    said = max(len(carried.task), len(carried.data))
    cut = said >= MAX_CARRIED_CHARS or len(results) >= MAX_CARRIED_RESULTS
    return not (cut or earlier or any(len(result.text) >= MAX_CARRIED_RESULT_CHARS for result in results))
