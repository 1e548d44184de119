"""What the edge says to wrong requests: the member as the client sent it, and no word of the core's own input."""

import json
import re
from typing import Any, Final

import pytest

from tests.edge.drivers import Answer, Service
from tests.edge.run_requests import ASK, approval, run, standing

JARGON: Final = re.compile(
    r"[Oo]bservation|user_message|tool_results|agent_changed|phase|undefined|TypeError|SyntaxError"
)
"""Words of the core's input and of JavaScript, which the page of the edge does not say of these requests."""


def refused(answer: Answer, status: int, code: str, path: str, *words: str) -> None:
    """Fail unless a request was refused so, in a sentence with these words and without jargon."""
    error = answer.json()["error"]
    assert (status, code, path) == (answer.status, error["code"], error["path"])
    missing = [word for word in words if word not in error["message"]]
    assert ([], None) == (missing, JARGON.search(f"{error['message']} {error['path']}")), error


BODY_PATHS: Final = ("/run", "/ai-sdk", "/ag-ui")
BODIES: Final[dict[str, tuple[bytes, int, str, tuple[str, ...]]]] = {
    "cut off": (b'{"query": "a', 400, "invalid_json", ("whole", "double quotes")),
    "a form": (b"query=a", 400, "invalid_json", ("no JSON",)),
    "a byte order mark": (b'\xef\xbb\xbf{"query": "a"}', 400, "invalid_json", ("without a byte order mark",)),
    "UTF-16": ('{"query": "a"}'.encode("utf-16"), 400, "invalid_utf8", ("UTF-8",)),
    "null": (b"null", 400, "invalid_input", ("expected a JSON object; got null",)),
    "an array": (b"[]", 400, "invalid_input", ("got an array",)),
    "a number": (b"5", 400, "invalid_input", ("got a number",)),
    "too large": (b" " * 300_000, 413, "body_too_large", ("at most 200000 bytes",)),
}


@pytest.mark.parametrize("path", BODY_PATHS)
@pytest.mark.parametrize("kind", BODIES)
def test_body_that_is_none(service: Service, path: str, kind: str) -> None:
    """It says what a body is, and what came."""
    body, status, code, words = BODIES[kind]
    refused(service.send("POST", path, body), status, code, "", *words)


def thread(content: Any) -> dict[str, Any]:
    """Return a request of AG-UI with one message of the user's."""
    return {"threadId": "t", "messages": [{"role": "user", "content": content}]}


HAMMER: Final = {"tool_choice": {"tool": "hammer"}}
ANSWERED: Final = {"state": "approval-responded", "toolCallId": "c", "approval": {"id": "x", "approved": True}}
MEMBERS: Final[list[tuple[str, Any, str, tuple[str, ...]]]] = [
    ("/run", {"query": 5}, "/query", ("expected a string; got a number",)),
    ("/run", {"nope": 1}, "/nope", ("query, tool_choice", "no member of this name")),
    ("/run", {"query": "a", "tool_choice": "hammer"}, "/tool_choice", ('/tool_choice: expected "auto"', "hammer")),
    ("/run", {"query": "a", **HAMMER}, "/tool_choice/tool", ("hammer", "fetch_url")),
    ("/run", {"query": "a", "agent": []}, "/agent", ("expected an object; got an array",)),
    ("/run", {"query": "a", "files": {}}, "/files", ("expected an array; got an object",)),
    ("/run", {}, "/query", ("expected a query",)),
    ("/ai-sdk", {}, "/messages", ("messages of a chat",)),
    ("/ai-sdk", {"messages": []}, "/messages", ("at least one message",)),
    ("/ai-sdk", {"messages": [5]}, "/messages/0", ("role and parts",)),
    ("/ai-sdk", {"messages": [{"role": "assistant", "parts": [ANSWERED]}]}, "/messages", ("message of the user's",)),
    ("/ag-ui", {}, "/messages", ("message of the user's", "state of a run")),
    ("/ag-ui", thread(5), "/messages", ("a text or parts",)),
    ("/ag-ui", {"threadId": "t", "messages": [], "resume": [{}]}, "/resume/0", ("interruptId",)),
]


@pytest.mark.parametrize(("path", "body", "place", "words"), MEMBERS)
def test_body_that_does_not_fit(service: Service, path: str, body: Any, place: str, words: tuple[str, ...]) -> None:
    """It names the member where the client has sent it."""
    refused(service.post(path, body), 400, "invalid_input", place, *words)


def test_answers_that_do_not_fit_the_call(service: Service) -> None:
    """Each says where among the approvals of the request it is wrong."""
    asked = run(service, query="[page]", agent=ASK)
    answer = approval(asked)[0]
    for changed, code, place, words in (
        ({"key": "0"}, "stale_approval", "/approvals/0/key", "call_1"),
        ({"call_id": "call_9"}, "unknown_call", "/approvals/0/call_id", "call_1"),
        (
            {"approved": "yes"},
            "invalid_input",
            "/approvals/0/approved",
            "/approvals/0/approved: expected true or false",
        ),
        ({"params": {"url": 5}}, "invalid_arguments", "/approvals/0/params/url", "/url: expected a string"),
        ({"why": ""}, "invalid_input", "/approvals/0/why", "/approvals/0/why: unknown property"),
    ):
        given = {"agent": ASK, **standing(asked), "approvals": [{**answer, **changed}]}
        refused(service.post("/run", given), 400, code, place, words)
    twice = {"agent": ASK, **standing(asked), "approvals": [answer, answer]}
    refused(service.post("/run", twice), 400, "duplicate_approval", "/approvals/1/call_id", "call_1")
    refusal = approval(asked, approved=False)
    done = run(service, agent=ASK, **standing(asked), approvals=refusal)
    again = {"agent": ASK, **standing(done), "approvals": refusal}
    refused(service.post("/run", again), 400, "wrong_phase", "/approvals", "no call of this run waits")


