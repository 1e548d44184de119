"""The official AG-UI client against `purestep serve`."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.serve.conftest import TOKEN, Start, calls, in_background, says, wait_until
from tests.serve.test_streamed_text import COUNTING

CLIENT = Path(__file__).with_name("ag_ui_client.mjs")


def talked(node: str, url: str, *turns: dict[str, Any]) -> dict[str, Any]:
    """What the client has after these turns."""
    done = subprocess.run(
        [node, str(CLIENT), url, TOKEN], input=json.dumps(turns), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_client_talks_and_approves(start: Start, node: str, tmp_path: Path) -> None:
    """The client takes every event, shows the interrupt, sends the answer, and has the whole conversation."""
    outputs = [calls("find_order", number=8), says("It is lost."), calls("refund_order", number=8), says("Refunded.")]
    service = start(script=outputs)
    found = talked(node, service.url, {"say": "Where is order 8?"}, {"say": "Then refund it."}, {"approve": True})
    first, second, third = found["turns"]
    assert ([], 1, []) == (first["interrupts"], len(second["interrupts"]), third["interrupts"])
    assert {"RUN_FINISHED"} == {turn["events"][-1] for turn in found["turns"]}
    answers = [each["content"] for each in found["messages"] if each["role"] == "assistant" and each.get("content")]
    assert (["It is lost.", "Refunded."], "8\n") == (answers, (tmp_path / "refunds").read_text())
    asked = [each["content"] for each in found["messages"] if each["role"] == "user"]
    assert ["Where is order 8?", "Then refund it."] == asked


def test_client_takes_what_a_call_tells(start: Start, node: str, tmp_path: Path) -> None:
    """As an event of its own, which is no part of the conversation."""
    (tmp_path / "counting.py").write_text(COUNTING)
    service = start(
        "--functions", "counting.py", script=[calls("count", to=2), says("Two."), calls("count", to=0), says("None.")]
    )
    telling, silent = [
        each["events"].count("CUSTOM")
        for each in talked(node, service.url, {"say": "Count."}, {"say": "Again."})["turns"]
    ]
    assert 2 == telling - silent


def test_client_answers_and_asks_at_once(start: Start, node: str, tmp_path: Path) -> None:
    """A message beside an answer that is due is asked after the call was answered, once."""
    outputs = [calls("refund_order", number=8), says("Refunded."), says("Order 7 is lost.")]
    service = start(script=outputs)
    found = talked(node, service.url, {"say": "Refund order 8."}, {"say": "Where is order 7?", "approve": True})
    assert "RUN_FINISHED" == found["turns"][1]["events"][-1]
    said = [(each["role"], each["content"]) for each in found["messages"] if each.get("content")]
    assert [("assistant", "Refunded."), ("assistant", "Order 7 is lost.")] == [
        each for each in said if each[0] == "assistant"
    ]
    assert "8\n" == (tmp_path / "refunds").read_text()
    (run,) = service.get("/runs").json["runs"]
    log = [json.loads(line) for line in service.get(f"/runs/{run['run']}/log").text.splitlines()]
    assert ["Refund order 8.", "Where is order 7?"] == [
        line["content"] for line in log if line["kind"] == "user_message"
    ]


def test_client_refuses(start: Start, node: str, tmp_path: Path) -> None:
    """A refused call does not run, and the run ends with the answer to that."""
    service = start(script=[calls("refund_order", number=8), says("Then not.")])
    found = talked(node, service.url, {"say": "Refund order 8."}, {"approve": False})
    assert ("RUN_FINISHED", False) == (found["turns"][1]["events"][-1], (tmp_path / "refunds").exists())


def test_client_goes_on_after_kill_9_in_the_middle(start: Start, node: str, tmp_path: Path) -> None:
    """A stream that finishes what was cut off begins as each does, so the client takes it."""
    service = start(script=[calls("wait_for", file="there")])
    body = {"threadId": "a-thread", "messages": [{"role": "user", "content": "Wait."}]}
    in_background(lambda: service.post("/ag-ui", body))
    wait_until((tmp_path / "waiting").exists)
    service.kill()
    (tmp_path / "there").touch()
    service = start(script=[says("It is there now."), says("Hello.")])
    found = talked(node, service.url, {"say": "Hello?"})
    assert ["RUN_STARTED", "RUN_FINISHED"] * 2 == [
        event for event in found["turns"][0]["events"] if event.startswith("RUN_")
    ]


def test_events_have_the_ids_of_the_client(start: Start) -> None:
    """By which it knows its run; the service's stand beside them. What is no id, or too long a one, is refused."""
    service = start(script=[says("Hello.")])
    asked = {"threadId": "t1", "runId": "r1", "messages": [{"role": "user", "content": "Hi"}]}
    events = service.post("/ag-ui", asked).events
    known = [
        (event["threadId"], event["runId"]) for event in events if event["type"] in ("RUN_STARTED", "RUN_FINISHED")
    ]
    assert [("t1", "r1")] * 2 == known
    assert {"threadId", "runId"} == set(events[0]["purestep"])
    for odd in ("x" * 1001, "\U0001f600" * 1001, 7, {"a": 1}):
        assert 400 == service.post("/ag-ui", {**asked, "runId": odd}).fault[0]


def test_client_goes_on_after_a_failure_behind_an_answer(start: Start, node: str) -> None:
    """The client keeps what it was asked where a run fails, and sends its answer again beside the next message."""
    service = start(script=[calls("refund_order", number=8), "?", "?", "?", says("Hello.")])
    found = talked(node, service.url, {"say": "Refund order 8."}, {"approve": True}, {"say": "Hello?", "approve": True})
    assert ["RUN_FINISHED", "RUN_ERROR", "RUN_FINISHED"] == [turn["events"][-1] for turn in found["turns"]]
