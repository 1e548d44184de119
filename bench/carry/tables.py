"""The table of sets and levels, for the terminal and for docs/carry.md."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rich.table import Table

from bench.carry.runs import Outcome

PAGE = Path(__file__).resolve().parents[2] / "docs" / "carry.md"
BEGIN, END = "<!-- carry -->\n", "<!-- /carry -->"
HEADINGS = (
    "set",
    "level",
    "right",
    "right calls",
    "no model",
    "model calls a task",
    "prompt tokens a task",
    "written",
    "decided without the model",
    "CPU s a task",
    "time to `off`",
)


class Row(NamedTuple):
    """One set at one level: what the model did and what its control did."""

    name: str
    level: str
    outcomes: list[Outcome]
    control: list[Outcome]

    def cells(self, off: "Row | None") -> list[str]:
        """Give the row's texts; `off` is the row of the same set at that level, if it was run."""
        number = len(self.outcomes) or len(self.control)
        control = f"{right(self.control)} of {number}" if self.control else ""
        if not self.outcomes:
            decided = sum(each.decided for each in self.control) / number
            return [self.name, self.level, "", "", control, "", "", "", f"{decided:.2f}", "", ""]
        means = [
            sum(map(taken, self.outcomes)) / number
            for taken in (
                lambda each: len(each.asked),
                lambda each: each.prompt_tokens,
                lambda each: each.completion_tokens,
                lambda each: each.decided,
                lambda each: each.cpu_s,
            )
        ]
        ratio = f"{means[4] / mean_cpu_s(off):.2f}" if off is not None and mean_cpu_s(off) else ""
        return [
            self.name,
            self.level,
            f"{right(self.outcomes)} of {number}",
            str(sum(each.right_calls for each in self.outcomes)),
            control,
            f"{means[0]:.2f}",
            f"{means[1]:,.0f}",
            f"{means[2]:.0f}",
            f"{means[3]:.2f}",
            f"{means[4]:.2f}",
            ratio,
        ]


def most(rows: list[Row]) -> list[str]:
    """Say of each level in which set the model is asked most, and reads most."""
    lines = []
    for level in dict.fromkeys([row.level for row in rows if row.outcomes]):
        asked = {
            row.name: _mean(row, lambda each: len(each.asked)) for row in rows if row.level == level and row.outcomes
        }
        read = {
            row.name: _mean(row, lambda each: each.prompt_tokens)
            for row in rows
            if row.name in asked and row.level == level
        }
        by_calls, by_tokens = max(asked, key=lambda name: asked[name]), max(read, key=lambda name: read[name])
        calls = f"{asked[by_calls]:.2f} model calls a task ({by_calls})"
        lines.append(f"{level}: at most {calls} and {read[by_tokens]:,.0f} prompt tokens ({by_tokens})")
    return lines


def _mean(row: Row, taken: Callable[[Outcome], float]) -> float:
    return sum(map(taken, row.outcomes)) / len(row.outcomes)


def right(outcomes: list[Outcome]) -> int:
    """Count the tasks finished right."""
    return sum(not each.wrong for each in outcomes)


def mean_cpu_s(row: Row) -> float:
    """Give the CPU seconds of a task."""
    return sum(each.cpu_s for each in row.outcomes) / max(len(row.outcomes), 1)


def cells(rows: list[Row]) -> list[list[str]]:
    """Give all rows' texts."""
    off = {row.name: row for row in rows if row.level == "off" and row.outcomes}
    return [row.cells(off.get(row.name)) for row in rows]


def table(title: str, rows: list[Row]) -> Table:
    """Give the table of the terminal."""
    made = Table(title=title, title_justify="left")
    for heading in HEADINGS:
        made.add_column(heading.replace("`", ""), justify="left" if heading in ("set", "level") else "right")
    for line in cells(rows):
        made.add_row(*line)
    return made


def markdown(rows: list[Row]) -> str:
    """Give the table of the page."""
    lines = [HEADINGS, ["---"] * len(HEADINGS), *cells(rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def write_page(title: str, rows: list[Row], page: Path = PAGE) -> None:
    """Write the table between the page's markers; a page that is not there yet is begun."""
    text = page.read_text("utf-8") if page.exists() else f"# Carry\n\n{BEGIN}{END}\n"
    body = f"{title}\n\n{markdown(rows)}"
    made, found = re.subn(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: BEGIN + body + END, text, flags=re.S)
    if not found:
        raise SystemExit(f"carry: {page.name} lacks the markers {BEGIN.strip()} and {END}")
    page.write_text(made, "utf-8")
