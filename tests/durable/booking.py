"""An agent whose tools have effects in a folder, and the process that begins a run of it and is killed in the middle.

The process is this module as a program: `python -m tests.durable.booking DATABASE FOLDER QUERY MOMENT`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from purestep_hosts import Agent, Invocation, ScriptedModel, calls, says, tool
from purestep_hosts.durable import DurableRuns
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.tools.idempotent_log import IdempotentLog

RUN_ID = "run-1"
LIMIT_S = 300
MOMENTS = ("asked", "called", "acted", "told", "waiting")
"""Where a process may be killed: while the model is asked, in a call before its effect and after it, while the model is
asked with the result, and while a person is asked."""


def effects(folder: Path) -> list[str]:
    """Return the effects that were had, in order."""
    place = folder / "effects"
    return place.read_text().splitlines() if place.exists() else []


def seats(folder: Path) -> list[Any]:
    """Return the effects that were had under a key."""
    return IdempotentLog(folder / "seats").values()


def booking_agent(folder: Path, moment: str = "never", instructions: str = "") -> Agent[str]:
    """Return the agent; moment: where the process is killed. instructions: those of another definition."""

    def reach(here: str) -> None:
        if moment == here:
            os.kill(os.getpid(), signal.SIGKILL)

    def act(word: str) -> None:
        with (folder / "effects").open("a") as file:
            file.write(f"{word}\n")

    @tool
    def send(to: str) -> str:
        """Send a letter: an effect that may not be had twice."""
        reach("called")
        act(f"sent {to}")
        reach("acted")
        return f"sent to {to}"

    @tool(idempotent=True)
    def book(seat: int, invocation: Invocation[None]) -> str:
        """Book a seat, once for each key."""
        act(f"asked under {invocation.key}")
        IdempotentLog(folder / "seats").append(invocation.key, seat)
        reach("acted")
        return f"booked {seat}"

    @tool(approval="ask")
    def pay(amount: int) -> str:
        """Pay, when a person agrees."""
        act(f"paid {amount}")
        return f"paid {amount}"

    def answer(request: ModelRequest) -> str:
        query = str(request.messages[-1]["content"])
        if query not in asked:
            reach("told")
            return says("I did not send it again." if "may have run" in query else "It is done.")
        reach("asked")
        return asked[query]

    asked = {"Send": calls("send", to="ann"), "Book": calls("book", seat=7), "Pay": calls("pay", amount=3)}
    return Agent(ScriptedModel(answer), tools=[send, book, pay], instructions=instructions)


def begun_and_killed(database: str, folder: Path, query: str, moment: str) -> str:
    """Begin a run in a process of its own and wait until that has killed itself; returns the run's id."""
    command = [sys.executable, "-m", "tests.durable.booking", database, str(folder), query, moment]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return RUN_ID


def main(database: str, folder: str, query: str, moment: str) -> None:
    """Begin a run, and never end well."""
    with DurableRuns(booking_agent(Path(folder), moment), database) as runs:
        runs.start(query, run_id=RUN_ID)
        print(runs.wait(RUN_ID, LIMIT_S).status)
        if moment == "waiting":
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(*sys.argv[1:])
