"""Runs over HTTP: begun, streamed, answered, cancelled, and there after the service was killed."""

import json
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep_formats
from purestep import verify
from purestep_hosts.mcp import server_entries
from purestep_hosts.state_folder import digest_of, remember
from tests.serve.conftest import SOON_S, Serving, Start, as_event, calls, in_background, says, wait_until


def test_run_is_answered_as_json(start: Start) -> None:
    """Who asks for nothing else waits for the end and reads where the run stands."""
    service = start(script=[calls("find_order", number=7), says("It is lost.")])
    reply = service.post("/runs", {"query": "Where is order 7?"})
    assert (200, "done", "It is lost.", 1) == (
        reply.status, reply.json["status"], reply.json["answer"], reply.json["usage"]["tool_calls"]
    )  # fmt: skip
    assert reply.headers["Run"] == reply.json["run"]
    assert reply.json == service.get(f"/runs/{reply.json['run']}").json


def test_stream_holds_what_the_log_says(start: Start) -> None:
    """A stream ends as the projection of the log ends, and reading it again gives the projection itself."""
    service = start(script=[calls("find_order", number=7), says("It is lost."), says("Goodbye.")])
    first = service.post("/runs?form=ag-ui", {"query": "Where is order 7?"})
    run = first.headers["Run"]
    second = service.post(f"/runs/{run}?form=ai-sdk", {"query": "Thank you."})
    log = service.get(f"/runs/{run}/log").text
    assert "text/event-stream; charset=utf-8" == first.headers["Content-Type"]
    assert (["RUN_STARTED", "RUN_FINISHED"], "v1") == (
        [first.events[0]["type"], first.events[-1]["type"]], second.headers["x-vercel-ai-ui-message-stream"]
    )  # fmt: skip
    assert ["start", "finish", "[DONE]"] == [second.events[0]["type"], second.events[-2]["type"], second.events[-1]]
    assert purestep_formats.project(log, "ag-ui") == service.get(f"/runs/{run}/events?form=ag-ui").events
    assert [*purestep_formats.project(log, "ai-sdk"), "[DONE]"] == service.get(f"/runs/{run}/events?form=ai-sdk").events
    assert verify(log).ok


def test_approval_is_given_after_kill_9(start: Start, tmp_path: Path) -> None:
    """A run waits for approval, the process is killed, and another one goes on: the call runs once."""
    service = start(script=[calls("refund_order", number=8)])
    stream = service.post("/runs?form=ag-ui", {"query": "Refund order 8."})
    run, outcome = stream.headers["Run"], stream.events[-1]["outcome"]
    service.kill()
    service = start(script=[says("Order 8 is refunded.")])
    waiting = service.get(f"/runs/{run}").json
    assert ("interrupt", "waiting", "refund_order") == (
        outcome["type"], waiting["status"], waiting["approvals"][0]["tool"]
    )  # fmt: skip
    assert outcome["interrupts"][0]["id"] == waiting["approvals"][0]["key"]
    answer = {name: waiting["approvals"][0][name] for name in ("call_id", "key")} | {"approved": True}
    done = service.post(f"/runs/{run}?form=ag-ui", {"approvals": [answer]})
    assert ("RUN_STARTED", {"type": "success"}) == (done.events[0]["type"], done.events[-1]["outcome"])
    assert "Order 8 is refunded." == service.get(f"/runs/{run}").json["answer"]
    assert "8\n" == (tmp_path / "refunds").read_text()
    assert (409, "wrong_phase") == service.post(f"/runs/{run}", {"approvals": [answer]}).fault
    assert verify(service.get(f"/runs/{run}/log").text).ok


def test_refusal_and_other_arguments(start: Start, tmp_path: Path) -> None:
    """A person may refuse, or approve the call with other arguments."""
    service = start(
        script=[calls("refund_order", number=8), says("No."), calls("refund_order", number=9), says("Yes.")]
    )
    for approved, params in ((False, None), (True, {"number": 10})):
        waiting = service.post("/runs", {"query": "Refund it."}).json
        call = waiting["approvals"][0]
        answer = {"call_id": call["call_id"], "key": call["key"], "approved": approved, "params": params}
        assert "done" == service.post(f"/runs/{waiting['run']}", {"approvals": [answer]}).json["status"]
    assert "10\n" == (tmp_path / "refunds").read_text()


def test_forged_approval_is_refused(start: Start, tmp_path: Path) -> None:
    """An answer that names another key runs nothing, and the call still waits."""
    service = start(script=[calls("refund_order", number=8)])
    waiting = service.post("/runs", {"query": "Refund it."}).json
    answer = {"call_id": waiting["approvals"][0]["call_id"], "key": "0" * 32, "approved": True}
    assert (409, "stale_approval") == service.post(f"/runs/{waiting['run']}", {"approvals": [answer]}).fault
    assert ("waiting", False) == (service.status_of(waiting["run"]), (tmp_path / "refunds").exists())


