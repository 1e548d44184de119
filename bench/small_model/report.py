"""What the runs of a model came to: counts by set, language and need, as a table or as JSON."""

from collections.abc import Iterable, Iterator
from statistics import median
from typing import Any, Final

import msgspec
from rich.table import Table

from bench.small_model.runs import Ending, TaskRun

_ENDINGS: Final[tuple[Ending, ...]] = ("finished", "asked", "open", "silent", "effect")
HEAD: Final = ("", "tasks", "first tool", *_ENDINGS, "refused", "s a decision", "s a task")


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of some runs; first_tool_of are those that need a call, refused the calls that a person refused."""

    tasks: int
    first_tool: int
    first_tool_of: int
    endings: dict[Ending, int]
    refused: int
    seconds_a_decision: float
    seconds_a_task: float

    def cells(self) -> list[str]:
        """Return the counts as text."""
        first = f"{self.first_tool} of {self.first_tool_of}" if self.first_tool_of else ""
        endings = [str(self.endings[each] or "") for each in _ENDINGS]
        times = [f"{self.seconds_a_decision:.2f}", f"{self.seconds_a_task:.2f}"]
        return [str(self.tasks), first, *endings, str(self.refused or ""), *times]


class ModelRuns(msgspec.Struct, frozen=True, kw_only=True):
    """The runs of one model, by set."""

    model: str
    sets: dict[str, tuple[TaskRun, ...]]

    def rows(self) -> Iterator[tuple[str, Counted]]:
        """Yield each group of the runs with its counts: all, each set, each need, each language."""
        runs = [run for each in self.sets.values() for run in each]
        yield "all", counted(runs)
        for name, each in self.sets.items():
            yield f"set {name}", counted(each)
        for need in ("call", "none", "ask"):
            yield f"needs {need}", counted(run for run in runs if run.needs == need)
        for lang in dict.fromkeys(run.lang for run in runs):
            yield lang, counted(run for run in runs if run.lang == lang)

    def table(self) -> Table:
        """Return the counts as a table."""
        made = Table(title=self.model, title_justify="left")
        for name in HEAD:
            made.add_column(name, justify="left" if not name else "right")
        for name, each in self.rows():
            made.add_row(name, *each.cells())
        return made

    def data(self) -> dict[str, Any]:
        """Return counts and runs as JSON has them."""
        return {"model": self.model, "counts": dict(self.rows()), "runs": self.sets}


def counted(runs: Iterable[TaskRun]) -> Counted:
    """Return the counts of runs."""
    found = list(runs)
    needing = [run for run in found if run.needs == "call"]
    return Counted(
        tasks=len(found),
        first_tool=sum(run.first_tool for run in needing),
        first_tool_of=len(needing),
        endings={each: sum(run.ending == each for run in found) for each in _ENDINGS},
        refused=sum(run.refused for run in found),
        seconds_a_decision=_median([run.seconds / run.decisions for run in found if run.decisions]),
        seconds_a_task=_median([run.seconds for run in found]),
    )


def _median(values: list[float]) -> float:
    return round(median(values), 3) if values else 0.0
