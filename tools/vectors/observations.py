"""What scenarios are written with: observations, and outputs that several of them have."""

from typing import Any

Observation = dict[str, Any]
Scenario = tuple[str, list[Observation]]
"""The name of a definition, and what is observed."""
WholeScenario = tuple[str, str, list[Observation]]
"""The query, the name of a definition, and what is observed."""


def user(content: Any, at: int | None = None, **members: Any) -> dict[str, Any]:
    """Return a user message."""
    return {"type": "user_message", "content": content, **members} | ({} if at is None else {"at": at})


def said(content: str | None, at: int | None = None, **members: Any) -> dict[str, Any]:
    """Return a model output."""
    return {"type": "model_output", "content": content, **members} | ({} if at is None else {"at": at})


def call(tool: str, arguments: str) -> str:
    """Return an envelope whose arguments are this JSON."""
    return f'{{"kind":"tool_call","tool_name":"{tool}","arguments":{arguments}}}'


def final(content: str) -> str:
    """Return an envelope that answers with this JSON."""
    return f'{{"kind":"final","content":{content}}}'


def results(*entries: tuple[str, Any]) -> dict[str, Any]:
    """Return successful results by call id."""
    return {
        "type": "tool_results",
        "results": [{"call_id": call_id, "ok": True, "output": output} for call_id, output in entries],
    }


def failure(call_id: str, error: str, kind: str) -> dict[str, Any]:
    """Return a failed result."""
    entry = {"call_id": call_id, "ok": False, "error": error, "error_kind": kind}
    return {"type": "tool_results", "results": [entry]}


def model_error(code: str, retry_after_ms: int, **members: Any) -> dict[str, Any]:
    """Return a retryable model error with the wait that the server asks for."""
    asked = {"retryable": True, "retry_after_ms": retry_after_ms}
    return {"type": "model_error", "code": code, "message": "busy", **asked, **members}


def native(*calls: tuple[str, str]) -> dict[str, Any]:
    """Return a model output with native calls."""
    entries = [
        {"id": f"x{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    return {"type": "model_output", "content": None, "tool_calls": entries, "finish_reason": "tool_calls"}


ADD_CALL = call("add_numbers", '{"a":17,"b":25}')
ADD_TEXTS = call("add_numbers", '{"a":"17","b":"2.5e1"}')
FIND_NUMBER = call("find", '{"query":7,"limit":10}')
SILENT = (None, "", "ok", "\U0001f44d", "\u597d\u7684")
WIPE = call("wipe", '{"disk":"A"}')
FORTY_TWO = results(("call_1", 42))


def reads(*outputs: str, **members: Any) -> list[dict[str, Any]]:
    """Return calls that read, each with its output; the arguments differ, so that none repeats another."""
    turns = []
    for number, output in enumerate(outputs, 1):
        turns += [said(call("read", f'{{"at":{number}}}'), **members), results((f"call_{number}", output))]
    return turns
