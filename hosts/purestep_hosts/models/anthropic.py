"""Models of Anthropic by its own Messages API, over the connection of `openai_http`.

A chat's messages become content blocks, and the events of a reply become the chunks of a chat completion. Blocks of
thinking are kept as they came, with their signatures, and go back in front of the calls that they led to. Breakpoints
of the prompt's cache stand where the next request will begin as this one does (`cache_breakpoints`).
Source: the Messages API of Anthropic, version 2023-06-01.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from purestep_hosts.models.event_stream import DONE
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpLimits, HttpModel
from purestep_hosts.models.sent_parts import data_of, left_out, visible_parts
from purestep_hosts.models.server_kinds import BY_NAME
from purestep_hosts.models.wire import Wire

_KIND: Final = BY_NAME["anthropic"]
BASE_URL: Final = _KIND.url
_VERSION: Final = "2023-06-01"
_MAX_TOKENS: Final = 8192
"""Of one output, where the definition's `sampling` has no `max_tokens`: the API wants a number with each request."""
_FEWEST_TOKENS: Final = 4096
"""Of one output of its oldest models, which refuse more."""


def anthropic_model(
    model: str,
    *,
    api_key: str | None = None,
    base_url: str = BASE_URL,
    options: Mapping[str, Any] | None = None,
    limits: HttpLimits | None = None,
    time_advice: str = "",
) -> HttpModel:
    """Return a model of Anthropic; nothing is sent yet.

    model: its name there. base_url: without `/v1/messages`. options: further members of each request, such as
    `{"thinking": {"type": "enabled", "budget_tokens": 2048}}`; `cache_control` is what the breakpoints of the cache
    say, or None for no breakpoints. The others are those of HttpModel. Raises MissingExtraError without the extra
    `openai`, which has the HTTP client.
    """
    wire = Wire(
        name="anthropic",
        body=partial(_body, dict(options or {})),
        headers=key_headers,
        chunks=chunks_of,
        has_names=True,
        key_name=_KIND.key_name,
        base_end="",
    )
    url = messages_url(base_url)
    return HttpModel(
        url, model=model, api_key=api_key, limits=limits, time_advice=time_advice, wire=wire, profile="anthropic"
    )


def messages_url(base_url: str) -> str:
    """Return where to post for a base URL, with or without `/v1`."""
    return base_url.rstrip("/").removesuffix("/v1") + "/v1/messages"


def key_headers(key: str) -> dict[str, str]:
    """Return the headers of a request with a key, which may be ""."""
    return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}


def _body(options: dict[str, Any], request: ModelRequest, model: str) -> dict[str, Any]:
    """Return the body of a request; a setting that the API does not have is sent, and refused by its name."""
    first = next((at for at, message in enumerate(request.messages) if message["role"] != "system"), None)
    system = [block for message in request.messages[:first] for block in _content(message["content"])]
    optional = {
        "system": system,
        "tools": [_tool(tool["function"]) for tool in request.tools or ()],
        "tool_choice": _tool_choice(request.tool_choice) if request.tools else None,
        "output_config": _output_config(request.response_format),
        "grammar": request.grammar,
        "stop_sequences": list(request.stop),
    }
    sampling = {name: value for name, value in request.sampling.items() if value is not None}
    body = {
        "model": request.model or model,
        "messages": [] if first is None else _turns(request.messages[first:]),
        "stream": True,
        "max_tokens": _most_tokens(sampling, options, request.without),
        **{name: value for name, value in optional.items() if value},
        **{name: value for name, value in sampling.items() if name not in _TOKENS},
        **{name: value for name, value in options.items() if name != _CACHE},
    }
    left_out = {name for name in request.without if name not in _TOKENS}
    sent = {name: value for name, value in body.items() if name not in left_out}
    control = options.get(_CACHE, _KEPT) if _CACHE not in left_out else None
    return sent if control is None else cache_breakpoints(sent, control)


_TOKENS: Final = ("max_tokens", "max_completion_tokens")
_CACHE: Final = "cache_control"
_KEPT: Final = {"type": "ephemeral"}
"""For five minutes after each use, which is the API's default."""


