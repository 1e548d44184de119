"""The service's paths, methods, statuses and limits, on every host."""

import http.client
import json
import socket
from typing import Any

import pytest

import purestep
from tests.edge.conftest import PAGES_OF
from tests.edge.drivers import Answer, Service


def error_of(answer: Answer) -> tuple[int, str]:
    """Return the status and the code of an error, whose shape is checked."""
    error = answer.json()["error"]
    assert ["code", "message", "path"] == list(error)
    assert error["message"]
    assert "application/json" == answer.headers["content-type"]
    return answer.status, error["code"]


def test_health_tells_what_runs(service: Service) -> None:
    """A watcher learns versions, the form that was loaded, and the host."""
    answer = service.send("GET", "/health")

    health = answer.json()
    assert 200 == answer.status
    assert json.loads(purestep.core_info())["version"] == health["version"]
    assert ("ok", 3, service.host) == (health["status"], health["schema_version"], health["host"])
    assert health["tier"] in ("zip", "snapshot")
    assert health["fallback"] is None or health["tier"] == "zip"


def test_head_of_health_has_no_body(service: Service) -> None:
    """A probe may ask for the status only."""
    answer = service.send("HEAD", "/health")
    assert (200, b"") == (answer.status, answer.body)


@pytest.mark.parametrize("path", ["/skill", "/skill/other", "/nothing", "/run/", "//run", "/step/more", "/health.json"])
def test_unknown_path_is_404(service: Service, path: str) -> None:
    """A path that is none of the service's is told apart from a wrong method."""
    assert (404, "not_found") == error_of(service.post(path, {"query": "hello"}))


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/run", "POST"),
        ("GET", "/", "POST"),
        ("PUT", "/step", "POST"),
        ("DELETE", "/run", "POST"),
        ("OPTIONS", "/run", "POST"),
        ("POST", "/health", "GET, HEAD"),
    ],
)
def test_wrong_method_is_405_and_names_the_right_one(service: Service, method: str, path: str, allow: str) -> None:
    """The header allow says what would have been right."""
    answer = service.send(method, path, b"{}" if method in ("PUT", "POST") else None)
    assert (405, "method_not_allowed") == error_of(answer)
    assert allow == answer.headers["allow"]


WHOLE = json.dumps(
    {"state_json": purestep.create_agent_state("List the files"), "model_output": '{"tool":"ls","n":9007199254740993}'}
)
DELTA = (
    '{"agent":{"tools":[]},"observation":{"type":"user_message","content":"9007199254740993","at":9007199254740991}}'
)


@pytest.mark.parametrize("given", [WHOLE, DELTA, WHOLE.replace('{"state', '\n{ "state'), DELTA.replace("{", "{ ")])
def test_step_gives_the_bytes_of_the_native_core(service: Service, given: str) -> None:
    """Both wire shapes pass through untouched."""
    answer = service.send("POST", "/step", given.encode())
    assert (200, purestep.run_agent_step(given)) == (answer.status, answer.body.decode())


@pytest.mark.parametrize(
    "given",
    [
        "",
        "{",
        "[]",
        "null",
        "\ufeff{}",
        '{"state":{}}',
        '{"state_json":"{}"}',
        '{"state":{"schema_version":2}}',
        '{"unknown":1}',
        '{"state_json":"\\ud800"}',
        '{"observation":{"type":"user_message","content":"' + "x" * 100_000 + '"},"run_id":7}',
        "[" * 5000,
    ],
)
def test_step_gives_an_error_as_400_with_the_cores_bytes(service: Service, given: str) -> None:
    """What the core refuses is a bad request, told in the core's own words."""
    answer = service.send("POST", "/step", given.encode())
    expected = purestep.run_agent_step(given)
    assert expected.startswith('{"error":')
    assert (400, expected) == (answer.status, answer.body.decode())


@pytest.mark.parametrize("path", ["/step", "/run", "/"])
def test_body_that_is_not_utf8_is_400(service: Service, path: str) -> None:
    """Bytes are never repaired in silence."""
    assert (400, "invalid_utf8") == error_of(service.send("POST", path, b'{"query":"\xff"}'))


@pytest.mark.parametrize("path", ["/step", "/run"])
def test_huge_body_is_413(service: Service, path: str) -> None:
    """A body over the limit is refused, and the service goes on."""
    assert (413, "body_too_large") == error_of(service.send("POST", path, b" " * 200_001))
    assert 200 == service.send("GET", "/health").status


def test_huge_body_of_unknown_length_is_413(service: Service) -> None:
    """The limit holds for what comes, not for what a header says."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=300)
    pieces = (b"x" * 50_000 for _ in range(8))
    try:
        connection.request("POST", "/step", pieces, {"content-type": "application/json"}, encode_chunked=True)
        assert 413 == connection.getresponse().status
    except (BrokenPipeError, ConnectionResetError):
        pass  # a server may hang up on a body that it does not want
    finally:
        connection.close()
    assert 200 == service.send("GET", "/health").status


def test_announced_huge_body_is_413_before_it_comes(service: Service) -> None:
    """A client that says it sends too much is not waited for."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=300) as link:
        head = "POST /step HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200001\r\n\r\n{"
        link.sendall(head.encode())
        assert b"413" == link.recv(1000).split(b" ", 2)[1]


