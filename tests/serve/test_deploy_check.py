"""Another definition for a service with runs under way: it is told what becomes of them, and none is left unasked."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import purestep
from purestep import Change
from purestep_hosts.cli.deploy_checking import print_checked
from purestep_hosts.deploy_check import CheckedRun, StoredLog, checked_runs
from purestep_hosts.show.printer import stdout_printer
from tests.cli.conftest import base_environment
from tests.serve.conftest import SESSIONS, SOON_S, Serving, Start, calls, says

SCRIPT: list[Any] = [calls("refund_order", number=8), says("Refunded.")]
FIRST = {"name": "desk", "instructions": "You refund.", "tools": ["find_order", "refund_order"]}
WORDS = {**FIRST, "instructions": "You refund orders."}
DENIED = {**FIRST, "approval": {"tools": {"refund_order": "deny"}}}
LOW = {**FIRST, "limits": {"max_turns": 1}}
WIDE = {**FIRST, "models": [{"name": "m", "window_tokens": 9000}]}


def with_runs(start: Start, folder: Path) -> Serving:
    """Start a service with a run that waits for a person, and one that has ended."""
    for name, definition in (("first", FIRST), ("words", WORDS), ("denied", DENIED), ("low", LOW), ("wide", WIDE)):
        (folder / f"{name}.json").write_text(json.dumps(definition))
    service = start("--agent", "first.json", script=[says("Hello."), *SCRIPT])
    assert "done" == service.post("/runs", {"query": "Hello"}).json["status"]
    assert "waiting" == service.post("/runs", {"query": "Refund 8"}).json["status"]
    return service


@pytest.fixture
def service_with_runs(start: Start, tmp_path: Path) -> Serving:
    """A service with such runs."""
    return with_runs(start, tmp_path)


def starting(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Start a service that is expected to refuse that."""
    command = [sys.executable, "-m", "purestep_hosts.cli", "serve", "--port", "0", "--no-token", *options]
    command += ["--functions", "tools.py", "--script", "script.jsonl"]
    environment = {**base_environment(), "HOME": str(folder)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=SOON_S
    )


