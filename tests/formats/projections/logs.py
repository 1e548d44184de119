"""The logs that projections are tested with: those of every run in the conformance vectors."""

import json
from typing import Any

import purestep
from tools.vectors.files import stored_vectors


def logs() -> dict[str, str]:
    """Return the vectors' logs by the name of their run: whole ones, and those of runs that other programs keep."""
    found: dict[str, str] = {}
    for vector in stored_vectors("replay"):
        if vector["function"] == "replay_log" and "error" not in json.loads(vector["output"]):
            found[vector["name"].removesuffix("/replay")] = vector["args"][0]
    for vector in _whole_steps():
        log = json.loads(vector["output"]).get("log")
        if log:
            name = f"whole-{vector['name'].partition('/')[0]}"
            found[name] = found.get(name, "") + log
    return found


def _whole_steps() -> list[dict[str, Any]]:
    steps = [vector for vector in stored_vectors() if vector["function"] == "run_agent_step" and "/" in vector["name"]]
    return [vector for vector in steps if vector["args"][0].startswith('{"state_json"')]


ADOPTED: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "What is 2 and 2?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "x", "type": "function", "function": {"name": "add", "arguments": {"a": 2}}}],
    },
    {"role": "tool", "content": "4", "tool_call_id": "x"},
]


def adopted_log(last: dict[str, Any], answer: str | None, observation: dict[str, Any]) -> str:
    """Return the log of a run that began with another program's messages."""
    state = {"history": [*ADOPTED, last], "is_complete": answer is not None, "final_answer": answer}
    given = {"state_json": json.dumps(state), "observation": observation}
    log: str = json.loads(purestep.run_agent_step(json.dumps(given)))["log"]
    return log


LOGS = {
    **logs(),
    "adopted": adopted_log(
        {"role": "user", "content": "So?"}, None, {"type": "model_output", "content": "It is 4, as was said."}
    ),
    "adopted-answered": adopted_log(
        {"role": "assistant", "content": "It is 4."}, "It is 4.", {"type": "user_message", "content": "Thank you."}
    ),
}
FORMS = ("ag-ui", "ai-sdk", "ai-sdk-messages", "otel", "openai")


def own_lines(log: str) -> str:
    """Return a log without the lines of the runs of agents that it called."""
    return "".join([line for line in log.splitlines(keepends=True) if json.loads(line)["kind"] != "child"])
