"""Executable validation: check tools are called for an output or an answer, and their verdicts decide about it.

The calls of checks are pending beside those of the model, numbered after them, and name what they judge. A judged
output is held back, done but not accepted, until its last check has come; a judged answer waits in the state.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from ..agent import CHECK, Agent, CheckCall, Judged, Rejection, check_calls, misfit, output_text, refusal
from ..agent import corrections as words
from ..bounds import MAX_CHECK_CALLS, MAX_CHECK_STEPS
from ..draft import (
    Draft,
    is_open,
    kept_text,
    kept_values,
    note_citable,
    note_named,
    note_text,
    result_chars,
    tell_result,
)
from ..json_text import call_key, call_signature
from ..values import JudgedAnswer, Pending, Problem, ToolCallEvent, ToolResult, VerdictEvent
from ..window import framed
from .ending import fail, finish
from .limits import ANSWER_POSTCONDITION, before_calls, correct

ANSWER: Final = "answer"
"""What the checks of an answer name instead of a call."""


def checks_after(agent: Agent, calls: Iterable[Pending]) -> int:
    """Return how many checks the outputs of these calls and the answer after them need, if all are accepted."""
    tools = [agent.tools.get(call.tool) for call in calls]
    checks = [check for tool in tools if tool is not None for check in tool.postconditions]
    return sum([1 for check in checks if check.call is not None]) + answer_checks_of(agent)


def answer_checks_of(agent: Agent) -> int:
    """Return how many checks the answer needs."""
    return sum([1 for check in agent.answer_postconditions if check.call is not None])


def own_calls(calls: tuple[Pending, ...]) -> tuple[Pending, ...]:
    """Return the calls of the model, without those of checks."""
    return tuple([call for call in calls if not call.checks])


# --- a tool's output --------------------------------------------------------------------------------------


def output_checks(draft: Draft, call: Pending, output: Any) -> tuple[CheckCall, ...] | Rejection:
    """Return the calls that judge an output that nothing else rejects; a rejection where one cannot be made."""
    tool = draft.agent.tools.get(call.tool)
    if not draft.agent.check_tools or tool is None or not any(check.call for check in tool.postconditions):
        return ()
    judged = Judged(what="output", output=output, text="", arguments=call.params, evidence=None)
    return _fitting(draft.agent, check_calls([check.call for check in tool.postconditions], judged))


def _fitting(agent: Agent, calls: tuple[CheckCall, ...] | Rejection) -> tuple[CheckCall, ...] | Rejection:
    for call in calls if isinstance(calls, tuple) else ():
        _, issues = agent.check_tools[call.tool].parameters.check(call.params, MAX_CHECK_STEPS // MAX_CHECK_CALLS)
        if issues:
            return misfit(issues)
    return calls


def begin_checks(draft: Draft, judges: str, calls: tuple[CheckCall, ...]) -> tuple[Pending, ...]:
    """Return the calls of checks ready to run, logged and counted.

    judges: the id of the call whose output they judge, or ANSWER.
    """
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
    used = draft.exchange.used
    draft.exchange = replace(draft.exchange, used=replace(used, tool_calls=used.tool_calls + len(begun)))
    return tuple(begun)


def held_output(draft: Draft, call: Pending, output: Any) -> Pending:
    """Return a call with what its output adds to the evidence, kept until its checks have accepted it."""
    return replace(call, said=kept_text(draft, output), named=kept_values(draft, call.tool, output))


def take_verdict(draft: Draft, calls: Mapping[str, Pending], check: Pending, result: ToolResult) -> tuple[Pending, ...]:
    """Return a check with its verdict, and the call that it judges where that is decided by it."""
    judged = calls.get(check.checks)
    reason = _refusal(draft, judged, check, result)
    named = "" if judged is None else judged.call_id
    verdict = "accept" if reason is None else "reject"
    draft.derived(VerdictEvent(verdict=verdict, check=CHECK, call_id=named, reason=reason or ""))
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
    conditions = agent.answer_postconditions if judged is None else agent.tools[judged.tool].postconditions
    return refusal(result, conditions[check.condition].spec.message)


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
    note_named(draft, judged.named)
    note_citable(draft, judged, before)
    return replace(judged, said="", named=())


def _rejected(draft: Draft, judged: Pending, reason: str) -> Pending:
    """Return a call whose output a check rejects; nobody reads on in that output."""
    cut = tuple([entry for entry in draft.exchange.cut if entry.call_id != judged.call_id])
    draft.exchange = replace(draft.exchange, cut=cut)
    text = words.rejected_output(judged.tool, reason, acts=draft.agent.tools[judged.tool].is_said_to_act)
    if judged.edited:
        text = f"{words.edited_call(judged.params)} {text}"
    return replace(judged, ok=False, text=text, fault="postcondition", rejected_by=CHECK, said="", named=())


def advice_on_output(calls: tuple[Pending, ...], rejected: Pending) -> str:
    """Return what a person can do where the output of a call was rejected, by checks or by anything else."""
    return _advice_on(calls, rejected.call_id) or words.see_output(rejected.tool)


def _advice_on(calls: tuple[Pending, ...], judges: str) -> str:
    """Return what a person can do where checks have rejected something; "" where other postconditions have."""
    tools = [call.tool for call in calls if call.checks == judges and call.fault]
    return words.see_checks(tools) if tools else ""


# --- the answer -------------------------------------------------------------------------------------------


def check_answer_by_tools(draft: Draft, answer: str, data: Any, problems: tuple[Problem, ...]) -> None:
    """Have an answer that nothing else rejects judged by the check tools; end with it where there are none."""
    if not draft.agent.answer_postconditions or not answer_checks_of(draft.agent):
        finish(draft, answer, data, problems)
        return
    value = answer if data is UNSET else data
    judged = Judged(what="answer", output=value, text=output_text(value), arguments={}, evidence=None)
    calls = _fitting(draft.agent, check_calls([check.call for check in draft.agent.answer_postconditions], judged))
    if isinstance(calls, Rejection):
        _send_back(draft, (calls.reason,), "")
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
    """End with an answer that all checks have accepted; send any other back."""
    draft.state = replace(draft.state, pending=(), exchange=replace(draft.exchange, judged=None))
    reasons = tuple([call.text for call in calls if call.fault])
    if reasons:
        _send_back(draft, reasons, _advice_on(calls, ANSWER))
    else:
        finish(draft, waiting.answer, waiting.data, waiting.problems)


def _send_back(draft: Draft, reasons: tuple[str, ...], advice: str) -> None:
    text = words.broken_answer(reasons, draft.agent.dialect.remind)
    correct(draft, ANSWER_POSTCONDITION, text, checks=(CHECK,), advice=advice)
