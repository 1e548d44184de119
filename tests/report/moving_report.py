"""Random runs moved at every step among engines, in one table: `./build.sh report --moving [RUNS] [--seed N]`."""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Final

from .engines import ENGINES, Answer
from .moving import WAYS, Moves, move_runs
from .random_runs import random_run

AT_ONCE: Final = 100
"""Runs that move together: every engine keeps the definitions of 256."""

_TOLD: Final = {
    "correction": "corrections",
    "approval": "approvals",
    "skill_started": "skills",
    "model_error": "model errors",
    "switched": "switches",
    "agent_changed": "changed definitions",
    "child": "lines of agents below",
}


def report(seeds: Sequence[int], engines: Mapping[str, Answer], moves: Moves, *, agents: bool = False) -> Iterator[str]:
    """Move the runs of these seeds, and give the report as lines of text; agents: those that call others."""
    kinds, steps, refused = Counter[str](), 0, 0
    for begin in range(0, len(seeds), AT_ONCE):
        runs = [random_run(seed, agents=agents) for seed in seeds[begin : begin + AT_ONCE]]
        for way in WAYS:
            move_runs(runs, engines, way, moves)
        steps += sum(len(run.steps) for run in runs)
        refused += sum("\n" not in step.output for run in runs for step in run.steps)
        kinds += sum((run.kinds for run in runs), Counter())
    told = ", ".join(f"{kinds[kind]:,} {name}" for kind, name in _TOLD.items())
    yield f"{len(seeds):,} runs, {steps:,} steps, {refused:,} of them refused; {told}"
    yield ""
    yield from _pairs(list(engines), moves)
    yield ""
    for way in WAYS:
        yield f"by {way:6}{moves.steps[way]:>8,} equal steps, {moves.same[way]:,} runs with equal head, state and log"
    yield f"{len(moves.differences)} differ"
    if moves.differences:
        yield f"first: {moves.differences[0]}"


def _pairs(engines: list[str], moves: Moves) -> Iterator[str]:
    yield f"{'moves from':12}" + "".join(f"{f'to {name}':>13}" for name in engines)
    for one in engines:
        counts = [f"{moves.pairs[one, other]:,}" if one != other else "-" for other in engines]
        yield f"{one:12}" + "".join(f"{count:>13}" for count in counts)


def main(given: list[str]) -> int:
    """Print the report; gives 1 when a run that moved differs from the one that stayed, 2 without all engines."""
    parser = argparse.ArgumentParser(prog="./build.sh report --moving", description=__doc__)
    parser.add_argument("runs", type=int, nargs="?", default=1000, help="random runs (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed makes other runs (default: 0)")
    parser.add_argument("--agents", action="store_true", help="runs of agents that call others, or hand over to them")
    asked = parser.parse_args(given)
    if asked.runs < 1:
        parser.error("expected at least one run")
    lacking = {name: missing for name, engine in ENGINES.items() if (missing := engine.missing())}
    for name, missing in lacking.items():
        print(f"{name} cannot take part: {' and '.join(missing)} not found", flush=True)
    if lacking:
        return 2
    print(f"seed {asked.seed}, among {', '.join(ENGINES)}", flush=True)
    moves = Moves()
    with ExitStack() as stack:
        engines = {name: stack.enter_context(engine.opened()) for name, engine in ENGINES.items()}
        seeds = range(asked.seed * 1_000_000, asked.seed * 1_000_000 + asked.runs)
        for line in report(seeds, engines, moves, agents=asked.agents):
            print(line, flush=True)
    return 1 if moves.differences else 0
