"""The pending calls of checks of a state that comes back: each is one that a postcondition of its definition asks for.

What a check looks at in an output cannot be computed again, since the state does not hold the output; the rest can.
"""

from collections.abc import Sequence

from ..agent import Agent, CheckRule, named_values_fit
from ..bounds import MAX_EVIDENCE_RESULT_CHARS
from ..values import Pending, RunState
from .checking import ANSWER


def wrong_check(agent: Agent, before: Sequence[Pending], call: Pending) -> str | None:
    """Name the first member of a check's call that contradicts the definition or the call that it judges.

    before: the pending calls before it.
    """
    judged = next((each for each in before if each.call_id == call.checks and not each.checks), None)
    if judged is None and call.checks != ANSWER:
        return "checks"
    rule = _rule(agent, judged, call.condition)
    if rule is None:
        return "condition"
    if rule.tool != call.tool:
        return "tool"
    if call.status not in ("run", "done") or (judged is not None and judged.status != "done"):
        return "status"
    if call.edited or call.again or call.approved or call.problems or call.said or call.named:
        return "checks"
    return "params" if call.status == "run" and not _params_fit(agent, rule, judged, call) else None


def _rule(agent: Agent, judged: Pending | None, condition: int) -> CheckRule | None:
    """Return the check tool and the places of its arguments that a postcondition names."""
    if judged is None:
        rules = agent.answer_postconditions
    else:
        tool = agent.tools.get(judged.tool)
        rules = () if tool is None else tool.postconditions
    return rules[condition].call if condition < len(rules) else None


def _params_fit(agent: Agent, rule: CheckRule, judged: Pending | None, call: Pending) -> bool:
    known = rule.known_params({} if judged is None else judged.params)
    given = {name: call.params[name] for name in known if name in call.params}
    return given == known and not agent.check_tools[call.tool].parameters.check(call.params)[1]


def judged_fits(agent: Agent, state: RunState) -> bool:
    """Whether an answer waits for exactly its checks, and what outputs add to the evidence is within bounds."""
    of_answer, most = 0, MAX_EVIDENCE_RESULT_CHARS + 1 if "results" in agent.evidence else 0
    for call in state.pending:
        if call.checks == ANSWER:
            of_answer += 1
        if len(call.said) > most or (call.named and not _named_fit(agent, call)):
            return False
    return of_answer == (0 if state.exchange.judged is None else max(1, len(state.pending)))


def _named_fit(agent: Agent, call: Pending) -> bool:
    return named_values_fit([each for each in agent.named_results if each.tool == call.tool], call.named)
