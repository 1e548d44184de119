"""The kinds of servers that are named by a word, as in `openai:gpt-5`, `ollama:llama3.2` or `llama-server`.

Each row says where such a server is, by what protocol it is asked, and which variables of the environment name its
address, its key and its model. Addresses and variables are those of the servers' own clients, as each row's source has
them; where these name no variable, it is called as OpenAI's are. Nothing is fetched here.
"""

from __future__ import annotations

import difflib
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

WireName = Literal["openai", "responses", "anthropic", "google"]


class ServerKind(msgspec.Struct, frozen=True, kw_only=True):
    """One row.

    name: what stands before the colon. title: what people call it. wire: how it is asked: chat completions, OpenAI's
    Responses, or the protocol of Anthropic or Google. elsewhere: how it is asked at an address of one's own, where that
    differs. url: where it is, unless the variable `address_name` says otherwise, which may leave `path` out. key_names:
    the variables of the key, the first of which is taken that is set; a server on this machine needs none. key_start:
    how its keys begin. model_name: the variable of the model. example: a model's name, for messages. has_host: the
    variable of the address may hold a host or a port alone, and what a server listens on. source: of the address and
    the variables.
    """

    name: str
    title: str
    wire: WireName = "openai"
    elsewhere: WireName | None = None
    url: str
    path: str = ""
    key_names: tuple[str, ...] = ()
    key_start: str = ""
    address_name: str
    model_name: str
    example: str = "NAME"
    is_local: bool = False
    has_host: bool = False
    source: str

    @property
    def key_name(self) -> str:
        """The variables of the key in words."""
        return " or ".join(self.key_names)

    def wire_at(self, url: str) -> WireName:
        """Return how it is asked at an address."""
        if self.elsewhere is None:
            return self.wire
        own, host = urlsplit(self.url).hostname or "", urlsplit(url).hostname or ""
        return self.wire if host == own or host.endswith(f".{own}") else self.elsewhere

    def base_url(self, given: str | None) -> str:
        """Return the base URL for what the variable of the address says; raises ValueError for what is no address."""
        if given is None:
            return self.url + self.path
        if self.has_host:
            return ollama_url(given)
        base = given.rstrip("/")
        return base if not self.path or base.endswith("/v1") else base + self.path


