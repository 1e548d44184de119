"""Durable runs: what a step costs beside one of DBOS, what runs that wait cost, and two workers beside one.

Each figure is of a process of its own, which has one DBOS, and of a new database; `--sizes` prints
what they mean for a service: workers, space and cost by runs a day.
"""

import json
import math
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import Figure
from tests.programs import program_path
from tools.postgresql_server import postgresql_server

_ROUNDS = 3


def measure() -> list[Figure]:
    """Measure everything; without PostgreSQL on this machine, what needs none."""
    return figures_of(measured())


def measured() -> dict[str, float]:
    """Return the plain numbers."""
    found = {f"sqlite_{name}": value for name, value in _steps("").items()}
    postgres = program_path("postgresql")
    if postgres is None:
        print("bench: PostgreSQL is not installed; its figures are left out", file=sys.stderr)
        return found
    with postgresql_server(postgres) as server:
        found |= {f"postgresql_{name}": value for name, value in _steps(server.database()).items()}
        found |= _part("waiting", server.database(), str(server.process.pid))
        found |= _part("workers", server.database(), server.database())
    return found


def figures_of(found: dict[str, float]) -> list[Figure]:
    """Return the numbers with their targets."""
    figures = []
    for store, name in (("sqlite", "SQLite"), ("postgresql", "PostgreSQL")):
        if f"{store}_ratio" in found:
            figures += [
                Figure(f"{name}: a step, of a bare one of DBOS", found[f"{store}_ratio"], "times", at_most=1.5),
                Figure(f"{name}: its CPU time, of a bare one's", found[f"{store}_cpu_ratio"], "times"),
                Figure(f"{name}: a step", found[f"{store}_step_ms"], "ms"),
                Figure(f"{name}: CPU time of a step in the worker", found[f"{store}_cpu_ms"], "ms"),
                Figure(f"{name}: a run in the database", found[f"{store}_run_kb"], "kB"),
            ]
    if "waiting_mib" in found:
        figures += [
            Figure("1,000 runs that wait: memory more", found["waiting_mib"], "MiB", at_most=64),
            Figure("1,000 runs that wait: a core, with the server's part", found["waiting_core"], "%", at_most=5),
            Figure("An exchange, CPU time with the server's part", found["exchange_cpu_ms"], "ms"),
            Figure("Two workers beside one, a model that takes 6 s", found["two_workers"], "times", at_least=1.6),
        ]
    return figures


def _steps(database: str) -> dict[str, float]:
    """Measure steps a few times in turn and give the medians."""
    rounds = [_part("steps", database) for _ in range(_ROUNDS)]
    return {name: median([each[name] for each in rounds]) for name in rounds[0]}


def _part(name: str, *given: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.durable_parts", name, *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent)
    assert done.returncode == 0, done.stderr
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def sizes(found: dict[str, Any], core_hour: float = 0.04, gb_month: float = 0.12, steps: int = 5) -> str:
    """Return a table in Markdown: processes, space and cost by runs in a day.

    core_hour, gb_month: prices in dollars. steps: of a run, of which an exchange that was measured has two. The busiest
    hour has a tenth of the day's runs, a run lasts ten seconds, and a worker is planned to half of a core.
    """
    cpu_s = (found["exchange_cpu_ms"] + (steps - 2) * found["postgresql_cpu_ms"]) / 1000
    lines = [
        "| runs a day | a second at most | at once | workers | cores in all | GB a month | dollars a month |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for runs in (1_000, 10_000, 100_000, 1_000_000):
        rate = runs / 10 / 3600
        cores, at_once = rate * cpu_s, rate * 10
        workers = max(1, math.ceil(cores / 0.5), math.ceil(at_once / 64))
        space = runs * 30 * found["postgresql_run_kb"] / 1e6
        dollars = max(1, math.ceil(cores)) * 730 * core_hour + space * gb_month
        cells = [f"{runs:,}", f"{rate:,.2f}", f"{math.ceil(at_once):,}", str(workers)]
        cells += [f"{cores:,.2f}", f"{space:,.1f}", f"{dollars:,.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
