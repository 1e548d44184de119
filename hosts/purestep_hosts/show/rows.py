"""Turns log events into rows for display: a label, a sanitized text and a tone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType, to_builtins

from purestep import ApprovalCall, ArgumentOrigin, events, without_terminal_codes
from purestep_hosts.attachments import shown_content, shown_parts
from purestep_hosts.show.sanitize import one_line, sanitize, sanitized_json
from purestep_hosts.tools.call_note import CallNote

Tone = Literal["plain", "quiet", "good", "warning", "bad", "strong"]

_SWITCHES = {
    "dialect": "the model is asked to write calls in another way: {to}",
    "carry": "the model is helped more: {to}",
    "examples": "corrections have an example",
}
_CAUSES = {
    "attachments": "it reads the images and files",
    "window": "the window is full",
    "keep_exchanges": "only the latest exchanges are kept",
    "results": "only the latest results are kept whole",
    "reasoning": "only the latest reasoning is kept",
    "summary_above": "it has passed its size",
    "unread": "its replies could not be read",
    "unknown_tool": "it called tools that are not there",
    "invalid_arguments": "its arguments did not fit",
    "rejected_result": "checks refused what came of its calls",
    "repeated_call": "it repeated a call",
    "no_answer": "it gave no answer that fits",
    "parse_error": "its replies could not be read",
    "model_error": "the model before it gave no answer",
}
"""Why something was changed, in words; a cause that is not here is shown as it is."""

_REASONS = {
    "outcome_unknown": "it may have run already: the run was stopped before its result came",
    "same_effect": "the same call has been made for this question already",
}


BELOW: Final = " > "
"""Between the name of an agent and what it did."""

CALLS: Final = "calls "
"""How the row of a call begins that the model made; whether it is taken is the next row's to say."""


class Row(msgspec.Struct, frozen=True):
    """One row of output."""

    label: str
    text: str
    tone: Tone = "plain"


