"""Executable validation: check tools are called for an output or an answer, and their verdicts decide about it.

The calls of checks are pending beside those of the model, numbered after them, and name what they judge. A judged
output is held back, done but not accepted, until its last check has come; a judged answer waits in the state.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import MAX_CHECK_CALLS, MAX_CHECK_STEPS
from ..checks import CompiledCheck, Judged, Rejection, check_failed, params_of, refusal
from ..draft import Draft, is_open, kept_text, note_citable, note_text, result_chars, tell_result
from ..json_text import call_key, call_signature
from ..schema import render
from ..values import JudgedAnswer, Pending, Problem, ToolCallEvent, ToolResult, VerdictEvent
from ..window import framed
from .ending import fail, finish
from .limits import before_calls, send_back

ANSWER: Final = "answer"
"""What the checks of an answer name instead of a call."""

TOOL: Final = "tool"
"""The name of a check tool's check in verdicts."""


class CheckCall(Struct, frozen=True, kw_only=True):
    """A call of a check tool; `condition` is the index of the check that asks for it."""

    condition: int
    tool: str
    params: dict[str, Any]


def checks_after(agent: Agent, calls: Iterable[Pending]) -> int:
    """Return how many checks the outputs of these calls and the answer after them need, if all are accepted."""
    tools = [agent.tools.get(call.tool) for call in calls]
    return sum([_asked(tool.checks) for tool in tools if tool is not None]) + _asked(agent.answer_checks)


def _asked(checks: Sequence[CompiledCheck]) -> int:
    """Return how many checks of a list tools make."""
    return sum([1 for check in checks if check.call is not None])


def own_calls(calls: tuple[Pending, ...]) -> tuple[Pending, ...]:
    """Return the calls of the model, without those of checks."""
    return tuple([call for call in calls if not call.checks])


# --- a tool's output --------------------------------------------------------------------------------------


def output_checks(draft: Draft, call: Pending, output: Any) -> tuple[CheckCall, ...] | Rejection:
    """Return the calls that judge an output that nothing else rejects; a rejection where one cannot be made."""
    tool = draft.agent.tools.get(call.tool)
    if not draft.agent.inner_tools or tool is None or not _asked(tool.checks):
        return ()
    judged = Judged(what="output", value=output, text="", arguments=call.params)
    return _check_calls(draft.agent, tool.checks, judged)


