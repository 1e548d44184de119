"""Every endpoint asked in every wrong way: a status, a code, and a sentence in words of HTTP and of the pages."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from purestep_hosts.serve.endpoints import ENDPOINTS
from tests.serve.conftest import (
    SESSIONS,
    SOON_S,
    TOKEN,
    Reply,
    Serving,
    calls,
    in_background,
    says,
    started,
    wait_until,
)

NOBODY = "20260101-000000-000-abcdef"
"""The id of a run that nobody has begun."""

DURABLE: Final = ("--durable", "--create", "--database", "runs.sqlite")
BODY_PATHS: Final = ("/runs", f"/runs/{NOBODY}", "/ai-sdk", "/ag-ui")
"""Of the endpoints that take a body."""

JARGON: Final = re.compile(
    r"NoneType|msgspec|\$\.|`|Expected |[Oo]bservation|user_message|tool_results|agent_changed|phase|/state|"
    r"Struct|Traceback|Error\b|\bNone\b|\bstr\b|\bint\b|\bdict\b|\btuple\b|\bbool\b|site-packages|\.py\b|_exchange"
)
"""Words of Python and of the core, which the pages of the service never say."""


@pytest.fixture(scope="module", params=[SESSIONS, DURABLE], ids=["sessions", "durable"])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The service with its runs on disk, and the one with its runs in a database."""
    script = [calls("refund_order", number=1)] * 40
    folder = tmp_path_factory.mktemp("served")
    with started(folder, "--functions", "tools.py", script=script, kept=request.param) as serving:
        yield serving


def refused(reply: Reply, status: int, code: str, *words: str) -> None:
    """Fail unless a request was refused so, in a sentence with these words and without jargon."""
    assert (status, code) == reply.fault
    message = reply.json["message"]
    assert ([], None) == ([word for word in words if word not in message], JARGON.search(message)), message


BODIES: Final[dict[str, tuple[bytes, int, str, tuple[str, ...]]]] = {
    "cut off": (b'{"query": "a', 400, "invalid_json", ("the body: line 1", "the text ends")),
    "a form": (b"query=a", 400, "invalid_json", ("the body: line 1, column 1", '"query=a"')),
    "single quotes": (b"{'query': 'a'}", 400, "invalid_json", ("expected double quotes",)),
    "a comma too many": (b'{"query": "a",}', 400, "invalid_json", ("expected a name in double quotes",)),
    "two values": (b"{}{}", 400, "invalid_json", ("expected nothing more",)),
    "NaN": (b'{"query": NaN}', 400, "invalid_json", ("NaN",)),
    "a number past every double": (b'{"query": 1e999}', 400, "invalid_json", ("range of a double",)),
    "a bare control character": (b'{"query": "\x00"}', 400, "invalid_json", ("control character",)),
    "a byte order mark": (b'\xef\xbb\xbf{"query": "a"}', 400, "invalid_json", ("without a byte order mark",)),
    "UTF-16": ('{"query": "a"}'.encode("utf-16"), 400, "invalid_utf8", ("expected UTF-8", "byte 0")),
    "Latin-1": ('{"query": "caf\xe9"}'.encode("latin-1"), 400, "invalid_utf8", ("expected UTF-8", "byte 14")),
    "compressed": (b"\x1f\x8b\x08\x00", 400, "invalid_utf8", ("expected UTF-8", "byte 1")),
    "too deep": (b"[" * 1000, 400, "too_deep", ("at most 64 levels",)),
    "null": (b"null", 400, "invalid_input", ("the body: expected an object, got null", "/openapi.json")),
    "an array": (b"[]", 400, "invalid_input", ("the body: expected an object, got array",)),
    "a text": (b'"a"', 400, "invalid_input", ("the body: expected an object, got string",)),
    "a number": (b"5", 400, "invalid_input", ("the body: expected an object, got number 5",)),
    "too large": (b" " * 4_200_000, 413, "body_too_large", ("at most 4194304 bytes", "got 4200000")),
}


@pytest.mark.parametrize("path", BODY_PATHS)
@pytest.mark.parametrize("kind", BODIES)
def test_body_that_is_none(service: Serving, path: str, kind: str) -> None:
    """It says what the body is instead, and at which place of it."""
    body, status, code, words = BODIES[kind]
    refused(service.post(path, body), status, code, *words)


