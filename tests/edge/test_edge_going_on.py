"""Runs that come back: with approvals, another query, or their log alone, on every host."""

import json

import purestep
from tests.edge.drivers import Service
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import ASK, approval, run, standing


def test_approved_call_runs(service: Service, llm: ModelServer) -> None:
    """The run stops where a person is asked, and goes on with the answer and the state that come back."""
    fetched = len(llm.fetched)
    asked = run(service, query="[page]", agent=ASK)
    assert (200, None, "request_approval") == (asked.status, asked.json()["result"], asked.json()["decision"]["type"])
    assert fetched == len(llm.fetched)

    done = run(service, agent=ASK, **standing(asked), approvals=approval(asked))
    assert 200 == done.status
    assert "The shop opens at nine." in done.json()["result"]
    log = asked.json()["log"] + done.json()["log"]
    assert json.loads(purestep.verify_log(log, done.json()["state"]["head"]))["ok"]


def test_refused_call_does_not_run(service: Service, llm: ModelServer) -> None:
    """A refusal with its reason goes back to the model."""
    fetched = len(llm.fetched)
    asked = run(service, query="[page]", agent=ASK)
    refused = approval(asked, approved=False, reason="not today")
    done = run(service, agent=ASK, **standing(asked), approvals=refused)
    assert 200 == done.status
    assert "not today" in done.json()["result"]
    assert fetched == len(llm.fetched)


def test_asking_again_changes_nothing(service: Service) -> None:
    """A caller that lost the answer may ask where the run stands; the call still waits."""
    asked = run(service, query="[page]", agent=ASK)
    again = run(service, agent=ASK, **standing(asked))
    assert [asked.json()[name] for name in ("decision", "state", "messages", "seal")] == [
        again.json()[name] for name in ("decision", "state", "messages", "seal")
    ]
    assert "" == again.json()["log"]


def test_log_alone_goes_on(service: Service) -> None:
    """The whole log is enough to take a run up, and comes back with the new lines after it."""
    asked = run(service, query="[page]", agent=ASK).json()
    again = run(service, agent=ASK, log=asked["log"], seal=asked["seal"])
    assert asked["state"] == again.json()["state"]
    done = run(
        service,
        agent=ASK,
        state=asked["state"],
        messages=asked["messages"],
        log=asked["log"],
        seal=asked["seal"],
        approvals=approval(again),
    )
    value = done.json()
    assert 200 == done.status
    assert value["log"].startswith(asked["log"])
    assert json.loads(purestep.verify_log(value["log"], value["state"]["head"]))["ok"]


def test_ended_run_takes_another_query(service: Service) -> None:
    """A conversation goes on by its state."""
    first = run(service, query="[hello]")
    second = run(service, query="[hello] again", **standing(first))
    assert (200, "It says: [hello] again") == (second.status, second.json()["result"])
    assert len(second.json()["messages"]) > len(first.json()["messages"])


def test_a_query_in_the_middle_of_a_run_steers_it(service: Service, llm: ModelServer) -> None:
    """While a person is asked, the question stays the same; the model is told after the call's result."""
    asked = run(service, query="[page]", agent=ASK)
    steered = run(service, agent=ASK, **standing(asked), query="[hello]")
    assert (200, asked.json()["decision"]) == (steered.status, steered.json()["decision"])
    done = run(service, agent=ASK, **standing(steered), approvals=approval(steered))
    assert 200 == done.status
    log = asked.json()["log"] + steered.json()["log"] + done.json()["log"]
    assert json.loads(purestep.verify_log(log, done.json()["state"]["head"]))["ok"]
    assert "[hello]" in done.json()["messages"][-2]["content"]
