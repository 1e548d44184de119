"""Results that come later in JavaScript: the same runs as in Python."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts import Agent, LateCall, Later, RunResult, ScriptedModel, calls, due_results, late_result, says
from purestep_hosts.tools.tool import Tool, parameters

HERE = Path(__file__).parent
REPORT = Tool(
    name="report",
    description="Make a report.",
    parameters=parameters(number={"type": "integer"}),
    run=lambda params, _call: Later(f"job-{params['number']}", note="in an hour"),
    annotations={"readOnlyHint": False},
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOW = 1_800_000_000_000
TIMES = [0, 1, NOW - 1, NOW, NOW + 1, -62_135_596_800_000, 253_402_300_799_999]
HANDLES = [
    "job-1",
    *(f"until:{time}" for time in ("2027-01-15T08:00:00.000Z", "2027-01-15T08:00:00.001Z", "0001-01-01T00:00:00.000Z")),
    "until:2026-02-30T00:00:00.000Z",  # no day of the calendar
    "until:0000-01-01T00:00:00.000Z",
    "until:2026-01-01T24:00:00.000Z",
    "until:2026-01-01T23:59:60.000Z",
    "until:2026-01-01T00:00:00Z",
    "until:2026-01-01T00:00:00.000+00:00",
    "until:2026-01-01T00:00:00.000Z\n",
    " until:2026-01-01T00:00:00.000Z",
    "until:\uff12026-01-01T00:00:00.000Z",
]


@pytest.fixture(scope="module")
def late(node: str, package: Path) -> dict[str, Any]:
    """What came of each run in JavaScript."""
    asked = json.dumps({"times": TIMES, "handles": HANDLES, "now": NOW})
    done = subprocess.run(
        [node, HERE / "late_results.mjs", package, asked], capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def agent(*outputs: str, tools: list[Any] | None = None, **members: Any) -> Agent[str]:
    """Return the agent of a run in Python."""
    given = [REPORT] if tools is None else tools
    return Agent(ScriptedModel(list(outputs)), tools=given, clock=lambda: 1000, **members)


def told(log: str) -> list[tuple[Any, ...]]:
    """Return what the lines after the first say; definitions differ in words, and so do the keys and the chain."""
    members = ("kind", "call_id", "handle", "note", "output", "reason", "tools")
    return [tuple(json.loads(line).get(name) for name in members) for line in log.splitlines()[1:]]


def test_another_process_gives_the_result(late: dict[str, Any]) -> None:
    """No result is told in the first stream; the second begins an exchange with it."""
    found = late["answered"]
    assert "result" not in found["told"]
    assert ("job-1", "It has 42 pages.") == (found["open"]["handle"], found["answer"])
    assert ["succeeded"] == [act["status"] for act in found["acts"]]
    first = agent(calls("report", number=1), says("Soon.")).run_sync("Report", run_id="run-1")
    last = agent(says("It has 42 pages.")).run_sync(
        after=first.log, results=[late_result(call, "42 pages") for call in first.late]
    )
    assert told(last.log) == told(found["log"])
    assert purestep.verify(found["log"]).ok


def test_a_run_may_wait_for_it(late: dict[str, Any]) -> None:
    """Taken up again nothing runs a second time, and nothing is added to the log; `ask` says what it waits for."""
    found = late["waited"]
    assert (["waiting", "waiting", "done"], [1]) == (found["statuses"], found["ran"])
    assert "waiting: the run waits for the result of report" in found["thrown"]
    kinds = [json.loads(line)["kind"] for line in found["log"].splitlines()]
    assert ("resumed" in kinds, kinds.count("tool_pending")) == (False, 1)
    assert purestep.verify(found["log"]).ok


def test_the_call_of_an_agent_below_has_its_place(late: dict[str, Any]) -> None:
    """Its result finds the run below, and the agent's answer its caller."""
    found = late["below"]
    assert (["desk"], "Done.") == (found["path"], found["answer"])
    result: RunResult[str] = agent(tools=[agent().as_tool("desk")]).read(found["log"])
    assert ("done", ()) == (result.status, result.late)
    assert purestep.verify(found["log"]).ok


def test_no_run_takes_what_another_one_waits_for(late: dict[str, Any]) -> None:
    """Nor is one result taken twice."""
    found = late["together"]
    code, message = found["ofAnother"]
    assert ("unknown_call", True) == (code, "of a call of another run" in message)
    code, message = found["twice"]
    assert ("duplicate_result", True) == (code, "expected one result of call_1; got two" in message)


def test_results_given_together_are_read_together(late: dict[str, Any]) -> None:
    """One exchange, which Python reads too."""
    found = late["together"]
    assert ("Both.", 1) == (found["answer"], found["log"].count('"reason":"late_results"'))
    assert purestep.verify(found["log"]).ok


def test_a_result_is_an_output_or_an_error(late: dict[str, Any]) -> None:
    """Both are a mistake, and so is neither; an output may be null."""
    said = [each.split(", or")[0] for each in late["neither"]]
    assert ["TypeError: expected lateResult(call, { output })"] * 3 == said
    assert [True, True, False] == late["either"]


def test_handles_and_notes_are_bounded(late: dict[str, Any]) -> None:
    """What the core would not take is an error where it is written."""
    assert ["TypeError"] * 7 == late["wrong"]


def test_times_are_those_of_python(late: dict[str, Any]) -> None:
    """A call that waits for a time has the handle that any host knows, and its result the same words."""
    made = [Later.until(EPOCH + timedelta(milliseconds=ms), "soon") for ms in TIMES]
    assert [{"handle": each.handle, "note": each.note} for each in made] == late["times"]
    waiting = [LateCall(call_id="call_1", tool="wait", params={}, key="k", handle=handle) for handle in HANDLES]
    due = [[each.result.output for each in due_results([call], NOW)] for call in waiting]
    assert due == late["due"]
    assert 2 == sum(map(len, due))
