"""The commands that read logs: `replay`, `verify`, `summary`. None of them changes anything."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from msgspec import UNSET

import purestep
from purestep import Verified, events, read_events, replay, split_log, verify
from purestep_hosts.cli import codes
from purestep_hosts.cli.anchoring import AnchorChoice, held, held_data, print_held
from purestep_hosts.cli.logs import FoundLog
from purestep_hosts.sessions import chain
from purestep_hosts.show.counts import Counts
from purestep_hosts.show.printer import Printer, stdout_printer
from purestep_hosts.show.reasoning_text import reasoning_row
from purestep_hosts.show.rows import EventRows, Row
from purestep_hosts.show.sanitize import one_line, sanitized_json

_ENDS = {
    "call_model": "the model is asked next",
    "invoke_tool": "tools run next",
    "invoke_skill": "a skill is executed next",
    "request_approval": "calls wait for approval",
}

_LABELS = {
    "corrections": "corrected",
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
    for _, event in read_events(found.data):
        kinds.append(type(event))
        thought = None if event.seq is UNSET else reasoning_row(reasoning.get(event.seq, ""), whole=whole_reasoning)
        if thought is not None:
            printer.row(thought)
        for row in event_rows.rows(event):
            printer.row(row)
    if not kinds:
        raise purestep.PurestepError("invalid_log", f"{found.name} holds no events; expected one JSON object a line")
    return _print_state(printer, found, kinds)


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
    return f"{where} ({replayed.state.messages} messages, turn {replayed.state.turns})"


def print_verify(found: FoundLog, head: str | None, choice: AnchorChoice, *, as_json: bool) -> int:
    """Print whether a log equals what its facts derive; `head` overrides the one recorded next to the log.

    choice: an anchor that the log has to meet besides. Raises AnchorError where it does not.
    """
    result = verify(found.data, head or found.head)
    lines_after = 0
    if head is None and result.code == "head_mismatch" and found.head:
        lines_after = _lines_after(found.data, found.head)
        result = verify(found.data) if lines_after else result
    anchored = held(found, choice) if result.ok else None
    if as_json:
        against = "given" if head else "beside the log" if found.head and not lines_after else None
        data = {**msgspec.to_builtins(result), "checked_head": against}
        if anchored is not None:
            data["anchor"] = held_data(anchored)
        print(sanitized_json(data), flush=True)
    else:
        printer = stdout_printer()
        _print_verdict(
            printer, found, result, lines_after, head or found.head or ("" if anchored is None else "anchor")
        )
        if anchored is not None:
            print_held(printer, choice, anchored)
    return codes.DONE if result.ok else codes.MISMATCH


def _lines_after(data: bytes, head: str) -> int:
    """Return how many lines follow the one that hashes to `head`; 0 if none does."""
    lines = [line for _, line in split_log(data)[0]]
    found = ""
    for number, line in enumerate(lines, 1):
        found = chain([line], found)
        if found == head:
            return len(lines) - number
    return 0


def _print_verdict(printer: Printer, found: FoundLog, result: Verified, lines_after: int, head: str | None) -> None:
    if not result.ok:
        printer.row(
            Row("differs", f"{one_line(found.name)}, line {result.line}: {one_line(result.message or '')}", "bad")
        )
        for label, text in (("expected", result.expected), ("got", result.got)):
            if text is not None:
                printer.row(Row(label, one_line(text)))
        return
    printer.row(Row("verified", f"{result.lines} lines of {one_line(found.name)}", "good"))
    printer.row(Row("head", result.head, "quiet"))
    if lines_after:
        printer.row(
            Row("note", f"the head file is {lines_after} lines older than the log, as after a crash", "warning")
        )
    elif not head:
        printer.row(Row("note", "without a head, changes after the last derived line do not show", "quiet"))


def print_summary(found: FoundLog, *, as_json: bool) -> int:
    """Print the counts of a run."""
    summary = summarize(found.data)
    if as_json:
        print(sanitized_json(summary), flush=True)
        return codes.DONE
    printer = stdout_printer()
    for label, value in summary.items():
        printer.row(Row(_LABELS.get(label, label), _counts(value) if isinstance(value, dict) else _plain(value)))
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
        "seconds": _seconds(happened),
    }


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
