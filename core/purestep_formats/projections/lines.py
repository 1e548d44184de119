"""The lines of a log taken one by one: each must be the next one, and its chain unbroken, before a form is told of it.

A projection derives nothing again, so it is no verification: it finds lines that are damaged, missing or doubled, and a
fact that was changed at the next derived line. `verify_log` finds what else there is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET, Struct

from purestep.agent import corrections
from purestep.bounds import MAX_AGENT_DEPTH, SCHEMA_VERSION
from purestep.errors import PurestepError
from purestep.lazy import lazy_decoder
from purestep.log import read_line, read_together
from purestep.steps import AGENT_CHANGED, unsupported_version
from purestep.values import (
    Content,
    DerivedLine,
    Message,
    ModelSpec,
    chain,
    dialect_of,
    events,
    joined_content,
    with_profile,
)
from purestep.window import with_data

from .walk import DENIED, NO_RESULT, REJECTED, LogForm, OpenCall, Result, Walk

_READ_AT_ONCE: Final = 32
"""Lines whose events are in memory together: enough that the call's cost is little, so few that most parts as a whole
keep to the bounds of one line."""


class LogPlace(Protocol):
    """Where the reading of a log stands: after `line`, whose number in the run was `seq` - 1, with the chain's head."""

    head: str
    seq: int
    line: int
    at: int | None


def take_lines(walk: Walk, form: LogForm, lines: Sequence[bytes], out: list[Any]) -> None:
    """Read lines and have the form told; raises `invalid_log`, `log_mismatch` or `unsupported_version`."""
    for event in checked_events(walk, lines):
        _TAKERS[type(event)](walk, form, event, out)


def checked_events(place: LogPlace, lines: Sequence[bytes]) -> Iterator[Any]:
    """Yield the events of lines, each the next one of the run and chained to those before it; the place moves along.

    Error codes: `invalid_log`, `log_mismatch`.
    """
    before = place.line
    for start in range(0, len(lines), _READ_AT_ONCE):
        together = enumerate(lines[start : start + _READ_AT_ONCE], before + start + 1)
        part = [(number, line) for number, line in together if line.strip()]  # ascii: bytes
        events_of: Iterable[Any] | None = read_together([line for _, line in part]) if part else ()
        if events_of is None:  # the lines before the one that cannot be read come first
            events_of = (read_line(number, line) for number, line in part)
        for (number, line), event in zip(part, events_of, strict=True):
            place.line = number
            seq = place.seq
            if event.seq is not seq and event.seq is not UNSET and event.seq != seq:
                raise _mismatch(place, f"expected the line {seq} of the run; got {event.seq}")
            kind = type(event)
            if kind in _CHAINED and event.prev != place.head and (event.prev or kind is not events.ChildLine):
                raise _mismatch(place, "a line before it was changed: the hash chain is broken")
            if not seq or kind is events.RunStarted:
                _check_begin(place, event)
            place.seq = seq + 1
            place.head = chain(place.head, line)
            if event.at is not UNSET:
                place.at = event.at
            yield event


def _check_begin(place: LogPlace, event: events.Event) -> None:
    if place.seq or not isinstance(event, events.RunStarted):
        raise _invalid(place, "a log begins with run_started, and has no other")


def _invalid(place: LogPlace, message: str) -> PurestepError:
    return PurestepError("invalid_log", f"line {place.line}: {message}", f"/{place.line}")


def _mismatch(place: LogPlace, message: str) -> PurestepError:
    return PurestepError("log_mismatch", f"line {place.line}: {message}", f"/{place.line}")


class _Definition(Struct):
    """What a projection shows of a definition, or reads outputs by."""

    name: str = ""
    instructions: str = ""
    models: tuple[ModelSpec, ...] = ()
    dialect: str | None = None


_BARE: Final = _Definition(dialect="bare")
"""Stands for the bare form."""

_DEFINITION_DECODER: Final = lazy_decoder(_Definition | None)
_HISTORY_DECODER: Final = lazy_decoder(list[Message])


