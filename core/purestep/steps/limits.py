"""Limits, and the way to the next model call: every ask passes here, so no limit can be bypassed."""

from typing import Any, Final

from msgspec.structs import replace

from ..agent import Agent, corrections
from ..checks import Rejection
from ..draft import (
    Draft,
    LimitExceeded,
    add_words,
    advice,
    begin_summary,
    count_above,
    due_change,
    fit,
    leave_out_history,
    make_change,
    next_model,
    note_fault,
    note_span_text,
    offer_chosen,
    reader_of,
    refused_kind,
    sample_for,
    shown_amount,
    spent,
    warn,
    with_model,
)
from ..values import CorrectionEvent, Decided, RunState, Switched, is_planning
from .ending import fail
from .late_reading import put_late
from .steering import put_queued


def ask(draft: Draft, reason: str, cause: str = "", decided: Decided | None = None, *, summed_up: bool = False) -> None:
    """Ask the model next, or fail when a limit is used up.

    decided: why and after how long it is asked again, logged once nothing forbids it. summed_up: it has been asked for
    a summary of what its prompt leaves out.
    """
    wait_ms = 0 if decided is None else decided.wait_ms
    excess = before_model(draft, wait_ms)
    if excess is not None:
        fail(draft, excess.code, excess.message, excess.detail)
        return
    is_turn = not is_planning(draft.state.exchange)  # what is said beside the request for a plan would go with it
    if is_turn:
        _put_what_came(draft)
    offered = offer_chosen(draft) if draft.agent.search is not None and is_turn else ""
    if offered and not draft.agent.dialect.native_tools:
        add_words(draft, offered)
    if draft.agent.warns and not summed_up and is_turn:
        warn(draft)
    unread = _read_attachments(draft)
    draft.agent = draft.agent.asked(draft.state) if draft.agent.varies else draft.agent
    if unread is not None:
        fail(draft, unread.code, unread.message, unread.detail)
        return
    if draft.state.window.sent is not None:
        asked = draft.state.window.model
        sums_up = draft.agent.summary_tokens and not summed_up and decided is None
        before = draft.sizes(draft.state.window.sent) if sums_up else None
        if draft.agent.history is not None:
            leave_out_history(draft)
            if before is not None and not draft.agent.options.summary_tokens:
                before = draft.window.sent  # without the policy summary, only what its size leaves out is summed up
        unfit = fit(draft)
        if unfit is not None:
            fail(draft, unfit.code, unfit.message, unfit.detail)
            return
        if reason == "retry" and draft.state.window.model != asked:
            reason = "escalate"
        if before is not None and begin_summary(draft, before, reason, cause):
            return
    if decided is not None:
        draft.derived(decided)
    problems = draft.state.exchange.problems if cause else ()
    exchange = replace(draft.state.exchange, reason=reason, cause=cause, wait_ms=wait_ms, problems=problems)
    draft.state = replace(draft.state, phase="model", exchange=exchange)


def _put_what_came(draft: Draft) -> None:
    """Put what came meanwhile before the call: messages of the user, and results of calls that went on elsewhere."""
    if draft.state.run.queued:
        put_queued(draft)
    if draft.state.run.late:
        put_late(draft)


def _read_attachments(draft: Draft) -> LimitExceeded | None:
    """Move to a model that takes the images and files of this exchange; say why there is none."""
    attachments = draft.attachments()
    if not attachments:
        return None
    draft.state = state = replace(draft.state, window=replace(draft.state.window, attachments=attachments))
    models, reader = draft.agent.definition.models, reader_of(draft.agent, state)
    kind = refused_kind(draft.agent, state)
    if reader is not None:
        if reader != state.window.model:
            draft.window = with_model(state.window, reader)
            draft.derived(Switched(what="model", cause="attachments", to=models[reader].name))
        return None
    assert kind is not None  # else the model at hand reads it
    name = corrections.shown(models[state.window.model].name)
    return LimitExceeded(
        "unsupported_part",
        f'the message has {corrections.part_words(kind)}, and the model "{name}" is sent none; '
        f"{advice(kind)}, or send the words alone",
        {"kind": kind, "model": name},
    )