def test_killed_in_the_middle_of_a_call(start: Start, tmp_path: Path) -> None:
    """A harmless call runs again after the service was killed in it; the run was shown as interrupted."""
    service = start(script=[calls("wait_for", file="there"), says("Good.")])
    in_background(lambda: service.post("/runs", {"query": "Wait."}))
    wait_until((tmp_path / "waiting").exists)
    run = service.get("/runs").json["runs"][0]["run"]
    assert "running" == service.status_of(run)
    service.kill()
    (tmp_path / "there").touch()
    service = start(script=[says("Good.")])
    assert "interrupted" == service.status_of(run)
    assert "Good." == service.post(f"/runs/{run}", {}).json["answer"]


def gone_on(service: Serving, run: str) -> Any:
    """Have a run go on after a kill; one in a database does so by itself, and is waited for."""
    answer = service.post(f"/runs/{run}", {}).json
    if answer.get("error") == "run_active":
        wait_until(lambda: service.status_of(run) != "running")
        answer = service.get(f"/runs/{run}").json
    return answer


def test_killed_in_a_call_that_may_have_run(start: Start, tmp_path: Path) -> None:
    """About a call with effects a person is asked, since nobody knows whether it ran."""
    service = start(script=[calls("hang", seconds=100)])
    in_background(lambda: service.post("/runs", {"query": "Do it."}))
    wait_until((tmp_path / "hanging").exists)
    run = service.get("/runs").json["runs"][0]["run"]
    service.kill()
    service = start(script=[says("Good.")])
    asked = gone_on(service, run)
    assert ("waiting", "outcome_unknown") == (asked["status"], asked["approvals"][0]["reason"])


def test_cancel_ends_a_run(start: Start) -> None:
    """A run that goes on ends as cancelled, for its reader too; so does one that waits; one that is done does not."""
    service = start(script=[calls("wait_for", file="never"), calls("refund_order", number=8), says("Done.")])
    stream = service.open("POST", "/runs?form=ag-ui", {"query": "Wait."})
    run = stream.run
    wait_until((service.folder / "waiting").exists)
    cancelled = service.post(f"/runs/{run}/cancel", {}).json
    assert ("failed", "cancelled") == (cancelled["status"], cancelled["failure"]["code"])
    ended = as_event(stream.response.read().decode().strip().split("\n\n")[-1])
    assert {"type": "cancelled"} == ended["outcome"]
    waiting = service.post("/runs", {"query": "Refund it."}).json
    assert "cancelled" == service.post(f"/runs/{waiting['run']}/cancel", {}).json["failure"]["code"]
    done = service.post("/runs", {"query": "Say done."}).json
    assert (409, "wrong_phase") == service.post(f"/runs/{done['run']}/cancel", {}).fault
    assert verify(service.get(f"/runs/{run}/log").text).ok


def test_last_reader_that_leaves_cancels(start: Start) -> None:
    """With a second reader the run goes on; when that has left too, it is cancelled."""
    service = start(script=[calls("wait_for", file="never"), calls("wait_for", file="there"), says("Good.")])
    first = service.open("POST", "/runs?form=ag-ui", {"query": "Wait."})
    run = first.run
    second = service.open("GET", f"/runs/{run}/events")
    assert "RUN_STARTED" == second.next_event()["type"]
    first.close()
    assert "running" == service.status_of(run)
    second.close()
    service.becomes(run, "failed")
    assert "cancelled" == service.get(f"/runs/{run}").json["failure"]["code"]


def test_readers_that_leave_at_once_cancel(start: Start) -> None:
    """Whatever the service is doing in that moment, each run ends as cancelled."""
    service = start(script=[calls("wait_for", file="never")] * 8)
    streams = [service.open("POST", "/runs?form=ag-ui", {"query": "Wait."}) for _ in range(8)]
    for stream in streams:
        assert "RUN_STARTED" == stream.next_event()["type"]
        stream.close()
    for stream in streams:
        service.becomes(stream.run, "failed")
        assert "cancelled" == service.get(f"/runs/{stream.run}").json["failure"]["code"]


def test_detached_run_goes_on_without_readers(start: Start, tmp_path: Path) -> None:
    """It ends as it would have, and can be read later."""
    service = start(script=[calls("wait_for", file="there"), says("Good.")])
    stream = service.open("POST", "/runs?form=ag-ui&detached=true", {"query": "Wait."})
    run = stream.run
    stream.close()
    wait_until((tmp_path / "waiting").exists)
    assert (409, "run_active") == service.post(f"/runs/{run}", {"query": "And?"}).fault
    (tmp_path / "there").touch()
    service.becomes(run, "done")
    assert "Good." == service.get(f"/runs/{run}").json["answer"]


