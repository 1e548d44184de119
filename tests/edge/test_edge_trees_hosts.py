"""Trees of agents on the hosts' own commands: killed in between, in chats and in threads."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

import purestep
from tests.edge.chats import Chat
from tests.edge.drivers import Service, serve
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import TEAM, run, standing
from tests.edge.scripted_trees import waiting
from tests.edge.test_edge_ag_ui import address, said, talked, types


@pytest.fixture(scope="module")
def config(config: dict[str, Any]) -> dict[str, Any]:
    """A service that waits long enough on any machine."""
    return {**config, "time_limit_ms": 60_000}


def answer(body: dict[str, Any], agent: str, approved: bool) -> list[dict[str, Any]]:
    """Return the answer about the call of an agent."""
    return [
        {"call_id": call["call_id"], "key": call["key"], "approved": approved}
        for path, call in waiting(body)
        if path == [agent]
    ]


def test_a_tree_goes_on_elsewhere_after_each_host_was_killed(
    hosts: tuple[str, ...], config: dict[str, Any], llm: ModelServer, tmp_path: Path
) -> None:
    """One host asks, the next one has the first agent's answer, and the last one the second's."""
    fetched = len(llm.fetched)
    log, request = "", {"query": "[team] When?"}
    for host, agent in zip(hosts, ("a", "b", ""), strict=True):
        with serve(host, {**config, "agent": TEAM}, tmp_path) as service:
            found = run(service, **request)
            os.killpg(service.process.pid, signal.SIGKILL)
        body = found.json()
        assert "log" in body, body
        log += body["log"]
        request = {**standing(found), "approvals": answer(body, agent, agent == "a")} if agent else {}
    assert ("done", fetched + 1) == (body["decision"]["type"], len(llm.fetched))
    assert json.loads(purestep.verify_log(log, body["state"]["head"]))["ok"]


def test_a_chat_asks_for_its_agents_calls(service: Service, llm: ModelServer) -> None:
    """Both are asked about in one message, by ids of their own, and the answers find their agents."""
    fetched = len(llm.fetched)
    chat = Chat(service, agent=TEAM)
    chat.say("[team] When?")
    asked = [part for part in chat.messages[-1]["parts"] if part.get("state") == "approval-requested"]
    assert [["call_1/call_1", "fetch_url"], ["call_2/call_1", "fetch_url"]] == [
        [part["toolCallId"], part["toolName"]] for part in asked
    ]
    asked[1].update(state="approval-responded", approval={**asked[1]["approval"], "approved": False, "reason": "no"})
    chat.answer(True)
    assert (fetched + 1, True) == (len(llm.fetched), "a person refused this call: no" in chat.text)
    states = {part["toolCallId"]: part["state"] for part in chat.messages[-1]["parts"] if "toolCallId" in part}
    assert ("output-available", "output-denied") == (states["call_1/call_1"], states["call_2/call_1"])


def test_a_thread_asks_for_its_agents_calls(service: Service, node: str, llm: ModelServer) -> None:
    """The official client answers each interrupt by the call's key."""
    fetched = len(llm.fetched)
    found = talked(node, service, {"say": "[team] When?"}, {"approve": True}, agent=TEAM)
    assert ["call_1/call_1", "call_2/call_1"] == sorted(found["turns"][0]["interrupts"])
    assert (fetched + 2, "RUN_FINISHED") == (len(llm.fetched), types(found["turns"][1])[-1])
    assert "nine" in said(found, "assistant")[-1]


def test_a_message_cancels_what_agents_wait_for(service: Service, llm: ModelServer) -> None:
    """A client that says something else has left the whole tree."""
    fetched = len(llm.fetched)
    chat = Chat(service, agent=TEAM)
    chat.say("[team] When?")
    chat.say("[hello] Never mind")
    assert ("It says: [hello] Never mind", fetched) == (chat.text, len(llm.fetched))
    ended = [json.loads(line) for line in chat.log.splitlines() if '"kind":"child_ended"' in line]
    assert [False, False] == [event["ok"] for event in ended]


def test_a_thread_that_breaks_off_keeps_what_came(
    service: Service, config: dict[str, Any], node: str, llm: ModelServer, tmp_path: Path
) -> None:
    """Both calls are approved, and one hangs until the time is over: the other's result is kept."""
    fetched = len(llm.fetched)
    with serve(service.host, {**config, "time_limit_ms": 4000}, tmp_path) as hurried:
        first = {"say": "[team_slow] When?", "url": address(hurried)}
        found = talked(node, service, first, {"approve": True}, agent=TEAM)
    assert "RUN_ERROR" == types(found["turns"][1])[-1]
    assert ["/page", "/slow"] == sorted(llm.fetched[fetched:])
    assert "The shop opens at nine." in json.dumps(found["state"])
