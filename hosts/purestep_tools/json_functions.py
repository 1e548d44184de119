"""The functions for callers in other languages: text in, JSON out.

The output is `{"value"}` or `{"error": {"code", "message", "path"}}`. Codes: `no_value` for a computation without
a result, `invalid_input` for an input of the wrong shape.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from purestep_tools.arithmetic import CalculatorError, add_numbers
from purestep_tools.calculator import calculate
from purestep_tools.html_pages import html_text
from purestep_tools.probe import Probe, as_data, begin_probe, from_data, tool_outcome


def add_numbers_json(input_json: str) -> str:
    """Return the sum of the numbers `a` and `b` of a JSON object."""
    try:
        given = json.loads(input_json)
    except ValueError:
        given = None
    match given:
        case {"a": int() | float() as a, "b": int() | float() as b}:
            return _answer(lambda: add_numbers(a, b))
        case _:
            return _error("invalid_input", "expected an object with the numbers a and b")


def calculate_json(expression: str) -> str:
    """Return the value of an arithmetic expression."""
    return _answer(lambda: calculate(expression))


def html_text_json(page: str) -> str:
    """Return the visible text of an HTML page."""
    return _answer(lambda: html_text(page))


def run_probe_step_json(input_json: str) -> str:
    """Return how a probe stands: `{"probe", "next", "ended", "runs", "tasks", "rows", "best", "profile"}`.

    input_json: `{"model", "dialect"?, "quick"?, "window_tokens"?}` begins one; `{"probe", "log", "seconds"}` goes on
    with the log of the run that was due. `next` is the run that is due now: `{"way", "task", "query", "definition"}`,
    null at the end. `ended` of `runs` are over; `best` is the index of a row.
    The probe is a value: hand back the one that came last.
    """
    try:
        given = json.loads(input_json)
        if "probe" in given:
            probe = from_data(given["probe"]).with_log(given["log"], given["seconds"])
        else:
            probe = begin_probe(given.pop("model"), **given)
        standing = _standing(probe)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return _error("invalid_input", f"expected a probe to begin, or one and the log of its run; {error!s:.200}")
    return _answer(lambda: standing)


def _standing(probe: Probe) -> dict[str, Any]:
    due = probe.next_run()
    ended, runs = probe.runs()
    best = probe.best()
    return {
        "probe": as_data(probe),
        "next": due
        and {
            "way": due.way._asdict(),
            "task": due.task.id,
            "query": due.task.query,
            "definition": due.way.definition(probe.model),
        },
        "ended": ended,
        "runs": runs,
        "tasks": len(probe.tasks()),
        "rows": [measured.row() for measured in probe.found],
        "best": best and probe.found.index(best),
        "profile": probe.profile(),
    }


def run_probe_tool_json(input_json: str) -> str:
    """Return the outcome of a call of a probe: `{"tool", "params"}` to `{"ok", "output"}`, or with `error`."""
    try:
        given = json.loads(input_json)
        outcome = tool_outcome(given["tool"], given["params"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return _error("invalid_input", "expected a tool of the suite and its arguments")
    return _answer(lambda: outcome)


JSON_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "add_numbers": add_numbers_json,
    "calculate": calculate_json,
    "html_text": html_text_json,
    "run_probe_step": run_probe_step_json,
    "run_probe_tool": run_probe_tool_json,
}
"""By their names in JavaScript."""


def _answer(compute: Callable[[], Any]) -> str:
    try:
        return _json({"value": compute()})
    except CalculatorError as error:
        return _error("no_value", str(error))


def _error(code: str, message: str) -> str:
    return _json({"error": {"code": code, "message": message, "path": ""}})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
