"""The edge service on every host, and the model server that it asks."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.edge.drivers import COMMANDS, WEB, Service, serve
from tests.edge.model_server import KEY, ModelServer, model_server
from tests.edge.scripted_trees import Post, scripted_hosts
from tests.edge.sealing import SEAL_KEYS
from tests.hosts.conftest import llama_url, model_path

__all__ = ["llama_url", "model_path"]

PAGES_OF = "https://page.example"


@pytest.fixture(scope="session")
def hosts(node: str, package: Path) -> tuple[str, ...]:
    """The names of the hosts, all of them ready to be started."""
    del node, package
    if not (WEB / "dist" / "workerd" / "modules.capnp").is_file():
        pytest.fail("web/dist/workerd is missing: run ./build.sh web")
    return tuple(COMMANDS)


@pytest.fixture(scope="module")
def llm() -> Iterator[ModelServer]:
    """A model server that does as the query says."""
    with model_server() as server:
        yield server


@pytest.fixture(scope="module")
def config(llm: ModelServer) -> dict[str, Any]:
    """A service's configuration: short limits, one host to fetch from, one origin, keys."""
    return {
        "model": {"base_url": f"http://{llm.address}/v1", "name": "scripted", "api_key": KEY},
        "allowed_hosts": [llm.address],
        "allowed_origins": [PAGES_OF],
        "seal_keys": SEAL_KEYS,
        "time_limit_ms": 2000,
        "max_body_bytes": 200_000,
    }


@pytest.fixture(scope="module", params=list(COMMANDS))
def service(
    request: pytest.FixtureRequest,
    hosts: tuple[str, ...],
    config: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Service]:
    """The service on each host in turn."""
    assert request.param in hosts
    with serve(request.param, config, tmp_path_factory.mktemp("edge")) as running:
        yield running


@pytest.fixture(scope="module")
def services(
    hosts: tuple[str, ...], config: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Service]]:
    """The services on all hosts at once, by the host's name."""
    folder = tmp_path_factory.mktemp("edge")
    with ExitStack() as stack:
        yield {host: stack.enter_context(serve(host, config, folder)) for host in hosts}


@pytest.fixture(scope="module")
def hosts_of_trees(hosts: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Post]]:
    """Services of scripted trees in Node and workerd, by the host's name."""
    assert {"node", "workerd"} <= set(hosts)
    with scripted_hosts(tmp_path_factory.mktemp("trees")) as posts:
        yield posts
