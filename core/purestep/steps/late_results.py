"""Calls that go on elsewhere: a host says so with `tool_pending`, and their results come later, in whatever phase.

The model goes on without them. A result is logged and judged when it comes, and read at the next boundary: before the
next model call of the exchange, or in one of its own that begins after an answer; after a failure it waits for what the
user says next. Where a definition says `wait`, and in the runs of agents below, the call stays one that is waited for.
"""

from msgspec.structs import replace

from ..agent import corrections
from ..bounds import MAX_CHECK_STEPS, MAX_LATE_CALLS
from ..draft import (
    COMES_LATER,
    Draft,
    framed_reason,
    handed_out,
    note_unsettled,
)
from ..errors import PurestepError
from ..json_text import without_terminal_codes
from ..values import Decided, Pending, RunState, ToolPending, ToolPendingEvent, ToolResult, ToolResults
from .batch import advance_calls
from .begin import start_exchange
from .late_reading import put_late
from .limits import ask
from .results import check_named, check_result, log_result, take_result


def consume_pending(draft: Draft, observation: ToolPending) -> None:
    """Log that a call goes on elsewhere; the model goes on, or the call is waited for."""
    call = _handed(draft, observation.call_id)
    tool = draft.agent.tool(call.tool)
    note = without_terminal_codes(observation.note or "")
    draft.fact(
        ToolPendingEvent(
            tool_name=call.tool, call_id=call.call_id, handle=observation.handle, note=observation.note or None
        )
    )
    waits = draft.above is not None or (tool is not None and tool.spec.late == "wait")
    kept = replace(call, handle=observation.handle)
    if waits or _is_judged(draft, call):
        _put(draft, kept)
        return
    if len(draft.run.late) >= MAX_LATE_CALLS:
        raise PurestepError(
            "invalid_input",
            f"expected at most {MAX_LATE_CALLS} calls of a run to go on elsewhere; send results of some before",
            "/observation/call_id",
        )
    draft.derived(Decided(reason="late", tools=(call.tool,)))
    draft.run = replace(draft.run, late=(*draft.run.late, kept))
    note_unsettled(draft, draft.agent, (call,))
    text = corrections.comes_later(call.tool, framed_reason(draft, call, note) if note else "")
    begun = replace(kept, status="done", text=text, fault=COMES_LATER, unknown=True)
    _put(draft, begun)
    advance_calls(draft, draft.state.pending)


def _put(draft: Draft, call: Pending) -> None:
    pending = [call if each.call_id == call.call_id else each for each in draft.state.pending]
    draft.state = replace(draft.state, pending=tuple(pending))


def _handed(draft: Draft, call_id: str) -> Pending:
    """Return the call of that id, which the host was told to run; raises `unknown_call` for any other."""
    due = handed_out(draft.state.pending, draft.agent.max_parallel)
    call = next((each for each in due if each.call_id == call_id), None)
    if call is None or call.child is not None or call.checks or call.skill:
        named = ", ".join([each.call_id for each in due if not (each.child or each.checks or each.skill)]) or "none now"
        raise PurestepError(
            "unknown_call",
            f'expected a call that was handed out, and is no check: {named}; got "{corrections.shown(call_id)}"',
            "/observation/call_id",
        )
    if call.handle:
        raise PurestepError(
            "duplicate_result",
            f"expected one tool_pending of {call_id}, which has one already; send its result",
            "/observation/call_id",
        )
    return call


def _is_judged(draft: Draft, call: Pending) -> bool:
    """Whether a tool judges the output: that has to run in the same turn."""
    tool = draft.agent.tool(call.tool)
    return tool is not None and any(check.call is not None for check in tool.checks)


# --- results that come later --------------------------------------------------------------------------------


def split_late(state: RunState, observation: ToolResults) -> tuple[ToolResults, ...]:
    """Return late results, and those of calls that are waited for, which come with them.

    Error codes: those of `check_named`.
    """
    late = {call.call_id: call for call in state.run.late}
    check_named({**{call.call_id: call for call in state.pending}, **late}, observation.results)
    others = tuple([each for each in observation.results if each.call_id not in late])
    awaited = {call.call_id for call in state.pending if call.handle}
    if len(others) in (0, len(observation.results)) or not awaited.issuperset([each.call_id for each in others]):
        return (observation,)
    came = tuple([each for each in observation.results if each.call_id in late])
    return replace(observation, results=came), replace(observation, results=others)


def consume_late(draft: Draft, observation: ToolResults) -> None:
    """Log and judge results of calls that went on elsewhere; the phase stays, and the model reads them next."""
    late = {call.call_id: call for call in draft.run.late}
    for index, result in enumerate(observation.results):
        _check(late, result, f"/observation/results/{index}")
    steps = MAX_CHECK_STEPS // len(observation.results)
    last = observation.results[-1]
    for result in observation.results:
        # A log is replayed line by line: the line itself has to say that no exchange begins yet.
        more = draft.state.phase == "done" and (result is not last or draft.has_more)
        late[result.call_id] = _taken(draft, late[result.call_id], result, steps, more=more)
    draft.run = replace(draft.run, late=tuple(late.values()))


def _check(late: dict[str, Pending], result: ToolResult, path: str) -> None:
    call = late.get(result.call_id)
    if call is None:
        raise PurestepError(
            "unknown_call",
            f"expected results of {', '.join(late)} alone, which went on elsewhere; send that of "
            f'"{corrections.shown(result.call_id)}" by itself',
            f"{path}/call_id",
        )
    if call.status == "done":
        text = f"expected one result of {result.call_id}, which has one already; leave this one out"
        raise PurestepError("duplicate_result", text, f"{path}/call_id")
    if result.asks is not None:
        text = "expected a result: a call that went on elsewhere asks nobody any more; say what it has come to"
        raise PurestepError("invalid_input", text, f"{path}/asks")
    check_result(result, path)


def _taken(draft: Draft, call: Pending, result: ToolResult, steps: int, *, more: bool) -> Pending:
    seq = log_result(draft, call, result, more=more)
    settled, *checks = take_result(draft, {}, call, result, steps, seq)
    if checks:  # another definition has what judges it
        return replace(settled, ok=False, text=corrections.unchecked_late(call.tool), fault="guardrail", parts=())
    return settled


def begin_late(draft: Draft) -> None:
    """Begin an exchange with the results that came before or after the answer, which was given without them."""
    if draft.has_more or not any(call.status == "done" for call in draft.run.late):
        return
    start_exchange(draft)
    put_late(draft, begins=True)
    ask(draft, "late_results")
