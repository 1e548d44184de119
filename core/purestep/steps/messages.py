"""How results and feedback become messages, for servers with a tool role and for those without."""

from ..values import Pending
from .draft import Draft


def say_results(draft: Draft, instead: dict[str, str], also: str = "") -> None:
    """Add the results of all pending calls in call order.

    instead: texts by call id for calls that have no result. also: feedback that follows the results.
    """
    calls = draft.state.pending
    if draft.agent.dialect.result_role == "tool":
        for call in calls:
            draft.say("tool", instead.get(call.call_id, call.text), tool_call_id=call.call_id)
        if also:
            draft.say("user", also)
        return
    # One user message for all: many chat templates demand that roles alternate.
    parts = [instead.get(call.call_id) or _spoken(draft, call) for call in calls]
    draft.say("user", "\n\n".join([*parts, also] if also else parts))


def _spoken(draft: Draft, call: Pending) -> str:
    # A fault's text is a whole sentence about the call already.
    return call.text if call.fault else draft.agent.dialect.result(call.tool, call.text, call.ok)


def answer_native(draft: Draft, call_ids: tuple[str, ...], text: str) -> bool:
    """Answer a wrong native turn in the place where the server expects results; tells whether it did."""
    for index, call_id in enumerate(call_ids):
        draft.say("tool", text if index == 0 else "Not run: another call of this turn was wrong.", tool_call_id=call_id)
    return bool(call_ids)
