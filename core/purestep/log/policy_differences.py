"""What another definition would have done at each point of a recorded run.

Unlike `redrive`, which ends at the first difference, each fact is given to a step from the recorded state before it, as
the other definition would have it. So one changed decision does not hide the next. What its policies keep is carried
from point to point, since they see the same facts otherwise.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..agent import Agent, agent_from_source
from ..draft import Draft, ToldFact
from ..errors import PurestepError
from ..steps import adopt, agent_after, check_state, moved, taken_over
from ..values import AgentChangedEvent, Event, RunStarted, RunState, new_state
from .carried_policies import CarriedPolicies
from .lines import LogText
from .moves import Move, PlacedMove, Places, moves_of
from .redrive import begun_and_facts, with_models
from .replayer import draft_of

_NOTHING: Final = Move(does="nothing")


class ChangedMove(Struct, frozen=True, kw_only=True):
    """A move of the recorded run, and what the other definition does in its place; `line`: of the fact, from 1."""

    line: int
    was: Move
    becomes: Move


class PolicyDiff(Struct, frozen=True, kw_only=True):
    """How a recorded run would have been decided under another definition.

    `points`: facts that were decided about under both. `left_out`: facts that the other one could not be asked about,
    since what waited there would not stand under it. `changes`: what differs.
    """

    points: int
    left_out: int
    changes: tuple[ChangedMove, ...]


def policy_diff(log: LogText, agent_json: str | bytes) -> PolicyDiff:
    """Compare what a recorded run did at each fact with what another definition does there.

    agent_json: the definition; one without `models` has those of the log. Error codes: `invalid_log`, which names the
    line, `unsupported_version`, and the definition's own.
    """
    started, facts = begun_and_facts(log)
    run = _Runs(started, agent_from_source(with_models(agent_json, started)))
    points = left_out = 0
    found: list[ChangedMove] = []
    for line, fact in facts:
        before, was = run.state, run.recorded(line, fact)
        if isinstance(fact, AgentChangedEvent):
            continue
        becomes = run.other(before, fact, was)
        if becomes is None:
            left_out += 1
            continue
        points += 1
        found += [ChangedMove(line=line, was=one, becomes=two) for one, two in _differing(was, becomes)]
    return PolicyDiff(points=points, left_out=left_out, changes=tuple(found))


def _differing(was: Sequence[PlacedMove], becomes: Sequence[PlacedMove]) -> Iterator[tuple[Move, Move]]:
    """Yield the moves in one place that differ in more than why a person is asked, in the order of the places."""
    ones, others = dict(was), dict(becomes)
    for place in sorted({*ones, *others}):
        one, two = ones.get(place, _NOTHING), others.get(place, _NOTHING)
        named = replace(two, tool=one.tool) if two.does == "refused" and not two.tool else two
        first = replace(one, tool=two.tool) if one.does == "refused" and not one.tool else one
        if _compared(first) != _compared(named):
            yield first, named


def _compared(move: Move) -> Move:
    return replace(move, why="") if move.does in ("asked", "refused") else move


class _Runs:
    """The recorded run, step by step, and the other definition beside it."""

    def __init__(self, started: RunStarted, other: Agent) -> None:
        self._agent, self._other = agent_from_source(bytes(started.agent)), other
        self._agent_before = self._agent
        self.state: RunState = new_state(self._agent.digest, started.run_id)
        self._told: list[ToldFact] = []
        """What policies were told of the latest fact."""
        self._carried = CarriedPolicies(other, _begun(other, started))
        if started.history is not UNSET:
            self.state = _adopted(self._agent, started)

    def is_same(self, state: RunState) -> bool:
        """Whether a state is what the other definition would have, so that a step of it need not be made again."""
        return self._other.among(state.agent) is not None and self._carried.agree(state)

    def recorded(self, line: int, fact: Event) -> tuple[PlacedMove, ...]:
        """Take a fact, and return what it led to; raises `invalid_log`."""
        before = self.state
        self._told = []
        try:
            draft = draft_of(self._agent, before, fact, self._told)
        except PurestepError as error:
            raise PurestepError("invalid_log", f"line {line}: {error.message}", f"/{line}") from None
        self.state = draft.close()
        self._agent_before, self._agent = self._agent, agent_after(self._agent, self.state)
        return moves_of(draft, Places(before, self.state))

    def other(self, before: RunState, fact: Event, was: tuple[PlacedMove, ...]) -> tuple[PlacedMove, ...] | None:
        """Return what a fact leads to under the other definition, from the recorded state; None where it cannot."""
        if self.is_same(before):
            self._carried.go_on(self.state, self.state, ())
            return was
        made = self._made(before, fact)
        self._carried.go_on(self.state, None if made is None else made[1].after, self._told)
        return None if made is None else moves_of(*made)

    def _made(self, before: RunState, fact: Event) -> tuple[Draft, Places] | None:
        """Return the step that the other definition makes of a fact, with the states before and after it."""
        other = taken_over(self._other, before.run.handed)
        if other is None:
            return None
        try:
            state = self._under(other, before)
            if state is None:
                return None
            check_state(other, state)
            draft = draft_of(other, state, fact)
            return (draft, Places(state, draft.close())) if draft.lines else None
        except PurestepError:
            return None

    def _under(self, other: Agent, before: RunState) -> RunState | None:
        if before.messages == 0:
            return new_state(other.digest, before.run_id)
        return moved(self._agent_before, other, before, self._carried.kept)


def _adopted(agent: Agent, started: RunStarted) -> RunState:
    """Return the state of a run that began with messages of another program."""
    return adopt(agent, started, None if started.at is UNSET else started.at)[0].close()


def _begun(other: Agent, started: RunStarted) -> RunState | None:
    """Return the state of such a run under the other definition; None without messages, or where it cannot begin."""
    try:
        return None if started.history is UNSET else _adopted(other, started)
    except PurestepError:  # the tool that it was to call may not be there
        return None
