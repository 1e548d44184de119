"""The delta step of this tree against another one's, side by side: `python -m bench.against FOLDER`.

FOLDER is a checkout of another revision, e.g. made by `git worktree add`. Each core runs in a process of its own; they
take turns, so that other load on the machine affects both alike. The outputs must be the same bytes.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import IO

from rich.console import Console

from bench.figures import Figure, table
from bench.runs import LongRun, said

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 60
STEPS_A_ROUND = 300


def cases() -> dict[str, str]:
    """Give the JSON input of a call, of its result, and of an answer."""
    import purestep

    run = LongRun(10)
    output = json.loads(purestep.run_agent_step(run.input()))
    results = [{"call_id": output["decision"]["call_id"], "ok": True, "output": 42}]
    answer = said(0) | {"content": '{"kind":"final","content":"It is 42, as asked."}'}
    given = {
        "a call": (run.state, said(17)),
        "its result": (output["state"], {"type": "tool_results", "results": results}),
        "an answer": (run.state, answer),
    }
    return {name: json.dumps({"state": state, "observation": seen}) for name, (state, seen) in given.items()}


def work(requests: IO[str]) -> None:
    """Step through each case named on a line of the requests; print the CPU microseconds of one step."""
    import purestep

    inputs = cases()
    print(purestep.__file__)
    print(json.dumps({name: purestep.run_agent_step(given) for name, given in inputs.items()}), flush=True)
    for line in requests:
        given = inputs[line.removesuffix("\n")]
        began = time.process_time_ns()
        for _ in range(STEPS_A_ROUND):
            purestep.run_agent_step(given)
        print((time.process_time_ns() - began) / 1000 / STEPS_A_ROUND, flush=True)


class Worker:
    """A process that measures the core of one tree."""

    def __init__(self, tree: Path) -> None:
        places = os.pathsep.join([str(tree / "core"), str(ROOT)])
        command = [sys.executable, "-m", "bench.against", "--work"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"PYTHONPATH": places}, text=True, stdin=-1, stdout=-1
        )
        found = Path(self.answer().removesuffix("\n"))
        assert found.is_relative_to(tree), f"expected the core of {tree}; got {found}"
        self.outputs: dict[str, str] = json.loads(self.answer())

    def answer(self) -> str:
        """Give the next line that the process prints."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def us(self, case: str) -> float:
        """Measure one round of a case."""
        assert self.process.stdin is not None
        print(case, file=self.process.stdin, flush=True)
        return float(self.answer())


def measure(other: Path) -> list[Figure]:
    """Measure both trees in turn; the ratio is the median of the rounds' own."""
    theirs, ours = Worker(other), Worker(ROOT)
    if theirs.outputs != ours.outputs:
        raise SystemExit("against: the two cores give different bytes")
    figures = []
    for case in ours.outputs:
        pairs = [(theirs.us(case), ours.us(case)) for _ in range(ROUNDS)]
        figures += [
            Figure(f"{case}: there", min(before for before, _ in pairs), "µs"),
            Figure(f"{case}: here", min(after for _, after in pairs), "µs"),
            Figure(f"{case}: here to there", median(after / before for before, after in pairs), "times"),
        ]
    return figures


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work(sys.stdin)
    else:
        Console().print(table("The delta step, side by side", measure(Path(sys.argv[1]).resolve())))