@pytest.mark.parametrize("path", BODY_PATHS)
@pytest.mark.parametrize("given", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_content_type(service: Serving, path: str, given: str) -> None:
    """It names the header that is expected, and what came."""
    came = f'got "{given}"' if given else "the request has none"
    reply = service.post(path, b'{"query": "a"}', Content_Type=given)
    refused(reply, 415, "unsupported_content_type", "Content-Type: application/json", came)


@pytest.mark.parametrize("path", BODY_PATHS)
def test_body_that_is_packed(service: Serving, path: str) -> None:
    """It names the header, and what to send instead."""
    reply = service.post(path, gzip.compress(b'{"query": "a"}'), Content_Encoding="gzip")
    refused(reply, 415, "unsupported_content_type", "without Content-Encoding", 'got "gzip"')


def user(*parts: Any) -> list[dict[str, Any]]:
    """Return the messages of an AI SDK chat: one of the user's."""
    return [{"role": "user", "parts": list(parts)}]


def answered(**members: Any) -> list[dict[str, Any]]:
    """Return the messages of an AI SDK chat: one of the agent's, in which a call was answered."""
    return [{"role": "assistant", "parts": [{"state": "approval-responded", **members}]}]


def thread(content: Any) -> dict[str, Any]:
    """Return a request of AG-UI with one message of the user's."""
    return {"threadId": "new", "messages": [{"role": "user", "content": content}]}


def resumed(**members: Any) -> dict[str, Any]:
    """Return a request of AG-UI with one answer."""
    return {"threadId": "new", "resume": [{"interruptId": "x", "status": "resolved", **members}]}


OTHER_SITE = {"type": "file", "url": "https://a.example/b.png"}
NO_BASE64 = {"type": "file", "url": "data:image/png;base64,?"}
NO_IMAGE = {"type": "file", "url": "data:image/png,PK%03%04"}
LONG_ID = {"id": "c" * 201, "messages": [{"role": "user", "parts": [{"type": "text", "text": "a"}]}]}

MEMBERS: Final[list[tuple[str, Any, str, tuple[str, ...]]]] = [
    ("/runs", b"", "invalid_input", ('missing required property "query"',)),
    ("/runs", {}, "invalid_input", ('missing required property "query"',)),
    ("/runs", {"query": 5}, "invalid_input", ("/query: expected a string, got number 5",)),
    ("/runs", {"query": None}, "invalid_input", ("/query: expected a string, got null",)),
    ("/runs", {"query": ["a"]}, "invalid_input", ("/query: expected a string, got array",)),
    ("/runs", {"query": " \n"}, "invalid_input", ("words",)),
    ("/runs", {"Query": "a"}, "invalid_input", ("/Query: unknown property", 'did you mean "query"')),
    ("/runs", {"query": "a", "model": "m"}, "invalid_input", ("/model: unknown property",)),
    ("/runs", {"query": "a", "n" * 100_000: 1}, "invalid_input", ("unknown property",)),
    ("/runs", {"query": "a", "tool_choice": "hammer"}, "invalid_input", ("/tool_choice", '"auto"', "hammer")),
    (
        "/runs",
        {"query": "a", "tool_choice": {"tool": "hammer"}},
        "invalid_input",
        ("/tool_choice/tool", "refund_order"),
    ),
    ("/runs?form=xml", {"query": "a"}, "invalid_input", ("parameter form", "ag-ui, ai-sdk or json", 'got "xml"')),
    ("/runs?detached=yes", {"query": "a"}, "invalid_input", ("parameter detached", "true or false", 'got "yes"')),
    (f"/runs/{NOBODY}", {"query": 5}, "invalid_input", ("/query: expected a string or null, got 5",)),
    (f"/runs/{NOBODY}", {"tool_choice": "none"}, "invalid_input", ("expected a query beside tool_choice",)),
    (f"/runs/{NOBODY}", {"approvals": {}}, "invalid_input", ("/approvals: expected an array, got object",)),
    (f"/runs/{NOBODY}", {"approvals": [5]}, "invalid_input", ("/approvals/0: expected an object, got number 5",)),
    (f"/runs/{NOBODY}", {"approvals": [{}]}, "invalid_input", ("/approvals/0", '"call_id"', '"key"', '"approved"')),
    ("/ai-sdk", {}, "invalid_input", ('"id"', '"messages"')),
    ("/ai-sdk", {"id": 5, "messages": []}, "invalid_input", ("/id: expected a string, got number 5",)),
    ("/ai-sdk", {"id": "c", "messages": {}}, "invalid_input", ("/messages: expected an array, got object",)),
    ("/ai-sdk", {"id": "c", "messages": []}, "invalid_input", ("at least one message",)),
    ("/ai-sdk", {"id": "c", "messages": [5]}, "invalid_input", ("/messages/0: expected an object",)),
    ("/ai-sdk", {"id": "c", "messages": user(5)}, "invalid_input", ("/messages/0/parts/0: expected an object",)),
    ("/ai-sdk", {"id": "c", "messages": user()}, "invalid_input", ("words, an image or a file",)),
    ("/ai-sdk", {"id": "", "messages": user({"type": "text", "text": "a"})}, "invalid_input", ("1 to 200", "got 0")),
    ("/ai-sdk", LONG_ID, "invalid_input", ("1 to 200", "got 201")),
    ("/ai-sdk", {"id": "c", "messages": user({"type": "text", "text": {}})}, "invalid_input", ("words",)),
    ("/ai-sdk", {"id": "c", "messages": user({"type": "file"})}, "unsupported", ("data URLs",)),
    ("/ai-sdk", {"id": "c", "messages": user(NO_BASE64)}, "invalid_input", ("base64",)),
    ("/ai-sdk", {"id": "c", "messages": user(NO_IMAGE)}, "attachment_type", ("PNG",)),
    ("/ai-sdk", {"id": "c", "messages": user(OTHER_SITE)}, "unsupported", ("data URLs",)),
    ("/ai-sdk", {"id": "c", "messages": user({"type": "file", "url": "data:,%00"})}, "attachment_type", ("PNG",)),
    (
        "/ai-sdk",
        {"id": "c", "messages": answered()},
        "invalid_input",
        ("/messages/0/parts/0", "toolCallId", "approval"),
    ),
    (
        "/ai-sdk",
        {"id": "c", "messages": answered(toolCallId="call_1", approval={"id": "x", "approved": "yes"})},
        "invalid_input",
        ("/messages/0/parts/0/approval/approved: expected true or false", '"yes"'),
    ),
    ("/ai-sdk", {"id": "new", "messages": [{"role": "assistant", "parts": []}]}, "invalid_input", ("no run yet",)),
    ("/ai-sdk", {"id": "c", "messages": user(), "trigger": "regenerate-message"}, "unsupported", ("another message",)),
    ("/ag-ui", {}, "invalid_input", ('"threadId"',)),
    ("/ag-ui", {**thread("a"), "threadId": "t" * 201}, "invalid_input", ("1 to 200", "got 201")),
    ("/ag-ui", thread(5), "invalid_input", ("/messages/0/content: expected a string or an array, got 5",)),
    ("/ag-ui", thread([5]), "invalid_input", ("/messages/0/content/0: expected an object",)),
    ("/ag-ui", thread(""), "invalid_input", ("words, an image or a file",)),
    ("/ag-ui", thread([{"type": "video"}]), "unsupported", ("text, image and document", 'got "video"')),
    ("/ag-ui", thread([{"type": "video", "source": {}}]), "unsupported", ("text, image and document",)),
    ("/ag-ui", thread([{"type": "image"}]), "unsupported", ("source",)),
    ("/ag-ui", {**thread("a"), "runId": "r" * 1001}, "invalid_input", ("/runId: expected at most 1000 characters",)),
    ("/ag-ui", {**thread("a"), "tools": [{}]}, "unsupported", ("no tools and no context",)),
    ("/ag-ui", {"threadId": "new", "resume": [{}]}, "invalid_input", ("/resume/0", '"interruptId"', '"status"')),
    ("/ag-ui", resumed(status="yes"), "invalid_input", ("/resume/0/status", '"cancelled" or "resolved"', '"yes"')),
    ("/ag-ui", resumed(), "stale_approval", ("interruptId",)),
    ("/ag-ui", {"threadId": "new"}, "invalid_input", ("no run yet",)),
]


@pytest.mark.parametrize(("path", "body", "code", "words"), MEMBERS, ids=str)
def test_body_that_does_not_fit(service: Serving, path: str, body: Any, code: str, words: tuple[str, ...]) -> None:
    """It names the member that is wrong, what it should be and what came; nothing begins."""
    before = service.get("/runs?limit=100").json["runs"]
    refused(service.post(path, body), 409 if code == "stale_approval" else 400, code, *words)
    assert before == service.get("/runs?limit=100").json["runs"]


ASKED: Final[list[tuple[str, str, int, str, tuple[str, ...]]]] = [
    ("GET", "/runs?limit=0", 400, "invalid_input", ("parameter limit", "1 to 100", 'got "0"')),
    ("GET", "/runs?limit=ten", 400, "invalid_input", ("parameter limit", 'got "ten"')),
    ("GET", f"/runs/{NOBODY}", 404, "run_not_found", ("id of a run",)),
    ("GET", "/runs/..%2f..", 404, "not_found", ("/openapi.json",)),
    ("GET", f"/runs/{NOBODY}/events", 404, "run_not_found", ("id of a run",)),
    ("GET", f"/runs/{NOBODY}/events?form=xml", 400, "invalid_input", ("parameter form", 'got "xml"')),
    ("GET", f"/runs/{NOBODY}/log", 404, "run_not_found", ("id of a run",)),
    ("POST", f"/runs/{NOBODY}", 415, "unsupported_content_type", ("the request has none",)),
    ("POST", f"/runs/{NOBODY}/cancel", 404, "run_not_found", ("id of a run",)),
    ("GET", f"/ai-sdk/{'c' * 201}/messages", 400, "invalid_input", ("1 to 200", "got 201")),
    ("GET", f"/ai-sdk/{'c' * 201}/stream", 400, "invalid_input", ("1 to 200", "got 201")),
    ("GET", "/nothing", 404, "not_found", ("/openapi.json",)),
    ("GET", "/runs/", 404, "not_found", ("/openapi.json",)),
]


@pytest.mark.parametrize(("method", "path", "status", "code", "words"), ASKED)
def test_request_without_a_body(
    service: Serving, method: str, path: str, status: int, code: str, words: tuple[str, ...]
) -> None:
    """What the address says is named as it stands there."""
    refused(service.ask(method, path), status, code, *words)


OPEN_PATHS: Final = ("/health", "/ready", "/openapi.json")
PATHS: Final = sorted({each.path for each in ENDPOINTS})


def placed(path: str) -> str:
    """Return the path of an endpoint with an id in it."""
    return path.format(run=NOBODY, chat="chat")


@pytest.mark.parametrize("path", [*PATHS, *OPEN_PATHS])
@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "BREW"])
def test_method(service: Serving, path: str, method: str) -> None:
    """It names those of the path, in the sentence and in the header, and the one that came."""
    allowed = {each.method for each in ENDPOINTS if each.path == path} or {"GET"}
    reply = service.ask(method, placed(path))
    refused(reply, 405, "method_not_allowed", f'got "{method}"', *allowed)
    assert allowed <= set(reply.headers["Allow"].split(", "))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("given", ["", TOKEN, f"Basic {TOKEN}", "Bearer", "Bearer other-token-of-nobody-0123"])
