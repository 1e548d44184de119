"""How a provider's protocol writes a request and a reply; what is sent, awaited and bounded is the same for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from purestep_hosts.models.model import ModelRequest, chat_body
from purestep_hosts.models.server_kinds import WireName


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    """One protocol of HTTP requests that are answered by event streams.

    name: of the protocol. body: gives the JSON of a request and the name of the model that is meant where it has none.
    headers: gives those of a key, which may be "". chunks: gives the chunks of a chat completion from the data of the
    events. key_name: where the key is set. base_end: what base URLs usually end in. address: gives where to post, of
    the model's URL and of the name of the model that is asked. has_names: whether each event has a name.
    """

    name: WireName = "openai"
    body: Callable[[ModelRequest, str], dict[str, Any]]
    headers: Callable[[str], dict[str, str]]
    chunks: Callable[[Iterator[str]], Iterator[str]]
    key_name: str
    base_end: str = "/v1"
    address: Callable[[str, str], str] = lambda url, model: url
    has_names: bool = False


def bearer(key: str) -> dict[str, str]:
    """Return the headers of a request with a key, which may be ""."""
    return {"Authorization": f"Bearer {key}"} if key else {}


CHAT_COMPLETIONS: Final = Wire(
    body=chat_body, headers=bearer, chunks=lambda events: events, key_name="OPENAI_API_KEY (or LLM_API_KEY)"
)
"""That of OpenAI and of all servers that are compatible with it."""
