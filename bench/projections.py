"""The speed of projecting a long log into each form, beside a loop that decodes each event and hashes its line."""

from collections.abc import Callable
from typing import get_args

from bench.bare_loop import bare_loop, least_share
from bench.figures import Figure, cpu_us
from bench.runs import LongRun
from purestep_formats import ProjectionForm, project

EVENTS = 100_000
LEAST_OF_BARE = 0.12
"""Of the bare loop's rate: 200,000 lines a second where that is 1.67 million."""


def measure() -> list[Figure]:
    """Project a log of 100,000 lines five times into each form; the times are of this process alone."""
    log = "".join(LongRun(EVENTS // 2 + 10).log)
    lines = log.encode().split(b"\n")[:-1]
    assert len(lines) >= EVENTS, f"the log holds {len(lines)} lines"
    forms = get_args(ProjectionForm)
    loop, *taken = cpu_us([bare_loop(lines), *[_projected(log, form) for form in forms]], 1, 5)
    least = least_share(LEAST_OF_BARE, loop / len(lines))
    figures = [
        Figure("lines in the log", len(lines), ""),
        Figure("bytes in a line, mean", len(log) / len(lines), ""),
        Figure("bare loop: decode each event, hash its line", len(lines) / loop * 1e6, "lines/s"),
    ]
    for form, us in zip(forms, taken, strict=True):
        figures.append(Figure(f"projected: {form}", len(lines) / us * 1e6, "lines/s"))
        figures.append(Figure(f"projected to bare loop: {form}", loop / us, "times", at_least=least))
    return figures


def _projected(log: str, form: ProjectionForm) -> Callable[[], object]:
    return lambda: project(log, form)
