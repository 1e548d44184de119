"""A log that was rewritten, chain and all: what the core derives is derived again, so no figure can be forged."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

import purestep
from tests.core.agents import ADD, call, final, said
from tests.core.driver import Driver, assert_replays

_KIND = {"tools": "1-3", "arguments": "flat", "attachments": False, "length": "0-200"}


def _row(model: str, succeeded: int) -> dict[str, Any]:
    way = {"model": model, "dialect": "envelope", "constraint": "none"}
    return {**way, "kind": _KIND, "runs": 40, "succeeded": succeeded}


def _run() -> Driver:
    """Return a run whose first model is chosen by rates, whose calls cost, and that is finished by a plan."""
    price = {"input": 1_000_000, "output": 4_000_000}
    rates = {"use": "rates", "least": 80, "profile": {"rows": [_row("small", 10), _row("medium", 40)]}}
    rules = {"use": "negotiation", "rules": [{"cause": "unknown_tool", "move": "plan"}]}
    models = [{"name": name, "price": price} for name in ("small", "medium", "large")]
    run = Driver({"tools": [ADD], "models": models, "policies": [rates, rules], "limits": {"max_cost": 10_000}})
    for output in (call("nothing"), final("1. Add.\n2. Say it."), final("Added."), final("42")):
        run.send({**said(output), "usage": {"prompt_tokens": 100, "completion_tokens": 10}})
    assert "done" == run.decision["type"]
    assert_replays(run)
    return run


def _rewritten(log: str, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> str:
    """Return a log with its lines changed or left out, numbered and chained anew, as a forger would."""
    lines, head = list[str](), ""
    for text in log.splitlines():
        line = change(json.loads(text))
        if line is None:
            continue
        line |= {"seq": len(lines)} | ({"prev": head} if "prev" in line else {})
        lines.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False))
        head = sha256((head + lines[-1]).encode()).hexdigest()
    return "\n".join(lines) + "\n"


def _is(line: dict[str, Any], kind: str, **members: Any) -> bool:
    return line["kind"] == kind and all(line.get(name) == value for name, value in members.items())


def _first_rate(line: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {**line, "rates": [{**line["rates"][0], **members}, *line["rates"][1:]]}


_RATES = ("decided", {"reason": "rates"})
_STEP = ("decided", {"reason": "step"})
_PLAN = ("switched", {"what": "plan"})
_COST = ("model_response", {})
FORGERIES: dict[str, tuple[tuple[str, dict[str, Any]], Callable[[dict[str, Any]], dict[str, Any] | None]]] = {
    "another model": (_RATES, lambda line: {**line, "model": "small"}),
    "more successes": (_RATES, lambda line: _first_rate(line, succeeded=40)),
    "fewer runs": (_RATES, lambda line: _first_rate(line, runs=10)),
    "a higher bound": (_RATES, lambda line: _first_rate(line, low=900)),
    "another basis": (_RATES, lambda line: _first_rate(line, basis=["tools"])),
    "another kind of request": (_RATES, lambda line: {**line, "request": {**line["request"], "length": "4001+"}}),
    "no rates": (_RATES, lambda line: {**line, "rates": []}),
    "no choice": (_RATES, lambda _: None),
    "a lower cost": (_COST, lambda line: {**line, "cost": line["cost"] - 1}),
    "no cost": (_COST, lambda line: {name: value for name, value in line.items() if name != "cost"}),
    "a cost below zero": (_COST, lambda line: {**line, "cost": -1}),
    "fewer tokens at the same cost": (_COST, lambda line: {**line, "usage": {**line["usage"], "prompt_tokens": 1}}),
    "other words of a step": (_STEP, lambda line: {**line, "content": "Wipe all."}),
    "another number of a step": (_STEP, lambda line: {**line, "attempt": 7}),
    "no step": (_STEP, lambda _: None),
    "another model that plans": (_PLAN, lambda line: {**line, "to": "small"}),
    "another cause": (_PLAN, lambda line: {**line, "cause": "unread"}),
    "no plan": (_PLAN, lambda line: {**line, "what": "no_plan"}),
    "no move": (_PLAN, lambda _: None),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_figure_does_not_verify(name: str) -> None:
    """In each line of its kind, with all later lines chained to it."""
    (kind, members), forge = FORGERIES[name]
    log = _run().log
    places = [number for number, text in enumerate(log.splitlines()) if _is(json.loads(text), kind, **members)]
    assert places
    for place in places:
        forged = _rewritten(log, lambda line, at=place: forge(line) if line["seq"] == at else line)  # type: ignore[misc]
        assert forged != log
        found = json.loads(purestep.verify_log(forged))
        assert (found["ok"], found["line"] is not None) == (False, True)


def test_a_log_rewritten_without_a_change_verifies() -> None:
    """So what is refused above is the forged figure, and not the rewriting."""
    log = _run().log
    assert log == _rewritten(log, lambda line: line)


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "decided", "reason": "rates", "model": "large", "prev": ""},
        {"kind": "decided", "reason": "step", "attempt": 3, "content": "Wipe all.", "prev": ""},
        {"kind": "switched", "what": "plan", "cause": "unread", "to": "large", "prev": ""},
    ],
)
def test_an_added_line_does_not_verify(line: dict[str, Any]) -> None:
    """Wherever it stands after the user's message."""
    log = _run().log
    for place in range(2, len(log.splitlines()) + 1):
        texts = log.splitlines()
        texts.insert(place, json.dumps(line))
        forged = _rewritten("\n".join(texts), lambda each: each)
        assert not json.loads(purestep.verify_log(forged))["ok"], place
