"""Runs of this agent beside those of other frameworks: `./build.sh bench frameworks`.

Each framework is a process of its own; they take turns, so that other load on the machine affects all alike, and what
counts is CPU time. The others come from requirements/peers.txt, by hash, into an environment of their own in .cache,
made when this is first run. The models answer at once: what is measured is what a framework adds to a model's time.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import Figure

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "peers.txt"
FOLDER = ROOT / ".cache" / "peers"
PEERS = ("pydantic-ai", "langgraph")
ROUNDS = 20
RUNS = {"answer": 500, "call": 100, "team": 30, "answer, bare graph": 500, "call, bare graph": 100}
"""In a round: 10,000 runs of each framework that answer, 2,000 with a call, and 600 of an agent that calls two."""
WARM_UP_RUNS = 20
EXPECTED = {"answer": "Hello there.", "call": "It is 3.", "team": "Both are done."}
AT_LEAST = {("pydantic-ai", "answer"): 3.0, ("langgraph", "answer"): 10.0, ("langgraph", "team"): 3.5}
"""How many runs of this agent fit in one of the other's."""


def peers_python() -> Path:
    """Return the Python that has the other frameworks; installs them if they are missing or the lock has changed."""
    python, stamp = FOLDER / "bin" / "python", FOLDER / "lock.stamp"
    if python.exists() and stamp.exists() and stamp.read_bytes() == LOCK.read_bytes():
        return python
    print("Installing the frameworks of requirements/peers.txt; this is done once.", file=sys.stderr)
    venv.create(FOLDER, clear=True, with_pip=True)
    options = ["--disable-pip-version-check", "--quiet", "--require-hashes", "--only-binary", ":all:"]
    done = subprocess.run([python, "-m", "pip", "install", *options, "-r", LOCK], check=False)
    if done.returncode != 0:
        raise SystemExit("frameworks: the packages of requirements/peers.txt could not be installed")
    stamp.write_bytes(LOCK.read_bytes())
    return python


class Framework:
    """A process that runs one framework."""

    def __init__(self, name: str, python: str | Path) -> None:
        program = Path(__file__).with_name("framework_runs.py")
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("LANGSMITH", "LANGCHAIN"))
        }
        # Isolated from this folder, whose modules have names such as `model`.
        self.process = subprocess.Popen(
            [python, "-P", program, name], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        said: dict[str, Any] = json.loads(self._line())
        self.name = f"{name} {said['version']}"
        self.cases = tuple(said["answers"])
        for case, answer in said["answers"].items():
            expected = EXPECTED[case.partition(",")[0]]
            if answer != expected:
                raise SystemExit(f"frameworks: {name} answered {answer!r} to {case}; expected {expected!r}")
        for case in self.cases:
            self.us(case, WARM_UP_RUNS)

    def us(self, case: str, runs: int) -> float:
        """Return the CPU microseconds of one run, of so many."""
        assert self.process.stdin is not None
        print(f"{case} {runs}", file=self.process.stdin, flush=True)
        return float(self._line())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("frameworks: a framework's process has ended; its own message is shown above")
        return line


def measure() -> list[Figure]:
    """Measure all frameworks in turn; a ratio is the median of the rounds' own."""
    theirs = peers_python()
    ours = Framework("purestep", sys.executable)
    peers = {name: Framework(name, theirs) for name in PEERS}
    taken: dict[tuple[str, str], list[float]] = {}
    for _ in range(ROUNDS):
        for each in (ours, *peers.values()):
            for case in each.cases:
                taken.setdefault((each.name, case), []).append(each.us(case, RUNS[case]))
    figures = [
        Figure(f"{name}: {case}", 1_000_000 / median(times), "runs in a CPU second")
        for (name, case), times in sorted(taken.items(), key=lambda item: item[0][1])
    ]
    for name, peer in peers.items():
        for case in peer.cases:
            own = taken[ours.name, case.partition(",")[0]]
            ratio = median(there / here for there, here in zip(taken[peer.name, case], own, strict=True))
            target = AT_LEAST.get((name, case))
            figures.append(Figure(f"purestep to {name}: {case}", ratio, "times", at_least=target))
    for each in (ours, *peers.values()):
        each.close()
    return figures
