"""Writes what a first visit of a page loads into the pages that say it: `python -m tools.pages.bundle_size`.

The figures are the budgets of the files, which tests and `./build.sh bench ratios` hold the built bundle to, so no page
needs a build to be right.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[2]
BUDGET = ROOT / "web" / "bundle" / "budget.json"
PAGES = ("README.md", "web/README.md", "docs/loading.md")
_FIGURE = re.compile(r"(<!-- first visit: (\w+) -->)[^<]*(<!-- / -->)")
_TABLE = re.compile(r"(<!-- files of a first visit -->\n).*?(<!-- / -->)", re.DOTALL)


class Budget(TypedDict):
    """What a file may take by brotli, the forms of the core that load it at first, and what it holds."""

    tiers: list[str]
    most: int
    holds: str


def budgets() -> dict[str, Budget]:
    """Return the budget of each file."""
    read: dict[str, Budget] = json.loads(BUDGET.read_text(encoding="utf-8"))
    return read


def most_bytes() -> dict[str, int]:
    """Return what a first visit may take in each tier: the budgets of its files together."""
    tiers = ("snapshot", "zip")
    return {tier: sum(file["most"] for file in budgets().values() if tier in file["tiers"]) for tier in tiers}


def over_budget(sizes: Mapping[str, int]) -> list[str]:
    """Return what to say of each file that is larger than its budget, or that has none."""
    known = budgets()
    unknown = [f"{name} has no budget in {BUDGET.name}" for name in sizes if name not in known]
    larger = [
        f"{name} is {size:,} bytes by brotli; its budget is {known[name]['most']:,}"
        for name, size in sizes.items()
        if name in known and size > known[name]["most"]
    ]
    return [*unknown, *larger]


def with_figures(text: str) -> str:
    """Return a page with the figure of each tier that it names, in megabytes, and the table of files."""
    most = most_bytes()
    text = _FIGURE.sub(lambda found: f"{found[1]}{most[found[2]] / 1e6:.1f} MB{found[3]}", text)
    return _TABLE.sub(lambda found: found[1] + _table() + found[2], text)


def _table() -> str:
    """Return the table of the files that pages load before and after the first call, the largest first."""
    files = [(name, file) for name, file in budgets().items() if "zip" not in file["tiers"] or len(file["tiers"]) > 1]
    rows = [f"| {_named(name)} | {file['most'] / 1e6:.2f} MB | {file['holds']} |" for name, file in files]
    return "\n".join(["", "| file | at most | holds |", "| --- | --- | --- |", *rows, "", ""])


def _named(name: str) -> str:
    return name if " " in name else f"`{name}`"


def main() -> None:
    """Put the figures in their places."""
    for name in PAGES:
        page = ROOT / name
        page.write_text(with_figures(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
