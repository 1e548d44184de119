"""Models asked by OpenAI's Responses API, over the connection of `openai_http`.

A chat's messages become items, and the events of a reply become the chunks of a chat completion. Nothing is kept at the
server: reasoning comes encrypted, and goes back in front of the calls that it led to, as do the items of tools that run
at the provider, each as it came and in its place (`kept_items`).
Source: OpenAI API reference, Responses; OpenAI's guides on reasoning and on conversation state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from purestep_hosts.models.kept_items import sent_items
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import RESPONSES_PATH, HttpLimits, HttpModel, posting_url
from purestep_hosts.models.sent_parts import data_of, left_out, visible_parts
from purestep_hosts.models.server_kinds import BY_NAME
from purestep_hosts.models.wire import Wire, bearer

_KIND: Final = BY_NAME["openai"]
_ENCRYPTED: Final = "reasoning.encrypted_content"
_LOGPROBS: Final = "message.output_text.logprobs"


def responses_model(
    model: str,
    *,
    api_key: str | None = None,
    base_url: str = _KIND.url,
    options: Mapping[str, Any] | None = None,
    limits: HttpLimits | None = None,
    time_advice: str = "",
    key_name: str = _KIND.key_name,
    profile: str = _KIND.name,
) -> HttpModel:
    """Return a model that is asked by the Responses API; nothing is sent yet.

    model: its name there. base_url: such as `https://api.openai.com/v1`. options: further members of each request, such
    as `{"reasoning": {"effort": "low"}}`; its `tools` are those that run at the provider, such as `[{"type":
    "web_search"}]`. key_name: where the key is set. profile: how such a server wants to be asked. The others are those
    of HttpModel. Raises MissingExtraError without the extra `openai`.
    """
    wire = Wire(
        name="responses",
        body=partial(_body, dict(options or {})),
        headers=bearer,
        chunks=_chunks,
        key_name=key_name,
        has_names=True,
    )
    url = responses_url(base_url)
    return HttpModel(
        url, model=model, api_key=api_key, limits=limits, time_advice=time_advice, wire=wire, profile=profile
    )


def responses_url(base_url: str) -> str:
    """Return where to post for a base URL; a full address stays."""
    return posting_url(base_url, RESPONSES_PATH)


def _chunks(events: Iterator[str]) -> Iterator[str]:
    from purestep_hosts.models.response_events import chunks_of

    return chunks_of(events)


def _body(options: dict[str, Any], request: ModelRequest, model: str) -> dict[str, Any]:
    """Return the body of a request; a setting that the API does not have is sent, and refused by its name."""
    asked = request.model or model
    settings = {_SETTINGS.get(name, name): value for name, value in request.sampling.items() if value is not None}
    effort = settings.pop("reasoning_effort", None)
    verbosity = settings.pop("verbosity", None)
    optional = {
        "tools": [*_tools(request), *options.get("tools", ())],
        "tool_choice": _tool_choice(request.tool_choice) if request.tools else None,
        "text": {**_text_format(request.response_format), **({"verbosity": verbosity} if verbosity else {})},
        "reasoning": {**({"effort": effort} if effort else {}), **options.get("reasoning", {})},
        "grammar": request.grammar,
        "stop": list(request.stop),
        "top_logprobs": 1 if request.logprobs else None,
    }
    body = {
        "model": asked,
        "input": [item for message in request.messages for item in _items(message)],
        "stream": True,
        "store": False,
        "include": [_ENCRYPTED, *([_LOGPROBS] if request.logprobs else [])],
        **settings,
        **options,
        **{name: value for name, value in optional.items() if value},
    }
    return {name: value for name, value in body.items() if name not in request.without}


_SETTINGS: Final = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens"}
"""Settings that have another name there."""


def _items(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items of a message."""
    match message["role"]:
        case "tool":
            # A result without text is one all the same.
            output = message.get("content") or ""
            return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": _result(output)}]
        case "assistant":
            return sent_items(message)
        case role:
            content = _content(message.get("content"))
            return [{"type": "message", "role": role, "content": content}] if content else []


def _result(output: Any) -> str | list[dict[str, Any]]:
    return output if isinstance(output, str) else _content(output)


def _content(content: Any) -> list[dict[str, Any]]:
    return [_part(part) for part in visible_parts(content)]


def _part(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a message as one of an item."""
    if part["type"] == "text":
        return {"type": "input_text", "text": part["text"]}
    data = data_of(part)
    if data is None:
        return part
    if data.media_type.startswith("audio/"):
        return {"type": "input_text", "text": left_out(data)}
    url = f"data:{data.media_type};base64,{data.base64}"
    if data.media_type.startswith("image/"):
        return {"type": "input_image", "image_url": url, "detail": "auto"}
    return {"type": "input_file", "file_data": url, **({"filename": data.name} if data.name else {})}


def _tools(request: ModelRequest) -> list[dict[str, Any]]:
    return [_tool(tool["function"], request.without) for tool in request.tools or ()]


def _tool(function: dict[str, Any], without: tuple[str, ...]) -> dict[str, Any]:
    """Return a function; where nothing says whether it is strict, the API rewrites its schema and takes fewer."""
    loose = {} if "strict" in without else {"strict": False}
    return {"type": "function", "parameters": {"type": "object", "properties": {}}, **loose, **function}


def _tool_choice(choice: str | dict[str, Any] | None) -> str | dict[str, Any] | None:
    return {"type": "function", "name": choice["function"]["name"]} if isinstance(choice, dict) else choice


def _text_format(response_format: dict[str, Any] | None) -> dict[str, Any]:
    """Return the form of the answer, whose members stand beside its type here."""
    if response_format is None:
        return {}
    kind = response_format["type"]
    return {"format": {"type": kind, **(response_format.get(kind) or {})}}
