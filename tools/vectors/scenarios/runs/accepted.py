"""Small states, each asked for the observations that it takes."""

import json
from typing import Any


def _waiting(phase: str, ended: dict[str, Any] | None = None, **members: Any) -> str:
    """Return the JSON of a small state that waits in a phase; ended: how its exchange ended."""
    state: dict[str, Any] = {
        "schema_version": 3,
        "agent": None,
        "run_id": "r",
        "phase": phase,
        "head": "0" * 64,
        "messages": 2,
    }
    state |= {"run": {"seq": 3, "calls": 1}, "exchange": {"used": {"turns": 1}, **(ended or {})}, "window": {}}
    return json.dumps({**state, **members}, separators=(",", ":"))


ACCEPTED: dict[str, str] = {
    "accepted-at-first": _waiting("model", messages=0, run={"seq": 0, "calls": 0}, head=""),
    "accepted-in-model": _waiting("model"),
    "accepted-in-approval": _waiting("approval"),
    "accepted-in-tools": _waiting("tools"),
    "accepted-in-done": _waiting("done", {"answer": "42"}),
    "accepted-in-failed": _waiting("failed", {"failure": {"code": "cancelled", "message": "stopped"}}),
    "accepted-of-another-version": _waiting("model", schema_version=99),
    "accepted-of-no-phase": _waiting("asleep"),
    "accepted-of-unknown-key": _waiting("model", mood="good"),
    "accepted-of-no-json": "{",
    "accepted-of-too-deep": _waiting("done", {"data": json.loads("[" * 65 + "]" * 65)}),
}

CALLS = {name: ("accepted_observations", text) for name, text in ACCEPTED.items()}