def test_token(service: Serving, path: str, given: str) -> None:
    """Each endpoint says how a token is sent, and nothing of what was wrong with this one."""
    method = next(each.method for each in ENDPOINTS if each.path == path)
    reply = service.ask(method, placed(path), token=None, Authorization=given)
    refused(reply, 401, "unauthorized", "Authorization: Bearer TOKEN")
    assert "Bearer" == reply.headers["WWW-Authenticate"]


@pytest.mark.parametrize("path", PATHS)
def test_page_of_another_site(service: Serving, path: str) -> None:
    """It names the origin, and who can allow it."""
    method = next(each.method for each in ENDPOINTS if each.path == path)
    reply = service.ask(method, placed(path), Origin="https://evil.example")
    refused(reply, 403, "forbidden_origin", "https://evil.example", "--allow-origin")


@pytest.mark.parametrize("key", ["", "k" * 256, "caf\xe9"])
def test_key(service: Serving, key: str) -> None:
    """It says what a key is."""
    refused(service.post("/runs", {"query": "a"}, Idempotency_Key=key), 400, "invalid_input", "1 to 255", "UUID")


def waiting(service: Serving) -> tuple[str, dict[str, Any]]:
    """Begin a run whose call waits; returns its path and the answer that approves the call."""
    run = service.post("/runs", {"query": "Refund it."}).json
    call = run["approvals"][0]
    return f"/runs/{run['run']}", {"call_id": call["call_id"], "key": call["key"], "approved": True}


