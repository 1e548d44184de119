"""What a person wants to know of a run and its lines alone do not say: labels, origins, checks, cited sentences.

All of it follows from the log. It is derived here, by making every step again, so that no host judges by itself whose
text a result is, what an answer was held to, or what can be done after a failure.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from ..agent import Agent, checks_of_answer, checks_of_output, cited_sentences
from ..errors import PurestepError
from ..steps import result_labels
from ..values import (
    ArgumentOrigin,
    CitedSentence,
    Decided,
    Event,
    ExplainedAnswer,
    ExplainedCall,
    ExplainedFailure,
    Explanation,
    FinalAnswer,
    Pending,
    RunFailed,
    UserMessageEvent,
    decode_event,
)
from .replay import split_log
from .replayer import LogReplayer, Mismatch

_ADVICE: Final[Mapping[str, str]] = {
    "parse_error": "ask again in other words, or ask a larger model",
    "unknown_tool": "ask again in other words, or offer the tool that is missing",
    "invalid_arguments": "ask again and name the values, or ask a larger model",
    "inconclusive": "ask again in other words, or ask a larger model",
    "obligation": "ask again in other words, or ask a larger model",
    "tool_choice": "ask again without the tool choice, or ask a larger model",
    "answer_schema": "ask again, ask a larger model, or allow the answer another form",
    "truncated": "ask for a shorter answer, or raise sampling.max_tokens",
    "repeated_call": "ask again in smaller steps",
    "denied": "ask for another way, or approve the call when you are asked",
    "tool_failed": "look at what the tool says, put it right, and ask again",
    "model_error": "ask again later, or choose another model",
}
"""What a person can do, by the code of a failure whose message does not say it."""


class _Known(Struct):
    """What is known of a call so far."""

    tool: str
    labels: tuple[str, ...]
    origins: tuple[ArgumentOrigin, ...]
    checks: tuple[str, ...]


def explain(text: str | bytes) -> Explanation:
    """Tell of each call, answer and failure of a log what its lines do not say.

    text: a log, of which a torn last line is left out. Error codes: `invalid_log`, `log_mismatch` (both name the line),
    `unsupported_version`, and the definition's own.
    """
    calls: dict[str, _Known] = {}
    answers: list[ExplainedAnswer] = []
    failures: list[ExplainedFailure] = []
    by_model = True
    for seq, event, agent, pending in _events(text):
        for call, labels in pending:
            before = calls.get(call.call_id)
            origins = call.origins or (() if before is None else before.origins)
            calls[call.call_id] = _Known(call.tool, labels, origins, checks_of_output(agent, call.tool))
        match event:
            case UserMessageEvent():
                by_model = True
            case Decided():
                by_model = event.reason != "result"
            case FinalAnswer():
                answers.append(_answer(seq, event, agent, by_model=by_model))
            case RunFailed():
                failures.append(ExplainedFailure(seq=seq, advice=_ADVICE.get(event.code, "")))
            case _:
                pass
    return Explanation(calls=tuple(_calls(calls)), answers=tuple(answers), failures=tuple(failures))


_Line = tuple[int, Event, Agent, list[tuple[Pending, tuple[str, ...]]]]


def _events(text: str | bytes) -> Iterator[_Line]:
    """Yield each event with its `seq`, and the calls that wait after it where its step was just made, with labels."""
    replayer = LogReplayer()
    lines, _ = split_log(text)
    if not lines:
        raise PurestepError("invalid_log", "the log holds no line; a log begins with run_started")
    for seq, (number, line) in enumerate(lines):
        before = replayer.state
        try:
            replayer.take(number, line)
        except Mismatch as mismatch:
            raise PurestepError(mismatch.found[0], f"line {number}: {mismatch}", f"/{number}") from None
        agent, state = replayer.agent, replayer.state
        assert agent is not None  # the first line that is taken begins the run
        pending = () if state is before else state.pending
        yield seq, decode_event(line), agent, [(call, result_labels(agent, state, call)) for call in pending]


def _calls(calls: Mapping[str, _Known]) -> Iterator[ExplainedCall]:
    for call_id, known in calls.items():
        yield ExplainedCall(
            call_id=call_id, tool=known.tool, labels=known.labels, origins=known.origins, checks=known.checks
        )


def _answer(seq: int, event: FinalAnswer, agent: Agent, *, by_model: bool) -> ExplainedAnswer:
    cited = {citation.at: list[str]() for citation in event.citations}
    for citation in event.citations:
        cited[citation.at].append(citation.call_id)
    sentences = [
        CitedSentence(
            at=(begin, end),
            calls=tuple(dict.fromkeys([call for mark in marks for call in cited.get((mark.begin, mark.end), ())])),
        )
        for begin, end, marks in (cited_sentences(event.content) if cited else ())
    ]
    return ExplainedAnswer(seq=seq, checks=checks_of_answer(agent, by_model=by_model), sentences=tuple(sentences))