def test_late_reader_reads_the_same_events(start: Start, tmp_path: Path) -> None:
    """Who joins in the middle gets what was before, and both read to the same end."""
    service = start(script=[calls("wait_for", file="there"), says("Good."), says("Bye.")])
    early = service.open("POST", "/runs?form=ai-sdk", {"query": "Wait."})
    run = early.run
    wait_until((tmp_path / "waiting").exists)
    thread, late = in_background(lambda: service.get(f"/runs/{run}/events?form=ai-sdk").text)
    (tmp_path / "there").touch()
    thread.join(SOON_S)
    assert [early.response.read().decode()] == late


def test_list_comes_in_parts(start: Start) -> None:
    """Newest first, each run once, and the last part says that it is the last."""
    service = start(script=[says("One."), says("Two."), says("Three.")])
    runs = [service.post("/runs", {"query": f"Say {word}."}).json["run"] for word in ("one", "two", "three")]
    first = service.get("/runs?limit=2").json
    second = service.get(f"/runs?limit=2&before={first['next']}").json
    assert (runs[::-1], None) == ([entry["run"] for part in (first, second) for entry in part["runs"]], second["next"])
    assert {"done"} == {entry["status"] for entry in first["runs"]}


def test_time_limit_cancels(start: Start) -> None:
    """An exchange that lasts longer than the service allows ends as cancelled."""
    service = start("--time-limit", "1", script=[calls("wait_for", file="never")])
    assert "cancelled" == service.post("/runs", {"query": "Wait."}).json["failure"]["code"]


def test_sigterm_ends_in_order(start: Start) -> None:
    """Streams end, what goes on is cancelled in its log, and the exit code is 0."""
    service = start(script=[calls("wait_for", file="never")])
    run = service.open("POST", "/runs?form=ag-ui", {"query": "Wait."}).run
    service.process.send_signal(signal.SIGTERM)
    assert 0 == service.process.wait(SOON_S)
    again = start(script=[])
    assert "cancelled" == again.get(f"/runs/{run}").json["failure"]["code"]
    assert "Traceback" not in (service.folder / "errors").read_text()


def test_a_form_of_an_mcp_server_is_answered_later(start: Start) -> None:
    """The run waits with the form, whose answer is checked, and the server goes on with it."""
    form = {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}
    tool = {"name": "go", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    given = json.dumps({"tools": [tool], "elicits": [{"message": "How many?", "requestedSchema": form}]})
    raw = Path(__file__).parents[1] / "hosts/mcp_raw_server.py"
    server = shlex.join([sys.executable, str(raw), given])
    service = start("--mcp", f"raw={server}", script=[calls("raw__go"), says("Booked.")])
    waiting = service.post("/runs", {"query": "Book."}).json
    call = waiting["approvals"][0]
    assert ("waiting", "form", "How many?") == (waiting["status"], call["reason"], call["note"])
    answer = {"call_id": call["call_id"], "key": call["key"], "approved": True}
    assert (400, "invalid_arguments") == service.post(f"/runs/{waiting['run']}", {"approvals": [answer]}).fault
    done = service.post(f"/runs/{waiting['run']}", {"approvals": [{**answer, "params": {"seats": 2}}]}).json
    assert ("done", "Booked.") == (done["status"], done["answer"])
    log = service.get(f"/runs/{waiting['run']}/log").text
    assert '{\\"seats\\": 2}' in log
    assert verify(log).ok


def test_an_mcp_server_has_the_model_asked_once_somebody_allows_it(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run waits with what the model would be asked; a later request allows it, and its use is told."""
    tool = {"name": "go", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    wanted = {"messages": [{"role": "user", "content": {"type": "text", "text": "Hello"}}], "maxTokens": 9}
    given = json.dumps({"tools": [tool], "elicits": [wanted], "method": "sampling/createMessage"})
    raw = str(Path(__file__).parents[1] / "hosts/mcp_raw_server.py")
    entry = {"command": sys.executable, "args": [raw, given], "sampling": "ask"}
    agent = tmp_path / "sampling.json"
    agent.write_text(json.dumps({"mcp": {"raw": entry}}))
    monkeypatch.setenv("HOME", str(tmp_path))  # as the service has it, where a person has confirmed the server before
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    confirmed = msgspec.json.encode(server_entries({"raw": entry}, "")).decode()
    remember("mcp", digest_of(str(tmp_path.resolve()), confirmed))
    short = {"type": "model_output", "content": "Short.", "usage": {"prompt_tokens": 10, "completion_tokens": 3}}
    service = start("--agent", str(agent), script=[calls("raw__go"), short, says("Done.")])
    waiting = service.post("/runs", {"query": "Go."}).json
    call = waiting["approvals"][0]
    assert ("form", True) == (call["reason"], call["note"].endswith("user:\n| Hello"))
    answer = {"call_id": call["call_id"], "key": call["key"], "approved": True}
    done = service.post(f"/runs/{waiting['run']}", {"approvals": [answer]}).json
    assert ("done", 10, 3) == (done["status"], done["usage"]["prompt_tokens"], done["usage"]["completion_tokens"])
    log = service.get(f"/runs/{waiting['run']}/log").text
    assert '\\"text\\": \\"Short.\\"' in log
    assert verify(log).ok
