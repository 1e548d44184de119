"""Results that come later, over HTTP: given with a token of their own, once, and also after the service was killed."""

from pathlib import Path
from typing import Any

from tests.serve.conftest import TOKEN, Serving, Start, calls, says
from tests.serve.test_agents_below import write_files

GIVER = "a-token-for-results-0123456789"
SCRIPT: list[Any] = [calls("report", year=2025), says("It is under way."), says("It has 42 pages.")]
BELOW: list[Any] = [
    calls("desk", question="Have the report made"), says("It has 42 pages."),
    {"agent": "desk"}, calls("report", year=2025), says("42 pages."),
]  # fmt: skip


def serving(start: Start, *options: str, script: list[Any] | None = None) -> Serving:
    """Start a service that takes results."""
    return start(*options, script=script, PURESTEP_RESULTS_TOKEN=GIVER)


def give(service: Serving, run: dict[str, Any], *, token: str | None = GIVER, **members: Any) -> Any:
    """Give the result of the first call that goes on elsewhere."""
    result = {"key": run["late"][0]["key"], "output": "42 pages", **members}
    return service.post("/results", {"run": run["run"], "results": [result]}, token=token)


def test_a_result_begins_an_exchange_after_a_kill(start: Start) -> None:
    """The answer names the call that goes on elsewhere; its result comes to another process, and the model reads it."""
    service = serving(start, script=SCRIPT[:2])
    run = service.post("/runs", {"query": "Have the report made"}).json
    assert ("done", "It is under way.", ["job-2025"]) == (
        run["status"], run["answer"], [call["handle"] for call in run["late"]]
    )  # fmt: skip
    service.kill()
    service = serving(start, script=SCRIPT[2:])
    given = give(service, run)
    assert (200, run["run"]) == (given.status, given.headers["Run"]), given.text
    service.becomes(run["run"], "done")
    ended = service.get(f"/runs/{run['run']}").json
    assert ("It has 42 pages.", False) == (ended["answer"], "late" in ended)
    assert (409, "not_awaited") == give(service, run).fault


def test_what_an_agent_below_waits_for_is_no_interruption(start: Start, tmp_path: Path) -> None:
    """A run whose agent waits for a result says `waiting`, and an empty request changes nothing."""
    write_files(tmp_path)
    service = serving(start, "--agent", "waits.json", script=BELOW)
    run = service.post("/runs", {"query": "Have the report made"}).json
    assert ("waiting", [["desk"]]) == (run["status"], [call["path"] for call in run["late"]]), run
    log = service.get(f"/runs/{run['run']}/log").text
    assert run == service.post(f"/runs/{run['run']}", {}).json
    assert log == service.get(f"/runs/{run['run']}/log").text
    assert 200 == give(service, run).status
    service.becomes(run["run"], "done")
    assert "It has 42 pages." == service.get(f"/runs/{run['run']}").json["answer"]


def test_no_user_gives_results(start: Start) -> None:
    """A user's token is none for results, nor the other way round; a failure is told as one."""
    service = serving(start, script=[*SCRIPT[:2], says("It failed.")])
    run = service.post("/runs", {"query": "Have the report made"}).json
    for token in (TOKEN, None, "x" * 30):
        assert (401, "unauthorized") == give(service, run, token=token).fault
    assert (401, "unauthorized") == service.get("/runs", token=GIVER).fault
    burnt = {"key": run["late"][0]["key"], "error": "the printer burns"}
    assert 200 == service.post("/results", {"run": run["run"], "results": [burnt]}, token=GIVER).status
    service.becomes(run["run"], "done")
    log = service.get(f"/runs/{run['run']}/log").text
    assert '"error":"the printer burns"' in log


def test_without_a_token_for_results_none_is_taken(start: Start) -> None:
    """A service with users that was given no such token says so."""
    service = start(script=SCRIPT)
    run = service.post("/runs", {"query": "Have the report made"}).json
    refused = give(service, run, token=TOKEN)
    assert (401, "unauthorized") == refused.fault
    assert "PURESTEP_RESULTS_TOKEN" in refused.json["message"]


def test_bad_results_change_nothing(start: Start) -> None:
    """Other runs, unknown and repeated keys, and other members are refused before anything is written."""
    service = serving(start, script=SCRIPT)
    run = service.post("/runs", {"query": "Have the report made"}).json
    log, key = service.get(f"/runs/{run['run']}/log").text, run["late"][0]["key"]
    one = {"key": key, "output": 1}
    bad = [
        ({"run": "../runs", "results": [one]}, 404),
        ({"run": "20260101-000000-000-000000", "results": [one]}, 404),
        ({"run": run["run"], "results": []}, 400),
        ({"run": run["run"], "results": [{"key": "\x1b[31m" + "x" * 10_000}]}, 409),
        ({"run": run["run"], "results": [one, one]}, 409),
        ({"run": run["run"], "results": [{"key": key}]}, 400),
        ({"run": run["run"], "results": [{"key": key, "error": None}]}, 400),
        ({"run": run["run"], "results": [{**one, "error": "the printer burns"}]}, 400),
        ({"run": run["run"], "results": [{**one, "output_of": 1}]}, 400),
        ({"run": run["run"], "results": [{**one, "error": 5}]}, 400),
        ({"run": run["run"], "results": one}, 400),
    ]
    for body, status in bad:
        reply = service.post("/results", body, token=GIVER)
        assert status == reply.status, (body, reply.text)
        assert ("\x1b" not in reply.text, len(reply.text) < 1_000) == (True, True)
    assert log == service.get(f"/runs/{run['run']}/log").text
    twice, neither = [
        service.post("/results", {"run": run["run"], "results": given}, token=GIVER).json
        for given in ([one, one], [{"key": key}])
    ]
    assert "is given twice: leave one out" in twice["message"]
    assert ("invalid_input", True) == (neither["error"], "one of the two" in neither["message"])


def test_a_call_may_give_nothing(start: Start) -> None:
    """A null is an output, where it is said."""
    service = serving(start, script=[*SCRIPT[:2], says("It is done.")])
    run = service.post("/runs", {"query": "Have the report made"}).json
    assert 200 == give(service, run, output=None).status
    service.becomes(run["run"], "done")
    assert "It is done." == service.get(f"/runs/{run['run']}").json["answer"]


def test_results_of_one_request_are_read_together(start: Start) -> None:
    """Two reports come, and the model is asked once."""
    both = [*map(str, (calls("report", year=2024), calls("report", year=2025)))]
    service = serving(start, script=[f"[{','.join(both)}]", says("Soon."), says("Both are there.")])
    run = service.post("/runs", {"query": "Have the reports made"}).json
    given = [{"key": call["key"], "output": call["handle"]} for call in run["late"]]
    assert 2 == len(given)
    assert 200 == service.post("/results", {"run": run["run"], "results": given}, token=GIVER).status
    service.becomes(run["run"], "done")
    ended = service.get(f"/runs/{run['run']}").json
    assert ("Both are there.", False) == (ended["answer"], "late" in ended)
    assert 1 == service.get(f"/runs/{run['run']}/log").text.count('"reason":"late_results"')
