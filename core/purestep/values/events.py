"""Log lines: the facts of a run, in order, and what the core derived from them.

A fact from outside is recorded as it came; a derived line can be made again from the facts before it. A
derived line carries `prev`, the chain's head before it, so that a changed fact shows without any key.
"""

from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ..lazy import lazy_decoder
from .acts import Act
from .citations import Citation
from .content import Content, Data
from .reading import Problem
from .tool_choice import ToolChoice
from .wire import (
    Cancel,
    Count,
    Millis,
    ModelError,
    ModelOutput,
    NativeCall,
    OutputReference,
    RequestParameters,
    ResponseId,
    Usage,
    asking_of,
)


class RunStarted(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="run_started", tag_field="kind", gc=False):
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
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class UserMessageEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="user_message", tag_field="kind", gc=False
):
    """The user said something, in text or parts; `tool_choice` held for that exchange, `data` came along."""

    content: Content
    data: Data = ()
    tool_choice: ToolChoice | None = None
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class ModelResponse(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="model_response", tag_field="kind", gc=False
):
    """The model's raw output, recorded before it is read; with how it was asked for and when it came, as told."""

    content: str | UnsetType | None = UNSET
    tool_calls: tuple[NativeCall, ...] | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    model: str | None = None
    scores: dict[str, Any] | None = None
    extra: Any = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class ToolResultEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="tool_result", tag_field="kind", gc=False
):
    """The result of a tool call, whole, before any check or cut; or a `reference` to one that stays with the host."""

    tool_name: str
    output: Any = UNSET
    call_id: str | UnsetType = UNSET
    ok: bool | UnsetType = UNSET
    error: str | None = None
    error_kind: str | None = None
    reference: OutputReference | None = None
    ended_at: Millis | None = None
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class ApprovalEvent(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="approval", tag_field="kind", gc=False):
    """A person's answer for a call."""

    call_id: str
    key: str
    approved: bool
    params: dict[str, Any] | None = None
    reason: str | None = None
    by: str | None = None
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class ModelErrorEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="model_error", tag_field="kind", gc=False
):
    """The model gave nothing; where the host tells it, with what was sent and used until its reply broke off."""

    code: str
    message: str = ""
    retryable: bool = False
    retry_after_ms: Count | None = None
    usage: Usage | None = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class Cancelled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="cancelled", tag_field="kind", gc=False):
    """Somebody stopped the run; with the facts of the output that was stopped with it, as told."""

    reason: str | None = None
    usage: Usage | None = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class ResumedEvent(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="resumed", tag_field="kind", gc=False):
    """The host was stopped while calls were handed out, and the run goes on."""

    seq: int | UnsetType = UNSET
    at: int | UnsetType = UNSET


class AgentChangedEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="agent_changed", tag_field="kind", gc=False
):
    """The run goes on under this definition; the digests name the one before (null: the bare form) and this one."""

    agent: Raw
    from_digest: str | None
    to_digest: str
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET


class ToolCallEvent(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="tool_call", tag_field="kind", gc=False):
    """Derived: a call that passed every check and is due, once approved where approval is needed.

    `problems` say what of the arguments was changed before they passed; the turn's first call also names what of the
    output was not read as written. `checks`: the id of the call whose output it judges, or `answer`.
    """

    call_id: str
    tool_name: str
    arguments: dict[str, Any]
    key: str
    checks: str = ""
    problems: tuple[Problem, ...] = ()
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class ApprovalRequestEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="approval_request", tag_field="kind", gc=False
):
    """Derived: a call that waits for a person; `policy`: the one that has the person asked."""

    call_id: str
    tool_name: str
    key: str
    reason: str
    policy: str = ""
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class CorrectionEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="correction", tag_field="kind", gc=False
):
    """Derived: feedback that the model is sent, and how many in a row for this cause.

    `problems` say what of the output could not be read as written.
    """

    cause: str
    attempt: int
    content: str
    problems: tuple[Problem, ...] = ()
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class VerdictEvent(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="verdict", tag_field="kind", gc=False):
    """Derived: what the checks said of a tool output or an answer."""

    verdict: str
    check: str = ""
    call_id: str = ""
    reason: str = ""
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class SkillStarted(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="skill_started", tag_field="kind", gc=False
):
    """Derived: the core began to execute a call as a skill; the model's outputs up to its end are of that.

    `problems` say what of the output with the call was not read as written, unless a `tool_call` line says so.
    """

    call_id: str
    skill: str
    params: dict[str, Any]
    problems: tuple[Problem, ...] = ()
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class SkillEnded(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="skill_ended", tag_field="kind", gc=False):
    """Derived: the skill gave its output, or failed with an error of this kind."""

    call_id: str
    skill: str
    ok: bool
    output: Any = UNSET
    error: str | None = None
    error_kind: str | None = None
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class Decided(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="decided", tag_field="kind", gc=False):
    """Derived: a move that the model did not ask for.

    With the reason `retry` it is asked again after `wait_ms`, for the `attempt`th time; with `near_limit` it is told
    `content`, and with `final_answer` also given no tools. With `steered` the user messages that came since the model
    was asked are put before its next call, or begin the next exchange where an answer stands before the line. With
    `one_call` the next call is the only one that the definition leaves; with `scored` the model's scores chose the
    `tools` that it is offered, none where it is asked for an answer.
    """

    reason: str
    tools: tuple[str, ...] = ()
    wait_ms: int = 0
    attempt: int = 0
    content: str = ""
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class Switched(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="switched", tag_field="kind", gc=False):
    """Derived: later model calls differ from those before in more than what was appended, and why.

    `what` is `prompt` (outputs `shortened`, messages `dropped`, about `tokens` remain), `model` (now `to`), `summary`
    (of `dropped` messages it is asked for with about `tokens`; then, `written`, it has up to `tokens`), `no_summary`,
    `spans` (arguments cannot be copied from `dropped` characters of a long text), or a move of the negotiation:
    `dialect`, `carry` or `examples`.
    """

    what: str
    cause: str
    to: str = ""
    shortened: int = 0
    dropped: int = 0
    tokens: int = 0
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class FinalAnswer(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag="final_answer", tag_field="kind", gc=False
):
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
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


class RunFailed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="run_failed", tag_field="kind", gc=False):
    """Derived: the run ended without an answer; `acts` as beside an answer."""

    code: str
    message: str
    detail: dict[str, Any] | None = None
    acts: tuple[Act, ...] | UnsetType = UNSET
    acts_left_out: int = 0
    seq: int | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    prev: str = ""


Fact = (
    RunStarted
    | UserMessageEvent
    | ModelResponse
    | ToolResultEvent
    | ApprovalEvent
    | ModelErrorEvent
    | Cancelled
    | ResumedEvent
    | AgentChangedEvent
)
Derived = (
    ToolCallEvent
    | ApprovalRequestEvent
    | CorrectionEvent
    | VerdictEvent
    | SkillStarted
    | SkillEnded
    | Decided
    | Switched
    | FinalAnswer
    | RunFailed
)
Event = Fact | Derived

_DECODER: Final["msgspec.json.Decoder[Event]"] = lazy_decoder(Event)


def decode_event(line: bytes) -> Event:
    """Return the event of a line; fields the core does not know are left out."""
    return _DECODER.decode(line)


def decode_events(lines: bytes) -> list[Event]:
    """Return the events of lines, decoded in one call."""
    return _DECODER.decode_lines(lines)


def response_of(output: ModelOutput) -> ModelResponse:
    """Return the line that records an output; its time is that of the step."""
    return ModelResponse(
        content=output.content,
        tool_calls=output.tool_calls,
        finish_reason=output.finish_reason,
        usage=output.usage,
        model=output.model,
        scores=output.scores,
        extra=output.extra,
        # Each by name and not `**asking_of(output)`, as the rarer lines have it: that takes three times as long.
        request=output.request,
        response_id=output.response_id,
        asked_at=output.asked_at,
        first_token_at=output.first_token_at,
    )


def error_event_of(error: ModelError) -> ModelErrorEvent:
    """Return the line that records a model's error; its time is that of the step."""
    return ModelErrorEvent(
        code=error.code,
        message=error.message,
        retryable=error.retryable,
        retry_after_ms=error.retry_after_ms,
        usage=error.usage,
        **asking_of(error),
    )


def cancelled_of(cancel: Cancel) -> Cancelled:
    """Return the line that records a stop; its time is that of the step."""
    return Cancelled(reason=cancel.reason, usage=cancel.usage, **asking_of(cancel))


def chain(head: str, line: bytes) -> str:
    """Return the chain's head after the line: hex(sha256(head before + line))."""
    return sha256(head.encode() + line).hexdigest()