def _run_started(walk: Walk, form: LogForm, event: events.RunStarted, out: list[Any]) -> None:
    if event.schema_version != SCHEMA_VERSION:
        raise unsupported_version(event.schema_version, f"/{walk.line}")
    definition = _definition(walk, event.agent)
    try:
        history = [] if event.history is UNSET else _HISTORY_DECODER.decode(event.history)
    except msgspec.MsgspecError:
        raise _invalid(walk, "expected messages that the core has written") from None
    walk.run_id = event.run_id
    _name(walk, definition)
    walk.exchange, walk.trace = walk.head, walk.trace or walk.head
    walk.is_asking = event.history is not UNSET and event.answer is UNSET
    form.began(walk, definition.instructions, history, out)


def _definition(walk: Walk, source: msgspec.Raw) -> _Definition:
    try:
        found = _DEFINITION_DECODER.decode(source) or _BARE
        models = tuple([with_profile(model) for model in found.models])
    except (msgspec.MsgspecError, PurestepError):
        raise _invalid(walk, "expected a definition that the core has written") from None
    dialect = dialect_of(found.dialect, next(iter(models), None)) or "envelope"
    return _Definition(name=found.name, instructions=found.instructions, models=models, dialect=dialect)


def _name(walk: Walk, definition: _Definition) -> None:
    walk.agent = definition.name or (walk.path[-1] if walk.path else "")
    walk.models = tuple([model.name for model in definition.models])
    walk.opening = tuple([model.name for model in definition.models if model.reasoning == "opened"])
    walk.dialect, walk.negotiated = definition.dialect or "", ""
    walk.model = next(iter(walk.models), "")


def _agent_changed(walk: Walk, form: LogForm, event: events.AgentChangedEvent, out: list[Any]) -> None:
    definition = _definition(walk, event.agent)
    _name(walk, definition)
    walk.agent = definition.name or event.handed_to or walk.agent
    if walk.is_asking:  # else no stream is open that would tell it
        named = {"handed_to": event.handed_to} if event.handed_to else {}
        form.noted(walk, "agent_changed", {"from": event.from_digest, "to": event.to_digest, **named}, out)


def _user_message(walk: Walk, form: LogForm, event: events.UserMessageEvent, out: list[Any]) -> None:
    if walk.is_asking:
        walk.queued.append(with_data(event.content, event.data))
    else:
        _begin(walk, form, with_data(event.content, event.data), out)


def _begin(walk: Walk, form: LogForm, content: Content, out: list[Any]) -> None:
    walk.exchange, walk.usage, walk.is_asking, walk.negotiated = walk.head, [], True, ""
    walk.model = next(iter(walk.models), "")
    form.asked(walk, content, out)


def _queued(walk: Walk) -> Content:
    """Take what the user said since the model was asked, as the transcript has it."""
    content, walk.queued = joined_content(walk.queued), []
    return content


def _model_response(walk: Walk, form: LogForm, event: events.ModelResponse, out: list[Any]) -> None:
    walk.count(event)
    form.heard(walk, event, out)


def _model_error(walk: Walk, form: LogForm, event: events.ModelErrorEvent, out: list[Any]) -> None:
    walk.count(event)
    form.broke_off(walk, event, out)
    form.noted(walk, "model_error", {"code": event.code, "message": event.message}, out)


def _tool_call(walk: Walk, form: LogForm, event: events.ToolCallEvent, out: list[Any]) -> None:
    call = OpenCall(event.tool_name, event.arguments, walk.head[:16], walk.at, event.checks, walk.path)
    walk.calls[event.call_id] = call
    form.called(walk, event.call_id, call, out)


def _approval_request(walk: Walk, form: LogForm, event: events.ApprovalRequestEvent, out: list[Any]) -> None:
    call = _open(walk, event.call_id)
    call.approval = event.key
    form.held_back(walk, event.call_id, call, event.note or event.reason, out)


