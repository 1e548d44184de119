"""A run is cancelled while its model writes: the call is ended, and the log says so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from purestep import verify
from purestep_hosts import Agent
from purestep_hosts.durable import DurableRuns
from purestep_hosts.models.openai_http import HttpModel
from tests.durable.booking import LIMIT_S, RUN_ID
from tests.durable.test_two_processes import database, program
from tests.durable.test_workers import Workers, workers
from tests.hosts.conftest import Answer, web
from tests.serve.conftest import in_background, started
from tests.serve.test_streamed_text import streaming

__all__ = ["database", "web", "workers"]

Web = Callable[[Answer], str]

ASKING = """
import sys
from purestep_hosts.durable import DurableRuns
from tests.durable.test_model_waits import asking_agent

with DurableRuns(asking_agent(sys.argv[2]), sys.argv[1], executor="other") as runs:
    runs.start("Hello?", run_id="run-1")
    sys.stdin.read()
"""


class EndlessModel:
    """A model server that writes until its client leaves: never the end of an answer."""

    def __init__(self, web: Web) -> None:
        self.asked, self.left = threading.Event(), threading.Event()
        self._over = threading.Event()
        self.url = web(self._answer)

    def _answer(self, handler: Any, number: int) -> None:
        send = streaming(handler)
        send('{"kind":"final","content":"')
        try:
            while not self._over.wait(0.05):
                send("and so on ")
                self.asked.set()
        except OSError:
            self.left.set()

    def close(self) -> None:
        """End its answers."""
        self._over.set()


@pytest.fixture
def model(web: Web) -> Any:
    """A server that writes until its client leaves."""
    server = EndlessModel(web)
    yield server
    server.close()


def asking_agent(url: str) -> Agent[str]:
    """Return an agent of a model server."""
    return Agent(HttpModel(f"{url}/chat/completions", model="endless"))


def is_cancelled(log: str) -> bool:
    """Whether a log verifies and says once that its run was cancelled, with nothing of an output."""
    found = log.count('"kind":"cancelled"'), log.count('"kind":"model_response"')
    return (1, 0) == found and verify(log).ok


def test_a_cancellation_ends_the_call_of_the_model(database: str, model: EndlessModel) -> None:
    """In the process that asks: its connection is closed in the middle of the answer."""
    with DurableRuns(asking_agent(model.url), database) as runs:
        runs.start("Hello?", run_id=RUN_ID)
        assert model.asked.wait(LIMIT_S)
        runs.cancel(RUN_ID)
        assert model.left.wait(LIMIT_S)
        assert "failed" == runs.wait(RUN_ID, LIMIT_S).status
        assert is_cancelled(runs.log(RUN_ID))


def test_a_cancellation_of_another_process_ends_the_call_of_the_model(database: str, model: EndlessModel) -> None:
    """The process that asks hears of it from the database."""
    with program(ASKING, database, model.url):
        assert model.asked.wait(LIMIT_S)
        with DurableRuns(asking_agent(model.url), database, executor="second") as runs:
            runs.cancel(RUN_ID)
            assert model.left.wait(LIMIT_S)
            assert "failed" == runs.wait(RUN_ID, LIMIT_S).status
            assert is_cancelled(runs.log(RUN_ID))


@pytest.mark.needs("postgresql")
def test_a_service_cancels_what_its_worker_asks(workers: Workers, model: EndlessModel, tmp_path: Path) -> None:
    """`POST /runs/RUN/cancel` of a service that carries nothing out itself, and `purestep worker` that does."""
    options = ("--base-url", model.url, "--model", "endless", "--carry", "off")
    kept = ("--durable", "--queue-only", "--name", "front")
    with started(tmp_path, *options, kept=kept, PURESTEP_DATABASE=workers.database) as service:
        workers.start("w1", *options)
        asking, came = in_background(lambda: service.post("/runs", {"query": "Hello?"}))
        assert model.asked.wait(LIMIT_S)
        run = service.get("/runs").json["runs"][0]["run"]
        assert 200 == service.post(f"/runs/{run}/cancel", {}).status
        assert model.left.wait(LIMIT_S)
        asking.join()
        assert ["cancelled"] == [reply.json["failure"]["code"] for reply in came]
        assert is_cancelled(service.get(f"/runs/{run}/log").text)
