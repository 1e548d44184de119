"""Processes that die or are paused: the others take their runs over by themselves, and nothing is done twice."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from purestep import verify
from purestep_hosts import Agent, Invocation, ScriptedModel, calls, says, tool
from tests.durable.test_two_processes import database, program
from tests.durable.test_workers import SCRIPT, Workers, workers
from tests.serve.conftest import in_background, started, wait_until

__all__ = ["database", "workers"]

WORK = """
import sys
from pathlib import Path
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.served_agent import served
from purestep_hosts.durable.launching import QueueLimits
from purestep_hosts.durable.orders import new_order
from purestep_hosts.durable.process import DurableProcess
from tests.durable.test_leases import paying_agent

folder, name, back_ns = Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
if back_ns:
    import time
    now_ns, now = time.time_ns, time.time
    time.time_ns, time.time = (lambda: now_ns() - back_ns), (lambda: now() - back_ns / 1e9)
ready = run_blocking(lambda: served(paying_agent(folder, name), None))
process = DurableProcess(
    ready, sys.argv[1], executor=name, folder=folder, limits=QueueLimits(per_process=4), lease_s=1.5
)
print("ready", flush=True)
for line in sys.stdin:
    word, _, run_id = line.strip().partition(" ")
    if word == "begin":
        process.orders.begin(run_id, new_order(run_id, "Pay."))
        print("begun", flush=True)
    else:
        print(process.stand(run_id).status, process.orders.logs.text(run_id).encode().hex(), flush=True)
"""
"""A worker that orders and tells what it is told to."""

DAY_NS = 86_400 * 10**9


def paying_agent(folder: Path, name: str) -> Agent[str]:
    """Return an agent whose tool notes who pays under which key, and waits in the process that is first."""

    @tool(idempotent=True)
    def pay(invocation: Invocation[None]) -> str:
        """Pay once for each key."""
        with (folder / "attempts").open("a") as file:
            file.write(f"{name} {invocation.key}\n")
        if name == "first":
            (folder / "paying").touch()
            wait_until((folder / "go").exists)
        (folder / f"paid-{invocation.key}").touch()
        return f"paid by {name}"

    turns = [calls("pay"), says("It is paid.")]
    return Agent(
        ScriptedModel(lambda request: turns[sum(each["role"] == "assistant" for each in request.messages)]), tools=[pay]
    )


def ask(process: subprocess.Popen[str], line: str) -> str:
    """Tell a worker something, and return what it says."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def log_of(process: subprocess.Popen[str], run_id: str) -> str:
    """Return the log of a run, once it has ended well."""
    wait_until(lambda: ask(process, f"look {run_id}").startswith("done "))
    return bytes.fromhex(ask(process, f"look {run_id}").partition(" ")[2]).decode()


def attempts(folder: Path) -> list[str]:
    """Return who paid, in their order; all under one key."""
    lines = [line.split() for line in (folder / "attempts").read_text().splitlines()]
    assert 1 == len({key for _, key in lines})
    return [name for name, _ in lines]


def paying(database: str, folder: Path, first: subprocess.Popen[str]) -> None:
    """Have the first worker begin a run and be in its call."""
    assert first.stdout is not None
    first.stdout.readline()
    assert "begun" == ask(first, "begin run-1")
    wait_until((folder / "paying").exists)


@pytest.mark.parametrize("back_ns", [0, DAY_NS, -DAY_NS], ids=["same", "behind", "ahead"])
def test_a_worker_that_was_killed_is_replaced_by_itself(database: str, tmp_path: Path, back_ns: int) -> None:
    """The other one goes on, whatever its own clock says: leases are by the database's."""
    with program(WORK, database, str(tmp_path), "first", "0") as first:
        paying(database, tmp_path, first)
        with program(WORK, database, str(tmp_path), "second", str(back_ns)) as second:
            assert second.stdout is not None
            second.stdout.readline()
            first.kill()
            log = log_of(second, "run-1")
    assert ["first", "second"] == attempts(tmp_path)
    assert verify(log).ok
    assert [1, 1] == [log.count('"kind":"resumed"'), log.count('"kind":"tool_result"')]


def test_a_paused_worker_finds_that_it_lost_its_runs(database: str, tmp_path: Path) -> None:
    """It wakes in its call, whose result is nobody's any more: its log has one result, that of the other."""
    with program(WORK, database, str(tmp_path), "first", "0") as first:
        paying(database, tmp_path, first)
        with program(WORK, database, str(tmp_path), "second", "0") as second:
            assert second.stdout is not None
            second.stdout.readline()
            first.send_signal(signal.SIGSTOP)
            before = log_of(second, "run-1")
            (tmp_path / "go").touch()
            first.send_signal(signal.SIGCONT)
            assert "begun" == ask(first, "begin run-2")  # it goes on with others
            log_of(second, "run-2")
            after = log_of(first, "run-1")
    assert before == after
    assert verify(after).ok
    results = [line for line in after.splitlines() if '"kind":"tool_result"' in line]
    assert [True] == ["paid by second" in line for line in results]


def test_a_worker_that_lives_keeps_its_runs(database: str, tmp_path: Path) -> None:
    """A call that takes three leases is nobody else's, while its worker beats."""
    with program(WORK, database, str(tmp_path), "first", "0") as first:
        paying(database, tmp_path, first)
        with program(WORK, database, str(tmp_path), "second", "0") as second:
            assert second.stdout is not None
            second.stdout.readline()
            subprocess.run([sys.executable, "-c", "import time; time.sleep(4.5)"], check=True)
            (tmp_path / "go").touch()
            log_of(second, "run-1")
    assert ["first"] == attempts(tmp_path)


@pytest.mark.needs("postgresql")
def test_a_service_and_its_workers_need_no_command(workers: Workers, tmp_path: Path) -> None:
    """One of two workers is killed, and the client that waits gets its answer from the other one."""
    kept = ("--durable", "--queue-only", "--name", "front")
    with started(
        tmp_path, "--functions", "tools.py", script=SCRIPT, kept=kept, PURESTEP_DATABASE=workers.database
    ) as service:
        workers.start("w1", "--lease", "1.5")
        workers.start("w2", "--lease", "1.5")
        asking, came = in_background(lambda: service.post("/runs", {"query": "Wait for it."}))
        wait_until((tmp_path / "waiting").exists)
        dead = workers.executor()
        workers.by_name[dead].send_signal(signal.SIGKILL)
        (tmp_path / "go").touch()
        asking.join()
        assert ["done"] == [reply.json["status"] for reply in came]
        log = service.get(f"/runs/{came[0].json['run']}/log").text
        assert 1 == log.count('"kind":"resumed"')


@pytest.mark.needs("postgresql")
def test_kills_all_the_time() -> None:
    """`./build.sh crash workers` kills more of them: nothing is lost and no keyed effect is had twice."""
    command = [sys.executable, "-m", "tools.crashing", "workers", "12", "--workers", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert 0 == done.returncode, done.stdout
    found = re.search(r"(\d+) kills, (\d+) ended, 0 lost, 0 doubled", done.stdout)
    assert found is not None, done.stdout
    assert [True, True] == [int(found[1]) >= 12, int(found[2]) > 0]
