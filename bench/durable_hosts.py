"""What a step costs in the hosts that keep runs: DBOS on SQLite and a Temporal development server, in turns.

It is a program: `python -m bench.durable_hosts [ROUNDS]`. A run makes calls one after another; a step is one answer of
the model or one call, neither of which takes time itself.
"""

from __future__ import annotations

import statistics
import sys
import sysconfig
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.durable import DurableRuns
from purestep_hosts.stored_runs import StoredRuns
from purestep_hosts.temporal import TemporalRuns, TemporalWorker

_CALLS = 15
_STEPS = 2 * _CALLS + 1


def main(rounds: int = 7) -> None:
    """Print the median and the range of the milliseconds per step."""
    from temporalio.testing import WorkflowEnvironment

    program = str(Path(sysconfig.get_path("scripts"), "temporal"))
    server = run_blocking(
        lambda: WorkflowEnvironment.start_local(
            dev_server_existing_path=program, dev_server_startup_timeout=timedelta(minutes=2)
        )
    )
    agent = counting_agent()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            DurableRuns(agent, Path(folder, "runs.sqlite")) as database,
            TemporalRuns(agent, server.client) as workflows,
            TemporalWorker(agent, server.client),
        ):
            hosts: dict[str, StoredRuns[str]] = {"DBOS, SQLite": database, "Temporal, dev server": workflows}
            took: dict[str, list[float]] = {name: [] for name in hosts}
            for _ in range(rounds):
                for name, runs in hosts.items():
                    took[name].append(ms_per_step(runs))
    finally:
        run_blocking(server.shutdown)
    for name, each in took.items():
        print(f"{name:<22} {statistics.median(each):6.1f} ms a step ({min(each):.1f} to {max(each):.1f})")


def counting_agent() -> Agent[str]:
    """Return an agent that makes the calls of a run and ends it, whichever run asks."""

    @tool(read_only=True)
    def count(number: int) -> int:
        """Return a number back."""
        return number

    def answer(request: object) -> str:
        made = sum(message["role"] == "assistant" for message in request.messages)  # type: ignore[attr-defined]
        return calls("count", number=made) if made < _CALLS else says("Counted.")

    return Agent(ScriptedModel(answer), tools=[count], limits={"max_turns": _CALLS + 1})


def ms_per_step(runs: StoredRuns[str]) -> float:
    """Carry out a run; returns its time over its steps."""
    began = time.perf_counter()
    status = runs.wait(runs.start("Count")).status
    took = time.perf_counter() - began
    assert status == "done", status
    return took * 1000 / _STEPS


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
