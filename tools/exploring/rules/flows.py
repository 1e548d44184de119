"""Information flow: open text is no argument of a destructive tool unasked, and the question says what it is for."""

from purestep import ApprovalCall, InvokeTool, RequestApproval
from purestep.values import text_of

from ..book import tool_of
from .made import Made, handed

FLOW = "text that may come from outside"
"""What the reason of a question about a flow begins with."""


def no_forbidden_flow(made: Made) -> str | None:
    """Check that what a model may have from open text is no argument of a destructive tool without a person's yes."""
    if not isinstance(made.step.decision, InvokeTool):
        return None
    for call, known in handed(made):
        if (
            known is not None
            and known.carries
            and known.answer != "yes"
            and tool_of(made.policy, call.tool).asks_of_open
        ):
            return f"{known.same} runs unasked after open text was read"
    return None


def flows_are_told(made: Made) -> str | None:
    """Check that a person is asked for a flow where there is one and nowhere else, and where its text came from."""
    for call, known in handed(made):
        if not isinstance(call, ApprovalCall) or known is None or known.unknown or known.again:
            continue
        is_flow = known.carries and tool_of(made.policy, call.tool).asks_of_open
        if is_flow != call.reason.startswith(FLOW):
            return f"{known.same} is asked about for the reason {call.reason}"
        origins = call.origins or ()
        if is_flow and not any(origin.labels == ("open",) and origin.path for origin in origins):
            return f"{known.same} is asked about without where its argument came from"
    return None


def open_text_is_framed(made: Made) -> str | None:
    """Check that each open result is told between marks, and no other."""
    along = made.move.message.along if made.move.message is not None else ""
    for message in made.step.messages:
        if along and message.role == "user" and f"]\n{along}\n[end of data " not in text_of(message.content):
            return f"what came along is told as {message.content!r}"
    if not made.policy.native or isinstance(made.step.decision, InvokeTool | RequestApproval):
        return None
    told = {message.tool_call_id: str(message.content) for message in made.step.messages if message.role == "tool"}
    for call in made.book.calls:
        is_open = tool_of(made.policy, call.tool).is_open
        text = told.get(call.call_id, "")
        says = call.outcome and call.answer != "no"
        if ("[data " in text) != bool(is_open and says):
            return f"{call.call_id} is told as {text!r}"
    return None
