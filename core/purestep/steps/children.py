"""The agents that a run calls: each call has a run of its own, which stands in it until that run ends.

The run below is made by the same step function. Its lines are lines of the log above, its use counts in the budgets
above, and what it ends with is the result of its call. The run above holds nothing while it waits: its state has the
whole tree, so any host can go on with it.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import MAX_ACTS, MAX_CHECK_STEPS, MAX_EFFECTS
from ..draft import Draft, count_above, handed_out
from ..errors import PurestepError
from ..values import (
    AgentChanged,
    Approval,
    Approvals,
    Cancel,
    ChildEnded,
    Failure,
    Observation,
    Pending,
    Resumed,
    RunState,
    ToolResult,
    UserMessage,
    new_state,
)
from .batch import advance_calls
from .results import take_result

Advance = Callable[[Agent, RunState, Any, Draft | None], Draft]
"""The step function, as far as its draft."""

OWN: Final = ""
"""In the place of a call's id: the run itself, and no agent that it calls."""

_ENDED: Final = ("done", "failed")


# --- whom an observation is for -----------------------------------------------------------------------------


def routes(state: RunState, observation: Observation) -> tuple[tuple[str, Any], ...]:
    """Return for whom an observation is, and what of it: ids of calls, whose agents get it, or OWN.

    Error codes: `unknown_run`, `stale_approval`.
    """
    run_id = getattr(observation, "run_id", None)
    if run_id is not None and run_id != state.run_id:
        for call in state.pending:
            if call.child is not None and _holds(call.child, run_id):
                return ((call.call_id, observation),)
        raise unknown_run(run_id)
    if run_id is None and isinstance(observation, Approvals) and observation.approvals:
        return tuple(_routed(state, observation))
    return ((OWN, observation),)


def unknown_run(run_id: str) -> PurestepError:
    """Return the error for an observation of a run that is none of this tree, or that has ended."""
    return PurestepError(
        "unknown_run",
        f'expected this run or one of an agent that it waits for; "{corrections.shown(run_id)}" is none of them, or '
        "has ended: ask for the current decisions by sending the state alone",
        "/observation/run_id",
    )


def _holds(state: RunState, run_id: str) -> bool:
    """Whether a run is the one with that id, or an agent below it has it."""
    return state.run_id == run_id or any(_holds(call.child, run_id) for call in state.pending if call.child is not None)


def _waiting(state: RunState) -> Iterator[str]:
    """Yield the keys of the calls that wait for approval in a run and below it."""
    for call in state.pending:
        if call.status in ("approval", "asks"):
            yield call.key
        if call.child is not None:
            yield from _waiting(call.child)


def _routed(state: RunState, observation: Approvals) -> Iterator[tuple[str, Approvals]]:
    """Yield the answers for each run: a call's key stands once in the tree, its id once in each run."""
    below = {key: call.call_id for call in state.pending if call.child is not None for key in _waiting(call.child)}
    groups: dict[str, list[Approval]] = {}
    for index, approval in enumerate(observation.approvals):
        call_id = below.get(approval.key, OWN)
        if call_id == OWN and not _is_own(state, approval):
            raise PurestepError(
                "stale_approval",
                "expected the key of a call that waits; got another: the call was answered, or the agent that made it "
                "has ended; ask for the current decisions, and leave this answer out",
                f"/observation/approvals/{index}/key",
            )
        groups.setdefault(call_id, []).append(approval)
    for call_id in (OWN, *[call.call_id for call in state.pending]):
        if call_id in groups:
            yield call_id, replace(observation, approvals=tuple(groups[call_id]))


def _is_own(state: RunState, approval: Approval) -> bool:
    """Whether an answer names a call of the run itself while that waits for answers."""
    return state.phase == "approval" and any(call.call_id == approval.call_id for call in state.pending)


# --- the runs below -----------------------------------------------------------------------------------------


class Below(Struct, frozen=True):
    """What a step does with the agents that its run calls; `advance` is the step function itself."""

    advance: Advance

    def begin(self, draft: Draft) -> bool:
        """Begin the agents whose calls are handed out; tells whether one has ended at once, so that the run went on."""
        went_on = False
        while draft.state.phase == "tools":
            call = next(filter(lambda each: is_due(draft.agent, each), _handed_out(draft)), None)
            if call is None:
                break
            agent = draft.agent.agents[call.tool]
            question = UserMessage(content=call.params["question"], at=draft.at)
            begun = new_state(agent.digest, call.key)
            exchange = replace(begun.exchange, effects=draft.exchange.effects)
            begun = replace(begun, run=replace(begun.run, unsettled=draft.run.unsettled), exchange=exchange)
            went_on = self._follow(draft, call, self.advance(agent, begun, question, draft)) or went_on
        return went_on

    def take(self, draft: Draft, call_id: str, observation: Any, *, is_fact: bool = True) -> None:
        """Give an observation to the agent of a call, or to one below it; is_fact: it came from outside."""
        call = _call(draft, call_id)
        assert call.child is not None  # else it is no route
        below = self.advance(draft.agent.below(call), call.child, observation, draft)
        self._follow(draft, call, below, is_fact=is_fact)

    def resume(self, draft: Draft) -> None:
        """Tell every run below that has calls handed out that its host was stopped."""
        for call in draft.state.pending:
            for run_id in () if call.child is None else _resumable(call.child):
                if any(each.child is not None and _holds(each.child, run_id) for each in draft.state.pending):
                    self.take(draft, call.call_id, Resumed(at=draft.at, run_id=run_id), is_fact=False)

    def stop(self, draft: Draft, why: str) -> None:
        """Cancel the agents that go on, since the run ends; their calls have that as their result."""
        for call in draft.state.pending:
            if call.child is not None:
                self._stop(draft, call, why)

    def change(self, draft: Draft, after: Agent, why: str, unfit: frozenset[str]) -> None:
        """Have the agents go on under the definitions that they have in another one; cancel those that it lacks.

        unfit: the ids of the calls that do not stand under it, whose agents are cancelled too.
        """
        for call in draft.state.pending:
            if call.child is None:
                continue
            agent = after.agents.get(call.tool)
            if agent is None or not after.has_below(call.tool) or call.call_id in unfit:
                self._stop(draft, call, why)
            elif agent.among(call.child.agent) is None:
                before = draft.agent.below(call)
                changed = AgentChanged(agent=Raw(agent.source), at=draft.at)
                below = self.advance(before, call.child, changed, draft)
                child = _folded(draft, call, below)
                ended = child.phase in _ENDED
                _put(draft, *(_ended(draft, call, below, child) if ended else (replace(call, child=child),)))

    def _follow(self, draft: Draft, call: Pending, below: Draft, *, is_fact: bool = False) -> bool:
        """Take over what a step of the run below has made; tells whether that run has ended."""
        child = _folded(draft, call, below, is_fact=is_fact)
        if child.phase not in _ENDED:
            _put(draft, replace(call, child=child))
            return False
        calls = {each.call_id: each for each in draft.state.pending}
        for settled in _ended(draft, call, below, child):
            calls[settled.call_id] = settled
        advance_calls(draft, tuple(calls.values()))
        return True

    def _stop(self, draft: Draft, call: Pending, why: str) -> None:
        assert call.child is not None  # only those that go on are stopped
        cancel = Cancel(reason=why, at=draft.at)
        below = self.advance(draft.agent.below(call), call.child, cancel, draft)
        _put(draft, *_ended(draft, call, below, _folded(draft, call, below)))