def _approval(walk: Walk, form: LogForm, event: events.ApprovalEvent, out: list[Any]) -> None:
    call = _open(walk, event.call_id)
    has_asked, call.has_asked = call.has_asked, False
    call.is_declined = has_asked and not event.approved
    edited = not has_asked and event.approved and event.params is not None and event.params != call.arguments
    answer: dict[str, Any] = {"call_id": walk.place + event.call_id, "approved": event.approved}
    answer |= {name: value for name in ("reason", "by") if (value := getattr(event, name))}
    if edited:
        answer["arguments"] = event.params
    form.decided(walk, event.call_id, call, answer, out)
    call.approval = ""
    if edited:
        call.arguments, call.is_edited = event.params or {}, True
    if not event.approved and not has_asked:
        why = f": {event.reason}" if event.reason else ""
        _end(walk, form, event.call_id, Result(fault=DENIED, text=f"A person refused the call{why}"), out)
    if not walk.waiting:
        for each in walk.calls.values():
            each.at = walk.at  # nothing of a turn runs before all its calls are answered for


def _tool_result(walk: Walk, form: LogForm, event: events.ToolResultEvent, out: list[Any]) -> None:
    call_id = "" if event.call_id is UNSET else event.call_id
    if call_id in walk.late and call_id not in walk.calls:
        walk.count(event)
        _late_result(walk, call_id, event)
        return
    call = _open(walk, call_id)
    walk.count(event)
    if event.asks is not None:  # the call goes on once a person has answered
        call.has_asked = True
        return
    call.ended_at, call.parts = event.ended_at, event.parts
    if event.ok is not True:
        kind = event.error_kind or "execution"
        _end(walk, form, call_id, Result(fault=kind, text=event.error or "It failed without saying why."), out)
        return
    call.output = None if event.output is UNSET else event.output
    if event.reference is not None:
        call.output = msgspec.to_builtins(event.reference)
    if call.checks:
        _end(walk, form, call_id, Result(output=call.output, parts=call.parts), out)


def _tool_pending(walk: Walk, form: LogForm, event: events.ToolPendingEvent, out: list[Any]) -> None:
    """Keep which call goes on elsewhere; the next line says whether the model goes on without its result."""
    _open(walk, event.call_id)
    walk.goes_on = event.call_id
    named = {"note": event.note} if event.note else {}
    form.noted(walk, "tool_pending", {"call_id": walk.place + event.call_id, "handle": event.handle, **named}, out)


def _late(walk: Walk, form: LogForm, out: list[Any]) -> None:
    call = _open(walk, walk.goes_on)
    walk.late[walk.goes_on] = call.tool
    _end(walk, form, walk.goes_on, Result(fault=NO_RESULT, text="It goes on elsewhere; its result comes later."), out)


def _late_result(walk: Walk, call_id: str, event: events.ToolResultEvent) -> None:
    """Keep a result that comes later until the model reads it: no stream may be open before that."""
    ok, output = event.ok is True, None if event.output is UNSET else event.output
    if event.reference is not None:
        output = msgspec.to_builtins(event.reference)
    came = {"output": output} if ok else {"error": event.error or ""}
    walk.came.append({"call_id": walk.place + call_id, "tool": walk.late.pop(call_id), "ok": ok, **came})


def _came(walk: Walk, form: LogForm, out: list[Any]) -> None:
    """Tell of results that came, where the model reads them."""
    came, walk.came = walk.came, []
    content = "\n\n".join(map(_came_text, came))
    if walk.is_asking:
        form.added(walk, content, out)
    else:
        _begin(walk, form, content, out)
    for each in came:
        form.noted(walk, "late_result", each, out)


def _came_text(came: dict[str, Any]) -> str:
    said = came["output"] if came["ok"] else came["error"]
    text = said if isinstance(said, str) else msgspec.json.encode(said).decode()
    return f"The result of {came['tool']}, which was begun before, is there: {text}"


