"""The conformance vectors on every host, in one table: `python -m tests.report.byte_report [HOST...]`.

Each host runs as itself: interpreters and JavaScript engines as processes, browsers with a page, workerd with a worker.
"""

import functools
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.bundle.engines import ENGINES, programs_of, recorded_vectors, run_in, sampled_vectors
from tests.edge.drivers import vectors_in_workerd
from tests.programs import PROGRAMS, compiled_for_speed, program_path
from tests.purity.interpreters import interpreters, releases
from tests.report import moving_report
from tools.vectors.files import stored_vectors, vector_files
from tools.wasm.core_archive import write_core_archive
from tools.wasm.wheels import FOLDER as WHEELS

ROOT = Path(__file__).resolve().parents[2]
TIERS = ("snapshot", "zip")
NATIVE_SCRIPT = ROOT / "tests" / "purity" / "run_vectors.py"
PYODIDE_SCRIPT = ROOT / "tests" / "pyodide" / "run_vectors.mjs"


STOCK = "node, stock Pyodide"
SAMPLED = {
    ("chromium-page", "snapshot"), ("chromium-worker", "zip"), ("firefox-page", "zip"), ("firefox-worker", "snapshot"),
}  # fmt: skip
"""Places of a browser whose other place runs all vectors from the same form: page and worker have one engine."""


class Row(NamedTuple):
    """What one host made of the vectors."""

    host: str
    version: str
    passed: int
    failed: tuple[str, ...]


class Host(NamedTuple):
    """What runs the vectors on a host, and the programs of tests/programs.py that it needs.

    `sample` runs a twentieth of them and all that are refused, where another place of the same engine runs each vector
    from the same form: tests run that instead of `run`.
    """

    run: Callable[[], Row]
    needs: tuple[str, ...] = ()
    sample: Callable[[], Row] | None = None

    def missing(self) -> list[str]:
        """Return the programs that it needs and this machine lacks."""
        return [program for program in self.needs if program_path(program) is None]


def vector_count() -> int:
    """Return how many vectors there are."""
    return len(stored_vectors())


@functools.cache
def sample() -> list[dict[str, Any]]:
    """Return the vectors for a host in SAMPLED: deep, long input is among the refused, and stacks differ by place."""
    return [*sampled_vectors(), *stored_vectors("errors")]


def hosts() -> dict[str, Host]:
    """Return what runs the vectors on each host, by its name: every engine with every form of the core."""
    native = {f"CPython {name}": Host(_native(name)) for name in releases()}
    places = [(engine, tier) for engine in ENGINES for tier in TIERS]
    engines = {
        _name(engine, tier): Host(
            _engine(engine, tier),
            programs_of(engine),
            _engine(engine, tier, sample) if (engine, tier) in SAMPLED else None,
        )
        for engine, tier in places
    }
    workerd = {_name("workerd", tier): Host(_workerd(tier), ("node",)) for tier in TIERS}
    return {**native, **engines, STOCK: Host(_stock_pyodide, ("node",)), **workerd}


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


def _engine(
    engine: str, tier: str, vectors: Callable[[], list[dict[str, Any]]] = recorded_vectors
) -> Callable[[], Row]:
    def run() -> Row:
        report = run_in(engine, tier, vectors=vectors())
        failed = [case["name"] for case in report.failed]
        if (
            report.error is not None
            or report.load is None
            or report.tier != tier
            or report.load["fallback"] is not None
        ):
            failed.append(f"the core was not loaded from the {tier}: {report.error or report.load}")
        return Row(_name(engine, tier), _version(engine.partition("-")[0]), report.passed, tuple(failed))

    return run


def _stock_pyodide() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "core.zip"
        write_core_archive(archive)
        command = ["node", PYODIDE_SCRIPT, archive, WHEELS, *vector_files()]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=compiled_for_speed())
    report = json.loads(done.stdout)
    return Row(STOCK, _version("node"), report["passed"], tuple(case["name"] for case in report["failed"]))


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
    path = str(here) if here.exists() else program_path(program) if program in PROGRAMS else program
    assert path is not None, f"{program} is not installed"
    said = subprocess.run([path, "--version"], check=True, capture_output=True, text=True).stdout.split()
    return next(word for word in said if any(character.isdigit() for character in word))


def lines(rows: Iterator[Row], count: int) -> Iterator[str]:
    """Return the report as lines of text, each as soon as its host has run."""
    yield f"{'host':30}{'version':18}vectors"
    for row in rows:
        first = f"; first: {row.failed[0]}" if row.failed else ""
        told = "all the same" if not row.failed and row.passed == count else f"{count - row.passed} differ{first}"
        yield f"{row.host:30}{row.version:18}{row.passed} of {count}, {told}"


def main(wanted: list[str]) -> int:
    """Print the report for the named hosts, or for all that this machine has; gives 1 when one of them differs.

    `--moving` prints that of runs that move among the engines instead.
    """
    if wanted[:1] == ["--moving"]:
        return moving_report.main(wanted[1:])
    known = hosts()
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"no host is named {unknown[0]}; expected one of: {'; '.join(known)}", file=sys.stderr)
        return 2
    chosen = {name: known[name] for name in wanted or known}
    rows = []
    runs = [host.run for host in chosen.values() if not host.missing()]
    for line in lines(_kept(rows, runs), vector_count()):
        print(line, flush=True)
    left_out = {name: missing for name, host in chosen.items() if (missing := host.missing())}
    for name, missing in left_out.items():
        print(f"{name:30}left out: {' and '.join(missing)} not found", flush=True)
    differs = any(row.failed or row.passed != vector_count() for row in rows)
    return int(differs or bool(wanted and left_out))


def _kept(rows: list[Row], runs: list[Callable[[], Row]]) -> Iterator[Row]:
    for run in runs:
        rows.append(run())
        yield rows[-1]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
