"""Runs at the edge: answers, failures and their statuses, approvals, time limits, on every host."""

import itertools
import json
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import purestep
from tests import listing
from tests.edge.drivers import Answer, Service, serve
from tests.edge.model_server import KEY, ModelServer
from tests.edge.sealing import sealed

ASK = {"approval": {"tools": {"fetch_url": "ask"}}}
MEMBERS = ["result", "decision", "state", "messages", "log", "seal", "model", "host"]
TIME_LIMIT_S = 2.0  # as the services are configured
PATIENCE_S = 60.0  # far more than a busy machine takes for anything here


def run(service: Service, **members: Any) -> Answer:
    """Post to /run."""
    return service.post("/run", members)


def standing(answer: Answer) -> dict[str, Any]:
    """Give what a caller sends back to go on."""
    value = answer.json()
    return {name: value[name] for name in ("state", "messages", "seal")}


def approval(answer: Answer, approved: bool = True, **more: Any) -> list[dict[str, Any]]:
    """Answer for every call that an answer asks about."""
    calls = answer.json()["decision"]["calls"]
    return [{"call_id": call["call_id"], "key": call["key"], "approved": approved, **more} for call in calls]


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
    assert (400, "/observation/tool_choice/tool") == (wrong.status, wrong.json()["error"]["path"])
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
    answer = run(service, query="[hello]", agent={"guardrails": ["obligation"]})
    assert (422, "obligation") == (answer.status, answer.json()["error"]["code"])


def test_unreadable_model_is_500(service: Service) -> None:
    """A model that never keeps to the form is a failure, with the core's code and words."""
    answer = run(service, query="[prose]")
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


def test_silent_model_is_504_and_nothing_is_lost(service: Service, llm: ModelServer) -> None:
    """When the request's time is over, and not before, its model is let go, and the run can be gone on with."""
    llm.dropped.clear()
    started = time.monotonic()
    answer = run(service, query="[hang]")

    value = answer.json()
    assert (504, "time_limit") == (answer.status, value["error"]["code"])
    assert TIME_LIMIT_S <= time.monotonic() - started
    assert "call_model" == value["decision"]["type"]
    assert json.loads(purestep.verify_log(value["log"], value["state"]["head"]))["ok"]
    assert llm.dropped.wait(PATIENCE_S)

    # The very state goes on, with what another model would say.
    state, said = json.dumps(value["state"]), json.dumps({"kind": "final", "content": "here after all"})
    observation = json.dumps({"type": "model_output", "content": said})
    step = service.send(
        "POST", "/step", f'{{"agent":{agent_of(value)},"state":{state},"observation":{observation}}}'.encode()
    )
    assert {"type": "done", "answer": "here after all"} == step.json()["decision"]


def test_busy_model_is_asked_again_within_the_request(service: Service, llm: ModelServer) -> None:
    """A wait that the request has time for is waited, and stands in the log."""
    llm.busy_times, llm.busy_s = 1, "0.2"
    answer = run(service, query="[busy]")
    value = answer.json()
    assert (200, "It says: [busy]") == (answer.status, value["result"])
    assert 200 in [json.loads(line).get("wait_ms") for line in value["log"].splitlines()]
    assert json.loads(purestep.verify_log(value["log"], value["state"]["head"]))["ok"]


def test_wait_past_the_request_is_the_callers_to_wait(service: Service, llm: ModelServer) -> None:
    """A wait longer than the request answers as the time limit does, at once; sent back, the model is asked."""
    llm.busy_times, llm.busy_s = 1, "30"
    asked = len(llm.asked)
    answer = run(service, query="[busy]")
    value = answer.json()
    assert (504, "time_limit") == (answer.status, value["error"]["code"])
    assert ("call_model", 30_000) == (value["decision"]["type"], value["decision"]["wait_ms"])
    assert asked + 1 == len(llm.asked)

    again = run(service, **standing(answer))
    assert (200, "It says: [busy]") == (again.status, again.json()["result"])


def agent_of(value: dict[str, Any]) -> str:
    """Give the definition of a run from the first line of its log."""
    return json.dumps(json.loads(value["log"].split("\n", 1)[0])["agent"])


