"""What a server's own list of models says about a request that it found no address or model for."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from purestep_hosts.models.openai_http import COMPLETIONS_PATH, RESPONSES_PATH
from purestep_hosts.models.server_kinds import WireName, near_names
from purestep_hosts.models.server_models import ModelListError, ServerModel, server_models
from purestep_hosts.show.sanitize import one_line

_TIMEOUT_S = 5
"""The server has just answered."""

_OTHER_API = "It has this model, but not OpenAI's Responses API: openai-chat:{model} asks it by chat completions."


def address_advice(url: str, api_key: str, model: str, wire: WireName) -> str:
    """Return a sentence on what was meant: a model with another name, or the address with `/v1`; "" for neither.

    url: where was asked. The key goes to the same host.
    """
    listed = _listed(url, api_key, wire)
    if listed is not None:
        names = [each.id for each in listed]
        if model in names:
            return _OTHER_API.format(model=model) if wire == "responses" else ""
        return one_line(f"It has no model {model}, but {near_names(model, names) or 'none at all'}.")
    parts = urlsplit(url)
    path = parts.path.removesuffix(COMPLETIONS_PATH).removesuffix(RESPONSES_PATH)
    if wire not in ("openai", "responses") or "v1" in path.split("/"):
        return ""
    base = urlunsplit((parts.scheme, parts.netloc, f"{path.rstrip('/')}/v1", "", ""))
    return "" if _listed(base, api_key, wire) is None else f"Its models are at {base}: give this base URL."


def _listed(url: str, api_key: str, wire: WireName) -> list[ServerModel] | None:
    try:
        return server_models(url, api_key, wire, timeout_s=_TIMEOUT_S)
    except ModelListError:
        return None
