"""Another definition for a run that waits: what would become of it, without changing it.

`agent_changed` is taken by a copy of the state, and what the step has made of each waiting call is read off the state
and the lines. So the verdict is what happens, whatever the rules of a definition are.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from ..agent import Agent
from ..errors import PurestepError
from ..steps import Step, agent_after, check_state, limit_ahead, open_decisions, step_from
from ..values import (
    AgentChanged,
    ApprovalCall,
    ChildEnded,
    ChildLine,
    Decision,
    Event,
    Failed,
    Pending,
    RequestApproval,
    RunState,
    VerdictEvent,
    event_below,
)
from .replay import read_events

_Place = tuple[str, ...]
"""The ids of the calls down to one."""


class ChangedCall(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call of a run that waits, and what becomes of it.

    `becomes`: `asked_again`, where a person is asked otherwise than before, or `answered`, where it has its result by
    that: `said` is what the model reads of it. `path`: the names of the agents down to the one that made it.
    """

    call_id: str
    tool: str
    key: str
    becomes: Literal["asked_again", "answered"]
    said: str = ""
    path: tuple[str, ...] | UnsetType = UNSET


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What becomes of a run under another definition.

    `verdict`: `goes_on` as it is; `asked_again` and `answered`, by what becomes of its `calls`; `ends`, where it fails
    by that, with the `code` and `message` of the failure; `refused`, where it cannot go on, with those of the error.
    One that goes on has them where it has used more than a limit allows that was not reached before: it fails by that
    once its calls have their results.
    """

    verdict: Literal["goes_on", "asked_again", "answered", "ends", "refused"]
    calls: tuple[ChangedCall, ...] = ()
    code: str | None = None
    message: str | None = None


def change_under(state: RunState, old: Agent, new: Agent) -> Change:
    """Return what becomes of a run under another definition; the state stays as it is.

    old: the definition that the run has, or the one that it began with. Error codes: `agent_mismatch` where it is
    neither, and those of a state that cannot be used.
    """
    agent = old.among(state.agent)
    if agent is None:
        raise PurestepError(
            "agent_mismatch", "the run has another definition; give the one that its log names last", "/old"
        )
    check_state(agent, state)
    if new.among(state.agent) is not None:
        return Change(verdict="goes_on")
    try:
        step = step_from(agent, state, AgentChanged(agent=Raw(new.source)))
    except PurestepError as error:
        if error.path.startswith("/state"):
            raise
        return Change(verdict="refused", code=error.code, message=error.message)
    return _change(agent, state, step)


def _change(agent: Agent, state: RunState, step: Step) -> Change:
    calls = tuple(_changed(agent, state, step))
    if isinstance(step.decision, Failed) and state.phase != "failed":
        return Change(verdict="ends", calls=calls, code=step.decision.code, message=step.decision.message)
    answered = any(call.becomes == "answered" for call in calls)
    change = Change(verdict="answered" if answered else "asked_again" if calls else "goes_on", calls=calls)
    limit = limit_ahead(agent_after(agent, step.state), step.state)
    if limit is None or limit_ahead(agent, state) is not None:
        return change
    return replace(change, code=limit.code, message=limit.message)


def _changed(agent: Agent, state: RunState, step: Step) -> Iterator[ChangedCall]:
    """Yield the calls that do not stand as they did."""
    after = {place: call for place, _, call in _waiting(step.state)}
    asked_before, asked_now = _asked(open_decisions(agent, state)), _asked((step.decision, *step.also))
    said = dict(_said(step.log))
    for place, path, call in _waiting(state):
        found = ChangedCall(
            call_id=call.call_id, tool=call.tool, key=call.key, becomes="answered", said=said.get(place, ""),
            path=path or UNSET,
        )  # fmt: skip
        if place not in after or after[place].key != call.key:
            yield found
        elif asked_before.get(call.key) != asked_now.get(call.key):
            yield replace(found, becomes="asked_again")


def _waiting(
    state: RunState, place: _Place = (), path: tuple[str, ...] = ()
) -> Iterator[tuple[_Place, tuple[str, ...], Pending]]:
    """Yield the calls without a result, those of agents below too, with the ids and the names down to each."""
    for call in state.pending:
        if call.status == "done" or call.checks:
            continue
        yield (*place, call.call_id), path, call
        if call.child is not None:
            yield from _waiting(call.child, (*place, call.call_id), (*path, call.tool))


def _asked(decisions: tuple[Decision, ...]) -> dict[str, ApprovalCall]:
    """Return what a person is asked about, by the keys of the calls."""
    asking = [each for each in decisions if isinstance(each, RequestApproval)]
    return {call.key: call for each in asking for call in each.calls}


def _said(log: str) -> Iterator[tuple[_Place, str]]:
    """Yield what the lines say of calls that were answered."""
    for _, line in read_events(log):
        event: Event = line
        place: _Place = ()
        while isinstance(event, ChildLine):
            place = (*place, event.call_id)
            event = event_below(event)
        match event:
            case VerdictEvent(call_id=call_id, reason=reason):
                yield (*place, call_id), reason
            case ChildEnded(call_id=call_id, error=error):
                yield (*place, call_id), error or ""
