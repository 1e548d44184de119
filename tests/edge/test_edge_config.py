"""What a service's configuration sets, on every host."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.edge.drivers import COMMANDS, HOSTS_FOLDER, environment, free_port, serve
from tests.edge.model_server import ModelServer
from tests.edge.sealing import SEAL_KEYS, UNSIGNED

ODD = 'Say "hi"; \\ and \x07, a tab\t, a line\n, 100 %, ü, \u2028, \U0001f600'


@pytest.mark.parametrize("host", COMMANDS)
def test_runs_use_the_services_own_definition(
    host: str, hosts: tuple[str, ...], llm: ModelServer, tmp_path: Path
) -> None:
    """The definition of the configuration reaches the run, any characters; without hosts there is no tool."""
    assert hosts
    model = {"base_url": f"http://{llm.address}/v1", "name": "scripted"}
    with serve(host, {**UNSIGNED, "model": model, "agent": {"instructions": ODD}}, tmp_path) as service:
        value = service.post("/run", {"query": "[hello]"}).json()
        steps_only = service.post("/step", {"observation": {"type": "user_message", "content": "a"}})

    agent = json.loads(value["log"].split("\n", 1)[0])["agent"]
    assert (ODD, []) == (agent["instructions"], agent["tools"])
    assert llm.keys[-1] is None
    assert 200 == steps_only.status


@pytest.mark.parametrize("host", COMMANDS)
def test_service_without_a_model_takes_single_steps(host: str, hosts: tuple[str, ...], tmp_path: Path) -> None:
    """A run is answered with 501; a step needs nothing but the core."""
    assert hosts
    with serve(host, UNSIGNED, tmp_path) as service:
        answer = service.post("/run", {"query": "a"})
        step = service.post("/step", {"observation": {"type": "user_message", "content": "a"}})
    assert (501, "no_model") == (answer.status, answer.json()["error"]["code"])
    assert 200 == step.status


@pytest.mark.parametrize("host", COMMANDS)
def test_time_limit_past_every_timer_is_no_limit(
    host: str, hosts: tuple[str, ...], llm: ModelServer, tmp_path: Path
) -> None:
    """Timers of JavaScript end at once when they are told to wait for more than 24 days."""
    assert hosts
    model = {"base_url": f"http://{llm.address}/v1", "name": "scripted"}
    with serve(host, {**UNSIGNED, "model": model, "time_limit_ms": 2**53 - 1}, tmp_path) as service:
        assert 200 == service.post("/run", {"query": "[hello]"}).status


@pytest.mark.parametrize("host", COMMANDS)
def test_the_level_of_the_configuration_is_for_definitions_without_one(
    host: str, hosts: tuple[str, ...], llm: ModelServer, tmp_path: Path
) -> None:
    """The log has the level of the configuration, unless the definition names its own."""
    assert hosts
    model = {"base_url": f"http://{llm.address}/v1", "name": "scripted", "carry": "ground"}
    asked = len(llm.asked)
    with serve(host, {**UNSIGNED, "model": model}, tmp_path) as service:
        own = {"models": [{"name": "scripted", "carry": "off"}]}
        carried, uncarried = (
            service.post("/run", {"query": "[hello]", **agent}).json() for agent in ({}, {"agent": own})
        )

    began = [json.loads(value["log"].split("\n", 1)[0])["agent"]["models"] for value in (carried, uncarried)]
    assert [[{"name": "scripted", "profile": "server", "carry": level}] for level in ("ground", "off")] == began
    assert asked + 2 == len(llm.asked)


def test_an_unknown_level_is_refused_by_its_place(hosts: tuple[str, ...], tmp_path: Path) -> None:
    """A level that there is not keeps the service from starting, and the levels that there are are named."""
    assert hosts
    model = {"base_url": "https://model.example/v1", "name": "m", "carry": "much"}
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps({"model": model}))
    command = ["node", HOSTS_FOLDER / COMMANDS["workerd"], file, "--print"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment())
    assert done.returncode != 0
    assert "/model/carry: expected one of off, ground" in done.stderr


def test_worker_reaches_only_what_it_is_configured_for(hosts: tuple[str, ...], tmp_path: Path) -> None:
    """Without allowed hosts nothing but the model's address is open to the worker."""
    assert hosts
    model = {"base_url": "https://model.example/v1", "name": "m"}
    closed = printed({"model": model}, tmp_path)
    opened = printed({"model": model, "allowed_hosts": ["page.example", "127.0.0.1:80"]}, tmp_path)

    assert "network = (allow = []," in closed
    assert 'external = (address = "model.example:443"' in closed
    assert 'network = (allow = ["public", "127.0.0.1/32"],' in opened


def test_what_is_printed_has_no_key(tmp_path: Path) -> None:
    """The configuration that people look at has the model's key and the secrets of seals left blank."""
    model = {"base_url": "https://model.example/v1", "name": "m", "api_key": "sk-not-for-eyes"}

    shown = printed({"model": model}, tmp_path)

    assert not any(secret in shown for secret in ("sk-not-for-eyes", *(key["secret"] for key in SEAL_KEYS)))
    assert all(key["id"] in shown for key in SEAL_KEYS)
    assert "(not shown)" in shown


def printed(config: dict[str, object], folder: Path) -> str:
    """Return the configuration that workerd is started with."""
    file = folder / "worker.json"
    file.write_text(json.dumps({"port": free_port(), "seal_keys": SEAL_KEYS, **config}))
    command = ["node", HOSTS_FOLDER / COMMANDS["workerd"], file, "--print"]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, env=environment()).stdout
