"""Tool results: logged and checked one by one, in any order."""

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from ..agent import corrections
from ..bounds import DEFAULT_MAX_OUTPUT_CHARS, MAX_ASKED_FORMS, MAX_CHECK_STEPS
from ..checks import Rejection, is_empty, judge_output, output_text
from ..draft import (
    INTERRUPTED,
    Draft,
    call_cost,
    check_content,
    check_reference,
    count_usage,
    framed_reason,
    is_reading,
    note_accepted,
    note_citable,
    note_cut,
    note_fault,
    note_unsettled,
    output_chars,
    reference_text,
    result_chars,
    settle,
    shown_part,
    tell_result,
    with_output,
)
from ..errors import PurestepError
from ..json_text import without_terminal_codes
from ..values import AttachedPart, Pending, ToolResult, ToolResultEvent, ToolResults, VerdictEvent
from .asked_forms import asking, check_asks, without_question
from .batch import advance_calls
from .checking import begin_checks, held_output, output_checks, take_verdict
from .rankings import is_ranking, take_ranking

ERROR_KINDS = ("invalid_arguments", "execution", "io")
_NOT_OF_THE_MODEL = ("io", INTERRUPTED)
"""Kinds of failures that another call by another model would have met too."""


def consume_results(draft: Draft, observation: ToolResults) -> None:
    """Take results of any of the pending calls; the model is asked once every call has its result."""
    calls = {call.call_id: call for call in draft.state.pending}
    _refuse_misfits(draft, calls, observation.results)
    steps = MAX_CHECK_STEPS // len(observation.results)
    for result in observation.results:
        for call in _settled(draft, calls, result, steps):
            calls[call.call_id] = call
    advance_calls(draft, tuple(calls.values()))


def _refuse_misfits(draft: Draft, calls: dict[str, Pending], results: tuple[ToolResult, ...]) -> None:
    """Refuse a batch that names a call wrongly, before any of it is logged."""
    if not results:
        raise PurestepError("invalid_input", "expected the result of a call; got none", "/observation/results")
    for index, result in enumerate(results):
        call_id = result.call_id
        call = calls.get(call_id)
        if call is None or call.status in ("done", "skill", "asks"):
            raise _misfit(call_id, calls, f"/observation/results/{index}/call_id")
        if call.tool in draft.agent.agents and not call.checks:
            raise PurestepError(
                "unknown_call",
                f"expected no result of {call_id}: the agent {call.tool} answers it; send what its run asks for",
                f"/observation/results/{index}/call_id",
            )
        if result.asks is not None:
            check_asks(call, result, f"/observation/results/{index}")
        check_result(result, f"/observation/results/{index}")


def check_named(known: dict[str, Pending], results: tuple[ToolResult, ...]) -> None:
    """Refuse two results of a call, and one of another run's call; raises `duplicate_result`, `unknown_call`.

    known: the calls of the run, by their ids. Whether each waits for a result is for what consumes it.
    """
    seen: set[str] = set()
    for index, result in enumerate(results):
        call, path = known.get(result.call_id), f"/observation/results/{index}"
        if call is None:
            continue
        if result.key is not None and result.key != call.key:
            raise PurestepError(
                "unknown_call",
                f"expected the key of {call.call_id} in this run; got that of a call of another run: give the result "
                "to the run that made the call",
                f"{path}/key",
            )
        if call.call_id in seen:
            text = f"expected one result of {call.call_id}; got two: leave one out"
            raise PurestepError("duplicate_result", text, f"{path}/call_id")
        seen.add(call.call_id)


def check_result(result: ToolResult, path: str) -> None:
    """Refuse a result whose reference or parts are none; raises `invalid_input`."""
    check_reference(result, f"{path}/reference")
    check_content(result.parts, f"{path}/parts")
    if result.parts and not result.ok:
        raise PurestepError("invalid_input", "expected parts beside an output", f"{path}/parts")


