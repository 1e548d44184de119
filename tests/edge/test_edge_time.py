"""Time limits of requests, and clients that leave: nothing is lost, and nothing goes on unseen, on every host."""

import json
import socket
import struct
import time
from pathlib import Path
from typing import Any

import purestep
from tests.edge.drivers import Service, serve
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import ENVELOPE, PATIENCE_S, run, standing


def test_silent_model_is_504_and_nothing_is_lost(service: Service, llm: ModelServer) -> None:
    """When the request's time is over its model is let go, and the run can be gone on with."""
    llm.dropped.clear()
    answer = run(service, query="[hang]")

    value = answer.json()
    assert (504, "time_limit") == (answer.status, value["error"]["code"])
    assert "call_model" == value["decision"]["type"]
    assert json.loads(purestep.verify_log(value["log"], value["state"]["head"]))["ok"]
    assert llm.dropped.wait(PATIENCE_S)

    # The very state goes on, with what another model would say.
    state, said = json.dumps(value["state"]), "here after all"
    observation = json.dumps({"type": "model_output", "content": said})
    step = service.send(
        "POST", "/step", f'{{"agent":{agent_of(value)},"state":{state},"observation":{observation}}}'.encode()
    )
    assert {"type": "done", "answer": "here after all"} == step.json()["decision"]


def test_busy_model_is_asked_again_within_the_request(service: Service, llm: ModelServer) -> None:
    """A wait that the request has time for is waited, and stands in the log."""
    llm.busy_times, llm.busy_s = 1, "0.2"
    answer = run(service, query="[busy]")
    value = answer.json()
    assert (200, "It says: [busy]") == (answer.status, value["result"])
    assert 200 in [json.loads(line).get("wait_ms") for line in value["log"].splitlines()]
    assert json.loads(purestep.verify_log(value["log"], value["state"]["head"]))["ok"]


def test_wait_past_the_request_is_the_callers_to_wait(service: Service, llm: ModelServer) -> None:
    """A wait longer than the request answers as the time limit does, at once; sent back, the model is asked."""
    llm.busy_times, llm.busy_s = 1, "30"
    asked = len(llm.asked)
    answer = run(service, query="[busy]")
    value = answer.json()
    assert (504, "time_limit") == (answer.status, value["error"]["code"])
    assert ("call_model", 30_000) == (value["decision"]["type"], value["decision"]["wait_ms"])
    assert asked + 1 == len(llm.asked)

    again = run(service, **standing(answer))
    assert (200, "It says: [busy]") == (again.status, again.json()["result"])


def agent_of(value: dict[str, Any]) -> str:
    """Return the definition of a run from the first line of its log."""
    return json.dumps(json.loads(value["log"].split("\n", 1)[0])["agent"])


def test_silent_page_is_504_at_the_call(service: Service) -> None:
    """A tool that is waited for in vain leaves the run at its call, not failed."""
    answer = run(service, query="[slow]")
    assert (504, "time_limit") == (answer.status, answer.json()["error"]["code"])
    assert "invoke_tool" == answer.json()["decision"]["type"]


def test_model_that_goes_on_behind_its_answer_is_let_go(service: Service, llm: ModelServer) -> None:
    """The answer is there as soon as it is certain; what the model says then is neither waited for nor logged."""
    llm.dropped.clear()
    answer = run(service, query="[babble] Go", agent=ENVELOPE)
    value = answer.json()
    assert (200, "Enough.") == (answer.status, value["result"])
    assert llm.dropped.wait(PATIENCE_S)
    said = [event for event in map(json.loads, value["log"].splitlines()) if event["kind"] == "model_response"]
    assert ['{"kind":"final","content":"Enough."}'] == [event["content"] for event in said]


def test_client_that_leaves_lets_the_model_go(
    service: Service, llm: ModelServer, config: dict[str, Any], tmp_path: Path
) -> None:
    """Nobody's run is carried on: the model's connection ends long before the time limit, which is minutes here."""
    with serve(service.host, {**config, "time_limit_ms": 4 * int(PATIENCE_S * 1000)}, tmp_path) as patient:
        leave_a_run(patient, llm)
        assert llm.dropped.wait(PATIENCE_S)


def leave_a_run(service: Service, llm: ModelServer) -> None:
    """Ask for a run whose model says nothing, and close the connection as soon as the model was asked."""
    llm.dropped.clear()
    asked = len(llm.asked)
    body = b'{"query":"[hang]"}'
    head = f"POST /run HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", service.port)) as link:
        link.sendall(head.encode() + body)
        end = time.monotonic() + PATIENCE_S
        while len(llm.asked) == asked and time.monotonic() < end:
            time.sleep(0.01)
        if service.host == "workerd":
            # workerd takes an orderly end for that of the request alone, and sees only a connection that was reset.
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