def _child(walk: Walk, form: LogForm, event: events.ChildLine, out: list[Any]) -> None:
    """Read the line of an agent's run, whose call stands open until that ends."""
    call = _open(walk, event.call_id)
    below = walk.below.get(event.call_id)
    if below is None:
        if len(walk.path) == MAX_AGENT_DEPTH:
            raise _invalid(walk, f"expected agents at most {MAX_AGENT_DEPTH} levels deep")
        place, path = f"{walk.place}{event.call_id}/", (*walk.path, call.tool)
        below = walk.below[event.call_id] = Walk(trace=walk.trace, path=path, place=place, parent=call.span)
    below.line = walk.line - 1
    take_lines(below, form.inside(walk, event.call_id), (bytes(event.line),), out)


def _child_ended(walk: Walk, form: LogForm, event: events.ChildEnded, out: list[Any]) -> None:
    call = _open(walk, event.call_id)
    if event.ok:
        call.output = None if event.output is UNSET else event.output
        return
    failed = Result(fault=event.error_kind or "execution", text=event.error or "")
    _end(walk, form, event.call_id, failed, out)


def _verdict(walk: Walk, form: LogForm, event: events.VerdictEvent, out: list[Any]) -> None:
    call = walk.calls.get(event.call_id)
    if call is not None and event.check == AGENT_CHANGED:
        _end(walk, form, event.call_id, Result(fault=NO_RESULT, text=event.reason), out)
        return
    if event.verdict != "accept":
        value = {"check": event.check, "call_id": walk.place + event.call_id, "reason": event.reason}
        form.noted(walk, "verdict", value, out)
    if call is None or call.output is UNSET:
        return
    if event.verdict != "accept":
        _end(walk, form, event.call_id, Result(fault=REJECTED, text=event.reason), out)
    elif not event.check:
        _end(walk, form, event.call_id, Result(output=call.output, parts=call.parts), out)


def _skill_started(walk: Walk, form: LogForm, event: events.SkillStarted, out: list[Any]) -> None:
    call = OpenCall(event.skill, event.params, walk.head[:16], walk.at, path=walk.path, is_skill=True)
    walk.calls[event.call_id] = call
    form.called(walk, event.call_id, call, out)
    walk.skill = event.call_id


def _skill_ended(walk: Walk, form: LogForm, event: events.SkillEnded, out: list[Any]) -> None:
    _open(walk, event.call_id)
    walk.skill = ""
    output = None if event.output is UNSET else event.output
    failed = Result(fault=event.error_kind or "execution", text=event.error or "")
    _end(walk, form, event.call_id, Result(output=output) if event.ok else failed, out)


def _correction(walk: Walk, form: LogForm, event: events.CorrectionEvent, out: list[Any]) -> None:
    if not walk.skill:
        form.rejected(walk, event.cause, out)
    form.noted(walk, "correction", {"cause": event.cause, "attempt": event.attempt}, out)


def _decided(walk: Walk, form: LogForm, event: events.Decided, out: list[Any]) -> None:
    if event.reason == "steered":
        if walk.is_asking:
            form.added(walk, _queued(walk), out)
        else:
            _begin(walk, form, _queued(walk), out)
        return
    if event.reason == "late":
        _late(walk, form, out)
        return
    if event.reason == "late_results":
        _came(walk, form, out)
        return
    walk.model = event.model or walk.model
    names = ("reason", "tools", "wait_ms", "attempt", "model")
    value = {name: list(given) if name == "tools" else given for name in names if (given := getattr(event, name))}
    form.noted(walk, "decided", value, out)


def _switched(walk: Walk, form: LogForm, event: events.Switched, out: list[Any]) -> None:
    if event.what == "dialect":
        walk.negotiated = event.to
    elif event.what == "request" and event.cause == "tools":
        walk.dialect = event.to
    elif event.what in ("model", "plan", "no_plan"):
        walk.model = event.to
    names = ("what", "cause", "to", "shortened", "dropped", "tokens")
    form.noted(walk, "switched", {name: each for name in names if (each := getattr(event, name))}, out)


