"""The commands `replay` and `summary`, which read a log and change nothing."""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

import purestep
from purestep import LogLines, events, read_events, replay
from purestep_hosts.agents_below import Told, TreeReader
from purestep_hosts.cli import codes
from purestep_hosts.cli.logs import FoundLog
from purestep_hosts.costs import CostCount
from purestep_hosts.show.counts import Counts
from purestep_hosts.show.left_out_rows import left_out_rows
from purestep_hosts.show.printer import Printer, stdout_printer
from purestep_hosts.show.reasoning_text import reasoning_row
from purestep_hosts.show.rows import CALLS, EventRows, Row, placed
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
        print(sanitized_json(msgspec.json.decode(msgspec.json.encode(replay(found)))), flush=True)
        return codes.DONE
    printer, event_rows = stdout_printer(), EventRows()
    first: events.Event | None = None
    last: events.Event | None = None
    explained: dict[str, Any] = msgspec.json.decode(purestep.explain_log(found))
    reasoning, said = dict(_reasoning_in(explained, ())), dict[tuple[str, ...], list[Row]]()
    reader = TreeReader()
    for _, event in read_events(found):
        first, last = first or event, event
        told = reader.told(event)
        for row in _not_repeated(said.pop(told.ids, []), told):
            printer.row(row)
        seq = told.event.seq
        thought = None if seq is UNSET else reasoning_row(reasoning.get((told.ids, seq), ""), whole=whole_reasoning)
        if thought is not None:
            printer.row(replace(thought, text=placed(told.path, thought.text)))
        rows = list(event_rows.rows(event))
        if isinstance(told.event, events.ModelResponse):
            said[told.ids] = rows
            continue
        for row in rows:
            printer.row(row)
    for row in itertools.chain(*said.values()):
        printer.row(row)
    if first is None:
        raise purestep.PurestepError("invalid_log", f"{found.name} holds no events; expected one JSON object a line")
    for row in left_out_rows(explained.get("left_out", ())):
        printer.row(row)
    return _print_state(printer, found, first, last)


def _not_repeated(said: list[Row], told: Told) -> list[Row]:
    """Return the rows of an output without those that the row of what follows repeats."""
    place = placed(told.path, "")
    match told.event:
        case events.FinalAnswer(content=content):
            return [row for row in said if row.text != f"{place}{sanitize(content)}"]
        case events.ToolCallEvent() | events.SkillStarted():
            return [row for row in said if not row.text.startswith(f"{place}{CALLS}")]
        case _:
            return said


def _reasoning_in(told: dict[str, Any], ids: tuple[str, ...]) -> Iterator[tuple[tuple[tuple[str, ...], int], str]]:
    """Yield the reasoning of outputs, by the calls down to their run and the number of their line there.

    There is none of a log that cannot be replayed.
    """
    for output in told.get("outputs", ()):
        yield (ids, output["seq"]), output["reasoning"]
    for agent in told.get("agents", ()):
        yield from _reasoning_in(agent["explanation"], (*ids, agent["call_id"]))


def _print_state(printer: Printer, found: FoundLog, first: events.Event, last: events.Event | None) -> int:
    lines = LogLines(found)
    deque(lines, maxlen=0)
    torn = lines.torn_bytes
    if torn:
        printer.row(
            Row("note", f"the last line is incomplete ({torn} bytes), as after a crash, and is ignored", "warning")
        )
    if not isinstance(first, events.RunStarted):
        ended = isinstance(last, (events.FinalAnswer, events.RunFailed))
        end = "it ended" if ended else "it has not ended"
        printer.row(Row("state", f"a log of an earlier format, not verified; {end}", "quiet"))
        return codes.DONE
    printer.row(Row("state", _state_text(found), "quiet"))
    return codes.DONE


def _state_text(found: FoundLog) -> str:
    replayed = replay(found, keeps_messages=False)
    decision = replayed.decision
    match decision:
        case purestep.Done():
            where = "done"
        case purestep.Failed():
            where = f"failed: {decision.code}"
        case _:
            kind = str(decision.__struct_config__.tag)
            where = f"open, {_ENDS[kind]}{_advice(found)}"
    return f"{where} ({replayed.state.messages} messages, turn {replayed.state.exchange.used.turns})"