def test_silent_page_is_504_at_the_call(service: Service) -> None:
    """A tool that is waited for in vain leaves the run at its call, not failed."""
    answer = run(service, query="[slow]")
    assert (504, "time_limit") == (answer.status, answer.json()["error"]["code"])
    assert "invoke_tool" == answer.json()["decision"]["type"]


def test_model_that_goes_on_behind_its_answer_is_let_go(service: Service, llm: ModelServer) -> None:
    """The answer is there as soon as it is certain; what the model says then is neither waited for nor logged."""
    llm.dropped.clear()
    answer = run(service, query="[babble] Go", agent={})
    value = answer.json()
    assert (200, "Enough.") == (answer.status, value["result"])
    assert llm.dropped.wait(PATIENCE_S)
    said = [event for event in map(json.loads, value["log"].splitlines()) if event["kind"] == "model_response"]
    assert ['{"kind":"final","content":"Enough."}'] == [event["content"] for event in said]


def test_client_that_leaves_lets_the_model_go(
    service: Service, llm: ModelServer, config: dict[str, Any], tmp_path: Path
) -> None:
    """Nobody's run is carried on: the model's connection ends long before the time limit, which is minutes here."""
    with serve(service.host, {**config, "time_limit_ms": 4 * int(PATIENCE_S * 1000)}, tmp_path) as patient:
        leave_a_run(patient, llm)
        assert llm.dropped.wait(PATIENCE_S)


def leave_a_run(service: Service, llm: ModelServer) -> None:
    """Ask for a run whose model says nothing, and close the connection as soon as the model was asked."""
    llm.dropped.clear()
    asked = len(llm.asked)
    body = b'{"query":"[hang]"}'
    head = f"POST /run HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", service.port)) as link:
        link.sendall(head.encode() + body)
        end = time.monotonic() + PATIENCE_S
        while len(llm.asked) == asked and time.monotonic() < end:
            time.sleep(0.01)
        if service.host == "workerd":
            # workerd takes an orderly end for that of the request alone, and sees only a connection that was reset.
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


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


def test_digits_past_two_to_the_53_survive(service: Service) -> None:
    """A state goes through as text: numbers that JavaScript cannot hold stay what they are."""
    agent = {"tools": [{"name": "pay", "parameters": {"type": "object"}, "approval": "ask"}]}
    message = {"type": "user_message", "content": "a"}
    first = json.loads(purestep.run_agent_step(json.dumps({"agent": agent, "run_id": "r", "observation": message})))
    said = '{"kind":"tool_call","tool_name":"pay","arguments":{"cents":9007199254740993}}'
    observation = {"type": "model_output", "content": said}
    step = json.loads(
        purestep.run_agent_step(json.dumps({"agent": agent, "state": first["state"], "observation": observation}))
    )

    answer = run(service, agent=agent, **sealed(step["state"], first["messages"] + step["messages"]))

    assert 200 == answer.status
    assert b'"cents":9007199254740993' in answer.body.split(b'"state":')[0]
    assert step["state"] == answer.json()["state"]


def test_definition_is_the_one_that_was_sent(service: Service) -> None:
    """Numbers of a definition that JavaScript cannot hold keep their digits, so a run of another host goes on here."""
    agent = {"tools": [], "answer_schema": {"type": "object", "properties": {"n": {"maximum": 2**60 + 1}}}}
    message = {"type": "user_message", "content": "a"}
    began = json.loads(purestep.run_agent_step(json.dumps({"agent": agent, "observation": message})))
    done = json.loads(
        purestep.run_agent_step(
            json.dumps({"agent": agent, "state": began["state"], "observation": {"type": "cancel"}})
        )
    )

    answer = run(service, agent=agent, **sealed(done["state"], began["messages"] + done["messages"]))

    assert "cancelled" == answer.json()["decision"]["code"]
    assert done["state"] == answer.json()["state"]


def test_number_of_a_definition_past_every_double_is_refused(service: Service) -> None:
    """It is not read as no limit at all."""
    body = b'{"query":"[hello]","agent":{"limits":{"max_turns":1e999}}}'
    answer = service.send("POST", "/run", body)
    assert (400, "invalid_json") == (answer.status, answer.json()["error"]["code"])


