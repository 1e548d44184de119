"""The types of requests that vendors publish in their Python packages, with members that they do not have refused."""

import sys
from collections.abc import Generator, Iterator
from functools import cache
from typing import Any, get_args

import pydantic
import typing_extensions
from openai.types.chat import ChatCompletionChunk, completion_create_params
from openai.types.responses import ResponseStreamEvent, response_create_params

from tests.locked_packages import packages_of

# After all others: what this environment has itself is not found there twice.
sys.path.append(str(packages_of("vendors")))

from anthropic.types import RawMessageStreamEvent, message_create_params
from google.genai import types as genai

_STRICT: pydantic.ConfigDict = {"extra": "forbid", "arbitrary_types_allowed": True}


class GenerateContentRequest(pydantic.BaseModel):
    """A request of the Gemini API: its members' types are Google's, and refuse what they do not have.

    Source: Gemini API reference, `models.streamGenerateContent`, request body.
    """

    model_config = pydantic.ConfigDict(extra="forbid")

    contents: list[genai.Content]
    tools: list[genai.Tool] = []
    toolConfig: genai.ToolConfig | None = None  # noqa: N815 (as the API has it)
    systemInstruction: genai.Content | None = None  # noqa: N815
    generationConfig: genai.GenerationConfig | None = None  # noqa: N815
    safetySettings: list[genai.SafetySetting] = []  # noqa: N815
    cachedContent: str | None = None  # noqa: N815


_TYPES: dict[str, Any] = {
    "chat": completion_create_params.CompletionCreateParamsStreaming,
    "responses": response_create_params.ResponseCreateParamsStreaming,
    "anthropic": message_create_params.MessageCreateParamsStreaming,
    "google": GenerateContentRequest,
}


_EVENTS: dict[str, Any] = {
    "chat": ChatCompletionChunk,
    "responses": ResponseStreamEvent,
    "anthropic": RawMessageStreamEvent,
    "google": genai.GenerateContentResponse,
}


def event_faults(name: str, event: dict[str, Any]) -> str:
    """Return what the vendor's types say of an event of a reply, "" where they say nothing."""
    try:
        _type_of(_EVENTS[name], event).model_validate(event)
    except pydantic.ValidationError as error:
        return _told(error)
    return ""


def _type_of(types: Any, event: dict[str, Any]) -> type[pydantic.BaseModel]:
    """Return the type of an event among those of a union, each of which says its name."""
    if isinstance(types, type):
        return types
    (union, *_) = get_args(types)
    return next(each for each in get_args(union) if event["type"] in get_args(each.model_fields["type"].annotation))


@cache
def _adapter(name: str) -> pydantic.TypeAdapter[Any]:
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith(("openai.types", "anthropic.types")):
            for value in vars(module).values():
                if typing_extensions.is_typeddict(value):
                    value.__pydantic_config__ = _STRICT
    return pydantic.TypeAdapter(_TYPES[name])


def type_faults(name: str, body: Any) -> str:
    """Return what the vendor's types say of a body, "" where they say nothing."""
    try:
        _read(_adapter(name).validate_python(body))
    except pydantic.ValidationError as error:
        return _told(error)
    return ""


def _told(error: pydantic.ValidationError) -> str:
    faults = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_url=False)]
    return "; ".join(faults[:8])


def _read(value: Any) -> None:
    """Read what is validated only when it is read: members that are iterables."""
    if isinstance(value, dict):
        for each in value.values():
            _read(each)
    elif isinstance(value, list | tuple | Iterator | Generator) or type(value).__name__ == "ValidatorIterator":
        for each in value:
            _read(each)
