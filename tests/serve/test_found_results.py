"""Results that a service finds by itself: of times that have come, and of tasks of MCP servers that have ended."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep import verify
from purestep_hosts.mcp.server_entry import server_entries
from purestep_hosts.state_folder import digest_of, remember
from tests.cli.test_cli_mcp import end_all
from tests.serve.conftest import Serving, Start, calls, says, wait_until

MCP_SERVER = str(Path(__file__).parents[1] / "hosts/mcp_task_server.py")


def in_ms(seconds: float) -> int:
    """Return a time from now."""
    return time.time_ns() // 1_000_000 + round(seconds * 1000)


def tell_later(service: Serving, folder: Path) -> int:
    """Have `wait_until_told` wait for a time that comes after a few more exchanges, however slow the machine is."""
    began = time.monotonic()
    assert "Hello." == service.post("/runs", {"query": "Hello"}).json["answer"]
    due_ms = in_ms(max(1.0, 20 * (time.monotonic() - began)))
    (folder / "due").write_text(str(due_ms))
    return due_ms


def sleep_past(due_ms: int) -> None:
    """Wait until a time has come, and somebody has looked whether it has."""
    time.sleep(max(0, due_ms - in_ms(0)) / 1000 + 2)


def results(service: Serving, run: str, **options: Any) -> list[Any]:
    """Return what the results of a run say, in order."""
    lines = map(json.loads, service.get(f"/runs/{run}/log", **options).text.splitlines())
    return [line.get("output", line.get("error")) for line in lines if line["kind"] == "tool_result"]


def kinds(service: Serving, run: str) -> list[str]:
    """Return the kinds of a run's results, messages and answers, in order."""
    lines = map(json.loads, service.get(f"/runs/{run}/log").text.splitlines())
    return [each for line in lines if (each := line["kind"]) in ("tool_result", "user_message", "final_answer")]


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an MCP server's tasks, which `agent.json` names and a person has confirmed before."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    entry = {"command": sys.executable, "args": [MCP_SERVER, str(folder), "reads"], "tasks": "later"}
    (tmp_path / "agent.json").write_text(json.dumps({"mcp": {"reports": entry}}))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    confirmed = msgspec.json.encode(server_entries({"reports": entry}, "")).decode()
    remember("mcp", digest_of(str(tmp_path.resolve()), confirmed))
    return folder


def test_a_time_that_comes_while_the_service_is_dead(start: Start, tmp_path: Path) -> None:
    """It was killed before; the next one gives the result as it starts, once."""
    service = start(script=[says("Hello."), calls("wait_until_told"), says("I wait.")])
    tell_later(service, tmp_path)
    run = service.post("/runs", {"query": "Wait."}).json
    assert ("I wait.", 1) == (run["answer"], len(run["late"]))
    service.kill()
    service = start(script=[says("It is time."), says("Too often.")])
    wait_until(lambda: service.get(f"/runs/{run['run']}").json.get("answer") == "It is time.")
    time.sleep(2)
    assert 1 == len(results(service, run["run"]))
    assert verify(service.get(f"/runs/{run['run']}/log").text).ok


def test_many_times_and_many_kills(start: Start) -> None:
    """Each result comes once; what a kill cuts off goes on when its user says so."""
    chance = random.Random(5)
    both = [calls("wait_until", ms=in_ms(1 + each / 2)) for each in range(12)]
    service = start(script=[f"[{','.join(both)}]", says("I wait.")])
    run = service.post("/runs", {"query": "Wait."}).json["run"]
    for _ in range(4):
        service.kill()
        service = start(script=[says("One more.")] * 40)
        time.sleep(chance.uniform(0, 2))
        service.post(f"/runs/{run}", {})  # where it was cut off

    def has_all() -> bool:
        return "late" not in service.post(f"/runs/{run}", {}).json

    wait_until(has_all)
    service.becomes(run, "done")
    assert 12 == len(results(service, run))
    assert verify(service.get(f"/runs/{run}/log").text).ok


def test_times_that_come_while_it_runs(start: Start) -> None:
    """Several of a run, each in its turn; one that is far away delays none."""
    both = [calls("wait_until", ms=in_ms(each)) for each in (9_999_999, 2, 1)]
    service = start(script=[f"[{','.join(both)}]", says("I wait."), says("One."), says("Two.")])
    run = service.post("/runs", {"query": "Wait."}).json["run"]
    wait_until(lambda: len(results(service, run)) == 2)
    service.becomes(run, "done")
    assert 1 == len(service.get(f"/runs/{run}").json["late"])


def test_a_cancelled_run_gets_nothing_by_itself(start: Start, tmp_path: Path) -> None:
    """Its time comes and goes; it counts again once the user says something."""
    script = [says("Hello."), calls("wait_until_told"), says("I wait."), calls("wait_for", file="never")]
    service = start(script=[*script, says("Hello."), says("It is time.")])
    due_ms = tell_later(service, tmp_path)
    run = service.post("/runs", {"query": "Wait."}).json["run"]
    stream = service.open("POST", f"/runs/{run}?detached=true&form=ag-ui", {"query": "Hold on."})
    wait_until((tmp_path / "waiting").exists)
    service.post(f"/runs/{run}/cancel", {})
    stream.close()
    log = service.get(f"/runs/{run}/log").text
    sleep_past(due_ms)
    assert log == service.get(f"/runs/{run}/log").text
    assert "Hello." == service.post(f"/runs/{run}", {"query": "Hello?"}).json["answer"]
    wait_until(lambda: service.get(f"/runs/{run}").json.get("answer") == "It is time.")


