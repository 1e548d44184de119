"""This tree's core against another one's, side by side: `python -m bench.against FOLDER`.

FOLDER is a checkout of another revision, e.g. made by `git worktree add`; it needs no environment of its own. Times are
CPU times. Each core runs in processes of its own, and they take turns, so that other load on the machine affects both
alike: a time is the median of its rounds, a ratio the median of the ratios of the rounds. The first visit of a page is
compared where both trees have built `web/`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from bench.against_work import CASES

ROOT: Final = Path(__file__).resolve().parent.parent
ROUNDS: Final = 60
IMPORT_ROUNDS: Final = 31
COUNT_MODULES: Final = (
    "import sys, purestep; print(sum(n.partition('.')[0].startswith('purestep') for n in sys.modules))"
)


class Compared(NamedTuple):
    """A measured number of both trees; `at_most` is the target of the ratio, `ours_at_most` that of this tree's own
    number, `less_at_least` that of the difference."""

    name: str
    unit: str
    theirs: float
    ours: float
    ratio: float
    at_most: float | None = None
    ours_at_most: float | None = None
    less_at_least: float | None = None

    def target(self) -> str:
        """Return the target in words."""
        if self.at_most is not None:
            return f"ratio at most {self.at_most:g}"
        if self.ours_at_most is not None:
            return f"at most {self.ours_at_most:,g}"
        return "" if self.less_at_least is None else f"at least {self.less_at_least:g} {self.unit} less"

    def is_met(self) -> bool:
        """Whether the target, if there is one, was met."""
        return (
            (self.at_most is None or self.ratio <= self.at_most)
            and (self.ours_at_most is None or self.ours <= self.ours_at_most)
            and (self.less_at_least is None or self.theirs - self.ours >= self.less_at_least)
        )


def environment(tree: Path) -> dict[str, str]:
    """Return the environment of a process that imports the core of a tree, and the measurements of this one.

    Bytecode is kept, as where the core is installed, and apart from the trees.
    """
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    places = os.pathsep.join([str(tree / "core"), str(ROOT)])
    return given | {"PYTHONPATH": places, "PYTHONPYCACHEPREFIX": str(ROOT / ".cache" / "against")}


class Worker:
    """A process that steps through the cases with the core of one tree."""

    def __init__(self, tree: Path) -> None:
        command = [sys.executable, "-m", "bench.against_work"]
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment(tree), text=True, stdin=-1, stdout=-1)
        found = Path(self.line())
        if not found.is_relative_to(tree):
            raise SystemExit(f"against: expected the core of {tree}; got {found}; FOLDER is the root of a checkout")

    def line(self) -> str:
        """Return the next line that the process prints."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().removesuffix("\n")

    def us(self, case: str) -> float:
        """Measure one round of a case in CPU microseconds."""
        assert self.process.stdin is not None
        print(case, file=self.process.stdin, flush=True)
        return float(self.line())


def steps(other: Path) -> list[Compared]:
    """Measure the steps of both trees in turn."""
    theirs, ours = Worker(other), Worker(ROOT)
    targets = {"README's run of four steps": 0.45, "a step of a call": 0.8}
    return [
        _in_turn(case, "µs", ROUNDS, lambda case=case: (theirs.us(case), ours.us(case)), targets.get(case))
        for case in CASES
    ]


def _in_turn(
    name: str, unit: str, rounds: int, take: Callable[[], tuple[float, float]], at_most: float | None
) -> Compared:
    take()
    pairs = [take() for _ in range(rounds)]
    ratio = median(after / before for before, after in pairs)
    return Compared(name, unit, *(median(side) for side in zip(*pairs, strict=True)), ratio, at_most)


def imports(other: Path) -> list[Compared]:
    """Measure what `import purestep` costs above Python that imports nothing, and what it loads."""

    def taken() -> tuple[float, float]:
        bare, before, after = (
            _process_ms(tree, code)
            for tree, code in ((ROOT, "pass"), (other, "import purestep"), (ROOT, "import purestep"))
        )
        return before - bare, after - bare

    loaded = [int(_output(tree, COUNT_MODULES)) for tree in (other, ROOT)]
    return [
        _in_turn("import purestep, above bare Python", "ms", IMPORT_ROUNDS, taken, 0.6),
        _counted("modules of its own that import purestep loads", "", *loaded, ours_at_most=200),
    ]


def _process_ms(tree: Path, code: str) -> float:
    """Return the CPU milliseconds of a Python process."""
    process = subprocess.Popen([sys.executable, "-c", code], env=environment(tree))
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"against: python -c {code!r} failed with the core of {tree}")
    return (used.ru_utime + used.ru_stime) * 1000


def _output(tree: Path, code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], env=environment(tree), check=True, capture_output=True)
    return done.stdout.decode()


def _counted(
    name: str,
    unit: str,
    theirs: float,
    ours: float,
    ours_at_most: float | None = None,
    less_at_least: float | None = None,
) -> Compared:
    return Compared(name, unit, theirs, ours, ours / theirs, None, ours_at_most, less_at_least)


def lines(other: Path) -> list[Compared]:
    """Count the lines of the kernel, which is the package `purestep`, and of all packages in core/."""
    kernel, every = ([_lines(tree / "core" / part) for tree in (other, ROOT)] for part in ("purestep", ""))
    return [
        _counted("lines of the kernel, core/purestep", "", *kernel, ours_at_most=26_000),
        _counted("lines of all of core/", "", *every, ours_at_most=34_000),
    ]


def _lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))


def first_visits(other: Path) -> list[Compared]:
    """Compare what a first visit of a page transfers by brotli, for each form of the bundle; none if one is not built.

    The sizes of a bundle are kept once they were computed, which takes a minute.
    """
    if lack := [tree for tree in (other, ROOT) if not (tree / "web" / "dist" / "bundle" / "manifest.json").is_file()]:
        print(f"against: {lack[0]} has no bundle (./build.sh web makes it), so the first visit is not compared")
        return []
    theirs, ours = _visit_mb(other), _visit_mb(ROOT)
    return [
        _counted(f"first visit with the {tier}, brotli", "MB", theirs[tier], ours[tier], less_at_least=0.5)
        for tier in ours
    ]


def _visit_mb(tree: Path) -> dict[str, float]:
    command = ["node", str(tree / "web" / "bundle" / "sizes.mjs")]
    sizes = json.loads(subprocess.run(command, check=True, capture_output=True).stdout).values()
    tiers = sorted({tier for size in sizes for tier in size["tiers"]})
    return {tier: sum(size["brotli"] for size in sizes if tier in size["tiers"]) / 1e6 for tier in tiers}


def measure(other: Path) -> list[Compared]:
    """Measure everything that both trees have."""
    return [*steps(other), *imports(other), *lines(other), *first_visits(other)]


def table(other: str, rows: list[Compared]) -> Table:
    """Return the numbers as a table."""
    made = Table("figure", title=f"This tree against {other}", title_justify="left")
    for heading in ("there", "here", "ratio"):
        made.add_column(heading, justify="right")
    for heading in ("unit", "target", ""):
        made.add_column(heading)
    for row in rows:
        mark = "" if not row.target() else "met" if row.is_met() else "missed"
        numbers = (f"{row.theirs:,.5g}", f"{row.ours:,.5g}", f"{row.ratio:.2f}")
        made.add_row(row.name, *numbers, row.unit, row.target(), mark)
    return made


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder]:
            Console(width=120).print(table(folder, measure(Path(folder).resolve())))
        case _:
            raise SystemExit("against: expected one folder, a checkout of another revision")