def checked(folder: Path, agent: str, *options: str, kept: tuple[str, ...] = SESSIONS) -> tuple[int, str, str]:
    """Run the command in the folder of a service."""
    command = [sys.executable, "-m", "purestep_hosts.cli", "deploy-check", "--agent", agent, *kept, *options]
    command += ["--functions", "tools.py", "--script", "script.jsonl"]
    environment = {**base_environment(), "HOME": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def labels(told: str) -> list[str]:
    """Return what the rows begin with."""
    return [line[:11].strip() for line in told.splitlines()]


def waiting_run(service: Serving) -> dict[str, Any]:
    """Return the run that waits."""
    (entry,) = [each for each in service.get("/runs").json["runs"] if each["status"] == "waiting"]
    run: dict[str, Any] = service.get(f"/runs/{entry['run']}").json
    return run


def test_the_command_tells_what_becomes_of_runs(service_with_runs: Serving, tmp_path: Path) -> None:
    """The same definition leaves all as they are; others answer a call, or cannot go on, and the exit code says so."""
    service = service_with_runs
    run = waiting_run(service)["run"]
    service.kill()
    code, told, _ = checked(tmp_path, "first.json")
    assert (0, ["runs"], True) == (code, labels(told), f"none under way in {SESSIONS[1]}" in told), told
    code, told, _ = checked(tmp_path, "words.json")
    assert (0, ["goes on", "runs"]) == (code, labels(told))
    code, told, _ = checked(tmp_path, "denied.json")
    assert (0, ["answered", "", "runs"]) == (code, labels(told))
    assert "refund_order answered: refund_order was not run" in told
    code, told, _ = checked(tmp_path, "low.json")
    assert (1, ["goes on", "runs"], True) == (code, labels(told), "but fails after its calls: no answer within" in told)
    code, told, _ = checked(tmp_path, "wide.json")
    assert (1, True) == (code, "cannot" in told and "window_tokens" in told)
    (found,) = json.loads(checked(tmp_path, "wide.json", "--json")[1])
    assert (run, "refused") == (found["run"], found["change"]["verdict"])


def test_a_service_refuses_to_leave_runs(service_with_runs: Serving, start: Start, tmp_path: Path) -> None:
    """Nothing is served before its operator says what is to become of them."""
    service = service_with_runs
    run = waiting_run(service)["run"]
    service.kill()
    done = starting(tmp_path, *SESSIONS, "--agent", "words.json")
    assert (2, True, True) == (done.returncode, run in done.stderr, "--in-flight take-over" in done.stderr)
    left = start("--agent", "words.json", "--in-flight", "leave", script=SCRIPT[1:])
    call = waiting_run(left)["approvals"][0]
    answer = {"approvals": [{"call_id": call["call_id"], "key": call["key"], "approved": True}]}
    assert (409, "agent_mismatch") == left.post(f"/runs/{run}", answer).fault


def test_a_damaged_log_keeps_no_service_from_starting(service_with_runs: Serving, start: Start, tmp_path: Path) -> None:
    """The command tells of it; no definition mends it, and who goes on with that run hears why not."""
    run = waiting_run(service_with_runs)["run"]
    service_with_runs.kill()
    (log,) = tmp_path.glob(f"**/{run}/log.jsonl")
    log.write_text(log.read_text().replace("Refund 8", "Refund 9", 1))
    code, told, _ = checked(tmp_path, "first.json")
    assert (1, ["unread", "runs"]) == (code, labels(told))
    assert (
        "done" == start("--agent", "first.json", script=[says("Hello.")]).post("/runs", {"query": "x"}).json["status"]
    )


def test_each_verdict_stands_apart_from_its_run(capsys: pytest.CaptureFixture[str]) -> None:
    """A label ends before the column in which the run begins."""
    verdicts = get_args(get_type_hints(Change)["verdict"])
    print_checked(stdout_printer(), [CheckedRun(run="run-1", change=Change(verdict=each)) for each in verdicts], "runs")
    assert len(verdicts) == capsys.readouterr().out.count(" run-1\n")


def test_a_line_that_is_nested_endlessly_is_told_of() -> None:
    """As the replay does it."""
    deep = '{"kind":' + "[" * 100_000 + "]" * 100_000 + "}\n"
    (found,) = checked_runs([StoredLog("run-1", deep)], purestep.Agent.load({}))
    assert found.problem is not None


def test_runs_go_on_under_the_other_definition(service_with_runs: Serving, start: Start, tmp_path: Path) -> None:
    """Told to take them over, the answer of a person holds, chats go on, and the log says under which definition."""
    service = service_with_runs
    run, ended = waiting_run(service), service.get("/runs").json["runs"][1]["run"]
    service.kill()
    service = start(
        "--agent", "words.json", "--in-flight", "take-over", script=[says("Refunded."), says("Hello again.")]
    )
    call = run["approvals"][0]
    answer = {"approvals": [{"call_id": call["call_id"], "key": call["key"], "approved": True}]}
    assert "Refunded." == service.post(f"/runs/{run['run']}", answer).json["answer"]
    assert "8\n" == (tmp_path / "refunds").read_text()
    assert "Hello again." == service.post(f"/runs/{ended}", {"query": "Hello?"}).json["answer"]
    for each in (run["run"], ended):
        assert 1 == service.get(f"/runs/{each}/log").text.count('"kind":"agent_changed"')


def test_a_call_that_the_other_definition_answers(service_with_runs: Serving, start: Start, tmp_path: Path) -> None:
    """An answer to it comes too late and is refused; the run goes on, and nothing was done."""
    service = service_with_runs
    run = waiting_run(service)
    service.kill()
    service = start("--agent", "denied.json", "--in-flight", "take-over", script=[says("I could not.")])
    call = run["approvals"][0]
    answer = {"approvals": [{"call_id": call["call_id"], "key": call["key"], "approved": True}]}
    assert (409, "wrong_phase") == service.post(f"/runs/{run['run']}", answer).fault
    assert "I could not." == service.post(f"/runs/{run['run']}", {}).json["answer"]
    assert not (tmp_path / "refunds").exists()


def test_a_folder_that_is_not_there_is_no_empty_service(tmp_path: Path) -> None:
    """A name with a typing error would say that all is well."""
    (tmp_path / "first.json").write_text(json.dumps(FIRST))
    (tmp_path / "file").write_text("")
    for name in ("missing", "file"):
        done = subprocess.run(
            [sys.executable, "-m", "purestep_hosts.cli", "deploy-check", "--agent", "first.json", "--sessions", name],
            cwd=tmp_path,
            env={**base_environment(), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (2, True) == (done.returncode, f"{name} is no folder of sessions" in done.stderr), done.stderr
