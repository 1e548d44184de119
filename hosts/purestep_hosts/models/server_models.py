"""The models that an OpenAI-compatible server has, by its `/models`."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, Final

import msgspec

from purestep_hosts.extras import OPENAI
from purestep_hosts.models.openai_http import COMPLETIONS_PATH
from purestep_hosts.show.sanitize import one_line

_TIMEOUT_S: Final = 20
"""A list is short and kept ready; a server that is up answers within a second."""
_MAX_BYTES: Final = 16_000_000
"""The largest providers list a thousand models with a page of facts on each."""
_MAX_SAID_CHARS: Final = 200
_WINDOWS: Final = ("max_model_len", "context_length", "context_window", "max_context_length")
"""Members that tell a model's window: vLLM, OpenRouter, Groq, LM Studio."""


class ServerModel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One model: what to ask for, and its window in tokens where the server tells it."""

    id: str
    window_tokens: int | None = None


class ModelListError(Exception):
    """A server did not list its models; `message` says what to do."""

    code = "model_list"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def server_models(url: str, api_key: str | None = None) -> list[ServerModel]:
    """Return the models of a server in its order.

    url: its base URL or the address of its chat completions. Raises ModelListError, MissingExtraError.
    """
    OPENAI.require()
    import httpx2

    address = models_url(url)
    headers = {"Accept": "application/json", "User-Agent": "purestep"}
    if api_key:
        headers["Authorization"] = f"Bearer {api_key}"
    try:
        with (
            httpx2.Client(timeout=_TIMEOUT_S) as client,
            client.stream("GET", address, headers=headers) as response,
        ):
            body = _body(response.iter_bytes())
            status = response.status_code
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValueError, OSError) as error:
        raise ModelListError(
            f"{address} cannot be reached ({type(error).__name__}); start the server, or check the address"
        ) from None
    if status != HTTPStatus.OK:
        raise ModelListError(
            f"{address} answered with status {status}; {_ADVICE.get(status, 'it may have no list of its models')}"
        )
    return _read(body, address)


def models_url(url: str) -> str:
    """Return the address of a server's list, from its base URL or that of its chat completions."""
    base, mark, query = url.partition("?")
    return base.rstrip("/").removesuffix(COMPLETIONS_PATH) + "/models" + mark + query


_NO_KEY: Final = "set OPENAI_API_KEY to a key that it takes"
_ADVICE: Final = {401: _NO_KEY, 403: _NO_KEY, 404: "a base URL usually ends in /v1"}


def _body(pieces: Any) -> bytes:
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > _MAX_BYTES:
            raise ModelListError(f"the server's list is longer than {_MAX_BYTES:,} bytes")
    return bytes(body)


def _read(body: bytes, address: str) -> list[ServerModel]:
    try:
        listed = json.loads(body)["data"]
        return [ServerModel(id=str(entry["id"]), window_tokens=_window(entry)) for entry in listed]
    except (ValueError, KeyError, TypeError, RecursionError):
        said = one_line(body[:_MAX_SAID_CHARS].decode("utf-8", "replace"))
        raise ModelListError(
            f'{address} answered with something else than a list of models, {{"data": [{{"id": …}}]}}: {said}'
        ) from None


def _window(entry: dict[str, Any]) -> int | None:
    meta = entry.get("meta")  # llama.cpp
    told = [entry.get(name) for name in _WINDOWS] + ([meta.get("n_ctx")] if isinstance(meta, dict) else [])
    return next((value for value in told if type(value) is int and value > 0), None)
