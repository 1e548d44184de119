"""Definitions and observations that several tests of the core share."""

import json
from typing import Any

ADD = {
    "name": "add_numbers",
    "description": "Add two numbers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": True},
    "examples": [{"query": "What is 2 plus 3?", "arguments": {"a": 2, "b": 3}, "result": 5, "answer": "5"}],
}
SHELL = {
    "name": "shell",
    "description": "Run a command.",
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    "approval": "ask",
}
BANNED = {"name": "banned", "parameters": {"type": "object"}, "approval": "deny"}


def agent(**members: Any) -> dict[str, Any]:
    """Return a definition with three tools: one free, one behind approval, one forbidden."""
    return {"tools": [ADD, SHELL, BANNED], **members}


def call(tool: str, **arguments: Any) -> str:
    """Return an envelope that calls a tool."""
    return json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments}, separators=(",", ":"))


def final(content: Any) -> str:
    """Return an envelope that answers."""
    return json.dumps({"kind": "final", "content": content}, separators=(",", ":"))


def said(content: str | None, **members: Any) -> dict[str, Any]:
    """Return the observation of a model output."""
    return {"type": "model_output", "content": content, **members}


def ok(call_id: str, output: Any) -> dict[str, Any]:
    """Return the observation of one successful result."""
    return {"type": "tool_results", "results": [{"call_id": call_id, "ok": True, "output": output}]}


def result(call_id: str, output: Any) -> dict[str, Any]:
    """Return one successful result."""
    return {"call_id": call_id, "ok": True, "output": output}


def failure(call_id: str, error: str, kind: str = "execution") -> dict[str, Any]:
    """Return one failed result."""
    return {"call_id": call_id, "ok": False, "error": error, "error_kind": kind}


def results(*entries: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return the observation of several results."""
    return {"type": "tool_results", "results": list(entries), **members}


def answer(entry: dict[str, Any], approved: bool, **members: Any) -> dict[str, Any]:
    """Return a person's answer for a call of a decision."""
    return {"call_id": entry["call_id"], "key": entry["key"], "approved": approved, **members}


def approvals(*entries: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return the observation of several answers."""
    return {"type": "approvals", "approvals": list(entries), **members}


def listed(*texts: str) -> str:
    """Return several envelopes as the list that holds them."""
    return f"[{','.join(texts)}]"


def native_call(tool: str, arguments: Any, **members: Any) -> dict[str, Any]:
    """Return an OpenAI tool call; arguments that are no text are written as JSON."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"type": "function", "function": {"name": tool, "arguments": text}, **members}


def tool(name: str, properties: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    """Return a tool spec with these properties, all required."""
    given = properties or {}
    return {"name": name, "parameters": {"type": "object", "properties": given, "required": list(given)}, **members}