def before_model(draft: Draft, wait_ms: int = 0) -> LimitExceeded | None:
    """Return the first limit that forbids another model call, made after a wait."""
    if draft.state.exchange.used.turns >= draft.agent.max_turns:
        return LimitExceeded(
            "max_turns",
            f"no answer within {draft.agent.max_turns} turns; raise limits.max_turns or narrow the task",
            {"max_turns": draft.agent.max_turns},
        )
    for name, used, allowed in spent(draft):
        if used >= allowed:
            return _budget(draft, name, used, allowed)
    excess = past_deadline(draft, wait_ms)
    if excess is None and draft.above is not None:
        count_above(draft)
        return before_model(draft.above, wait_ms)
    return excess


def limit_ahead(agent: Agent, state: RunState) -> LimitExceeded | None:
    """Return the limit by which a run fails once its calls have their results, whatever they are; None without one.

    Time counts only once it has passed. What waits for the checks of an answer may be done without another model call.
    """
    if state.phase not in ("approval", "tools") or any(call.checks for call in state.pending):
        return None
    return before_model(Draft(agent, state, None, state.head))


def before_calls(draft: Draft, number: int) -> LimitExceeded | None:
    """Return the first limit that forbids this many more tool calls."""
    limit = draft.agent.limits.max_tool_calls
    used = draft.state.exchange.used.tool_calls
    if limit is not None and used + number > limit:
        return _budget(draft, "max_tool_calls", used + number, limit)
    excess = past_deadline(draft) if draft.agent.limits.deadline_ms else None
    if excess is None and draft.above is not None:
        count_above(draft)
        return before_calls(draft.above, number)
    return excess


def _budget(draft: Draft, name: str, used: int, limit: int) -> LimitExceeded:
    spent_up, allowed = shown_amount(draft, name, used), shown_amount(draft, name, limit)
    return LimitExceeded(
        "budget",
        f"the budget {name} of {allowed} is used up ({spent_up}); raise limits.{name} or narrow the task",
        {"limit": name, "allowed": limit, "used": used},
    )


def past_deadline(draft: Draft, wait_ms: int = 0) -> LimitExceeded | None:
    """Return the excess when the host's clock is past the deadline, or will be; without `at` there is no deadline."""
    deadline = draft.agent.limits.deadline_ms
    if deadline is None:
        return None
    started = draft.state.exchange.started_at
    if started is None or draft.at is None or draft.at - started + wait_ms <= deadline:
        return None
    passed = draft.at - started
    ahead, waiting = (f", and a wait of {wait_ms} ms lies ahead", {"wait_ms": wait_ms}) if wait_ms else ("", {})
    return LimitExceeded(
        "deadline",
        f"no answer within {deadline} ms; {passed} ms have passed{ahead}",
        {"deadline_ms": deadline, "elapsed_ms": passed, **waiting},
    )


def correct(
    draft: Draft,
    cause: str,
    text: str,
    spoken: bool = False,
    named: tuple[str, ...] = (),
    check: str = "",
    advice: str = "",
) -> None:
    """Send the model feedback, at most `max_corrections` times in a row for each cause; then escalate, then fail.

    Where the definition has rules of negotiation, one that is due changes how the model is asked instead of a failure.

    spoken: the transcript holds the text already, as a tool result. named: the tools of the output that failed. check:
    that rejected an answer or output, advice: what a person can do, both for the failure.
    """
    attempt = draft.state.exchange.corrections.get(cause, 0) + 1
    change, sample = None, ""
    if draft.agent.options.rules:
        note_fault(draft, cause)
        change = due_change(draft, cause, named, last=attempt > draft.agent.max_corrections)
        sample = sample_for(draft, cause, change, named)
    if attempt > draft.agent.max_corrections and change is None:
        _give_up(draft, cause, text, spoken, check, advice)
        return
    excess = before_model(draft)
    if excess is not None:
        fail(draft, excess.code, excess.message, {**excess.detail, "cause": _code(cause)})
        return
    _feed_back(draft, cause, attempt, text, spoken, sample)
    ask(draft, "correction" if change is None else make_change(draft, change, cause), _code(cause))


