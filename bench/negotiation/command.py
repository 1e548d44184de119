"""The command `./build.sh bench negotiation`: each simulated model in each way, as a table."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.table import Table

from bench.negotiation.flaky_model import FlakyModel, simulated
from bench.negotiation.runs import WAYS, Outcome, run_model

HEAD = ("model", "outputs that fail", *WAYS, "switches a run")


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The outcomes of a model's runs, by way."""

    model: FlakyModel
    outcomes: dict[str, list[Outcome]]

    def right(self, way: str) -> float:
        """Return the per cent of runs that were finished right."""
        return 100 * sum(outcome.right for outcome in self.outcomes[way]) / len(self.outcomes[way])

    def calls(self, way: str) -> float:
        """Return the model calls of a run."""
        return sum(outcome.model_calls for outcome in self.outcomes[way]) / len(self.outcomes[way])

    @property
    def failing(self) -> float:
        """The share of the outputs that led to nothing, without negotiation."""
        outcomes = self.outcomes["without"]
        return sum(outcome.failed for outcome in outcomes) / sum(outcome.model_calls for outcome in outcomes)

    @property
    def switches(self) -> str:
        """How often each move was made in a run."""
        counted = Counter(move for outcome in self.outcomes["negotiation"] for move in outcome.switches)
        number = len(self.outcomes["negotiation"])
        return ", ".join(f"{move} {count / number:.2f}" for move, count in sorted(counted.items())) or "none"

    def cells(self) -> list[str]:
        """Return the row as text."""
        ways = [f"{self.right(way):.0f} %, {self.calls(way):.2f}" for way in WAYS]
        return [self.model.name, f"{100 * self.failing:.0f} %", *ways, self.switches]


def measure(number: int, names: Sequence[str] = ()) -> list[Row]:
    """Run each model in each way."""
    chosen = [model for model in simulated().models if not names or model.name in names]
    return [Row(model=model, outcomes={way: list(run_model(model, way, number)) for way in WAYS}) for model in chosen]


def gain(rows: Sequence[Row]) -> float:
    """Return the points by which negotiation raises finished runs, as the mean of models that fail half the time."""
    gains = [row.right("negotiation") - row.right("without") for row in rows if row.model.half]
    return sum(gains) / len(gains)


def extra_calls(rows: Sequence[Row]) -> float:
    """Return the per cent by which negotiation raises the calls of models that never fail."""
    sound = [row for row in rows if not row.model.faults]
    return max(100 * row.calls("negotiation") / row.calls("without") - 100 for row in sound)


def main(arguments: list[str]) -> int:
    """Measure and print; the exit code is 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="./build.sh bench negotiation", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="of each model in each way (default: 1000)")
    given = parser.parse_args(arguments)
    rows = measure(given.runs)
    said = (
        f"{given.runs} runs each. Mean gain of the {sum(row.model.half for row in rows)} models that fail half the "
        f"time: {gain(rows):.0f} points. More calls where none fail: {extra_calls(rows):.0f} %."
    )
    table = Table("", *HEAD[1:], title="finished right, model calls a run")
    for row in rows:
        table.add_row(*row.cells())
    console = Console(width=None if sys.stdout.isatty() else 180)
    console.print(table)
    console.print(said)
    return 0 if gain(rows) >= 25 and extra_calls(rows) < 5 else 1  # noqa: PLR2004 (what it is for)
