"""The command `./build.sh bench contracts`: false successes that are caught, and honest answers that are alarmed."""

import argparse
import sys
from collections import Counter
from typing import get_args

from rich.console import Console
from rich.table import Table

from bench.contracts.cases import Case, Half, cases
from bench.contracts.requests import request_cases
from bench.contracts.runs import OFF, is_playable, passes

LEAST_CAUGHT = 95
MOST_ALARMED = 2
"""Per cent of the cases of a half or both."""


def main(arguments: list[str]) -> int:
    """Run the cases and print; the exit code is 1 where too few are caught or too many alarmed."""
    parser = argparse.ArgumentParser(prog="./build.sh bench contracts", description=__doc__)
    parser.add_argument("--split", choices=get_args(Half), default="all", help="of the cases")
    parser.add_argument("--values", action="store_true", help="with `claims` and `values` alone, in every definition")
    parser.add_argument("--show", action="store_true", help="print the cases that went wrong")
    given = parser.parse_args(arguments)
    rows, wrong = [], []
    totals: Counter[str] = Counter()
    requests = request_cases(given.split)
    sets = {"false": cases("false", given.split), "honest": cases("honest", given.split)}
    for name, found in sets.items():
        stopped = {case.id for case in found if not passes(case, _guardrails(case, given.values))[0]}
        control = {case.id for case in found if not passes(case, OFF)[0]}
        wrong += [case for case in found if (case.id in stopped) != (name == "false")]
        totals.update({f"{name} stopped": len(stopped), name: len(found)})
        rows += _rows(name, found, stopped, control)
    for name, found in requests.items():
        rows.append(_request_row(name, found))
    Console(width=None if sys.stdout.isatty() else 120).print(_table(given.split, rows))
    for case in wrong if given.show else ():
        print(_shown(case))
    caught = totals["false stopped"] * 100 >= totals["false"] * LEAST_CAUGHT
    alarmed = totals["honest stopped"] * 100 >= totals["honest"] * MOST_ALARMED
    return 1 if not caught or alarmed else 0


def _request_row(name: str, found: list[Case]) -> tuple[str, str, str, str]:
    """Count those whose calls fit their tools; the guardrail alone, since the outputs are made up."""
    counts = []
    for guardrails in ([*OFF, "claims"], OFF):
        played = [passes(case, guardrails)[0] for case in found if is_playable(case)]
        counts.append(f"{played.count(False)} of {len(played)}")
    return (name, "requests of other sets", counts[0], counts[1])


def _guardrails(case: Case, values: bool) -> list[str] | None:
    if values:
        return [*OFF, "claims", "values"]
    return None if case.guardrails is None else list(case.guardrails)


Row = tuple[str, str, str, str]


def _rows(name: str, found: list[Case], stopped: set[str], control: set[str]) -> list[Row]:
    groups = {
        kind: [case for case in found if case.kind == kind] for kind in dict.fromkeys(case.kind for case in found)
    }
    rows = []
    for kind, each in (*groups.items(), ("all", found)):
        counts = [sum(case.id in ids for case in each) for ids in (stopped, control)]
        rows.append((name, kind, *(f"{count} of {len(each)}" for count in counts)))
    return [(first, kind, on, off) for first, kind, on, off in rows]


def _table(split: str, rows: list[Row]) -> Table:
    made = Table("cases", "kind", "rejected", "rejected without the guardrails", title=f"Contracts, half: {split}")
    for row in rows:
        made.add_row(*row, end_section=row[1] == "all")
    return made


def _shown(case: Case) -> str:
    calls = "; ".join(f"{call.tool} {call.arguments} -> {call.error or call.output!r}" for call in case.calls)
    return f"{case.id} {case.kind} {case.tools} | {case.user} | {calls} | {case.answer}"