def is_due(agent: Agent, call: Pending) -> bool:
    """Whether a call that is handed out is one of an agent that has not begun."""
    return call.child is None and agent.has_below(call.tool) and not call.checks


def _handed_out(draft: Draft) -> tuple[Pending, ...]:
    return handed_out(draft.state.pending, draft.agent.max_parallel)


def _call(draft: Draft, call_id: str) -> Pending:
    return next(call for call in draft.state.pending if call.call_id == call_id)


def _put(draft: Draft, *settled: Pending) -> None:
    """Put calls in the place of those with their ids, or after the others."""
    calls = {call.call_id: call for call in draft.state.pending} | {call.call_id: call for call in settled}
    draft.state = replace(draft.state, pending=tuple(calls.values()))


def _resumable(state: RunState) -> Iterator[str]:
    """Yield the ids of the runs that have calls handed out; what is below one of them is told by it."""
    if state.phase == "tools":
        yield state.run_id
        return
    for call in state.pending:
        if call.child is not None:
            yield from _resumable(call.child)


def _folded(draft: Draft, call: Pending, below: Draft, *, is_fact: bool = False) -> RunState:
    """Take over the lines, messages and use of a step below; gives the state that it leads to.

    is_fact: what came to it came from outside, and was not made of what came to the run above.
    """
    child = below.close()
    count_above(below)
    facts = below.facts if is_fact else ()
    for index, line in enumerate(below.lines):
        draft.below_line(call.call_id, line, is_fact=index in facts)
    if below.messages:
        draft.children[child.run_id] = [*draft.children.get(child.run_id, ()), *below.messages]
    draft.children |= below.children
    return child


def _ended(draft: Draft, call: Pending, below: Draft, child: RunState) -> tuple[Pending, ...]:
    """Log that an agent has ended; gives its call with the result, and the calls of the checks of that."""
    _hand_up(draft, call, child)
    failure, seq = child.exchange.failure, draft.next_seq
    result = _answered(below.agent, call, child) if failure is None else _failed(call, failure, child)
    draft.derived(
        ChildEnded(
            call_id=call.call_id,
            agent=call.tool,
            head=child.head,
            ok=result.ok,
            output=result.output if result.ok else UNSET,
            error=result.error,
            error_kind=result.error_kind,
        )
    )
    calls = {each.call_id: each for each in draft.state.pending}
    return take_result(draft, calls, replace(call, child=None), result, MAX_CHECK_STEPS, seq)


def _answered(agent: Agent, call: Pending, child: RunState) -> ToolResult:
    has_data = agent.answer is not None and not child.exchange.question
    output = child.exchange.data if has_data else child.exchange.answer or ""
    return ToolResult(call_id=call.call_id, ok=True, output=output)


def _failed(call: Pending, failure: Failure, child: RunState) -> ToolResult:
    done = [f"{act.tool} ({act.status})" for act in child.exchange.acts or ()]
    text = corrections.agent_failed(call.tool, failure.code, failure.message, done)
    return ToolResult(call_id=call.call_id, ok=False, error=text, error_kind=failure.code)


def _hand_up(draft: Draft, call: Pending, child: RunState) -> None:
    """Keep beside one's own what an agent has changed, and the calls of which nobody knows whether they have."""
    exchange = draft.exchange
    unsettled = (*draft.run.unsettled, *[each for each in child.run.unsettled if each not in draft.run.unsettled])
    draft.run = replace(draft.run, unsettled=unsettled[-MAX_EFFECTS:])
    if exchange.acts is None or not (child.exchange.acts or child.exchange.acts_left_out):
        return
    acts = [replace(act, path=(call.tool, *act.path)) for act in child.exchange.acts or ()]
    room = max(0, MAX_ACTS - len(exchange.acts))
    left_out = exchange.acts_left_out + child.exchange.acts_left_out + len(acts[room:])
    draft.exchange = replace(draft.exchange, acts=(*exchange.acts, *acts[:room]), acts_left_out=left_out)
