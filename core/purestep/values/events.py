"""Log lines: the facts of a run, in order, and what the core derived from them.

A fact from outside is recorded as it came; a derived line can be made again from the facts before it. A
derived line carries `prev`, the chain's head before it, so that a changed fact shows without any key.
"""

from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ..lazy import lazy_decoder
from .content import Content, Data, ResultParts
from .rates import ModelRate, RequestKind
from .reading import Problem
from .toolspec import ToolChoice
from .wire import (
    Act,
    AskedForm,
    Cancel,
    Citation,
    Confidence,
    Count,
    Handle,
    Millis,
    ModelError,
    ModelOutput,
    NativeCall,
    OutputReference,
    RefusedMembers,
    RequestMember,
    RequestParameters,
    ResponseId,
    Usage,
)


class LogLine(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", gc=False):
    """What every line has: its number in the run, and the host's clock in the step that wrote it.

    These are given by name, and so stand after the members of a line's own, which need not be.
    """

    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class DerivedLine(LogLine, frozen=True, kw_only=True):
    """What every derived line has besides: the head before it."""

    prev: str = ""


class RunStarted(LogLine, frozen=True, tag="run_started"):
    """A run began, with this definition (null: the bare form).

    An imported one began with these messages, and was complete if it has an answer; `tool_choice` is that of its
    last user message.
    """

    schema_version: int
    run_id: str
    agent: Raw
    history: Raw | UnsetType = UNSET
    answer: str | UnsetType = UNSET
    tool_choice: ToolChoice | None = None


class UserMessageEvent(LogLine, frozen=True, tag="user_message"):
    """The user said something, in text or parts; the other members are those of `user_message`."""

    content: Content
    data: Data = ()
    tool_choice: ToolChoice | None = None
    refused: RefusedMembers = ()
    pinned: bool = False


class ModelResponse(LogLine, frozen=True, tag="model_response"):
    """The model's raw output, recorded before it is read; with how it was asked for and when it came, as told.

    `cost`: of its tokens at the price that the definition gives, in millionths of its unit; absent without one.
    """

    content: str | UnsetType | None = UNSET
    tool_calls: tuple[NativeCall, ...] | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    model: str | None = None
    scores: dict[str, Any] | None = None
    confidence: Confidence | None = None
    extra: Any = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None
    cost: Count | None = None


class ToolResultEvent(LogLine, frozen=True, tag="tool_result"):
    """The result of a tool call, whole, before any check or cut; or a `reference` to one that stays with the host.

    `asks`: the call has not ended, and asks a person. `usage` and `cost`: of the model, which the tool had asked.
    `more`: another late result came with it after the answer, in the next line, and both begin one exchange.
    """

    tool_name: str
    output: Any = UNSET
    call_id: str | UnsetType = UNSET
    ok: bool | UnsetType = UNSET
    error: str | None = None
    error_kind: str | None = None
    reference: OutputReference | None = None
    parts: ResultParts = ()
    ended_at: Millis | None = None
    asks: AskedForm | None = None
    usage: Usage | None = None
    cost: Count | None = None
    more: bool = False


class ToolPendingEvent(LogLine, frozen=True, tag="tool_pending"):
    """A call goes on elsewhere, under this handle; its result comes in a later `tool_result`."""

    tool_name: str
    call_id: str
    handle: Handle
    note: str | None = None


class ApprovalEvent(LogLine, frozen=True, tag="approval"):
    """A person's answer for a call."""

    call_id: str
    key: str
    approved: bool
    params: dict[str, Any] | None = None
    reason: str | None = None
    by: str | None = None


class ModelErrorEvent(LogLine, frozen=True, tag="model_error"):
    """The model gave nothing; where the host tells it, with what was sent and used until its reply broke off."""

    code: str
    message: str = ""
    retryable: bool = False
    retry_after_ms: Count | None = None
    refused: RequestMember | None = None
    usage: Usage | None = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None


class Cancelled(LogLine, frozen=True, tag="cancelled"):
    """Somebody stopped the run; with the facts of the output that was stopped with it, as told."""

    reason: str | None = None
    usage: Usage | None = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None


class ResumedEvent(LogLine, frozen=True, tag="resumed"):
    """The host was stopped while calls were handed out, and the run goes on."""


class AgentChangedEvent(LogLine, frozen=True, tag="agent_changed"):
    """The run goes on under this definition; the digests name the one before (null: the bare form) and this one.

    Derived, with `prev`, where the model has handed the conversation over by a call: to the agent of that name.
    """

    agent: Raw
    from_digest: str | None
    to_digest: str
    call_id: str = ""
    handed_to: str = ""
    prev: str = ""


class ChildLine(LogLine, frozen=True, tag="child"):
    """A line of the run of an agent that a call called, as that run has it; with `prev` where it is derived here."""

    call_id: str
    line: Raw
    prev: str = ""


class ToolCallEvent(DerivedLine, frozen=True, tag="tool_call"):
    """Derived: a call that passed every check and is due, once approved where approval is needed.

    `problems` say what of the arguments was changed before they passed; the turn's first call also names what of the
    output was not read as written. `checks`: the id of the call whose output it judges or the search that it ranks for,
    or `answer`.
    """

    call_id: str
    tool_name: str
    arguments: dict[str, Any]
    key: str
    checks: str = ""
    problems: tuple[Problem, ...] = ()


class ApprovalRequestEvent(DerivedLine, frozen=True, tag="approval_request"):
    """Derived: a call that waits for a person; `policy`: the one that has the person asked, `note`: its question."""

    call_id: str
    tool_name: str
    key: str
    reason: str
    policy: str = ""
    note: str = ""


class CorrectionEvent(DerivedLine, frozen=True, tag="correction"):
    """Derived: feedback that the model is sent, and how many in a row for this cause.

    `problems` say what of the output could not be read as written.
    """

    cause: str
    attempt: int
    content: str
    problems: tuple[Problem, ...] = ()


class VerdictEvent(DerivedLine, frozen=True, tag="verdict"):
    """Derived: what the checks said of a tool output or an answer."""

    verdict: str
    check: str = ""
    call_id: str = ""
    reason: str = ""


class SkillStarted(DerivedLine, frozen=True, tag="skill_started"):
    """Derived: the core began to execute a call as a skill; the model's outputs up to its end are of that.

    `problems` say what of the output with the call was not read as written, unless a `tool_call` line says so.
    """

    call_id: str
    skill: str
    params: dict[str, Any]
    problems: tuple[Problem, ...] = ()


class SkillEnded(DerivedLine, frozen=True, tag="skill_ended"):
    """Derived: the skill gave its output, or failed with an error of this kind."""

    call_id: str
    skill: str
    ok: bool
    output: Any = UNSET
    error: str | None = None
    error_kind: str | None = None


class ChildEnded(DerivedLine, frozen=True, tag="child_ended"):
    """Derived: an agent that was called has ended, its log with this `head`, and its answer is the call's result.

    `error_kind` is the code with which it failed.
    """

    call_id: str
    agent: str
    head: str
    ok: bool
    output: Any = UNSET
    error: str | None = None
    error_kind: str | None = None


class Decided(DerivedLine, frozen=True, tag="decided"):
    """Derived: a move that the model did not ask for.

    With the reason `late` the model goes on without the result of the call that the line before names, with
    `late_results` it reads such results, of these `tools`. With `retry` it is asked again after `wait_ms`, for the
    `attempt`th time; with `near_limit` it is told `content`, and with `final_answer` also given no tools. With
    `steered` the user messages that came since the model was asked are put before its next call, or begin the next
    exchange where an answer stands before the line. With `one_call` the next call is the only one that the definition
    leaves; with `scored` the model's scores chose the `tools` that it is offered, none where it is asked for an answer.
    With `step` the `attempt`th step of a plan is asked, which is `content`. With `rates` the `model` is asked first,
    because of what is known of each for a request of this `request` kind.
    """

    reason: str
    tools: tuple[str, ...] = ()
    wait_ms: int = 0
    attempt: int = 0
    content: str = ""
    model: str = ""
    request: RequestKind | None = None
    rates: tuple[ModelRate, ...] = ()


class Switched(DerivedLine, frozen=True, tag="switched"):
    """Derived: later model calls differ from those before in more than what was appended, and why.

    `what` is `prompt` (outputs `shortened`, messages `dropped`, about `tokens` remain), `history` (the same, by its
    rule `cause`), `model` (now `to`), `summary` (of `dropped` messages it is asked for with about `tokens`; then,
    `written`, it has up to `tokens`), `no_summary`, `plan` (asked of `to`; then, `written`, `to` is asked its steps),
    `no_plan` (`to` goes on without one), `spans` (arguments cannot be copied from `dropped` characters of a long text),
    or a move of the negotiation: `dialect`, `carry` or `examples`. It is `request` where the server refused the member
    `cause` of the request, which is left out since; `to` is then what stands for it: another member, or the dialect
    that writes calls into the text.
    """

    what: str
    cause: str
    to: str = ""
    shortened: int = 0
    dropped: int = 0
    tokens: int = 0


class FinalAnswer(DerivedLine, frozen=True, tag="final_answer"):
    """Derived: the run ended with this answer.

    `problems` say what of the output was not read as written, and what of its data was changed to make it fit;
    `citations` which results it cites; `acts` the calls of the exchange that may have changed something, and
    `acts_left_out` how many later ones there were.
    `question`: it asks the user for something.
    """

    content: str
    data: Any = UNSET
    problems: tuple[Problem, ...] = ()
    citations: tuple[Citation, ...] = ()
    question: bool = False
    acts: tuple[Act, ...] | UnsetType = UNSET
    acts_left_out: int = 0


class RunFailed(DerivedLine, frozen=True, tag="run_failed"):
    """Derived: the run ended without an answer; `acts` as beside an answer."""

    code: str
    message: str
    detail: dict[str, Any] | None = None
    acts: tuple[Act, ...] | UnsetType = UNSET
    acts_left_out: int = 0


Fact = (
    RunStarted
    | UserMessageEvent
    | ModelResponse
    | ToolResultEvent
    | ToolPendingEvent
    | ApprovalEvent
    | ModelErrorEvent
    | Cancelled
    | ResumedEvent
    | AgentChangedEvent
    | ChildLine
)
Derived = (
    AgentChangedEvent
    | ToolCallEvent
    | ApprovalRequestEvent
    | CorrectionEvent
    | VerdictEvent
    | SkillStarted
    | SkillEnded
    | ChildEnded
    | Decided
    | Switched
    | FinalAnswer
    | RunFailed
)
Event = Fact | Derived

_DECODER: Final["msgspec.json.Decoder[Event]"] = lazy_decoder(Event)


def event_below(line: ChildLine) -> Event:
    """Return the event of an agent's run that a line of its caller's log holds; of two levels down, with both lines."""
    return _DECODER.decode(line.line)


def is_derived(event: Event) -> bool:
    """Whether a line can be made again from the facts before it."""
    return event.prev != "" if isinstance(event, ChildLine | AgentChangedEvent) else isinstance(event, DerivedLine)


def decode_event(line: bytes) -> Event:
    """Return the event of a line; fields the core does not know are left out."""
    return _DECODER.decode(line)


def decode_events(lines: bytes) -> list[Event]:
    """Return the events of lines, decoded in one call."""
    return _DECODER.decode_lines(lines)


def response_of(output: ModelOutput, cost: int | None = None) -> ModelResponse:
    """Return the line that records an output; its time is that of the step. cost: what its tokens cost, if known."""
    # Each by name, unlike the rarer lines below: that takes a third of the time.
    return ModelResponse(
        content=output.content,
        tool_calls=output.tool_calls,
        finish_reason=output.finish_reason,
        usage=output.usage,
        model=output.model,
        scores=output.scores,
        confidence=output.confidence,
        extra=output.extra,
        request=output.request,
        response_id=output.response_id,
        asked_at=output.asked_at,
        first_token_at=output.first_token_at,
        cost=cost,
    )


def error_event_of(error: ModelError) -> ModelErrorEvent:
    """Return the line that records a model's error; its time is that of the step."""
    return ModelErrorEvent(**_timeless(error))


def cancelled_of(cancel: Cancel) -> Cancelled:
    """Return the line that records a stop; its time is that of the step."""
    return Cancelled(**_timeless(cancel))


def _timeless(observation: ModelError | Cancel) -> dict[str, Any]:
    """Return the members of an observation that its line has too."""
    return {name: value for name, value in msgspec.structs.asdict(observation).items() if name not in ("at", "run_id")}


def chain(head: str, line: bytes) -> str:
    """Return the chain's head after the line: hex(sha256(head before + line))."""
    return sha256(head.encode() + line).hexdigest()
