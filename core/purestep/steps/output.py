"""A model output: read it, then take its calls, check its answer, or send a correction."""

from msgspec.structs import astuple, replace

from ..agent import Agent, corrections, sent_function
from ..bounds import MAX_CALLS_PER_TURN, MAX_NOTED_PROBLEMS, MAX_OFFERED_CALL_CHARS, MAX_TEXT_CHARS
from ..dialects import Sample, first_whole_call, read_calls, read_output
from ..draft import (
    Draft,
    answer_native,
    call_cost,
    count_prompt,
    count_usage,
    note_reasoning,
    refused_calls,
    tell_output,
    wants_facts,
)
from ..errors import PurestepError
from ..json_text import WHITE_SPACE
from ..values import (
    Confidence,
    ModelOutput,
    NativeCall,
    Problem,
    Reading,
    RunState,
    Usage,
    answer_extra,
    fatal_problem,
    is_aside,
    parse_error,
    response_of,
    returned_extra,
)
from .answers import check_answer
from .calls import take_calls
from .ending import fail
from .limits import clear, correct
from .plan_output import take_plan
from .scores import consume_scores, is_scoring
from .skill_output import take_skill_output
from .summary_output import take_summary


def consume_output(draft: Draft, output: ModelOutput) -> None:
    """Log the output raw before anything is derived from it, count it, and act on what it says."""
    if output.content is not None and len(output.content) > MAX_TEXT_CHARS:
        raise _too_long()
    if output.confidence is not None:
        output = replace(output, confidence=_rounded(output.confidence))
    state = draft.state
    if state.run.carried is not None and is_scoring(draft.agent, state):
        consume_scores(draft, output)
        return
    reading = read_model(draft.agent, state, output)
    draft.fact(response_of(output, None if output.usage is None else call_cost(draft, output.usage)))
    if is_aside(state.exchange):
        _take_aside(draft, output, reading)
        return
    number = len(output.tool_calls or reading.calls)
    native_ids = _native_ids(draft, number) if output.tool_calls else ()
    if wants_facts(draft):
        tell_output(draft, output.content or "", output.confidence)
    _count(draft, output.usage, number, noted_problems(reading.problems) if reading.problems else ())
    _say_output(draft, output, reading, native_ids)
    _take_turn(draft, output, reading, number, native_ids)


def _rounded(confidence: Confidence) -> Confidence:
    """Return a confidence as logs hold it, to two decimals: hosts may compute other digits after these."""
    rounded = [round(nats, 2) or 0.0 for nats in astuple(confidence)]  # exact: rounded, not written
    return Confidence(branch=rounded[0], name=rounded[1], args=rounded[2])


def _take_turn(draft: Draft, output: ModelOutput, reading: Reading, number: int, native_ids: tuple[str, ...]) -> None:
    """Act on an output of the conversation; number: of its calls, those that cannot be read among them."""
    if output.finish_reason == "content_filter" and not reading.calls:
        answer_native(draft, native_ids, "Not run: the server withheld the output.")
        fail(draft, "model_error", "the model's server withheld the answer (content filter)", {"code": "refused"})
        return
    problem = fatal_problem(reading) if reading.problems else None
    if number > MAX_CALLS_PER_TURN:
        problem = parse_error(corrections.too_many_calls(number, MAX_CALLS_PER_TURN))
    if problem is not None:
        _send_back(draft, problem, native_ids, output.content)
    elif not reading.calls:
        check_answer(draft, reading, output.finish_reason == "length")
    elif draft.state.exchange.final:
        spoken = answer_native(draft, native_ids, corrections.answer_now())
        correct(draft, "unknown_tool", corrections.answer_now(), spoken=spoken)
    elif (feedback := refused_calls(draft.agent, draft.state, reading.calls)) is not None:
        correct(draft, "tool_choice", feedback, spoken=answer_native(draft, native_ids, feedback))
    else:
        if draft.state.exchange.corrections:
            clear(draft, "parse_error", "truncated", "inconclusive", "obligation", "tool_choice")
        take_calls(draft, reading.calls, native_ids)


def _take_aside(draft: Draft, output: ModelOutput, reading: Reading) -> None:
    """Take an output that is no turn of the conversation: a skill's, a summary, or a plan."""
    exchange = draft.state.exchange
    if exchange.skill is not None:
        take_skill_output(draft, output, exchange.skill)
    elif exchange.summing is not None:
        take_summary(draft, output, reading, exchange.summing)
    elif exchange.plan is not None:
        take_plan(draft, output, reading, exchange.plan)