class EventRows:
    """Turns events into rows; remembers the open calls, so that rows of parallel calls name their tool."""

    def __init__(self) -> None:
        self._tools: dict[str, str] = {}
        self._asked: dict[str, str] = {}
        self._below: dict[str, EventRows] = {}
        """The rows of the runs of agents, by the ids of their calls."""
        self._silence = _Silence()

    def rows(self, event: events.Event) -> Iterator[Row]:
        """Yield the rows of an event; some have none."""
        yield from self._silence.rows(event)
        match event:
            case events.RunStarted():
                yield Row("run", f"{sanitize(event.run_id)}{_agent_name(event)}", "quiet")
            case events.UserMessageEvent():
                yield Row("user", sanitize(shown_content(event.content)), "strong")
            case events.ModelResponse():
                yield from self._model(event)
            case events.Cancelled():
                yield Row("cancel", sanitize(event.reason or "no reason given"), "warning")
            case events.ResumedEvent() | events.AgentChangedEvent():
                yield _going_on(event)
            case events.FinalAnswer():
                yield Row("question" if event.question else "answer", sanitize(event.content), "strong")
                yield from changes(event)
                yield from footnotes(event)
                yield from act_rows(event)
            case events.RunFailed():
                yield Row("failed", self._silence.less(sanitize(event.message)), "bad")
                yield from act_rows(event)
            case events.CorrectionEvent():
                yield Row("sent back", sanitize(event.content), "warning")
                yield from changes(event)
            case events.Decided() if event.reason != "retry":
                yield _decided(event)
            case events.Switched():
                yield Row("note" if event.what == "spans" else "from now", switch_text(event), "quiet")
            case _:
                yield from self._of_call(event)

    def _model(self, event: events.ModelResponse) -> Iterator[Row]:
        self._tools.clear()
        if event.scores:
            # The one token that came with the scores is no output.
            yield Row("scores", sanitized_json(event.scores), "quiet")
        elif isinstance(event.content, str) and event.content:
            yield Row("model", sanitize(event.content), "quiet")
        for call in event.tool_calls or ():
            arguments = call.function.arguments
            text = arguments if isinstance(arguments, str) else sanitized_json(arguments)
            yield Row("model", f"{CALLS}{sanitize(call.function.name)} {sanitize(text)}", "quiet")

    def _of_call(self, event: events.Event) -> Iterator[Row]:
        match event:
            case events.ToolCallEvent():
                self._tools[event.call_id] = event.tool_name
                yield Row(
                    "check" if event.checks else "call",
                    call_text(event.tool_name, event.arguments),
                )
                yield from changes(event)
            case events.ToolResultEvent():
                if event.asks is None:
                    yield self._result(event)
            case events.ToolPendingEvent():
                note = f": {sanitize(event.note)}" if event.note else ""
                yield Row(
                    "later", f"{one_line(event.tool_name)} goes on elsewhere ({one_line(event.handle)}){note}", "quiet"
                )
            case events.ApprovalRequestEvent():
                self._asked[event.call_id] = event.tool_name
                why = reason_text(event.reason, event.note)
                yield Row("waits", f"{one_line(event.tool_name)}, for a person: {why}", "warning")
            case events.ApprovalEvent():
                yield self._answered(event)
            case events.VerdictEvent():
                yield from self._refusal(event)
            case events.SkillStarted():
                yield Row("skill", call_text(event.skill, event.params))
                yield from changes(event)
            case events.SkillEnded():
                yield _skill_end(event)
            case events.ChildLine():
                yield from self._of_agent(event)
            case events.ChildEnded():
                self._below.pop(event.call_id, None)
                yield _agent_end(event)

    def _of_agent(self, event: events.ChildLine) -> Iterator[Row]:
        """Yield the rows of an agent's run, each with the agent's name; how it ends is the next line's to say."""
        below = events.event_below(event)
        rows = self._below.setdefault(event.call_id, EventRows())
        name = one_line(self._tools.get(event.call_id, event.call_id))
        ends = isinstance(below, events.RunStarted | events.FinalAnswer | events.RunFailed)
        for row in () if ends else rows.rows(below):
            yield Row(row.label, f"{name}{BELOW}{row.text}", "quiet" if row.tone == "strong" else row.tone)

    def _result(self, event: events.ToolResultEvent) -> Row:
        name = f"{one_line(event.tool_name)}: " if len(self._tools) != 1 else ""
        if event.error is not None or (event.ok is not UNSET and not event.ok):
            return Row("error", f"{name}{sanitize(event.error or 'no reason given')}", "warning")
        known = to_builtins(event.reference if event.output is UNSET else event.output)
        is_flat = isinstance(known, dict) and not any(isinstance(value, dict | list) for value in known.values())
        shown = arguments_text(known) if is_flat and known else shown_output(known)
        given = f"\n{sanitize(shown_parts(event.parts))}" if event.parts else ""
        return Row("result", f"{name}{shown}".rstrip("\n") + given)

    def _answered(self, event: events.ApprovalEvent) -> Row:
        name = one_line(self._asked.get(event.call_id, event.call_id))
        by = f", by {_BY.get(event.by, sanitize(event.by))}" if event.by else ""
        why = f": {sanitize(event.reason)}" if event.reason else ""
        if not event.approved:
            return Row("refused", f"{name}{by}{why}", "warning")
        edited = f" with {arguments_text(event.params)}" if event.params is not None else ""
        return Row("approved", f"{name}{edited}{by}{why}", "good")

    def _refusal(self, event: events.VerdictEvent) -> Iterator[Row]:
        """Yield why a check refused something; what passed its checks needs no word."""
        if event.verdict == "accept":
            return
        tool = self._tools.get(event.call_id)
        name = f"{one_line(tool)}: " if tool and len(self._tools) != 1 else ""
        check = f" (check {sanitize(event.check)})" if event.check else ""
        yield Row("not taken", f"{name}{sanitize(event.reason)}{check}", "warning")


