"""The runs of agents that a run calls, as its host finds them: in the state, and in the log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

import purestep
from purestep import RunState, events

_END: Final = re.compile(r'(?:,"prev":"[0-9a-f]{64}")?\}$')
"""How a line of the log above ends, after the line below that it holds."""


def with_below(agent: purestep.Agent) -> Iterator[purestep.Agent]:
    """Yield an agent, and all below it."""
    yield agent
    for each in agent.agents.values():
        yield from with_below(each)


def paths_below(agent: purestep.Agent) -> Iterator[tuple[str, ...]]:
    """Yield the path of each agent below one: the names down to it."""
    for name, each in agent.agents.items():
        yield (name,)
        for further in paths_below(each):
            yield (name, *further)


def calls_below(state: RunState, run_id: str) -> tuple[str, ...]:
    """Return the ids of the calls down to a run below; none for the run itself, and for one that is not there."""
    for call in state.pending:
        if call.child is not None:
            further = calls_below(call.child, run_id)
            if further or call.child.run_id == run_id:
                return (call.call_id, *further)
    return ()


def handed_to(agent: purestep.Agent, state: RunState) -> tuple[str, ...]:
    """Return the names from an agent down to the one that has its conversation, after hand-offs.

    agent: the one that began it, or one to which it was handed over meanwhile, as in a program that goes on with that.
    """
    names = state.run.handed
    ways = (names[start:] for start in range(len(names)))
    return next((way for way in ways if _has(agent, way, state)), ())


def _has(agent: purestep.Agent, names: tuple[str, ...], state: RunState) -> bool:
    for name in names:
        if name not in agent.hand_offs:
            return False
        agent = agent.agents[name]
    return agent.digest == state.agent


def agents_down_to(agent: purestep.Agent, state: RunState, run_id: str) -> tuple[str, ...]:
    """Return the names of the agents down to the one that has a run, with those to whom a conversation was handed.

    agent: whose run the state is of. run_id: that of a run below; of none, the run itself is meant.
    """
    names = handed_to(agent, state)
    for call_id in calls_below(state, run_id):
        call = next(each for each in state.pending if each.call_id == call_id)
        assert call.child is not None  # else it leads to no run
        agent, state = (agent.among(state.agent) or agent).agents[call.tool], call.child
        names = (*names, call.tool, *handed_to(agent, state))
    return names


def below(state: RunState, run_id: str) -> RunState:
    """Return the state of a run below; of none, that of the run itself."""
    for call_id in calls_below(state, run_id):
        state = next(call.child for call in state.pending if call.call_id == call_id and call.child is not None)
    return state


def agent_below(agent: purestep.Agent, state: RunState, run_id: str) -> tuple[purestep.Agent, RunState]:
    """Return who has the conversation of a run below, with the state of that; of none, that of the run itself."""
    for call_id in calls_below(state, run_id):
        call = next(call for call in state.pending if call.call_id == call_id)
        assert call.child is not None  # else it leads to no run
        agent, state = (agent.among(state.agent) or agent).below(call), call.child
    return agent.among(state.agent) or agent, state


def is_below(state: RunState, observation: purestep.Observation) -> bool:
    """Whether an observation names a run below."""
    run_id = None if isinstance(observation, purestep.AgentChanged) else observation.run_id
    return run_id is not None and run_id != state.run_id


def log_below(log: str, call_ids: Sequence[str]) -> str:
    """Return the log of the run that these calls lead to, which stands in the lines of its caller's."""
    for call_id in call_ids:
        mark = f'"child","call_id":"{call_id}","line":'
        # Further in, the line may hold one of a call of that id that an agent made.
        events = [line.partition('"kind":')[2] for line in log.split("\n")]
        inner = [event.removeprefix(mark) for event in events if event.startswith(mark)]
        log = "".join([_END.sub("", line) + "\n" for line in inner])
    return log


def runs_calls(decision: purestep.Decision) -> bool:
    """Whether a decision has the host run calls."""
    calls = decision.calls if isinstance(decision, purestep.InvokeTool | purestep.InvokeSkill) else ()
    return any(not call.handle for call in calls)


def has_work(decision: purestep.Decision) -> bool:
    """Whether a decision has the host do something now: not where people are asked, or what goes on elsewhere."""
    return isinstance(decision, purestep.CallModel) or runs_calls(decision)


def all_waiting(decision: purestep.Decision, also: Sequence[purestep.Decision]) -> purestep.Decision:
    """Return what a run that has stopped waits for: where people are asked, all their calls together."""
    asking = [each for each in (decision, *also) if isinstance(each, purestep.RequestApproval)]
    if not asking:
        return decision
    calls = tuple([call for each in asking for call in asked_calls(each)])
    return purestep.RequestApproval(calls=calls) if also else replace(asking[0], calls=calls)


def asked_calls(decision: purestep.RequestApproval) -> tuple[purestep.ApprovalCall, ...]:
    """Return the calls that a person is asked about, each with the path of the agent that made it."""
    path = decision.path or UNSET
    return decision.calls if path is UNSET else tuple([replace(call, path=path) for call in decision.calls])


class Told(Struct, frozen=True):
    """An event of a run or of an agent below it, the ids of the calls down to that, and the agents' names.

    `agents`: with those to whom a conversation was handed among them, as `agents_down_to` has them.
    """

    ids: tuple[str, ...]
    path: tuple[str, ...]
    event: events.Event
    agents: tuple[str, ...] = ()


class TreeReader:
    """Says of which run of a tree each event of a log is, in the log's order."""

    def __init__(self) -> None:
        self._tools: dict[tuple[str, ...], str] = {}
        """The names of the tools of calls, by the ids down to them."""
        self._handed: dict[tuple[str, ...], tuple[str, ...]] = {}
        """Who has the conversation of a run, by the same."""

    def told(self, event: events.Event) -> Told:
        """Return an event, or the one that its line holds of an agent's run."""
        ids: tuple[str, ...] = ()
        path: tuple[str, ...] = ()
        while isinstance(event, events.ChildLine):
            ids = (*ids, event.call_id)
            path = (*path, self._tools.get(ids, event.call_id))
            event = events.event_below(event)
        if isinstance(event, events.ToolCallEvent):
            self._tools[*ids, event.call_id] = event.tool_name
        if isinstance(event, events.AgentChangedEvent):
            before = self._handed.get(ids, ())
            self._handed[ids] = (*before, event.handed_to) if event.handed_to else ()
        return Told(ids, path, event, tuple(self._agents(ids, path)))

    def _agents(self, ids: tuple[str, ...], path: tuple[str, ...]) -> Iterator[str]:
        for depth in range(len(path) + 1):
            yield from path[depth - 1 : depth] if depth else ()
            yield from self._handed.get(ids[:depth], ())