SERVER_KINDS: Final = (
    ServerKind(
        name="ollama",
        title="Ollama",
        url="http://127.0.0.1:11434",
        path="/v1",
        address_name="OLLAMA_HOST",
        model_name="OLLAMA_MODEL",
        example="llama3.2",
        is_local=True,
        has_host=True,
        source="https://github.com/ollama/ollama/blob/main/envconfig/config.go",
    ),
    ServerKind(
        name="lmstudio",
        title="LM Studio",
        url="http://127.0.0.1:1234",
        path="/v1",
        key_names=("LM_API_TOKEN",),
        address_name="LMSTUDIO_BASE_URL",
        model_name="LMSTUDIO_MODEL",
        is_local=True,
        source="https://lmstudio.ai/docs/developer/core/server",
    ),
    ServerKind(
        name="llama-server",
        title="llama-server",
        url="http://127.0.0.1:8080",
        path="/v1",
        key_names=("LLAMA_API_KEY",),
        address_name="LLAMA_SERVER_BASE_URL",
        model_name="LLAMA_SERVER_MODEL",
        is_local=True,
        source="https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    ),
    ServerKind(
        name="vllm",
        title="vLLM",
        url="http://127.0.0.1:8000",
        path="/v1",
        key_names=("VLLM_API_KEY",),
        address_name="VLLM_BASE_URL",
        model_name="VLLM_MODEL",
        is_local=True,
        source="https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",
    ),
    ServerKind(
        name="openai",
        title="OpenAI",
        wire="responses",
        elsewhere="openai",
        url="https://api.openai.com/v1",
        key_names=("OPENAI_API_KEY",),
        key_start="sk-proj-",
        address_name="OPENAI_BASE_URL",
        model_name="OPENAI_MODEL",
        example="gpt-5",
        source="https://github.com/openai/openai-python",
    ),
    ServerKind(
        name="anthropic",
        title="Anthropic",
        wire="anthropic",
        url="https://api.anthropic.com",
        key_names=("ANTHROPIC_API_KEY",),
        key_start="sk-ant-",
        address_name="ANTHROPIC_BASE_URL",
        model_name="ANTHROPIC_MODEL",
        example="claude-sonnet-4-5",
        source="https://github.com/anthropics/anthropic-sdk-python",
    ),
    ServerKind(
        name="google",
        title="Google",
        wire="google",
        url="https://generativelanguage.googleapis.com",
        key_names=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        key_start="AIza",
        address_name="GOOGLE_GEMINI_BASE_URL",
        model_name="GEMINI_MODEL",
        example="gemini-2.5-flash",
        source="https://github.com/googleapis/python-genai",
    ),
    ServerKind(
        name="openrouter",
        title="OpenRouter",
        url="https://openrouter.ai/api/v1",
        key_names=("OPENROUTER_API_KEY",),
        key_start="sk-or-",
        address_name="OPENROUTER_BASE_URL",
        model_name="OPENROUTER_MODEL",
        example="openai/gpt-5",
        source="https://openrouter.ai/docs/api-reference/overview",
    ),
    ServerKind(
        name="groq",
        title="Groq",
        url="https://api.groq.com",
        path="/openai/v1",
        key_names=("GROQ_API_KEY",),
        key_start="gsk_",
        address_name="GROQ_BASE_URL",
        model_name="GROQ_MODEL",
        example="llama-3.3-70b-versatile",
        source="https://github.com/groq/groq-python",
    ),
)
"""In the order in which they are chosen where several are set: those on this machine first."""

_OPENAI: Final = next(kind for kind in SERVER_KINDS if kind.name == "openai")
_BY_PROTOCOL: Final = (
    replace(_OPENAI, name="openai-chat", wire="openai", elsewhere=None),
    replace(_OPENAI, name="openai-responses", elsewhere=None),
)
"""OpenAI, asked by the protocol that the name says, at any address."""

BY_NAME: Final = {kind.name: kind for kind in (*SERVER_KINDS, *_BY_PROTOCOL)}

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
"""The hosts of this machine."""

MAX_NEAR: Final = 5
"""Names of a server's models in a message: enough to see what was meant, in a line or two."""

MAX_NAME_CHARS: Final = 100
"""Of each; a server that is none of models may send anything in their place."""

_OLLAMA_PORT: Final = 11434
_EVERYWHERE: Final = ("0.0.0.0", "::", "")


def ollama_url(given: str) -> str:
    """Return the base URL for a value of OLLAMA_HOST: an address, a host or a port alone, or "" for this machine.

    Raises ValueError.
    """
    has_scheme = "://" in given
    parts = urlsplit(given if has_scheme else f"http://{given}")
    host, port = parts.hostname or "", parts.port
    if parts.scheme not in ("http", "https") or parts.username or not given.isprintable() or " " in given:
        raise ValueError("no address of a server")
    host = "127.0.0.1" if host in _EVERYWHERE else host
    usual = {"http": 80, "https": 443}[parts.scheme] if has_scheme else _OLLAMA_PORT
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}:{port or usual}{parts.path.rstrip('/')}/v1"


def owner_of_key(key: str) -> ServerKind | None:
    """Return the kind of server whose keys begin as this one; None where that says nothing."""
    return next((kind for kind in SERVER_KINDS if kind.key_start and key.startswith(kind.key_start)), None)


def near_names(name: str, names: list[str]) -> str:
    """Return those of a server's models whose names are nearest to one, else its first ones, as a list in words."""
    near = difflib.get_close_matches(name, names, n=MAX_NEAR, cutoff=0.4) or names[:MAX_NEAR]
    more = f" and {len(names) - len(near):,} more" if len(names) > len(near) else ""
    return ", ".join(each[:MAX_NAME_CHARS] for each in near) + more
