"""Names of models with a prefix, and what they mean; nothing is fetched here.

hf:ORG/REPO[:FILE]      a GGUF file of the Hugging Face hub
litellm:PROVIDER/NAME   a model of any provider that LiteLLM knows
KIND:NAME, KIND         a model of a kind of server (`server_kinds`); without a name, the only one that it has
"""

from __future__ import annotations

import re
from typing import Final

from purestep_hosts.models.server_kinds import BY_NAME, ServerKind
from purestep_hosts.settings import SettingsError

HUB: Final = "hf:"
LITELLM: Final = "litellm:"

_REPOSITORY: Final = re.compile(r"([A-Za-z0-9][\w.-]{0,95}/[\w.-]{1,96})(?::([^\x00-\x1f\\:]{1,200}))?", re.ASCII)


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


def server_name(model: str) -> tuple[ServerKind, str | None] | None:
    """Return the kind of server that a name begins with and the model on it, None for the only one that it has.

    None for a name that begins with no kind. Raises SettingsError for a colon without a name behind it.
    """
    word, colon, name = model.partition(":")
    kind = BY_NAME.get(word)
    if kind is None:
        return None
    if colon and not name:
        raise SettingsError(f"{model} names no model; expected {word}:NAME, such as {word}:{kind.example}")
    return kind, name or None
