"""Requirement 38: `rates` folds any number of logs into success by model, way, number of tools and cause."""

import json
from pathlib import Path

import msgspec
import pytest

from purestep_formats import RateProfile, rates_of
from tests.cli.conftest import Shell, call, final

SUITE = Path(__file__).resolve().parents[2] / "docs" / "suites" / "orders.jsonl"


@pytest.fixture
def logs(shell: Shell) -> Path:
    """Four sessions, two of them of a model whose output could not be read at first, and once not at all."""
    shell.scripted(final("Yes."), tools="echo")
    shell.scripted(call("echo", text="tree"), final("It says tree."), tools="echo")
    shell.scripted("{x}", final("Yes."), tools="echo")
    shell.scripted("{x}", "{x}", tools="echo")
    return shell.sessions


def test_logs_of_a_folder_are_counted(shell: Shell, logs: Path) -> None:
    """As a table with counts and an interval, never a share alone, and with what went wrong."""
    result = shell("rates", str(logs))
    assert 0 == result.returncode
    first, corrected, failed = result.stdout.splitlines()
    assert ["script", "envelope", "json_schema", "1-3", "3 of 4", "30-96 %"] == first.split("\t")
    assert "script: parse_error 2" in corrected
    assert "script: parse_error 1" in failed
    assert "4 logs, 4 questions; from 2" in result.stderr


def test_the_profile_is_the_fold_of_the_logs(shell: Shell, logs: Path) -> None:
    """What --json and --out give is what the core's fold gives, in whatever way the logs are named."""
    expected = RateProfile()
    for path in sorted(logs.glob("*/log.jsonl")):
        expected = rates_of(path.read_bytes(), expected)
    out = shell.folder / "rates.json"
    told = json.loads(shell("rates", str(logs), "--out", str(out), "--json").stdout)
    assert json.loads(msgspec.json.encode(expected)) == told["profile"] == json.loads(out.read_text("utf-8"))
    names = [path.name for path in logs.iterdir() if path.is_dir() and not path.name.startswith(".")]
    for given in (("--sessions", str(logs)), (*names, names[0], "--sessions", str(logs))):
        assert told == json.loads(shell("rates", *given, "--json").stdout)
    piped = shell("rates", "-", "--json", input=min(logs.glob("*/log.jsonl")).read_text("utf-8"))
    assert 1 == json.loads(piped.stdout)["profile"]["logs"]
    assert 1 == json.loads(shell("rates", "last", "--sessions", str(logs), "--json").stdout)["profile"]["logs"]


def test_damaged_logs_are_named_and_left_out(shell: Shell, logs: Path) -> None:
    """Each with its line; the others count, and a torn last line is no damage."""
    first, second, third, _ = sorted(logs.glob("*/log.jsonl"))
    lines = first.read_bytes().splitlines(keepends=True)
    first.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    second.write_bytes(b"\xff" * 100)
    third.write_bytes(third.read_bytes()[:-10])
    result = shell("rates", str(logs))
    assert "left out   " + str(first) + ": line 3: " in result.stderr
    assert "left out   " + str(second) in result.stderr
    assert "2 logs, 2 questions" in result.stderr
    assert "2 logs left out" in result.stderr


def test_a_profile_replaces_nothing_else(shell: Shell, logs: Path) -> None:
    """A log that is named by mistake stays, while an older profile is replaced."""
    log = min(logs.glob("*/log.jsonl"))
    before = log.read_bytes()
    refused = shell("rates", str(logs), "--out", str(log))
    assert (2, before) == (refused.returncode, log.read_bytes())
    assert "holds something else than rates" in refused.stderr
    out = str(shell.folder / "rates.json")
    assert [0, 0] == [shell("rates", str(logs), "--out", out).returncode for _ in range(2)]


@pytest.mark.parametrize("given", [("nowhere",), (), ("--out", "no/such/folder.json")])
def test_what_is_not_there_is_told(shell: Shell, given: tuple[str, ...]) -> None:
    """In a sentence, as a wrong usage."""
    result = shell("rates", *given)
    assert (2, "") == (result.returncode, result.stdout)
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("/proc/x", "which cannot be written (No such file or directory); give a file in a folder that takes files"),
        ("no/such/x.json", "whose folder does not exist; give a file in a folder that does"),
        ("log.jsonl/x.json", "whose folder does not exist; give a file in a folder that does"),
        ("x" * 300, "which cannot be written (File name too long); give a file in a folder that takes files"),
        ("x" * 253, "which cannot be written (File name too long); give a file in a folder that takes files"),
        (".", "a folder; give a file"),
        ("/dev/full", "which holds something else than rates; give another file"),
    ],
)
def test_where_a_profile_cannot_be_written_is_told(shell: Shell, logs: Path, out: str, why: str) -> None:
    """In one sentence that names the option, the place and what to give."""
    log = min(logs.glob("*/log.jsonl")).read_text("utf-8")
    (shell.folder / "log.jsonl").write_text(log, "utf-8")
    done = shell("rates", str(logs), "--out", out)
    assert (2, "") == (done.returncode, done.stdout)
    assert [f"purestep: --out names {out}, {why}"] == done.stderr.splitlines()


def test_an_agent_file_names_its_rates_by_a_file(shell: Shell, logs: Path) -> None:
    """The file is found from the folder of the agent file on, and the row says which model is asked and why."""
    folder = shell.folder / "agents"
    folder.mkdir()
    assert 0 == shell("rates", str(logs), "--out", str(folder / "rates.json")).returncode
    models = [{"name": "tiny"}, {"name": "script"}]
    policies = [{"use": "rates", "profile": "rates.json", "least": 50}]
    agent = {"models": models, "policies": policies, "tools": ["echo"]}
    (folder / "agent.json").write_text(json.dumps(agent), "utf-8")
    result = shell.scripted(final("Yes."), options=("--agent", str(folder / "agent.json")))
    assert 0 == result.returncode, result.stderr
    assert "asks tiny; such requests succeeded: tiny 0 of 0, script 3 of 4" in result.stderr
    assert ["tiny"] == [line["model"] for line in shell.facts("decided")]
    (folder / "rates.json").unlink()
    missing = shell.scripted(final("Yes."), options=("--agent", str(folder / "agent.json")))
    assert 2 == missing.returncode
    assert "rates.json cannot be read" in missing.stderr


def test_what_an_evaluation_found_counts(shell: Shell) -> None:
    """Of the folder of an evaluation, a run whose answer was wrong has failed."""
    assert 0 == shell("eval", str(SUITE), "--models", "script", "--out", "out").returncode
    result = shell("rates", "out")
    assert 0 == result.returncode
    assert "2 of 3" in result.stdout
    assert "script: wrong_answer 1" in result.stdout
    assert "left out" not in result.stderr
