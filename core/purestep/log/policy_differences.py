"""What another definition would have done at each point of a recorded run.

Unlike `redrive`, which ends at the first difference, each fact is given to a step from the recorded state before it, as
the other definition would have it. So one changed decision does not hide the next. What the policies keep that only the
other definition has is carried from point to point.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..agent import Agent, agent_from_source
from ..draft import Draft
from ..errors import PurestepError
from ..steps import adopt, agent_after, check_state, moved, taken_over
from ..values import (
    AgentChangedEvent,
    ApprovalRequestEvent,
    ChildLine,
    CorrectionEvent,
    Event,
    FinalAnswer,
    RunFailed,
    RunStarted,
    RunState,
    SkillStarted,
    ToolCallEvent,
    VerdictEvent,
    decode_event,
    event_below,
    is_derived,
    new_state,
)
from .lines import LogText
from .redrive import begun_and_facts, with_models
from .replayer import draft_of

Does = Literal["allowed", "asked", "refused", "rejected", "answer", "correction", "failed", "hand-off", "nothing"]

_OF_CALLS: Final = ("allowed", "asked", "refused")


class Move(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a step does: of a call with its `tool` and `params`; `why` it asks, corrects, rejects or fails.

    `said`: the answer. `path`: the names of the agents down to its own.
    """

    does: Does
    tool: str = ""
    params: dict[str, Any] | UnsetType = UNSET
    why: str = ""
    said: str = ""
    path: tuple[str, ...] = ()


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
        becomes = was if run.is_same else run.other(before, fact)
        if becomes is None:
            left_out += 1
            continue
        points += 1
        found += [ChangedMove(line=line, was=one, becomes=two) for one, two in _differing(was, becomes)]
    return PolicyDiff(points=points, left_out=left_out, changes=tuple(found))


def _differing(was: Sequence[Move], becomes: Sequence[Move]) -> Iterator[tuple[Move, Move]]:
    """Yield the pairs that differ in more than why a person is asked: of calls, and of what else is done."""
    nothing = Move(does="nothing")
    calls = zip_longest(_calls(was), _calls(becomes), fillvalue=nothing)
    others = zip_longest(_others(was), _others(becomes), fillvalue=nothing)
    for one, two in (*calls, *others):
        named = replace(two, tool=one.tool) if two.does == "refused" and not two.tool else two
        first = replace(one, tool=two.tool) if one.does == "refused" and not one.tool else one
        if _compared(first) != _compared(named):
            yield first, named


def _calls(moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if move.does in _OF_CALLS]


def _others(moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if move.does not in _OF_CALLS]


def _compared(move: Move) -> Move:
    return replace(move, why="") if move.does in ("asked", "refused") else move


class _Runs:
    """The recorded run, step by step, and the other definition beside it."""

    def __init__(self, started: RunStarted, other: Agent) -> None:
        self._agent, self._other = agent_from_source(bytes(started.agent)), other
        self._agent_before = self._agent
        self.state: RunState = new_state(self._agent.digest, started.run_id)
        self._carried: dict[str, str] = {}
        """What the policies keep that only the other definition has."""
        if started.history is not UNSET:
            at = None if started.at is UNSET else started.at
            self.state = adopt(self._agent, started, at)[0].close()

    @property
    def is_same(self) -> bool:
        """Whether the run has the other definition now."""
        return self._other.among(self.state.agent) is not None

    def recorded(self, line: int, fact: Event) -> tuple[Move, ...]:
        """Take a fact, and return what it led to; raises `invalid_log`."""
        before = self.state
        try:
            draft = draft_of(self._agent, before, fact)
        except PurestepError as error:
            raise PurestepError("invalid_log", f"line {line}: {error.message}", f"/{line}") from None
        self.state = draft.close()
        self._agent_before, self._agent = self._agent, agent_after(self._agent, self.state)
        return _moves(fact, draft, _Places(before, self.state))

    def other(self, before: RunState, fact: Event) -> tuple[Move, ...] | None:
        """Return what a fact leads to under the other definition, from the recorded state; None where it cannot."""
        other = taken_over(self._other, before.run.handed)
        state = None if other is None else self._under(other, before)
        if other is None or state is None:
            return None
        try:
            check_state(other, state)
            draft = draft_of(other, state, fact)
        except PurestepError:
            return None
        after = draft.close()
        self._carried = dict(after.policies)
        return _moves(fact, draft, _Places(state, after)) if draft.lines else None

    def _under(self, other: Agent, before: RunState) -> RunState | None:
        if before.messages == 0:
            return new_state(other.digest, before.run_id)
        return moved(self._agent_before, other, before, self._carried)


