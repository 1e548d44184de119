"""What nobody should send: each gets an error of the service, which goes on serving others."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.serve.conftest import SOON_S, TOKEN, Serving, Start, calls, in_background, says, started, wait_until

ANN, BOB = "token-of-ann-0123456789", "token-of-bob-0123456789"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service that many tests ask; its model always says the same."""
    with started(tmp_path_factory.mktemp("served"), script=[says("Hello.")] * 50) as serving:
        yield serving


def raw(service: Serving, text: bytes) -> bytes:
    """Send bytes as they are, and give what comes back until the end."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=SOON_S) as client:
        client.sendall(text)
        client.shutdown(socket.SHUT_WR)
        came = b""
        while piece := client.recv(65536):
            came += piece
        return came


def said(text: str) -> list[dict[str, Any]]:
    """The messages of a chat with one text of the user's."""
    return [{"role": "user", "parts": [{"type": "text", "text": text}]}]


@pytest.mark.parametrize(
    "run",
    ["nope", "..", "%2e%2e%2fsecret", "20260101-000000-000-abcdef", "20260101-000000-000-abcdef%2f..", "a" * 5000],
)
def test_unknown_run(service: Serving, run: str) -> None:
    """An id that is none leads nowhere, whatever is in it."""
    found = {service.get(f"/runs/{run}").fault[0], service.post(f"/runs/{run}", {"query": "a"}).fault[0]}
    assert found <= {404, 405}


def test_paths_and_methods(service: Serving) -> None:
    """What is not there is said in JSON too."""
    assert (404, "not_found") == service.get("/nothing").fault
    assert (405, "method_not_allowed") == service.ask("DELETE", "/runs").fault
    assert (400, "invalid_input") == service.get("/runs?limit=0").fault
    assert (400, "invalid_input") == service.get("/runs?limit=" + "9" * 5000).fault


def test_wrong_tokens(service: Serving) -> None:
    """Only the right token is let in, and the answer is the same for all others."""
    wrong = [None, "", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper()]
    answers = {service.get("/runs", token=token).text for token in wrong}
    basic = service.get("/runs", token=None, Authorization=f"Basic {TOKEN}")
    assert (1, 401, "Bearer") == (len(answers | {basic.text}), basic.status, basic.headers["WWW-Authenticate"])
    assert {200} == {service.get(path, token=None).status for path in ("/health", "/openapi.json")}


def test_pages_of_other_sites(service: Serving) -> None:
    """A page may call from the service's own address; another site's has to be allowed, and text is no JSON."""
    own = service.get("/runs", Origin=service.url, Host=service.url.removeprefix("http://"))
    assert (200, (403, "forbidden_origin")) == (own.status, service.get("/runs", Origin="https://evil.example").fault)
    assert (403, "forbidden_origin") == service.get("/runs", Origin="null").fault
    assert (415, "unsupported_content_type") == service.post("/runs", b'{"query":"a"}', Content_Type="text/plain").fault


def test_allowed_site(start: Start) -> None:
    """Its pages get the headers that a browser wants; others get none."""
    service = start("--allow-origin", "https://app.example", script=[])
    asked = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "authorization,content-type"}
    good = service.ask("OPTIONS", "/runs", token=None, Origin="https://app.example", **asked)
    bad = service.ask("OPTIONS", "/runs", token=None, Origin="https://evil.example", **asked)
    name = "access-control-allow-origin"
    assert (200, "https://app.example", None) == (good.status, good.headers[name], bad.headers[name])


def test_without_a_token_only_names_of_this_machine(start: Start) -> None:
    """A name that an attacker lets point here reaches nothing."""
    service = start("--no-token", script=[says("Hello.")], PURESTEP_SERVE_TOKEN="")
    assert (403, "forbidden_host") == service.get("/runs", token=None, Host="evil.example").fault
    assert 200 == service.post("/runs", {"query": "Hello"}, token=None, Host=f"localhost:{service.port}").status


def test_users_see_their_own_runs(start: Start, tmp_path: Path) -> None:
    """Another user's run is not there; chats of the same id are two; approvals name who gave them."""
    (tmp_path / "tokens").write_text(f"# users\nann {ANN}\nbob {BOB}\n")
    service = start("--tokens", "tokens", script=[calls("refund_order", number=1)] * 2, PURESTEP_SERVE_TOKEN="")
    chat = {"id": "chat", "messages": said(text="Refund it.")}
    run = service.post("/ai-sdk", chat, token=ANN).headers["Run"]
    assert (404, "run_not_found") == service.get(f"/runs/{run}", token=BOB).fault
    assert (404, "run_not_found") == service.post(f"/runs/{run}/cancel", {}, token=BOB).fault
    assert ([], 401) == (service.get("/runs", token=BOB).json["runs"], service.get("/runs").status)
    assert [] == service.get("/ai-sdk/chat/messages", token=BOB).json
    assert run != service.post("/ai-sdk", chat, token=BOB).headers["Run"]
    call = service.get(f"/runs/{run}", token=ANN).json["approvals"][0]
    answer = {"call_id": call["call_id"], "key": call["key"], "approved": True, "by": "bob"}
    service.post(f"/runs/{run}", {"approvals": [answer]}, token=ANN)
    log = service.get(f"/runs/{run}/log", token=ANN).text
    assert ["ann"] == [event["by"] for event in map(json.loads, log.splitlines()) if event["kind"] == "approval"]
    assert ANN not in log