class _Silence:
    """Why the model gave no answer: the same words are told once in a row, with what is done then."""

    def __init__(self) -> None:
        self._untold = self._told = ""

    def rows(self, event: events.Event) -> Iterator[Row]:
        """Yield what is told before the row of an event."""
        then = ""
        match event:
            case events.RunFailed() if self._untold in sanitize(event.message):
                self._untold = ""
            case events.Decided() if event.reason == "retry":
                then = f"asked again in {event.wait_ms / 1000:.1f} s"
        if self._untold:
            yield self._row(then)
        match event:
            case events.ModelErrorEvent():
                self._untold = sanitize(event.message)
            case events.ModelResponse() | events.UserMessageEvent():
                self._told = ""

    def less(self, message: str) -> str:
        """Return a message without the words that were told already."""
        if self._told and self._told in message:
            return "the model gave no answer, also when it was asked again" if self._told != message else message
        return message

    def _row(self, then: str) -> Row:
        said, self._untold = self._untold, ""
        if said == self._told:
            return Row("no answer", f"the same; {then}" if then else "the same", "quiet")
        self._told = said
        return Row("no answer", f"{said} ({then})" if then else said, "warning")


def footnotes(event: events.FinalAnswer) -> Iterator[Row]:
    """Yield a row for each result that an answer cites, in the order of their first marks."""
    for call_id, tool in dict.fromkeys((each.call_id, each.tool) for each in event.citations):
        yield Row("cited", f"[{call_id.removeprefix('call_')}] {one_line(tool)}", "quiet")


_BARE: Final = re.compile(r"[^\W\d][^\s\"'=,;{}\[\]]*|[./~@][^\s\"'=,;{}\[\]]*")
_JSON_WORDS: Final = ("true", "false", "null")
_BY: Final = {"terminal": "you", "option": "--approve"}
_STATUS: Final = {"unknown": "nobody knows whether it was done"}
_ACT_VALUE_CHARS: Final = 40
_ACT_CHARS: Final = 160
"""Of the arguments of an act: they name what it was done to, and the log has them whole."""


def act_rows(event: events.FinalAnswer | events.RunFailed) -> Iterator[Row]:
    """Yield a row for each call that may have changed something, or was refused; also one where nothing was changed."""
    if event.acts is UNSET:
        return
    if not event.acts_left_out and all(act.status == "refused" for act in event.acts):
        yield Row("changed", "nothing", "quiet")
    for act in event.acts:
        ending = "" if act.status == "succeeded" else f" ({_STATUS.get(act.status, act.status)})"
        arguments = _cut(arguments_text(act.params, _ACT_VALUE_CHARS), _ACT_CHARS)
        text = f"{placed_name(act.tool, act.path)} {arguments}".rstrip()
        label = "not run" if act.status == "refused" else "changed"
        yield Row(label, f"{text}{ending}", "plain" if act.status == "succeeded" else "warning")
    if event.acts_left_out:
        yield Row("changed", f"and {event.acts_left_out} more", "warning")


def placed(path: Iterable[str], text: str) -> str:
    """Return a text after the names of the agents down to what it is of."""
    return "".join([*[f"{one_line(name)}{BELOW}" for name in path], text])


def placed_name(name: str, path: Iterable[str] | UnsetType) -> str:
    """Return the name of a tool after those of the agents down to it, as one line."""
    return placed(path or (), one_line(name))


def call_text(tool: str, params: dict[str, Any], path: tuple[str, ...] | UnsetType = ()) -> str:
    """Return a call as people write it: the name, and each argument by its name; path: of the agent that made it."""
    return f"{placed_name(tool, path)} {arguments_text(params)}".rstrip()


def arguments_text(params: dict[str, Any], most_chars: int | None = None) -> str:
    """Return arguments as `name=value`; a text that is more than a word, or reads as something else, is JSON.

    most_chars: of each value; None for all of it.
    """
    return " ".join([f"{one_line(name)}={_value(value, most_chars)}" for name, value in params.items()])


