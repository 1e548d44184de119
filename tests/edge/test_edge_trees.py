"""Agents that call others at the edge: the same trees as in Python give the same log, whichever host goes on."""

from collections.abc import Iterator
from typing import Any

import pytest

import purestep
from tests.edge.scripted_trees import Post, answers_to
from tests.edge.sealing import SEAL_KEYS
from tests.event_loops import run_in_loop
from tests.web.test_agent_trees import CASES, STOPPED, Case, in_python, stopped, with_specs

SEALED = {"sealKeys": SEAL_KEYS}
ENDING = {name: case for name, case in CASES.items() if "cancelled" not in name}
"""The cases that come to an end: no request cancels a run in the middle of its work."""


CARRIED = {
    "state": ("state", "messages", "children", "seal"),
    "log": ("log", "seal"),
    "both": ("state", "messages", "children", "log", "seal"),
}
"""What a client sends back to go on, by what it keeps."""


def at_the_edge(posts: Iterator[Post], parts: Case, by: str, **options: Any) -> dict[str, Any]:
    """Return the last body of a case with its whole log; each request is served by the next host."""
    body: dict[str, Any] = {}
    log = ""
    for part in parts:
        agent, said = with_specs(part["agent"]), part.get("approves", {})
        request = {"log": part["log"]} if "log" in part else {"query": part.get("query")}
        if body:
            request = {**carried(body, by), "approvals": answers_to(body, part["answers"])}
        while True:
            found = next(posts)(agent, request, options=options)
            body, agent = found["body"], found["agent"]
            if "log" not in body:
                return body
            log = body["log"] if "log" in request else log + body["log"]
            if not (approvals := answers_to(body, said)):
                break
            request = {**carried(body, by), "approvals": approvals}
    return {**body, "log": log}


def carried(body: dict[str, Any], by: str) -> dict[str, Any]:
    """Return what a client sends back to go on."""
    return {name: body[name] for name in CARRIED[by] if name in body}


def in_turn(posts: dict[str, Post]) -> Iterator[Post]:
    """Yield the hosts in turn, so that no run is served by one of them alone."""
    while True:
        yield from posts.values()


READS_ON_LATER = "an output read on after an agent whose own agent's call had the same id"
"""Goes on by the log alone, in which the output stands."""
WAYS = [(name, by) for name in ENDING for by in CARRIED if (name, by) != (READS_ON_LATER, "state")]


@pytest.mark.parametrize(("name", "by"), WAYS)
def test_trees_have_the_log_of_native_hosts(name: str, by: str, hosts_of_trees: dict[str, Post]) -> None:
    """From host to host, by the sealed state or by the log: the bytes are Python's, and verify."""
    body = at_the_edge(in_turn(hosts_of_trees), ENDING[name], by, **SEALED)
    log = run_in_loop(in_python(ENDING[name]))
    assert log == body["log"], body.get("error")
    assert purestep.verify(log, body["state"]["head"]).ok


@pytest.mark.parametrize("host", ["node", "workerd"])
def test_a_tree_goes_on_wherever_it_was_stopped(host: str, hosts_of_trees: dict[str, Post]) -> None:
    """After each line the run comes to the same end as in Python, by the same bytes."""
    cases = stopped(STOPPED, run_in_loop(in_python(CASES[STOPPED])))
    assert len(cases) > 20
    found = {name: at_the_edge(in_turn({host: hosts_of_trees[host]}), parts, "both") for name, parts in cases.items()}
    logs = {name: run_in_loop(in_python(parts)) for name, parts in cases.items()}
    assert logs == {name: body.get("log", body) for name, body in found.items()}
    assert {"Done."} == {body["result"] for body in found.values()}


def test_what_is_read_below_is_open_above_and_budgets_are_the_trees(hosts_of_trees: dict[str, Post]) -> None:
    """A person is asked about what an agent has read, and what an agent uses counts above; acts have their path."""
    node = hosts_of_trees["node"]
    (part,) = CASES["what an agent has read is open to its caller"]
    asked = node(with_specs(part["agent"]), {"query": "Read"})["body"]
    (call,) = asked["decision"]["calls"]
    assert ("send", ["open"]) == (call["tool"], call["origins"][0]["labels"])
    over = at_the_edge(in_turn(hosts_of_trees), CASES["an agent that uses its caller's budget up"], "state", **SEALED)
    assert "max_turns" == over["decision"]["code"]
    done = at_the_edge(in_turn(hosts_of_trees), CASES[STOPPED], "state", **SEALED)
    assert [["lead", "desk"]] == [act["path"] for act in done["decision"]["acts"]]
