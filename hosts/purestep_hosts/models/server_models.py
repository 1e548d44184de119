"""The models that a server has, by its `/models`."""

from __future__ import annotations

import json
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

import msgspec

from purestep_hosts.extras import OPENAI
from purestep_hosts.models.openai_http import COMPLETIONS_PATH, RESPONSES_PATH
from purestep_hosts.models.server_kinds import WireName
from purestep_hosts.models.wire import CHAT_COMPLETIONS
from purestep_hosts.settings import Settings
from purestep_hosts.show.sanitize import one_line

_TIMEOUT_S: Final = 20
"""A list is short and kept ready; a server that is up answers within a second."""
_MAX_BYTES: Final = 16_000_000
"""The largest providers list a thousand models with a page of facts on each."""
_MAX_SAID_CHARS: Final = 200
_PAGE: Final = 1000
"""Models in one page of a list; as many as Anthropic and Google give at once."""
_WINDOWS: Final = ("max_model_len", "context_length", "context_window", "max_context_length", "inputTokenLimit")
"""Members that tell a model's window: vLLM, OpenRouter, Groq, LM Studio, Google."""


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


def server_models(
    url: str,
    api_key: str | None = None,
    wire: WireName = "openai",
    key_name: str = "OPENAI_API_KEY",
    timeout_s: float = _TIMEOUT_S,
) -> list[ServerModel]:
    """Return the models of a server in its order.

    url: its base URL or the address where it is asked. wire: its protocol. key_name: the variable of its key, for
    messages. timeout_s: of each silence. Raises ModelListError, MissingExtraError.
    """
    OPENAI.require()
    import httpx2

    address = models_url(url, wire)
    headers = {"Accept": "application/json", "User-Agent": "purestep", **_headers(api_key or "", wire)}
    try:
        with (
            httpx2.Client(timeout=timeout_s) as client,
            client.stream("GET", address, headers=headers) as response,
        ):
            body = _body(response.iter_bytes())
            status = response.status_code
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValueError, OSError) as error:
        raise ModelListError(
            f"{address} cannot be reached ({type(error).__name__}); start the server, or check the address"
        ) from None
    if status != HTTPStatus.OK:
        advice = _advice(status, wire).format(key_name=key_name)
        raise ModelListError(f"{address} answered with status {status}; {advice}")
    return _read(body, address, wire)


def listed_models(settings: Settings) -> list[ServerModel]:
    """Return the models of the server that is chosen; raises ModelListError, MissingExtraError."""
    assert settings.url is not None
    row = settings.row
    if row is None:
        return server_models(settings.url, settings.api_key)
    return _kept(settings.url, settings.api_key, row.wire, row.key_name or "a key")


# A command reads its settings several times, and asks for the list once.
_kept: Final = lru_cache(maxsize=8)(server_models)


def models_url(url: str, wire: WireName = "openai") -> str:
    """Return the address of a server's list, from its base URL or the address where it is asked."""
    if wire == "google":
        from purestep_hosts.models.google import versioned_url

        return f"{versioned_url(url)}/models?pageSize={_PAGE}"
    if wire == "anthropic":
        from purestep_hosts.models.anthropic import messages_url

        return f"{messages_url(url.removesuffix('/messages')).removesuffix('/messages')}/models?limit={_PAGE}"
    base, mark, query = url.partition("?")
    root = base.rstrip("/").removesuffix(COMPLETIONS_PATH).removesuffix(RESPONSES_PATH)
    return root + "/models" + mark + query


def _headers(key: str, wire: WireName) -> dict[str, str]:
    if wire == "google":
        from purestep_hosts.models.google import key_headers

        return key_headers(key)
    if wire == "anthropic":
        from purestep_hosts.models.anthropic import key_headers as anthropic_headers

        return anthropic_headers(key)
    return CHAT_COMPLETIONS.headers(key)


_NO_KEY: Final = "set {key_name} to a key that it takes"
_ADVICE: Final = {401: _NO_KEY, 403: _NO_KEY, 404: "check the address"}
_ENDS: Final = "a base URL usually ends in /v1"


def _advice(status: int, wire: WireName) -> str:
    if status == HTTPStatus.NOT_FOUND and wire in ("openai", "responses"):
        return _ENDS
    return _ADVICE.get(status, "it may have no list of its models")


def _body(pieces: Any) -> bytes:
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > _MAX_BYTES:
            raise ModelListError(f"the server's list is longer than {_MAX_BYTES:,} bytes")
    return bytes(body)


def _read(body: bytes, address: str, wire: WireName) -> list[ServerModel]:
    list_name, id_name = ("models", "name") if wire == "google" else ("data", "id")
    try:
        listed = json.loads(body)[list_name]
        names = [(str(entry[id_name]).removeprefix("models/"), entry) for entry in listed]
        return [ServerModel(id=name, window_tokens=_window(entry)) for name, entry in names]
    except (ValueError, KeyError, TypeError, RecursionError):
        said = one_line(body[:_MAX_SAID_CHARS].decode("utf-8", "replace"))
        expected = f'{{"{list_name}": [{{"{id_name}": …}}]}}'
        raise ModelListError(
            f"{address} answered with something else than a list of models, {expected}: {said}"
        ) from None


def _window(entry: dict[str, Any]) -> int | None:
    meta = entry.get("meta")  # llama.cpp
    told = [entry.get(name) for name in _WINDOWS] + ([meta.get("n_ctx")] if isinstance(meta, dict) else [])
    return next((value for value in told if type(value) is int and value > 0), None)
