"""What runs the vectors in stock Pyodide tells a wrong one, and what measures steps there measures them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import purestep

FOLDER = Path(__file__).resolve().parent
TIME_LIMIT_S = 300  # starting Pyodide takes 5 s on an idle machine


def run_node(node: str, script: str, *arguments: Path) -> dict[str, Any]:
    """Run a script of this folder and return the JSON that it prints."""
    done = subprocess.run(
        [node, FOLDER / script, *arguments], check=False, capture_output=True, text=True, timeout=TIME_LIMIT_S
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_a_wrong_output_is_reported(node: str, wasm_folder: Path, core_archive: Path, tmp_path: Path) -> None:
    """The comparison can fail: a vector with an output that no step gives is told apart."""
    vectors = tmp_path / "wrong.jsonl"
    vectors.write_text(json.dumps({"name": "wrong", "function": "run_agent_step", "args": ["{}"], "output": "?"}))

    report = run_node(node, "run_vectors.mjs", core_archive, wasm_folder, vectors)

    assert 0 == report["passed"]
    assert ["wrong"] == [failure["name"] for failure in report["failed"]]


def test_benchmark_measures_a_step_in_pyodide(node: str, wasm_folder: Path, core_archive: Path, tmp_path: Path) -> None:
    """The benchmark names each case with a time, and with its ratio to the least a step has to do."""
    state = purestep.create_agent_state("hello")
    cases = tmp_path / "cases.json"
    cases.write_text(
        json.dumps(
            {
                "rounds": 1,
                "calls": 2,
                "cases": [{"name": "ask again", "input": json.dumps({"state_json": state})}],
            }
        )
    )

    report = run_node(node, "bench.mjs", core_archive, wasm_folder, cases)

    assert ["ask again"] == [case["name"] for case in report["cases"]]
    assert report["cases"][0]["us"] > 0
    assert report["cases"][0]["ratio"] > 0
