"""Anthropic's Messages API: the events of a reply, and what it refuses.

Source: Anthropic API reference, Messages and its streaming; the guides on tool use, extended thinking and prompt
caching.
"""

from __future__ import annotations

import json
from typing import Any

from tests.hosts.wires.protocol import Protocol, first_fault, name_faults, schema_faults, signature, stream_of
from tests.hosts.wires.replies import CACHED, PROMPT, WRITTEN, Said, pieces
from tests.hosts.wires.vendor_types import type_faults

_MAX_BREAKPOINTS = 4
"""Source: "Prompt caching", "You can define up to 4 cache breakpoints"."""


def _key(headers: Any) -> str | None:
    return headers.get("x-api-key") if headers.get("anthropic-version") == "2023-06-01" else None


def faults_of(body: dict[str, Any], given: list[str]) -> str:
    """Return what the API says of a body."""
    tools = body.get("tools") or []
    return first_fault(
        type_faults("anthropic", body),
        _message_faults(body["messages"], given),
        name_faults([tool["name"] for tool in tools]),
        schema_faults([tool["input_schema"] for tool in tools]),
        _breakpoint_faults(body),
        _text_faults(body.get("system") or []),
    )


def _text_faults(blocks: list[dict[str, Any]]) -> str:
    """Return what is wrong with blocks of text. Source: "text content blocks must be non-empty"."""
    empty = any(block["type"] == "text" and not block["text"].strip() for block in blocks)
    return "text content blocks must contain non-whitespace text" if empty else ""


def _breakpoint_faults(body: dict[str, Any]) -> str:
    """Return what is wrong with breakpoints of the cache."""
    marked = json.dumps(body).count('"cache_control"')
    if marked > _MAX_BREAKPOINTS:
        return f"A maximum of 4 blocks with cache_control may be provided. Found {marked}."
    blocks = [block for message in body["messages"] for block in message["content"]]
    thinks = any(block["type"].endswith("thinking") and "cache_control" in block for block in blocks)
    return "cache_control cannot be set for thinking blocks" if thinks else ""


def _message_faults(messages: list[dict[str, Any]], given: list[str]) -> str:
    """Return what is wrong with messages: roles take turns, and each call's result stands first in the next one."""
    if not messages or messages[0]["role"] != "user":
        return 'messages: first message must use the "user" role'
    open_ids: list[str] = []
    for at, message in enumerate(messages):
        blocks, where = message["content"], f"messages.{at}"
        if at and message["role"] == messages[at - 1]["role"]:
            return f"{where}: roles must alternate"
        if not blocks:
            return f"{where}: all messages must have non-empty content"
        results = [block["tool_use_id"] for block in blocks[: len(open_ids)] if block["type"] == "tool_result"]
        if sorted(results) != sorted(open_ids) or sum(block["type"] == "tool_result" for block in blocks) != len(
            results
        ):
            return f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: {open_ids}"
        open_ids = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if fault := first_fault(_text_faults(blocks), _block_faults(blocks, open_ids, given)):
            return f"{where}: {fault}"
    return f"`tool_use` ids were found without `tool_result` blocks: {open_ids}" if open_ids else ""


def _block_faults(blocks: list[dict[str, Any]], ids: list[str], given: list[str]) -> str:
    if len(set(ids)) < len(ids):
        return "`tool_use` ids must be unique"
    for block in blocks:
        if block["type"] == "tool_use" and not isinstance(block["input"], dict):
            return "tool_use.input: Input should be a valid dictionary"
        if block["type"] == "thinking" and block["signature"] not in given:
            return "Invalid `signature` in `thinking` block"
        if block["type"] == "tool_result" and isinstance(block.get("content"), list) and _text_faults(block["content"]):
            return "tool_result: text content blocks must contain non-whitespace text"
    if ids and given and blocks[0]["type"] != "thinking":
        return f"Expected `thinking` or `redacted_thinking`, but found `{blocks[0]['type']}`"
    return ""


def _block(index: int, start: dict[str, Any], deltas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def unmarked(value: Any) -> Any:
    """Return a body without its breakpoints."""
    if isinstance(value, dict):
        return {name: unmarked(each) for name, each in value.items() if name != "cache_control"}
    return [unmarked(each) for each in value] if isinstance(value, list) else value


_REASONS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}


def events_of(said: Said, number: int) -> list[dict[str, Any]]:
    """Return the events of a reply."""
    counts = {"input_tokens": PROMPT - CACHED, "cache_read_input_tokens": CACHED, "cache_creation_input_tokens": 0}
    message = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude-test-1", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": {**counts, "output_tokens": 1},
    }  # fmt: skip
    blocks: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    if said.thought:
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(said.thought)]
        signed = {"type": "signature_delta", "signature": signature(number)}
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""}, [*deltas, signed]))
    if said.text:
        texts = [{"type": "text_delta", "text": piece} for piece in pieces(said.text)]
        blocks.append(({"type": "text", "text": ""}, texts))
    for at, call in enumerate(said.calls):
        start = {"type": "tool_use", "id": f"toolu_{number}_{at}", "name": call.name, "input": {}}
        parts = pieces("" if call.value == {} else call.written)
        blocks.append((start, [{"type": "input_json_delta", "partial_json": piece} for piece in ("", *parts)]))
    ended = {"stop_reason": _REASONS[said.reason], "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "ping"},
        *(event for at, (start, deltas) in enumerate(blocks) for event in _block(at, start, deltas)),
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": WRITTEN}},
        {"type": "message_stop"},
    ]


def _events(said: Said, number: int) -> bytes:
    return stream_of(events_of(said, number), named=True)


def _refusal(status: int, message: str) -> dict[str, Any]:
    kind = {401: "authentication_error", 404: "not_found_error"}.get(status, "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


ANTHROPIC = Protocol(path=r"/v1/messages\Z", key=_key, faults=faults_of, events=_events, refusal=_refusal)