def nested(depth: int) -> str:
    """Give a value that is nested this deep."""
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", [65, 3000, 60_000])
@pytest.mark.parametrize(
    "body",
    [
        '{"query":"a","agent":{"answer_schema":%s}}',
        '{"query":"a","state":{"messages":1},"messages":[{"role":"user","content":%s}]}',
        '{"state":{"messages":0,"run":%s},"messages":[]}',
        '{"state":{"messages":0},"messages":[],"approvals":%s}',
    ],
)
def test_deep_nesting_is_the_callers_mistake(service: Service, body: str, depth: int) -> None:
    """No stack ends before the bound that all hosts share, and the next request is served."""
    answer = service.send("POST", "/run", (body % nested(depth)).encode())
    assert (400, "too_deep") == (answer.status, answer.json()["error"]["code"])
    assert 200 == run(service, query="[hello]").status


@pytest.mark.parametrize("depth", [65, 3000, 60_000])
def test_deep_output_in_a_step_is_the_callers_mistake(service: Service, depth: int) -> None:
    """Where the core takes any value, its decoder does not run out of stack."""
    results = f'[{{"call_id":"call_1","ok":true,"output":{nested(depth)}}}]'
    body = f'{{"observation":{{"type":"tool_results","results":{results}}}}}'
    answer = service.send("POST", "/step", body.encode())
    assert (400, "too_deep") == (answer.status, answer.json()["error"]["code"])
    assert 200 == service.post("/step", {"observation": {"type": "user_message", "content": "a"}}).status


def forged(asked: Answer) -> dict[str, dict[str, Any]]:
    """Give requests that lie, by what they lie about; their seals are in order, as if a key had been stolen."""
    honest = {"agent": ASK, **standing(asked)}
    state, messages = honest["state"], honest["messages"]
    return {
        "invalid_state": {**honest, **sealed({**state, "phase": "tools"}, messages)},
        "unsupported_version": {**honest, **sealed({**state, "schema_version": 2}, messages)},
        "agent_mismatch": {**honest, "agent": {}},
        "stale_approval": {**honest, "approvals": [{**approval(asked)[0], "key": "0" * 64}]},
        "unknown_call": {**honest, "approvals": [{**approval(asked)[0], "call_id": "call_9"}]},
        "wrong_phase": {**honest, "query": "[hello]"},
        "invalid_input": {**honest, "messages": honest["messages"][:-1]},
        "head_mismatch": {**honest, "state": {**state, "head": "0" * 64}, "log": asked.json()["log"]},
        "log_mismatch": {"agent": ASK, "log": asked.json()["log"].replace("fetch_url", "fetch_uri")},
        "invalid_log": {"agent": ASK, "log": asked.json()["log"][:-9]},
    }


def test_tampered_requests_are_refused(service: Service, llm: ModelServer) -> None:
    """Every lie about a run brings its own code, and neither a model nor a tool is asked because of it."""
    asked = run(service, query="[page]", agent=ASK)
    before = (len(llm.asked), len(llm.fetched))
    answers = {code: run(service, **request) for code, request in forged(asked).items()}

    assert {code: (400, code) for code in answers} == {
        code: (answer.status, answer.json()["error"]["code"]) for code, answer in answers.items()
    }
    assert before == (len(llm.asked), len(llm.fetched))


def test_state_of_another_definition_is_refused_before_a_model_is_asked(service: Service, llm: ModelServer) -> None:
    """Also where the service happens to hold the definition that the run began with."""
    began = service.post(
        "/step", {"agent": {"name": "a"}, "observation": {"type": "user_message", "content": "[hello]"}}
    )
    asked = len(llm.asked)
    answer = run(service, agent={"name": "b"}, **sealed(began.json()["state"], began.json()["messages"]))
    assert (400, "agent_mismatch") == (answer.status, answer.json()["error"]["code"])
    assert asked == len(llm.asked)


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
    """Give a log's lines without what the clock put in."""
    lines = [json.loads(line) for line in log.splitlines()]
    return [{name: value for name, value in line.items() if name not in ("at", "prev")} for line in lines]
