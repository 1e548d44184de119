"""What the bundle costs: CPU to the first step against stock Pyodide, bytes sent, a call, a page's longest wait."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import Figure
from bench.runs import AGENT, LongRun
from tests.bundle.engines import LOADER, browser, command, missing, run_in
from tests.bundle.served import ROOT, Served
from tools.pages.bundle_size import budgets, most_bytes
from tools.wasm.core_archive import write_core_archive
from tools.wasm.wheels import wheel_paths

PAGES = Path(__file__).resolve().parent / "bundle_pages"
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
ROUNDS = 7
TIME_LIMIT_S = 180
MOST_SNAPSHOT = {"node": 0.16, "deno": 0.12, "chromium": 0.18}
MOST_ZIP = 0.45


def measure() -> list[Figure]:
    """Measure everything; the bundle must have been built."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        core = Path(folder) / "core.zip"
        write_core_archive(core)
        for engine in MOST_SNAPSHOT:
            if lack := missing(engine):
                print(f"bench: {lack}, so it is not measured")
            else:
                figures += _first_steps(engine, core)
    return [*figures, *_sizes(), *_calls(), *_waits()]


def _first_steps(engine: str, core: Path) -> list[Figure]:
    """Measure the three ways in turn, so that other load on the machine affects them alike."""
    take = _in_page if engine == "chromium" else _in_process
    seconds: dict[str, list[float]] = {"snapshot": [], "zip": [], "stock": []}
    for _ in range(ROUNDS):
        for way, taken in seconds.items():
            taken.append(take(engine, way, core))
    stock = median(seconds["stock"])
    return [
        Figure(f"{engine}: CPU to the first step, stock Pyodide", stock * 1000, "ms"),
        Figure(f"{engine}: the snapshot", median(seconds["snapshot"]) * 1000, "ms"),
        Figure(f"{engine}: the snapshot to stock", median(seconds["snapshot"]) / stock, "times", MOST_SNAPSHOT[engine]),
        Figure(f"{engine}: the zip to stock", median(seconds["zip"]) / stock, "times", MOST_ZIP),
    ]


def _in_process(engine: str, way: str, core: Path) -> float:
    """Return the CPU seconds of a whole process that takes one step."""
    stock = {
        "pyodide": (PYODIDE / "pyodide.mjs").as_uri(),
        "indexURL": f"{PYODIDE}/",
        "archives": [str(path) for path in wheel_paths()],
        "core": str(core),
    }
    job = stock if way == "stock" else {"tier": way, "loader": LOADER.as_uri()}
    script = core.parent / "job.json"
    script.write_text(json.dumps(job))
    places = [PAGES, LOADER.parents[1], core.parent, PYODIDE, *wheel_paths()]
    process = subprocess.Popen([*command(engine, places), PAGES / "in_process.mjs", script])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{engine} took no step by way of {way}")
    return used.ru_utime + used.ru_stime


def _in_page(program: str, way: str, core: Path) -> float:
    """Return the CPU seconds of a whole browser from when its page begins to load until the step is answered."""
    wheels = {f"/wheels/{path.name}": path for path in wheel_paths()}
    stock = {
        "pyodide": "/pyodide/pyodide.mjs",
        "indexURL": "/pyodide/",
        "archives": list(wheels),
        "core": f"/core/{core.name}",
    }
    job = stock if way == "stock" else {"tier": way, "loader": "/dist/core/boot.js"}
    with Served(job, pages=PAGES) as served:
        served.folders |= {"/wheels/": next(iter(wheels.values())).parent, "/core/": core.parent}
        with browser(program, f"{served.address}/page.html") as process:
            used: dict[str, float] = {}
            for mark in ("start", "end"):
                served.marks[mark] = lambda mark=mark: used.update({mark: _tree_seconds(process.pid)})
            if not served.done.wait(TIME_LIMIT_S):
                raise TimeoutError(f"{program} took no step by way of {way} in {TIME_LIMIT_S} s")
    assert served.result is not None
    if served.result["error"]:
        raise RuntimeError(served.result["error"])
    return used["end"] - used["start"]


def _tree_seconds(root: int) -> float:
    """Return the CPU seconds that a process and all its descendants have used, ended ones included."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # the process has ended
        parents[int(entry.name)] = int(fields[1])
        ticks[int(entry.name)] = sum(map(int, fields[11:15]))
    return sum(ticks[pid] for pid in ticks if _descends(pid, root, parents)) / os.sysconf("SC_CLK_TCK")


def _descends(pid: int, root: int, parents: dict[int, int]) -> bool:
    while pid != root and pid in parents:
        pid = parents[pid]
    return pid == root


def file_bytes() -> dict[str, int]:
    """Return what each file of the bundle takes when it is sent with brotli."""
    script = ROOT / "web" / "bundle" / "sizes.mjs"
    done = subprocess.run(["node", script], check=True, capture_output=True, text=True)
    sizes: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return {name: size["brotli"] for name, size in sizes.items()}


def _sizes() -> list[Figure]:
    """Measure what a first visit transfers, compressed, for each form of the bundle."""
    sizes, known = file_bytes(), budgets()
    return [
        Figure(
            f"first visit with the {tier}, brotli",
            sum(size for name, size in sizes.items() if tier in known[name]["tiers"]) / 1e6,
            "MB",
            most / 1e6,
        )
        for tier, most in most_bytes().items()
    ]


def _calls() -> list[Figure]:
    """Measure a step called from JavaScript in Node, early and late in a run."""
    lengths = (10, 10_000)
    cases = [json.loads(LongRun(length).input()) for length in lengths]
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        job.write_text(json.dumps({"loader": LOADER.as_uri(), "agent": json.dumps(AGENT), "cases": cases}))
        done = subprocess.run(["node", PAGES / "calls.mjs", job], check=True, capture_output=True, text=True)
    short, long = json.loads(done.stdout)
    return [
        Figure("step from JavaScript, JSON included, at 10 messages", short, "µs", at_most=60),
        Figure("step from JavaScript, JSON included, at 10,000 messages", long, "µs", at_most=60),
        Figure("10,000 messages to 10", long / short, "times", at_most=1.5),
    ]


def _waits() -> list[Figure]:
    """Measure how long the page's thread waits at most while a worker loads the core."""
    if missing("chromium"):
        return []
    gaps = [run_in("chromium-worker", tier, vectors=[]).longest_gap_ms for tier in ("snapshot", "zip")]
    return [Figure("longest wait of the page while a worker loads the core", max(gaps), "ms", at_most=100)]
