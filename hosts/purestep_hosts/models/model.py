"""The port between the loop and a model: a request, a reply in chunks, and how it ended.

An adapter performs I/O and decides nothing. It asks once and reports how the reply ended; the core interprets that
and decides on retries. An adapter raises only for misuse by the host, never for what a model or a server did.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from purestep import ModelError, ModelOutput, ReplyEnd
from purestep_hosts.models.families import sampling_for

LOCAL_WINDOW_TOKENS = 4096
"""The window of a model in this process: room for ten tools and a dozen turns; 100 MB with a 135M model."""

ModelEnd = ReplyEnd | ModelOutput | ModelError
"""How a reply ended, or the observation of a model that makes its own."""


class ReplySink(Protocol):
    """Takes a reply while it is generated; both methods return true when generation should stop."""

    def chunk(self, chunk: str | bytes) -> bool:
        """Take the JSON text of one chunk of a chat completion or of a whole one, or `[DONE]`."""
        ...

    def text(self, piece: str) -> bool:
        """Take the next piece of text, for a model that gives no chunks."""
        ...


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

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        """Ask once, write the reply to `reply` and return how it ended."""
        ...

    def stop(self) -> None:
        """Give up the reply that is awaited in another thread: `complete` returns soon, and nobody looks at it."""
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
        **sampling_for(request.model or model, request.sampling),
    }
