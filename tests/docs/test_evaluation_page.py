"""The page of evaluation: its command prints what it says, its cases are read."""

import fnmatch
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from purestep_hosts.evaluation import EvalCase
from purestep_hosts.models.scripted import calls, says
from tests.evaluation.suites import plan_of, result_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_the_command_prints_what_the_page_says(tmp_path: Path) -> None:
    """The console example runs on the suite of the page; * stands for times."""
    shutil.copy(ROOT / "docs" / "suites" / "orders.jsonl", tmp_path)
    [(command, output)] = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    environment = {"PATH": str(Path(sys.executable).parent), "HOME": str(tmp_path)}
    done = subprocess.run(command.split(), cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert fnmatch.fnmatchcase(done.stdout, output), done.stdout


def test_the_cases_are_read(tmp_path: Path) -> None:
    """The suite of the page is one, with tools that have results."""
    [block] = re.findall(r"^```jsonl\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    suite = tmp_path / "suite.jsonl"
    suite.write_text(block, encoding="utf-8")
    keys = [run.key for run in plan_of(suite).runs()]
    assert 4 == len(set(keys))


def test_the_case_with_a_user_and_a_state_runs(tmp_path: Path) -> None:
    """The user is asked for the number, and the order is cancelled then."""
    [block] = re.findall(r"^```jsonl\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    [case] = [each for each in map(json.loads, block.splitlines()) if "user" in each]
    script = [says("Which number?"), calls("cancel", number=4711), calls("cancel", number=4711), says("It is.")]
    assert result_of({**case, "script": script}, tmp_path).right
    assert "wrong_state" == result_of({**case, "script": [says("Which one?")]}, tmp_path).cause


def test_all_members_of_a_case_are_told() -> None:
    """The table of members names each that a case may have."""
    table = PAGE.partition("| member | what it says |")[2].partition("\n\n")[0]
    told = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", "".join(row.split("|")[1:2]))}
    assert set(EvalCase.__struct_fields__) - {"note"} == told
