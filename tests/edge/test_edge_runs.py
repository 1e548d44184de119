"""Runs at the edge: answers, failures and their statuses, on every host."""

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import purestep
from tests import listing
from tests.edge.drivers import Service
from tests.edge.model_server import KEY, ModelServer
from tests.edge.run_requests import ASK, ENVELOPE, MEMBERS, approval, run, standing


@pytest.mark.parametrize("path", ["/run", "/"])
def test_query_alone_gives_a_result(service: Service, path: str) -> None:
    """The simple form: a query in, 200 and a result out."""
    answer = service.post(path, {"query": "[hello]"})

    value = answer.json()
    assert (200, "It says: [hello]") == (answer.status, value["result"])
    assert {"type": "done", "answer": "It says: [hello]"} == value["decision"]
    assert ("scripted", service.host) == (value["model"], value["host"])


def test_query_may_bring_a_tool_choice(service: Service) -> None:
    """The core checks it, and the log has it; without the query that it is for it is refused."""
    value = run(service, query="[hello]", tool_choice="none").json()
    said = [json.loads(line) for line in value["log"].splitlines()][1]
    assert ("It says: [hello]", "none") == (value["result"], said["tool_choice"])
    wrong = run(service, query="[hello]", tool_choice={"tool": "nothing"})
    assert (400, "/tool_choice/tool") == (wrong.status, wrong.json()["error"]["path"])
    alone = run(service, tool_choice="none", **standing(run(service, query="[hello]")))
    assert (400, "/tool_choice") == (alone.status, alone.json()["error"]["path"])


def test_answer_holds_a_log_that_verifies(service: Service) -> None:
    """What is handed back is the whole log of the run, and the state is where it leads."""
    value = run(service, query="[page]").json()

    assert MEMBERS == list(value)
    verified = json.loads(purestep.verify_log(value["log"], value["state"]["head"]))
    replayed = json.loads(purestep.replay_log(value["log"]))
    assert verified["ok"]
    assert value["state"] == replayed["state"]
    assert value["messages"] == replayed["messages"]


def test_page_of_an_allowed_host_is_fetched(service: Service, llm: ModelServer) -> None:
    """The tool of the edge runs, and its result reaches the model."""
    answer = run(service, query="[page]")
    assert 200 == answer.status
    assert "The shop opens at nine." in answer.json()["result"]
    assert "/page" in llm.fetched


def test_html_comes_as_its_text(service: Service) -> None:
    """No host at the edge has a DOM; markup, scripts and styles are left out all the same."""
    answer = run(service, query="[html]")
    assert "Shop & more\nOpens\nat nine." in answer.json()["result"]


def test_page_of_another_host_is_not_fetched(service: Service) -> None:
    """A host that the configuration does not name is refused to the model, which goes on."""
    answer = run(service, query="[elsewhere]")
    assert 200 == answer.status
    assert "192.0.2.1" in answer.json()["result"]
    assert "may not be fetched" in answer.json()["result"]


def test_key_and_address_of_the_model_come_from_the_wiring_and_are_not_told(service: Service, llm: ModelServer) -> None:
    """A server that repeats its key in an error, and its own address, stay out of answers and lines."""
    answer = run(service, query="[locked]")

    assert f"Bearer {KEY}" == llm.keys[-1]
    assert (500, "model_error") == (answer.status, answer.json()["error"]["code"])
    everything = answer.body.decode() + "\n".join(service.lines)
    assert KEY not in everything
    assert llm.address not in everything
    assert "[locked]" not in "\n".join(service.lines)


def test_servers_own_words_are_told_without_its_key_and_address(service: Service) -> None:
    """Neither with its port nor without."""
    answer = run(service, query="[refused]")

    assert (500, "model_error") == (answer.status, answer.json()["error"]["code"])
    assert "http://[address]/v1 ([address]) has no use for [key]" in answer.json()["error"]["message"]
    assert KEY not in answer.body.decode()
    assert "127.0.0.1" not in answer.body.decode()


def test_rejected_output_is_422(service: Service) -> None:
    """A guardrail's rejection has its own status, and the run is handed back all the same."""
    answer = run(service, query="[empty]")
    value = answer.json()
    assert (422, "guardrail") == (answer.status, value["error"]["code"])
    assert ["error", *MEMBERS] == list(value)
    assert "failed" == value["decision"]["type"]
    assert value["result"] is None


def test_listing_of_nothing_but_its_total_is_never_an_answer(service: Service) -> None:
    """A server gives `total 7079928`: rejected, asked for again, rejected, and a failure that says so."""
    answer = run(service, query="[listing] Which file is the largest?")
    value = answer.json()
    assert (422, None) == (answer.status, value["result"])
    listing.check_log([json.loads(line) for line in value["log"].splitlines()], "fetch_url")
    listing.check_failure(value["decision"], "fetch_url")
    assert value["decision"]["message"] == value["error"]["message"]


