"""The runs of agents that a run calls, as its host finds them: in the state, and in the log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import purestep
from purestep import RunState

_END: Final = re.compile(r'(?:,"prev":"[0-9a-f]{64}")?\}$')
"""How a line of the log above ends, after the line below that it holds."""

CALLS_NO_AGENTS: Final = (
    "expected an agent that calls no others: durable runs do not take them yet; give it functions that run them"
)


def calls_below(state: RunState, run_id: str) -> tuple[str, ...]:
    """Return the ids of the calls down to a run below; none for the run itself, and for one that is not there."""
    for call in state.pending:
        if call.child is not None:
            further = calls_below(call.child, run_id)
            if further or call.child.run_id == run_id:
                return (call.call_id, *further)
    return ()


def below(state: RunState, run_id: str) -> RunState:
    """Return the state of a run below; of none, that of the run itself."""
    for call_id in calls_below(state, run_id):
        state = next(call.child for call in state.pending if call.call_id == call_id and call.child is not None)
    return state


def is_below(state: RunState, observation: purestep.Observation) -> bool:
    """Whether an observation names a run below."""
    run_id = None if isinstance(observation, purestep.AgentChanged) else observation.run_id
    return run_id is not None and run_id != state.run_id


def log_below(log: str, call_ids: Sequence[str]) -> str:
    """Return the log of the run that these calls lead to, which stands in the lines of its caller's."""
    for call_id in call_ids:
        mark = f'"kind":"child","call_id":"{call_id}","line":'
        inner = [line.partition(mark)[2] for line in log.split("\n") if mark in line]
        log = "".join([_END.sub("", line) + "\n" for line in inner])
    return log


def all_waiting(decision: purestep.Decision, also: Sequence[purestep.Decision]) -> purestep.Decision:
    """Return what a run that has stopped waits for: where people are asked, all their calls together."""
    asking = [each for each in (decision, *also) if isinstance(each, purestep.RequestApproval)]
    if not asking or len(asking) + len(also) == 1:
        return decision
    return purestep.RequestApproval(calls=tuple([call for each in asking for call in each.calls]))