def test_answer_of_a_thread_names_its_own_members(service: Service) -> None:
    """What the core refuses of an answer is named as a client of AG-UI has sent it."""
    asked = {**thread("[page]"), "forwardedProps": {"agent": ASK}}
    events = events_of(service.post("/ag-ui", asked))
    interrupt = next(event for event in events if event["type"] == "RUN_FINISHED")["outcome"]["interrupts"][0]
    answer = {"interruptId": interrupt["id"], "status": "resolved"}
    payload = {"approved": True, "arguments": {"url": 5}}
    state = {"purestep": carried(events)}
    given = {"threadId": "t", "messages": [], "forwardedProps": {"agent": ASK}, "state": state}
    answered = service.post("/ag-ui", {**given, "resume": [{**answer, "payload": payload}]})
    refused(answered, 400, "invalid_arguments", "/resume/0/payload/arguments/url", "expected a string")


AGENTS: Final[list[tuple[dict[str, Any], str, str]]] = [
    ({"name": 5}, "invalid_agent", "/agent/name"),
    ({"tools": [{"name": 5}]}, "invalid_agent", "/agent/tools/0/name"),
    ({"tools": [{"name": "a", "paramters": {}}]}, "invalid_agent", "/agent/tools/0/paramters"),
    ({"tools": [{"name": "a"}, {"name": "a"}]}, "duplicate_tool", "/agent/tools/1/name"),
    ({"tools": [{"name": "a", "parameters": {"type": 5}}]}, "invalid_schema", "/agent/tools/0/parameters/type"),
    ({"limits": {"max_turns": "5"}}, "invalid_agent", "/agent/limits/max_turns"),
    ({"dialect": "klingon"}, "unknown_dialect", "/agent/dialect"),
    ({"policies": [{"use": "klingon"}]}, "unknown_policy", "/agent/policies/0"),
    ({"agents": {"desk": 7}}, "invalid_agent", "/agent/agents/desk"),
    ({"agents": {"desk": {"dialect": "klingon"}}}, "unknown_dialect", "/agent/agents/desk/agent/dialect"),
    ({"agents": {"desk": {"agent": {"tools": [5]}}}}, "invalid_agent", "/agent/agents/desk/agent/tools/0"),
    ({"tools": [{"agent": "desk"}]}, "invalid_agent", "/agent/tools/0/agent"),
]


@pytest.mark.parametrize(("agent", "code", "place"), AGENTS)
def test_definition_that_does_not_fit(service: Service, agent: dict[str, Any], code: str, place: str) -> None:
    """Its members are named where they stand in the body, whatever is wrong with the definition."""
    answer = service.post("/run", {"query": "a", "agent": agent})
    refused(answer, 400, code, place)
    message = answer.json()["error"]["message"]
    assert not message.startswith("/") or message.startswith("/agent/"), message
    said = {"id": "c", "messages": [{"role": "user", "parts": [{"type": "text", "text": "a"}]}], "agent": agent}
    refused(service.post("/ai-sdk", said), 400, code, place)
    passed_on = {**thread("a"), "forwardedProps": {"agent": agent}}
    refused(service.post("/ag-ui", passed_on), 400, code, f"/forwardedProps{place}")


@pytest.mark.parametrize("choice", ["hammer", {"tool": "hammer"}])
def test_choice_of_tools_in_a_stream(service: Service, choice: Any) -> None:
    """A stream that has begun ends with the same sentence."""
    events = events_of(service.post("/ag-ui", {**thread("a"), "forwardedProps": {"tool_choice": choice}}))
    error = events[-1]
    assert ("RUN_ERROR", "invalid_input") == (error["type"], error["code"])
    assert (True, None) == ("hammer" in error["message"], JARGON.search(error["message"]))


def events_of(answer: Answer) -> list[dict[str, Any]]:
    """Return the events of a stream."""
    blocks = answer.body.decode().split("\n\n")
    return [json.loads(block.removeprefix("data: ")) for block in blocks if block.startswith("data: {")]


def carried(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the member of the shared state that carries the run, from the events that make it."""
    found: dict[str, Any] = {}
    for event in events:
        if event["type"] == "STATE_SNAPSHOT":
            found = dict(event["snapshot"]["purestep"])
        for change in event.get("delta", []) if event["type"] == "STATE_DELTA" else []:
            name, _, rest = change["path"].removeprefix("/purestep/").partition("/")
            if change["path"] == "/purestep":
                found = change["value"]
            elif rest:
                found[name][rest] = change["value"]
            else:
                found[name] = change["value"]
    return found


@pytest.mark.parametrize("path", ["/", "/run", "/ai-sdk", "/ai-sdk/c/stream", "/ag-ui", "/step", "/skill/extract"])
def test_method(service: Service, path: str) -> None:
    """It names the method of the path, and the one that came."""
    expected = "GET" if path.endswith("/stream") else "POST"
    refused(service.send("DELETE", path), 405, "method_not_allowed", "", f"the method {expected}", "got DELETE")


@pytest.mark.parametrize("path", ["/run", "/ai-sdk", "/ag-ui", "/step"])
def test_content_type(service: Service, path: str) -> None:
    """It names the header, and the type that came."""
    answer = service.send("POST", path, b"{}", content_type="text/plain")
    refused(answer, 415, "unsupported_content_type", "", "content-type: application/json", '"text/plain"')
