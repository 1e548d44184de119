"""Results are kept by what a run depends on: nothing is made twice, and nothing is lost by a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import purestep
from purestep_hosts.evaluation import EvalError, EvalStore, RunRecord, Variant
from purestep_hosts.models.scripted import calls, says
from tests.evaluation.suites import evaluated, plan_of, sum_case, written

ROOT = Path(__file__).resolve().parents[2]


def test_a_second_start_makes_what_is_missing(tmp_path: Path) -> None:
    """A longer suite with another variant runs only what is new, and gives the same results."""
    out, suite = tmp_path / "out", tmp_path / "suite.jsonl"
    made: list[RunRecord] = []
    first = evaluated(plan_of(written(suite, map(sum_case, range(3)))), out, made.append)
    again = evaluated(plan_of(suite), out, made.append)
    assert (3, first) == (len(made), again)
    variants = [Variant(model="script"), Variant(model="script", carry="ground")]
    longer = evaluated(plan_of(written(suite, map(sum_case, range(4))), variants=variants), out, made.append)
    assert (8, 8) == (len(longer), len(made))


def test_every_result_has_a_log_that_verifies(tmp_path: Path) -> None:
    """The log of a run is beside its result, and its head is the one of the result."""
    for record in evaluated(plan_of(written(tmp_path / "suite.jsonl", map(sum_case, range(5)))), tmp_path / "out"):
        verified = purestep.verify((tmp_path / "out" / record.log()).read_text(), record.head)
        assert verified.ok


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_torn_last_result_is_cut_off(tmp_path: Path, cut: int) -> None:
    """What a kill leaves of a line is no result: its run is made again, and the file is whole."""
    plan, out = plan_of(written(tmp_path / "suite.jsonl", map(sum_case, range(4)))), tmp_path / "out"
    evaluated(plan, out)
    results = out / "results.jsonl"
    results.write_bytes(results.read_bytes()[:-cut])
    made: list[RunRecord] = []
    assert 4 == len(evaluated(plan, out, made.append))
    assert 1 == len(made)
    assert 4 == sum("key" in json.loads(line) for line in results.read_text().splitlines())


def test_a_lost_log_is_made_again(tmp_path: Path) -> None:
    """A result without its log proves nothing."""
    plan, out = plan_of(written(tmp_path / "suite.jsonl", map(sum_case, range(2)))), tmp_path / "out"
    [first, _] = evaluated(plan, out)
    (out / first.log()).unlink()
    made: list[RunRecord] = []
    evaluated(plan, out, made.append)
    assert [first.case] == [record.case for record in made]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    """A line before the last one that is no result is not passed over."""
    plan, out = plan_of(written(tmp_path / "suite.jsonl", map(sum_case, range(3)))), tmp_path / "out"
    evaluated(plan, out)
    lines = (out / "results.jsonl").read_text().splitlines(keepends=True)
    (out / "results.jsonl").write_text("".join([lines[0], '{"key":7}\n', lines[2]]))
    with pytest.raises(EvalError, match="line 2 is no result"):
        EvalStore(out)


def test_one_process_writes_a_folder(tmp_path: Path) -> None:
    """The second one is told, and may read."""
    with EvalStore(tmp_path) as store:
        with pytest.raises(EvalError, match="another process"):
            EvalStore(tmp_path)
        with EvalStore(tmp_path, writes=False) as reader:
            assert (0, 0) == (len(store), len(reader))


def test_a_model_that_did_not_answer_is_asked_again(tmp_path: Path) -> None:
    """A model error is no result of the model's work: the next start makes the run again."""
    silent = sum_case(1, script=[])
    plan, out = plan_of(written(tmp_path / "suite.jsonl", [silent, sum_case(2)])), tmp_path / "out"
    made: list[RunRecord] = []
    evaluated(plan, out, made.append)
    evaluated(plan, out, made.append)
    assert ["sum-1", "sum-2", "sum-1"] == [record.case for record in made]


def test_an_evaluation_that_is_killed_goes_on(tmp_path: Path) -> None:
    """Two hundred runs, killed again and again: each has one result in the end, and those made before are as they were.

    Every kill comes once some more results are on disk.
    """
    suite, out = written(tmp_path / "suite.jsonl", map(sum_case, range(200))), tmp_path / "out"
    command = [sys.executable, "-m", "purestep_hosts.cli", "eval", str(suite), "--models", "script", "--out", str(out)]
    results, before = out / "results.jsonl", ""
    for killed_at in (1, 60, 120):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not results.exists() or results.read_bytes().count(b"\n") < killed_at:
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        now = results.read_text()
        assert now.startswith(before)
        before = now[: now.rfind("\n") + 1]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    assert [200, 200] == [json.loads(done.stdout)[name] for name in ("planned", "made")]
    lines = results.read_text().splitlines()
    assert results.read_text().startswith(before)
    assert 200 == len(lines) == len({json.loads(line)["key"] for line in lines})


GROWING = """
import resource, sys
from pathlib import Path
from tests.evaluation.suites import evaluated, plan_of, sum_case, written
number, folder = int(sys.argv[1]), Path(sys.argv[2])
plan = plan_of(written(folder / f"{number}.jsonl", map(sum_case, range(number))))
from purestep_hosts.evaluation import EvalStore, Runner
from purestep_hosts.mask import Mask
import asyncio
with EvalStore(folder / str(number)) as store:
    asyncio.run(Runner(plan, store, 4, Mask()).run())
    assert len(store) == number
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_runs(tmp_path: Path) -> None:
    """Ten times the runs take less memory for each than its log has: they are on disk, and an index is kept."""
    peaks = []
    for number in (150, 1500):
        done = subprocess.run(
            [sys.executable, "-c", GROWING, str(number), str(tmp_path)],
            capture_output=True, text=True, check=True, cwd=ROOT,
        )  # fmt: skip
        peaks.append(int(done.stdout) * (1 if sys.platform != "darwin" else 1 / 1024))
    sizes = [log.stat().st_size for log in (tmp_path / "1500" / "logs").rglob("*.jsonl")]
    assert len(sizes) == 1500
    assert (peaks[1] - peaks[0]) * 1024 < sum(sizes)


def test_models_run_side_by_side(tmp_path: Path) -> None:
    """Several runs of a model go on at once, each with its own script."""
    cases = [
        {"id": f"c{n}", "query": "q", "tools": ["add_numbers"], "answer": f"{n + 1}",
         "script": [calls("add_numbers", a=n, b=1), says(f"{n + 1}")]}
        for n in range(20)
    ]  # fmt: skip
    assert all(record.right for record in evaluated(plan_of(written(tmp_path / "s.jsonl", cases)), tmp_path / "out"))
