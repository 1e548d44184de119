"""The command `./build.sh bench rates`: each way of choosing a model, as a table."""

import argparse
import sys

from rich.console import Console
from rich.table import Table

from bench.rates import simulated, taught
from bench.rates.ways import WayFigures, rows

_HEADS = ("model", "finished right", "cost", "model calls")


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./build.sh bench rates", description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help="simulated requests in each way (default: 2000)")
    parser.add_argument("--taught", action="store_true", help="the bundled model beside a scripted one, instead")
    parser.add_argument("--limit", type=int, default=40, help="with --taught: tasks of each half (default: 40)")
    given = parser.parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 120)
    if given.taught:
        for title, figures in taught.measure(given.limit):
            console.print(_table(title, figures))
        return 0
    console.print(_table(f"{given.runs} simulated requests", simulated.measure(given.runs)))
    console.print(_table(f"{given.runs} requests of three steps", simulated.measure_steps(given.runs)))
    console.print(_table(f"{given.runs} requests of all kinds", simulated.measure_mixed(given.runs)))
    return 0


def _table(title: str, figures: list[WayFigures]) -> Table:
    table = Table(*_HEADS, title=title)
    for cells in rows(figures):
        table.add_row(*cells)
    return table
