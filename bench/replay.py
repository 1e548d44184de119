"""The speed of verifying logs, every decision derived again and every byte compared: one log, a folder, Pyodide."""

import resource
import subprocess
import tempfile
import time
from pathlib import Path

from bench.bare_loop import bare_loop, least_share
from bench.figures import Figure, least_cpu_us
from bench.runs import LongRun
from purestep import verify
from purestep_hosts.cli.verifying import all_checked

EVENTS = 100_000
FOLDER_LOGS = 16
FOLDER_EVENTS = 5_000
LEAST_OF_BARE = 0.06
"""Of the rate of the bare loop, on a quiet machine."""
TRIES = 3
"""Most measurements until all limits hold: other load disturbs one of them, a slow core fails all."""


def measure() -> list[Figure]:
    """Verify a log of 100,000 events, a folder of shorter ones, and one of these in Node."""
    parts = LongRun(EVENTS // 2 + 10).log
    long, short = "".join(parts).encode(), _of_events(parts, FOLDER_EVENTS)
    assert long.count(b"\n") >= EVENTS
    for _ in range(TRIES):
        figures = [*_native(long), *_folder(short)]
        if not any(figure.missed for figure in figures):
            break
    return [*figures, *_pyodide(short)]


def _of_events(parts: list[str], events: int) -> bytes:
    """Return the steps of a log until it has so many events."""
    taken, lines = [], 0
    for part in parts:
        if lines >= events:
            break
        taken.append(part)
        lines += part.count("\n")
    return "".join(taken).encode()


def _native(log: bytes) -> list[Figure]:
    lines = log.split(b"\n")[:-1]

    def verified() -> None:
        assert verify(log).ok

    verifying, loop = least_cpu_us([verified, bare_loop(lines)], 1, 3)
    least = least_share(LEAST_OF_BARE, loop / len(lines))
    return [
        Figure("events in the log", len(lines), ""),
        Figure("verified: decisions derived again, chain checked", len(lines) / verifying * 1e6, "events/s"),
        Figure("bare loop: decode each event, hash its line", len(lines) / loop * 1e6, "events/s"),
        Figure("verified to bare loop", loop / verifying, "times", at_least=least),
    ]


def _folder(log: bytes) -> list[Figure]:
    """Share a folder of logs between two processes; judged by processor time, which other load hardly changes."""
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name, f"{number}.jsonl") for number in range(FOLDER_LOGS)]
        for path in paths:
            path.write_bytes(log)
        alone, _, wall_alone = _spent(paths, 1)
        parent, children, wall = _spent(paths, 2)
    return [
        Figure("a folder of logs: two processes to one", alone / (parent + children / 2), "times", at_least=1.7),
        Figure("the same by the clock, with what else ran here", wall_alone / wall, "times"),
    ]


def _spent(paths: list[Path], jobs: int) -> tuple[float, float, float]:
    """Return the processor seconds of this process and of its children, and those by the clock."""
    own, others, clock = time.process_time(), _of_children(), time.monotonic()
    assert all(checked.ok for checked in all_checked(paths, jobs))
    return time.process_time() - own, _of_children() - others, time.monotonic() - clock


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _pyodide(log: bytes) -> list[Figure]:
    (native,) = least_cpu_us([lambda: verify(log)], 1, 5)
    script = Path(__file__).with_name("verify_in_node.mjs")
    done = subprocess.run(["node", script], input=log, check=True, capture_output=True)
    there, events = float(done.stdout), log.count(b"\n")
    return [
        Figure("verified in Pyodide, in Node", events / there * 1e6, "events/s"),
        Figure("Pyodide to native", native / there, "times", at_least=LEAST_OF_NATIVE),
    ]


LEAST_OF_NATIVE = 0.25
"""30,000 events a second where CPython verifies 120,000."""