def test_listing_of_a_clients_own_tool_is_never_an_answer(service: Service) -> None:
    """The same step by step, with the command that the client ran."""
    called = {"kind": "tool_call", "tool_name": "shell", "arguments": {"command": listing.COMMAND}}
    said = {"type": "model_output", "content": json.dumps(called)}
    first = {"type": "user_message", "content": listing.QUESTION}
    given: dict[str, Any] = {"run_id": "largest"}
    lines, step = "", dict[str, Any]()
    for number in (1, 2):
        result = {"call_id": f"call_{number}", "ok": True, "output": listing.ONLY_TOTAL}
        for observation in (*([first] if number == 1 else []), said, {"type": "tool_results", "results": [result]}):
            answer = service.post("/step", {**given, "agent": {"tools": [listing.SHELL]}, "observation": observation})
            step = answer.json()
            assert 200 == answer.status, step
            lines, given = lines + step["log"], {"state": step["state"]}
    listing.check_log([json.loads(line) for line in lines.splitlines()])
    listing.check_failure(step["decision"])


def test_answer_without_its_tool_is_422(service: Service) -> None:
    """An obligation is a guardrail too."""
    answer = run(service, query="[hello]", agent={"checks": ["obligation"]})
    assert (422, "obligation") == (answer.status, answer.json()["error"]["code"])


def test_unreadable_model_is_500(service: Service) -> None:
    """A model that never keeps to the form is a failure, with the core's code and words."""
    answer = run(service, query="[prose]", agent=ENVELOPE)
    value = answer.json()
    assert (500, value["decision"]["code"]) == (answer.status, value["error"]["code"])
    assert value["decision"]["message"] == value["error"]["message"]


def test_definitions_own_deadline_is_504(service: Service) -> None:
    """The core holds the run to its definition's limit, by the host's clock."""
    answer = run(service, query="[page]", agent={"limits": {"deadline_ms": 1}})
    assert (504, "deadline") == (answer.status, answer.json()["error"]["code"])


def test_run_ids_are_random_or_the_callers(service: Service) -> None:
    """Two runs never share their calls' keys by accident."""
    first, second = (run(service, query="[hello]").json()["state"]["run_id"] for _ in range(2))
    named = run(service, query="[hello]", run_id="mine").json()["state"]["run_id"]
    assert first != second
    assert "mine" == named


def test_runs_at_once_do_not_mix(service: Service) -> None:
    """Requests share the core and nothing else."""
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda number: run(service, query=f"[hello] {number}").json(), range(12)))
    assert [f"It says: [hello] {number}" for number in range(12)] == [answer["result"] for answer in answers]


PAIRS = list(itertools.permutations(["node", "deno", "workerd"], 2))


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_run_stopped_on_one_host_is_finished_on_another(services: dict[str, Service], first: str, second: str) -> None:
    """Stop at an approval, move by nothing but the answer, go on: the log of both halves verifies."""
    asked = run(services[first], query="[page]", agent=ASK, run_id="moved")
    done = run(services[second], agent=ASK, **standing(asked), log=asked.json()["log"], approvals=approval(asked))

    value = done.json()
    assert (200, first, second) == (done.status, asked.json()["host"], value["host"])
    assert "The shop opens at nine." in value["result"]
    assert json.loads(purestep.verify_log(value["log"], value["state"]["head"]))["ok"]


def test_hosts_differ_in_nothing_but_their_name(services: dict[str, Service]) -> None:
    """The same request leads to the same state and transcript on every host, but for the clock."""
    answers = [run(each, query="[page]", run_id="same").json() for each in services.values()]
    seen = [(value["result"], value["messages"], without_time(value["log"])) for value in answers]
    assert [seen[0]] * len(seen) == seen


def without_time(log: str) -> list[dict[str, Any]]:
    """Return a log's lines without what the clock put in."""
    lines = [json.loads(line) for line in log.splitlines()]
    timed = ("at", "asked_at", "first_token_at", "ended_at", "prev")
    return [{name: value for name, value in line.items() if name not in timed} for line in lines]


def test_a_run_that_no_request_could_bring_back_is_told(service: Service) -> None:
    """Its result and its log are given, and no state that the service itself would refuse."""
    answer = run(service, query=f"[{'a' * 120_000}]")
    value = answer.json()
    assert (200, "run_too_large") == (answer.status, value["error"]["code"])
    assert "200000 bytes" in value["error"]["message"]
    assert (120_011, "done") == (len(value["result"]), value["decision"]["type"])
    assert [name for name in MEMBERS if name not in ("state", "messages", "seal")] == [*value][1:]
    assert json.loads(purestep.verify_log(value["log"]))["ok"]


def test_a_run_that_waits_and_cannot_be_brought_back_has_failed(service: Service) -> None:
    """The client learns it at once, and not when a person has answered."""
    answer = run(service, query=f"[page] {'a' * 199_000}", agent=ASK)
    value = answer.json()
    assert (413, "run_too_large") == (answer.status, value["error"]["code"]), value
    assert "state" not in value
