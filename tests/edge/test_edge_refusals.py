"""A model server that refuses members of requests: a service learns it in its first run, on every host."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import purestep
from tests.edge.drivers import COMMANDS, serve
from tests.edge.run_requests import run
from tests.hosts.conftest import web
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

__all__ = ["web"]

ASKED = {"sampling": {"temperature": 0, "max_tokens": 9}, "instructions": "Be brief."}
SAID = {
    "temperature": "temperature is not supported by this model",
    "system_role": "System role not supported",
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported.",
}


def refused_of(body: dict[str, Any]) -> list[str]:
    """Return what the server does not take of a request."""
    roles = {message["role"] for message in body["messages"]}
    return [name for name in SAID if name in body or (name == "system_role" and "system" in roles)]


@pytest.mark.parametrize("host", COMMANDS)
def test_service_asks_as_its_server_wants_from_then_on(
    host: str, hosts: tuple[str, ...], web: Callable[[Answer], str], tmp_path: Path
) -> None:
    """Each member is refused once; the second run is told what was, and its log verifies."""
    assert hosts
    found: list[list[str]] = []

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        found.append(refused_of(body))
        if found[-1]:
            error = {"error": {"message": SAID[found[-1][0]]}}
            handler.reply(400, "application/json", json.dumps(error).encode())
        else:
            stream(chunk("Hello."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    model = {"base_url": f"{web(answer)}/v1", "name": "small"}
    with serve(host, {"unsigned": True, "model": model}, tmp_path) as service:
        runs = [run(service, query="Hello", agent=ASKED).json() for _ in range(2)]
    assert ["Hello.", "Hello."] == [value["result"] for value in runs]
    assert [3, 2, 1, 0, 0] == [len(members) for members in found]
    assert all(json.loads(purestep.verify_log(value["log"], value["state"]["head"]))["ok"] for value in runs)
