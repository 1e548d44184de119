"""Requests of runs, and what their answers hold."""

from typing import Any

from tests.edge.drivers import Answer, Service

ASK = {"approval": {"tools": {"fetch_url": "ask"}}}
FETCH = {
    "name": "fetch_url",
    "parameters": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
    "annotations": {"readOnlyHint": True, "openWorldHint": True},
}
TEAM = {
    "agents": {
        "a": {"instructions": "You read.", "tools": [FETCH], "approval": {"tools": {"fetch_url": "ask"}}},
        "b": {"instructions": "You read, too.", "tools": [FETCH], "approval": {"tools": {"fetch_url": "ask"}}},
    }
}
"""Two agents that make the same call at once for a query marked [team], and ask before."""
ENVELOPE = {"dialect": "envelope"}
"""A definition in whose form an answer has an end, and prose is none."""
MEMBERS = ["result", "decision", "state", "messages", "log", "seal", "model", "host"]
PATIENCE_S = 300.0  # far more than a busy machine takes for anything here


def run(service: Service, **members: Any) -> Answer:
    """Post to /run."""
    return service.post("/run", members)


def standing(answer: Answer) -> dict[str, Any]:
    """Return what a caller sends back to go on."""
    value = answer.json()
    return {name: value[name] for name in ("state", "messages", "children", "seal") if name in value}


def approval(answer: Answer, approved: bool = True, **more: Any) -> list[dict[str, Any]]:
    """Answer for every call that an answer asks about."""
    calls = answer.json()["decision"]["calls"]
    return [{"call_id": call["call_id"], "key": call["key"], "approved": approved, **more} for call in calls]
