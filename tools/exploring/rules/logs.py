"""What is logged and told: facts, acts, verdicts, ends, and results in the transcript."""

from collections.abc import Iterator
from typing import Any

from purestep import (
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

from .made import Made, due_calls, handed


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
            yield {"kind": "user_message", "content": observation.content}
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
    rejected = {call.call_id: call.rejected for call in made.book.calls if call.outcome}
    settled = made.before.calls if made.policy.routed else ()
    rejected |= {call.call_id: False for call in settled}
    expected = {
        result.call_id: "reject" if rejected[result.call_id] else "accept"
        for result in observation.results
        if result.ok
    }
    given = {line["call_id"]: line["verdict"] for line in made.lines if line["kind"] == "verdict"}
    return None if given == expected else f"the verdicts are {given}"


def _end(made: Made) -> str | None:
    decision, last = made.step.decision, made.lines[-1]
    match decision:
        case Done():
            fits = last["kind"] == "final_answer" and last["content"] == decision.answer
        case Failed():
            fits = last["kind"] == "run_failed" and last["code"] == decision.code
        case _:
            fits = not any(line["kind"] in ("final_answer", "run_failed") for line in made.lines)
    return None if fits else f"the last line is {last['kind']}"


def results_told(made: Made) -> str | None:
    """Check that the transcript answers each native call once, and says that it may have run if nobody knows."""
    if not made.policy.native or isinstance(made.step.decision, InvokeTool | RequestApproval):
        return None
    told = [message for message in made.step.messages if message.role == "tool"]
    if [message.tool_call_id for message in told] != [call.call_id for call in made.book.calls]:
        return f"the transcript answers {[message.tool_call_id for message in told]}"
    for message, call in zip(told, made.book.calls, strict=True):
        refused = call.answer == "no" and not call.unknown
        open_end = (call.handed or call.unknown) and not call.outcome and not refused
        if ("may have run" in str(message.content)) != (open_end or call.outcome.startswith("interrupted")):
            return f"{call.call_id} is told as {message.content!r}"
        if call.edited and call.outcome and call.params not in str(message.content):
            return f"{call.call_id} is told without what a person changed"
    return None
