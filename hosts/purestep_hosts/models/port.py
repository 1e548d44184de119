"""The port between the loop and a model: one request in, one observation out.

An adapter never raises for what a model or a server did: that comes back as a `model_error` observation,
and the core decides what follows. An adapter raises only for misuse by the host.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

OnText = Callable[[str], bool | None]
"""Receives each new piece of text; a true answer ends the generation, for good: no more is wanted of it."""

ErrorCode = Literal["overflow", "timeout", "rate_limit", "unavailable", "refused"]


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What one `call_model` decision asks of a model, with its prompt ranges resolved to messages."""

    messages: list[dict[str, Any]]
    model: str | None = None
    tools: list[dict[str, Any]] | None = None
    response_format: dict[str, Any] | None = None
    grammar: str | None = None
    stop: tuple[str, ...] = ()
    sampling: dict[str, Any] = {}


class Model(Protocol):
    """A source of completions."""

    @property
    def name(self) -> str:
        """The name recorded in logs; never a path or an address."""
        ...

    def complete(self, request: ModelRequest, on_text: OnText | None = None) -> dict[str, Any]:
        """Return a `model_output` or `model_error` observation for `request`."""
        ...


def chat_body(request: ModelRequest, model: str) -> dict[str, Any]:
    """Return the body of a streamed OpenAI chat completion for `request`.

    `grammar` (GBNF) is llama.cpp's extension and is left out when there is none.
    """
    optional = {
        "tools": request.tools,
        "response_format": request.response_format,
        "grammar": request.grammar,
        "stop": list(request.stop),
    }
    return {
        "model": request.model or model,
        "messages": request.messages,
        "stream": True,
        "stream_options": {"include_usage": True},
        **{name: value for name, value in optional.items() if value},
        **{name: value for name, value in request.sampling.items() if value is not None},
    }


def model_error(code: ErrorCode, message: str, *, retryable: bool) -> dict[str, Any]:
    """Return a `model_error` observation; `message` is a sentence for people."""
    return {"type": "model_error", "code": code, "message": message, "retryable": retryable}
