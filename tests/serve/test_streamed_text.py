"""Text reaches the reader while the model writes it, from a server that waits until it has been read."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.conftest import Answer
from tests.serve.conftest import SOON_S, Start, calls, says

Web = Callable[[Answer], str]


def streaming(handler: Any) -> Callable[..., float]:
    """Begin a chat completion's stream; gives what sends a piece, the last with `ends`, and returns when that was."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()

    def send(piece: str, *, ends: bool = False) -> float:
        chunk = json.dumps({"choices": [{"delta": {"content": piece}, "finish_reason": "stop" if ends else None}]})
        handler.wfile.write(f"data: {chunk}\n\n".encode())
        handler.wfile.flush()
        return time.monotonic()

    return send


@pytest.mark.parametrize(("form", "kind"), [("ai-sdk", "text-delta"), ("ag-ui", "TEXT_MESSAGE_CONTENT")])
def test_text_comes_while_the_model_writes(start: Start, web: Web, form: str, kind: str) -> None:
    """The model goes on only once the reader has the first words; each word comes once."""
    was_read = threading.Event()

    def answer(handler: Any, number: int) -> None:
        send = streaming(handler)
        send("Hello ")
        assert was_read.wait(SOON_S)
        send("there.", ends=True)

    service = start("--base-url", web(answer), "--model", "slow", "--carry", "off")
    stream = service.open("POST", f"/runs?form={form}", {"query": "Hello"})
    deltas: list[str] = []
    while True:
        event = stream.next_event()
        if event["type"] == kind:
            deltas.append(event["delta"])
            was_read.set()
        if event["type"] in ("finish", "RUN_FINISHED"):
            break
    assert ("Hello there.", True) == ("".join(deltas), len(deltas) > 1)


@pytest.mark.parametrize(
    ("form", "kind", "end"),
    [("ai-sdk", "reasoning-delta", "reasoning-end"), ("ag-ui", "REASONING_MESSAGE_CONTENT", "REASONING_END")],
)
def test_reasoning_comes_while_the_model_thinks(start: Start, web: Web, form: str, kind: str, end: str) -> None:
    """The model goes on only once the reader has its first thought, which is said once and ends before the text."""
    was_read = threading.Event()

    def answer(handler: Any, number: int) -> None:
        send = streaming(handler)
        send("<think>First I ")
        assert was_read.wait(SOON_S)
        send("think.</think>Hello.", ends=True)

    service = start("--base-url", web(answer), "--model", "slow", "--carry", "off")
    stream = service.open("POST", f"/runs?form={form}", {"query": "Hello"})
    deltas: list[str] = []
    kinds: list[str] = []
    while not kinds or kinds[-1] not in ("finish", "RUN_FINISHED"):
        event = stream.next_event()
        kinds.append(event["type"])
        if event["type"] == kind:
            deltas.append(event["delta"])
            was_read.set()
    assert ("First I think.", True) == ("".join(deltas), len(deltas) > 1)
    assert (1, True) == (
        kinds.count(end),
        kinds.index(end) < kinds.index("text-start" if form == "ai-sdk" else "TEXT_MESSAGE_START"),
    )


COUNTING = """
from purestep_hosts import Invocation, tool


@tool(read_only=True)
def count(to: int, at: Invocation[None]) -> int:
    \"\"\"Count.\"\"\"
    for number in range(1, to + 1):
        at.tell("counting", done=number, total=to)
    return to
"""


@pytest.mark.parametrize("form", ["ai-sdk", "ag-ui"])
def test_what_a_call_tells_is_in_the_stream_and_not_in_the_log(start: Start, tmp_path: Path, form: str) -> None:
    """Also that of an agent below, with its place; a stream of the run that has ended has none of it."""
    (tmp_path / "counting.py").write_text(COUNTING)
    counter = {"name": "counter", "tools": ["count"]}
    lead = {"name": "lead", "tools": ["count"], "agents": {"counter": {"agent": counter}}}
    (tmp_path / "lead.json").write_text(json.dumps(lead))
    script: list[Any] = [
        calls("count", to=2), calls("counter", question="Count."), says("Done."),
        {"agent": "counter"}, calls("count", to=1), says("One."),
    ]  # fmt: skip
    service = start("--agent", "lead.json", "--functions", "counting.py", script=script)
    events = service.post(f"/runs?form={form}", {"query": "Count"}).events
    if form == "ai-sdk":
        told = [each["data"] for each in events[:-1] if each["type"] == "data-progress" and each["transient"]]
    else:
        told = [each["value"] for each in events if each.get("name") == "purestep.progress"]
    assert [(1, 2, None), (2, 2, None), (1, 1, ["counter"])] == [
        (each["done"], each["total"], each.get("path")) for each in told
    ]
    run = service.get("/runs").json["runs"][0]["run"]
    again = service.get(f"/runs/{run}/events?form={form}").events
    assert "counting" not in json.dumps(again)
