"""What the policies of another definition keep while a recorded run goes on: they see the facts that the run saw.

Where a fact can be given to a step of the other definition, they keep what that step has left them. Where it cannot,
since what waits there would not stand, they are told what the recorded step has told its own: a page that was read in
the recorded run was read. So they are never left with what policies of the recorded definition took a fact for.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from ..agent import Agent
from ..draft import ToldFact
from ..errors import PurestepError
from ..steps import KeptByPolicies, taken_over
from ..values import RunState


class CarriedPolicies:
    """What the policies of a definition keep, by the ids of a recorded run and of the agents below it."""

    def __init__(self, other: Agent, begun: RunState | None = None) -> None:
        """Begin with a run without messages, or with one that the definition has begun with those of another."""
        self._other: Final = other
        self.kept: dict[str, KeptByPolicies] = {}
        if begun is not None:
            self.go_on(begun, begun, ())

    def agree(self, state: RunState) -> bool:
        """Whether they keep what a state of the same definition holds, so that there is nothing to compare."""
        own = {run.run_id: run.policies for _, run in _runs(self._other, state)}
        return own == {run_id: each.texts for run_id, each in self.kept.items()} or state.messages == 0

    def go_on(self, recorded: RunState, made: RunState | None, told: Sequence[ToldFact]) -> None:
        """Go on after a fact. made: the state after it under the definition, where it could be taken there.

        recorded: the recorded one after it. told: what the recorded run's policies were told of it.
        """
        own = {} if made is None else {run.run_id: (agent, run) for agent, run in _runs(self._other, made)}
        kept: dict[str, KeptByPolicies] = {}
        for agent, run in _runs(self._other, recorded):
            if run.run_id in own:
                by, same = own[run.run_id]
                kept[run.run_id] = KeptByPolicies(by, same.policies)
            else:
                kept[run.run_id] = self._told(agent, run, told)
        self.kept = kept

    def _told(self, agent: Agent, run: RunState, told: Sequence[ToldFact]) -> KeptByPolicies:
        """Return what policies keep once they are told; what they kept where one of them fails at that."""
        before = self.kept.get(run.run_id, KeptByPolicies(agent, {}))
        try:
            kept = agent.policies.read(before.under(agent, run))
            for run_id, fact in told:
                if run_id == run.run_id:
                    kept = agent.policies.told(kept, fact)
            return KeptByPolicies(agent, agent.policies.written(kept))
        except PurestepError:
            return before


def _runs(other: Agent, state: RunState) -> Iterator[tuple[Agent, RunState]]:
    """Yield a run and the agents' below it, each with the agent that has it under a definition; others are left out."""
    agent = other.among(state.agent) or taken_over(other, state.run.handed)
    if agent is None:
        return
    yield agent, state
    for call in state.pending:
        called = agent.agents.get(call.tool)
        if call.child is not None and called is not None:
            yield from _runs(called, call.child)
