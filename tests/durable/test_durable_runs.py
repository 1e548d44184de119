"""Runs in a database: killed at several moments, they go on in the next process, and no effect is had twice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep_hosts import Agent, Later, ScriptedModel, approved, calls, late_result, refused, says, tool
from purestep_hosts.durable import DurableError, DurableRuns
from purestep_hosts.durable.exchange import Executor, opened
from purestep_hosts.durable.log_table import LogRow, LogTable
from tests.durable.booking import LIMIT_S, RUN_ID, booking_agent, effects, seats

Killed = Callable[[str, str, str], str]


@pytest.fixture(
    params=[
        pytest.param("file_database", id="sqlite"),
        pytest.param("server_database", id="postgresql", marks=pytest.mark.needs("postgresql")),
    ]
)
def database(request: pytest.FixtureRequest) -> str:
    """Each kind of database."""
    return str(request.getfixturevalue(request.param))


def events(log: str, kind: str) -> list[dict[str, Any]]:
    """Return the lines of a log of one kind."""
    return [line for line in map(json.loads, log.splitlines()) if line["kind"] == kind]


@pytest.mark.parametrize("moment", ["asked", "told"])
def test_killed_while_the_model_is_asked(file_database: str, killed: Killed, tmp_path: Path, moment: str) -> None:
    """The model is asked again; a call that has run is not made again, and nobody is asked about it."""
    killed(file_database, "Send", moment)

    assert ([] if moment == "asked" else ["sent ann"]) == effects(tmp_path)
    with DurableRuns(booking_agent(tmp_path), file_database) as runs:
        result = runs.wait(RUN_ID, LIMIT_S)
    assert ("done", "It is done.", ["sent ann"]) == (result.status, result.answer, effects(tmp_path))
    assert [] == events(result.log, "resumed")


@pytest.mark.parametrize("moment", ["called", "acted"])
def test_killed_in_a_call_that_may_have_run(database: str, killed: Killed, tmp_path: Path, moment: str) -> None:
    """Nobody knows whether it ran, so a person is asked; refused, it is not made again, and the effect is had once."""
    killed(database, "Send", moment)

    had = effects(tmp_path)
    with DurableRuns(booking_agent(tmp_path), database) as runs:
        stopped = runs.wait(RUN_ID, LIMIT_S)
        assert ["outcome_unknown"] == [call.reason for call in stopped.approvals]
        runs.approve(RUN_ID, [refused(stopped.approvals[0], "look into the outbox")])
        result = runs.wait(RUN_ID, LIMIT_S)
    assert ("done", had) == (result.status, effects(tmp_path))
    assert ([] if moment == "called" else ["sent ann"]) == had
    assert purestep.verify(result.log, result.state.head).ok


def test_a_call_that_may_have_run_is_made_again_when_a_person_says_so(
    file_database: str, killed: Killed, tmp_path: Path
) -> None:
    """It was killed before the effect, which a person can see; approved, the call runs."""
    killed(file_database, "Send", "called")

    with DurableRuns(booking_agent(tmp_path), file_database) as runs:
        stopped = runs.wait(RUN_ID, LIMIT_S)
        runs.approve(RUN_ID, [approved(stopped.approvals[0], by="ann")])
        assert "done" == runs.wait(RUN_ID, LIMIT_S).status
    assert ["sent ann"] == effects(tmp_path)


def test_killed_after_a_keyed_effect(database: str, killed: Killed, tmp_path: Path) -> None:
    """A tool that keeps to the key runs again without a question, under the same key, and its effect is had once."""
    killed(database, "Book", "acted")

    assert [7] == seats(tmp_path)
    with DurableRuns(booking_agent(tmp_path), database) as runs:
        result = runs.wait(RUN_ID, LIMIT_S)
    asked = effects(tmp_path)
    assert ("done", [7]) == (result.status, seats(tmp_path))
    assert (2, 1) == (len(asked), len(set(asked)))
    assert 1 == len(events(result.log, "resumed"))


def test_killed_while_a_person_is_asked(database: str, killed: Killed, tmp_path: Path) -> None:
    """The question waits over any number of processes; the answer is taken by the one that is there."""
    killed(database, "Pay", "waiting")

    for _ in range(2):
        with DurableRuns(booking_agent(tmp_path), database) as runs:
            assert "waiting" == runs.status(RUN_ID)
    with DurableRuns(booking_agent(tmp_path), database) as runs:
        (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
        runs.approve(RUN_ID, [approved(call, by="ann")])
        result = runs.wait(RUN_ID, LIMIT_S)
        assert ("done", result.log) == (runs.status(RUN_ID), runs.log(RUN_ID))
    assert ("done", ["paid 3"]) == (result.status, effects(tmp_path))
    assert purestep.verify(result.log, result.state.head).ok


def test_one_of_two_calls_has_come_back(file_database: str, tmp_path: Path) -> None:
    """A run is cut off in one of two calls: the result of the other one is kept, and only the first is asked about."""
    ran = []

    @tool
    def quick() -> str:
        """Come back at once."""
        ran.append("quick")
        return "quick"

    @tool
    async def slow() -> str:
        """Do not come back."""
        ran.append("slow")
        await asyncio.sleep(LIMIT_S)
        return "slow"

    named = [{"id": name, "function": {"name": name, "arguments": "{}"}} for name in ("quick", "slow")]
    both = msgspec.convert({"type": "model_output", "tool_calls": named}, purestep.ModelOutput)
    script = [both, says("It is done.")]
    agent = Agent(ScriptedModel(script), tools=[quick, slow], dialect="native")
    with DurableRuns(agent, file_database) as runs:
        runs.start("Both", run_id=RUN_ID)
        while len(ran) < 2 or not _results(file_database):
            assert runs.status(RUN_ID) == "running"
            time.sleep(0.05)
    agent = Agent(ScriptedModel(script, start=1), tools=[quick, slow], dialect="native")
    with DurableRuns(agent, file_database) as runs:
        stopped = runs.wait(RUN_ID, LIMIT_S)
    assert [("slow", "outcome_unknown")] == [(call.tool, call.reason) for call in stopped.approvals]
    assert ["quick"] == [line["output"] for line in events(stopped.log, "tool_result")]


def test_a_call_that_went_on_elsewhere_beside_a_lost_one_is_kept(file_database: str) -> None:
    """What its tool said stood in no line yet; the next process has it, and asks about the other call alone."""
    ran: list[str] = []

    @tool
    def report() -> str | Later:
        """Have a report made elsewhere."""
        ran.append("report")
        return Later("job-1")

    @tool
    async def slow() -> str:
        """Do not come back."""
        ran.append("slow")
        await asyncio.sleep(LIMIT_S)
        return "slow"

    both = f"[{calls('report')},{calls('slow')}]"
    script = [both, says("It is under way."), says("It has 42 pages.")]
    with DurableRuns(Agent(ScriptedModel(script), tools=[report, slow]), file_database) as runs:
        runs.start("Both", run_id=RUN_ID)
        while len(ran) < 2 or not _results(file_database):
            assert runs.status(RUN_ID) == "running"
            time.sleep(0.05)
    with DurableRuns(Agent(ScriptedModel(script, start=1), tools=[report, slow]), file_database) as runs:
        stopped = runs.wait(RUN_ID, LIMIT_S)
        assert ["slow"] == [each.tool for each in stopped.approvals]
        assert ["job-1"] == [each.handle for each in stopped.late]
        runs.approve(RUN_ID, [refused(stopped.approvals[0], "no")])
        runs.give_results(RUN_ID, [late_result(runs.wait(RUN_ID, LIMIT_S).late[0], "42 pages")])
        last = runs.wait(RUN_ID, LIMIT_S)
    assert ("It has 42 pages.", 1) == (last.answer, ran.count("report"))


def test_one_process_executes_under_a_name(file_database: str, tmp_path: Path) -> None:
    """A second one would make the same calls beside the first."""
    program = "import sys; from tests.durable.booking import *; DurableRuns(booking_agent(Path('.')), sys.argv[1])"
    with DurableRuns(booking_agent(tmp_path), file_database):
        with pytest.raises(DurableError, match="expected one DurableRuns in a process"):
            DurableRuns(booking_agent(tmp_path), file_database)
        done = subprocess.run(
            [sys.executable, "-c", program, file_database], capture_output=True, text=True, check=False
        )
    assert "another process executes runs as 'local'" in done.stderr


def test_an_exchange_after_another_one(file_database: str) -> None:
    """A run that has ended takes the next message; one that goes on does not."""
    agent = Agent(ScriptedModel([says("Hello Ann."), calls("add"), says("You are Ann.")]), tools=[_adding()])
    with DurableRuns(agent, file_database) as runs:
        run_id = runs.start("I am Ann.")
        assert "Hello Ann." == runs.wait(run_id, LIMIT_S).answer
        runs.start("Who am I?", run_id=run_id)
        with pytest.raises(DurableError) as refusal:
            runs.start("And I?", run_id=run_id)
        assert "run_active" == refusal.value.code
        (call,) = runs.wait(run_id, LIMIT_S).approvals
        with pytest.raises(purestep.PurestepError, match="as it waits now"):
            runs.approve(run_id, [purestep.Approval(call_id=call.call_id, key="0" * 32, approved=True)])
        runs.approve(run_id, [approved(call)])
        assert "You are Ann." == runs.wait(run_id, LIMIT_S).answer
        with pytest.raises(DurableError, match="no call of it waits"):
            runs.approve(run_id, [approved(call)])
        with pytest.raises(DurableError, match="There is no run"):
            runs.status("another")


def test_secrets_are_in_no_table(file_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the log hides, checkpoints and arguments of the workflow hide as well."""
    secret = "moss-and-granite-4711"
    monkeypatch.setenv("GARDEN_API_KEY", secret)

    @tool
    def peek() -> str:
        """Return what is not to be shown."""
        return f"it is {secret}"

    agent = Agent(ScriptedModel([calls("peek"), says(f"It is {secret}.")]), tools=[peek])
    with DurableRuns(agent, file_database) as runs:
        result = runs.wait(runs.start(f"Is it {secret}?"), LIMIT_S)
    assert "It is [hidden]." == result.answer
    files = Path(file_database).parent.glob("runs.sqlite*")
    assert [] == [path.name for path in files if secret.encode() in path.read_bytes()]


