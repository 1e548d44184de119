"""Models of Google by its own Gemini API, over the connection of `openai_http`.

A chat's messages become contents with parts, and the events of a reply become the chunks of a chat completion. The
signature of a thought comes with the call that it led to, and goes back with it; the thought itself is only shown.
Source: `models.streamGenerateContent` of the Gemini API, version v1beta.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from purestep_hosts.models.event_stream import DONE
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpLimits, HttpModel
from purestep_hosts.models.sent_parts import data_of, visible_parts, with_parts_after
from purestep_hosts.models.server_kinds import BY_NAME
from purestep_hosts.models.wire import Wire

_KIND: Final = BY_NAME["google"]
BASE_URL: Final = _KIND.url
_VERSION: Final = "v1beta"
_SIGNATURE: Final = "thought_signature"
"""The member of `extra_content.google` in which Google's OpenAI-compatible address has a signature too."""


def google_model(
    model: str,
    *,
    api_key: str | None = None,
    base_url: str = BASE_URL,
    options: Mapping[str, Any] | None = None,
    limits: HttpLimits | None = None,
    time_advice: str = "",
) -> HttpModel:
    """Return a model of Google; nothing is sent yet.

    model: its name there, such as `gemini-2.5-flash`. base_url: with or without `/v1beta`. options: further members of
    each request's `generationConfig`, such as `{"thinkingConfig": {"includeThoughts": True}}`. The others are those
    of HttpModel. Raises MissingExtraError without the extra `openai`, which has the HTTP client.
    """
    wire = Wire(
        name="google",
        body=partial(_body, dict(options or {})),
        headers=key_headers,
        chunks=chunks_of,
        key_name=_KIND.key_name,
        base_end="",
        address=stream_url,
    )
    return HttpModel(
        base_url, model=model, api_key=api_key, limits=limits, time_advice=time_advice, wire=wire, profile="google"
    )


def key_headers(key: str) -> dict[str, str]:
    """Return the headers of a request with a key, which may be ""."""
    return {"x-goog-api-key": key} if key else {}


def versioned_url(base_url: str) -> str:
    """Return a base URL with its version."""
    base = base_url.rstrip("/")
    return base if re.search(r"/v1(?:alpha|beta)?\Z", base) else f"{base}/{_VERSION}"


def stream_url(base_url: str, model: str) -> str:
    """Return where to post for a base URL, with or without its version, and a model's name."""
    name = quote(model.removeprefix("models/"), safe="")
    return f"{versioned_url(base_url)}/models/{name}:streamGenerateContent?alt=sse"


def _body(options: dict[str, Any], request: ModelRequest, model: str) -> dict[str, Any]:
    """Return the body of a request; a setting that the API does not have is sent, and refused by its name."""
    first = next((at for at, message in enumerate(request.messages) if message["role"] != "system"), None)
    system = [part for message in request.messages[:first] for part in _parts_of(message["content"])]
    functions = [_declaration(tool["function"]) for tool in request.tools or ()]
    optional = {
        "systemInstruction": {"parts": system} if system else None,
        "tools": [{"functionDeclarations": functions}] if functions else None,
        "toolConfig": _tool_config(request.tool_choice) if functions else None,
        "generationConfig": {**_generation_config(request), **options},
    }
    contents = [] if first is None else _contents(with_parts_after(request.messages[first:]))
    return {
        "contents": contents,
        **{name: value for name, value in optional.items() if value and name not in request.without},
    }


_SETTINGS: Final = {"max_tokens": "maxOutputTokens", "max_completion_tokens": "maxOutputTokens"}
"""Settings whose names there are others than ours in camel case."""


def _generation_config(request: ModelRequest) -> dict[str, Any]:
    schema = ((request.response_format or {}).get("json_schema") or {}).get("schema")
    answer = {} if schema is None else {"responseMimeType": "application/json", "responseJsonSchema": schema}
    stops = {"stopSequences": list(request.stop)} if request.stop else {}
    grammar = {"grammar": request.grammar} if request.grammar else {}
    settings = {_setting(name): value for name, value in request.sampling.items() if value is not None}
    return {**settings, **answer, **stops, **grammar}


def _setting(name: str) -> str:
    return _SETTINGS.get(name) or re.sub(r"_([a-z])", lambda found: found[1].upper(), name)


def _contents(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages as contents of two roles: results of calls and what a user says are one."""
    names = {call["id"]: call["function"]["name"] for message in messages for call in message.get("tool_calls") or ()}
    contents: list[dict[str, Any]] = []
    for message in messages:
        role = "model" if message["role"] == "assistant" else "user"
        parts = _message_parts(message, names)
        if contents and contents[-1]["role"] == role:
            contents[-1]["parts"] += parts
        elif parts:
            contents.append({"role": role, "parts": parts})
    return contents


def _message_parts(message: dict[str, Any], names: dict[str, str]) -> list[dict[str, Any]]:
    match message["role"]:
        case "tool":
            call_id = message["tool_call_id"]
            response = {"output": message.get("content") or ""}
            return [{"functionResponse": {"id": call_id, "name": names.get(call_id, ""), "response": response}}]
        case "assistant":
            calls = [_function_call(call) for call in message.get("tool_calls") or ()]
            return [*_signed(message, _parts_of(message.get("content"))), *calls]
        case _:
            return _parts_of(message.get("content"))


def _signed(message: dict[str, Any], parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the parts with the signature that came with the text, which stood in its last part."""
    signature = _signature_of(message)
    return [*parts[:-1], {**parts[-1], **signature}] if parts else parts


def _parts_of(content: Any) -> list[dict[str, Any]]:
    return [_part(part) for part in visible_parts(content)]


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"text": part["text"]}
    data = data_of(part)
    return part if data is None else {"inlineData": {"mimeType": data.media_type, "data": data.base64}}


