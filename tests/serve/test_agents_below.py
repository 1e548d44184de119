"""A served agent that calls others: people are asked from below, answer by any protocol, also after a restart."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.serve.conftest import TOKEN, Serving, Start, calls, in_background, says, wait_until
from tests.serve.test_ag_ui_client import CLIENT
from tests.serve.test_dashboard import PATIENCE_MS

DESK = {"name": "desk", "instructions": "You refund.", "tools": ["find_order", "refund_order", "hang"]}
HEAD = {"name": "head", "instructions": "You lead a desk.", "agents": {"desk": {"agent": "desk.json"}}}
LEAD = {
    "name": "lead",
    "instructions": "You lead.",
    "agents": {"head": {"agent": "head.json"}, "desk": {"agent": DESK}},
}
DEEP: list[Any] = [
    calls("head", question="Refund 8"), says("All is done."),
    {"agent": "head"}, calls("desk", question="Refund 8"), says("It is refunded."),
    {"agent": ["head", "desk"]}, calls("refund_order", number=8), says("Refunded."),
]  # fmt: skip


def write_files(folder: Path) -> None:
    """Write agent files; `inline` needs no functions."""
    inline = {"agents": {"desk": {"agent": {"instructions": "You refund."}}}}
    waits = {"agents": {"desk": {"agent": {"instructions": "You report.", "tools": ["report"]}}}}
    for name, definition in (("lead", LEAD), ("head", HEAD), ("desk", DESK), ("inline", inline), ("waits", waits)):
        (folder / f"{name}.json").write_text(json.dumps(definition))


@pytest.fixture
def team(start: Start, tmp_path: Path) -> Any:
    """Start a service whose agent calls others, by a script."""
    write_files(tmp_path)
    return lambda *script: start("--agent", "lead.json", script=list(script or DEEP))


def waiting(service: Serving) -> dict[str, Any]:
    """Begin a run that waits for a person; returns it."""
    run: dict[str, Any] = service.post("/runs", {"query": "Refund 8"}).json
    assert run["status"] == "waiting", run
    return run


def answer(call: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return a body that answers a call."""
    return {"approvals": [{"call_id": call["call_id"], "key": call["key"], "approved": True, **members}]}


def test_a_call_from_below_waits_with_its_path(team: Any, tmp_path: Path) -> None:
    """The run says whose call it is; the answer by its key lets it run, once."""
    service = team()
    run = waiting(service)
    (call,) = run["approvals"]
    assert ("refund_order", ["head", "desk"]) == (call["tool"], call["path"])
    ended = service.post(f"/runs/{run['run']}", answer(call)).json
    assert ("done", "All is done.") == (ended["status"], ended["answer"]), ended
    assert [["head", "desk"]] == [act["path"] for act in ended["acts"]]
    assert "8\n" == (tmp_path / "refunds").read_text()


def test_the_answer_finds_its_call_after_a_restart(team: Any, tmp_path: Path) -> None:
    """The process was killed while the run waited; another one goes on with it, each agent's script where it was."""
    first = team()
    run = waiting(first)
    first.kill()
    rest = [DEEP[1], DEEP[2], DEEP[4], DEEP[5], DEEP[7]]
    service = team(*rest)
    again = service.get(f"/runs/{run['run']}").json
    assert ("waiting", run["approvals"]) == (again["status"], again["approvals"])
    (call,) = again["approvals"]
    ended = service.post(f"/runs/{run['run']}", answer(call, approved=False, reason="not today")).json
    assert ("done", False) == (ended["status"], (tmp_path / "refunds").exists()), ended


def test_a_call_below_that_may_have_run_is_asked_about(team: Any, tmp_path: Path) -> None:
    """The process was killed while an agent's tool ran: the run goes on when asked, and names whose call it is."""
    script = [*DEEP[:6], calls("hang", seconds=600), DEEP[7]]
    first = team(*script)
    asked, _ = in_background(lambda: first.post("/runs", {"query": "Refund 8"}))
    wait_until((tmp_path / "hanging").exists)
    (entry,) = first.get("/runs").json["runs"]
    first.kill()
    asked.join()
    service = team(DEEP[1], DEEP[2], DEEP[4], DEEP[5], DEEP[7])
    assert "interrupted" == service.status_of(entry["run"])
    (call,) = service.post(f"/runs/{entry['run']}", {}).json["approvals"]
    assert (["head", "desk"], "outcome_unknown") == (call["path"], call["reason"])
    ended = service.post(f"/runs/{entry['run']}", answer(call, approved=False)).json
    assert ("done", ["unknown"]) == (ended["status"], [act["status"] for act in ended["acts"]]), ended


