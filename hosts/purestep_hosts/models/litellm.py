"""A model of any provider that LiteLLM knows, by its name there, such as `anthropic/claude-sonnet-4-5`.

LiteLLM reads the key of a provider from the environment. It is asked once: whether to ask again is the core's decision.
"""

from __future__ import annotations

import ast
import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from purestep_formats import FAULT_HEADERS, MAX_ERROR_BODY_CHARS, ReplyEnd
from purestep_hosts.extras import LITELLM
from purestep_hosts.mask import secrets_of
from purestep_hosts.models.generation import Generation, Put
from purestep_hosts.models.model import ANY_SERVER, ModelRequest, ReplySink, chat_body
from purestep_hosts.models.openai_http import HttpLimits
from purestep_hosts.models.prices import price_at

_ONCE: Final = {"num_retries": 0, "max_retries": 0}
"""The first is LiteLLM's own retries, the second those of the clients that it uses."""
_CLASS: Final = re.compile(r"(?:litellm\.)?\b\w+(?:Error|Exception): |\b\w+Exception - ")
"""What LiteLLM writes before the words of a provider: the names of classes."""


class LiteLLMModel:
    """Completions through LiteLLM; several may run at once, each in a thread of its own."""

    profile = ANY_SERVER
    """How an agent asks it whose definition does not say."""

    def __init__(
        self,
        model: str,
        *,
        limits: HttpLimits | None = None,
        options: Mapping[str, Any] | None = None,
        time_advice: str = "",
    ) -> None:
        """Import LiteLLM, which takes seconds; nothing is sent yet.

        model: `PROVIDER/NAME`, as LiteLLM has it. limits: `read_s` and `total_s` hold; a library that is left behind
        ends at its next chunk, or after `read_s`. options: further arguments of `litellm.completion`, such as
        `api_base` or `reasoning_effort`. time_advice: as of HttpModel. Raises MissingExtraError without the extra
        `litellm`.
        """
        LITELLM.require()
        self._litellm = _library()
        self.name = model
        self.price_of = price_at(None)
        self._limits = limits or HttpLimits()
        self._options = dict(options or {})
        self._ended = ReplyEnd(
            source=f"The model {model}, asked through LiteLLM,",
            secret=str(self._options.get("api_key") or os.environ.get(_key_name(model), "")),
            key_name=_key_name(model),
            base_end="",
        )
        self._time_advice = time_advice
        self._generations: dict[int, Generation] = {}
        """What is awaited, by the identity of the reply that each gives to."""

    def complete(self, request: ModelRequest, reply: ReplySink) -> ReplyEnd:
        """Ask once, write the reply to `reply` and return how it ended; never raises for what the provider did."""
        asked = replace(request, messages=[_with_fields(message) for message in request.messages])
        arguments = {**chat_body(asked, self.name), "timeout": self._limits.read_s, **_ONCE, **self._options}
        generation = self._generations[id(reply)] = Generation(lambda put: self._ask(arguments, put), reply)
        try:
            for item in generation.items(self._limits.total_s):
                if isinstance(item, ReplyEnd):
                    return item
                if reply.chunk(item):
                    break
        except TimeoutError:
            return self._late()
        finally:
            self._generations.pop(id(reply), None)
            generation.give_up()
        return self._ended

    def stop(self) -> None:
        """Give up what other threads wait for."""
        for generation in tuple(self._generations.values()):
            generation.give_up()

    def stop_reply(self, reply: ReplySink) -> None:
        """Give up one reply of those that other threads wait for."""
        if (generation := self._generations.get(id(reply))) is not None:
            generation.give_up()

    def _ask(self, arguments: dict[str, Any], put: Put) -> None:
        try:
            put(self._streamed(arguments, put))
        except Exception as error:
            put(self._fault(error))

    def _streamed(self, arguments: dict[str, Any], put: Put) -> ReplyEnd:
        stream = self._litellm.completion(**arguments)
        try:
            for chunk in stream:
                said_end = any(choice.finish_reason for choice in chunk.choices)
                # LiteLLM makes an end up where the connection was closed in the middle of a reply.
                if said_end and not _has_ended(stream):
                    return replace(self._ended, kind="cut")
                if put(json.dumps(_with_extra(chunk.model_dump(exclude_none=True)))):
                    break
        finally:
            _close(stream)
        return self._ended

    def _fault(self, error: Exception) -> ReplyEnd:
        """Return what an error of the library means, whose own type is often that of another fault."""
        import httpx  # type: ignore[import-not-found]

        causes = tuple(_causes(error))
        if any(isinstance(each, httpx.TimeoutException) for each in causes):
            return self._late()
        if any(isinstance(each, httpx.ConnectError) for each in causes):
            return self._failed("unreachable", name="ConnectError")
        if any(isinstance(each, httpx.TransportError) for each in causes):
            return self._failed("cut")
        status = getattr(error, "status_code", None)
        if not isinstance(status, int):
            return self._failed("unusable", name=type(error).__name__)
        headers = getattr(error, "litellm_response_headers", None) or {}
        kept = {name: str(headers[name]) for name in FAULT_HEADERS if name in headers}
        return self._failed("status", status=status, headers=kept, body=_body(error))

    def _late(self) -> ReplyEnd:
        return self._failed("timeout", advice=self._time_advice)

    def _failed(self, kind: str, **members: Any) -> ReplyEnd:
        # The words of a library may hold any key that it has read.
        return replace(self._ended, kind=kind, hide=tuple(sorted(secrets_of(os.environ))), **members)