def _misfit(call_id: str, calls: dict[str, Pending], path: str) -> PurestepError:
    if call_id in calls and calls[call_id].status == "skill":
        text = f"expected no result of {call_id}: it is a skill, which the core executes; leave it out"
        return PurestepError("unknown_call", text, path)
    if call_id in calls:
        text = f"expected one result of {call_id}, which has one already; leave this one out"
        return PurestepError("duplicate_result", text, path)
    waiting = ", ".join(calls)
    return PurestepError("unknown_call", f'expected one of {waiting}; got "{corrections.shown(call_id)}"', path)


def _settled(draft: Draft, calls: dict[str, Pending], result: ToolResult, steps: int) -> tuple[Pending, ...]:
    """Log a result and check it; gives the call with what the model will read of it, and the calls of its checks."""
    call = calls[result.call_id]
    seq = log_result(draft, call, result)
    if result.asks is not None and call.asked < MAX_ASKED_FORMS:
        return (asking(draft, call, result.asks),)
    return take_result(draft, calls, call, without_question(result), steps, seq)


def log_result(draft: Draft, call: Pending, result: ToolResult, *, more: bool = False) -> int:
    """Log a result and count what it used; gives the number of its line. more: as the line has it."""
    seq = draft.next_seq
    draft.fact(
        ToolResultEvent(
            tool_name=call.tool,
            call_id=call.call_id,
            ok=result.ok,
            output=result.output if result.ok and result.reference is None else UNSET,
            error=None if result.ok or result.asks is not None else result.error or "",
            error_kind=result.error_kind,
            reference=result.reference,
            parts=result.parts,
            ended_at=result.ended_at,
            asks=result.asks,
            usage=result.usage,
            cost=None if result.usage is None else call_cost(draft, result.usage),
            more=more,
        )
    )
    if result.usage is not None:
        count_usage(draft, result.usage)
    return seq


def take_result(
    draft: Draft, calls: dict[str, Pending], call: Pending, result: ToolResult, steps: int, seq: int
) -> tuple[Pending, ...]:
    """Check a result that is logged in the line `seq`; gives its call settled, and the calls of its checks."""
    result = _as_read(with_output(result))
    # That of a late one is known once the model has read it: until then it may ask for the same again.
    if result.ok and draft.state.run.unsettled and not _is_late(draft, call):
        settle(draft, call)
    if call.checks:
        take = take_ranking if is_ranking(draft.agent, calls, call) else take_verdict
        return take(draft, calls, call, result)
    settled, *checks = _judged(draft, call, result, steps, seq) if result.ok else (_failed(draft, call, result, seq),)
    tell_result(draft, settled)
    if call.edited:
        settled = replace(settled, text=f"{corrections.edited_call(call.params)} {settled.text}")
    return (settled, *checks)


def _is_late(draft: Draft, call: Pending) -> bool:
    return any(each.call_id == call.call_id for each in draft.run.late)


def _as_read(result: ToolResult) -> ToolResult:
    """Return a result as it is judged and read: a text, or an error, without codes for a terminal."""
    if isinstance(result.output, str) and "\x1b" in result.output:
        result = replace(result, output=without_terminal_codes(result.output))
    return replace(result, error=without_terminal_codes(result.error)) if result.error else result


def _failed(draft: Draft, call: Pending, result: ToolResult, seq: int) -> Pending:
    if draft.agent.options.rules and result.error_kind not in _NOT_OF_THE_MODEL:
        note_fault(draft, "tool_failed")
    if result.error_kind == INTERRUPTED:
        draft.was_stopped = True
        note_unsettled(draft, draft.agent, (call,))
        text = corrections.interrupted(result.error)
        text = corrections.cut_output(text, _limit(draft, call, text))
        return replace(call, status="done", ok=False, text=text, in_doubt=True)
    # What failed may have acted before it did; what was refused for its arguments has not.
    tool = draft.agent.tools.get(call.tool)
    failed_midway = tool is not None and tool.is_destructive and result.error_kind != "invalid_arguments"
    kind = f" ({result.error_kind})" if result.error_kind in ERROR_KINDS else ""
    text = result.error or "it failed without saying why"
    limit = _limit(draft, call, text)
    is_cut = len(text) > limit and not is_reading(draft.agent, call.tool)
    text = note_cut(draft, call, text, limit, seq) if is_cut else corrections.cut_output(text, limit)
    unknown = call.unknown or failed_midway
    return replace(call, status="done", ok=False, text=f"{text}{kind}", unknown=unknown, in_doubt=call.lost > 0)


