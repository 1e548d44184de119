"""The speed of projecting a long log into each form."""

import time
from statistics import median
from typing import get_args

from bench.figures import Figure
from bench.runs import LongRun
from purestep import ProjectionForm, project

EVENTS = 100_000


def measure() -> list[Figure]:
    """Project a log of 100,000 lines five times into each form; the times are of this process alone."""
    log = "".join(LongRun(EVENTS // 2 + 10).log)
    lines = log.count("\n")
    assert lines >= EVENTS, f"the log holds {lines} lines"
    figures = [Figure("lines in the log", lines, ""), Figure("bytes in a line, mean", len(log) / lines, "")]
    for form in get_args(ProjectionForm):
        times = []
        for _ in range(5):
            began = time.process_time_ns()
            project(log, form)
            times.append((time.process_time_ns() - began) / 1e9)
        figures.append(Figure(f"projected: {form}", lines / median(times), "lines/s", at_least=200_000))
    return figures