def test_another_agent_does_not_go_on_with_a_run(file_database: str, killed: Killed, tmp_path: Path) -> None:
    """Its definition is another one, so what it answers is refused, and the run waits for the agent that began it."""
    killed(file_database, "Pay", "waiting")

    with DurableRuns(Agent(ScriptedModel([])), file_database) as runs:
        (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
        with pytest.raises(purestep.PurestepError, match="begun with another definition"):
            runs.approve(RUN_ID, [approved(call)])
        assert ("waiting", 1) == (runs.status(RUN_ID), len(events(runs.log(RUN_ID), "approval_request")))
    with DurableRuns(booking_agent(tmp_path), file_database) as runs:
        runs.approve(RUN_ID, [approved(call)])
        assert "done" == runs.wait(RUN_ID, LIMIT_S).status
    assert ["paid 3"] == effects(tmp_path)


def test_another_agent_takes_runs_over(file_database: str, killed: Killed, tmp_path: Path) -> None:
    """Told to, it goes on with what another definition began and ordered; the log says so, once."""
    killed(file_database, "Pay", "waiting")

    other = booking_agent(tmp_path, instructions="You book.")
    with DurableRuns(other, file_database, takes_over=True) as runs:
        (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
        runs.approve(RUN_ID, [approved(call)])
        last = runs.wait(RUN_ID, LIMIT_S)
    assert ("done", ["paid 3"], 1) == (last.status, effects(tmp_path), len(events(last.log, "agent_changed")))
    assert purestep.verify(last.log, last.state.head).ok


def test_an_order_that_another_agent_found_is_not_lost(file_database: str, killed: Killed, tmp_path: Path) -> None:
    """A process with another agent breaks the run and says why; the agent that began it does what was ordered."""
    killed(file_database, "Send", "asked")

    with DurableRuns(Agent(ScriptedModel([])), file_database) as runs:
        with pytest.raises(DurableError, match="another"):
            runs.wait(RUN_ID, LIMIT_S)
        assert "broken" == runs.status(RUN_ID)
    with DurableRuns(booking_agent(tmp_path), file_database) as runs:
        runs.start(None, run_id=RUN_ID)
        assert "done" == runs.wait(RUN_ID, LIMIT_S).status
    assert ["sent ann"] == effects(tmp_path)


def test_a_cancelled_run_says_so_in_its_log(file_database: str) -> None:
    """One that waits and one that goes on are ended; a cancellation of one that has ended changes nothing."""

    @tool
    async def slow() -> str:
        """Do not come back."""
        await asyncio.sleep(LIMIT_S)
        return "slow"

    agent = Agent(ScriptedModel([calls("add"), calls("slow")]), tools=[_adding(), slow])
    with DurableRuns(agent, file_database) as runs:
        waiting = runs.start("Add")
        runs.wait(waiting, LIMIT_S)
        going_on = runs.start("Wait")
        while not events(runs.log(going_on), "tool_call"):
            time.sleep(0.05)
        for run_id in (waiting, going_on):
            runs.cancel(run_id)
            assert "cancelled" == runs.wait(run_id, LIMIT_S).failure.code
            log = runs.log(run_id)
            assert 1 == len(events(log, "cancelled"))
            runs.cancel(run_id)
            assert log == runs.log(run_id)


def test_a_run_is_cancelled_before_it_gets_far(file_database: str) -> None:
    """Its log says what was asked and that it was cancelled, however early that comes."""

    @tool
    async def slow() -> str:
        """Do not come back."""
        await asyncio.sleep(LIMIT_S)
        return "slow"

    agent = Agent(ScriptedModel([calls("slow")] * 20), tools=[slow])
    with DurableRuns(agent, file_database) as runs:
        for after_ms in range(20):
            run_id = runs.start("Wait")
            time.sleep(after_ms / 1000)
            runs.cancel(run_id)
            assert "cancelled" == runs.wait(run_id, LIMIT_S).failure.code
            assert ["Wait"] == [line["content"] for line in events(runs.log(run_id), "user_message")]


def test_a_run_is_cancelled_between_its_claim_and_its_first_line(
    file_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked stands in the log, though the exchange that was to write it never did."""
    claimed, superseded, claim = threading.Event(), threading.Event(), LogTable.claim

    def held(table: LogTable, run_id: str, exchange: int, execution: str, executor: str) -> None:
        claim(table, run_id, exchange, execution, executor)
        if exchange == 1:
            claimed.set()
            assert superseded.wait(LIMIT_S)
        else:
            superseded.set()

    monkeypatch.setattr(LogTable, "claim", held)
    with DurableRuns(Agent(ScriptedModel([says("Done.")])), file_database) as runs:
        run_id = runs.start("Wait")
        assert claimed.wait(LIMIT_S)
        monkeypatch.setattr(Executor, "cancel", lambda *_: False)  # as before the exchange is known to be here
        runs.cancel(run_id)
        assert "cancelled" == runs.wait(run_id, LIMIT_S).failure.code
        assert ["Wait"] == [line["content"] for line in events(runs.log(run_id), "user_message")]


def test_two_executions_of_one_exchange(file_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that finds its row written by another one reads on from there, and repeats no step of the other."""
    append, others = LogTable.append, []

    def outrun(table: LogTable, row: LogRow, *timers: Any) -> None:
        if row.position == 1 and not others:
            others.append(row)
            table.claim(row.run_id, row.exchange, "another", opened[0].name)
            append(table, msgspec.structs.replace(row, execution="another"))
        append(table, row, *timers)

    monkeypatch.setattr(LogTable, "append", outrun)
    agent = Agent(ScriptedModel([calls("look"), says("It is there.")]), tools=[_looking()])
    with DurableRuns(agent, file_database) as runs:
        result = runs.wait(runs.start("Look."), LIMIT_S)
    assert ("It is there.", 1) == (result.answer, len(events(result.log, "model_response")) - len(others))
    assert purestep.verify(result.log, result.state.head).ok


def test_addresses_that_are_none(tmp_path: Path) -> None:
    """What cannot be a database is said before anything is begun."""
    for address, code in [
        ("mysql://root@127.0.0.1/runs", "bad_address"),
        ("postgresql://purestep@127.0.0.1:9/runs", "database_unusable"),
        (str(tmp_path / "no" / "folder.sqlite"), "database_unusable"),
    ]:
        with pytest.raises(DurableError) as refusal:
            DurableRuns(booking_agent(tmp_path), address)
        assert code == refusal.value.code


def _results(database: str) -> list[Any]:
    """Return the results that are kept of calls beside others."""
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT result FROM purestep_result").fetchall()


def _looking() -> Any:
    @tool(read_only=True)
    def look() -> str:
        """Look."""
        return "there"

    return look


def _adding() -> Any:
    @tool(approval="ask")
    def add() -> str:
        """Add."""
        return "added"

    return add
