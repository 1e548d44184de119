"""The servers of the table: how each is named, and the protocol that it speaks."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import pytest

from purestep_hosts import Agent
from purestep_hosts.models.server_kinds import BY_NAME
from tests.hosts.wires import chat, gemini, messages, responses
from tests.hosts.wires.protocol import KEY, Protocol


class Server(msgspec.Struct, frozen=True, kw_only=True):
    """A row. name: what its column is called. model: what people type."""

    name: str
    model: str
    protocol: Protocol

    @property
    def kind(self) -> str:
        """What stands before the colon."""
        return self.model.partition(":")[0]

    def at(self, url: str, environment: pytest.MonkeyPatch) -> None:
        """Have the variables of its kind name an address and the key."""
        row = BY_NAME[self.kind]
        environment.setenv(row.address_name, url + (row.path or urlsplit(row.url).path))
        for name in row.key_names[:1]:
            environment.setenv(name, KEY)

    def agent(self, url: str, environment: pytest.MonkeyPatch, **members: Any) -> Agent[Any]:
        """Return an agent that asks it at an address, by its name and its variables alone."""
        self.at(url, environment)
        return Agent(self.model, **members)


SERVERS: Final = (
    Server(name="OpenAI chat", model="openai-chat:gpt-5", protocol=chat.OPENAI),
    Server(name="OpenAI Responses", model="openai-responses:gpt-5", protocol=responses.RESPONSES),
    Server(name="Anthropic", model="anthropic:claude-test-1", protocol=messages.ANTHROPIC),
    Server(name="Gemini", model="google:gemini-test-1", protocol=gemini.GEMINI),
    Server(name="OpenRouter", model="openrouter:openai/gpt-5", protocol=chat.OPENROUTER),
    Server(name="Ollama", model="ollama:qwen3", protocol=chat.OLLAMA),
    Server(name="llama-server", model="llama-server:qwen3", protocol=chat.LLAMA_SERVER),
    Server(name="vLLM", model="vllm:Qwen/Qwen3-8B", protocol=chat.VLLM),
    Server(name="LM Studio", model="lmstudio:qwen3", protocol=chat.LM_STUDIO),
)
