"""llama.cpp's own server, with the small model: it takes what is asked of it, and a run on it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from msgspec.structs import replace

from purestep_hosts import Agent
from purestep_hosts.models.llamacpp import LlamaCppOptions, serve
from tests.hosts.wires import test_conformance as table
from tests.hosts.wires.asked import add_numbers, find_order
from tests.hosts.wires.protocol import KEY
from tests.hosts.wires.servers import SERVERS, Server

COLUMNS = (
    table.test_two_tools,
    table.test_parallel_calls,
    table.test_correction,
    table.test_approval,
    table.test_structured_output,
    table.test_reasoning_sent_back,
)
"""All but images, which the small model does not take, and what a client sees of a reply."""


@pytest.fixture(scope="module")
def real_url(model_path: Path) -> Iterator[str]:
    """The base URL of a server that wants the key of these tests."""
    with serve(model_path, options=LlamaCppOptions(n_ctx=4096, n_threads=1), api_key=KEY) as url:
        yield url


@pytest.fixture
def real(real_url: str) -> Server:
    """The row whose requests the real server judges; a token of each reply is enough for that."""

    def faults(body: dict[str, Any], given: list[str]) -> str:
        asked = {**body, "stream": False, "max_tokens": 1}
        asked.pop("stream_options")
        headers = {"Authorization": f"Bearer {KEY}"}
        answer = httpx2.post(f"{real_url}/chat/completions", json=asked, headers=headers, timeout=120)
        return "" if answer.status_code == 200 else answer.text

    row = next(server for server in SERVERS if server.kind == "llama-server")
    return replace(row, protocol=replace(row.protocol, faults=faults))


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.__name__)
def test_requests_are_taken(column: Callable[..., None], real: Server, ask: Any) -> None:
    """By its parser, its grammars and the model's chat template."""
    column(real, ask)


def test_run_ends(real_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the only model that it has, whatever so small a one says; nothing is refused."""
    monkeypatch.setenv("LLAMA_SERVER_BASE_URL", real_url)
    monkeypatch.setenv("LLAMA_API_KEY", KEY)
    sampling = {"temperature": 0, "max_tokens": 64}
    agent = Agent("llama-server", tools=[add_numbers, find_order], sampling=sampling)
    lines = [json.loads(line) for line in agent.run_sync("What is 17 plus 25?").log.splitlines()]
    assert [] == [line for line in lines if line["kind"] in ("model_error", "switched")]
    assert lines[-1]["kind"] in ("final_answer", "run_failed")
    assert all(line["usage"]["prompt_tokens"] > 0 for line in lines if line["kind"] == "model_response")
