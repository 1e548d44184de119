"""Runs that were stopped while their calls ran, in JavaScript and in Python: the same questions, the same log."""

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Agent
from purestep_hosts import loop
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.loop import Ports, Run
from purestep_hosts.tools.results import interrupted
from tests.web.agent_cases import Scripted, call, final

HERE = Path(__file__).parent
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
SEND = {"name": "send", "parameters": TEXT}
PAY = {"name": "pay", "parameters": TEXT, "approval": "ask"}
LOOK = {"name": "look", "parameters": TEXT, "annotations": {"readOnlyHint": True}}
KEEP = {"name": "keep", "parameters": TEXT, "annotations": {"idempotentHint": True}}
SETTLED = final("Settled.")
YES, NO = {"approved": True}, {"approved": False, "reason": "once is enough"}
UNKNOWN = "outcome_unknown"


def calls(*names: str) -> str:
    """Return an output that calls these tools at once."""
    return f"[{','.join(call(name, text=name) for name in names)}]"


TAKEN_UP: dict[str, dict[str, Any]] = {
    "a person lets it run again": {"tools": [SEND], "calls": ["send"], "approvals": [YES], "asked": [1], "ran": [1]},
    "a person does not": {"tools": [SEND], "calls": ["send"], "approvals": [NO], "asked": [1], "ran": []},
    "repeating is harmless": {"tools": [LOOK, KEEP], "calls": ["look", "keep"], "asked": [], "ran": [1, 2]},
    "one of three": {"tools": [LOOK, SEND], "calls": ["look", "send", "look"], "approvals": [NO], "asked": [2]},
    "approved before": {"tools": [PAY], "calls": ["pay"], "approvals": [YES, YES], "asked": [1], "ran": [1]},
    "not handed out": {
        "tools": [SEND],
        "calls": ["send", "send"],
        "limits": {"max_parallel": 1},
        "approvals": [YES],
        "asked": [1],
        "ran": [1, 2],
    },
}
STOPPED: dict[str, dict[str, str]] = {
    "results that came are kept": {"one": "quick", "two": "stops", "three": "quick"},
    "what was done all the same is kept": {"one": "quick", "two": "late", "three": "stops"},
    "a call that does not come back": {"one": "quick", "two": "deaf"},
}


