"""Another definition in the middle of a run: it holds from then on, and no call is left that it would not have."""

from hashlib import sha256

import msgspec

from purestep import AgentChanged, CallModel, Done, Failed, InvokeTool, RequestApproval

from .made import Made
from .skills import asks_within_skill


def change_is_logged(made: Made) -> str | None:
    """Check that the log has the new definition, and names it by its digest, as the state does."""
    if not isinstance(made.move.observation, AgentChanged):
        return None
    line = made.lines[0]
    digest = sha256(msgspec.json.encode(line["agent"])).hexdigest()
    if not digest == line["to_digest"] == made.step.state.agent or line["from_digest"] == digest:
        return "the log names another definition than the run has"
    return None


def change_is_kept(made: Made) -> str | None:
    """Check that an ended run stays as it is, the calls that may go on do, and all others have a result."""
    decision, last = made.step.decision, made.last
    if not isinstance(made.move.observation, AgentChanged):
        return None
    if isinstance(last, Done | Failed):
        return None if decision == last and not made.step.messages else "a run that has ended is another one"
    if not isinstance(last, InvokeTool | RequestApproval):
        return None
    known = {call.call_id: call for call in made.book.calls}
    left = {call.call_id for call in last.calls if not known[call.call_id].barred}
    due = {call.call_id for call in decision.calls} if isinstance(decision, InvokeTool | RequestApproval) else set()
    if not left <= due:
        return f"of the calls {left} only {due} go on"
    rejected = {line["call_id"] for line in made.lines if line["kind"] == "verdict"}
    gone = {call.call_id for call in made.book.calls if call.barred and call not in made.before.calls}
    return None if rejected == gone else f"the log tells of {rejected}, and {gone} are gone"


def new_head_is_sent(made: Made) -> str | None:
    """Check that the model is asked under the instructions of the definition that holds."""
    decision = made.step.decision
    if not made.after.changed or not isinstance(decision, CallModel) or asks_within_skill(decision):
        return None
    heads = [message.content or "" for message in decision.messages or ()]
    is_first = bool(heads) and made.policy.instructions in heads[0]
    begins = decision.prompt[0] if decision.prompt else None
    rest = isinstance(begins, tuple) and begins[0] >= 1
    return None if is_first and rest else "the model is asked under other instructions"
