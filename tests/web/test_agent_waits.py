"""The loop in JavaScript waits as the one in Python does before a model is asked again."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Agent
from purestep_formats import ReplyEnd
from purestep_hosts.loop import Run
from tests.hosts.test_hosts_waits import FINAL, Kept

HERE = Path(__file__).parent
CASES: dict[str, tuple[int, dict[str, str], dict[str, Any]]] = {
    "busy": (2, {}, {}),
    "gone": (99, {}, {}),
    "asks": (1, {"retry-after": "7"}, {}),
    "late": (9, {"retry-after": "7"}, {"limits": {"deadline_ms": 5000}}),
}


@pytest.fixture(scope="module")
def waits(node: str, package: Path) -> dict[str, Any]:
    """The outcome of each run."""
    command = [node, HERE / "agent_waits.mjs", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class Failing:
    """A model that fails so many times, then answers."""

    name = "m"

    def __init__(self, times: int, headers: dict[str, str]) -> None:
        self.times = times
        self.headers = headers
        self.asked = 0

    def complete(self, request: Any, reply: Any) -> Any:
        """Fail, or answer."""
        self.asked += 1
        if self.asked <= self.times:
            return ReplyEnd(kind="status", status=503, source="The server", headers=self.headers)
        reply.text(FINAL)
        return purestep.ModelOutput(content=FINAL)


@pytest.mark.parametrize("name", CASES)
def test_both_loops_wait_alike(name: str, waits: dict[str, Any]) -> None:
    """The same errors lead to the same waits, the same requests and the same log, byte for byte."""
    times, headers, definition = CASES[name]
    kept, model = Kept(), Failing(times, headers)
    ports = kept.ports(model)
    ended = Run(Agent.load({"tools": [], **definition}), ports, "run-1").ask("Go").decision
    found = waits[name]
    assert (msgspec.to_builtins(ended), kept.log) == (found["ended"], found["log"])
    assert (model.asked, [round(seconds * 1000) for seconds in kept.slept]) == (found["asked"], found["slept"])


def test_run_can_be_stopped_while_it_waits(waits: dict[str, Any]) -> None:
    """The run ends before its wait of half a minute does, and the model is not asked again."""
    found = waits["stopped"]
    assert ("cancelled", 1) == (found["ended"]["code"], found["asked"])
    assert [{"came_to_its_end": False}] == found["waits"]
