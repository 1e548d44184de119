"""A server of Anthropic's Messages API: its events, and its refusals of what is out of order or not signed by it."""

import json
from typing import Any

KEY = "sk-ant-secret-123456"
SIGNATURE = "c2lnbmVk+/=="
THOUGHT = "The tool knows: S\u00f8."

_START = {
    "type": "message_start",
    "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test-1", "content": [],
        "stop_reason": None,
        "usage": {
            "input_tokens": 9, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2, "output_tokens": 1,
        },
    },
}  # fmt: skip


def block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of one content block."""
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def ended(reason: str) -> list[dict[str, Any]]:
    """Return the events that end a message."""
    delta = {"stop_reason": reason, "stop_sequence": None}
    return [{"type": "message_delta", "delta": delta, "usage": {"output_tokens": 12}}, {"type": "message_stop"}]


THINKING = block(
    0,
    {"type": "thinking", "thinking": "", "signature": ""},
    {"type": "thinking_delta", "thinking": THOUGHT[:6]},
    {"type": "thinking_delta", "thinking": THOUGHT[6:]},
    {"type": "signature_delta", "signature": SIGNATURE},
)
CALL = [
    _START,
    *THINKING,
    {"type": "ping"},
    *block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "I add them."}),
    *block(
        2,
        {"type": "tool_use", "id": "toolu_1", "name": "add_numbers", "input": {}},
        {"type": "input_json_delta", "partial_json": ""},
        {"type": "input_json_delta", "partial_json": '{"a": 17'},
        {"type": "input_json_delta", "partial_json": ', "b": 25}'},
    ),
    *ended("tool_use"),
]
ANSWER = [
    _START,
    *block(
        0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "It is "}, {"type": "text_delta", "text": "42."}
    ),
    *ended("end_turn"),
]


def event_stream(events: list[dict[str, Any]]) -> bytes:
    """Return events as the server writes them."""
    return b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)


class MessagesServer:
    """Calls a tool, and answers once its result has come; keeps the bodies that came."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []

    def __call__(self, handler: Any, number: int) -> None:
        """Answer one request, or refuse it."""
        body = json.loads(handler.body)
        self.bodies.append(body)
        if handler.headers.get("x-api-key") != KEY:
            return _refuse(handler, 401, "authentication_error", "invalid x-api-key")
        wrong = _missing(handler, body) or _wrong(body["messages"])
        if wrong:
            return _refuse(handler, 400, "invalid_request_error", wrong)
        has_result = any(part["type"] == "tool_result" for part in _parts(body["messages"][-1]))
        handler.reply(200, "text/event-stream; charset=utf-8", event_stream(ANSWER if has_result else CALL))


def _refuse(handler: Any, status: int, kind: str, message: str) -> None:
    error = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    handler.reply(status, "application/json", json.dumps(error).encode())


def _missing(handler: Any, body: dict[str, Any]) -> str:
    if not handler.headers.get("anthropic-version"):
        return "anthropic-version: header is required"
    return next((f"{name}: Field required" for name in ("model", "max_tokens", "messages") if name not in body), "")


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _wrong(messages: list[dict[str, Any]]) -> str:
    """Return what the API says of messages that it does not take; "" for those that it takes."""
    if not messages or messages[0]["role"] != "user":
        return 'messages: first message must use the "user" role'
    open_ids: list[str] = []
    for at, message in enumerate(messages):
        wrong = _wrong_message(at, message, open_ids)
        if wrong:
            return wrong
        open_ids = [part["id"] for part in _parts(message) if part["type"] == "tool_use"]
    return f"tool_use ids were found without tool_result blocks: {', '.join(open_ids)}" if open_ids else ""


def _wrong_message(at: int, message: dict[str, Any], open_ids: list[str]) -> str:
    parts = _parts(message)
    kinds = [part["type"] for part in parts]
    where = f"messages.{at}"
    if message["role"] not in ("user", "assistant"):
        return f'{where}: Unexpected role "{message["role"]}"'
    if any(part["type"] == "text" and not part["text"].strip() for part in parts):
        return f"{where}: text content blocks must contain non-whitespace text"
    # Where a call's results are due, they stand first, each once.
    results = [part["tool_use_id"] for part in parts[: len(open_ids)] if part["type"] == "tool_result"]
    if sorted(results) != sorted(open_ids) or kinds.count("tool_result") != len(open_ids):
        return f"{where}: `tool_use` ids and `tool_result` blocks immediately after do not match: {open_ids}"
    for part in parts:
        if part["type"] == "thinking" and (part.get("signature"), part.get("thinking")) != (SIGNATURE, THOUGHT):
            return f"{where}: Invalid `signature` in `thinking` block"
    if "tool_use" in kinds and kinds[0] not in ("thinking", "redacted_thinking"):
        return f"{where}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{kinds[0]}`"
    return ""
