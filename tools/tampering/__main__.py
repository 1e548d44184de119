"""The command: makes every change of recorded logs, and prints how many of them each verifier finds and where."""

import argparse
import functools
import os
import random
import shutil
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from typing import NamedTuple

from ..vectors.files import stored_vectors
from .changes import KINDS, changes_of
from .verdicts import CHAIN, CORE, Counts, Verifier, chain_verifier, count_changes, found_by_core

PART = 500
"""Changes of one log that one process tries at once: the longest logs have thousands."""
MOST_LINE_CHANGES = 4
"""Changes of each line, besides those of its bytes."""
TOLD_EVERY = 50
_OPEN = ExitStack()


class Task(NamedTuple):
    """A log with its name and head, and which part of its changes is tried."""

    name: str
    log: bytes
    head: str
    seed: int
    sample: int
    """How many of the log's changes are tried at all; 0 for every one."""
    part: slice


def main(arguments: list[str] | None = None) -> int:
    """Try the changes; the exit code is 1 when one was not found, or at the wrong line."""
    given = _arguments(arguments)
    logs = sorted(recorded_logs()[: given.logs], key=lambda log: len(log[1]))
    tasks = [
        Task(*log, given.seed, given.sample, slice(begin, begin + PART))
        for log in logs
        for begin in range(0, given.sample or len(log[1]) + MOST_LINE_CHANGES * log[1].count(b"\n"), PART)
    ]
    print(f"{len(logs)} logs, seed {given.seed}", flush=True)
    if shutil.which("node") is None:
        print("node not found: the verifier in JavaScript is left out")
    counts = {CORE: Counts(), CHAIN: Counts()}
    with ProcessPoolExecutor(given.jobs) as pool:
        for number, made in enumerate(pool.map(counted, tasks), 1):
            for verifier, found in made.items():
                counts[verifier].join(found)
            if number % TOLD_EVERY == 0 and number < len(tasks):
                tried = counts[CORE].tried.total()
                broken = sum(len(each.broken) for each in counts.values())
                print(f"{tried:,} changes so far, up to {tasks[number - 1].name}; {broken} broken", flush=True)
    _report(counts)
    return 1 if any(each.broken for each in counts.values()) else 0


def counted(task: Task) -> dict[str, Counts]:
    """Return what each verifier finds of the changes of one log."""
    chosen = f"{task.seed} {task.name}"
    changes = list(changes_of(task.log, chosen))
    if task.sample:
        changes = random.Random(chosen).sample(changes, min(task.sample, len(changes)))
    changes = changes[task.part]
    counts = {CORE: Counts(), CHAIN: Counts()}
    count_changes(task.name, task.log, task.head, changes, counts, _verifiers())
    return counts


@functools.cache
def _verifiers() -> dict[str, Verifier]:
    """Return the verifiers that this process asks of all its logs: Node ends with it, as nobody writes to it then."""
    node = {CHAIN: _OPEN.enter_context(chain_verifier())} if shutil.which("node") else {}
    return {CORE: found_by_core, **node}


def recorded_logs() -> list[tuple[str, bytes, str]]:
    """Return the logs of the vectors, each with its scenario and its head."""
    verified = [each for each in stored_vectors("replay") if each["name"].endswith("/verify") and each["args"][1]]
    return [(each["name"].removesuffix("/verify"), each["args"][0].encode(), each["args"][1]) for each in verified]


def _report(counts: Mapping[str, Counts]) -> None:
    for name, made in counts.items():
        if not made.tried:
            continue
        tried = ", ".join(f"{made.tried[kind]:,} {kind}" for kind in KINDS)
        print(f"\n{name}: {made.tried.total():,} changes ({tried})")
        print(f"  {made.exact:>9,} named at the first line that differs")
        print(f"  {made.later:>9,} at a derived line after it")
        print(f"  {made.by_head:>9,} by the head alone, at the last line")
        print(f"  {len(made.broken):>9,} not found, or at a wrong line")
        for what in made.broken[:10]:
            print(f"    {ascii(what)[:300]}")


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./build.sh break logs", description=__doc__)
    parser.add_argument("logs", type=int, nargs="?", default=200, help="logs that are changed (default: 200)")
    parser.add_argument("--sample", type=int, default=0, help="of each log so many changes only (default: all)")
    jobs = os.cpu_count() or 1
    parser.add_argument("--jobs", type=int, default=jobs, help="processes (default: one for each processor)")
    parser.add_argument("--seed", type=int, default=0, help="another seed chooses other bytes (default: 0)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
