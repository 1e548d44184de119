"""The state of a run that goes on under another definition: what holds under that one, and what is dropped."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ..agent import Agent
from ..draft import (
    carried_under,
    choice_fits,
    evidence_under,
    found_under,
    history_under,
    policies_under,
    with_model,
    without_planning,
)
from ..values import Pending, RunState, Sent


def under(before: Agent, after: Agent, state: RunState) -> RunState:
    """Return the state with what holds under the new definition; what it does not know or keep is dropped."""
    exchange = without_planning(state).exchange
    summing = exchange.summing
    choice = exchange.tool_choice
    queued = [
        message
        if message.tool_choice is None or choice_fits(after, message.tool_choice)
        else replace(message, tool_choice=None)
        for message in state.run.queued
    ]
    return history_under(
        after,
        replace(
            state,
            agent=after.digest,
            run=replace(
                state.run,
                changed=True,
                queued=tuple(queued),
                carried=carried_under(after, state),
                refused_members=(),
                handed=(),
            ),
            exchange=replace(
                exchange,
                reason=exchange.reason if summing is None else summing.reason,
                cause=exchange.cause if summing is None else summing.cause,
                summing=None,
                plan=None,
                corrections={},
                negotiated=None,
                withheld=(),
                found=found_under(before, after, exchange.found) if exchange.found else (),
                tool_choice=choice if choice is not None and choice_fits(after, choice) else None,
                cut=exchange.cut if after.reader is not None else (),
                citable=exchange.citable if after.cites else (),
                said_samples=tuple([each for each in exchange.said_samples if each in after.samples]),
                evidence=evidence_under(after, state),
            ),
            window=replace(with_model(state.window, 0), sent=_sizes(after, state.window.sent)),
            policies=policies_under(before, after, state),
        ),
    )


class KeptByPolicies(NamedTuple):
    """What the policies of an agent keep of a run, as its state holds it."""

    agent: Agent
    texts: Mapping[str, str]

    def under(self, after: Agent, state: RunState) -> dict[str, str]:
        """Return what those of the agent keep that has the conversation now."""
        if after is self.agent:
            return dict(self.texts)
        return policies_under(self.agent, after, replace(state, policies=dict(self.texts)))


def moved(before: Agent, after: Agent, state: RunState, kept: Mapping[str, KeptByPolicies]) -> RunState | None:
    """Return the state as another definition would have it, had it held all along; None where it has no such agent.

    after: of the one that has the conversation, as `taken_over` finds it.
    Nothing is answered and nothing begins anew: what was counted within the exchange stays, where both definitions ask
    the same models in the same dialect. kept: what its policies keep of each run, by the run's id; of another run they
    keep what those of the first definition do, as far as both have them.
    """
    found = under(before, after, state)
    if state.run_id in kept:
        found = replace(found, policies=kept[state.run_id].under(after, state))
    ways = [(agent.definition.dialect, agent.definition.models, agent.windowed) for agent in (before, after)]
    if ways[0] == ways[1]:
        counted = state.exchange
        found = replace(
            found,
            run=replace(found.run, changed=state.run.changed, refused_members=state.run.refused_members),
            exchange=replace(
                found.exchange,
                reason=counted.reason,
                cause=counted.cause,
                summing=counted.summing,
                plan=counted.plan,
                corrections=counted.corrections,
                negotiated=counted.negotiated,
                withheld=tuple([name for name in counted.withheld if name in after.tools]),
            ),
            window=replace(state.window, sent=found.window.sent if after.windowed else None),
        )
    pending = [_moved_call(before, after, call, kept) for call in state.pending]
    if None in pending:
        return None
    run = replace(found.run, handed=state.run.handed)
    return replace(found, run=run, pending=tuple([call for call in pending if call is not None]))


def told_under(after: Agent, call: Pending) -> Pending:
    """Return a call with what policies have told of it, where the definition has any."""
    return call if after.policies.has_hooks else replace(call, origins=(), asked_by="", reason="", note="")


def taken_over(agent: Agent, names: Sequence[str]) -> Agent | None:
    """Return who has the conversation of an agent after hand-offs to these; None where it does not hand over so."""
    for name in names:
        if name not in agent.hand_offs:
            return None
        agent = agent.agents[name]
    return agent


def _moved_call(before: Agent, after: Agent, call: Pending, kept: Mapping[str, KeptByPolicies]) -> Pending | None:
    call = told_under(after, call)
    if call.child is None:
        return call
    called = after.agents.get(call.tool)
    agent = None if called is None else taken_over(called, call.child.run.handed)
    child = None if agent is None else moved(before.below(call), agent, call.child, kept)
    return None if child is None else replace(call, child=child)


def _sizes(after: Agent, sent: Sent | None) -> Sent | None:
    """Return the sizes of what is sent; what is known of one model's tokens holds for no other."""
    if sent is None or not after.windowed:
        return None
    return Sent(parts=sent.parts, summary=sent.summary, known=sent.known, pinned=sent.pinned)
