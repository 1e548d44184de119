"""`purestep eval`: a suite is run, printed, stopped, gone on with, and compared."""

from __future__ import annotations

import json
import re
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from purestep_hosts.cli import codes
from purestep_hosts.models.scripted import says
from tests.cli.conftest import Shell, Terminal, ended
from tests.evaluation.suites import sum_case, written

SUITE = Path(__file__).resolve().parents[2] / "docs" / "suites" / "orders.jsonl"


def test_a_suite_is_run_and_printed(shell: Shell) -> None:
    """The table has a row for each variant; the page and the results are in the folder."""
    done = shell("eval", str(SUITE), "--models", "script", "--carry", "off,ground", "--out", "out")
    assert codes.DONE == done.returncode, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    assert ["script carry off", "2 of 3", "66.7 %", "20.8-93.9", "1"] == rows[0][:5]
    assert "wrong_arguments 1" in done.stdout
    assert {"latest.json", "logs", "report.html", "results.jsonl"} == {
        path.name for path in (shell.folder / "out").iterdir()
    }


def test_numbers_are_whole_on_a_terminal(terminal: Terminal) -> None:
    """In a hundred columns the heads have two lines, and no number is broken."""
    child = terminal("eval", str(SUITE), "--models", "script", env={"COLUMNS": "100", "NO_COLOR": "1"})
    assert codes.DONE == ended(child)
    assert re.search(r"script +2 of 3 +66\.7 % +20\.8-93\.9 +1 +2\.00 ", child.before or ""), child.before


