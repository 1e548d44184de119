"""What a server on this machine tells of a model beyond its name: its window, and whether it takes tools and images.

Ollama, LM Studio and llama-server have addresses of their own beside those of OpenAI for it. Nothing here fails: what
a server does not tell is not known. Sources: Ollama's `docs/api.md` (`/api/show`, `/api/ps`), LM Studio's REST API
(`/api/v0/models`), llama.cpp's `tools/server/README.md` (`/props`).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlsplit

import msgspec

from purestep_hosts.models.server_kinds import LOOPBACK
from purestep_hosts.settings import Settings

_TIMEOUT_S: Final = 2.0
"""Of one answer: a server on this machine knows its models, and one that is busy loading is not waited for."""
_MAX_BYTES: Final = 4_000_000
"""Ollama sends a model's whole licence and template."""
_MAX_WINDOW: Final = 100_000_000


class ServerFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is told of one model; None for what is not. `source`: the address that told it, for people."""

    window_tokens: int | None = None
    tools: bool | None = None
    images: bool | None = None
    source: str = ""


NOTHING: Final = ServerFacts()
_Ask = Callable[[str, dict[str, Any] | None], Any]


def facts_of(settings: Settings) -> ServerFacts:
    """Return what the server of the settings tells of their model, asked once; nothing of one that is elsewhere.

    A folder's `.env` that names the server is not followed before a person has confirmed it.
    """
    row, model = settings.row, settings.model
    if row is None or not row.is_local or settings.chosen_by == ".env" or settings.url is None:
        return NOTHING
    parts = urlsplit(settings.url)
    if parts.hostname not in LOOPBACK or row.name not in _READERS:
        return NOTHING
    root = f"{parts.scheme}://{parts.netloc}"
    return _kept(row.name, root, settings.api_key or "", model or "")


@lru_cache(maxsize=64)
def _kept(kind: str, root: str, key: str, model: str) -> ServerFacts:
    import httpx2

    headers = {"User-Agent": "purestep", **({"Authorization": f"Bearer {key}"} if key else {})}
    with httpx2.Client(timeout=_TIMEOUT_S, headers=headers, trust_env=False) as client:

        def ask(path: str, body: dict[str, Any] | None) -> Any:
            try:
                method, until = "GET" if body is None else "POST", time.monotonic() + _TIMEOUT_S
                with client.stream(method, root + path, json=body) as response:
                    data = bytearray()
                    for piece in response.iter_bytes():
                        data += piece
                        if len(data) > _MAX_BYTES or time.monotonic() > until:
                            return None
                return json.loads(data) if response.status_code == HTTPStatus.OK else None
            except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValueError, OSError, RecursionError):
                return None

        try:
            return _READERS[kind](ask, model)
        except (AttributeError, KeyError, TypeError, ValueError):
            return NOTHING  # it is another kind of server, or a newer one


def _ollama(ask: _Ask, model: str) -> ServerFacts:
    """Read `/api/show`, and the window of a loaded model from `/api/ps`: by default it is far below the model's own."""
    shown = ask("/api/show", {"model": model})
    if not isinstance(shown, dict):
        return NOTHING
    able = shown.get("capabilities")
    can = set(able) if isinstance(able, list) else None
    running = (ask("/api/ps", None) or {}).get("models") or []
    loaded: dict[str, Any] = next((each for each in running if model in (each.get("model"), each.get("name"))), {})
    asked = re.search(r"^num_ctx\s+(\d{1,9})$", shown.get("parameters") or "", re.MULTILINE | re.ASCII)
    return ServerFacts(
        window_tokens=_window(loaded.get("context_length")) or _window(int(asked[1]) if asked else None),
        tools=None if can is None else "tools" in can,
        images=None if can is None else "vision" in can,
        source="/api/show",
    )


def _lmstudio(ask: _Ask, model: str) -> ServerFacts:
    shown = ask(f"/api/v0/models/{quote(model, safe='/')}", None)
    if not isinstance(shown, dict):
        return NOTHING
    able = shown.get("capabilities")
    return ServerFacts(
        window_tokens=_window(shown.get("loaded_context_length")) or _window(shown.get("max_context_length")),
        # Every model is given tools there; the list says only which were trained for them.
        images=None if not isinstance(able, list) and "type" not in shown else shown.get("type") == "vlm",
        source="/api/v0/models",
    )


def _llama_server(ask: _Ask, _model: str) -> ServerFacts:
    shown = ask("/props", None)
    if not isinstance(shown, dict):
        return NOTHING
    settings = shown.get("default_generation_settings") or {}
    modalities = shown.get("modalities")
    return ServerFacts(
        window_tokens=_window(settings.get("n_ctx")),
        images=bool(modalities.get("vision")) if isinstance(modalities, dict) else None,
        source="/props",
    )


_READERS: Final = {"ollama": _ollama, "lmstudio": _lmstudio, "llama-server": _llama_server}


def _window(value: object) -> int | None:
    return value if type(value) is int and 0 < value <= _MAX_WINDOW else None
