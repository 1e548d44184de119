"""The limits of CI on the core's cost: ratios within one run, and bytes, which a slow or busy machine hardly changes.

`./build.sh bench ratios` fails where a limit is passed. A limit is the figure of a quiet machine plus a margin for a
noisy one; lower it when the core gets cheaper.
"""

import ast
import inspect
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from compileall import compile_dir
from pathlib import Path
from statistics import quantiles

import purestep
from bench.bundle import file_bytes
from bench.figures import Figure, least_cpu_us
from bench.runs import LongRun
from bench.steps import floor
from tools.pages.bundle_size import budgets

MOST_BARE_LOOPS = 32
"""The aim is 20 and a step costs 23 on a quiet machine. The rest is for others: a step runs code of many modules, so
it suffers more than the loop, and than `PACE`'s code, where caches are small or shared: by a quarter and more."""
PACE = 175
"""Bare loops, which are C, that Python code of the standard library costs on a quiet machine, less a margin. Neighbours
slow Python code and not the loop: a step has cost 48 loops, and that code 345. The limit grows as that code does."""
MOST_GROWTH = 1.2
"""A step's cost does not depend on the transcript; what is left is the length of a few numbers."""
MOST_STARTS = 11.0
"""Starts of bare Python that a start with the core may cost: 8.3 on a machine with other load, and a third more."""
TRIES = 3
"""Most measurements until all limits hold: other load disturbs one of them, a slow core fails all."""
ROUNDS = 15


def measure() -> list[Figure]:
    """Measure every ratio that has a limit."""
    return [*_settled(_steps), *_settled(_start), *_first_visit()]


def _settled(take: Callable[[], list[Figure]]) -> list[Figure]:
    """Measure until no limit is passed, a few times at most."""
    for _ in range(TRIES):
        figures = take()
        if not any(figure.missed for figure in figures):
            break
    return figures


def _steps() -> list[Figure]:
    long, short = LongRun(10_000), LongRun(10)  # the long one first, so that the states of both are still known
    first, last = short.input(), long.input()
    step, tree = purestep.run_agent_step, ast.parse(inspect.getsource(textwrap.dedent))
    calls = [lambda: step(first), lambda: step(last), floor(short), lambda: ast.unparse(tree)]
    at_10, at_10_000, bare, python = least_cpu_us(calls, 200)
    most = MOST_BARE_LOOPS * max(1.0, python / bare / PACE)
    return [
        Figure("delta step to bare loop", at_10 / bare, "times", at_most=round(most, 1)),
        Figure("step at 10,000 messages to one at 10", at_10_000 / at_10, "times", at_most=MOST_GROWTH),
    ]


def _start() -> list[Figure]:
    compile_dir(str(Path(purestep.__file__).parent), quiet=1)  # an installed core is compiled already
    pairs = [(_cpu_seconds("pass"), _cpu_seconds("import purestep")) for _ in range(ROUNDS + 1)][1:]
    bare, core = (quantiles(side)[0] for side in zip(*pairs, strict=True))
    return [Figure("start with import purestep to bare Python", core / bare, "times", at_most=MOST_STARTS)]


def _cpu_seconds(code: str) -> float:
    """Return the processor time of a fresh interpreter that runs this."""
    process = subprocess.Popen([sys.executable, "-c", code])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"Python ended with {process.returncode} for: {code}")
    return used.ru_utime + used.ru_stime


def _first_visit() -> list[Figure]:
    known = budgets()
    return [
        Figure(f"{name}, brotli", size, "bytes", at_most=known[name]["most"]) for name, size in file_bytes().items()
    ]