def _advice(found: FoundLog) -> str:
    """Return how the run of a session's log goes on; nothing of a log that is none's."""
    if found.folder is None:
        return ""
    from purestep_hosts.session_names import resuming
    from purestep_hosts.sessions import SessionStore

    usual, place = SessionStore(), found.folder.parent
    store = usual if usual.root.resolve() == place else SessionStore(place)
    return f"; continue with {resuming(store, found.folder.name)}" if found.folder.name in store.ids() else ""


def print_summary(found: FoundLog, *, as_json: bool) -> int:
    """Print the counts of a run."""
    summary = summarize(found)
    if as_json:
        print(sanitized_json(summary), flush=True)
        return codes.DONE
    printer = stdout_printer()
    for label, value in summary.items():
        shown = _counts(value) if isinstance(value, dict) else _plain(value)
        printer.row(Row(_LABELS.get(label, label), _cost(found) if label == "cost" else shown))
    return codes.DONE


def summarize(found: FoundLog) -> dict[str, Any]:
    """Return the counts of a log: turns, calls, corrections, switches, verdicts, tokens, duration and result."""
    counts, happened, reader = Counts(), _Happened(), TreeReader()
    for _, event in read_events(found):
        counts.add(event)
        happened.add(event, reader.told(event))
    if happened.last is None:
        raise purestep.PurestepError("invalid_log", "the log holds no events; expected one JSON object a line")
    return {
        "result": _result(happened.last),
        "queries": happened.queries,
        "turns": counts.turns,
        "decided": counts.decided,
        "calls": counts.calls,
        "corrections": happened.corrections,
        "switched": happened.switched,
        "verdicts": happened.verdicts,
        "model_calls": counts.model_calls,
        "model_errors": counts.model_errors,
        "prompt_tokens": counts.prompt_tokens,
        "completion_tokens": counts.completion_tokens,
        "cached_tokens": counts.cached_tokens,
        "reasoning_tokens": counts.reasoning_tokens,
        "cost": counts.cost.known,
        "seconds": happened.seconds,
    }


class _Happened:
    """What is counted of a whole log besides `Counts`."""

    def __init__(self) -> None:
        self.queries = 0
        self.corrections, self.switched, self.verdicts = Counter[str](), Counter[str](), Counter[str]()
        self.last: events.Event | None = None
        self._times: tuple[int, int] | None = None

    @property
    def seconds(self) -> float | None:
        """From the earliest to the latest time; None where no line has one."""
        return None if self._times is None else (self._times[1] - self._times[0]) / 1000

    def add(self, event: events.Event, told: Told) -> None:
        self.last = event
        if event.at is not UNSET and event.at:
            first, last = self._times or (event.at, event.at)
            self._times = min(first, event.at), max(last, event.at)
        match told.event:
            case events.UserMessageEvent() if not told.path:
                self.queries += 1
            case events.CorrectionEvent(cause=cause):
                self.corrections[cause] += 1
            case events.Switched(what=what):
                self.switched[what] += 1
            case events.VerdictEvent(verdict=verdict, check=check):
                self.verdicts[f"{verdict} {check}".strip()] += 1


def _cost(found: FoundLog) -> str:
    """Return what a log cost, in words: why it is not known, and nothing where no price is above zero."""
    cost = CostCount()
    for _, event in read_events(found):
        cost.add(event)
    return one_line(str(cost).removeprefix("cost ")) or "0"


def _result(last: events.Event) -> str:
    match last:
        case events.FinalAnswer():
            return "done"
        case events.RunFailed():
            return f"failed: {last.code}"
    return "open"


def _counts(counts: dict[str, int]) -> str:
    listed = ", ".join(f"{one_line(name)} {count}" for name, count in sorted(counts.items()))
    return f"{sum(counts.values())} ({listed})" if counts else "0"


def _plain(value: object) -> str:
    return "unknown" if value is None else f"{value:,}" if isinstance(value, int | float) else one_line(str(value))
