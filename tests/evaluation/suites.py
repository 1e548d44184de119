"""Suites for tests: cases whose outputs are scripted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.evaluation import EvalPlan, EvalStore, Runner, RunRecord, Variant, read_suite
from purestep_hosts.evaluation.plan import DEFAULT_AGENT, SCRIPTED
from purestep_hosts.mask import Mask
from purestep_hosts.models.scripted import calls, says


def sum_case(number: int, *, right: bool = True, **members: Any) -> dict[str, Any]:
    """A sum that the script asks the tool for, or guesses."""
    asked = [calls("add_numbers", a=number, b=1)] if right else []
    return {
        "id": f"sum-{number}",
        "query": f"What is {number} plus 1?",
        "tools": ["add_numbers"],
        "calls": [{"tool": "add_numbers", "arguments": {"a": number, "b": 1}}],
        "answer": str(number + 1),
        "script": [*asked, says(f"It is {number + 1}.")],
        **members,
    }


def written(path: Path, cases: Iterable[dict[str, Any]]) -> Path:
    """Write a suite."""
    path.write_text("".join(f"{json.dumps(case)}\n" for case in cases), "utf-8")
    return path


def plan_of(suite: Path, **members: Any) -> EvalPlan:
    """The plan of a suite with its scripts."""
    given: dict[str, Any] = {
        "folder": suite.parent,
        "cases": lambda: read_suite(suite),
        "where": lambda line: f"{suite.name}, line {line.number}",
        "models": {"script": SCRIPTED},
        "variants": [Variant(model="script")],
        "agent": DEFAULT_AGENT,
    }
    return EvalPlan(**{**given, **members})


def evaluated(
    plan: EvalPlan, folder: Path, on_result: Callable[[RunRecord], None] = lambda record: None
) -> list[RunRecord]:
    """Make the missing runs, and return the results in the order of the plan."""
    with EvalStore(folder) as store:
        run_blocking(Runner(plan, store, 4, Mask(), on_result).run)  # a test with a browser has a loop already
        found = [store.record(run.key) for run in plan.runs()]
    return [record for record in found if record is not None]


def result_of(case: dict[str, Any], folder: Path, **members: Any) -> RunRecord:
    """Run one case."""
    [record] = evaluated(plan_of(written(folder / "suite.jsonl", [case]), **members), folder / "out")
    return record
