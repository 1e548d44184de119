"""A file of outputs in the place of a model: texts, observations, and what a model writes as JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts import Agent, ScriptedModel, tool


@tool(read_only=True)
def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


@pytest.mark.parametrize(
    "lines",
    [
        [
            {"kind": "tool_call", "tool_name": "add", "arguments": {"a": 17, "b": 25}},
            {"kind": "final", "content": "It is 42."},
        ],
        [
            '{"kind":"tool_call","tool_name":"add","arguments":{"a":17,"b":25}}',
            '{"kind":"final","content":"It is 42."}',
        ],
        [
            {"content": '{"kind":"tool_call","tool_name":"add","arguments":{"a":17,"b":25}}'},
            {"type": "model_output", "content": '{"kind":"final","content":"It is 42."}'},
        ],
        [
            {"type": "model_error", "code": "timeout", "retryable": True},
            {"kind": "tool_call", "tool_name": "add", "arguments": {"a": 17, "b": 25}},
            {"kind": "final", "content": "It is 42."},
        ],
    ],
)
def test_entries_are_taken_as_pages_show_them(tmp_path: Path, lines: list[Any]) -> None:
    """An object without a type that is no output's is what the model writes."""
    script = tmp_path / "script.jsonl"
    script.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    result = Agent(ScriptedModel(script), tools=[add], clock=lambda: 0).run_sync("What is 17 plus 25?")
    assert "It is 42." == result.answer
    assert 1 == result.usage.tool_calls