def test_a_task_is_asked_for_before_the_next_message(start: Start, tasks: Path) -> None:
    """Another process than the one that began it reads the result, then the message; an open task delays nothing."""
    service = start("--agent", "agent.json", script=[calls("reports__report", seconds=900), says("Under way.")])
    run = service.post("/runs", {"query": "Report."}).json
    assert ("Under way.", "reports__report") == (run["answer"], run["late"][0]["tool"])
    service.kill()
    script = [says("Not yet."), says("It has 42 pages."), says("You are welcome.")]
    service = start("--agent", "agent.json", script=script)
    assert "Not yet." == service.post(f"/runs/{run['run']}", {"query": "Is it there?"}).json["answer"]
    end_all(tasks)
    assert "You are welcome." == service.post(f"/runs/{run['run']}", {"query": "Thank you."}).json["answer"]
    assert [{"pages": 42}] == results(service, run["run"])
    asked = ["user_message", "final_answer"]
    assert [*asked, *asked, "tool_result", "final_answer", *asked] == kinds(service, run["run"])


def test_a_task_is_asked_for_before_the_next_message_of_a_chat(start: Start, tasks: Path) -> None:
    """The stream that the client reads is of its own message alone."""
    script = [
        calls("reports__report", seconds=1),
        says("Under way."),
        says("It has 42 pages."),
        says("You are welcome."),
    ]
    service = start("--agent", "agent.json", script=script)
    said = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "Report."}]}
    service.post("/ai-sdk", {"id": "chat-1", "messages": [said]})
    time.sleep(1)
    thanks = {"id": "m2", "role": "user", "parts": [{"type": "text", "text": "Thank you."}]}
    stream = service.post("/ai-sdk", {"id": "chat-1", "messages": [said, thanks]})
    run = stream.headers["Run"]
    text = "".join([event["delta"] for event in stream.events if "delta" in event])
    assert ("You are welcome.", [{"pages": 42}]) == (text, results(service, run))


def test_a_silent_server_holds_no_message_up(start: Start, tasks: Path) -> None:
    """It is asked, and after a while the message goes on without it."""
    service = start(
        "--agent", "agent.json", script=[calls("reports__report", seconds=1), says("Under way."), says("Hello.")]
    )
    run = service.post("/runs", {"query": "Report."}).json["run"]
    (tasks / "silent").touch()
    assert "Hello." == service.post(f"/runs/{run}", {"query": "Hello?"}).json["answer"]
    (tasks / "silent").unlink()


def test_each_user_gets_the_results_of_their_own_tasks(start: Start, tasks: Path, tmp_path: Path) -> None:
    """One service and one server for both; what one of them says fetches nothing of the other's."""
    users = {"ann": "token-of-ann-0123456789", "bob": "token-of-bob-0123456789"}
    (tmp_path / "tokens").write_text("".join(f"{name} {token}\n" for name, token in users.items()))
    script = [
        calls("reports__report", seconds=900),
        says("Under way."),
        calls("reports__report", seconds=1, ends="error"),
    ]
    script += [says("Under way."), says("Failed."), says("Hello, Bob."), says("Hello, Ann.")]
    service = start("--agent", "agent.json", "--tokens", "tokens", script=script, PURESTEP_SERVE_TOKEN="")
    ann, bob = [service.post("/runs", {"query": "Report."}, token=token).json["run"] for token in users.values()]
    time.sleep(1)
    told = service.post(f"/runs/{bob}", {"query": "Hello?"}, token=users["bob"]).json
    assert ("Hello, Bob.", ["no paper"]) == (told["answer"], results(service, bob, token=users["bob"]))
    assert [] == results(service, ann, token=users["ann"])
    assert (404, "run_not_found") == service.post(f"/runs/{ann}", {"query": "Hi"}, token=users["bob"]).fault
    assert "Hello, Ann." == service.post(f"/runs/{ann}", {"query": "Hello?"}, token=users["ann"]).json["answer"]
    assert 1 == len(service.get(f"/runs/{ann}", token=users["ann"]).json["late"])


def test_a_task_is_asked_for_while_nobody_says_anything(start: Start, tasks: Path) -> None:
    """After a kill, too: a session that has a task is looked at from the start on."""
    service = start("--agent", "agent.json", script=[calls("reports__report", seconds=1), says("Under way.")])
    run = service.post("/runs", {"query": "Report."}).json["run"]
    service.kill()
    service = start("--agent", "agent.json", script=[says("It has 42 pages.")])
    wait_until(lambda: service.get(f"/runs/{run}").json.get("answer") == "It has 42 pages.")
    assert [{"pages": 42}] == results(service, run)
