"""The conformance vectors on every host, in one table: `python -m tests.report.byte_report [HOST...]`.

Each host runs as itself: interpreters and JavaScript engines as processes, browsers with a page, workerd with a worker.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.bundle.engines import ENGINES, run_in
from tests.edge.drivers import vectors_in_workerd
from tests.purity.interpreters import interpreters, releases

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"
TIERS = ("snapshot", "zip")
NATIVE_SCRIPT = ROOT / "tests" / "purity" / "run_vectors.py"


class Row(NamedTuple):
    """What one host made of the vectors."""

    host: str
    version: str
    passed: int
    failed: tuple[str, ...]


def vector_files() -> list[Path]:
    """Give the files of conformance vectors."""
    return sorted(VECTORS.glob("*.jsonl"))


def vector_count() -> int:
    """Give how many vectors there are."""
    return sum(len(path.read_bytes().splitlines()) for path in vector_files())


def hosts() -> dict[str, Callable[[], Row]]:
    """Give, by its name, what runs the vectors on each host of this machine."""
    native = {f"CPython {name}": _native(name) for name in releases()}
    places = [(engine, tier) for engine in ENGINES for tier in TIERS]
    engines = {_name(engine, tier): _engine(engine, tier) for engine, tier in places}
    return {**native, **engines, **{_name("workerd", tier): _workerd(tier) for tier in TIERS}}


def _name(engine: str, tier: str) -> str:
    return f"{engine.replace('-', ', ')}, {tier}"


def _native(release: str) -> Callable[[], Row]:
    def run() -> Row:
        python = interpreters()[release]
        environment = {"PYTHONPATH": str(ROOT / "core")}
        done = subprocess.run(
            [python, NATIVE_SCRIPT, *vector_files()], check=True, capture_output=True, text=True, env=environment
        )
        report = json.loads(done.stdout)
        failed = tuple(case["name"] for case in report["failed"])
        return Row(f"CPython {release}", _version(str(python)), report["passed"], failed)

    return run


def _engine(engine: str, tier: str) -> Callable[[], Row]:
    def run() -> Row:
        report = run_in(engine, tier)
        failed = [case["name"] for case in report.failed]
        if report.error is not None or report.tier != tier:
            failed.append(f"the core was not loaded from the {tier}: {report.error or report.load}")
        return Row(_name(engine, tier), _version(engine.partition("-")[0]), report.passed, tuple(failed))

    return run


def _workerd(tier: str) -> Callable[[], Row]:
    def run() -> Row:
        text = "".join(path.read_text(encoding="utf-8") for path in vector_files())
        with tempfile.TemporaryDirectory() as folder:
            report = vectors_in_workerd(text, Path(folder), tier)
        failed = tuple(case["name"] for case in report["failed"])
        return Row(_name("workerd", tier), _version("workerd"), len(report["passed"]), failed)

    return run


def _version(program: str) -> str:
    here = ROOT / "web" / "node_modules" / ".bin" / program
    path = str(here) if here.exists() else shutil.which(program) or shutil.which(f"{program}-esr") or program
    said = subprocess.run([path, "--version"], check=True, capture_output=True, text=True).stdout.split()
    return next(word for word in said if any(character.isdigit() for character in word))


def lines(rows: Iterator[Row], count: int) -> Iterator[str]:
    """Give the report as lines of text, each as soon as its host has run."""
    yield f"{'host':30}{'version':18}vectors"
    for row in rows:
        first = f"; first: {row.failed[0]}" if row.failed else ""
        told = "all the same" if not row.failed and row.passed == count else f"{count - row.passed} differ{first}"
        yield f"{row.host:30}{row.version:18}{row.passed} of {count}, {told}"


def main(wanted: list[str]) -> int:
    """Print the report for the named hosts, or for all; gives 1 when one of them differs."""
    known: dict[str, Any] = hosts()
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"no host is named {unknown[0]}; expected one of: {'; '.join(known)}", file=sys.stderr)
        return 2
    rows = []
    for line in lines(_kept(rows, [known[name] for name in wanted or known]), vector_count()):
        print(line, flush=True)
    return int(any(row.failed or row.passed != vector_count() for row in rows))


def _kept(rows: list[Row], runs: list[Callable[[], Row]]) -> Iterator[Row]:
    for run in runs:
        rows.append(run())
        yield rows[-1]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
