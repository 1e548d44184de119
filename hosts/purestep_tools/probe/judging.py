"""The outcome of one run of a task, read off the run's log: the calls that ran, the answer, and what it took."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from purestep_tools.probe.suite import WRITING_TOOL, ExpectedCall, Task
from purestep_tools.probe.words import lowered, plain


class RanCall(NamedTuple):
    """A call that was carried out, with its result."""

    tool: str
    params: dict[str, Any]
    ok: bool
    output: Any


class Probed(NamedTuple):
    """How one task ended: `wrong` is empty when it was finished right, `refusal` names a model that gave nothing."""

    task: str
    wrong: str = ""
    refusal: str = ""
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


def probed_of(task: Task, log: str, seconds: float) -> Probed:
    """Judge a run that has ended by its log; raises ValueError for one that has not, or for no log.

    seconds: how long the run took by the host's clock.
    """
    events = [json.loads(line) for line in log.split("\n") if line]
    last = events[-1] if events else {}
    if last.get("kind") not in ("final_answer", "run_failed"):
        raise ValueError("expected the log of a run that has ended")
    has_failed = last["kind"] == "run_failed"
    usages = [event.get("usage") or {} for event in events if event["kind"] == "model_response"]
    return Probed(
        task=task.id,
        wrong=f"failed: {last['code']}" if has_failed else wrong(task, _calls(events), last["content"]),
        refusal=last["message"] if has_failed and last["code"] == "model_error" else "",
        model_calls=sum(event["kind"] in ("model_response", "model_error") for event in events),
        prompt_tokens=sum(usage.get("prompt_tokens") or 0 for usage in usages),
        completion_tokens=sum(usage.get("completion_tokens") or 0 for usage in usages),
        seconds=seconds,
    )


def _calls(events: list[dict[str, Any]]) -> list[RanCall]:
    """Return the calls that ran, in the order of their results."""
    asked = {event["call_id"]: event for event in events if event["kind"] == "tool_call"}
    return [
        RanCall(
            event["tool_name"], asked[event["call_id"]]["arguments"], event.get("ok") is not False, event.get("output")
        )
        for event in events
        if event["kind"] == "tool_result" and event.get("call_id") in asked
    ]


def wrong(task: Task, ran: Sequence[RanCall], answer: str) -> str:
    """Say in a few words what was not right; an empty text when all was.

    A call that reads may be made besides, where the task takes any; one that writes may not. A greeting, which takes
    none, may be returned as it is.
    """
    open_calls = list(task.calls)
    for call in ran:
        if open_calls and call.ok and _fits(open_calls[0], call):
            del open_calls[0]
        elif not task.calls or (call.tool == WRITING_TOOL and call.ok):
            return f"an unwanted call of {call.tool}"
    if open_calls:
        return f"no right call of {open_calls[0].tool}"
    if not plain(answer) or (task.calls and plain(answer) == plain(task.query)):
        return "no answer"
    return "" if lowered(task.answer) in lowered(answer) else f"{task.answer!r} is not in the answer"


def _fits(expected: ExpectedCall, call: RanCall) -> bool:
    if expected.tool != call.tool:
        return False
    if expected.params is None:
        return bool(expected.output == call.output)
    given = {name: plain(value) if isinstance(value, str) else value for name, value in call.params.items()}
    return {name: plain(value) for name, value in expected.params.items()} == given
