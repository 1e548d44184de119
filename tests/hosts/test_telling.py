"""What watches a run cannot end it: its faults are logged, and only an output that is gone counts."""

import json
import logging
from typing import Any

import pytest

from purestep import Agent, Done
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.scripted import ScriptedModel

CALL = '{"kind":"tool_call","tool_name":"pay","arguments":{}}'
FINAL = '{"kind":"final","content":"It is paid."}'
PAY = {"name": "pay", "parameters": {"type": "object"}, "annotations": {"readOnlyHint": False}}


class Host:
    """A log and tools that work, and a watcher that raises what it is given."""

    def __init__(self, *raised: Exception, at: tuple[str, ...]) -> None:
        self.raised, self.at = raised, at
        self.log = ""
        self.paid = 0

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.log += log

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Pay."""
        self.paid += 1
        return {"ok": True, "output": "paid"}

    def on_text(self, text: str) -> None:
        """Show text."""
        self._fail("on_text")

    def on_reasoning(self, text: str) -> None:
        """Show reasoning."""
        self._fail("on_reasoning")

    def on_retract(self) -> None:
        """Remove text."""
        self._fail("on_retract")

    def on_step(self, step: Any) -> None:
        """Show a step."""
        self._fail("on_step")

    def on_result(self, call: Any, result: Any) -> None:
        """Show a result."""
        self._fail("on_result")

    def _fail(self, event: str) -> None:
        for error in self.raised if event in self.at else ():
            raise error

    def ask(self) -> Any:
        """Ask the run whose every adapter this is."""
        model = ScriptedModel(["Thinking aloud.", CALL, FINAL])
        ports = Ports(model=model, tools=self, approve=lambda calls: (), log=self, watch=self, clock=lambda: 1)
        return Run(Agent.load({"tools": [PAY]}), ports, "run-1").ask("Pay")


EVENTS = ("on_text", "on_reasoning", "on_retract", "on_step", "on_result")


@pytest.mark.parametrize("at", [(event,) for event in EVENTS] + [EVENTS], ids=[*EVENTS, "all"])
def test_a_watcher_that_fails_leaves_the_run_as_it_is(at: tuple[str, ...]) -> None:
    """Not a byte of its log differs, and no call is made twice or lost."""
    host, calm = Host(ValueError("broken"), at=at), Host(at=())
    decision, expected = host.ask().decision, calm.ask().decision
    assert isinstance(expected, Done)
    assert (expected, calm.log, 1) == (decision, host.log, host.paid)


def test_its_fault_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """With where it came from; text that comes in pieces would fill a log."""
    with caplog.at_level(logging.ERROR, "purestep_hosts"):
        Host(ValueError("broken"), at=EVENTS).ask()
    assert ["what watches a run has failed; the run goes on, and further faults are not logged"] == caplog.messages
    assert "broken" in caplog.text


def test_an_output_that_is_gone_ends_the_run_with_its_call_in_the_log() -> None:
    """A reader that has closed a pipe does not want the rest; what was paid is recorded."""
    host = Host(BrokenPipeError(), at=("on_result",))
    with pytest.raises(BrokenPipeError):
        host.ask()
    kinds = [json.loads(line)["kind"] for line in host.log.splitlines()]
    assert 1 == kinds.count("tool_result"), kinds