def _final_answer(walk: Walk, form: LogForm, event: events.FinalAnswer, out: list[Any]) -> None:
    _end_all(walk, form, "the run was answered without it", out)
    walk.acts, walk.question = _acts(event), event.question
    form.answered(walk, event.content, event.data, out)
    walk.is_asking, walk.acts, walk.question = False, None, False


def _run_failed(walk: Walk, form: LogForm, event: events.RunFailed, out: list[Any]) -> None:
    _end_all(walk, form, event.message, out)
    if walk.queued:
        form.added(walk, _queued(walk), out)
    walk.acts = _acts(event)
    form.failed(walk, event.code, event.message, out)
    walk.is_asking, walk.acts = False, None


def _acts(event: events.FinalAnswer | events.RunFailed) -> dict[str, Any] | None:
    """Return the calls that may have changed something; None where no tool may act."""
    if event.acts is UNSET:
        return None
    left_out = {"left_out": event.acts_left_out} if event.acts_left_out else {}
    return {"acts": msgspec.json.decode(msgspec.json.encode(event.acts)), **left_out}


def _cancelled(walk: Walk, form: LogForm, event: events.Cancelled, out: list[Any]) -> None:
    walk.count(event)
    facts = (event.usage, event.request, event.response_id, event.asked_at, event.first_token_at)
    if any(fact is not None for fact in facts):
        form.broke_off(walk, event, out)
    form.noted(walk, "cancelled", {"reason": event.reason} if event.reason else {}, out)


def _resumed(walk: Walk, form: LogForm, event: events.ResumedEvent, out: list[Any]) -> None:
    form.noted(walk, "resumed", {}, out)


def _open(walk: Walk, call_id: str) -> OpenCall:
    call = walk.calls.get(call_id)
    if call is None:
        raise _invalid(walk, f'expected a call that is open; got "{corrections.shown(call_id)}"')
    return call


def _end(walk: Walk, form: LogForm, call_id: str, result: Result, out: list[Any]) -> None:
    call = walk.calls.pop(call_id)
    if walk.below:
        walk.below.pop(call_id, None)
    if call.is_declined:
        result = msgspec.structs.replace(result, is_declined=True)
    form.ended(walk, call_id, call, result, out)


def _end_all(walk: Walk, form: LogForm, why: str, out: list[Any]) -> None:
    """End the calls that the exchange leaves without a result, or with one that nobody has judged."""
    for call_id in list(walk.calls):
        unjudged = walk.calls[call_id].output is not UNSET
        text = f"Its output was not checked: {why}" if unjudged else f"It has no result: {why}"
        _end(walk, form, call_id, Result(fault=NO_RESULT, text=text), out)
    walk.skill = ""


_TAKERS: Final[dict[type, Callable[[Walk, LogForm, Any, list[Any]], None]]] = {
    events.RunStarted: _run_started,
    events.UserMessageEvent: _user_message,
    events.ModelResponse: _model_response,
    events.ModelErrorEvent: _model_error,
    events.ToolCallEvent: _tool_call,
    events.ApprovalRequestEvent: _approval_request,
    events.ApprovalEvent: _approval,
    events.ToolResultEvent: _tool_result,
    events.ToolPendingEvent: _tool_pending,
    events.VerdictEvent: _verdict,
    events.SkillStarted: _skill_started,
    events.ChildLine: _child,
    events.ChildEnded: _child_ended,
    events.SkillEnded: _skill_ended,
    events.CorrectionEvent: _correction,
    events.Decided: _decided,
    events.Switched: _switched,
    events.FinalAnswer: _final_answer,
    events.RunFailed: _run_failed,
    events.Cancelled: _cancelled,
    events.ResumedEvent: _resumed,
    events.AgentChangedEvent: _agent_changed,
}
"""What each kind of line means to a form."""

_CHAINED: Final = frozenset([kind for kind in _TAKERS if issubclass(kind, DerivedLine) or kind is events.ChildLine])
"""The kinds of lines that name the head before them."""
