"""The pending calls of checks of a state that comes back: each is one that a check of its definition makes.

What a check looks at in an output cannot be computed again, since the state does not hold the output; the rest can.
"""

from collections.abc import Sequence

from ..agent import Agent
from ..bounds import MAX_EVIDENCE_RESULT_CHARS
from ..checks import ToolCheck
from ..draft import is_searching
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
    ranks = judged is not None and is_searching(agent, judged.tool)
    if call.status not in ("run", "done") or (judged is not None and judged.status != "done" and not ranks):
        return "status"
    if call.edited or call.again or call.approved or call.problems or call.said:
        return "checks"
    return "params" if call.status == "run" and not _params_fit(agent, rule, judged, call) else None


def _rule(agent: Agent, judged: Pending | None, condition: int) -> ToolCheck | None:
    """Return the check tool and the places of its arguments that a check names."""
    if judged is not None and is_searching(agent, judged.tool):
        return agent.search.ranking if agent.search is not None and not condition else None
    tool = None if judged is None else agent.tools.get(judged.tool)
    checks = agent.answer_checks if judged is None else () if tool is None else tool.checks
    return checks[condition].call if condition < len(checks) else None


def _params_fit(agent: Agent, rule: ToolCheck, judged: Pending | None, call: Pending) -> bool:
    known = rule.known_params({} if judged is None else judged.params)
    given = {name: call.params[name] for name in known if name in call.params}
    return given == known and not agent.inner_tools[call.tool].parameters.check(call.params)


def judged_fits(agent: Agent, state: RunState) -> bool:
    """Whether an answer waits for exactly its checks, and what outputs add to the evidence is within bounds."""
    most = MAX_EVIDENCE_RESULT_CHARS + 1 if agent.keeps_evidence else 0
    of_answer = sum([1 for call in state.pending if call.checks == ANSWER])
    if any(len(call.said) > most for call in state.pending):
        return False
    return of_answer == (0 if state.exchange.judged is None else max(1, len(state.pending)))
