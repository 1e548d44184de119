"""A rate limits how many exchanges begin in a period, in all processes of a model."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from purestep_hosts import Agent, ScriptedModel, says
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.served_agent import served
from purestep_hosts.durable.launching import QueueLimits
from purestep_hosts.durable.orders import new_order
from purestep_hosts.durable.process import DurableProcess
from tests.serve.conftest import wait_until

PERIOD_S = 2.0
RUNS = 6


def starts(database: str, folder: Path, limits: QueueLimits) -> list[int]:
    """Carry runs out that are ordered together; gives when the database let each begin, in milliseconds."""
    asked: list[str] = []

    def answer(_: object) -> str:
        asked.append("asked")
        return says("Hello.")

    ready = run_blocking(lambda: served(Agent(ScriptedModel(answer))))
    with closing(DurableProcess(ready, database, executor="local", folder=folder, limits=limits)) as process:
        orders = [new_order(None, "Hello?") for _ in range(RUNS)]
        for order in orders:
            process.orders.begin(order.run_id, order)
        wait_until(lambda: all("done" == process.stand(order.run_id).status for order in orders))
    assert RUNS == len(asked)
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT started_at_epoch_ms FROM workflow_status ORDER BY 1")
        return [moment for (moment,) in found]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_no_period_has_more_starts_than_allowed(file_database: str, tmp_path: Path, limit: int) -> None:
    """Between a start and the one so many later lies a whole period."""
    found = starts(file_database, tmp_path, QueueLimits(starts=limit, period_s=PERIOD_S))
    for first in range(limit):
        between = [later - earlier for earlier, later in pairwise(found[first::limit])]
        assert [True] * len(between) == [each >= PERIOD_S * 1000 for each in between]
