"""Names of models with a prefix, and what they mean; nothing is fetched here.

hf:ORG/REPO[:FILE]      a GGUF file of the Hugging Face hub
ollama:NAME             a model of ollama
anthropic:NAME          a model of Anthropic
google:NAME             a model of Google
litellm:PROVIDER/NAME   a model of any provider that LiteLLM knows
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from purestep_hosts.settings import SettingsError

HUB: Final = "hf:"
OLLAMA: Final = "ollama:"
ANTHROPIC: Final = "anthropic:"
GOOGLE: Final = "google:"
LITELLM: Final = "litellm:"

_REPOSITORY: Final = re.compile(r"([A-Za-z0-9][\w.-]{0,95}/[\w.-]{1,96})(?::([^\x00-\x1f\\:]{1,200}))?", re.ASCII)
_PORT: Final = 11434
_EVERYWHERE: Final = ("0.0.0.0", "::", "")


def hub_name(model: str) -> str:
    """Return what stands after `hf:`, checked; raises SettingsError for what names no repository."""
    name = model.removeprefix(HUB)
    found = _REPOSITORY.fullmatch(name)
    if found is None or ".." in name or (found[2] or "").startswith("/"):
        raise SettingsError(f"{model} names no model of a hub; expected hf:ORG/REPO or hf:ORG/REPO:FILE.gguf")
    return name


def litellm_name(model: str) -> str:
    """Return what stands after `litellm:`, checked; raises SettingsError for what names no provider and model."""
    name = model.removeprefix(LITELLM)
    provider, _, rest = name.partition("/")
    if not provider or not rest or not name.isprintable() or " " in name:
        raise SettingsError(f"{model} names no model of a provider; expected litellm:PROVIDER/NAME")
    return name


def ollama_url(environment: Mapping[str, str] | None = None) -> str:
    """Return the base URL: from OLLAMA_HOST, which may be an address, a host or a port alone, else on this machine.

    Raises SettingsError.
    """
    given = (os.environ if environment is None else environment).get("OLLAMA_HOST", "").strip()
    has_scheme = "://" in given
    try:
        parts = urlsplit(given if has_scheme else f"http://{given}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise _wrong(given) from None
    if parts.scheme not in ("http", "https") or parts.username or not given.isprintable() or " " in given:
        raise _wrong(given)
    host = "127.0.0.1" if host in _EVERYWHERE else host
    usual = {"http": 80, "https": 443}[parts.scheme] if has_scheme else _PORT
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}:{port or usual}{parts.path.rstrip('/')}/v1"


def _wrong(given: str) -> SettingsError:
    return SettingsError(f"OLLAMA_HOST is no address of a server; expected something like 127.0.0.1:{_PORT}")