def _value(value: Any, most_chars: int | None) -> str:
    text = without_terminal_codes(value) if isinstance(value, str) and most_chars else value
    if isinstance(text, str) and most_chars:
        text = _cut(text, most_chars)
    if isinstance(text, str):
        return text if _BARE.fullmatch(text) and text not in _JSON_WORDS else sanitized_json(text)
    return sanitized_json(text) if most_chars is None else _cut(sanitized_json(text), most_chars)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"


def _agent_end(event: events.ChildEnded) -> Row:
    name = one_line(event.agent)
    if not event.ok:
        return Row("error", sanitize(event.error or name), "warning")
    return Row("result", f"{name}: {shown_output(None if event.output is UNSET else event.output)}")


def _skill_end(event: events.SkillEnded) -> Row:
    name = one_line(event.skill)
    if not event.ok:
        return Row("error", f"{name}: {sanitize(event.error or 'no reason given')}", "warning")
    return Row("result", f"{name}: {shown_output(None if event.output is UNSET else event.output)}")


_DECIDED = {"one_call": "{tools}, the only call that the definition leaves"}
"""The moves that the core makes by itself, by their reason."""


def is_made_without_model(event: events.Event) -> bool:
    """Whether an event is a move for which no model was asked."""
    return isinstance(event, events.Decided) and event.reason in _DECIDED


def _going_on(event: events.ResumedEvent | events.AgentChangedEvent) -> Row:
    if isinstance(event, events.ResumedEvent):
        return Row("resumed", "it goes on after it was stopped; calls that were running may have run", "quiet")
    if event.handed_to:
        return Row("agent", f"{one_line(event.handed_to)} has the conversation from here on", "quiet")
    return Row("agent", f"it goes on under another definition ({event.to_digest[:12]})", "quiet")


def _decided(event: events.Decided) -> Row:
    if event.reason == "step":
        return Row("step", f"{event.attempt}. {sanitize(event.content)}", "quiet")
    if event.content:
        return Row("told", sanitize(event.content), "quiet")
    tools = ", ".join(map(one_line, event.tools))
    if event.reason == "steered":
        return Row("told", "what you said meanwhile", "quiet")
    if event.reason == "late":
        return Row("told", f"that the result of {tools} comes later", "quiet")
    if event.reason == "late_results":
        return Row("told", f"the result of {tools}, which went on elsewhere", "quiet")
    if event.reason == "scored":
        return Row("chosen", f"{tools or 'no tool'}, by how sure the model was", "quiet")
    if event.reason == "rates":
        return Row("model", _chosen(event), "quiet")
    text = _DECIDED.get(event.reason)
    if text is None:  # of a later version
        return Row("next", f"{one_line(event.reason).replace('_', ' ')} {tools}".rstrip(), "quiet")
    return Row("next", text.format(tools=tools), "quiet")


def _chosen(event: events.Decided) -> str:
    """Return which model is asked first, with the figures of each that was looked at."""
    known = [f"{one_line(rate.model)} {rate.succeeded} of {rate.runs}" for rate in event.rates]
    return f"asks {one_line(event.model)}; such requests succeeded: {', '.join(known)}"


_NOTES = {"repaired": "repaired", "ignored_text": "left out", "unranked": "unranked"}


def changes(
    event: events.ToolCallEvent | events.SkillStarted | events.FinalAnswer | events.CorrectionEvent,
) -> Iterator[Row]:
    """Return a row for each thing that was not read as written, or was changed; a correction's text names its cause."""
    for problem in event.problems:
        if problem.code in _NOTES:
            yield Row(_NOTES[problem.code], sanitize(problem.message), "quiet")


def _agent_name(event: events.RunStarted) -> str:
    definition: Any = msgspec.json.decode(event.agent or b"null")
    name = definition.get("name") if isinstance(definition, dict) else None
    return f", agent {one_line(name)}" if isinstance(name, str) and name else ""