_FIELDS: Final = "provider_specific_fields"
"""In which LiteLLM has what a provider says beside a call: the signatures of Google, which go back with the calls."""


def _with_extra(chunk: dict[str, Any]) -> dict[str, Any]:
    """Return a chunk whose calls have what came beside them where the core keeps it."""
    for choice in chunk["choices"]:
        for call in choice["delta"].get("tool_calls") or ():
            if call.get(_FIELDS):
                call["extra_content"] = {_FIELDS: call[_FIELDS]}
    return chunk


def _with_fields(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message whose calls have it where LiteLLM looks for it."""
    if not message.get("tool_calls"):
        return message
    calls = [{**call, **(call.get("extra_content") or {})} for call in message["tool_calls"]]
    return {**message, "tool_calls": calls}


_OF_GOOGLE: Final = ("gemini", "vertex_ai", "vertex_ai_beta")
"""Providers of whose chunks LiteLLM takes each for the last: only a connection that breaks tells of a cut there."""


def _has_ended(stream: Any) -> bool:
    """Return whether the provider has said that its reply is complete."""
    is_of_google = stream.custom_llm_provider in _OF_GOOGLE
    reason = stream.received_finish_reason or (stream.intermittent_finish_reason if is_of_google else None)
    return reason is not None


def _key_name(model: str) -> str:
    """Return the variable of a provider's key, as nearly all are named."""
    return re.sub(r"\W", "_", model.partition("/")[0]).upper() + "_API_KEY"


_IMPORTING: Final = threading.Lock()


def _library() -> Any:
    """Return LiteLLM, quiet and without the request for prices that it makes when it is imported."""
    with _IMPORTING, LITELLM:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm  # type: ignore[import-not-found]

        litellm.suppress_debug_info = True  # it prints advice on stdout
    return litellm


def _close(stream: Any) -> None:
    """End the connection of a stream: LiteLLM does so for none, and a server may write for ever."""
    source: Any = getattr(stream, "completion_stream", None)
    for part in (source, getattr(source, "streaming_response", None)):
        close = getattr(part, "close", None)
        if close is not None:
            with suppress(Exception):  # those of the clients that it uses
                close()


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that it was raised from, in their order."""
    seen: list[BaseException] = []
    while error is not None and not any(error is other for other in seen):
        seen.append(error)
        yield error
        error = error.__cause__ or error.__context__


def _bodies(message: str) -> Iterator[tuple[int, int]]:
    """Yield where a message may hold a provider's body, which some hold as Python writes bytes."""
    for quote in ("'", '"'):
        begin, end = message.find(f"b{quote}{{"), message.rfind(f"}}{quote}")
        if 0 <= begin < end:
            yield begin, end + 2


def _body(error: Exception) -> str:
    """Return an error's body as its server sent it, or one that holds the library's words."""
    message = str(getattr(error, "message", "") or error)
    for begin, end in sorted(_bodies(message)):
        with suppress(ValueError, SyntaxError, UnicodeDecodeError):
            return str(ast.literal_eval(message[begin:end]).decode())[:MAX_ERROR_BODY_CHARS]
    is_overflow = type(error).__name__ == "ContextWindowExceededError"
    code = "context_length_exceeded" if is_overflow else getattr(error, "code", None)
    said = {"message": _CLASS.sub("", message)[:MAX_ERROR_BODY_CHARS], "type": getattr(error, "type", None)}
    return json.dumps({"error": {**said, "code": code}}, default=str)
