"""Small states, each asked for the observations that it takes."""

import json
from typing import Any


def _waiting(phase: str, **members: Any) -> str:
    """Give the JSON of a small state that waits in a phase."""
    state = {"schema_version": 1, "agent": None, "run_id": "r", "phase": phase, "turns": 1, "calls": 1, "messages": 2}
    return json.dumps({**state, "seq": 3, "head": "0" * 64, **members}, separators=(",", ":"))


ACCEPTED: dict[str, str] = {
    "accepted-at-first": _waiting("model", turns=0, calls=0, messages=0, seq=0, head=""),
    "accepted-in-model": _waiting("model"),
    "accepted-in-approval": _waiting("approval"),
    "accepted-in-tools": _waiting("tools"),
    "accepted-in-done": _waiting("done", answer="42"),
    "accepted-in-failed": _waiting("failed", failure={"code": "cancelled", "message": "stopped"}),
    "accepted-of-another-version": _waiting("model", schema_version=99),
    "accepted-of-no-phase": _waiting("asleep"),
    "accepted-of-unknown-key": _waiting("model", mood="good"),
    "accepted-of-no-json": "{",
    "accepted-of-too-deep": _waiting("done", data=json.loads("[" * 65 + "]" * 65)),
}

CALLS = {name: ("accepted_observations", text) for name, text in ACCEPTED.items()}