_PARTS: Final = {
    "system_role": "a system message",
    "tool_schemas": "the finer rules for arguments",
    "message_roles": "two messages of the user in a row",
    "call_ids": "ids of calls of other than nine characters",
}
"""What stands for a part of a request that has no name there."""
_INSTEAD: Final = {
    "user": "it stands in the user's",
    "plain": "they are checked here",
    "alternate": "a word of the assistant stands between",
    "numbers": "they are numbered",
    "tool_tags": "calls stand in the text",
}


def switch_text(event: events.Switched) -> str:
    """Return what a switch changed, as one line."""
    cause = _CAUSES.get(event.cause) or sanitize(event.cause).replace("_", " ")
    if event.what == "model":
        return f"the model {one_line(event.to)} is asked: {cause}"
    if event.what == "request":
        part = _PARTS.get(event.cause) or one_line(event.cause)
        instead = f"; instead: {_INSTEAD.get(event.to) or one_line(event.to)}" if event.to else ""
        return f"asked without {part}, which the server does not take{instead}"
    if event.what in _SWITCHES:
        return f"{_SWITCHES[event.what].format(to=one_line(event.to))} ({cause})"
    if event.what == "summary":
        asked = f"the model is asked to sum up {event.dropped} messages"
        return asked if event.dropped else f"a summary of up to {event.tokens} tokens stands in their place"
    if event.what == "spans":
        return f"{event.dropped} characters of a long text cannot be copied into arguments"
    if event.what == "no_summary":
        return f"no summary: {cause}"
    if event.what == "plan":
        return _plan_text(event, cause)
    if event.what == "no_plan":
        return f"no plan: {cause}; {one_line(event.to)} goes on"
    parts = f"{event.shortened} outputs are cut, {event.dropped} messages left out"
    return f"a shorter prompt, as {cause}: {parts}, up to {event.tokens} tokens remain"


def _plan_text(event: events.Switched, cause: str) -> str:
    """Return who is asked for steps and why, or who is asked them."""
    name = one_line(event.to)
    return f"{name} is asked step by step" if event.cause == "written" else f"{name} is asked for steps: {cause}"


def reason_text(reason: str, note: str = "") -> str:
    """Return why a person is asked about a call, in words: the question itself, where there is one."""
    return sanitize(note) or _REASONS.get(reason) or sanitize(reason)


def asking_rows(call: ApprovalCall) -> Iterator[Row]:
    """Yield why a person is asked about a call, and where its arguments come from where that is told."""
    yield Row("why", reason_text(call.reason, call.note or ""), "quiet")
    for origin in () if call.origins is UNSET else call.origins:
        yield Row("from", _origin_text(origin), "warning" if origin.labels else "quiet")


_SOURCES: Final = {"user": "your words", "data": "what came with your words", "model": "worded by the model"}


def _origin_text(origin: ArgumentOrigin) -> str:
    """Return where an argument's text came from, as one line."""
    place = one_line(origin.path.removeprefix("/")) or "the call"
    source = _SOURCES.get(origin.source) or f"the result of {one_line(origin.call_id)} {one_line(origin.tool)}"
    labels = f" ({one_line(', '.join(origin.labels))})" if origin.labels else ""
    return f"{place}: {source}{labels}"


def shown_output(output: Any) -> str:
    """Return a tool's output as sanitized text."""
    return sanitize(output) if isinstance(output, str) else sanitized_json(output)


def note_row(tool: str, note: CallNote) -> Row:
    """Return the row of what a call tells while it runs; what is wrong stands out."""
    far = "" if note.done is None else f"{note.done:g}" + ("" if note.total is None else f" of {note.total:g}")
    told = ", ".join(filter(None, (far, one_line(note.text))))
    more = f" ({note.left_out} left out before it)" if note.left_out else ""
    is_wrong = note.level not in (None, "debug", "info", "notice")
    return Row("log" if note.level else "tells", f"{one_line(tool)}: {told}{more}", "warning" if is_wrong else "quiet")