def definition_of(case: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of a run that is taken up."""
    return {"tools": case["tools"], "limits": case.get("limits", {})}


def cases() -> dict[str, dict[str, Any]]:
    """Return all runs, as the program in JavaScript takes them."""
    taken_up = {
        name: {
            "definition": definition_of(case),
            "outputs": [calls(*case["calls"]), SETTLED],
            "approvals": case.get("approvals", []),
        }
        for name, case in TAKEN_UP.items()
    }
    stopped = {
        name: {
            "definition": {"tools": [{"name": tool, "parameters": TEXT} for tool in behaviours]},
            "outputs": [calls(*behaviours), SETTLED],
            "behaviours": behaviours,
        }
        for name, behaviours in STOPPED.items()
    }
    return {**taken_up, **stopped}


@pytest.fixture(scope="module")
def in_node(node: str, package: Path) -> dict[str, Any]:
    """What Node made of all runs."""
    command = [node, HERE / "agent_resumed.mjs", package]
    done = subprocess.run(command, input=json.dumps(cases()), capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class Killed(BaseException):
    """The end of a host."""


class Host(Scripted):
    """The adapters of a run that is taken up: they keep what is asked and what runs."""

    def __init__(self, case: dict[str, Any]) -> None:
        """Begin with a host whose calls end it."""
        super().__init__(case)
        self.asked: list[list[str]] = []
        self.ran: list[str] = []
        self.is_killed = True

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """End the host, or answer."""
        if self.is_killed:
            raise Killed
        return {"ok": True, "output": "done"}

    def approve(self, calls: tuple[purestep.ApprovalCall, ...]) -> list[purestep.Approval]:
        """Keep what is asked, and give the next answers."""
        self.asked += [[entry.call_id, entry.reason] for entry in calls]
        return super().approve(calls)

    def on_result(self, call: Any, result: Any) -> None:
        """Keep which call came back."""
        self.ran.append(call.call_id)


def taken_up_in_python(case: dict[str, Any]) -> dict[str, Any]:
    """Play a run whose host is killed at its calls, and have another one take up its log."""
    host = Host(case)
    ports = Ports(model=host, tools=host, approve=host.approve, log=host, watch=host, clock=host.clock)
    agent = Agent.load(case["definition"])
    with pytest.raises(Killed):
        Run(agent, ports, "run-1").ask("Go")
    host.is_killed = False
    run = Run(agent, ports, "run-1")
    ended = json.loads(msgspec.json.encode(run.resume(host.lines).decision))
    return {
        "ended": ended,
        "log": host.lines,
        "state": msgspec.json.encode(run.state).decode(),
        "asked": host.asked,
        "ran": host.ran,
    }


@pytest.mark.parametrize("name", TAKEN_UP)
@pytest.mark.parametrize("way", ["log", "checkpoint"])
def test_run_taken_up_at_its_calls_writes_the_log_of_the_native_loop(
    name: str, way: str, in_node: dict[str, Any]
) -> None:
    """From a log and from a checkpoint, questions, calls, log and state are those of Python."""
    assert taken_up_in_python(cases()[name]) == in_node[name][way]


@pytest.mark.parametrize("name", TAKEN_UP)
@pytest.mark.parametrize("way", ["log", "checkpoint"])
def test_call_that_may_have_run_runs_again_only_if_a_person_says_so(
    name: str, way: str, in_node: dict[str, Any]
) -> None:
    """A person is asked with the reason about each call that was handed out, unless repeating it is harmless."""
    case, found = TAKEN_UP[name], in_node[name][way]
    unknown = [call_id for call_id, reason in found["asked"] if reason == UNKNOWN]
    assert [f"call_{number}" for number in case["asked"]] == unknown
    assert [f"call_{number}" for number in case.get("ran", [1, 3])] == found["ran"]
    assert purestep.verify_log(found["log"], json.loads(found["state"])["head"]).startswith('{"ok":true')


class OnCommand(Interrupts):
    """Ctrl-C as a test has it come."""

    def interrupt(self) -> None:
        """Have it come."""
        self._came = True
        self._notify()


class StoppedHost(Scripted):
    """The adapters of a run that is stopped once its quick calls are back."""

    def __init__(self, case: dict[str, Any], interrupts: OnCommand) -> None:
        """Begin with no call."""
        super().__init__(case)
        self.behaviours = case["behaviours"]
        self.quick = list(self.behaviours.values()).count("quick")
        self.interrupts = interrupts
        self.stopping = threading.Event()
        self.lock = threading.Lock()

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Behave as the case says."""
        behaviour = self.behaviours[tool]
        if behaviour == "quick":
            with self.lock:
                self.quick -= 1
                if self.quick == 0:
                    self.interrupts.interrupt()
            return {"ok": True, "output": f"{tool} is done"}
        self.stopping.wait()
        if behaviour == "deaf":
            threading.Event().wait(30)
        return {"ok": True, "output": f"{tool} had its effect"} if behaviour == "late" else interrupted()

    def stop(self) -> None:
        """Stop the calls."""
        self.stopping.set()


def stopped_in_python(case: dict[str, Any]) -> dict[str, Any]:
    """Play a run that is stopped while its calls run."""
    interrupts = OnCommand()
    host = StoppedHost(case, interrupts)
    ports = Ports(
        model=host, tools=host, approve=host.approve, log=host, watch=host, clock=host.clock, interrupts=interrupts
    )
    run = Run(Agent.load(case["definition"]), ports, "run-1")
    ended = json.loads(msgspec.json.encode(run.ask("Go").decision))
    return {"ended": ended, "log": host.lines, "state": msgspec.json.encode(run.state).decode()}


@pytest.mark.parametrize("name", STOPPED)
def test_run_stopped_at_its_calls_writes_the_log_of_the_native_loop(
    name: str, in_node: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results that came stand before the cancellation, every other call is interrupted, and the state is the same."""
    monkeypatch.setattr(loop, "_STOP_S", 0.2)
    expected = stopped_in_python(cases()[name])
    assert expected == {member: in_node[name][member] for member in expected}


@pytest.mark.parametrize("name", STOPPED)
def test_stop_reaches_every_running_tool(name: str, in_node: dict[str, Any]) -> None:
    """Each tool that runs has its signal aborted, and is told of once, before the run has ended."""
    behaviours, found = STOPPED[name], in_node[name]
    assert [tool for tool, behaviour in behaviours.items() if behaviour != "quick"] == found["aborted"]
    assert len(behaviours) == len(found["results"])
    assert not any(is_over for _, _, is_over in found["results"])


def test_model_reads_what_came_and_that_the_rest_may_have_run(in_node: dict[str, Any]) -> None:
    """Nothing is said not to have run that may have."""
    told = in_node["results that came are kept"]["messages"][-1]["content"]
    assert ["one is done" in told, "three is done" in told, "it may have run" in told] == [True, True, True]
    assert "was not run" not in told


def test_agent_that_goes_on_with_its_own_run_is_not_asked_again(in_node: dict[str, Any]) -> None:
    """A log that failed to take an approval leaves a run whose calls nobody has begun."""
    found = in_node["failed_approval"]
    assert ("no room", "done", ["call_1"]) == (found["failed"], found["ended"], found["ran"])
    assert "resumed" not in found["kinds"]


def test_agent_whose_results_were_lost_asks_before_the_call_runs_again(in_node: dict[str, Any]) -> None:
    """A log that failed to take the results of calls leaves calls that have run, also for the same agent."""
    found = in_node["failed_results"]
    assert ("no room", "done", ["call_1", "call_1"]) == (found["failed"], found["ended"], found["ran"])
    assert ["resumed", "approval_request", "approval"] == found["kinds"][4:7]


def test_message_to_a_run_that_is_taken_up_does_not_make_its_call_again(in_node: dict[str, Any]) -> None:
    """The call may have run, and a person is asked about it, also where the user goes on with something else."""
    found = in_node["said_more"]
    assert ("done", []) == (found["ended"], found["ran"])
    assert [["call_1", "outcome_unknown"]] == found["asked"]
    assert found["kinds"].index("resumed") < found["kinds"].index("user_message", 2)


def test_run_stopped_before_its_call_begins_none(in_node: dict[str, Any]) -> None:
    """The call is recorded as interrupted, as the native loop does it, and its tool is not begun."""
    found = in_node["before_its_call"]
    assert ("cancelled", [], True) == (found["ended"], found["ran"], "it may have run" in found["last"])
    assert ["tool_result", "cancelled", "run_failed"] == found["kinds"][-3:]
