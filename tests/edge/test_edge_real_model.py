"""A run at the edge with a real model behind it."""

import json
from pathlib import Path

import pytest

import purestep
from tests.edge.drivers import COMMANDS, serve
from tests.edge.sealing import UNSIGNED


@pytest.mark.parametrize("host", COMMANDS)
def test_real_model_answers(host: str, hosts: tuple[str, ...], llama_url: str, tmp_path: Path) -> None:
    """The bundled model behind a llama.cpp server gives an answer by way of the service."""
    assert host in hosts
    model = {"base_url": llama_url, "name": "local", "api_key": "right-key"}
    agent = {"sampling": {"temperature": 0, "max_tokens": 60, "seed": 1}}
    with serve(host, {**UNSIGNED, "model": model, "agent": agent}, tmp_path) as service:
        answer = service.post("/run", {"query": "Say hello."})

    value = answer.json()
    assert 200 == answer.status, value
    assert value["result"]
    assert json.loads(purestep.verify_log(value["log"], value["state"]["head"]))["ok"]
