"""What a step does, move by move: what becomes of each call, and what else is done, each in a place.

Two steps that begin with one state are compared by these places, whatever definitions have made them: a call has the
place of its number, so that one decision about it is one move, in both.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from ..draft import Draft
from ..values import (
    AgentChangedEvent,
    ApprovalRequestEvent,
    ChildLine,
    CorrectionEvent,
    Event,
    FinalAnswer,
    RunFailed,
    RunState,
    SkillStarted,
    ToolCallEvent,
    VerdictEvent,
    decode_event,
    event_below,
    is_derived,
)

Does = Literal["allowed", "asked", "refused", "rejected", "answer", "correction", "failed", "hand-off", "nothing"]


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


class MovePlace(NamedTuple):
    """Where a move stands: in which agent, by the numbers of the calls down to it, and there of which call.

    `part`: 0 for what becomes of calls, 1 for outputs of calls and answers that are rejected, 2 for what follows.
    `number`: of the call; of what follows, in order.
    """

    calls: tuple[int, ...]
    part: int
    number: int


PlacedMove = tuple[MovePlace, Move]


class Places(NamedTuple):
    """A state before a step and after it, of a run or of an agent below; None where that has ended."""

    before: RunState | None
    after: RunState | None

    def below(self, call_id: str) -> "Places":
        """Return the states of the agent that a call called."""
        return Places(_child(self.before, call_id), _child(self.after, call_id))

    def tools(self) -> dict[str, str]:
        """Return the tools of the calls that waited before, or wait now, by their ids."""
        states = [state for state in self if state is not None]
        return {call.call_id: call.tool for state in states for call in (*state.run.late, *state.pending)}

    def numbers(self, made: Sequence[int]) -> Sequence[int]:
        """Return the numbers of the calls of a step, those that were refused among them: they have no line.

        made: of those with a line; nothing more is known of a run that has begun or ended in the step.
        """
        if self.before is None or self.after is None:
            return made
        return range(self.before.run.calls + 1, self.after.run.calls + 1)


def _child(state: RunState | None, call_id: str) -> RunState | None:
    calls = () if state is None else state.pending
    return next((call.child for call in calls if call.call_id == call_id), None)


def moves_of(draft: Draft, places: Places) -> tuple[PlacedMove, ...]:
    """Return what a step does."""
    return tuple(_moved(_derived([decode_event(line) for line in draft.lines]), places, (), ()))


def _derived(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if is_derived(event) or isinstance(event, ChildLine)]


def _moved(
    events: Sequence[Event], places: Places, path: tuple[str, ...], calls: tuple[int, ...]
) -> Iterator[PlacedMove]:
    """Yield what the lines of one run say is done, and then of the agents below; path and calls: down to it."""
    of_calls = dict(_of_calls(events, places, path))
    for number, move in of_calls.items():
        yield MovePlace(calls, 0, number), move
    tools = places.tools() | {event.call_id: event.tool_name for event in events if isinstance(event, ToolCallEvent)}
    refused = {f"call_{number}" for number, move in of_calls.items() if move.does == "refused"}
    for event in events:  # a call is refused by a policy with a verdict, too, which is told with it
        if isinstance(event, VerdictEvent) and event.verdict == "reject" and event.call_id not in refused:
            rejected = Move(does="rejected", tool=tools.get(event.call_id, ""), why=event.check, path=path)
            yield MovePlace(calls, 1, _number(event.call_id)), rejected
    for index, move in enumerate(_of_others(events, path, is_told=bool(refused))):
        yield MovePlace(calls, 2, index), move
    for call_id in dict.fromkeys([event.call_id for event in events if isinstance(event, ChildLine)]):
        inner = [event_below(event) for event in events if isinstance(event, ChildLine) and event.call_id == call_id]
        below = (*path, tools.get(call_id, call_id))
        yield from _moved(_derived(inner), places.below(call_id), below, (*calls, _number(call_id)))


def _of_calls(events: Sequence[Event], places: Places, path: tuple[str, ...]) -> Iterator[tuple[int, Move]]:
    """Yield what becomes of calls, by their numbers: of those that the step makes, and that are asked about again."""
    asked = {event.call_id: event.reason for event in events if isinstance(event, ApprovalRequestEvent)}
    made = {event.call_id: event for event in events if isinstance(event, ToolCallEvent) and not event.checks}
    verdicts = {event.call_id: event.check for event in events if isinstance(event, VerdictEvent)}
    sent_back = next((event.cause for event in events if isinstance(event, CorrectionEvent)), "")
    own = set(_of_core(events))
    for number in places.numbers([_number(call_id) for call_id in made]):
        call_id = f"call_{number}"
        if call_id in made:
            yield number, _of_call(made[call_id], asked, path)
        elif call_id not in own:
            yield number, Move(does="refused", why=verdicts.get(call_id, sent_back), path=path)
    for event in events:
        match event:
            case AgentChangedEvent(call_id=call_id, handed_to=name):
                yield _number(call_id), Move(does="hand-off", tool=name, path=path)
            case ApprovalRequestEvent(call_id=call_id, tool_name=tool, reason=reason) if call_id not in made:
                yield _number(call_id), Move(does="asked", tool=tool, why=reason, path=path)


def _of_call(event: ToolCallEvent, asked: Mapping[str, str], path: tuple[str, ...]) -> Move:
    does: Final[Does] = "asked" if event.call_id in asked else "allowed"
    return Move(does=does, tool=event.tool_name, params=event.arguments, why=asked.get(event.call_id, ""), path=path)


def _of_core(events: Sequence[Event]) -> Iterator[str]:
    """Yield the ids of the calls that the core makes or executes itself: checks, skills and hand-offs."""
    for event in events:
        match event:
            case ToolCallEvent(call_id=call_id, checks=checks) if checks:
                yield call_id
            case SkillStarted(call_id=call_id) | AgentChangedEvent(call_id=call_id):
                yield call_id


def _of_others(events: Sequence[Event], path: tuple[str, ...], *, is_told: bool) -> Iterator[Move]:
    """Yield what follows; is_told: a correction sends calls back, and is told with those."""
    for event in events:
        match event:
            case CorrectionEvent(cause=cause) if not is_told:
                yield Move(does="correction", why=cause, path=path)
            case FinalAnswer(content=content):
                yield Move(does="answer", said=content, path=path)
            case RunFailed(code=code):
                yield Move(does="failed", why=code, path=path)


def _number(call_id: str) -> int:
    """Return the number of a call; 0 of what is of none."""
    return int(call_id.removeprefix("call_") or 0)
