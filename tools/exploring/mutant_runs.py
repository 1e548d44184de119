"""Seeds each fault into a copy of the core and explores that: `./build.sh explore mutants [NAME...]`.

A mutant is found if the exploration of its definition breaks a rule. One whose text does not stand exactly once in the
source, or whose core does not start, is an error: it shows nothing any more and has to be written again.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

from msgspec import Struct

from .definitions import CASES
from .exploration import Sampling, Violation
from .explore import explore
from .mutants import MUTANTS, Mutant

ROOT: Final = Path(__file__).resolve().parent.parent.parent
CORE: Final = ROOT / "core"
STATES: Final = 4000
_SAMPLING: Final = Sampling(replays=5, merges=10, misfits=1)
_FOUND: Final = "found "
_MISSED: Final = "missed"


class Finding(Struct, frozen=True, kw_only=True):
    """What became of a mutant: the rule that found it with what it said, or why nothing did."""

    mutant: Mutant
    rule: str = ""
    what: str = ""
    error: str = ""


def run_mutant(mutant: Mutant, states: int = STATES) -> Finding:
    """Seed a fault into a copy of the core, and explore the mutant's definition with it."""
    if error := unfit(mutant):
        return Finding(mutant=mutant, error=error)
    with _copy(CORE) as folder:
        _seed(mutant, _module_of(mutant, folder))
        return _finding(mutant, _explored(mutant, folder, states), states)


def unfit(mutant: Mutant) -> str:
    """Return why a mutant no longer fits the source; empty if it does."""
    times = _module_of(mutant, CORE).read_text(encoding="utf-8").count(mutant.old)
    return "" if times == 1 else f"{mutant.module} has the text to change {times} times; write the mutant again"


def _module_of(mutant: Mutant, core: Path) -> Path:
    """Return where a mutant's module is: in the kernel, or in the package that it names."""
    package = mutant.module.partition("/")[0]
    return core / mutant.module if package.startswith("purestep_") else core / "purestep" / mutant.module


@contextmanager
def _copy(core: Path) -> Iterator[Path]:
    """Return a folder with a copy of the core, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="purestep-mutant-") as name:
        # With the compiled modules, which stay valid since the copies have the times of their sources.
        for package in sorted(core.glob("purestep*")):
            shutil.copytree(package, Path(name) / package.name)
        yield Path(name)


def _seed(mutant: Mutant, module: Path) -> None:
    """Write the fault into a module."""
    source = module.read_text(encoding="utf-8")
    # Of the same size and second, the compiled module would still be taken for this one.
    Path(cache_from_source(str(module))).unlink(missing_ok=True)
    module.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")


def _explored(mutant: Mutant, folder: Path, states: int) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), str(ROOT / "hosts"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "tools.exploring.mutant_runs", "--explore", mutant.case]
    command += ["--core", str(folder), "--states", str(states)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def _finding(mutant: Mutant, run: subprocess.CompletedProcess[str], states: int) -> Finding:
    last = run.stdout.strip().splitlines()[-1:] or [""]
    if run.returncode == 0 and last[0].startswith(_FOUND):
        rule, _, what = last[0].removeprefix(_FOUND).partition(": ")
        return Finding(mutant=mutant, rule=rule, what=what)
    if run.returncode == 0 and last[0] == _MISSED:
        return Finding(mutant=mutant, error=f"not found in {states} states of {mutant.case}")
    return Finding(mutant=mutant, error=f"the exploration did not run: {run.stderr.strip()[-300:]}")


def _explore(name: str, core: Path, states: int) -> None:
    """Explore one definition with the core of a folder, and print what was found; runs in a process of its own."""
    import purestep

    if not Path(str(purestep.__file__)).is_relative_to(core):
        raise SystemExit(f"expected the core of {core}; got {purestep.__file__}")
    case = next(case for case in CASES if case.name == name)
    try:
        explore(case, states, _SAMPLING)
    except Violation as violation:
        print(_FOUND + str(violation).encode("ascii", "backslashreplace").decode().replace("\n", " "))
        return
    print(_MISSED)


def main() -> int:
    """Seed the mutants named, or all; the exit code is 1 unless each is found."""
    given = _arguments()
    if given.explore:
        _explore(given.explore, Path(given.core), given.states)
        return 0
    mutants = [mutant for mutant in MUTANTS if not given.mutants or mutant.name in given.mutants]
    missed = 0
    with ThreadPoolExecutor(given.processes) as pool:
        for finding in pool.map(run_mutant, mutants):
            missed += bool(finding.error)
            said = f"NOT FOUND: {finding.error}" if finding.error else f"{finding.rule}: {finding.what}"
            print(f"{finding.mutant.name:<36} {said[:200]}", flush=True)
    print(f"{len(mutants) - missed} of {len(mutants)} mutants were found")
    return 1 if missed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./build.sh explore mutants", description=__doc__)
    parser.add_argument("--processes", type=int, default=2, help="(default: 2)")
    parser.add_argument("--explore", help=argparse.SUPPRESS)
    parser.add_argument("--core", help=argparse.SUPPRESS)
    parser.add_argument("--states", type=int, default=STATES, help=argparse.SUPPRESS)
    parser.add_argument("mutants", nargs="*", metavar="NAME", help="of a mutant (default: all)")
    given = parser.parse_args()
    if unknown := set(given.mutants) - {mutant.name for mutant in MUTANTS}:
        parser.error(f"there is no mutant {sorted(unknown)[0]}; they stand in tools/exploring/mutants")
    return given


if __name__ == "__main__":
    sys.exit(main())
