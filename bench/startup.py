"""What importing the core costs a fresh process, and a visit a page."""

import subprocess
import sys
import time
from statistics import median

from bench import visits
from bench.figures import Figure

ROUNDS = 15


def _ms(code: str) -> float:
    began = time.perf_counter_ns()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (time.perf_counter_ns() - began) / 1e6


def measure() -> list[Figure]:
    """Measure bare Python and Python with the core, in turn; then visits of a page, if there is a browser."""
    pairs = [(_ms("pass"), _ms("import purestep")) for _ in range(ROUNDS + 1)][1:]
    bare, core = median(bare for bare, _ in pairs), median(core for _, core in pairs)
    added = median(core - bare for bare, core in pairs)
    return [
        Figure("bare Python", bare, "ms"),
        Figure("Python with import purestep", core, "ms"),
        Figure("import purestep", added, "ms more", at_most=60),
        *visits.measure(),
    ]
