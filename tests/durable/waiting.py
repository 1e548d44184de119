"""An agent whose tool waits for a time, and a process that goes on with its runs until it is killed.

The process is this module as a program: `python -m tests.durable.waiting DATABASE NAME RUN_ID [QUERY]`.
"""

from __future__ import annotations

import sys
import threading
import time
from datetime import UTC, datetime
from typing import Any

from purestep_hosts import Agent, Later, ScriptedModel, calls, says, tool
from purestep_hosts.durable import DurableRuns
from purestep_hosts.models.model import ModelRequest
from tests.durable.booking import LIMIT_S

FAR_MS = 4_000_000_000_000
"""In the year 2096."""


@tool
def wait(until_ms: int) -> str | Later:
    """Wait until a time."""
    return Later.until(datetime.fromtimestamp(until_ms / 1000, UTC))


def answer(request: ModelRequest) -> str:
    """Wait for each of the times that are asked for; then say what has come."""
    last = str(request.messages[-1]["content"])
    if "has come" in last:
        return says(f"{last.count('has come')} came.")
    if "goes on" in last:
        return says("I wait.")
    if last == "Hello":
        return says("Hello.")
    return f"[{','.join([calls('wait', until_ms=int(at)) for at in last.split()])}]"


def waiting_agent(**members: Any) -> Agent[str]:
    """Return the agent, which waits for the times in the user's words, in milliseconds since 1970."""
    return Agent(ScriptedModel(answer), tools=[wait], **members)


def waiting_below() -> Agent[str]:
    """Return an agent that has one below it wait."""

    def lead(request: ModelRequest) -> str:
        last = str(request.messages[-1]["content"])
        return says("It came.") if "came." in last else calls("clerk", question=last)

    clerk = waiting_agent(name="clerk")
    return Agent(ScriptedModel(lead), name="lead", tools=[clerk])


class Blocked:
    """The agent with a tool that is at work on a message until it is let go on."""

    def __init__(self) -> None:
        self.asked, self.released = threading.Event(), threading.Event()

    def agent(self, **members: Any) -> Agent[str]:
        """Return the agent, which is held up by the word Hello."""

        @tool(read_only=True)
        def hold() -> str:
            """Come back when that is wanted."""
            self.asked.set()
            assert self.released.wait(LIMIT_S)
            return "held"

        def said(request: ModelRequest) -> str:
            last = request.messages[-1]["content"]
            return calls("hold") if last == "Hello" else says("Hello.") if "held" in str(last) else answer(request)

        return Agent(ScriptedModel(said), tools=[wait, hold], **members)


def came(log: str) -> int:
    """Return how many times are said to have come, in a log."""
    return sum('"kind":"tool_result"' in line and "has come" in line for line in log.splitlines())


def main(database: str, name: str, run_id: str, query: str = "") -> None:
    """Begin a run, or go on with what is there, until this process is killed."""
    with DurableRuns(waiting_agent(), database, executor=name) as runs:
        if query:
            runs.start(query, run_id=run_id)
        print(runs.wait(run_id, LIMIT_S).status, flush=True)
        time.sleep(LIMIT_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
