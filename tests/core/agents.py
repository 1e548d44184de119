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
    """Give a definition with three tools: one free, one behind approval, one forbidden."""
    return {"tools": [ADD, SHELL, BANNED], **members}


def call(tool: str, **arguments: Any) -> str:
    """Give an envelope that calls a tool."""
    return json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments}, separators=(",", ":"))


def final(content: Any) -> str:
    """Give an envelope that answers."""
    return json.dumps({"kind": "final", "content": content}, separators=(",", ":"))


def said(content: str | None, **members: Any) -> dict[str, Any]:
    """Give the observation of a model output."""
    return {"type": "model_output", "content": content, **members}


def ok(call_id: str, output: Any) -> dict[str, Any]:
    """Give the observation of one successful result."""
    return {"type": "tool_results", "results": [{"call_id": call_id, "ok": True, "output": output}]}
