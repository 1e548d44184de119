"""What is logged and told: facts, acts, verdicts, ends, and results in the transcript."""

from collections.abc import Iterator
from typing import Any

import msgspec

from purestep import (
    AgentChanged,
    ApprovalCall,
    Approvals,
    Cancel,
    Done,
    Failed,
    InvokeTool,
    ModelOutput,
    RequestApproval,
    ToolResults,
    UserMessage,
)

from ..book import Call, tool_of
from .made import Made, due_calls, handed
from .skills import asks_within_skill


def facts_logged(made: Made) -> str | None:
    """Check that the log has every fact of the observation, once and in order."""
    facts = [line for line in made.lines if "prev" not in line and line["kind"] != "run_started"]
    expected = [*_facts(made)]
    if len(facts) != len(expected) or any(
        not each.items() <= line.items() for each, line in zip(expected, facts, strict=True)
    ):
        return f"the log has {[line['kind'] for line in facts]} for {made.move.name}"
    return None


def _facts(made: Made) -> Iterator[dict[str, Any]]:
    match observation := made.move.observation:
        case UserMessage():
            said = msgspec.json.decode(msgspec.json.encode((observation.content, observation.data)))
            yield {"kind": "user_message", "content": said[0]} | ({"data": said[1]} if said[1] else {})
        case ModelOutput():
            yield {"kind": "model_response"} | ({"content": observation.content} if observation.content else {})
        case Approvals():
            for answer in observation.approvals:
                said = {"call_id": answer.call_id, "key": answer.key, "approved": answer.approved}
                yield {"kind": "approval", **said} | ({"params": answer.params} if answer.params else {})
        case ToolResults():
            for result in observation.results:
                said = {"call_id": result.call_id, "ok": result.ok}
                yield {"kind": "tool_result", **said, **({"output": result.output} if result.ok else {})}
        case Cancel():
            yield {"kind": "cancelled"}
        case _:
            yield {"kind": str(observation.__struct_config__.tag)}


def acts_logged(made: Made) -> str | None:
    """Check that the log names each call before it is handed out, each question, verdict and end."""
    decision = made.step.decision
    if isinstance(made.move.observation, ModelOutput) and isinstance(decision, InvokeTool | RequestApproval):
        named = [(line["call_id"], line["key"]) for line in made.lines if line["kind"] == "tool_call"]
        if named != [(call.call_id, call.key) for call in due_calls(made)]:
            return f"the log names the calls {named}"
    asked = [call.key for call, known in handed(made) if isinstance(call, ApprovalCall) and known and not known.asked]
    if asked != [line["key"] for line in made.lines if line["kind"] == "approval_request"]:
        return "the log does not name what a person is asked about"
    return _verdicts(made) or _end(made)


def _verdicts(made: Made) -> str | None:
    observation = made.move.observation
    if not isinstance(observation, ToolResults):
        return None
    calls = {call.call_id: call for call in made.book.calls}
    if any(call.judges for call in calls.values()):
        return _checked_verdicts(made, calls)
    calls = {call.call_id: call for call in (*made.book.calls, *made.book.came)}
    rejected = {call_id: call.rejected for call_id, call in calls.items() if call.outcome}
    expected = {
        result.call_id: "reject" if rejected[result.call_id] else "accept"
        for result in observation.results
        if result.ok
    }
    given = {line["call_id"]: line["verdict"] for line in made.lines if line["kind"] == "verdict"}
    return None if given == expected else f"the verdicts are {given}"


def _checked_verdicts(made: Made, calls: dict[str, Call]) -> str | None:
    """Check that a check's result alone brings a verdict, about the call that it judges, and its start is logged."""
    observation = made.move.observation
    assert isinstance(observation, ToolResults)  # the caller has looked
    expected: list[tuple[str, str]] = []
    for result in observation.results:
        call = calls[result.call_id]
        accepts = result.ok and result.output == {"accept": True}
        if call.judges:
            judged = f"call_{call.judges}"
            expected += [(judged, "accept"), (judged, "accept")] if accepts else [(judged, "reject")]
        elif result.ok and not tool_of(made.policy, call.tool).check:
            expected.append((call.call_id, "accept"))
    given = [(line["call_id"], line["verdict"]) for line in made.lines if line["kind"] == "verdict"]
    begun = [(line["call_id"], line["checks"]) for line in made.lines if line["kind"] == "tool_call"]
    known = {call.call_id for call in made.before.calls}
    due = [(call.call_id, f"call_{call.judges}") for call in calls.values() if call.call_id not in known]
    return None if (given, begun) == (expected, due) else f"the verdicts are {given}, and the checks {begun}"


def _end(made: Made) -> str | None:
    decision, last = made.step.decision, made.lines[-1]
    if decision == made.last and (made.move.late or isinstance(made.move.observation, AgentChanged)):
        return None
    match decision:
        case Done():
            fits = last["kind"] == "final_answer" and last["content"] == decision.answer
        case Failed():
            fits = last["kind"] == "run_failed" and last["code"] == decision.code
        case _:
            # An answer that was given before the user's latest words, or a late result, was read is one, and these
            # begin an exchange.
            ends = {"run_failed"} if made.before.queued or made.before.came else {"final_answer", "run_failed"}
            fits = not any(line["kind"] in ends for line in made.lines)
    return None if fits else f"the last line is {last['kind']}"


def results_told(made: Made) -> str | None:
    """Check that the transcript answers each native call once, and says that it may have run if nobody knows."""
    decision = made.step.decision
    if not made.policy.native or isinstance(decision, InvokeTool | RequestApproval) or asks_within_skill(decision):
        return None
    told = [message for message in made.step.messages if message.role == "tool"]
    calls = [call for call in made.book.calls if not call.judges]
    if [message.tool_call_id for message in told] != [call.call_id for call in calls]:
        return f"the transcript answers {[message.tool_call_id for message in told]}"
    open_checks = {call.judges for call in made.book.calls if call.judges and not call.outcome}
    for message, call in zip(told, calls, strict=True):
        held = call.ordinal in open_checks and not call.rejected
        if ("was not checked" in str(message.content)) != held:
            return f"{call.call_id} is told as {message.content!r}"
        refused = call.answer == "no" and not call.unknown
        open_end = (call.handed or call.unknown) and not call.outcome and not refused
        if ("may have run" in str(message.content)) != (open_end or call.outcome.startswith("interrupted")):
            return f"{call.call_id} is told as {message.content!r}"
        if call.edited and call.outcome and call.params not in str(message.content):
            return f"{call.call_id} is told without what a person changed"
    return None
