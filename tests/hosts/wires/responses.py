"""OpenAI's Responses API: the events of a reply, and what it refuses.

Source: OpenAI API reference, Responses and its streaming events; OpenAI's guides on reasoning, on function calling and
on conversation state.
"""

from __future__ import annotations

from typing import Any

from tests.hosts.wires.protocol import Protocol, first_fault, name_faults, schema_faults, signature, stream_of
from tests.hosts.wires.replies import CACHED, PROMPT, THOUGHT, WRITTEN, Said, pieces
from tests.hosts.wires.vendor_types import type_faults

SEARCHED = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "x"}}
"""An item of a tool that ran at the provider."""


def _key(headers: Any) -> str | None:
    value: str = headers.get("Authorization") or ""
    return value.removeprefix("Bearer ") if value.startswith("Bearer ") else None


def faults_of(body: dict[str, Any], given: list[str]) -> str:
    """Return what the API says of a body."""
    functions = [tool for tool in body.get("tools") or () if tool["type"] == "function"]
    return first_fault(
        type_faults("responses", body),
        _call_faults(body["input"]),
        _reasoning_faults(body["input"], given),
        name_faults([function["name"] for function in functions]),
        schema_faults([function["parameters"] for function in functions]),
        _state_faults(body),
    )


def _state_faults(body: dict[str, Any]) -> str:
    """Return where a body relies on what the server keeps, which is nothing here, or asks for what is not taken."""
    if body.get("store") is not False or body.get("previous_response_id"):
        return "Items are not persisted when `store` is set to false."
    refused = next((name for name in ("temperature", "top_p") if name in body), None)
    return f"Unsupported parameter: '{refused}' is not supported with this model." if refused else ""


def _call_faults(items: list[dict[str, Any]]) -> str:
    """Return what is wrong with calls and outputs: each has the other."""
    open_ids: list[str] = []
    for item in items:
        if item["type"] == "function_call":
            open_ids.append(item["call_id"])
        elif item["type"] == "function_call_output":
            if item["call_id"] not in open_ids:
                return f"No tool call found for function call output with call_id {item['call_id']}."
            open_ids.remove(item["call_id"])
        elif item["type"] == "message":
            if item["role"] != "assistant" and open_ids:
                return f"No tool output found for function call {open_ids[0]}."
            if not item["content"]:
                return "Invalid value: 'content' of a message is empty."
    return f"No tool output found for function call {open_ids[0]}." if open_ids else ""


def _reasoning_faults(items: list[dict[str, Any]], given: list[str]) -> str:
    """Return what is wrong with reasoning: it is the server's own, and stands before what it led to."""
    last, sent = "", []
    for item in items:
        if last == "reasoning" and item["type"] in ("function_call_output", "message") and not _is_said(item):
            return "Item of type 'reasoning' was provided without its required following item."
        if item["type"] == "function_call" and str(item.get("id", "")).startswith("fc_") and given and not sent:
            return f"Item '{item['id']}' of type 'function_call' was provided without its required 'reasoning' item."
        if item["type"] == "reasoning":
            if item.get("encrypted_content") not in given:
                return f"The encrypted content for item {item['id']} could not be verified."
            sent.append(item["encrypted_content"])
        last = item["type"]
    return "Item of type 'reasoning' was provided without its required following item." if last == "reasoning" else ""


def _is_said(item: dict[str, Any]) -> bool:
    return item["type"] == "message" and item["role"] == "assistant"


def output_of(said: Said, number: int) -> list[dict[str, Any]]:
    """Return the items of a reply."""
    items: list[dict[str, Any]] = []
    if said.thought:
        summary = [{"type": "summary_text", "text": said.thought}]
        items.append(
            {
                "id": f"rs_{number}",
                "type": "reasoning",
                "encrypted_content": signature(number),
                "summary": summary,
            }
        )
    if said.text:
        part = {"type": "output_text", "annotations": [], "logprobs": [], "text": said.text}
        if said.ends == "content_filter":
            part = {"type": "refusal", "refusal": said.text}
        items.append(
            {
                "id": f"msg_{number}",
                "type": "message",
                "status": "completed",
                "content": [part],
                "role": "assistant",
            }
        )
    for at, call in enumerate(said.calls):
        items.append(
            {
                "id": f"fc_{number}_{at}",
                "type": "function_call",
                "status": "completed",
                "arguments": call.written,
                "call_id": f"call_{number}_{at}_abc",
                "name": call.name,
            }
        )
    return items


