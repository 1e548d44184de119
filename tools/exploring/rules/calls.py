"""Calls: effects, keys, results, and what may be called at all."""

from purestep import (
    Approvals,
    Done,
    Failed,
    InvokeTool,
    RequestApproval,
    Resumed,
    ToolResults,
)

from ..book import canonical
from .made import Made, due_calls, handed


def no_effect_doubled(made: Made) -> str | None:
    """Check that a destructive call is not made twice in an exchange without a person."""
    if isinstance(made.step.decision, InvokeTool):
        for _, known in handed(made):
            if known is not None and known.again and known.answer != "yes":
                return f"{known.same} is made a second time unasked"
    return None


def keys_hold(made: Made) -> str | None:
    """Check that each call is one that was written in this turn, under the key of its number, tool and arguments."""
    for call, known in handed(made):
        if known is None:
            return f"{call.call_id} is no call of this turn"
        if (call.tool, canonical(call.params)) != (known.tool, known.params):
            return f"{call.call_id} has arguments that nobody wrote or approved"
        if call.key != known.key:
            return f"{call.call_id} has another key than its number, tool and arguments give"
    return None


def results_once(made: Made) -> str | None:
    """Check that no call is handed out again once its result was taken, and that none is left without one."""
    decision = made.step.decision
    for call, known in handed(made):
        if known is not None and known.outcome:
            return f"{call.call_id} was handed out again after its result"
    if not isinstance(made.move.observation, ToolResults | Approvals | Resumed):
        return None
    if due_calls(made) and not isinstance(decision, InvokeTool | RequestApproval) and not _may_end(made):
        return "the turn ended while a call had no result"
    return None


def _may_end(made: Made) -> bool:
    decision = made.step.decision
    if not isinstance(decision, Failed):
        return False
    fails_unknown = isinstance(made.move.observation, Resumed) and _fails_unknown(made)
    return decision.code == ("outcome_unknown" if fails_unknown else "deadline")


def _fails_unknown(made: Made) -> bool:
    """Whether an unknown outcome ends the run: the definition says so, or it is that of a check."""
    unknown = [call for call in made.book.calls if call.unknown and not call.outcome]
    return any(made.policy.fails_unknown or call.judges for call in unknown)


def unknown_fails(made: Made) -> str | None:
    """Check that a run whose call may have run fails where the definition says so, and only then."""
    decision = made.step.decision
    ended = isinstance(decision, Failed) and decision.code == "outcome_unknown"
    if isinstance(made.move.observation, Resumed) and ended != _fails_unknown(made):
        return "the run ended with outcome_unknown" if ended else "a call of unknown outcome did not end the run"
    return None


def only_offered_calls(made: Made) -> str | None:
    """Check that only tools of the definition run, with arguments that fit, and no more at once than allowed."""
    decision = made.step.decision
    for call, known in handed(made):
        if call.tool not in made.policy.tools:
            return f"{call.tool} is no tool"
        if made.policy.tools[call.tool].checks != bool(known is not None and known.judges):
            return f"{call.call_id} calls {call.tool}, and a check is called by the core alone"
        if call.params.get("to") not in made.policy.values:
            return f"{call.call_id} was handed out with arguments that its tool does not take"
    if isinstance(decision, InvokeTool) and len(decision.calls) > made.policy.max_parallel:
        return f"{len(decision.calls)} calls were handed out at once"
    return None


def choice_holds(made: Made) -> str | None:
    """Check that the tool choice of the exchange holds."""
    choice, decision = made.book.choice, made.step.decision
    if isinstance(decision, Done) and choice not in ("auto", "none") and not made.after.has_result:
        return f"an answer without a result under {choice}"
    tools = {call.tool for call, _ in handed(made)}
    if tools and choice == "none":
        return "a tool was called under none"
    if tools and choice.startswith("tool ") and not made.before.began and tools != {choice.removeprefix("tool ")}:
        return f"the first calls are of {sorted(tools)} under {choice}"
    return None
