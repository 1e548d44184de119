"""One run replayed line by line: each line must be the next one that the core itself would write."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace

from ..agent import Agent, agent_from_source, corrections
from ..bounds import MAX_DEPTH, MAX_NUMBER_DIGITS, MAX_RUN_ID_CHARS, SCHEMA_VERSION
from ..draft import Draft, ToldFact
from ..errors import PurestepError
from ..json_text import check_bounds, decode_json
from ..steps import adopt, advance, agent_after, log_start, unreported, unsupported_version
from ..values import (
    AgentChanged,
    AgentChangedEvent,
    Approval,
    ApprovalEvent,
    Approvals,
    Cancel,
    Cancelled,
    ChildLine,
    DerivedLine,
    Event,
    LogLine,
    Message,
    ModelError,
    ModelErrorEvent,
    ModelOutput,
    ModelResponse,
    Observation,
    Resumed,
    ResumedEvent,
    RunStarted,
    RunState,
    ToolPending,
    ToolPendingEvent,
    ToolResult,
    ToolResultEvent,
    ToolResults,
    UserMessage,
    UserMessageEvent,
    chain,
    decode_event,
    event_below,
    is_derived,
    new_state,
)


class Mismatch(PurestepError):
    """A line is not what it should be; `found` says which, what was due and what came."""

    def __init__(self, code: str, message: str, line: int, expected: str | None, got: str | None) -> None:
        super().__init__(code, f"line {line}: {message}", f"/{line}")
        self.found = (code, message, line, expected, got)


class LogReplayer:
    """The run so far while a log is read; every line taken must be the next one that the core would write."""

    def __init__(
        self, agent: Agent | None = None, state: RunState | None = None, *, keeps_messages: bool = True
    ) -> None:
        """Begin with a run's first line or, with its agent and a state of it, with the line after that state.

        keeps_messages: off for who only checks; the transcript of a long log is most of the memory that it takes.
        """
        self.agent = agent
        self.state: RunState = state or new_state(None, "run")
        self.messages: list[Message] = []
        self.children: dict[str, list[Message]] = {}
        """The transcripts of the agents' runs that go on, by their ids."""
        self.count = self.state.run.seq
        self._keeps_messages = keeps_messages
        self._before = self.state.head
        """The chain's head before the step whose lines are read."""
        self._start: bytes | None = None
        """The line that began the run, until the user message comes that is logged together with it."""
        self._lines: list[bytes] = []
        self._next = 0

    @property
    def head(self) -> str:
        """The chain's head over the lines taken, which are those that the core would write: so it has hashed them."""
        if self._lines and self._next == len(self._lines):
            return self.state.head
        head = self._before
        for line in self._lines[: self._next] if self._start is None else [self._start]:
            head = chain(head, line)
        return head

    @property
    def due(self) -> list[bytes]:
        """Derived lines that follow from the facts so far and have not been read yet."""
        return self._lines[self._next :]

    def take(self, number: int, line: bytes) -> None:
        """Take one line: the next one due, or a fact that makes new ones due."""
        if self._next == len(self._lines):
            self._fact(number, line)
        if self._start is None:
            expected = self._lines[self._next]
            if line != expected:
                raise Mismatch(*_differs(number, expected, line))
            self._next += 1
        self.count += 1

    def _fact(self, number: int, line: bytes) -> None:
        event = read_line(number, line)
        if is_derived(event):
            raise Mismatch("log_mismatch", "a derived line stands where a fact is due", number, None, readable(line))
        if isinstance(event, RunStarted):
            self._begin(event, number, line)
        elif self.agent is None:
            raise Mismatch("invalid_log", "a log begins with run_started", number, None, readable(line))
        else:
            self._advance(self.agent, number, event)

    def _begin(self, event: RunStarted, number: int, line: bytes) -> None:
        if self.agent is not None:
            raise Mismatch("invalid_log", "run_started stands only at the beginning", number, None, readable(line))
        if event.schema_version != SCHEMA_VERSION:
            raise unsupported_version(event.schema_version, f"/{number}")
        if not 0 < len(event.run_id) <= MAX_RUN_ID_CHARS:
            raise Mismatch("invalid_log", "no run has such an id", number, None, readable(line))
        agent = agent_from_source(bytes(event.agent))
        self.agent = agent
        if event.history is not UNSET:
            self._follow(number, *adopt(agent, event, _at(event)))
            return
        self.state = new_state(agent.digest, event.run_id)
        draft = Draft(agent, self.state, _at(event), "")
        log_start(draft)
        if draft.lines != [line]:
            raise Mismatch(*_differs(number, draft.lines[0], line))
        self._start = line

    def _advance(self, agent: Agent, number: int, event: Event) -> None:
        try:
            draft = draft_of(agent, self.state, event)
        except PurestepError as error:
            raise Mismatch("invalid_log", error.message, number, None, None) from None
        self._follow(number, draft, draft.messages)
        self.agent = agent_after(agent, self.state)
        if self._start is not None:
            if self._lines[0] != self._start:  # which was right in itself: all that the message adds is its time
                raise Mismatch("log_mismatch", "its time is not that of run_started", number, None, None)
            self._start, self._next = None, 1

    def _follow(self, number: int, draft: Draft, messages: list[Message]) -> None:
        if not draft.lines:
            raise Mismatch("invalid_log", "the fact leads to no line; nothing waited for it", number, None, None)
        self._before, self.state = self.state.head, draft.close()
        if self._keeps_messages:
            self.messages += messages
        if self._keeps_messages and (draft.children or self.children):
            self._keep_children(draft)
        self._lines, self._next = draft.lines, 0

    def _keep_children(self, draft: Draft) -> None:
        for run_id, messages in draft.children.items():
            self.children[run_id] = [*self.children.get(run_id, ()), *messages]
        self.children = {run_id: self.children[run_id] for run_id in _run_ids(self.state)}


