"""Sealed runs on every host: nothing that a client edits is gone on with, and nothing is run because of it."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import purestep
from tests.edge.drivers import COMMANDS, Answer, Service, serve
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import ASK, approval, run, standing
from tests.edge.sealing import SEAL_KEYS, UNSIGNED, sealed

DENY = {"approval": {"tools": {"fetch_url": "deny"}}}
PATIENT = {"time_limit_ms": 60_000}
"""For services that have just been started, on a busy machine."""

Edit = Callable[[dict[str, Any]], None]


def edited(request: dict[str, Any], edit: Edit) -> dict[str, Any]:
    """Return a copy of a request that a client has edited."""
    changed = copy.deepcopy(request)
    edit(changed)
    return changed


def at(*path: Any, to: Any) -> Edit:
    """Return the edit that sets one place of a request."""

    def edit(request: dict[str, Any]) -> None:
        place: Any = request
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return edit


def running(request: dict[str, Any]) -> None:
    """Edit a call that waits for a person into one that a person has approved."""
    request["state"]["phase"] = "tools"
    request["state"]["pending"][0] |= {"status": "run", "approved": True}


EDITS: dict[str, Edit] = {
    "an approval of one's own": running,
    "the approval alone": at("state", "pending", 0, "approved", to=True),
    "another argument": at("state", "pending", 0, "params", "url", to="http://192.0.2.1/"),
    "another run": at("state", "run_id", to="other"),
    "another head": at("state", "head", to="0" * 64),
    "another definition": at("state", "agent", to="0" * 64),
    "fewer turns": at("state", "turns", to=0),
    "an unknown member": at("state", "more", to=1),
    "another word": at("messages", -1, "content", to="ok"),
    "another role": at("messages", -1, "role", to="system"),
    "the transcript's order": lambda request: request["messages"].reverse(),
}


@pytest.fixture
def waiting(service: Service) -> dict[str, Any]:
    """A request that goes on with a run which waits for a person."""
    asked = run(service, query="[page]", agent=ASK)
    assert "request_approval" == asked.json()["decision"]["type"]
    return {"agent": ASK, **standing(asked)}


def refusal(answer: Answer) -> tuple[int, str]:
    """Return the status and code of a refusal, which tells no secret."""
    assert not any(key["secret"] in answer.body.decode() for key in SEAL_KEYS)
    return answer.status, answer.json()["error"]["code"]


@pytest.mark.parametrize("name", EDITS)
def test_edited_run_is_refused_before_anything_runs(
    service: Service, llm: ModelServer, waiting: dict[str, Any], name: str
) -> None:
    """No model is asked and no page is fetched, whatever the client has edited."""
    before = (len(llm.asked), len(llm.fetched))
    answer = service.post("/run", edited(waiting, EDITS[name]))
    assert (403, "seal_invalid") == refusal(answer)
    assert before == (len(llm.asked), len(llm.fetched))


def test_the_edit_runs_where_the_service_is_unsigned(
    service: Service, llm: ModelServer, config: dict[str, Any], tmp_path: Path
) -> None:
    """What the seal is for: without one, a client approves its own call by editing the state."""
    loose = {name: value for name, value in config.items() if name != "seal_keys"} | UNSIGNED | PATIENT
    fetched = len(llm.fetched)
    with serve(service.host, loose, tmp_path) as unsigned:
        asked = run(unsigned, query="[page]", agent=ASK).json()
        assert "seal" not in asked
        request = {"agent": ASK, "state": asked["state"], "messages": asked["messages"]}
        answer = unsigned.post("/run", edited(request, running))
        with_seal = unsigned.post("/run", {**request, "seal": "v1.a.1.b"})
    assert (200, fetched + 1) == (answer.status, len(llm.fetched))
    assert (400, "/seal") == (with_seal.status, with_seal.json()["error"]["path"])


@pytest.mark.parametrize("with_log", [False, True])
def test_run_without_its_seal_is_refused(service: Service, waiting: dict[str, Any], with_log: bool) -> None:
    """Whether it comes as a state or as a log."""
    log = run(service, query="[page]", agent=ASK).json()["log"]
    del waiting["seal"]
    answer = run(service, agent=ASK, log=log) if with_log else service.post("/run", waiting)
    assert (400, "seal_missing") == refusal(answer)


def seals_of_others(own: str) -> Iterator[str]:
    """Return what is no seal of a run, made from its seal."""
    version, key, expiry, mac = own.split(".")
    yield from ("", own[:-1], own[1:], own + "=", f"{own}A", f"{own}\n", own.replace("v1", "v2"))
    yield from (".".join([version, key, str(int(expiry) + 1), mac]), ".".join([version, "last-year", expiry, mac]))
    yield from (".".join([version, "nobody", expiry, mac]), ".".join([version, key, expiry, "A" * 43]))
    yield from (".".join([version, key, "9" * 16, mac]), ".".join([version, key, "0", mac]), "v1." + "x" * 50_000)


def test_seal_that_is_not_the_runs_is_refused(service: Service, waiting: dict[str, Any]) -> None:
    """Cut, longer, of another expiry, key or version, or of any size."""
    other = run(service, query="[page]", agent=ASK).json()["seal"]
    for seal in (*seals_of_others(waiting["seal"]), other):
        assert (403, "seal_invalid") == refusal(service.post("/run", {**waiting, "seal": seal})), seal[:80]
    for odd in (1, True, [waiting["seal"]], {"a": 1}):
        assert (400, "invalid_input") == refusal(service.post("/run", {**waiting, "seal": odd}))
    assert 200 == service.post("/run", waiting).status


def test_seal_of_another_point_of_the_run_is_refused(service: Service, waiting: dict[str, Any]) -> None:
    """Each answer has a seal of its own."""
    asked = service.post("/run", waiting)
    done = service.post("/run", {**waiting, "approvals": approval(asked)}).json()
    later = {"agent": ASK, "query": "[hello]", "state": done["state"], "messages": done["messages"]}
    assert (403, "seal_invalid") == refusal(service.post("/run", {**later, "seal": waiting["seal"]}))
    assert 200 == service.post("/run", {**later, "seal": done["seal"]}).status


def test_log_that_is_not_the_sealed_one_is_refused(service: Service, waiting: dict[str, Any]) -> None:
    """Neither another run's nor an earlier end of the same, though both verify."""
    other = run(service, query="[page]", agent=ASK).json()
    assert (403, "seal_invalid") == refusal(run(service, agent=ASK, log=other["log"], seal=waiting["seal"]))
    earlier = "".join(other["log"].splitlines(keepends=True)[:2])
    assert (403, "seal_invalid") == refusal(run(service, agent=ASK, log=earlier, seal=other["seal"]))
    assert (400, "head_mismatch") == refusal(service.post("/run", {**waiting, "log": other["log"]}))
    assert 200 == run(service, agent=ASK, log=other["log"], seal=other["seal"]).status


