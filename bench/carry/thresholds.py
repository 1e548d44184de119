"""What the threshold of no tool costs: at each, how often the right tool is offered, and how often rightly none."""

import json
from functools import cache
from typing import NamedTuple

from rich.table import Table

import purestep
from bench.carry.sets import Task, tools_of
from purestep.carry import THRESHOLD, Router

TRIED = tuple(range(200, 3001, 200))
"""From where nearly any word of a tool asks for it to where hardly any request does; the one in use is among them."""


class Tried(NamedTuple):
    """What came out at a threshold, of how many requests that need a tool and that need none."""

    threshold: int
    offered: int
    needing: int
    left: int
    needless: int


def tried(tasks: list[Task], threshold: int) -> Tried:
    """Read each request at a threshold; no model is asked and no tool is run."""
    needing = [task for task in tasks if task.calls]
    needless = [task for task in tasks if not task.calls]
    return Tried(
        threshold,
        sum(task.calls[0][0] in (offered(task, threshold) or ()) for task in needing),
        len(needing),
        sum(offered(task, threshold) == () for task in needless),
        len(needless),
    )


def offered(task: Task, threshold: int) -> tuple[str, ...] | None:
    """Name the tools that a request is offered first, or the one that is called; None where the run fails at once."""
    log = purestep.start(_agent(task.box, threshold), purestep.UserMessage(content=task.query), "threshold").log
    decided = next(event for event in map(json.loads, log.splitlines()) if event["kind"] == "decided")
    return None if decided["reason"] == "no_way" else tuple(decided.get("tools", ()))


@cache
def _agent(box: str, threshold: int) -> purestep.Agent:
    tools = [tool.spec for tool in tools_of(box).values()]
    # A name of its own, so that no other run finds this agent among those that were compiled.
    model = {"name": f"threshold {threshold}", "carry": "route"}
    agent = purestep.Agent.load({"tools": tools, "models": [model]})
    agent.router = Router(agent.specs(), threshold)
    return agent


def table(title: str, rows: list[Tried]) -> Table:
    """Give the table of the terminal; the threshold in use is marked."""
    made = Table(title=title, title_justify="left")
    for heading in ("threshold", "tools rightly offered", "no tool rightly", "together"):
        made.add_column(heading, justify="right")
    for row in rows:
        made.add_row(
            f"{'in use: ' if row.threshold == THRESHOLD else ''}{row.threshold}",
            f"{row.offered} of {row.needing}",
            f"{row.left} of {row.needless}",
            f"{row.offered + row.left} of {row.needing + row.needless}",
        )
    return made