def test_body_of_just_the_limit_is_read(service: Service) -> None:
    """The bound is the last size that is taken."""
    answer = service.send("POST", "/step", b" " * 200_000)
    assert (400, "invalid_json") == error_of(answer)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data"]
)
def test_body_of_another_type_is_415(service: Service, kind: str) -> None:
    """A form that a page of any origin could send is no request."""
    answer = service.send("POST", "/run", b'{"query":"[hello]"}', content_type=kind)
    assert (415, "unsupported_content_type") == error_of(answer)


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8", "application/problem+json"])
def test_body_labelled_json_is_read(service: Service, kind: str) -> None:
    """A label may have parameters and any case."""
    assert (400, "invalid_json") == error_of(service.send("POST", "/run", b"?", content_type=kind))


def test_body_that_never_ends_is_408(service: Service) -> None:
    """A client that stops in the middle of its body holds nothing for longer than the time limit."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=300) as link:
        head = "POST /step HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        link.sendall(head.encode())
        assert b"408" == link.recv(1000).split(b" ", 2)[1]


def test_page_of_another_origin_is_refused(service: Service) -> None:
    """By default no page may call the service, not even blindly."""
    answer = service.send("POST", "/run", b'{"query":"[hello]"}', origin="https://other.example")
    assert (403, "forbidden_origin") == error_of(answer)
    assert "access-control-allow-origin" not in answer.headers


def test_page_of_a_named_origin_may_call(service: Service) -> None:
    """A configured origin gets its headers, on the preflight, the answer and an error."""
    asking = {"origin": PAGES_OF, "access_control_request_method": "POST"}
    preflight = service.send("OPTIONS", "/run", **asking)
    answer = service.send("POST", "/step", DELTA.encode(), origin=PAGES_OF)
    error = service.send("POST", "/step", b"?", origin=PAGES_OF)

    assert (204, "POST", "authorization, content-type") == (
        preflight.status,
        preflight.headers["access-control-allow-methods"],
        preflight.headers["access-control-allow-headers"],
    )
    assert [200, 400] == [answer.status, error.status]
    for each in (preflight, answer, error):
        assert PAGES_OF == each.headers["access-control-allow-origin"]
        assert "origin" == each.headers["vary"].lower()


def test_answers_are_not_to_be_stored(service: Service) -> None:
    """A transcript stays out of caches and is read as nothing but JSON."""
    answer = service.send("POST", "/step", DELTA.encode())
    assert ("no-store", "nosniff") == (answer.headers["cache-control"], answer.headers["x-content-type-options"])


BAD_RUNS: list[tuple[Any, str, str]] = [
    ({}, "invalid_input", "/query"),
    ({"query": 1}, "invalid_input", "/query"),
    ({"query": "a", "temperature": 1}, "invalid_input", "/temperature"),
    ({"query": "a", "api_key": "k"}, "invalid_input", "/api_key"),
    ({"query": "a", "model": {"base_url": "http://192.0.2.1"}}, "invalid_input", "/model"),
    ({"query": "a", "__proto__": {}}, "invalid_input", "/__proto__"),
    ({"query": "a", "agent": []}, "invalid_input", "/agent"),
    ({"query": "a", "agent": {"tolls": []}}, "invalid_agent", "/agent/tolls"),
    ({"query": "a", "approvals": []}, "invalid_input", "/approvals"),
    ({"query": "a", "messages": []}, "invalid_input", "/messages"),
    ({"state": "x", "messages": []}, "invalid_input", "/state"),
    ({"state": {}, "messages": {}}, "invalid_input", "/messages"),
    ({"state": {"messages": 1}, "messages": [None]}, "invalid_input", "/messages/0"),
    ({"state": {"messages": 2}, "messages": []}, "invalid_input", "/messages"),
    ({"log": "?"}, "invalid_log", ""),
    ({"log": ""}, "invalid_log", ""),
    ([], "invalid_input", ""),
    ("query", "invalid_input", ""),
    (None, "invalid_input", ""),
]


@pytest.mark.parametrize("path", ["/run", "/"])
@pytest.mark.parametrize(("value", "code", "at"), BAD_RUNS)
def test_bad_run_is_400_and_names_the_place(service: Service, path: str, value: Any, code: str, at: str) -> None:
    """What is not understood is refused by its path."""
    answer = service.post(path, value)
    assert (400, code) == error_of(answer)
    if at:
        assert at == answer.json()["error"]["path"]


def test_member_given_twice_is_refused(service: Service) -> None:
    """No reader's rule for doubled members decides."""
    answer = service.send("POST", "/run", b'{"query":"a","query":"b"}')
    assert (400, "invalid_input") == error_of(answer)