def _run_ids(state: RunState) -> Iterator[str]:
    """Yield the ids of the runs of agents that go on, those of theirs among them."""
    for call in state.pending:
        if call.child is not None:
            yield call.child.run_id
            yield from _run_ids(call.child)


def draft_of(agent: Agent, state: RunState, event: Event, told: list[ToldFact] | None = None) -> Draft:
    """Return the step that a fact leads to; told: takes what policies are told. Error codes: those of the step."""
    if isinstance(event, ChildLine):
        return advance(agent, state, _below(state, event), told=told)
    waits = agent.is_open and state.phase == "tools"
    if waits and isinstance(event, ToolResultEvent) and _is_unreported(event):
        return unreported(agent, state, _at(event))
    has_more = isinstance(event, ToolResultEvent) and event.more
    return advance(agent, state, observation_of(event), told=told, has_more=has_more)


def _below(state: RunState, event: ChildLine) -> Observation:
    """Return the observation that a fact of an agent's run records."""
    child = next((call.child for call in state.pending if call.call_id == event.call_id), None)
    if child is None:
        raise PurestepError("invalid_log", f"no agent goes on that {corrections.shown(event.call_id)} called")
    try:
        fact = event_below(event)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise PurestepError("invalid_log", "expected an event in the line of an agent's run") from None
    if isinstance(fact, ChildLine):
        return _below(child, fact)
    if isinstance(fact, DerivedLine | RunStarted | AgentChangedEvent):
        raise PurestepError("invalid_log", "a derived line of an agent's run stands where a fact is due")
    observation = observation_of(fact)
    assert not isinstance(observation, AgentChanged)  # which only its caller's change leads to
    return replace(observation, run_id=child.run_id, at=_at(event))


def _is_unreported(event: ToolResultEvent) -> bool:
    """Whether the core wrote that a host went on without a result; a host's own result says an error."""
    return event.error_kind == "unreported" and event.ok is False and event.error is None


def readable(line: bytes) -> str:
    """Return a line as text; invalid UTF-8 is replaced."""
    return line.decode("utf-8", "replace")


def _differs(number: int, expected: bytes, got: bytes) -> tuple[str, str, int, str, str]:
    return (
        "log_mismatch",
        "the line is not what the facts before it lead to",
        number,
        readable(expected),
        readable(got),
    )


def read_line(number: int, line: bytes) -> Event:
    """Return the event of a line; raises Mismatch for one that cannot be read."""
    try:
        if len(line) > MAX_NUMBER_DIGITS or line.count(b"{") + line.count(b"[") > MAX_DEPTH:
            check_bounds(line)  # others keep to the bounds, whatever they say
        return decode_event(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, PurestepError):
        raise Mismatch("invalid_log", _why(line), number, None, readable(line)) from None


def _why(line: bytes) -> str:
    try:
        value = decode_json(line)
    except PurestepError as error:
        return error.message
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        return 'expected an object with "kind"'
    return f"expected an event; got kind {kind!r} as this release does not know it; a later one may have written it"


def _at(event: Any) -> int | None:
    return None if event.at is UNSET else event.at


def observation_of(event: Event) -> Observation:
    """Return the observation that a fact records."""
    at = _at(event)
    match event:
        case ModelResponse():
            return model_output(event)
        case ToolResultEvent():
            return ToolResults(results=(_result(event),), at=at)
        case ToolPendingEvent():
            return ToolPending(call_id=event.call_id, handle=event.handle, note=event.note, at=at)
        case UserMessageEvent():
            return UserMessage(at=at, **_said(event))
        case ApprovalEvent():
            return Approvals(approvals=(Approval(**_said(event)),), at=at)
        case ModelErrorEvent():
            return ModelError(at=at, **_said(event))
        case Cancelled():
            return Cancel(at=at, **_said(event))
        case ResumedEvent():
            return Resumed(at=at)
        case AgentChangedEvent():
            return AgentChanged(agent=event.agent, at=at)
        case _:
            raise PurestepError("invalid_log", "expected a fact")


def _said(event: Event) -> dict[str, Any]:
    """Return the members of a line that its observation has too."""
    return {name: value for name, value in asdict(event).items() if name not in LogLine.__struct_fields__}


def model_output(event: ModelResponse) -> ModelOutput:
    """Return the model's output that a line records."""
    return ModelOutput(
        content=None if event.content is UNSET else event.content,
        tool_calls=event.tool_calls,
        finish_reason=event.finish_reason,
        usage=event.usage,
        model=event.model,
        scores=event.scores,
        confidence=event.confidence,
        extra=event.extra,
        at=_at(event),
        request=event.request,
        response_id=event.response_id,
        asked_at=event.asked_at,
        first_token_at=event.first_token_at,
    )


def _result(event: ToolResultEvent) -> ToolResult:
    return ToolResult(
        call_id=event.call_id if event.call_id is not UNSET else "",
        ok=event.ok is not UNSET and event.ok,
        output=None if event.output is UNSET else event.output,
        error=event.error,
        error_kind=event.error_kind,
        reference=event.reference,
        parts=event.parts,
        ended_at=event.ended_at,
        asks=event.asks,
        usage=event.usage,
    )