def ask_after(draft: Draft, reason: str, cause: str, noted: tuple[str, ...], named: tuple[str, ...]) -> None:
    """Ask the model after a turn whose calls came to nothing; a rule for what was noted may change how.

    named: the tools that were called.
    """
    for each in noted if draft.state.exchange.negotiated is not None and before_model(draft) is None else ():
        change = due_change(draft, each, named)
        if change is not None:
            ask(draft, make_change(draft, change, each), each)
            return
    ask(draft, reason, cause)


def _feed_back(draft: Draft, cause: str, attempt: int, text: str, spoken: bool, sample: str = "") -> None:
    if sample:
        text = f"{text}\n{sample}"
    draft.derived(
        CorrectionEvent(cause=_code(cause), attempt=attempt, content=text, problems=draft.state.exchange.problems)
    )
    draft.exchange = replace(draft.state.exchange, corrections={**draft.state.exchange.corrections, cause: attempt})
    if not spoken:
        said = draft.agent.dialect.feedback(text)
        draft.say("user", said)
        note_span_text(draft, said)
    elif sample:
        add_words(draft, sample)


def _give_up(draft: Draft, cause: str, text: str, spoken: bool, check: str, advice: str) -> None:
    larger = next_model(draft.agent, draft.state)
    if larger is not None and cause not in ("guardrail", "postcondition"):
        excess = before_model(draft)
        if excess is not None:
            fail(draft, excess.code, excess.message, {**excess.detail, "cause": _code(cause)})
            return
        _feed_back(draft, cause, 1, text, spoken)
        draft.window = with_model(draft.state.window, larger)
        ask(draft, "escalate", _code(cause))
        return
    tried = draft.agent.max_corrections
    detail: dict[str, Any] = {"last": text, "check": check} if check else {"last": text}
    then = f"; {advice}" if advice else ""
    fail(draft, _code(cause), f"{FAILURES[cause]} (corrections: {tried}){then}", detail)


def send_back(draft: Draft, rejection: Rejection, advice: str = "") -> None:
    """Send an answer back that a check rejects; advice: what a person can do where that does not help."""
    text = corrections.rejected_answer(rejection.reason, rejection.then, draft.agent.dialect.remind)
    cause = _OF_ANSWERS.get(rejection.cause, rejection.cause)
    correct(draft, cause, text, named=rejection.tools, check=rejection.check, advice=advice or corrections.see_answer())


ANSWER_GUARDRAIL: Final = "answer_guardrail"
"""The cause of an answer that a named check rejected, where it is counted.

An answer after the correction of a tool's output fails at once, one after the correction of an answer is what was asked
for; so the two have counters of their own. Both are `guardrail` to the host and in the log; `postcondition` likewise.
"""

_OF_ANSWERS: Final = {"guardrail": ANSWER_GUARDRAIL, "postcondition": "answer_postcondition"}
_CODES: Final = {counted: code for code, counted in _OF_ANSWERS.items()}


def _code(cause: str) -> str:
    """Return a cause as decisions, failures and the log name it."""
    return _CODES.get(cause, cause)


FAILURES = {
    "parse_error": "the model's output could not be read, also after feedback",
    "truncated": "the model's output was cut off, also after feedback",
    "unknown_tool": "the model called a tool that does not exist, also after feedback",
    "invalid_arguments": "the model's arguments did not fit the tool, also after feedback",
    "guardrail": "a check rejected a tool's output, also after feedback",
    "postcondition": "a tool's output did not meet a condition, also after feedback",
    "inconclusive": "the model gave no answer and made no call, also after feedback",
    "obligation": "the model answered without the tool it has to use, also after feedback",
    "tool_choice": "the model did not keep to the tool choice, also after feedback",
    "answer_schema": "the answer did not have the form asked for, also after feedback",
    ANSWER_GUARDRAIL: "a check rejected the answer, also after feedback",
    "answer_postcondition": "the answer did not meet a condition, also after feedback",
}
"""What a run's failure says, by the cause whose corrections are used up."""


def clear(draft: Draft, *causes: str) -> None:
    """Reset the counters of corrections for these causes: the model has just got them right."""
    kept = {cause: count for cause, count in draft.state.exchange.corrections.items() if cause not in causes}
    draft.exchange = replace(draft.state.exchange, corrections=kept)
