"""What a person wants to know of a run and its lines alone do not say: labels, origins, checks, cited sentences.

All of it follows from the log. It is derived here, by making every step again, so that no host judges by itself whose
text a result is, what an answer was held to, or what can be done after a failure.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import UNSET, Struct

from ..agent import Agent, agent_by_digest
from ..checks import CompiledCheck, cited_sentences
from ..draft import omissions, source_tool, window_use
from ..errors import PurestepError
from ..json_text import to_bytes
from ..steps import check_state, read_model, read_state
from ..values import (
    ChildLine,
    CitedSentence,
    CorrectionEvent,
    Event,
    ExplainedAgent,
    ExplainedAnswer,
    ExplainedCall,
    ExplainedCorrection,
    ExplainedFailure,
    ExplainedOutput,
    Explanation,
    FinalAnswer,
    ModelResponse,
    RunFailed,
    RunState,
    decode_event,
    fatal_problem,
    is_aside,
    is_derived,
    labels_of,
)
from .lines import LogLines, LogText
from .reasoning import logged_reasoning
from .replayer import LogReplayer, model_output

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


class _Line(Struct):
    """An event of the log with the run around it."""

    seq: int
    event: Event
    agent: Agent
    before: RunState
    """Before the step that wrote the line."""
    after: RunState


def explain(log: LogText, state: RunState | None = None) -> Explanation:
    """Tell of each call, answer, failure, correction and output of a log what its lines do not say.

    log: text, bytes or pieces of bytes, of which a torn last line is left out; with a state of the run, whole steps
    that follow it, and the calls are those that wait in them. Error codes: `invalid_log`, `log_mismatch` (both name the
    line), `unsupported_version`, `unknown_agent`, and the definition's own.
    """
    calls: dict[str, ExplainedCall] = {}
    answers: list[ExplainedAnswer] = []
    failures: list[ExplainedFailure] = []
    corrections: list[ExplainedCorrection] = []
    outputs: list[ExplainedOutput] = []
    below: dict[str, list[bytes]] = {}
    output: Event | None = None
    last: _Line | None = None
    for line in _lines(log, state):
        event = line.event
        _note_calls(calls, line)
        if not is_derived(event):
            output = event
        match event:
            case FinalAnswer():
                answers.append(_answer(line.seq, event, line.agent))
            case RunFailed():
                failures.append(ExplainedFailure(seq=line.seq, advice=_ADVICE.get(event.code, "")))
            case ModelResponse() if reasoning := _reasoning(line, event):
                outputs.append(ExplainedOutput(seq=line.seq, reasoning=reasoning))
            case ChildLine() if state is None:
                below.setdefault(event.call_id, []).append(bytes(event.line))
            case CorrectionEvent() if (said := _said(line, output)) is not None:
                corrections.append(ExplainedCorrection(seq=line.seq, said=said))
            case _:
                pass
        last = line
    use = None if last is None else window_use(last.agent, last.after)
    return Explanation(
        calls=tuple(calls.values()),
        answers=tuple(answers),
        failures=tuple(failures),
        corrections=tuple(corrections),
        outputs=tuple(outputs) or UNSET,
        window=use or UNSET,
        left_out=(() if last is None else omissions(last.after)) or UNSET,
        agents=tuple(
            [
                ExplainedAgent(
                    call_id=call_id, agent=calls[call_id].tool, explanation=explain(b"\n".join([*lines, b""]))
                )
                for call_id, lines in below.items()
            ]
        )
        or UNSET,
    )


def explain_from_json(log: LogText, state_json: str | bytes | None) -> Explanation:
    """Explain a log, or the lines after a state, which is the JSON text of the small state."""
    if state_json is None:
        return explain(log)
    state = read_state(to_bytes(state_json))
    check_state(agent_by_digest(state.agent), state)
    return explain(log, state)


def _lines(log: LogText, state: RunState | None) -> Iterator[_Line]:
    replayer = LogReplayer() if state is None else LogReplayer(agent_by_digest(state.agent), state)
    before, first = replayer.state, replayer.count
    for seq, (number, line) in enumerate(LogLines(log), first):
        stood = replayer.state
        replayer.take(number, line)
        before = before if replayer.state is stood else stood
        assert replayer.agent is not None  # the first line that is taken begins the run
        yield _Line(seq, decode_event(line), replayer.agent, before, replayer.state)
    if replayer.count == first:
        raise PurestepError("invalid_log", "the log holds no line; a log begins with run_started")


def _note_calls(calls: dict[str, ExplainedCall], line: _Line) -> None:
    """Note the calls that wait after a step, once: at the fact that made it."""
    if is_derived(line.event):
        return
    for call in line.after.pending:
        before = calls.get(call.call_id)
        origins = call.origins or (() if before is None else before.origins)
        tool = line.agent.host_tools.get(source_tool(line.agent, line.after, call))
        labels = () if tool is None else labels_of(tool.spec)
        calls[call.call_id] = ExplainedCall(
            call_id=call.call_id,
            tool=call.tool,
            labels=labels,
            origins=origins,
            checks=_output_checks(line.agent, call.tool),
        )


def _reasoning(line: _Line, event: ModelResponse) -> str:
    """Return the reasoning of an output of the conversation; that of what is asked aside is nobody's to read."""
    before = line.before
    if is_aside(before.exchange):
        return ""
    asked = line.agent.asked(before)
    tools = None if asked.is_open else asked.known_specs
    return logged_reasoning(event, asked.dialect.name, tools, opened=before.window.model in asked.opening_models)


def _said(line: _Line, output: Event | None) -> str | None:
    """Return the answer that a correction is of; None where the log has it as it was said, or it is of no answer."""
    before = line.before
    if before.exchange.judged is not None:
        return before.exchange.judged.answer
    if not isinstance(output, ModelResponse) or is_aside(before.exchange):
        return None
    reading = read_model(line.agent.asked(before), before, model_output(output))
    is_answer = not reading.calls and fatal_problem(reading) is None
    return reading.content if is_answer and reading.content != output.content else None


def _answer(seq: int, event: FinalAnswer, agent: Agent) -> ExplainedAnswer:
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
    return ExplainedAnswer(seq=seq, checks=_answer_checks(agent), sentences=tuple(sentences))


def _output_checks(agent: Agent, tool: str) -> tuple[str, ...]:
    """Name the checks of a tool's outputs in their order: its output schema, then those of the definition."""
    known = agent.tool(tool)
    if known is None:
        return _names(agent.open_checks)
    return (*(() if known.output is None else ("output_schema",)), *_names(known.checks))


def _answer_checks(agent: Agent) -> tuple[str, ...]:
    return (*(() if agent.answer is None else ("answer_schema",)), *_names(agent.answer_checks))


def _names(checks: Iterable[CompiledCheck]) -> tuple[str, ...]:
    """Name each kind of check once."""
    return tuple(dict.fromkeys([check.name for check in checks]))
