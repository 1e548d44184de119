"""The port between the loop and a model: a request, a reply in chunks, and how it ended.

An adapter performs I/O and decides nothing. It asks once and reports how the reply ended; the core interprets that
and decides on retries. An adapter raises only for misuse by the host, never for what a model or a server did.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import msgspec

import purestep
from purestep import ModelError, ModelOutput
from purestep_formats import ReplyEnd
from purestep_hosts.models.sent_parts import with_parts_after

LOCAL_WINDOW_TOKENS = 4096
"""The window of a model in this process: room for ten tools and a dozen turns; 100 MB with a 135M model."""

LOCAL_SUPPORTS: Final = ("tools", "json_schema", "grammar", "scores", "logprobs")
"""What llama.cpp takes in this process."""

ANY_SERVER: Final = "server"
"""The profile of a server of which no more is known: it is given the tools, and one that takes none refuses them."""

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


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one `call_model` decision asks of a model, with its prompt ranges resolved to messages."""

    messages: list[dict[str, Any]]
    model: str | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    response_format: dict[str, Any] | None = None
    grammar: str | None = None
    stop: tuple[str, ...] = ()
    sampling: dict[str, Any] = {}
    choices: tuple[str, ...] = ()
    """Texts that are to be scored, instead of a reply."""
    without: tuple[str, ...] = ()
    """Members that the server has refused, which no adapter adds."""
    logprobs: bool = False
    """Whether the reply is to have the log-probabilities of its tokens."""


def as_served(
    definition: dict[str, Any],
    model: str,
    profile: str | dict[str, Any] = ANY_SERVER,
    window_tokens: int | None = None,
) -> dict[str, Any]:
    """Return a definition by which a model of a server is asked as its profile has it; what it says itself stands.

    profile: the name of a row of the core's table, or an object. window_tokens: the model's, where it is known.
    """
    window = {} if window_tokens is None else {"window_tokens": window_tokens}
    parts = {"profile": {"name": model, "profile": profile, **window}}
    try:
        source = msgspec.json.encode(definition)
    except (TypeError, ValueError):
        return definition  # the core says what is wrong with it
    completed = msgspec.json.decode(purestep.complete_agent(source, msgspec.json.encode(parts)))
    return completed if isinstance(completed, dict) and "error" not in completed else definition


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


def refused_by(model: Model) -> tuple[str, ...]:
    """Return what a model's server has refused of requests in this process."""
    refused: tuple[str, ...] = getattr(model, "refused", ())
    return refused


def chat_body(request: ModelRequest, model: str) -> dict[str, Any]:
    """Return the body of a streamed OpenAI chat completion for `request`.

    `grammar` (GBNF) is llama.cpp's extension and is left out when there is none, as is what scores `choices`.
    """
    asked = request.model or model
    body = {
        "model": asked,
        "messages": with_parts_after(request.messages),
        "stream": True,
        "stream_options": {"include_usage": True},
        **({"tools": request.tools} if request.tools else {}),
        **_settings(request),
    }
    # What is told of a stream goes with it.
    left_out = {*request.without, *(("stream_options",) if "stream" in request.without else ())}
    return {name: value for name, value in body.items() if name not in left_out}


def sent_parameters(request: ModelRequest, model: str) -> dict[str, Any]:
    """Return what a chat completion for `request` says beside its messages and tools, for the log."""
    asked = request.model or model
    return {"model": asked, **_settings(request)}


def _settings(request: ModelRequest) -> dict[str, Any]:
    """Return the members of a body that shape the output, those that there are."""
    settings: dict[str, Any] = {}
    if request.tool_choice:
        settings["tool_choice"] = request.tool_choice
    if request.response_format:
        settings["response_format"] = request.response_format
    if request.grammar:
        settings["grammar"] = request.grammar
    if request.stop:
        settings["stop"] = list(request.stop)
    if request.choices:
        settings |= _scoring(request.choices)
    elif request.sampling:
        settings |= {name: value for name, value in request.sampling.items() if value is not None}
    if request.logprobs:
        # Of each token its own: without a number llama.cpp tells twenty others beside it.
        settings |= {"logprobs": True, "top_logprobs": 1}
    return settings


_BIAS: Final = 100
"""Logits that lift the choices above every other token, and leave the distances between them as they are."""
_PIECES: Final = 6
"""Tokens that a choice may be made of: the bias lifts all of them."""


def _scoring(choices: tuple[str, ...]) -> dict[str, Any]:
    """Return what has llama.cpp give the probabilities of the choices: those after sampling, among them alone."""
    return {
        "max_tokens": 1,
        "temperature": 1,
        "samplers": ["temperature"],
        "logprobs": True,
        "top_logprobs": len(choices) * _PIECES,
        "post_sampling_probs": True,
        "logit_bias": [[text, _BIAS] for text in choices],
    }
