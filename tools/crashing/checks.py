"""What must hold after a run was killed and has ended, whatever was killed in it."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import purestep

from .scenario import OUTCOME_UNKNOWN, Outside, came_of


def broken(log: str, head: str, outside: Outside) -> Iterator[str]:
    """Yield what does not hold; log, head: as the store has them at the end."""
    verdict = purestep.verify(log, head)
    if not verdict.ok:
        yield f"the log does not verify: {verdict.message}"
        return
    # Lines of an append that was killed before it could say so may stand there too.
    if set(outside.text("witness").splitlines()) - set(log.splitlines()):
        yield "lines are lost that the store said it had kept"
    events = [_innermost(json.loads(line)) for line in log.splitlines()]
    if events[-1]["kind"] not in ("final_answer", "run_failed", "correction"):
        yield f"the run ended with {events[-1]['kind']}"
    yield from _charged(events, outside)
    yield from _effects(events, outside)
    yield from _late(events)


def _innermost(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event, or that of an agent's run which its line holds, whose calls are named by those down to them."""
    calls = []
    while event["kind"] == "child":
        calls.append(event["call_id"])
        event = event["line"]
    return {**event, "call_id": "/".join([*calls, event["call_id"]])} if calls and "call_id" in event else event


def _charged(events: list[dict[str, Any]], outside: Outside) -> Iterator[str]:
    """An effect under a key is had once, however often the call ran."""
    keys = {event["key"]: event["arguments"]["number"] for event in _calls(events)}
    counts = Counter(outside.charged.values())
    yield from (f"charged {number} {times} times" for number, times in counts.items() if times > 1)
    yield from (f"charged {number} without a line" for number in counts if number not in keys.values())


def _effects(events: list[dict[str, Any]], outside: Outside) -> Iterator[str]:
    """Any other effect is had once, unless a person let it run again; and the log tells of it, or that nobody knows."""
    calls = {event["key"]: event["call_id"] for event in _calls(events)}
    reasons = _asked_for(events)
    told = {event["call_id"] for event in events if event["kind"] == "tool_result"}
    counts = Counter(line.split()[0] for line in outside.text("effects").splitlines())
    for key, times in counts.items():
        if key not in calls:
            yield f"effect {key} without a line"
            continue
        agreed = reasons[calls[key]]
        if times > 1 + agreed.count("approved"):
            yield f"effect {key} came {times} times, {agreed.count('approved')} of them agreed"
        if calls[key] not in told and not agreed:
            yield f"effect {key} has neither a result nor a question"


def _late(events: list[dict[str, Any]]) -> Iterator[str]:
    """A result that comes later is neither lost nor doubled, and is that of its call."""
    keys = {event["call_id"]: event["key"] for event in _calls(events)}
    results = defaultdict[str, list[Any]](list)
    for event in events:
        if event["kind"] == "tool_result":
            results[event["call_id"]].append(event.get("output"))
    for call_id in {event["call_id"] for event in events if event["kind"] == "tool_pending"}:
        if (came := results[call_id]) != [came_of(keys[call_id])]:
            yield f"of {call_id}, which went on elsewhere, came {came}"


def _asked_for(events: list[dict[str, Any]]) -> defaultdict[str, list[str]]:
    """Return, for each call, what became of the questions whether it may run again: `asked`, and `approved`."""
    found, asked = defaultdict[str, list[str]](list), set[str]()
    for event in events:
        if event["kind"] == "approval_request" and event["reason"] == OUTCOME_UNKNOWN:
            asked.add(event["call_id"])
            found[event["call_id"]].append("asked")
        elif event["kind"] == "approval" and event["call_id"] in asked:
            asked.remove(event["call_id"])
            found[event["call_id"]] += ["approved"] * event["approved"]
    return found


def _calls(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the calls of tools; those of agents take no number, and have no effect of their own."""
    return [event for event in events if event["kind"] == "tool_call" and "number" in event["arguments"]]
