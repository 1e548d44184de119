"""Services in Node and workerd whose agents, outputs and tools come with each request, and what their answers ask."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.edge.drivers import HERE, Service, built_worker, free_port, serve, started

Post = Callable[..., dict[str, Any]]


@contextmanager
def scripted_hosts(folder: Path) -> Iterator[dict[str, Post]]:
    """Run the services, and give what sends requests to them, by the host's name."""
    with ExitStack() as stack:
        file, port = folder / "node.json", free_port()
        file.write_text(json.dumps({"port": port}))
        process, lines = stack.enter_context(started(["node", str(HERE / "trees_node.js"), str(file)]))
        worker = built_worker(HERE / "trees_worker.js", folder)
        workerd = stack.enter_context(serve("workerd", {"unsigned": True}, folder, "--worker", str(worker)))
        yield {"node": _posting(Service("node", port, process, lines)), "workerd": _posting(workerd)}


def _posting(service: Service) -> Post:
    """Return what sends a request about a tree; the answer has the outputs that are left in `agent`."""

    def post(agent: Any, request: dict[str, Any], **more: Any) -> dict[str, Any]:
        found: dict[str, Any] = service.post("/", {"agent": agent, "request": request, **more}).json()
        found["body"] = json.loads(found["text"]) if found["text"].startswith("{") else found["text"]
        return found

    return post


def waiting(body: dict[str, Any]) -> list[tuple[list[str], dict[str, Any]]]:
    """Return the calls that wait for a person, each with the path of its agent."""
    asked = [each for each in (body["decision"], *body.get("also", [])) if each["type"] == "request_approval"]
    return [(each.get("path", []), call) for each in asked for call in each["calls"]]


def answers_to(body: dict[str, Any], said: dict[Any, bool]) -> list[dict[str, Any]]:
    """Return the answers by the amounts that calls have."""
    return [
        {"call_id": call["call_id"], "key": call["key"], "approved": said[call["params"]["amount"]]}
        for _, call in waiting(body)
        if call["params"]["amount"] in said
    ]
