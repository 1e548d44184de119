"""Chat completions, as OpenAI and servers that are compatible with it have them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.hosts.wires.protocol import KEY, Protocol, first_fault, name_faults, schema_faults, signature, stream_of
from tests.hosts.wires.replies import CACHED, PROMPT, THOUGHT, WRITTEN, Said, pieces
from tests.hosts.wires.vendor_types import type_faults

Delta = dict[str, Any]
Think = Callable[[str, int], list[Delta]]
"""Returns the deltas of a thought, by its text and the number of its reply."""


def _bearer(headers: Any) -> str | None:
    value: str = headers.get("Authorization") or ""
    return value.removeprefix("Bearer ") if value.startswith("Bearer ") else None


def _refusal(status: int, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def order_faults(messages: list[dict[str, Any]]) -> str:
    """Return what is wrong with the order of messages: the calls of each have their results right after it.

    Source: OpenAI API, "An assistant message with 'tool_calls' must be followed by tool messages responding to each
    'tool_call_id'" and "messages with role 'tool' must be a response to a preceding message with 'tool_calls'".
    """
    open_ids: list[str] = []
    if not messages:
        return "[] is too short - 'messages'"
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_ids:
                return f"messages.[{at}]: a tool message must be a response to a preceding message with 'tool_calls'"
            open_ids.remove(message["tool_call_id"])
            continue
        if open_ids:
            return f"messages.[{at}]: these tool_call_ids did not have response messages: {', '.join(open_ids)}"
        open_ids = [call["id"] for call in message.get("tool_calls") or ()]
        if len(set(open_ids)) < len(open_ids) or not all(open_ids):
            return f"messages.[{at}]: the ids of calls are empty or repeat"
        if message["role"] == "assistant" and not (message.get("content") or open_ids):
            return f"messages.[{at}]: an assistant message has content or tool_calls"
    return f"these tool_call_ids did not have response messages: {', '.join(open_ids)}" if open_ids else ""


def call_faults(messages: list[dict[str, Any]]) -> str:
    """Return what is wrong with the arguments of calls: they are an object, as JSON.

    Source: vLLM, `chat_utils` (`json.loads` of a template's arguments); Ollama, `openai.go` (`Unmarshal` into a map).
    """
    for message in messages:
        for call in message.get("tool_calls") or ():
            try:
                value = json.loads(call["function"]["arguments"])
            except ValueError:
                value = None
            if not isinstance(value, dict):
                return f"invalid tool call arguments: {call['function']['arguments']}"
    return ""


def _functions(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [tool["function"] for tool in body.get("tools") or ()]


def _faults(body: dict[str, Any], given: list[str]) -> str:
    return first_fault(
        type_faults("chat", body),
        order_faults(body["messages"]),
        name_faults([function["name"] for function in _functions(body)]),
        schema_faults([function.get("parameters", {"type": "object"}) for function in _functions(body)]),
        "'tool_choice' is only allowed when 'tools' are specified" if _chooses_of_none(body) else "",
    )


def _chooses_of_none(body: dict[str, Any]) -> bool:
    return "tool_choice" in body and not body.get("tools")


def _openai_faults(body: dict[str, Any], given: list[str]) -> str:
    """Return what OpenAI says of a body for a reasoning model. Source: OpenAI's guide on reasoning, limitations."""
    refused = [name for name in ("temperature", "top_p", "presence_penalty", "max_tokens", "stop") if name in body]
    return f"Unsupported parameter: '{refused[0]}'" if refused else _faults(body, given)


def _chunk(delta: Delta, reason: str | None = None, **members: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    return {
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "served-1", "choices": [choice],
        **members,
    }  # fmt: skip


def _usage() -> dict[str, Any]:
    counts = {
        "prompt_tokens": PROMPT,
        "completion_tokens": WRITTEN,
        "total_tokens": PROMPT + WRITTEN,
        "prompt_tokens_details": {"cached_tokens": CACHED},
        "completion_tokens_details": {"reasoning_tokens": THOUGHT},
    }
    return {**_chunk({}), "choices": [], "usage": counts}


def _in_pieces(said: Said, think: Think) -> Callable[[int], list[dict[str, Any]]]:
    def events(number: int) -> list[dict[str, Any]]:
        deltas = [{"role": "assistant", "content": ""}, *(think(said.thought, number) if said.thought else ())]
        deltas += [{"content": piece} for piece in pieces(said.text)]
        for at, call in enumerate(said.calls):
            opened = {"index": at, "id": f"call_{number}_{at}", "type": "function"}
            deltas.append({"tool_calls": [{**opened, "function": {"name": call.name, "arguments": ""}}]})
            deltas += [
                {"tool_calls": [{"index": at, "function": {"arguments": piece}}]} for piece in pieces(call.written)
            ]
        return [*map(_chunk, deltas), _chunk({}, said.reason), _usage()]

    return events


def _no_thought(text: str, number: int) -> list[Delta]:
    return []


def _told(member: str) -> Think:
    return lambda text, number: [{member: piece} for piece in pieces(text)]


def _details(text: str, number: int) -> list[Delta]:
    """Return a thought as OpenRouter has it. Source: OpenRouter's documentation, "Preserving reasoning blocks"."""
    of = {"format": "openai-responses-v1", "index": 0}
    parts = [{"type": "reasoning.summary", "summary": piece, **of} for piece in pieces(text)]
    sealed = {"type": "reasoning.encrypted", "data": signature(number), "id": f"rs_{number}", **of, "index": 1}
    return [{"reasoning": part.get("summary"), "reasoning_details": [part]} for part in (*parts, sealed)]


def _stream(think: Think, before: bytes = b"") -> Callable[[Said, int], bytes]:
    return lambda said, number: before + stream_of(_in_pieces(said, think)(number), end=b"data: [DONE]\n\n")


def _whole_calls(said: Said, number: int) -> bytes:
    """Return a reply of Ollama: each call in one piece, and the reasons of its own. Source: Ollama, `openai.go`."""
    deltas: list[Delta] = [{"role": "assistant", "content": "", "reasoning": piece} for piece in pieces(said.thought)]
    deltas += [{"role": "assistant", "content": piece} for piece in pieces(said.text)]
    for at, call in enumerate(said.calls):
        function = {"name": call.name, "arguments": call.written}
        called = {"id": f"call_{number}{at}abcdef", "index": at, "type": "function", "function": function}
        deltas.append({"role": "assistant", "content": "", "tool_calls": [called]})
    last = _chunk({"role": "assistant", "content": ""}, said.reason)
    chunks = [{**chunk, "system_fingerprint": "fp_ollama"} for chunk in (*map(_chunk, deltas), last, _usage())]
    return stream_of(chunks, end=b"data: [DONE]\n\n")


def _without(body: dict[str, Any], members: tuple[str, ...]) -> dict[str, Any]:
    """Return a body without members of messages that a server has beside OpenAI's."""
    messages = [{name: value for name, value in each.items() if name not in members} for each in body["messages"]]
    return {**body, "messages": messages}


def _unsent(body: dict[str, Any], given: list[str], member: str) -> str:
    """Return what is wrong with the reasoning that comes back: each turn that called has its own."""
    sent = [json.dumps(each[member]) for each in body["messages"] if each.get(member)]
    missing = [sign for sign in given if sign and not any(sign in each for each in sent)]
    called = any(each.get("tool_calls") for each in body["messages"])
    return f"`{member}` is missing in an assistant message with tool_calls" if called and missing else ""


def _openrouter_faults(body: dict[str, Any], given: list[str]) -> str:
    plain = _without(body, ("reasoning", "reasoning_details"))
    return first_fault(_faults(plain, given), _unsent(body, given, "reasoning_details"))


def _telling(member: str, *rules: Callable[[dict[str, Any]], str]) -> Callable[[dict[str, Any], list[str]], str]:
    """Return the rules of a server that takes reasoning back as text."""

    def faults(body: dict[str, Any], given: list[str]) -> str:
        found = _faults(_without(body, (member,)), given)
        missing = [
            each
            for each in body["messages"]
            if given and each.get("tool_calls") and not isinstance(each.get(member), str)
        ]
        lacking = f"The `{member}` in the thinking mode must be passed back to the API." if missing else ""
        return first_fault(found, lacking, call_faults(body["messages"]), *(rule(body) for rule in rules))

    return faults


def _lm_studio(body: dict[str, Any]) -> str:
    """Return what LM Studio says of a body.

    Source: LM Studio's bug tracker, "Invalid tool_choice type: 'object'" and "'response_format.type' must be
    'json_schema' or 'text'".
    """
    choice = body.get("tool_choice", "auto")
    if not isinstance(choice, str):
        return "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
    kind = body.get("response_format", {}).get("type", "text")
    return "" if kind in ("json_schema", "text") else "'response_format.type' must be 'json_schema' or 'text'"


def _ollama(body: dict[str, Any]) -> str:
    """Return what Ollama says of images that are no data. Source: Ollama, `openai.go`, "invalid image input"."""
    parts = [part for each in body["messages"] if isinstance(each.get("content"), list) for part in each["content"]]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return "" if all(url.startswith("data:image/") for url in urls) else "invalid image input"


def _no_key(headers: Any) -> str | None:
    """Return the key for a server that needs none."""
    return KEY if headers.get("Authorization") is None else _bearer(headers)


def _chat(
    faults: Any,
    events: Callable[[Said, int], bytes],
    refusal: Any = _refusal,
    key: Callable[[Any], str | None] = _bearer,
) -> Protocol:
    return Protocol(path=r"/v1/chat/completions\Z", key=key, faults=faults, events=events, refusal=refusal)


OPENAI = _chat(_openai_faults, _stream(_no_thought))
OPENROUTER = _chat(
    _openrouter_faults,
    _stream(_details, b": OPENROUTER PROCESSING\n\n"),
    lambda status, message: {"error": {"message": message, "code": status, "metadata": {}}, "user_id": "u"},
)
OLLAMA = _chat(_telling("reasoning", _ollama), _whole_calls, key=_no_key)
LLAMA_SERVER = _chat(
    _telling("reasoning_content"),
    _stream(_told("reasoning_content")),
    lambda status, message: {"error": {"code": status, "message": message, "type": "invalid_request_error"}},
)
VLLM = _chat(
    _telling("reasoning"),
    _stream(_told("reasoning")),
    lambda status, message: {"error": {"message": message, "type": "BadRequestError", "param": None, "code": status}},
)
LM_STUDIO = _chat(_telling("reasoning_content", _lm_studio), _stream(_told("reasoning_content")))
