"""Threads of AG-UI at the edge, on every host: the official client, which carries the run in its state."""

import copy
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import purestep
from tests.edge.chats import PNG_URL
from tests.edge.drivers import Answer, Service, serve
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import ASK, PATIENCE_S

CLIENT = Path(__file__).with_name("ag_ui_client.mjs")
ANSWERED = ["RUN_STARTED", "STEP_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]
ANSWERED += ["STEP_FINISHED", "RUN_FINISHED"]


@pytest.fixture(scope="module")
def config(config: dict[str, Any]) -> dict[str, Any]:
    """A service that waits long enough on any machine."""
    return {**config, "time_limit_ms": int(PATIENCE_S * 1000)}


@pytest.fixture
def hurried(service: Service, config: dict[str, Any], tmp_path: Path) -> Iterator[str]:
    """Where the same service listens with a short limit, which only a page that never comes reaches."""
    with serve(service.host, {**config, "time_limit_ms": 4000}, tmp_path) as running:
        yield address(running)


def talked(node: str, service: Service, *turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return what the client has after these turns."""
    talk = json.dumps({"url": address(service), "state": {}, "turns": turns, **more})
    done = subprocess.run([node, str(CLIENT)], input=talk, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def address(service: Service) -> str:
    """Return where a service listens."""
    return f"http://127.0.0.1:{service.port}"


def types(turn: dict[str, Any]) -> list[str]:
    """Return the types of a turn's events, without those that carry the run."""
    return [event["type"] for event in turn["events"] if not event["type"].startswith("STATE_")]


def ends(found: dict[str, Any]) -> list[str]:
    """Return the type of the last event of each turn."""
    return [types(turn)[-1] for turn in found["turns"]]


def said(found: dict[str, Any], role: str) -> list[Any]:
    """Return what the messages of a role say."""
    return [each["content"] for each in found["messages"] if each["role"] == role and each.get("content")]


def kinds(state: dict[str, Any]) -> list[str]:
    """Return the kinds of the log's lines that a state carries, which verify up to their own head."""
    parts = state["purestep"]["log"]
    log = "".join(parts[number] for number in sorted(parts, key=int))
    head = json.loads(purestep.replay_log(log))["state"]["head"]
    assert json.loads(purestep.verify_log(log, head))["ok"]
    return [json.loads(line)["kind"] for line in log.splitlines()]


def fault(answer: Answer) -> tuple[int, str]:
    """Return the status and code of an error."""
    return answer.status, answer.json()["error"]["code"]


def test_two_messages_are_one_run(service: Service, node: str) -> None:
    """The answers are streamed, the run grows in the client's state, and what the client keeps there itself stays."""
    found = talked(node, service, {"say": "[hello]"}, {"say": "[hello] again"}, state={"mine": {"a": 1}})
    assert [ANSWERED] * 2 == [types(turn) for turn in found["turns"]]
    assert ["It says: [hello]", "It says: [hello] again"] == said(found, "assistant")
    assert ["[hello]", "[hello] again"] == said(found, "user")
    assert {"a": 1} == found["state"]["mine"]
    assert (1, 2) == (kinds(found["state"]).count("run_started"), kinds(found["state"]).count("final_answer"))


@pytest.mark.parametrize(("approved", "fetched"), [(True, 1), (False, 0)])
def test_answer_about_a_call(service: Service, node: str, llm: ModelServer, approved: bool, fetched: int) -> None:
    """The run is interrupted; approved the call runs once, refused it never runs."""
    before = len(llm.fetched)
    found = talked(node, service, {"say": "[page] When?"}, {"approve": approved}, agent=ASK)
    first, second = found["turns"]
    assert (["call_1"], []) == (first["interrupts"], second["interrupts"])
    assert "interrupt" == first["events"][-1]["outcome"]["type"]
    assert fetched == len(llm.fetched) - before
    assert ("RUN_FINISHED", approved) == (types(second)[-1], "nine" in said(found, "assistant")[-1])
    kinds(found["state"])


def test_answer_and_message_at_once(service: Service, node: str, llm: ModelServer) -> None:
    """A message beside an answer that is due is asked after the call was answered, once."""
    before = len(llm.fetched)
    found = talked(node, service, {"say": "[page] When?"}, {"say": "[hello]", "approve": True}, agent=ASK)
    assert ("RUN_FINISHED", before + 1) == (types(found["turns"][1])[-1], len(llm.fetched))
    assert ["[page] When?", "[hello]"] == said(found, "user")
    assert (2, 2) == (kinds(found["state"]).count("user_message"), kinds(found["state"]).count("final_answer"))


def test_other_arguments_run_instead(service: Service, node: str, llm: ModelServer) -> None:
    """A person's arguments replace those of the model, under the same key."""
    other = {"url": f"http://{llm.address}/html"}
    talked(node, service, {"say": "[page] When?"}, {"approve": True, "arguments": other}, agent=ASK)
    assert "/html" == llm.fetched[-1]


def test_thread_moves_from_host_to_host(services: dict[str, Service], node: str, llm: ModelServer) -> None:
    """What one host has asked is answered at the next, and the third goes on: the state is all that they need."""
    first, second, third = services.values()
    before = len(llm.fetched)
    turns = [{"say": "[page] When?"}, {"approve": True, "url": address(second)}]
    found = talked(node, first, *turns, {"say": "[hello]", "url": address(third)}, agent=ASK)
    assert (["RUN_FINISHED"] * 3, before + 1) == (ends(found), len(llm.fetched))
    assert (1, 2) == (kinds(found["state"]).count("run_started"), kinds(found["state"]).count("final_answer"))


def test_time_limit_is_told_and_the_same_message_goes_on(service: Service, hurried: str, node: str) -> None:
    """Asked again without a new message, the run goes on where it was; with one, what was left is cancelled."""
    turns = [{"say": "[slow]", "url": hurried}, {}, {"say": "[hello]", "url": address(service)}]
    found = talked(node, service, *turns)
    first, second, third = found["turns"]
    assert "time_limit" == first["events"][-1]["code"] == second["events"][-1]["code"]
    assert ANSWERED == types(third)
    assert 2 == kinds(found["state"]).count("user_message")
    assert ["cancelled", "run_failed", "user_message"] == kinds(found["state"])[-5:-2]


def test_answer_that_comes_again(service: Service, hurried: str, node: str, llm: ModelServer) -> None:
    """A client keeps what it was asked where a stream breaks off: a second yes goes on, and a no ends the exchange."""
    before = len(llm.fetched)
    turns = [{"say": "[slow]"}, {"approve": True, "url": hurried}, {"approve": True}, {"approve": False}]
    found = talked(node, service, *turns, agent=ASK)
    assert ["RUN_FINISHED", "RUN_ERROR", "RUN_ERROR", "RUN_FINISHED"] == ends(found)
    assert "cancelled" == found["turns"][-1]["events"][-1]["outcome"]["type"]
    assert (before + 2, []) == (len(llm.fetched), found["turns"][-1]["interrupts"])


def test_message_beside_an_old_answer(service: Service, hurried: str, node: str, llm: ModelServer) -> None:
    """What a person says next is asked, and the call that was left open does not run again."""
    before = len(llm.fetched)
    last = {"say": "[hello]", "approve": True, "url": address(service)}
    found = talked(node, service, {"say": "[slow]"}, {"approve": True, "url": hurried}, last, agent=ASK)
    assert (ANSWERED, before + 1) == (types(found["turns"][-1]), len(llm.fetched))


def test_client_that_leaves_goes_on(service: Service, node: str) -> None:
    """What happened until then is in its state, and its next message cancels the rest."""
    found = talked(node, service, {"say": "[hang]", "stop_at": "STATE_DELTA"}, {"say": "[hello] after"})
    assert ["It says: [hello] after"] == said(found, "assistant")
    assert ["run_started", "user_message", "cancelled", "run_failed", "user_message"] == kinds(found["state"])[:5]


def test_failed_run_is_told_and_goes_on(service: Service, node: str) -> None:
    """The client has the log of the failure."""
    found = talked(node, service, {"say": "[refused]"}, {"say": "[hello]"})
    assert ["RUN_ERROR", "RUN_FINISHED"] == ends(found)
    assert "run_failed" in kinds(found["state"])


def test_image_is_sent_to_the_model_each_time(service: Service, node: str, llm: ModelServer) -> None:
    """The thread's messages have the bytes; the state and its log only name them."""
    found = talked(node, service, {"say": "[hello]", "files": [PNG_URL]}, {"say": "[hello] again"})
    assert [ANSWERED] * 2 == [types(turn) for turn in found["turns"]]
    for asked in llm.asked[-2:]:
        parts = [
            part for message in asked["messages"] if isinstance(message["content"], list) for part in message["content"]
        ]
        assert [{"type": "text", "text": "[hello]"}, {"type": "image_url", "image_url": {"url": PNG_URL}}] == parts
    assert "base64" not in json.dumps(found["state"])


def body(state: Any = None, **more: Any) -> dict[str, Any]:
    """Return a request of a thread, as other clients than the official one may send it."""
    asked = {"id": "m1", "role": "user", "content": "[hello]"}
    return {"threadId": "t", "runId": "r", "state": state, "messages": [asked], **more}


def test_client_without_a_state_gets_a_whole_one(service: Service) -> None:
    """Its first event after the begin is a snapshot, since there is nothing that a change would fit."""
    answer = service.post("/ag-ui", body())
    events = [json.loads(block.removeprefix("data: ")) for block in answer.body.decode().split("\n\n") if block]
    assert ("text/event-stream", "STATE_SNAPSHOT") == (answer.headers["content-type"], events[1]["type"])
    assert {"purestep"} == set(events[1]["snapshot"])
    assert "input" not in events[0]


def test_events_have_the_ids_of_the_client(service: Service) -> None:
    """By which it knows its run; the core's stand beside them. What is no id, or too long a one, is refused."""
    events = [
        json.loads(block.removeprefix("data: "))
        for block in service.post("/ag-ui", body(threadId="t1", runId="r1")).body.decode().split("\n\n")
        if block
    ]
    known = [
        (event["threadId"], event["runId"]) for event in events if event["type"] in ("RUN_STARTED", "RUN_FINISHED")
    ]
    assert [("t1", "r1")] * 2 == known
    assert {"threadId", "runId"} == set(events[0]["purestep"])
    for odd in ("x" * 1001, "\U0001f600" * 1001, 7, {"a": 1}):
        assert 400 == service.post("/ag-ui", body(runId=odd)).status
    assert 200 == service.post("/ag-ui", body(runId="\U0001f600" * 1000)).status


def test_edited_state_is_refused(service: Service, node: str, llm: ModelServer) -> None:
    """A client that changes what it carries cannot have a call approved."""
    found = talked(node, service, {"say": "[page] When?"}, agent=ASK)
    key = found["turns"][0]["events"][-1]["outcome"]["interrupts"][0]["id"]
    yes = [{"interruptId": key, "status": "resolved", "payload": {"approved": True}}]
    before, run = len(llm.fetched), found["state"]["purestep"]
    for name, edit, code in [
        ("seal", lambda text: text[:-2] + ("aa" if text[-2:] != "aa" else "bb"), (403, "seal_invalid")),
        ("log", lambda log: {n: text.replace("/page", "/html") for n, text in log.items()}, (400, "log_mismatch")),
    ]:
        state = {"purestep": {**copy.deepcopy(run), name: edit(run[name])}}
        asked = body(state, messages=[], resume=yes, forwardedProps={"agent": ASK})
        assert code == fault(service.post("/ag-ui", asked)), name
    unsealed = {"purestep": {"log": run["log"]}}
    assert (400, "seal_missing") == fault(service.post("/ag-ui", body(unsealed, forwardedProps={"agent": ASK})))
    assert before == len(llm.fetched)


def test_answers_that_are_none(service: Service, node: str, llm: ModelServer) -> None:
    """Only `approved: true` for a call that waits runs anything."""
    found = talked(node, service, {"say": "[page] When?"}, agent=ASK)
    key = found["turns"][0]["events"][-1]["outcome"]["interrupts"][0]["id"]
    before = len(llm.fetched)

    def answered(**given: Any) -> tuple[int, str]:
        resume = [{"interruptId": key, "status": "resolved", **given}]
        return fault(service.post("/ag-ui", body(found["state"], messages=[], resume=resume, **more)))

    more = {"forwardedProps": {"agent": ASK}}
    assert {(400, "invalid_input")} == {
        answered(),
        answered(payload=None),
        answered(payload=[]),
        answered(payload={}),
        answered(payload={"approved": "true"}),
        answered(payload={"approved": True, "tool": "other"}),
        answered(payload={"approved": True}, status="done"),
        answered(payload={"approved": True, "arguments": 7}),
        answered(payload={"approved": True}, interruptId=7),
    }
    assert (400, "stale_approval") == answered(payload={"approved": True}, interruptId="0" * 32)
    assert before == len(llm.fetched)


FILE = {"type": "image", "source": {"type": "url", "value": "https://example.com/a.png"}}
ODD: list[tuple[dict[str, Any], str]] = [
    (body(messages=None, state=7), "invalid_input"),
    (body(messages=[]), "invalid_input"),
    (body(messages="hello"), "invalid_input"),
    (body(messages=[None]), "invalid_input"),
    (body(messages=[{"content": "[hello]"}]), "invalid_input"),
    (body(messages=[{"role": "user"}]), "invalid_input"),
    (body(messages=[{"role": "user", "content": " "}]), "invalid_input"),
    (body(messages=[{"role": "user", "content": [7]}]), "invalid_input"),
    (body(messages=[{"role": "assistant", "content": "[hello]"}]), "invalid_input"),
    (body(messages=[{"role": "user", "content": [FILE]}]), "unsupported"),
    (body(messages=[{"role": "user", "content": [{**FILE, "type": "video"}]}]), "unsupported"),
    (body(tools=[{"name": "a"}]), "unsupported"),
    (body(context=[{"value": "a"}]), "unsupported"),
    (body(resume={}), "invalid_input"),
    (body(resume=[7]), "invalid_input"),
    (body(state=[]), "invalid_input"),
    (body(state="a"), "invalid_input"),
    (body(state={"purestep": None}), "invalid_input"),
    (body(state={"purestep": {"log": "text"}}), "invalid_input"),
    (body(state={"purestep": {"log": {"1": "?\n"}, "seal": "v1"}}), "invalid_log"),
]


def test_bodies_that_are_no_thread(service: Service, llm: ModelServer) -> None:
    """Each is refused as the client's mistake, and no model is asked."""
    before = len(llm.asked)
    assert [(400, code) for _, code in ODD] == [fault(service.post("/ag-ui", each)) for each, _ in ODD]
    assert before == len(llm.asked)
