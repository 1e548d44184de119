"""Approvals: nothing runs unasked or denied, and a person is asked once, for the reason that there is."""

from purestep import (
    ApprovalCall,
    InvokeTool,
)

from ..book import tool_of
from .made import Made, handed


def asks_first(made: Made) -> str | None:
    """Check that nothing runs unasked that a person has to be asked about, and nothing at all before the answers."""
    decision = made.step.decision
    if not isinstance(decision, InvokeTool):
        return None
    if any(call.asked and not call.answer for call in made.book.calls):
        return "a call runs while another of its turn waits for a person"
    for call, known in handed(made):
        if known is None or known.answer == "yes":
            continue
        policy = tool_of(made.policy, call.tool)
        if policy.rule == "ask" or known.unknown:
            return f"{known.same} runs without an approval"
    return None


def denied_never_run(made: Made) -> str | None:
    """Check that a denied tool is neither run nor asked about, and that no is no for the exchange."""
    for call, known in handed(made):
        if tool_of(made.policy, call.tool).rule == "deny":
            return f"{call.tool} is denied and was handed out"
        if known is not None and known.answer == "no":
            return f"{known.same} was handed out after a no"
        if known is not None and known.barred and known.same in made.book.refused:
            return f"{known.same} was refused in this exchange and came again"
    return None


def asked_once(made: Made) -> str | None:
    """Check that a person is asked with the reason that there is, and not again after a yes."""
    for call, known in handed(made):
        if not isinstance(call, ApprovalCall) or known is None:
            continue
        if known.answer == "yes":
            return f"{known.same} is asked about again after a yes"
        if known.unknown != (call.reason == "outcome_unknown"):
            return f"{known.same} is asked about for the reason {call.reason}"
        if known.again and not known.unknown and call.reason != "same_effect":
            return f"{known.same} repeats an effect and is asked about for another reason"
        if call.reason == "same_effect" and not known.again:
            return f"{known.same} is asked about as if it repeated an effect"
    return None
