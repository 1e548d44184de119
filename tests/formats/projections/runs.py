"""Runs that projections are tested with, beside those of the vectors."""

import json
from typing import Any

import purestep

AGENT = {
    "name": "clerk",
    "dialect": "native",
    "tools": [
        {"name": "add", "description": "Add.", "parameters": {"type": "object"}},
        {"name": "send", "description": "Send.", "parameters": {"type": "object"}, "approval": "ask"},
    ],
}


def run_log(*observations: dict[str, Any]) -> str:
    """Return the log of a run; keys of calls that wait are filled in."""
    output: dict[str, Any] = {}
    log = ""
    for at, observation in enumerate(observations, 1):
        for pending in output.get("state", {}).get("pending", ()):
            if observation.get("approvals"):
                observation["approvals"][0]["key"] = pending["key"]
        given = {"state": output["state"]} if output else {"agent": AGENT, "run_id": "r"}
        output = json.loads(purestep.run_agent_step(json.dumps({**given, "observation": {**observation, "at": at}})))
        log += output["log"]
    return log


def asked_log() -> str:
    """Return the log of a run with a call that a person allowed, with other arguments, beside one that failed."""
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in ("add", "send")]
    results = [{"call_id": "call_2", "ok": True, "output": 1}, {"call_id": "call_1", "ok": False}]
    return run_log(
        {"type": "user_message", "content": "Go"},
        {"type": "model_output", "tool_calls": calls},
        {"type": "approvals", "approvals": [{"call_id": "call_2", "approved": True, "params": {"to": "b"}}]},
        {"type": "tool_results", "results": results},
        {"type": "model_output", "content": "It went to b, but adding failed."},
    )


def answer_log(content: str) -> list[str]:
    """Return the lines of a run whose first output this is."""
    asked = {"type": "user_message", "content": "What?"}
    return run_log(asked, {"type": "model_output", "content": content}).splitlines(keepends=True)