def test_answers_that_do_not_fit_the_call(service: Serving) -> None:
    """Each says where in the body it is wrong, and the call still waits."""
    run, answer = waiting(service)
    for changed, status, code, words in (
        ({"key": "0" * 32}, 409, "stale_approval", ("/approvals/0/key", "call_1")),
        ({"call_id": "call_9"}, 400, "unknown_call", ("/approvals/0/call_id", "call_1")),
        ({"params": {"number": "one"}}, 400, "invalid_arguments", ("/approvals/0/params/number: expected an integer",)),
        ({"params": {}}, 400, "invalid_arguments", ("/approvals/0/params: missing", '"number"')),
        ({"params": {"number": 1, "why": ""}}, 400, "invalid_arguments", ("/approvals/0/params/why",)),
        ({"params": [1]}, 400, "invalid_input", ("/approvals/0/params: expected an object or null",)),
        ({"reason": 5}, 400, "invalid_input", ("/approvals/0/reason: expected a string or null",)),
        ({"approve": True}, 400, "invalid_input", ("/approvals/0/approve: unknown property",)),
    ):
        refused(service.post(run, {"approvals": [{**answer, **changed}]}), status, code, *words)
    twice = service.post(run, {"approvals": [answer, answer]})
    refused(twice, 400, "duplicate_approval", "/approvals/1/call_id", "call_1")
    assert "waiting" == service.get(run).json["status"]


