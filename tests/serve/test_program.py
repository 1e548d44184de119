"""The service of a program's own agent: `create_app` in an ASGI server."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pydantic
import pytest
import uvicorn

from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from purestep_hosts.serve import Admission, ServiceLimits, create_app
from tests.serve.conftest import TOKEN, Client, wait_until


@contextmanager
def serving(folder: Path, agent: Agent[Any], **options: Any) -> Iterator[Client]:
    """Serve an agent in this process until the block ends."""
    app = create_app(agent, folder / "runs", Admission({"": TOKEN}), **options)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        wait_until(lambda: server.started)
        client = Client(listener.getsockname()[1])
        try:
            yield client
        finally:
            client.close()
            server.should_exit = True
            thread.join()


class Even(pydantic.BaseModel):
    """A number whose validator takes even ones only."""

    number: int

    @pydantic.field_validator("number")
    @classmethod
    def _even(cls, number: int) -> int:
        if number % 2:
            raise ValueError("the number has to be even")
        return number


def test_answer_that_a_validator_rejects_is_asked_for_again(tmp_path: Path) -> None:
    """The second answer counts, and its data are there."""
    model = ScriptedModel([says({"number": 3}), says({"number": 4})])
    with serving(tmp_path, Agent(model, output_type=Even, output_retries=1)) as client:
        found = client.post("/runs", {"query": "Give an even number."}).json
    assert ("done", {"number": 4}) == (found["status"], found["data"])
    assert "has to be even" in str(model.requests[1].messages)


@pytest.mark.parametrize(("retries", "code"), [(1, "postcondition"), (0, "output_type")])
def test_answer_that_stays_rejected_is_a_failure(tmp_path: Path, retries: int, code: str) -> None:
    """It is never shown as an answer, in the list neither."""
    model = ScriptedModel([says({"number": 3}), says({"number": 5})])
    with serving(tmp_path, Agent(model, output_type=Even, output_retries=retries)) as client:
        found = client.post("/runs", {"query": "Give an even number."}).json
        listed = client.get("/runs").json["runs"]
    assert ("failed", code, ["failed"]) == (
        found["status"],
        found["failure"]["code"],
        [run["status"] for run in listed],
    )
    assert "answer" not in found


def test_body_that_does_not_come(tmp_path: Path) -> None:
    """The client is told so, and nothing begins."""
    agent = Agent(ScriptedModel([]))
    with serving(tmp_path, agent, limits=ServiceLimits(body_s=0.2)) as client:
        head = f"POST /runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
        with socket.create_connection(("127.0.0.1", client.port)) as slow:
            slow.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
            said = slow.recv(65536)
        assert b"408" in said.partition(b"\r\n")[0]
        assert [] == client.get("/runs").json["runs"]


def test_agents_below_have_models_tools_and_answers_of_their_own(tmp_path: Path) -> None:
    """Each is asked by its own model, has its own tools, and gives data of its own type, whose validator holds."""

    @tool(approval="ask")
    def mark(number: int) -> str:
        """Mark a number."""
        return f"{number} marked"

    inner = ScriptedModel([calls("mark", number=4), says({"number": 3}), says({"number": 4})])
    below = Agent(inner, name="marker", instructions="You mark.", tools=[mark], output_type=Even, output_retries=1)
    lead = ScriptedModel([calls("marker", question="Mark 4"), says("Marked.")])
    with serving(tmp_path, Agent(lead, instructions="You lead.", tools=[below])) as client:
        run = client.post("/runs", {"query": "Mark an even number."}).json
        (call,) = run["approvals"]
        assert ("waiting", ["marker"]) == (run["status"], call["path"])
        answer = {"call_id": call["call_id"], "key": call["key"], "approved": True}
        ended = client.post(f"/runs/{run['run']}", {"approvals": [answer]}).json
    assert ("done", "Marked.") == (ended["status"], ended["answer"]), ended
    assert (3, 2) == (len(inner.requests), len(lead.requests))
    assert "has to be even" in str(inner.requests[2].messages)