def test_more_runs_than_allowed(start: Start, tmp_path: Path) -> None:
    """The next one is refused, and taken once there is room."""
    service = start("--max-runs", "1", script=[calls("wait_for", file="there"), says("Good."), says("Hello.")])
    thread, _ = in_background(lambda: service.post("/runs", {"query": "Wait."}))
    wait_until((tmp_path / "waiting").exists)
    assert (503, "too_many_runs") == service.post("/runs", {"query": "Hello"}).fault
    (tmp_path / "there").touch()
    thread.join(SOON_S)
    assert "Hello." == service.post("/runs", {"query": "Hello"}).json["answer"]


def test_two_answers_at_once(start: Start, tmp_path: Path) -> None:
    """The same approval sent ten times at once runs the call once."""
    service = start(script=[calls("refund_order", number=8), says("Done.")])
    waiting = service.post("/runs", {"query": "Refund it."}).json
    answer = {name: waiting["approvals"][0][name] for name in ("call_id", "key")} | {"approved": True}
    body = {"approvals": [answer]}
    asked = [in_background(lambda: service.post(f"/runs/{waiting['run']}", body)) for _ in range(10)]
    for thread, _ in asked:
        thread.join(SOON_S)
    statuses = sorted(came[0].status for _, came in asked)
    assert ([200] + [409] * 9, "8\n") == (statuses, (tmp_path / "refunds").read_text())


def test_two_first_messages_of_a_chat(start: Start) -> None:
    """One begins the run of the chat, and the others find it going on, or come after it."""
    service = start(script=[says("Hello.")] * 80)
    for number in range(10):
        chat = {"id": f"chat {number}", "messages": said(text="Hello")}
        asked = [in_background(lambda: service.post("/ai-sdk", chat)) for _ in range(8)]  # noqa: B023
        for thread, _ in asked:
            thread.join(SOON_S)
        replies = [came[0] for _, came in asked]
        assert {200, 409} >= {reply.status for reply in replies}
        assert 1 == len({reply.headers["Run"] for reply in replies if reply.status == 200})


def test_bytes_that_are_no_request(service: Serving) -> None:
    """They are refused without a traceback, and so is a body that never comes."""
    for text in (b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\nHost: " + b"a" * 100_000, b"POST /runs HTTP/9.9\r\n\r\n"):
        raw(service, text)
    head = f"POST /runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
    raw(service, f"{head}Content-Length: 100\r\n\r\n{{".encode())
    raw(service, f"{head}Transfer-Encoding: chunked\r\n\r\nzz\r\n".encode())
    assert 200 == service.get("/health").status
    assert "Traceback" not in (service.folder / "errors").read_text()


def test_damaged_run_is_refused(start: Start, tmp_path: Path) -> None:
    """A log that somebody changed goes on nowhere, shows no path, and the list still has the others."""
    service = start(script=[says("Hello.")] * 3)
    runs = [service.post("/runs", {"query": "Hello"}).json["run"] for _ in range(2)]
    log = tmp_path / "runs" / runs[0] / "log.jsonl"
    log.write_text(log.read_text().replace("Hello.", "Bye."))
    reply = service.post(f"/runs/{runs[0]}", {"query": "And?"})
    assert (500, "run_damaged") == reply.fault
    assert str(tmp_path) not in reply.text
    entries = service.get("/runs").json["runs"]
    assert [runs[1], runs[0]] == [entry["run"] for entry in entries]


def test_answers_fit_the_document(service: Serving) -> None:
    """The OpenAPI document describes each answer as it comes, errors too."""
    document = service.get("/openapi.json").json
    done = service.post("/runs", {"query": "Hello"})
    listed, wrong = service.get("/runs"), service.get("/runs/nope")
    for reply, path, method, status in (
        (done, "/runs", "post", "200"),
        (listed, "/runs", "get", "200"),
        (wrong, "/runs/{run}", "get", "default"),
    ):
        schema = document["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"]
        jsonschema_rs.validate({**schema, "components": document["components"]}, reply.json)
    operations = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(set(operations)) == len(operations)