def _judged(draft: Draft, call: Pending, result: ToolResult, steps: int, seq: int) -> tuple[Pending, ...]:
    """Return a call with its output accepted or rejected; where check tools judge it, held back, and their calls."""
    rejection = _judge(draft, call, result, steps)
    checks = output_checks(draft, call, result.output) if rejection is None else rejection
    if isinstance(checks, Rejection):
        return (_rejected(draft, call, checks),)
    if not checks:
        draft.derived(VerdictEvent(verdict="accept", call_id=call.call_id))
        before = result_chars(draft)
        note_accepted(draft, result.output)
        if draft.agent.cites:
            note_citable(draft, replace(call, ok=True), before)
    if result.reference is None:
        text = _shown(draft, call, _said(draft, call, result.output), seq)
    else:
        text = reference_text(result.reference)  # short, and a part of it would say nothing
    settled = replace(call, status="done", ok=True, text=text, parts=_named_parts(call, result))
    if not checks:
        return (settled,)
    return held_output(draft, settled, result.output), *begin_checks(draft, call.call_id, checks)


def _named_parts(call: Pending, result: ToolResult) -> tuple[AttachedPart, ...]:
    return tuple([replace(part, call_id=call.call_id) for part in result.parts])


def _rejected(draft: Draft, call: Pending, rejection: Rejection) -> Pending:
    draft.derived(VerdictEvent(verdict="reject", call_id=call.call_id, check=rejection.check, reason=rejection.reason))
    tool = draft.agent.tool(call.tool)
    # Named checks have words of their own; what any other check says may quote the output.
    quotes = rejection.cause != "guardrail"
    reason = framed_reason(draft, call, rejection.reason) if quotes else rejection.reason
    text = corrections.rejected_output(call.tool, reason, acts=tool is not None and tool.is_said_to_act)
    return replace(call, status="done", ok=False, text=text, fault=rejection.cause, rejected_by=rejection.check)


def _said(draft: Draft, call: Pending, output: Any) -> str:
    """Return what an accepted output says to the model: "done, no output" where it says nothing."""
    if is_reading(draft.agent, call.tool):
        return output_text(output)
    return corrections.no_output() if is_empty(output) else output_text(output)


def _judge(draft: Draft, call: Pending, result: ToolResult, steps: int) -> Rejection | None:
    tool = draft.agent.tool(call.tool)
    if tool is None:
        return judge_output(None, draft.agent.open_checks, result.output, steps)
    return judge_output(tool.output, tool.checks, result.output, steps)


def _shown(draft: Draft, call: Pending, text: str, seq: int) -> str:
    """Return what the model reads of an output; seq: the line of the log that holds it."""
    limit = _limit(draft, call, text)
    if is_reading(draft.agent, call.tool):
        return shown_part(draft, call, text, limit)
    if len(text) <= limit:
        return text
    # What a taught dialect shows has room; a part of JSON could not be written as it was taught.
    shown = draft.agent.dialect.abridge(text)
    return shown if len(shown) <= limit else note_cut(draft, call, text, limit, seq)


def _limit(draft: Draft, call: Pending, text: str) -> int:
    """Return how many characters of a result the model reads, within what its tool allows."""
    tool = draft.agent.tools.get(call.tool)
    limit = tool.max_output_chars if tool else DEFAULT_MAX_OUTPUT_CHARS
    if is_reading(draft.agent, call.tool):
        limit = len(text)  # the part that was asked for is bounded already
    is_sent = draft.state.window.sent is not None
    return output_chars(draft, text, limit) if is_sent else limit
