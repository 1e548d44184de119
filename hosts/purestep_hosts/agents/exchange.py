"""One exchange as effects: an earlier one that is open, then the query."""

from __future__ import annotations

import purestep
from purestep import Failed
from purestep_hosts.agents.late import observed
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.attachments import content_of
from purestep_hosts.effects import Effects, RunEffects


def exchange_effects(run: RunEffects, log: RunLog, given: ExchangeInput) -> Effects:
    """Yield the effects of one exchange of `Agent.run`; returns its last step.

    Raises PurestepError for what does not fit the run.
    """
    content = content_of(given.query or "", given.attachments)
    if log.is_new:
        return (yield from run.ask(content, given.tool_choice, given.history, given.data, pinned=given.pinned))
    found = log.found()
    if run.agent.among(found.state.agent) is None and not given.takes_over:
        text = "the run was begun with another definition; go on with the agent that began it, or begin a new run"
        raise purestep.PurestepError("agent_mismatch", text)
    step = yield from run.take_up(log.text, found)
    if run.agent.among(step.state.agent) is None:
        step = yield from run.change(step)
    if given.results:
        step = yield from run.take(observed(given.results))
    if given.approvals:
        step = yield from run.answer(given.approvals)
    else:
        step = yield from run.go_on(step)
    has_failed_now = isinstance(step.decision, Failed) and not isinstance(found.decision, Failed)
    if given.query is None or has_failed_now:
        return step
    return (yield from run.ask(content, given.tool_choice, data=given.data, pinned=given.pinned))