def odd_logs(log: str) -> dict[str, str]:
    """Return texts that hold the events of a log, and are not the log."""
    lines = log.splitlines(keepends=True)
    ends = {
        name: log + more for name, more in (("blanks", " \t"), ("line feed", "\n"), ("return", "\r"), ("page", "\f"))
    }
    starts = {name: more + log for name, more in (("mark", "\ufeff"), ("blank", " "), ("first line feed", "\n"))}
    inner = {
        "no last line feed": log[:-1],
        "returns": log.replace("\n", "\r\n"),
        "a blank line": lines[0] + "\n" + "".join(lines[1:]),
        "a line of blanks": lines[0] + " \t\n" + "".join(lines[1:]),
        "many blank lines": log + "\n" * 10_000,
        "blanks after a line": log.replace("\n", " \n", 1),
        "a line twice": "".join([*lines, lines[-1]]),
        "the first line twice": "".join([lines[0], *lines]),
        "no last line": "".join(lines[:-1]),
        "a cut line": log[:-9],
        "spelled otherwise": log.replace('"type"', '"\\u0074ype"', 1),
        "a blank in a line": log.replace('":', '": ', 1),
    }
    return ends | starts | inner


@pytest.mark.parametrize("with_state", [False, True])
def test_log_is_the_sealed_one_to_the_last_byte(service: Service, llm: ModelServer, with_state: bool) -> None:
    """B9: whatever is added or left out at its ends or between its lines, nothing runs."""
    asked = run(service, query="[page]", agent=ASK)
    value = asked.json()
    more = {"state": value["state"], "messages": value["messages"]} if with_state else {}
    goes_on = {"agent": ASK, "seal": value["seal"], "approvals": approval(asked), **more}
    before = (len(llm.asked), len(llm.fetched))
    refused = {name: refusal(run(service, log=log, **goes_on)) for name, log in odd_logs(value["log"]).items()}
    assert {code for _, code in refused.values()} <= {"head_mismatch", "seal_invalid", "invalid_log", "log_mismatch"}
    assert before == (len(llm.asked), len(llm.fetched))
    done = run(service, log=value["log"], **goes_on).json()
    assert json.loads(purestep.verify_log(done["log"], done["state"]["head"]))["ok"]


def test_messages_beside_a_log_are_those_of_the_seal(service: Service) -> None:
    """What is not used is not passed over either."""
    asked = run(service, query="[page]", agent=ASK).json()
    request = {"agent": ASK, "log": asked["log"], "state": asked["state"], "seal": asked["seal"]}
    assert (403, "seal_invalid") == refusal(run(service, **request, messages=asked["messages"][:-1]))
    assert (403, "seal_invalid") == refusal(run(service, **edited(request, at("state", "calls", to=7))))
    assert 200 == run(service, **request, messages=asked["messages"]).status


