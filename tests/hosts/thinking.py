"""A server whose model thinks and, as DeepSeek's does, refuses a call's result without the reasoning that led to it."""

import json
from typing import Any

CHUNKS = (
    {"choices": [{"delta": {"role": "assistant", "content": None, "reasoning_content": "The tool "}}]},
    {"choices": [{"delta": {"reasoning_content": "knows: S\u00f8."}}]},
    {"choices": [{"delta": {"tool_calls": [{
        "index": 0, "id": "abc", "function": {"name": "add_numbers", "arguments": '{"a":17,"b":25}'},
        "extra_content": {"google": {"thought_signature": "c2ln"}},
    }]}}]},
    {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
)  # fmt: skip
ANSWER = (
    {"choices": [{"delta": {"reasoning_content": "Done."}}]},
    {"choices": [{"delta": {"content": "It is 42."}}]},
    {"choices": [{"delta": {}, "finish_reason": "stop"}]},
)
AGENT = {
    "dialect": "native",
    "tools": [
        {
            "name": "add_numbers",
            "description": "Add two numbers.",
            "annotations": {"readOnlyHint": True},
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                "required": ["a", "b"],
            },
        }
    ],
}


class ThinkingServer:
    """Answers as such a server does; keeps the bodies that came."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []

    def __call__(self, handler: Any, number: int) -> None:
        """Answer one request: with a call, with an answer, or with 400 for a message without its reasoning."""
        body = json.loads(handler.body)
        self.bodies.append(body)
        called = [message for message in body["messages"] if message.get("tool_calls")]
        if any(not message.get("reasoning_content") for message in called):
            refusal = b'{"error":{"message":"Missing reasoning_content in the assistant message"}}'
            handler.reply(400, "application/json", refusal)
            return
        chunks = ANSWER if called else CHUNKS
        stream = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
        handler.reply(200, "text/event-stream", stream + b"data: [DONE]\n\n")
