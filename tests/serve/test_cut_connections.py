"""A proxy that drops the connection between client and service: a retry under the same key is the same run."""

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.serve.conftest import SOON_S, TOKEN, Serving, Start, calls, in_background, says, wait_until

BODY = {"query": "Wait."}
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Idempotency-Key": "key-1"}


@contextmanager
def proxy(port: int, request_bytes: int | None, answer_bytes: int, cut: Callable[[], object]) -> Iterator[int]:
    """Pass one connection on to a port until so many bytes of the answer came back, and give the proxy's own port.

    request_bytes: how many of the request are passed on, None for all. cut: waited for before the connection drops.
    """

    def work() -> None:
        client, _ = listener.accept()
        with client, socket.create_connection(("127.0.0.1", port), timeout=SOON_S) as service:
            client.settimeout(SOON_S)
            request = client.recv(65536)
            while b'"}' not in request:
                request += client.recv(65536)
            service.sendall(request[:request_bytes])
            if answer_bytes:
                client.sendall(service.recv(answer_bytes))
            cut()
            for each in (client, service):
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(SOON_S)
        assert not thread.is_alive()


def asked_through(port: int) -> str:
    """Post through a proxy; returns what came of the answer before it was cut off."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON_S)
    try:
        connection.request("POST", "/runs", json.dumps(BODY), HEADERS)
        return connection.getresponse().read().decode()
    except (OSError, http.client.HTTPException):
        return ""
    finally:
        connection.close()


def retried(service: Serving) -> None:
    """Ask again until an answer comes, as a client does; the runs are one, and so is the refund."""
    reply = service.post("/runs", BODY, Idempotency_Key="key-1")
    assert ("done", "It was there.") == (reply.json["status"], reply.json["answer"])
    assert [reply.json["run"]] == [entry["run"] for entry in service.get("/runs").json["runs"]]


SCRIPT = [calls("wait_for", file="go"), says("It was there."), *[says("Another run.")] * 4]


@pytest.mark.parametrize("sent", [20, -5], ids=["in the headers", "in the body"])
def test_cut_in_the_request(start: Start, tmp_path: Path, sent: int) -> None:
    """Nothing has begun, and the retry is the first run."""
    service = start(script=SCRIPT)
    (tmp_path / "go").touch()
    with proxy(service.port, sent, 0, lambda: None) as port:
        assert "" == asked_through(port)
    assert [] == service.get("/runs").json["runs"]
    retried(service)


@pytest.mark.parametrize("moment", ["while it works", "when it has ended"])
def test_cut_before_the_answer(start: Start, tmp_path: Path, moment: str) -> None:
    """The run goes on without its client, and the retry waits for it or gets its end."""
    service = start(script=SCRIPT)
    working = (tmp_path / "waiting").exists
    if moment == "when it has ended":
        (tmp_path / "go").touch()

    def cut() -> None:
        wait_until(working)
        if moment == "when it has ended":
            wait_until(lambda: service.get("/runs").json["runs"][0]["status"] == "done")

    with proxy(service.port, None, 0, cut) as port:
        assert "" == asked_through(port)
    asking, _ = in_background(lambda: retried(service))
    (tmp_path / "go").touch()
    asking.join(SOON_S)
    retried(service)


def test_cut_in_the_answer(start: Start, tmp_path: Path) -> None:
    """Half an answer is none, and the retry gives the whole of it."""
    service = start(script=SCRIPT)
    (tmp_path / "go").touch()
    with proxy(service.port, None, 60, lambda: None) as port:
        assert "" == asked_through(port)
    retried(service)