def test_expired_seal_is_refused(service: Service, waiting: dict[str, Any]) -> None:
    """By the clock of the service; asked for again, a seal ends no later than it would."""
    state, messages = waiting["state"], waiting["messages"]
    expired = run(service, agent=ASK, **sealed(state, messages, life_ms=1))
    assert (403, "seal_expired") == refusal(expired)
    soon = sealed(state, messages, life_ms=3_600_000)
    assert soon["seal"] == run(service, agent=ASK, **soon).json()["seal"]


def test_seal_of_a_user_does_not_fit_nobody(service: Service, waiting: dict[str, Any]) -> None:
    """The hosts' own commands know no users."""
    theirs = sealed(waiting["state"], waiting["messages"], user="ann")
    assert (403, "seal_invalid") == refusal(run(service, agent=ASK, **theirs))


def test_seal_of_an_older_key_is_taken_until_the_key_is_removed(service: Service, waiting: dict[str, Any]) -> None:
    """New seals are those of the first key; a native host with the keys makes the same ones."""
    state, messages = waiting["state"], waiting["messages"]
    assert waiting["seal"].startswith("v1.this-year.")
    older = sealed(state, messages, keys=SEAL_KEYS[1:])
    assert older["seal"].startswith("v1.last-year.")
    assert 200 == run(service, agent=ASK, **older).status
    removed = sealed(state, messages, keys=[{"id": "year-before", "secret": SEAL_KEYS[1]["secret"]}])
    assert (403, "seal_invalid") == refusal(run(service, agent=ASK, **removed))


def test_state_that_a_step_made_is_not_gone_on_with(service: Service, llm: ModelServer) -> None:
    """A step is a function that anybody may compute; what it gives has no seal."""
    message = {"type": "user_message", "content": "[hello]"}
    begun = service.post("/step", {"agent": {"name": "a"}, "observation": message}).json()
    assert "seal" not in begun
    asked = len(llm.asked)
    answer = run(service, agent={"name": "a"}, state=begun["state"], messages=begun["messages"])
    assert (400, "seal_missing") == refusal(answer)
    assert asked == len(llm.asked)


def test_one_approval_works_on_every_copy_of_a_run(service: Service, llm: ModelServer, waiting: dict[str, Any]) -> None:
    """As docs/edge.md says of services that remember nothing: the same request twice runs its call twice."""
    asked = service.post("/run", waiting)
    fetched = len(llm.fetched)
    approved = {**waiting, "approvals": approval(asked)}
    assert [200, 200] == [service.post("/run", approved).status for _ in range(2)]
    assert fetched + 2 == len(llm.fetched)


LOOSER: dict[str, dict[str, Any]] = {
    "policy": {"approval": {"tools": {"fetch_url": "auto"}}},
    "default": {"approval": {"default": "auto"}},
    "tool": {
        "tools": [
            {
                "name": "fetch_url",
                "parameters": {"type": "object", "properties": {"url": {"type": "string"}}},
                "approval": "auto",
                "annotations": {"readOnlyHint": True},
            }
        ]
    },
    "nothing": {},
}


@pytest.mark.parametrize("host", COMMANDS)
def test_definition_of_a_client_loosens_no_rule(
    host: str, hosts: tuple[str, ...], llm: ModelServer, config: dict[str, Any], tmp_path: Path
) -> None:
    """The service asks about its tools, or denies them, whatever definition comes with the request."""
    assert hosts
    fetched = len(llm.fetched)
    with serve(host, {**config, **PATIENT, "agent": ASK}, tmp_path) as service:
        answers = {name: run(service, query="[page]", agent=agent) for name, agent in LOOSER.items()}
        ends = {name: answer.json()["decision"]["type"] for name, answer in answers.items()}
        assert dict.fromkeys(LOOSER, "request_approval") == ends
        assert fetched == len(llm.fetched)
        asked = answers["tool"]
        done = run(service, agent=LOOSER["tool"], **standing(asked), approvals=approval(asked))
        assert (200, fetched + 1) == (done.status, len(llm.fetched))
    with serve(host, {**config, **PATIENT, "agent": DENY}, tmp_path) as service:
        for agent in LOOSER.values():
            assert "invoke_tool" not in run(service, query="[page]", agent=agent).json()["log"]
    assert fetched + 1 == len(llm.fetched)


def test_no_secret_is_in_what_a_service_writes(service: Service, waiting: dict[str, Any]) -> None:
    """Neither in answers nor in its lines, whatever is wrong."""
    answers = [service.post("/run", edited(waiting, edit)) for edit in EDITS.values()]
    everything = "\n".join([*service.lines, *(answer.body.decode() for answer in answers)])
    assert not any(key["secret"] in everything for key in SEAL_KEYS)
    assert "seal_invalid" in json.dumps(everything)
