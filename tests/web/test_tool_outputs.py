"""What a tool gives reaches the core whole, on native hosts and in JavaScript, and its calls keep to their number."""

import json
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep import Agent, ModelOutput
from purestep_hosts.loop import Ports, Run
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.tool import Tool
from purestep_hosts.tools.toolbox import Toolbox

HERE = Path(__file__).parent
PATIENCE = 300.0
FIND: dict[str, Any] = {
    "name": "find",
    "description": "Find records.",
    "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    "output_schema": {
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {"type": "string"}}},
        "required": ["rows"],
    },
    "max_output_chars": 100,
}
CALL = {"content": '{"kind":"tool_call","tool_name":"find","arguments":{}}'}
RAN = "find ran; its result cannot be used"
DONE = {"content": '{"kind":"final","content":"Done."}'}
LONG = {"rows": ["a row of text \u00e9"] * 5000}
HUGE = {"rows": ["x" * 1_000_000]}
DEEP: dict[str, Any] = {"rows": [], "deep": json.loads("[" * 80 + "]" * 80)}


def native(number: int) -> dict[str, Any]:
    """Return a model output with so many calls."""
    call = {"type": "function", "function": {"name": "find", "arguments": "{}"}}
    return {"content": None, "tool_calls": [{"id": f"x{at}", **call} for at in range(number)]}


CASES: dict[str, dict[str, Any]] = {
    "long": {"definition": {"tools": [FIND]}, "outputs": [CALL, DONE], "result": LONG},
    "huge": {"definition": {"tools": [FIND]}, "outputs": [CALL, DONE], "result": HUGE},
    "deep": {"definition": {"tools": [FIND]}, "outputs": [CALL, DONE], "result": DEEP},
    "three at once": {
        "definition": {"dialect": "native", "tools": [FIND], "limits": {"max_parallel": 3}},
        "outputs": [native(10), {"content": "Done."}],
        "result": {"rows": []},
        "at_once": 3,
    },
    "by default": {
        "definition": {"dialect": "native", "tools": [FIND]},
        "outputs": [native(20), {"content": "Done."}],
        "result": {"rows": []},
        "at_once": 8,
    },
}


class Host:
    """The adapters of a case, in Python."""

    name = "scripted"

    def __init__(self, case: dict[str, Any], folder: Path) -> None:
        self.outputs = [{"type": "model_output", **output} for output in case["outputs"]]
        self.lines = ""
        self.running = self.most = 0
        self.expected = case.get("at_once", 1)
        self.changed = threading.Condition()
        self.result = case["result"]
        self.box = Toolbox(ToolConfig(session_dir=folder, names=()))
        shown = {name: FIND[name] for name in ("name", "description", "parameters", "output_schema")}
        self.box.register(Tool(**shown, run=self.find))

    def find(self, params: Any, call: Any) -> Any:
        """Return the result once as many do so as may, however slowly they start; then see whether more come."""
        with self.changed:
            self.running += 1
            self.most = max(self.most, self.running)
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.most >= self.expected, PATIENCE)
        time.sleep(0.02)
        with self.changed:
            self.running -= 1
        return self.result

    def complete(self, request: Any, on_text: Any = None) -> Any:
        """Say the next output."""
        return msgspec.convert(self.outputs.pop(0), ModelOutput)

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.lines += log

    def on_text(self, text: str) -> None:
        """Nothing is shown."""

    def on_step(self, step: Any) -> None:
        """Nothing is shown."""

    def on_result(self, call: Any, result: Any) -> None:
        """Nothing is shown."""


@pytest.fixture(scope="module")
def in_python(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the native loop and toolbox made of the cases."""
    found = {}
    for name, case in CASES.items():
        host = Host(case, tmp_path_factory.mktemp("session"))
        ports = Ports(model=host, tools=host.box, approve=lambda calls: (), log=host, watch=host, clock=lambda: 1)
        run = Run(Agent.load(case["definition"]), ports, "run-1")
        ended = msgspec.to_builtins(run.ask("Go").decision)
        found[name] = {"ended": ended, "log": host.lines, "messages": run.messages, "most": host.most}
    return msgspec.to_builtins(found)


@pytest.fixture(scope="module")
def in_node(node: str, package: Path) -> dict[str, Any]:
    """What Node made of the cases."""
    command = [node, HERE / "tool_outputs.mjs", package]
    done = subprocess.run(command, input=json.dumps(CASES), capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr[-3000:]
    results: dict[str, Any] = json.loads(done.stdout)
    return results


@pytest.fixture(params=["python", "node"])
def host(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What one of the hosts made of the cases."""
    found: dict[str, Any] = request.getfixturevalue(f"in_{request.param}")
    return found


def events(found: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return the log's events of a kind."""
    return [event for line in found["log"].splitlines() if (event := json.loads(line))["kind"] == kind]


def test_long_object_that_fits_its_schema_is_accepted_and_logged_whole(host: dict[str, Any]) -> None:
    """The core checks the object itself, logs all of it, and cuts only what the model reads."""
    found = host["long"]
    assert [(True, LONG)] == [(event["ok"], event["output"]) for event in events(found, "tool_result")]
    assert ["accept"] == [event["verdict"] for event in events(found, "verdict")]
    [read] = [message["content"] for message in found["messages"] if "a row" in message["content"]]
    assert len(read) < 200
    assert "done" == found["ended"]["type"]


def test_result_past_the_memory_bound_is_an_error_that_the_model_reads(host: dict[str, Any]) -> None:
    """It says what was expected, how large the result was, and what to do."""
    [event] = events(host["huge"], "tool_result")
    error = f"{RAN}: expected a result of at most 1000000 bytes, got 1000013; ask for a part of it"
    assert (False, error, "interrupted") == (event["ok"], event["error"], event["error_kind"])


@pytest.mark.parametrize(("name", "calls"), [("three at once", 10), ("by default", 20)])
def test_no_more_calls_run_at_once_than_allowed(host: dict[str, Any], name: str, calls: int) -> None:
    """The loop runs all that it is handed, and goes on until every call has its result."""
    found = host[name]
    assert (CASES[name]["at_once"], calls) == (found["most"], len(events(found, "tool_result")))
    assert "done" == found["ended"]["type"]


def test_result_nested_too_deeply_is_an_error_that_the_model_reads(host: dict[str, Any]) -> None:
    """The tool has run, so the run goes on."""
    [event] = events(host["deep"], "tool_result")
    error = f"{RAN}: expected a result nested at most 56 levels deep; flatten it"
    assert (False, error, "interrupted") == (event["ok"], event["error"], event["error_kind"])


@pytest.mark.parametrize("name", ["long", "huge", "deep"])
def test_both_hosts_write_the_same_log(name: str, in_python: dict[str, Any], in_node: dict[str, Any]) -> None:
    """Byte for byte, the error's words included."""
    assert in_python[name]["log"] == in_node[name]["log"]