class _Places(NamedTuple):
    """A state before a step and after it, of a run or of an agent below; None where that has ended."""

    before: RunState | None
    after: RunState | None

    def below(self, call_id: str) -> "_Places":
        return _Places(_child(self.before, call_id), _child(self.after, call_id))

    def name_of(self, call_id: str) -> str:
        """Return the name of the agent that a call called."""
        calls = [call for state in self if state is not None for call in state.pending if call.call_id == call_id]
        return calls[0].tool if calls else call_id


def _child(state: RunState | None, call_id: str) -> RunState | None:
    calls = () if state is None else state.pending
    return next((call.child for call in calls if call.call_id == call_id), None)


def _moves(fact: Event, draft: Draft, places: _Places) -> tuple[Move, ...]:
    events = [decode_event(line) for line in draft.lines]
    return tuple(_moved([event for event in events if is_derived(event) or isinstance(event, ChildLine)], places, ()))


def _moved(events: Sequence[Event], places: _Places, path: tuple[str, ...]) -> Iterator[Move]:
    """Yield what lines say is done, calls that were refused among them: those have a number, and no line.

    A correction that sends them back is told with them.
    """
    asked = {event.call_id: event.reason for event in events if isinstance(event, ApprovalRequestEvent)}
    made = {event.call_id: event for event in events if isinstance(event, ToolCallEvent) and not event.checks}
    names = {call_id: event.tool_name for call_id, event in made.items()}
    others = set(_of_core(events))
    sent_back = next((event.cause for event in events if isinstance(event, CorrectionEvent)), "")
    numbers = (
        [int(call_id.removeprefix("call_")) for call_id in made]
        if places.before is None or places.after is None
        else range(places.before.run.calls + 1, places.after.run.calls + 1)
    )
    calls = [
        _of_call(made.get(f"call_{each}"), asked, path, sent_back) for each in numbers if f"call_{each}" not in others
    ]
    yield from calls
    is_told = sent_back and any(call.does == "refused" for call in calls)
    for call_id in dict.fromkeys([event.call_id for event in events if isinstance(event, ChildLine)]):
        inner = [event_below(event) for event in events if isinstance(event, ChildLine) and event.call_id == call_id]
        yield from _moved(
            [event for event in inner if is_derived(event) or isinstance(event, ChildLine)],
            places.below(call_id),
            (*path, places.name_of(call_id)),
        )
    for event in events:
        match event:
            case ApprovalRequestEvent(call_id=call_id, tool_name=tool, reason=reason) if call_id not in made:
                yield Move(does="asked", tool=tool, why=reason, path=path)
            case VerdictEvent(verdict="reject", check=check, call_id=call_id):
                yield Move(does="rejected", tool=names.get(call_id, ""), why=check, path=path)
            case CorrectionEvent(cause=cause) if not is_told:
                yield Move(does="correction", why=cause, path=path)
            case FinalAnswer(content=content):
                yield Move(does="answer", said=content, path=path)
            case RunFailed(code=code):
                yield Move(does="failed", why=code, path=path)
            case AgentChangedEvent(handed_to=name):
                yield Move(does="hand-off", tool=name, path=path)


def _of_core(events: Sequence[Event]) -> Iterator[str]:
    """Yield the ids of the calls that the core makes or executes itself: checks, skills and hand-offs."""
    for event in events:
        match event:
            case ToolCallEvent(call_id=call_id, checks=checks) if checks:
                yield call_id
            case SkillStarted(call_id=call_id) | AgentChangedEvent(call_id=call_id):
                yield call_id


def _of_call(event: ToolCallEvent | None, asked: dict[str, str], path: tuple[str, ...], sent_back: str) -> Move:
    """Return what is done with a call; sent_back: the cause by which its whole output is, if it is."""
    if event is None:
        return Move(does="refused", why=sent_back, path=path)
    does: Final[Does] = "asked" if event.call_id in asked else "allowed"
    return Move(does=does, tool=event.tool_name, params=event.arguments, why=asked.get(event.call_id, ""), path=path)
