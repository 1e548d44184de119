"""What a step costs in Pyodide, called from JavaScript with a string and answering with one."""

import json
import subprocess
import tempfile
from pathlib import Path

from bench.figures import Figure
from bench.runs import AGENT, LongRun
from tools.wasm.core_archive import write_core_archive
from tools.wasm.wheels import FOLDER

ROOT = Path(__file__).resolve().parent.parent


def measure() -> list[Figure]:
    """Measure the delta form at two lengths and the bare loop in Node."""
    cases = [{"name": name, "input": LongRun(length).input()} for name, length in (("10", 10), ("10,000", 10_000))]
    plan = {"setup": [{"function": "load_agent", "args": [json.dumps(AGENT)]}], "cases": cases}
    with tempfile.TemporaryDirectory() as folder:
        core, plan_file = Path(folder, "core.zip"), Path(folder, "cases.json")
        write_core_archive(core)
        plan_file.write_text(json.dumps(plan))
        command = ["node", ROOT / "tests" / "pyodide" / "bench.mjs", core, FOLDER, plan_file]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    short, long = (case["us"] for case in found["cases"])
    return [
        Figure("start to the core imported", found["start_ms"], "ms"),
        Figure("delta step at 10 messages", short, "µs", at_most=60),
        Figure("delta step at 10,000 messages", long, "µs", at_most=60),
        Figure("10,000 messages to 10", long / short, "times", at_most=1.5),
        Figure("bare loop: decode a small struct, hash it", found["floor_us"], "µs"),
        Figure("delta step to bare loop", short / found["floor_us"], "times"),
    ]
