"""What the service answers when it is itself at fault, or when what comes is no HTTP."""

import json
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.edge.drivers import HERE, Service


@pytest.fixture(scope="module")
def faults(node: str, package: Path) -> dict[str, Any]:
    """Answers and log lines of services whose parts fail."""
    del package
    command = [node, HERE / "faults.mjs"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    assert "sk-a-secret" not in done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", ["throws", "says", "model"])
def test_services_own_failure_is_500_and_says_no_more(faults: dict[str, Any], name: str) -> None:
    """An exception's own words, which may quote a secret, reach nobody."""
    status, body = faults["answers"][name]
    assert (500, "internal_error") == (status, body["error"]["code"])


def test_service_without_a_model_says_so(faults: dict[str, Any]) -> None:
    """Single steps need no model; a run does."""
    status, body = faults["answers"]["no_model"]
    assert (501, "no_model") == (status, body["error"]["code"])


def test_log_names_the_kind_of_fault(faults: dict[str, Any]) -> None:
    """An operator sees that the service failed, and by what kind of error."""
    assert ["TypeError", None, "TypeError", None, "TypeError"] == [line.get("fault") for line in faults["lines"]]


def test_failure_in_the_middle_of_a_stream_is_told_and_says_no_more(faults: dict[str, Any]) -> None:
    """The headers are sent by then, so the stream has the error, and its end."""
    status, (error, ending) = faults["stream"]
    told = json.loads(error.removeprefix("data: "))
    assert (200, "error", "data: [DONE]") == (status, told["type"], ending)
    assert told["errorText"].startswith("the service failed")


def test_run_does_not_go_on_behind_its_answer(faults: dict[str, Any]) -> None:
    """A model that does not let go is not asked again once the request's time is over."""
    assert {"status": 504, "asked_after_the_answer": 0} == faults["stubborn"]


def test_word_of_a_client_in_the_place_of_a_method_is_not_logged(service: Service) -> None:
    """A line holds no text of a client; some hosts refuse such a request themselves."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=300) as link:
        link.sendall(b"SK-A-SECRET /run HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        answer = link.recv(1000)
    assert answer.split(b" ", 2)[1] in (b"400", b"405", b"501")
    assert 200 == service.send("GET", "/health").status
    assert "SK-A-SECRET" not in "\n".join(service.lines)


GARBAGE = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET\r\n\r\n",
    b"POST /run HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST /run HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    b"POST /run HTTP/1.1\r\nHost: [::bad\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    b"GET /health HTTP/1.1\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_what_is_no_http_ends_nothing_but_its_connection(service: Service, garbage: bytes) -> None:
    """Bytes that a server cannot read are refused, and the next request is served."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=300) as link:
        try:
            link.sendall(garbage)
            link.shutdown(socket.SHUT_WR)
            answer = link.recv(1000)
        except OSError:  # hung up on, in the middle of it or before
            answer = b""
    assert answer == b"" or answer.split(b" ", 2)[1][:1] in (b"4", b"5")
    assert 200 == service.send("GET", "/health").status
