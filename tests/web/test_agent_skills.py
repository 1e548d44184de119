"""The loop in JavaScript runs skills as the one in Python does, and knows nothing of them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Agent
from purestep_hosts.loop import Run
from tests.hosts.test_hosts_waits import Kept

HERE = Path(__file__).parent


def _call(**arguments: Any) -> str:
    return json.dumps({"kind": "tool_call", "tool_name": "extract", "arguments": arguments})


_NAMES = _call(text="Anna met Tom.", target="name")
_FINAL = json.dumps({"kind": "final", "content": "Both."})
_SKILLED: dict[str, Any] = {"skills": ["extract"], "models": [{"name": "m"}]}
CASES: dict[str, dict[str, Any]] = {
    "right": {"definition": _SKILLED, "outputs": [_NAMES, '{"name":["Anna","Tom"]}', _FINAL]},
    "corrected": {"definition": _SKILLED, "outputs": [_NAMES, "Anna", '{"name":["Anna"]}', _FINAL]},
    "failed": {"definition": _SKILLED, "outputs": [_NAMES, '{"name":["Zed"]}', '{"name":["Zed"]}', _FINAL]},
    "no model": {"definition": _SKILLED, "outputs": [_call(text="a@b.example", target="email"), _FINAL]},
    "limit": {"definition": {**_SKILLED, "limits": {"max_turns": 2}}, "outputs": [_NAMES, "Anna"]},
}


class Scripted:
    """A model that says what it is given, and keeps what it was asked."""

    name = "m"

    def __init__(self, outputs: list[str]) -> None:
        self.outputs = outputs
        self.asked: list[str] = []

    def complete(self, request: Any, reply: Any) -> purestep.ModelOutput:
        """Return the next output."""
        self.asked.append(request.messages[-1]["content"])
        content = self.outputs[len(self.asked) - 1]
        reply.text(content)
        return purestep.ModelOutput(content=content)


@pytest.fixture(scope="module")
def played(node: str, package: Path) -> dict[str, Any]:
    """The outcome of each run in JavaScript."""
    command = [node, HERE / "agent_skills.mjs", package, json.dumps(CASES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", CASES)
def test_both_loops_run_skills_alike(name: str, played: dict[str, Any]) -> None:
    """The same outputs lead to the same requests, the same end and the same log, byte for byte."""
    case, kept = CASES[name], Kept()
    model = Scripted(case["outputs"])
    ended = Run(Agent.load({"tools": [], **case["definition"]}), kept.ports(model), "run-1").ask("Who?").decision
    found = played[name]
    kinds = [json.loads(line)["kind"] for line in found["log"].splitlines()]
    assert ["skill_started", "skill_ended"] == [kind for kind in kinds if kind.startswith("skill")]
    assert (msgspec.to_builtins(ended), model.asked, kept.log) == (found["ended"], found["asked"], found["log"])