def noted_problems(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Return what was not read as written, as the decision and the log name it: each once, in a bounded number."""
    distinct = dict.fromkeys((problem.code, corrections.shown(problem.message)) for problem in problems)
    named = [Problem(code=code, message=message) for code, message in distinct]
    if len(named) <= MAX_NOTED_PROBLEMS:
        return tuple(named)
    more = len(named) - MAX_NOTED_PROBLEMS + 1
    return (*named[: MAX_NOTED_PROBLEMS - 1], Problem(code=named[-1].code, message=f"and {more} more"))


def _native_ids(draft: Draft, number: int) -> tuple[str, ...]:
    """Return the ids of the calls that the transcript holds apart from the text, and whose results it wants apart."""
    if not draft.agent.dialect.native_tools:
        return ()
    return tuple(f"call_{draft.state.run.calls + index}" for index in range(1, number + 1))


def _too_long() -> PurestepError:
    return PurestepError(
        "input_too_large", f"expected at most {MAX_TEXT_CHARS} characters of output", "/observation/content"
    )


def _count(draft: Draft, usage: Usage | None, calls: int, problems: tuple[Problem, ...]) -> None:
    """Count the turn, its calls and its tokens; keep what was not read as written."""
    if draft.state.window.sent is not None:
        count_prompt(draft, usage)
    state = draft.state
    exchange, run = state.exchange, state.run
    used = replace(exchange.used, turns=exchange.used.turns + 1)
    draft.state = replace(
        state,
        exchange=replace(exchange, used=used, model_errors=0, wait_ms=0, problems=problems),
        run=replace(run, calls=run.calls + calls) if calls else run,
        window=replace(state.window, turn_at=state.messages),
    )
    if usage is not None:
        count_usage(draft, usage)


def _whole_call(draft: Draft, text: str) -> str:
    """Return the first call of a list that was cut in a later one, as the dialect writes it; "" where there is none."""
    agent = draft.agent
    if agent.is_open or agent.dialect.native_tools:
        return ""
    opened = draft.state.window.model in agent.opening_models
    call = first_whole_call(agent.dialect, text, agent.known_specs, opened=opened)
    written = "" if call is None or call.tool not in agent.tools else agent.dialect.write(Sample(calls=(call,)))
    return written if len(written) <= MAX_OFFERED_CALL_CHARS else ""


def read_model(agent: Agent, state: RunState, output: ModelOutput) -> Reading:
    """Return the reading of an output, in the dialect that the agent asks for and as the state's model writes it."""
    if output.tool_calls:
        cut = output.finish_reason == "length"
        return read_calls(output.content, output.tool_calls, agent.own_names, cut=cut)
    tools = None if agent.is_open else agent.known_specs
    opened, cut = state.window.model in agent.opening_models, output.finish_reason == "length"
    return read_output(agent.dialect, output.content or "", tools, opened=opened, cut=cut)


def _say_output(draft: Draft, output: ModelOutput, reading: Reading, native_ids: tuple[str, ...]) -> None:
    """Add the assistant message, in the form that the dialect's transcripts have."""
    if not native_ids or output.tool_calls is None:
        # Without a tool role the transcript keeps to the dialect's text, also when a server sent calls apart.
        beside = answer_extra(output.extra) if draft.agent.dialect.native_tools else None
        said = output.content or _written(draft, reading)
        # Servers refuse a message without anything in it.
        said = said if said.strip(WHITE_SPACE) else corrections.wrote_nothing()
        draft.say("assistant", said, extra=beside)
        if draft.agent.history is not None and reading.reasoning:
            note_reasoning(draft, said)
        return
    # Servers expect results under the ids in this message: ours, since a model's may be missing or repeat.
    entries, name_chars = zip(native_ids, output.tool_calls, strict=True), draft.agent.name_chars
    native = tuple(
        NativeCall(id=call_id, function=sent_function(entry.function, name_chars)) for call_id, entry in entries
    )
    draft.say("assistant", output.content, tool_calls=native, extra=returned_extra(output.extra, native))
    if draft.agent.history is not None:
        note_reasoning(draft, output.content or "")


def _written(draft: Draft, reading: Reading) -> str:
    return draft.agent.dialect.write(Sample(calls=reading.calls)) if reading.calls else ""


def _send_back(draft: Draft, problem: Problem, native_ids: tuple[str, ...], content: str | None) -> None:
    remind = draft.agent.dialect.remind
    if problem.code == "truncated":
        text = corrections.cut_off(remind, answer=False, first=_whole_call(draft, content or ""))
    else:
        text = corrections.unreadable(problem.message, remind)
    spoken = answer_native(draft, native_ids, text)
    correct(draft, problem.code, text, spoken=spoken)