def _most_tokens(sampling: dict[str, Any], options: dict[str, Any], without: tuple[str, ...]) -> int:
    """Return the limit of an output: of a model that refused more, as few as all take; else after what is thought."""
    thinking = options.get("thinking") or {}
    given: int = next((sampling[name] for name in _TOKENS if name in sampling), 0)
    most = given or thinking.get("budget_tokens", 0) + _MAX_TOKENS
    return min(most, _FEWEST_TOKENS) if _TOKENS[0] in without else most


def cache_breakpoints(body: dict[str, Any], control: dict[str, Any]) -> dict[str, Any]:
    """Return a body with the breakpoints of the prompt's cache: what stands before one is read from it next time.

    They stand after the tools, after the system text, and after the last two turns of the user: what was written with
    the last request is found again, however much came since. A question without tools and history has none, since
    writing costs more than reading once. Source: Anthropic's guide on prompt caching (four breakpoints at most).
    """
    turns = body["messages"]
    if not body.get("tools") and len(turns) == 1:
        return body
    asked = [at for at, turn in enumerate(turns) if turn["role"] == "user"][-_MARKED_TURNS:]
    marked = {name: _marked(body[name], control) for name in ("tools", "system") if body.get(name)}
    messages = [
        {**turn, "content": _marked(turn["content"], control)} if at in asked else turn for at, turn in enumerate(turns)
    ]
    return {**body, **marked, "messages": messages}


_MARKED_TURNS: Final = 2