def _check_calls(agent: Agent, checks: Sequence[CompiledCheck], judged: Judged) -> tuple[CheckCall, ...] | Rejection:
    """Return the calls that the checks of a list make; a rejection where one cannot be made."""
    calls: list[CheckCall] = []
    for index, check in enumerate(checks):
        if check.call is None:
            continue
        params = params_of(check.call, judged)
        if isinstance(params, str):
            return Rejection(check=check.name, reason=params, cause=check.cause)
        issues = agent.inner_tools[check.call.tool].parameters.check(params, MAX_CHECK_STEPS // MAX_CHECK_CALLS)
        if issues:
            return Rejection(check=check.name, reason=check_failed(render(issues[0], "argument")), cause=check.cause)
        calls.append(CheckCall(condition=index, tool=check.call.tool, params=params))
    return tuple(calls)


def begin_checks(draft: Draft, judges: str, calls: tuple[CheckCall, ...]) -> tuple[Pending, ...]:
    """Return the calls of checks ready to run, logged and counted.

    judges: the id of the call whose output they judge, or ANSWER.
    """
    begun = calls_of_checks(draft, judges, calls)
    used = draft.exchange.used
    draft.exchange = replace(draft.exchange, used=replace(used, tool_calls=used.tool_calls + len(begun)))
    return begun


def calls_of_checks(draft: Draft, judges: str, calls: tuple[CheckCall, ...]) -> tuple[Pending, ...]:
    """Return the calls of checks ready to run, logged; judges: what they name, also a search that they rank for."""
    begun: list[Pending] = []
    for ordinal, call in enumerate(calls, draft.run.calls + 1):
        key = call_key(draft.state.run_id, ordinal, call_signature(call.tool, call.params))
        pending = Pending(
            call_id=f"call_{ordinal}",
            tool=call.tool,
            params=call.params,
            key=key,
            status="run",
            checks=judges,
            condition=call.condition,
        )
        draft.derived(
            ToolCallEvent(call_id=pending.call_id, tool_name=call.tool, arguments=call.params, key=key, checks=judges)
        )
        begun.append(pending)
    draft.run = replace(draft.run, calls=draft.run.calls + len(begun))
    return tuple(begun)


def held_output(draft: Draft, call: Pending, output: Any) -> Pending:
    """Return a call with what its output adds to the evidence, kept until its checks have accepted it."""
    return replace(call, said=kept_text(draft, output))


def take_verdict(draft: Draft, calls: Mapping[str, Pending], check: Pending, result: ToolResult) -> tuple[Pending, ...]:
    """Return a check with its verdict, and the call that it judges where that is decided by it."""
    judged = calls.get(check.checks)
    reason = _refusal(draft, judged, check, result)
    named = "" if judged is None else judged.call_id
    verdict = "accept" if reason is None else "reject"
    draft.derived(VerdictEvent(verdict=verdict, check=TOOL, call_id=named, reason=reason or ""))
    fault = "" if reason is None else "postcondition"
    settled = replace(check, status="done", ok=reason is None, text="" if reason is None else reason, fault=fault)
    if reason is not None:
        settled = _read_by_model(draft, judged, settled)
    if judged is None or not judged.ok:
        return (settled,)
    if reason is not None:
        return settled, _rejected(draft, judged, settled.text)
    others = [call for call in calls.values() if call.checks == judged.call_id and call.call_id != check.call_id]
    return (settled, _accepted(draft, judged)) if all(other.ok for other in others) else (settled,)


def _refusal(draft: Draft, judged: Pending | None, check: Pending, result: ToolResult) -> str | None:
    agent = draft.agent
    checks = agent.answer_checks if judged is None else agent.tools[judged.tool].checks
    return refusal(result, checks[check.condition].message)


def _read_by_model(draft: Draft, judged: Pending | None, check: Pending) -> Pending:
    """Return a check whose reason the model will read: framed where it may quote open text."""
    tell_result(draft, check)
    if is_open(draft, check) or (judged is not None and is_open(draft, judged)):
        return replace(check, text=framed(check.text))
    return check


def _accepted(draft: Draft, judged: Pending) -> Pending:
    draft.derived(VerdictEvent(verdict="accept", call_id=judged.call_id))
    before = result_chars(draft)
    note_text(draft, judged.said)
    note_citable(draft, judged, before)
    return replace(judged, said="")


def _rejected(draft: Draft, judged: Pending, reason: str) -> Pending:
    """Return a call whose output a check rejects; nobody reads on in that output."""
    cut = tuple([entry for entry in draft.exchange.cut if entry.call_id != judged.call_id])
    draft.exchange = replace(draft.exchange, cut=cut)
    text = corrections.rejected_output(judged.tool, reason, acts=draft.agent.tools[judged.tool].is_said_to_act)
    if judged.edited:
        text = f"{corrections.edited_call(judged.params)} {text}"
    return replace(judged, ok=False, text=text, fault="postcondition", rejected_by=TOOL, said="")


def advice_on_output(calls: tuple[Pending, ...], rejected: Pending) -> str:
    """Return what a person can do where the output of a call was rejected, by checks or by anything else."""
    return _advice_on(calls, rejected.call_id) or corrections.see_output(rejected.tool)


def _advice_on(calls: tuple[Pending, ...], judges: str) -> str:
    """Return what a person can do where check tools have rejected something; "" where anything else has."""
    tools = [call.tool for call in calls if call.checks == judges and call.fault]
    return corrections.see_checks(tools) if tools else ""


# --- the answer -------------------------------------------------------------------------------------------


def check_answer_by_tools(draft: Draft, answer: str, data: Any, problems: tuple[Problem, ...]) -> None:
    """Have an answer that nothing else rejects judged by the check tools; end with it where there are none."""
    if not _asked(draft.agent.answer_checks):
        finish(draft, answer, data, problems)
        return
    value = answer if data is UNSET else data
    calls = _check_calls(draft.agent, draft.agent.answer_checks, Judged(what="answer", value=value, text=""))
    if isinstance(calls, Rejection):
        send_back(draft, calls)
        return
    excess = before_calls(draft, len(calls))
    if excess is not None:
        fail(draft, excess.code, excess.message, excess.detail)
        return
    waiting = JudgedAnswer(answer=answer, data=data, problems=problems)
    pending = begin_checks(draft, ANSWER, calls)
    draft.state = replace(
        draft.state,
        pending=pending,
        phase="tools",
        exchange=replace(draft.exchange, judged=waiting, reason="", cause=""),
    )


def conclude_answer(draft: Draft, waiting: JudgedAnswer, calls: tuple[Pending, ...]) -> None:
    """End with an answer that all checks have accepted; send any other back with the reason of the first."""
    draft.state = replace(draft.state, pending=(), exchange=replace(draft.exchange, judged=None))
    rejected = next((call for call in calls if call.fault), None)
    if rejected is None:
        finish(draft, waiting.answer, waiting.data, waiting.problems)
    else:
        rejection = Rejection(check=TOOL, reason=rejected.text, cause="postcondition")
        send_back(draft, rejection, _advice_on(calls, ANSWER))
