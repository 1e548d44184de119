"""The loop in JavaScript does what the loop in Python does: the same log, byte for byte."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Agent
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import ModelRequest, ReplySink

HERE = Path(__file__).parent
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def call(tool: str, **arguments: Any) -> str:
    """Give an envelope's call."""
    return json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})


def final(content: str) -> str:
    """Give an envelope's answer."""
    return json.dumps({"kind": "final", "content": content})


CASES: dict[str, dict[str, Any]] = {
    "call and answer": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "outputs": [call("shout", text="h\u00e9llo \U0001f600"), final('It says "H\u00c9LLO" \U0001f600\n')],
        "results": {"shout": [{"ok": True, "output": "H\u00c9LLO \U0001f600"}]},
        "queries": ["Shout h\u00e9llo"],
    },
    "numbers past 2^53": {
        "definition": {"tools": [{"name": "keep", "parameters": NUMBER, "approval": "ask"}]},
        "outputs": [call("keep", n=2**60 + 1), final("Kept it.")],
        "results": {"keep": [{"ok": True, "output": "kept"}]},
        "approvals": [{"approved": True, "by": "a test"}],
        "queries": ["Keep it"],
    },
    "refused, then two questions": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT, "approval": "ask"}]},
        "outputs": [call("shout", text="no"), final("I may not."), final("Still here.")],
        "approvals": [{"approved": False, "reason": "not now"}],
        "queries": ["Shout no", "Are you there?"],
    },
    "garbage, then failure": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "outputs": ["hm", "{{{", "{"],
        "queries": ["Shout"],
    },
    "a tool that throws": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "outputs": [call("shout", text="a"), final("It broke.")],
        "results": {"shout": [{"throws": "no voice"}]},
        "queries": ["Shout a"],
    },
    "an output read on in parts": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT, "max_output_chars": 8}], "read_output": True},
        "outputs": [
            call("shout", text="long"),
            call("read_output", call_id="call_1", **{"from": 8}),
            call("read_output", call_id="call_1", **{"from": 16}),
            final("It is long."),
        ],
        "results": {"shout": [{"ok": True, "output": "\U0001f600 H\u00c9LLO \u2028" * 2}]},
        "queries": ["Shout something long"],
    },
    "cancelled while the model is asked": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "outputs": [],
        "cancel_at": 1,
        "queries": ["Shout"],
    },
}


class Scripted:
    """The adapters of a case, in Python."""

    name = "scripted"

    def __init__(self, case: dict[str, Any]) -> None:
        self.outputs = list(case["outputs"])
        self.results = {name: list(results) for name, results in case.get("results", {}).items()}
        self.approvals = list(case.get("approvals", ()))
        self.cancel_at = case.get("cancel_at")
        self.calls = 0
        self.now = 1000
        self.lines = ""
        self.shown = ""

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput:
        """Say the next output at once, where the page says it in pieces: what is shown is the same."""
        self.calls += 1
        if self.calls == self.cancel_at:
            raise KeyboardInterrupt
        content = self.outputs.pop(0)
        reply.text(content)
        return purestep.ModelOutput(content=content)

    def stop(self) -> None:
        """Nothing is left of a reply that was never begun."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Give the next outcome of the tool."""
        outcome: dict[str, Any] = self.results[tool].pop(0)
        if "throws" in outcome:
            return {"ok": False, "error": outcome["throws"], "error_kind": "execution"}
        return outcome

    def approve(self, calls: tuple[purestep.ApprovalCall, ...]) -> list[purestep.Approval]:
        """Give the next answers."""
        return [purestep.Approval(call_id=c.call_id, key=c.key, **self.approvals.pop(0)) for c in calls]

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.lines += log

    def clock(self) -> int:
        """Give the time, a second later each time."""
        self.now += 1000
        return self.now

    def on_text(self, text: str) -> None:
        """Keep what is shown."""
        self.shown += text

    def on_step(self, step: Any) -> None:
        """Nothing is shown of a step."""

    def on_result(self, call: Any, result: Any) -> None:
        """Nothing is shown of a result."""


def in_python(case: dict[str, Any]) -> dict[str, Any]:
    """Play a case with the loop of the native hosts."""
    host = Scripted(case)
    ports = Ports(model=host, tools=host, approve=host.approve, log=host, watch=host, clock=host.clock)
    run = Run(Agent.load(case["definition"]), ports, "run-1")
    ended = [json.loads(msgspec.json.encode(run.ask(query).decision)) for query in case["queries"]]
    return {"ended": ended, "log": host.lines, "state": msgspec.json.encode(run.state).decode(), "shown": host.shown}


@pytest.fixture(scope="module")
def in_node(node: str, package: Path) -> dict[str, Any]:
    """What Node made of all cases."""
    done = subprocess.run(
        [node, HERE / "agent_runs.mjs", package], input=json.dumps(CASES), capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    results: dict[str, Any] = json.loads(done.stdout)
    return results


@pytest.mark.parametrize("name", CASES)
def test_both_loops_write_the_same_log_and_state(name: str, in_node: dict[str, Any]) -> None:
    """Log, state, text shown and ending are the same from JavaScript and from Python."""
    expected = in_python(CASES[name])
    assert expected == {member: in_node[name][member] for member in expected}


@pytest.mark.parametrize("name", CASES)
def test_the_log_of_a_run_in_javascript_holds_natively(name: str, in_node: dict[str, Any]) -> None:
    """A log written by way of JavaScript verifies with the native core, and its head is the state's."""
    given = in_node[name]
    assert purestep.verify_log(given["log"], given["head"]).startswith('{"ok":true')


@pytest.mark.parametrize("name", CASES)
def test_a_run_taken_up_from_its_log_stands_where_it_stood(name: str, in_node: dict[str, Any]) -> None:
    """Resumed in JavaScript, the run has the same state text and the same ending."""
    given = in_node[name]
    assert {"ended": given["ended"][-1], "state": given["state"]} == given["resumed"]