def _function_call(call: dict[str, Any]) -> dict[str, Any]:
    """Return a call with its signature; without one the API refuses the results of a thinking model's call."""
    function = call["function"]
    try:
        arguments = json.loads(function["arguments"])
    except (ValueError, RecursionError):
        arguments = function["arguments"]
    # The API takes an object only, also where the model wrote something else.
    arguments = arguments if isinstance(arguments, dict) else {"arguments": arguments}
    return {"functionCall": {"id": call["id"], "name": function["name"], "args": arguments}, **_signature_of(call)}


def _signature_of(value: dict[str, Any]) -> dict[str, str]:
    """Return the signature that stands beside a message or a call as a part has it; nothing where there is none."""
    extra = value.get("extra_content")
    of_google = extra.get("google") if isinstance(extra, dict) else None
    signature = of_google.get(_SIGNATURE) if isinstance(of_google, dict) else None
    return {"thoughtSignature": signature} if isinstance(signature, str) else {}


def _declaration(function: dict[str, Any]) -> dict[str, Any]:
    schema = function.get("parameters") or {"type": "object"}
    described = {"description": function["description"]} if function.get("description") else {}
    return {"name": function["name"], **described, "parametersJsonSchema": schema}


_MODES: Final = {"auto": "AUTO", "required": "ANY", "none": "NONE"}


def _tool_config(choice: str | dict[str, Any] | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    if isinstance(choice, dict):
        config = {"mode": "ANY", "allowedFunctionNames": [choice["function"]["name"]]}
    else:
        config = {"mode": _MODES[choice]}
    return {"functionCallingConfig": config}


_REASONS: Final = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    **dict.fromkeys(
        ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "LANGUAGE"), "content_filter"
    ),
}
"""Why a reply ended, in the words of chat completions; another reason stays as it is."""


def chunks_of(events: Iterator[str]) -> Iterator[str]:
    """Yield the chunks of a chat completion; what is no event of the API is passed on, for the core to name."""
    reply = _GeminiEvents()
    for data in events:
        if data == DONE:  # the end of a body that was no stream
            break
        try:
            chunk = reply.chunk(json.loads(data))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            yield data
            continue
        yield json.dumps(chunk)
    # Some models name a reason in each event: the reply has ended when the stream has.
    if reply.has_ended:
        yield DONE


class _GeminiEvents:
    """Follows the events of one reply: calls come whole and are numbered as they come."""

    def __init__(self) -> None:
        self.has_ended = False
        self._calls = 0

    def chunk(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return what an event is as a chunk."""
        if "error" in event:
            return {"error": event["error"]}
        members = {"id": event.get("responseId"), "model": event.get("modelVersion"), "usage": _counts(event)}
        blocked = (event.get("promptFeedback") or {}).get("blockReason")
        candidate: dict[str, Any] = next(iter(event.get("candidates") or ()), {})
        reason = "content_filter" if blocked else self._reason(candidate.get("finishReason"))
        self.has_ended = self.has_ended or reason is not None
        delta = self._delta((candidate.get("content") or {}).get("parts") or ())
        return {**members, "choices": [{"delta": delta, "finish_reason": reason}]}

    def _reason(self, reason: str | None) -> str | None:
        if reason is None:
            return None
        named = _REASONS.get(reason, reason.lower())
        return "tool_calls" if named == "stop" and self._calls else named

    def _delta(self, parts: Any) -> dict[str, Any]:
        delta: dict[str, Any] = {}
        for part in parts:
            if "functionCall" in part:
                delta.setdefault("tool_calls", []).append(self._call(part))
                continue
            text = part.get("text") or ""
            member = "reasoning_content" if part.get("thought") else "content"
            delta[member] = delta.get(member, "") + text
            if part.get("thoughtSignature"):
                delta["extra_content"] = _extra(part["thoughtSignature"])
        return delta

    def _call(self, part: dict[str, Any]) -> dict[str, Any]:
        call, number = part["functionCall"], self._calls
        self._calls += 1
        function = {"name": call["name"], "arguments": json.dumps(call.get("args") or {})}
        signed = {"extra_content": _extra(part["thoughtSignature"])} if part.get("thoughtSignature") else {}
        return {"index": number, "id": call.get("id") or f"call_{number}", "function": function, **signed}


def _extra(signature: str) -> dict[str, Any]:
    return {"google": {_SIGNATURE: signature}}


def _counts(event: dict[str, Any]) -> dict[str, Any] | None:
    """Return the counts so far; what a model thought is apart from what it wrote."""
    usage = event.get("usageMetadata")
    if not usage:
        return None
    thought = usage.get("thoughtsTokenCount")
    return {
        "prompt_tokens": usage.get("promptTokenCount"),
        "completion_tokens": (usage.get("candidatesTokenCount") or 0) + (thought or 0),
        "prompt_tokens_details": {"cached_tokens": usage.get("cachedContentTokenCount")},
        "completion_tokens_details": {"reasoning_tokens": thought},
    }
