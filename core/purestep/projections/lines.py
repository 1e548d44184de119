"""The lines of a log taken one by one: each must be the next one, and its chain unbroken, before a form is told of it.

A projection derives nothing again, so it is no verification: it finds lines that are damaged, missing or doubled, and a
fact that was changed at the next derived line. `verify_log` finds what else there is.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from ..agent import CHECK
from ..agent import corrections as words
from ..bounds import SCHEMA_VERSION
from ..errors import PurestepError
from ..log import read_event
from ..values import (
    DERIVED,
    ApprovalEvent,
    ApprovalRequestEvent,
    Cancelled,
    CorrectionEvent,
    Decided,
    FinalAnswer,
    Message,
    ModelErrorEvent,
    ModelResponse,
    ResumedEvent,
    RunFailed,
    RunStarted,
    SkillEnded,
    SkillStarted,
    Switched,
    ToolCallEvent,
    ToolResultEvent,
    UserMessageEvent,
    VerdictEvent,
    chain,
)
from .walk import DENIED, NO_RESULT, REJECTED, LogForm, OpenCall, Result, Walk

_CHAINED: Final = frozenset(DERIVED)
"""Lines that name the head before them."""


def take_line(walk: Walk, form: LogForm, line: bytes, out: list[Any]) -> None:
    """Read one line and have the form told; raises `invalid_log`, `log_mismatch` or `unsupported_version`."""
    event = read_event(walk.line, line)
    kind = type(event)
    if event.seq is not UNSET and event.seq != walk.seq:
        raise _mismatch(walk, f"expected the line {walk.seq} of the run; got {event.seq}")
    if kind in _CHAINED and getattr(event, "prev", "") != walk.head:
        raise _mismatch(walk, "a line before it was changed: the hash chain is broken")
    if (walk.seq == 0) != (kind is RunStarted):
        raise _invalid(walk, "a log begins with run_started, and has no other")
    walk.head = chain(walk.head, line)
    walk.seq += 1
    if event.at is not UNSET:
        walk.at = event.at
    _TAKERS[kind](walk, form, event, out)


def _invalid(walk: Walk, message: str) -> PurestepError:
    return PurestepError("invalid_log", f"line {walk.line}: {message}", f"/{walk.line}")


def _mismatch(walk: Walk, message: str) -> PurestepError:
    return PurestepError("log_mismatch", f"line {walk.line}: {message}", f"/{walk.line}")


class _Named(Struct):
    """The name of a model."""

    name: str


class _Definition(Struct):
    """What a projection shows of a definition."""

    name: str = ""
    instructions: str = ""
    models: tuple[_Named, ...] = ()


_decode_definition: Final = msgspec.json.Decoder(_Definition | None).decode
_decode_history: Final = msgspec.json.Decoder(list[Message]).decode


def _run_started(walk: Walk, form: LogForm, event: RunStarted, out: list[Any]) -> None:
    if event.schema_version != SCHEMA_VERSION:
        raise PurestepError(
            "unsupported_version", f"line {walk.line} was written by schema version {event.schema_version}"
        )
    try:
        definition = _decode_definition(event.agent) or _Definition()
        history = [] if event.history is UNSET else _decode_history(event.history)
    except msgspec.MsgspecError:
        raise _invalid(walk, "expected a definition and messages that the core has written") from None
    walk.run_id, walk.agent = event.run_id, definition.name
    walk.models = tuple([model.name for model in definition.models])
    walk.trace = walk.exchange = walk.head
    walk.is_asking = event.history is not UNSET and event.answer is UNSET
    form.began(walk, definition.instructions, history, out)


def _user_message(walk: Walk, form: LogForm, event: UserMessageEvent, out: list[Any]) -> None:
    walk.exchange, walk.usage, walk.is_asking = walk.head, [], True
    form.asked(walk, event.content, out)


def _model_response(walk: Walk, form: LogForm, event: ModelResponse, out: list[Any]) -> None:
    walk.count(event)
    form.heard(walk, event, out)


def _model_error(walk: Walk, form: LogForm, event: ModelErrorEvent, out: list[Any]) -> None:
    form.noted(walk, "model_error", {"code": event.code, "message": event.message}, out)


def _tool_call(walk: Walk, form: LogForm, event: ToolCallEvent, out: list[Any]) -> None:
    call = OpenCall(event.tool_name, event.arguments, walk.head[:16], walk.at, checks=event.checks)
    walk.calls[event.call_id] = call
    form.called(walk, event.call_id, call, out)


def _approval_request(walk: Walk, form: LogForm, event: ApprovalRequestEvent, out: list[Any]) -> None:
    call = _open(walk, event.call_id)
    call.approval = event.key
    form.held_back(walk, event.call_id, call, event.reason, out)


def _approval(walk: Walk, form: LogForm, event: ApprovalEvent, out: list[Any]) -> None:
    call = _open(walk, event.call_id)
    edited = event.approved and event.params is not None and event.params != call.arguments
    answer: dict[str, Any] = {"call_id": event.call_id, "approved": event.approved}
    answer |= {name: value for name in ("reason", "by") if (value := getattr(event, name))}
    if edited:
        answer["arguments"] = event.params
    form.decided(walk, event.call_id, call, answer, out)
    call.approval = ""
    if edited:
        call.arguments, call.is_edited = event.params or {}, True
    if not event.approved:
        why = f": {event.reason}" if event.reason else ""
        _end(walk, form, event.call_id, Result(fault=DENIED, text=f"A person refused the call{why}"), out)
    if not walk.waiting:
        for each in walk.calls.values():
            each.at = walk.at  # nothing of a turn runs before all its calls are answered for


def _tool_result(walk: Walk, form: LogForm, event: ToolResultEvent, out: list[Any]) -> None:
    call_id = "" if event.call_id is UNSET else event.call_id
    call = _open(walk, call_id)
    if event.ok is not True:
        kind = event.error_kind or "execution"
        _end(walk, form, call_id, Result(fault=kind, text=event.error or "It failed without saying why."), out)
        return
    call.output = None if event.output is UNSET else event.output
    if call.checks:
        _end(walk, form, call_id, Result(output=call.output), out)


def _verdict(walk: Walk, form: LogForm, event: VerdictEvent, out: list[Any]) -> None:
    call = walk.calls.get(event.call_id)
    if event.verdict != "accept":
        form.noted(walk, "verdict", {"check": event.check, "call_id": event.call_id, "reason": event.reason}, out)
    if call is None or call.output is UNSET:
        return
    if event.verdict != "accept":
        _end(walk, form, event.call_id, Result(fault=REJECTED, text=event.reason), out)
    elif event.check != CHECK:
        _end(walk, form, event.call_id, Result(output=call.output), out)


def _skill_started(walk: Walk, form: LogForm, event: SkillStarted, out: list[Any]) -> None:
    call = OpenCall(event.skill, event.params, walk.head[:16], walk.at, is_skill=True)
    walk.calls[event.call_id] = call
    form.called(walk, event.call_id, call, out)
    walk.skill = event.call_id


def _skill_ended(walk: Walk, form: LogForm, event: SkillEnded, out: list[Any]) -> None:
    _open(walk, event.call_id)
    walk.skill = ""
    output = None if event.output is UNSET else event.output
    failed = Result(fault=event.error_kind or "execution", text=event.error or "")
    _end(walk, form, event.call_id, Result(output=output) if event.ok else failed, out)


def _correction(walk: Walk, form: LogForm, event: CorrectionEvent, out: list[Any]) -> None:
    if not walk.skill:
        form.rejected(walk, event.cause, out)
    form.noted(walk, "correction", {"cause": event.cause, "attempt": event.attempt}, out)


def _decided(walk: Walk, form: LogForm, event: Decided, out: list[Any]) -> None:
    value = {"reason": event.reason, "tools": list(event.tools), "wait_ms": event.wait_ms, "attempt": event.attempt}
    form.noted(walk, "decided", {name: each for name, each in value.items() if each}, out)


def _switched(walk: Walk, form: LogForm, event: Switched, out: list[Any]) -> None:
    names = ("what", "cause", "to", "shortened", "dropped", "tokens")
    form.noted(walk, "switched", {name: each for name in names if (each := getattr(event, name))}, out)


def _final_answer(walk: Walk, form: LogForm, event: FinalAnswer, out: list[Any]) -> None:
    _end_all(walk, form, "the run was answered without it", out)
    form.answered(walk, event.content, event.data, out)
    walk.is_asking = False


def _run_failed(walk: Walk, form: LogForm, event: RunFailed, out: list[Any]) -> None:
    _end_all(walk, form, event.message, out)
    form.failed(walk, event.code, event.message, out)
    walk.is_asking = False


def _cancelled(walk: Walk, form: LogForm, event: Cancelled, out: list[Any]) -> None:
    form.noted(walk, "cancelled", {"reason": event.reason} if event.reason else {}, out)


def _resumed(walk: Walk, form: LogForm, event: ResumedEvent, out: list[Any]) -> None:
    form.noted(walk, "resumed", {}, out)


def _open(walk: Walk, call_id: str) -> OpenCall:
    call = walk.calls.get(call_id)
    if call is None:
        raise _invalid(walk, f'expected a call that is open; got "{words.shown(call_id)}"')
    return call


def _end(walk: Walk, form: LogForm, call_id: str, result: Result, out: list[Any]) -> None:
    form.ended(walk, call_id, walk.calls.pop(call_id), result, out)


def _end_all(walk: Walk, form: LogForm, why: str, out: list[Any]) -> None:
    """End the calls that the exchange leaves without a result, or with one that nobody has judged."""
    for call_id in list(walk.calls):
        unjudged = walk.calls[call_id].output is not UNSET
        text = f"Its output was not checked: {why}" if unjudged else f"It has no result: {why}"
        _end(walk, form, call_id, Result(fault=NO_RESULT, text=text), out)
    walk.skill = ""


_TAKERS: Final[dict[type, Callable[[Walk, LogForm, Any, list[Any]], None]]] = {
    RunStarted: _run_started,
    UserMessageEvent: _user_message,
    ModelResponse: _model_response,
    ModelErrorEvent: _model_error,
    ToolCallEvent: _tool_call,
    ApprovalRequestEvent: _approval_request,
    ApprovalEvent: _approval,
    ToolResultEvent: _tool_result,
    VerdictEvent: _verdict,
    SkillStarted: _skill_started,
    SkillEnded: _skill_ended,
    CorrectionEvent: _correction,
    Decided: _decided,
    Switched: _switched,
    FinalAnswer: _final_answer,
    RunFailed: _run_failed,
    Cancelled: _cancelled,
    ResumedEvent: _resumed,
}
"""What each kind of line means to a form."""