def test_answers_of_the_protocols_name_their_own_members(service: Serving) -> None:
    """What the core refuses is named as the client of AG-UI or of the AI SDK has sent it."""
    service.post("/ag-ui", {**thread("Refund it."), "threadId": "names"})
    run = service.get("/runs?limit=1").json["runs"][0]["run"]
    key = service.get(f"/runs/{run}").json["approvals"][0]["key"]

    def resume(**payload: Any) -> Reply:
        answer = {"interruptId": key, "status": "resolved", "payload": payload}
        return service.post("/ag-ui", {"threadId": "names", "resume": [answer]})

    refused(resume(), 400, "invalid_input", "/resume/0/payload", '"approved"')
    words = "/resume/0/payload/arguments/number: expected an integer"
    refused(resume(approved=True, arguments={"number": "one"}), 400, "invalid_arguments", words)
    sent = answered(toolCallId="call_1", approval={"id": "0" * 32, "approved": True})
    chat = {"id": "names", "messages": [*user({"type": "text", "text": "Refund it."}), *sent]}
    refused(service.post("/ai-sdk", chat), 409, "stale_approval", "/messages/1/parts/0/approval/id")
    sent[0]["parts"][0]["toolCallId"] = "call_9"
    refused(service.post("/ai-sdk", chat), 400, "unknown_call", "/messages/1/parts/0/toolCallId")


def test_approval_twice_and_acts_on_a_run_that_ended(service: Serving) -> None:
    """The second one reads that nothing waits, and where to look; an ended run cannot be cancelled."""
    run, answer = waiting(service)
    refusal = {"approvals": [{**answer, "approved": False}]}
    assert 200 == service.post(run, refusal).status
    service.post(f"{run}/cancel", None)
    refused(service.post(run, refusal), 409, "wrong_phase", "no call of this run waits", "GET /runs/RUN")
    refused(service.post(f"{run}/cancel", None), 409, "wrong_phase", "has ended", "nothing to cancel")


def test_message_to_a_run_that_works(tmp_path: Path) -> None:
    """It is told that the run goes on, and what can be done about it."""
    script = [calls("wait_for", file="there"), says("Good.")]
    with started(tmp_path, "--functions", "tools.py", script=script) as service:
        asking, _ = in_background(lambda: service.post("/runs", {"query": "Wait."}))
        wait_until((tmp_path / "waiting").exists)
        run = service.get("/runs").json["runs"][0]["run"]
        for body in ({"query": "And?"}, {}, {"approvals": [{"call_id": "call_1", "key": "x", "approved": True}]}):
            refused(service.post(f"/runs/{run}", body), 409, "run_active", "goes on", "events", "cancel")
        (tmp_path / "there").touch()
        asking.join(SOON_S)


def test_key_with_another_body(service: Serving) -> None:
    """It says which of the two to change."""
    service.post("/runs", {"query": "a"}, Idempotency_Key="key-of-two")
    reply = service.post("/runs", {"query": "b"}, Idempotency_Key="key-of-two")
    refused(reply, 422, "key_reused", "Idempotency-Key", "another key")


def test_answers_name_no_place_of_this_machine(service: Serving) -> None:
    """What went wrong inside stands in the log of the service, and no path of it in an answer."""
    found = json.dumps([service.post(path, body).text for path, body, _, _ in MEMBERS])
    assert [False, False] == [text in found for text in (str(service.folder), str(Path(__file__).parents[2]))]