def events_of(output: list[dict[str, Any]], ends: str = "", **members: Any) -> list[dict[str, Any]]:
    """Return the events of a reply with these items."""
    response = {
        "id": "resp_1", "object": "response", "created_at": 1, "status": "in_progress", "model": "gpt-test-1",
        "output": [], "tools": [], "tool_choice": "auto", "parallel_tool_calls": True, "store": False, "usage": None,
        "error": None,
        "incomplete_details": None,
    }  # fmt: skip
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": response},
        {"type": "response.in_progress", "response": response},
    ]
    for place, item in enumerate(output):
        events += _item_events(place, item)
    done = {**response, "status": "completed", "output": output, "usage": usage(), **members}
    if ends == "length":
        done |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    events.append({"type": f"response.{done['status']}", "response": done})
    return [{**event, "sequence_number": at} for at, event in enumerate(events)]


def usage() -> dict[str, Any]:
    """Return the counts of a reply."""
    return {
        "input_tokens": PROMPT,
        "input_tokens_details": {"cached_tokens": CACHED, "cache_write_tokens": 0},
        "output_tokens": WRITTEN,
        "output_tokens_details": {"reasoning_tokens": THOUGHT},
        "total_tokens": PROMPT + WRITTEN,
    }


def _item_events(place: int, item: dict[str, Any]) -> list[dict[str, Any]]:
    of = {"output_index": place, "item_id": item["id"]}
    opened = {**item, "status": "in_progress"} if "status" in item else dict(item)
    between: list[dict[str, Any]] = []
    match item["type"]:
        case "message":
            opened["content"] = []
            for at, part in enumerate(item["content"]):
                in_part = {**of, "content_index": at}
                name = "refusal" if part["type"] == "refusal" else "output_text"
                text = part["refusal" if name == "refusal" else "text"]
                extra = {} if name == "refusal" else {"logprobs": []}
                between.append({"type": "response.content_part.added", **in_part, "part": {**part, **_emptied(part)}})
                between += [
                    {"type": f"response.{name}.delta", **in_part, "delta": piece, **extra} for piece in pieces(text)
                ]
                whole = {"refusal": text} if name == "refusal" else {"text": text, "logprobs": []}
                between.append({"type": f"response.{name}.done", **in_part, **whole})
                between.append({"type": "response.content_part.done", **in_part, "part": part})
        case "function_call":
            opened["arguments"] = ""
            kind = "response.function_call_arguments"
            between = [{"type": f"{kind}.delta", **of, "delta": piece} for piece in pieces(item["arguments"])]
            between.append({"type": f"{kind}.done", **of, "name": item["name"], "arguments": item["arguments"]})
        case "reasoning":
            # What stands in the item before it is done may be incomplete.
            opened |= {"summary": [], "encrypted_content": "not-yet"}
            kind = "response.reasoning_summary"
            for at, part in enumerate(item["summary"]):
                in_part = {**of, "summary_index": at}
                between.append({"type": f"{kind}_part.added", **in_part, "part": {**part, "text": ""}})
                between += [{"type": f"{kind}_text.delta", **in_part, "delta": piece} for piece in pieces(part["text"])]
                between.append({"type": f"{kind}_text.done", **in_part, "text": part["text"]})
                between.append({"type": f"{kind}_part.done", **in_part, "part": part})
        case "web_search_call":
            between = [{"type": f"response.web_search_call.{name}", **of} for name in ("searching", "completed")]
    added = {"type": "response.output_item.added", "output_index": place, "item": opened}
    return [added, *between, {"type": "response.output_item.done", "output_index": place, "item": item}]


def _emptied(part: dict[str, Any]) -> dict[str, Any]:
    return {"refusal" if part["type"] == "refusal" else "text": ""}


def event_stream(events: list[dict[str, Any]]) -> bytes:
    """Return events as the server writes them."""
    return stream_of(events, named=True)


def _events(said: Said, number: int) -> bytes:
    return event_stream(events_of(output_of(said, number), said.ends))


def _refusal(status: int, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


RESPONSES = Protocol(path=r"/v1/responses\Z", key=_key, faults=faults_of, events=_events, refusal=_refusal)