def test_both_protocols_take_the_answer_by_the_calls_of_the_stream(team: Any, tmp_path: Path) -> None:
    """An AI SDK client answers with the id that the part has, which begins with those of the calls above."""
    service = team()
    events = service.post(
        "/ai-sdk", {"id": "c1", "messages": [{"role": "user", "parts": [{"type": "text", "text": "Refund 8"}]}]}
    ).events
    (request,) = [event for event in events if isinstance(event, dict) and event["type"] == "tool-approval-request"]
    assert "call_1/call_1/call_1" == request["toolCallId"]
    part = {
        "type": "dynamic-tool",
        "toolName": "refund_order",
        "toolCallId": request["toolCallId"],
        "state": "approval-responded",
        "approval": {"id": request["approvalId"], "approved": True},
    }
    events = service.post("/ai-sdk", {"id": "c1", "messages": [{"role": "assistant", "parts": [part]}]}).events
    said = [event["delta"] for event in events if isinstance(event, dict) and event["type"] == "text-delta"]
    assert "All is done." == "".join(said)
    assert "8\n" == (tmp_path / "refunds").read_text()


def test_the_official_client_follows_a_tree(team: Any, node: str, tmp_path: Path) -> None:
    """AG-UI's own client verifies every event, shows the interrupt from below, and has only the answer as a message."""
    service = team()
    turns = [{"say": "Refund 8"}, {"approve": True}]
    done = subprocess.run(
        [node, str(CLIENT), service.url, TOKEN], input=json.dumps(turns), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (1, []) == (len(found["turns"][0]["interrupts"]), found["turns"][1]["interrupts"])
    said = [each["content"] for each in found["messages"] if each["role"] == "assistant" and each.get("content")]
    assert (["All is done."], "8\n") == (said, (tmp_path / "refunds").read_text())


def test_metrics_count_what_waits_below(start: Start, team: Any) -> None:
    """A call of an agent that waits is one that is open, and its answer is counted."""
    team()
    service = start("--agent", "lead.json", "--metrics", "open", script=list(DEEP))
    run = waiting(service)
    assert "purestep_approvals_open 1.0" in service.get("/metrics").text
    service.post(f"/runs/{run['run']}", answer(run["approvals"][0]))
    counted = service.get("/metrics").text
    assert 'purestep_approvals_answered_total{answer="approved"} 1.0' in counted
    assert 'purestep_tool_seconds_count{error="",tool="refund_order"} 1.0' in counted


def test_the_dashboard_shows_whose_calls_are(team: Any, browser: Browser, tmp_path: Path) -> None:
    """A person finds the call from below by the agents' names, and lets it run there."""
    service = team()
    waiting(service)
    with browser.new_page() as page:
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{service.url}/dashboard")
        page.get_by_label("Token of the service").fill(TOKEN)
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Refund").first.click()
        steps = page.get_by_role("list", name="Steps")
        expect(steps.get_by_text("head > desk > refund_order(number: 8)")).to_be_visible(timeout=PATIENCE_MS)
        expect(page.get_by_text("head > desk > approval_request")).to_be_visible()
        expect(page.get_by_role("group", name="head > desk > refund_order")).to_be_visible()
        approve = page.get_by_role("button", name="Approve and run")
        expect(approve).to_have_attribute("aria-disabled", "false", timeout=PATIENCE_MS)
        approve.click()
        expect(page.get_by_label("Answer")).to_have_text("All is done.", timeout=PATIENCE_MS)
        ended = page.get_by_text("head > child_ended").locator("..")
        expect(ended).to_contain_text("desk", timeout=PATIENCE_MS)
        expect(page.get_by_text("refund_order, approved")).to_be_visible()
    assert "8\n" == (tmp_path / "refunds").read_text()