def _marked(blocks: list[dict[str, Any]], control: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the blocks with a breakpoint after the last one."""
    return [*blocks[:-1], {**blocks[-1], _CACHE: control}]


def _turns(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages as turns of two roles: results of calls and what a user says are one turn."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    return turns


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    match message["role"]:
        case "tool":
            # A result without text is one all the same.
            content = _content(message.get("content"))
            return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": content}]
        case "assistant":
            kept = message.get("thinking_blocks")
            thoughts = [_thought(block) for block in kept if isinstance(block, dict)] if isinstance(kept, list) else []
            calls = [_tool_use(call) for call in message.get("tool_calls") or ()]
            return [*thoughts, *_content(message.get("content")), *calls]
        case _:
            return _content(message.get("content"))


def _content(content: Any) -> list[dict[str, Any]]:
    """Return a message's content as blocks."""
    return [_content_block(part) for part in visible_parts(content)]


def _content_block(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part as a block; images and files have their bytes in `source`."""
    data = data_of(part)
    if data is None:
        return part
    if data.media_type.startswith("audio/"):
        return {"type": "text", "text": left_out(data)}
    source = {"type": "base64", "media_type": data.media_type, "data": data.base64}
    if data.media_type.startswith("image/"):
        return {"type": "image", "source": source}
    return {"type": "document", "source": source, **({"title": data.name} if data.name else {})}


def _thought(block: dict[str, Any]) -> dict[str, Any]:
    """Return a block of thinking as it came: its place was added by `chunks_of`, and a text that is not told is ""."""
    untold = {"thinking": ""} if block.get("type") == "thinking" else {}
    return {**untold, **{name: value for name, value in block.items() if name != "index"}}


def _tool_use(call: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "tool_use",
        "id": call["id"],
        "name": call["function"]["name"],
        "input": _object_of(call["function"]["arguments"]),
    }


def _object_of(arguments: str) -> dict[str, Any]:
    """Return a call's arguments; the API takes an object only, also where the model wrote something else."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = arguments
    return value if isinstance(value, dict) else {"arguments": value}


def _tool(function: dict[str, Any]) -> dict[str, Any]:
    schema = function.get("parameters") or {"type": "object"}
    described = {"description": function["description"]} if function.get("description") else {}
    return {"name": function["name"], **described, "input_schema": schema}


_CHOICES: Final = {"auto": "auto", "required": "any", "none": "none"}


def _tool_choice(choice: str | dict[str, Any] | None) -> dict[str, Any] | None:
    if isinstance(choice, dict):
        return {"type": "tool", "name": choice["function"]["name"]}
    return None if choice is None else {"type": _CHOICES[choice]}


def _output_config(response_format: dict[str, Any] | None) -> dict[str, Any] | None:
    schema = ((response_format or {}).get("json_schema") or {}).get("schema")
    return None if schema is None else {"format": {"type": "json_schema", "schema": schema}}


_REASONS: Final = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
"""Why a reply ended, in the words of chat completions; another reason stays as it is."""


def chunks_of(events: Iterator[str]) -> Iterator[str]:
    """Yield the chunks of a chat completion; what is no event of the API is passed on, for the core to name."""
    reply = _ReplyEvents()
    for data in events:
        try:
            event = json.loads(data)
            chunk = reply.chunk(event)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            yield data
            continue
        if chunk is not None:
            yield chunk if isinstance(chunk, str) else json.dumps(chunk)


class _ReplyEvents:
    """Follows the events of one reply: its usage comes in two parts, and calls are numbered among themselves."""

    def __init__(self) -> None:
        self._usage: dict[str, Any] = {}
        self._calls: dict[int, int] = {}
        """The number of each call by the place of its block."""
        self._unwritten: set[int] = set()
        """The places of calls without any arguments yet."""

    def chunk(self, event: dict[str, Any]) -> dict[str, Any] | str | None:
        """Return what an event is as a chunk; None for one that says nothing of the reply."""
        match event["type"]:
            case "message_start":
                message = event["message"]
                self._usage.update(message.get("usage") or {})
                return {"model": message.get("model"), "choices": []}
            case "content_block_start":
                return self._started(event["index"], event["content_block"])
            case "content_block_delta":
                return self._continued(event["index"], event["delta"])
            case "content_block_stop":
                return self._finished(event["index"])
            case "message_delta":
                self._usage.update(event.get("usage") or {})
                reason = event["delta"].get("stop_reason")
                choice = {"delta": {}, "finish_reason": _REASONS.get(reason, reason)}
                return {"choices": [choice], "usage": _counts(self._usage)}
            case "message_stop":
                return DONE
            case "error":
                return {"error": event["error"]}
            case _:  # pings, and events that a later version may add
                return None

    def _started(self, index: int, block: dict[str, Any]) -> dict[str, Any] | None:
        match block["type"]:
            case "text":
                return _delta(content=block.get("text") or "")
            case "thinking" | "redacted_thinking":
                # An empty signature is not there yet.
                return _delta(thinking_blocks=[{"index": index, **{k: v for k, v in block.items() if v != ""}}])
            case "tool_use":
                number = self._calls[index] = len(self._calls)
                arguments = json.dumps(block["input"]) if block.get("input") else ""
                if not arguments:
                    self._unwritten.add(index)
                function = {"name": block["name"], "arguments": arguments}
                return _delta(tool_calls=[{"index": number, "id": block["id"], "function": function}])
            case _:  # blocks of tools that run at the provider
                return None

    def _continued(self, index: int, delta: dict[str, Any]) -> dict[str, Any] | None:
        match delta["type"]:
            case "text_delta":
                return _delta(content=delta["text"])
            case "thinking_delta" | "signature_delta":
                piece = {name: value for name, value in delta.items() if name != "type"}
                return _delta(thinking_blocks=[{"type": "thinking", "index": index, **piece}])
            case "input_json_delta" if index in self._calls and delta["partial_json"]:
                self._unwritten.discard(index)
                return self._arguments(index, delta["partial_json"])
            case _:
                return None

    def _finished(self, index: int) -> dict[str, Any] | None:
        """Return the arguments of a call without any, which the API leaves out."""
        if index not in self._unwritten:
            return None
        self._unwritten.discard(index)
        return self._arguments(index, "{}")

    def _arguments(self, index: int, piece: str) -> dict[str, Any]:
        return _delta(tool_calls=[{"index": self._calls[index], "function": {"arguments": piece}}])


def _delta(**members: Any) -> dict[str, Any]:
    return {"choices": [{"delta": members}]}


_PROMPT_COUNTS: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def _counts(usage: dict[str, Any]) -> dict[str, Any]:
    """Return the counts of a reply; the prompt's are apart, by what a cache had of it."""
    thinking = (usage.get("output_tokens_details") or {}).get("thinking_tokens")
    return {
        "prompt_tokens": sum(usage.get(name) or 0 for name in _PROMPT_COUNTS),
        "completion_tokens": usage.get("output_tokens"),
        "prompt_tokens_details": {
            "cached_tokens": usage.get("cache_read_input_tokens"),
            "cache_write_tokens": usage.get("cache_creation_input_tokens"),
        },
        "completion_tokens_details": {"reasoning_tokens": thinking},
    }
