"""Runs at the edge that come back while calls of theirs may have run: nothing is run twice unasked, on every host."""

import json
from typing import Any

import purestep
from tests.edge.drivers import Service
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import approval, run, standing

URL = {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}
UNKNOWN_EFFECT = {"tools": [{"name": "fetch_url", "parameters": URL}]}
"""A definition that does not say that fetching is harmless."""


def kinds(log: str) -> list[str]:
    """Return the kinds of the events of a log."""
    return [json.loads(line)["kind"] for line in log.splitlines()]


def verified(*answers: Any) -> bool:
    """Whether the logs of these answers are one log that leads to the last state."""
    log = "".join(answer.json()["log"] for answer in answers)
    return bool(json.loads(purestep.verify_log(log, answers[-1].json()["state"]["head"]))["ok"])


def test_call_that_was_open_is_asked_about_before_it_runs_again(service: Service, llm: ModelServer) -> None:
    """A request cannot know what became of a call that an earlier one handed out; refused, it does not run again."""
    open_ = run(service, query="[slow]", agent=UNKNOWN_EFFECT)
    assert (504, "invoke_tool") == (open_.status, open_.json()["decision"]["type"])
    fetched = len(llm.fetched)

    asked = run(service, agent=UNKNOWN_EFFECT, **standing(open_))
    (entry,) = asked.json()["decision"]["calls"]
    (before,) = open_.json()["decision"]["calls"]
    assert (200, "request_approval", "outcome_unknown") == (
        asked.status,
        asked.json()["decision"]["type"],
        entry["reason"],
    )
    assert (before["key"], ["resumed", "approval_request"]) == (entry["key"], kinds(asked.json()["log"]))

    done = run(service, agent=UNKNOWN_EFFECT, **standing(asked), approvals=approval(asked, approved=False))
    assert (200, fetched) == (done.status, len(llm.fetched))
    assert "it may have run" in done.json()["result"]
    assert verified(open_, asked, done)


def test_approved_again_it_runs_and_is_not_asked_about_once_more(service: Service, llm: ModelServer) -> None:
    """The answer of a person comes with the request that runs the call: there, nothing has been handed out before."""
    open_ = run(service, query="[slow]", agent=UNKNOWN_EFFECT)
    asked = run(service, agent=UNKNOWN_EFFECT, **standing(open_))
    fetched = len(llm.fetched)
    again = run(service, agent=UNKNOWN_EFFECT, **standing(asked), approvals=approval(asked))
    assert (504, "time_limit", fetched + 1) == (again.status, again.json()["error"]["code"], len(llm.fetched))
    assert ["approval"] == kinds(again.json()["log"])
    assert verified(open_, asked, again)


def test_log_alone_is_taken_up_like_a_state(service: Service, llm: ModelServer) -> None:
    """A log that ends at a call is that of a run whose request ended there."""
    open_ = run(service, query="[slow]", agent=UNKNOWN_EFFECT)
    fetched = len(llm.fetched)
    asked = run(service, agent=UNKNOWN_EFFECT, log=open_.json()["log"], seal=open_.json()["seal"])
    assert ("request_approval", fetched) == (asked.json()["decision"]["type"], len(llm.fetched))
    assert verified(asked)


def test_harmless_call_runs_again_unasked(service: Service, llm: ModelServer) -> None:
    """The service's own tool only reads, and says so."""
    open_ = run(service, query="[slow]")
    fetched = len(llm.fetched)
    again = run(service, **standing(open_))
    assert (504, "time_limit", fetched + 1) == (again.status, again.json()["error"]["code"], len(llm.fetched))
    assert ["resumed"] == kinds(again.json()["log"])
    assert verified(open_, again)


def test_results_that_came_before_the_time_limit_are_kept(service: Service, llm: ModelServer) -> None:
    """Of two calls, the one that came back is recorded, and only the other one is open."""
    open_ = run(service, query="[both]")
    value = open_.json()
    assert (504, ["call_2"]) == (open_.status, [entry["call_id"] for entry in value["decision"]["calls"]])
    assert ["tool_result", "verdict"] == kinds(value["log"])[-2:]
    fetched = len(llm.fetched)
    again = run(service, **standing(open_))
    assert ["/slow"] == llm.fetched[fetched:]
    assert verified(open_, again)