def test_json_has_all_figures(shell: Shell) -> None:
    """One object on stdout, with what was planned and made, and each variant's figures."""
    done = shell("eval", str(SUITE), "--models", "script", "--repeats", "2", "--limit", "2", "--json")
    found = json.loads(done.stdout)
    [variant] = found["variants"]
    assert (4, 4, False, 4, 2) == (found["planned"], found["made"], found["stopped"], variant["runs"], variant["right"])
    assert (shell.folder / found["report"]).is_file()
    assert ({"wrong_arguments": 2}, 2) == (variant["causes"], variant["silent"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--models", "script", "--carry", "far"), "the levels are off, ground"),
        (("--models", "script", "--dialects", "klingon"), "the dialects are "),
        (("--models", "script", "--format", "csv"), "the forms are purestep, bfcl and openai-evals"),
        (("--models", "script", "--answers", "a.json"), "--answers goes with --format bfcl"),
        (("--models", "nothing.gguf"), "nothing.gguf"),
        (("--models", "script", "--repeats", "0"), "--repeats"),
    ],
)
def test_wrong_usage_is_said(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    """What is wrong is named, nothing is run, and no folder is made."""
    done = shell("eval", str(SUITE), *arguments)
    assert codes.USAGE == done.returncode
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert [] == list(shell.folder.glob("evaluation*"))


def test_a_suite_that_is_missing_is_said_before_models_are_loaded(shell: Shell) -> None:
    """The default model would be downloaded first."""
    done = shell("eval", "none.jsonl", "--models", "nothing.gguf")
    assert (codes.USAGE, True, False) == (done.returncode, "none.jsonl" in done.stderr, "gguf" in done.stderr)


def test_a_judge_has_to_be_named(shell: Shell) -> None:
    """A suite with rubrics is not run without the model that judges."""
    suite = written(shell.folder / "suite.jsonl", [sum_case(1, judge={"rubric": "Is it right?"})])
    done = shell("eval", str(suite), "--models", "script")
    assert (codes.USAGE, True) == (done.returncode, "--judge MODEL" in done.stderr)


def test_a_model_that_plays_the_user_has_to_be_named(shell: Shell) -> None:
    """A suite alone has no model asked; one that is named plays users, and its log is kept."""
    user = {"goal": "Know what 1 plus 1 is.", "script": [says({"say": "", "done": True})]}
    suite = written(shell.folder / "suite.jsonl", [sum_case(1, user=user)])
    done = shell("eval", str(suite), "--models", "script")
    assert (codes.USAGE, True) == (done.returncode, "--user MODEL" in done.stderr), done.stderr
    done = shell("eval", str(suite), "--models", "script", "--user", "script", "--out", "out")
    assert (codes.DONE, True) == (done.returncode, "1 of 1" in done.stdout), done.stderr
    assert 1 == len([*shell.folder.glob("out/logs/*/*.user.jsonl")])


def test_two_evaluations_are_compared(shell: Shell) -> None:
    """What got better and worse is named, printed, and on a page with links to both logs."""
    right, wrong = sum_case(1), sum_case(1, right=False)
    for name, cases in (("a", [right, sum_case(2), sum_case(3)]), ("b", [wrong, sum_case(2), sum_case(3)])):
        shell("eval", str(written(shell.folder / f"{name}.jsonl", cases)), "--models", "script", "--out", name)
    done = shell("eval", "compare", "a", "b", "--report", "page.html")
    assert codes.DONE == done.returncode, done.stderr
    assert "b\ta\t3\t0\t1\t1.000\t1 against 0" in done.stdout
    assert "worse      sum-1" in done.stdout
    page = (shell.folder / "page.html").read_text()
    assert "Wrong in silence: 0 and 1 runs." in page
    assert all(f'href="{name}/logs/' in page for name in "ab")
    found = json.loads(shell("eval", "compare", "b", "a", "--json").stdout)
    assert (["sum-1"], [], 3) == (found["better"], found["worse"], found["cases"])
    assert (1, 0) == (found["one_silent"], found["other_silent"])


def test_a_case_that_was_changed_is_compared_as_it_is_now(shell: Shell) -> None:
    """A folder keeps results of cases as they were before; they are no part of a comparison."""
    suite = shell.folder / "suite.jsonl"
    for case in (sum_case(1, right=False), sum_case(1)):
        shell("eval", str(written(suite, [case])), "--models", "script", "--out", "a")
    shell("eval", str(suite), "--models", "script", "--out", "b")
    found = json.loads(shell("eval", "compare", "a", "b", "--json").stdout)
    assert ([], [], 1) == (found["better"], found["worse"], found["runs"])
    assert 2 == (shell.folder / "a" / "results.jsonl").read_text().count("\n")


def test_what_cannot_be_compared_is_said(shell: Shell) -> None:
    """A folder that is no evaluation, and two that have no case in common."""
    for number in (1, 2):
        suite = written(shell.folder / f"{number}.jsonl", [sum_case(number)])
        shell("eval", str(suite), "--models", "script", "--out", f"out{number}")
    assert "no results.jsonl" in shell("eval", "compare", "out1", "none").stderr
    assert "no case in common" in shell("eval", "compare", "out1", "out2").stderr


def test_interrupt_keeps_what_is_made(own_process: Shell) -> None:
    """After Ctrl-C the command says how far it is and exits with 130; the same command goes on."""
    suite = written(own_process.folder / "suite.jsonl", map(sum_case, range(400)))
    command = own_process.command("eval", str(suite), "--models", "script", "--out", "out")
    started = subprocess.Popen(
        command, cwd=own_process.folder, env=own_process.environment, stderr=subprocess.PIPE, text=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    results = own_process.folder / "out" / "results.jsonl"
    while not results.exists() or results.stat().st_size == 0:
        assert started.poll() is None
        time.sleep(0.01)
    started.send_signal(signal.SIGINT)
    _, said = started.communicate()
    assert codes.CANCELLED == started.returncode, said
    assert "of 400 runs are made; the same command goes on" in said
    assert 0 < results.read_text().count("\n") < 400
    done = own_process("eval", str(suite), "--models", "script", "--out", "out", "--json")
    assert 400 == json.loads(done.stdout)["made"]


def test_a_folder_that_cannot_be_written_is_said(shell: Shell) -> None:
    """A file stands where the folder should be."""
    (shell.folder / "out").write_text("")
    done = shell("eval", str(SUITE), "--models", "script", "--out", "out")
    assert codes.USAGE == done.returncode
    assert "cannot be" in done.stderr
    assert "Traceback" not in done.stderr


UNCOMPILED = {"PYTHONDONTWRITEBYTECODE": "1"}
"""Python would keep its compiled modules, cut off at the limit, and no other program could import them."""


def test_a_full_disk_is_said_and_the_command_goes_on_later(own_process: Shell) -> None:
    """What has a result keeps it; once there is room, the same command makes the rest."""
    suite = written(own_process.folder / "suite.jsonl", map(sum_case, range(40)))
    given = ("eval", str(suite), "--models", "script", "--out", "out")
    full = subprocess.run(
        own_process.command(*given), cwd=own_process.folder, env=own_process.environment | UNCOMPILED,
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)),
    )  # fmt: skip
    assert codes.USAGE == full.returncode, full.stderr
    assert "out cannot be written (File too large); the same command goes on once it can" in full.stderr
    kept = (own_process.folder / "out" / "results.jsonl").read_bytes().rpartition(b"\n")[0]
    assert 0 < kept.count(b"\n") < 39
    assert 40 == json.loads(own_process(*given, "--json").stdout)["made"]
    assert (own_process.folder / "out" / "results.jsonl").read_bytes().startswith(kept)


def test_logs_are_recorded_runs(shell: Shell) -> None:
    """The logs of an evaluation are redriven as any others."""
    shell("eval", str(SUITE), "--models", "script", "--out", "out")
    shutil.rmtree(shell.folder / "none", ignore_errors=True)
    done = shell("redrive", "out/logs")
    assert (codes.DONE, 3) == (done.returncode, done.stdout.count("same "))
