"""The commands `replay` and `summary`, which read a log and change nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from msgspec import UNSET

import purestep
from purestep import events, read_events, replay, split_log
from purestep_hosts.cli import codes
from purestep_hosts.cli.logs import FoundLog
from purestep_hosts.costs import CostCount
from purestep_hosts.show.counts import Counts
from purestep_hosts.show.printer import Printer, stdout_printer
from purestep_hosts.show.reasoning_text import reasoning_row
from purestep_hosts.show.rows import CALLS, EventRows, Row
from purestep_hosts.show.sanitize import one_line, sanitize, sanitized_json

_ENDS = {
    "call_model": "the model is asked next",
    "invoke_tool": "tools run next",
    "invoke_skill": "a skill is executed next",
    "request_approval": "calls wait for approval",
}

_LABELS = {
    "corrections": "sent back",
    "decided": "unasked",
    "switched": "changes",
    "verdicts": "checks",
    "model_calls": "asked",
    "model_errors": "errors",
    "prompt_tokens": "tokens in",
    "completion_tokens": "tokens out",
    "cached_tokens": "cached",
    "reasoning_tokens": "reasoning",
}


def print_replay(found: FoundLog, *, as_json: bool, whole_reasoning: bool = False) -> int:
    """Print a run as rows, and its current state; reasoning is folded unless all of it is asked for."""
    if as_json:
        print(sanitized_json(msgspec.json.decode(msgspec.json.encode(replay(found.data)))), flush=True)
        return codes.DONE
    printer, event_rows = stdout_printer(), EventRows()
    kinds, reasoning = [], _reasoning(found.data)
    said: list[Row] = []
    for _, event in read_events(found.data):
        kinds.append(type(event))
        for row in _not_repeated(said, event):
            printer.row(row)
        said.clear()
        thought = None if event.seq is UNSET else reasoning_row(reasoning.get(event.seq, ""), whole=whole_reasoning)
        if thought is not None:
            printer.row(thought)
        rows = list(event_rows.rows(event))
        if isinstance(event, events.ModelResponse):
            said += rows
            continue
        for row in rows:
            printer.row(row)
    for row in said:
        printer.row(row)
    if not kinds:
        raise purestep.PurestepError("invalid_log", f"{found.name} holds no events; expected one JSON object a line")
    return _print_state(printer, found, kinds)


def _not_repeated(said: list[Row], event: events.Event) -> list[Row]:
    """Return the rows of an output without those that the row of what follows repeats."""
    match event:
        case events.FinalAnswer():
            answer = sanitize(event.content)
            return [row for row in said if row.text != answer]
        case events.ToolCallEvent() | events.SkillStarted():
            return [row for row in said if not row.text.startswith(CALLS)]
        case _:
            return said


def _reasoning(data: bytes) -> dict[int, str]:
    """Return the reasoning of outputs by the number of their line; none of a log that cannot be replayed."""
    told = msgspec.json.decode(purestep.explain_log(data))
    return {output["seq"]: output["reasoning"] for output in told.get("outputs", ())}


def _print_state(printer: Printer, found: FoundLog, kinds: list[type]) -> int:
    torn = split_log(found.data)[1]
    if torn:
        printer.row(
            Row("note", f"the last line is incomplete ({torn} bytes), as after a crash, and is ignored", "warning")
        )
    if kinds[0] is not events.RunStarted:
        ended = kinds[-1] in (events.FinalAnswer, events.RunFailed)
        end = "it ended" if ended else "it has not ended"
        printer.row(Row("state", f"a log of an earlier format, not verified; {end}", "quiet"))
        return codes.DONE
    printer.row(Row("state", _state_text(found), "quiet"))
    return codes.DONE


def _state_text(found: FoundLog) -> str:
    replayed = replay(found.data)
    decision = replayed.decision
    match decision:
        case purestep.Done():
            where = "done"
        case purestep.Failed():
            where = f"failed: {decision.code}"
        case _:
            kind = str(decision.__struct_config__.tag)
            where = f"open, {_ENDS[kind]}; continue with purestep run --resume {one_line(replayed.state.run_id)}"
    return f"{where} ({replayed.state.messages} messages, turn {replayed.state.exchange.used.turns})"


def print_summary(found: FoundLog, *, as_json: bool) -> int:
    """Print the counts of a run."""
    summary = summarize(found.data)
    if as_json:
        print(sanitized_json(summary), flush=True)
        return codes.DONE
    printer = stdout_printer()
    for label, value in summary.items():
        shown = _counts(value) if isinstance(value, dict) else _plain(value)
        printer.row(Row(_LABELS.get(label, label), _cost(found.data) if label == "cost" else shown))
    return codes.DONE


def summarize(data: bytes) -> dict[str, Any]:
    """Return the counts of a log: turns, calls, corrections, switches, verdicts, tokens, duration and result."""
    happened = [event for _, event in read_events(data)]
    if not happened:
        raise purestep.PurestepError("invalid_log", "the log holds no events; expected one JSON object a line")
    counts = Counts()
    for event in happened:
        counts.add(event)
    return {
        "result": _result(happened[-1]),
        "queries": sum(isinstance(event, events.UserMessageEvent) for event in happened),
        "turns": counts.turns,
        "decided": counts.decided,
        "calls": counts.calls,
        "corrections": Counter(event.cause for event in happened if isinstance(event, events.CorrectionEvent)),
        "switched": Counter(event.what for event in happened if isinstance(event, events.Switched)),
        "verdicts": Counter(
            f"{event.verdict} {event.check}".strip() for event in happened if isinstance(event, events.VerdictEvent)
        ),
        "model_calls": counts.model_calls,
        "model_errors": counts.model_errors,
        "prompt_tokens": counts.prompt_tokens,
        "completion_tokens": counts.completion_tokens,
        "cached_tokens": counts.cached_tokens,
        "reasoning_tokens": counts.reasoning_tokens,
        "cost": counts.cost.known,
        "seconds": _seconds(happened),
    }


def _cost(data: bytes) -> str:
    """Return what a log cost, in words: why it is not known, and nothing where no price is above zero."""
    cost = CostCount()
    for _, event in read_events(data):
        cost.add(event)
    return one_line(str(cost).removeprefix("cost ")) or "0"


def _result(last: events.Event) -> str:
    match last:
        case events.FinalAnswer():
            return "done"
        case events.RunFailed():
            return f"failed: {last.code}"
    return "open"


def _seconds(happened: list[events.Event]) -> float | None:
    times = [event.at for event in happened if event.at is not UNSET and event.at]
    return (max(times) - min(times)) / 1000 if times else None


def _counts(counts: dict[str, int]) -> str:
    listed = ", ".join(f"{one_line(name)} {count}" for name, count in sorted(counts.items()))
    return f"{sum(counts.values())} ({listed})" if counts else "0"


def _plain(value: object) -> str:
    return "unknown" if value is None else f"{value:,}" if isinstance(value, int | float) else one_line(str(value))
