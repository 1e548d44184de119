"""What a model's server refuses of a request is left out of the next one, and the run goes on."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import call, native_call, said, tool
from tests.core.driver import Driver

ADD = tool("add", {"a": {"type": "integer"}})
SAMPLING = {"max_tokens": 100, "temperature": 0}


def refused(member: str, **members: Any) -> dict[str, Any]:
    """Return the error of a server that does not take a member of the request."""
    return {"type": "model_error", "code": "refused", "message": f"{member} is not taken", "refused": member, **members}


def asked(*members: str, **definition: Any) -> Driver:
    """Return a run whose server has refused these members, one at a time."""
    run = Driver({"dialect": "native", "tools": [ADD], "sampling": SAMPLING, **definition})
    for member in members:
        run.send(refused(member))
    return run


def test_refused_setting_is_left_out_and_the_run_goes_on() -> None:
    """The host is told what to leave out; the log says why the request is another one."""
    run = asked("temperature")
    assert ("call_model", "retry", ["temperature"]) == tuple(
        run.decision[name] for name in ("type", "reason", "without")
    )
    assert {"max_tokens": 100} == run.decision["sampling"]
    (line,) = run.events("switched")
    assert ("request", "temperature") == (line["what"], line["cause"])
    run.send(said("It is 4."))
    assert ("done", "It is 4.") == (run.decision["type"], run.decision["answer"])
    assert json.loads(purestep.verify_log(run.log))["ok"]


def test_refused_constraint_is_left_out() -> None:
    """A server that holds no output to a schema is asked without one, and checked here all the same."""
    run = asked("response_format", dialect="envelope")
    assert "response_format" not in run.decision
    run.send(said(call("add", a="x")))
    assert "correction" == run.decision["reason"]


def test_what_was_refused_stays_out() -> None:
    """Also for the next question."""
    run = asked("temperature")
    run.send(said("It is 4."))
    run.send({"type": "user_message", "content": "And 3 plus 3?"})
    assert ["temperature"] == run.decision["without"]


def test_limit_of_an_output_goes_by_its_new_name() -> None:
    """Newer models of OpenAI refuse `max_tokens`; a server that refuses both is given neither."""
    run = asked("max_tokens")
    assert {"max_completion_tokens": 100, "temperature": 0} == run.decision["sampling"]
    assert "max_completion_tokens" == run.events("switched")[0]["to"]
    run.send(refused("max_completion_tokens"))
    assert ["max_tokens", "max_completion_tokens"] == run.decision["without"]
    assert {"temperature": 0} == run.decision["sampling"]


@pytest.mark.parametrize("member", ["tools", "tool_choice"])
def test_server_without_tools_is_asked_in_text(member: str) -> None:
    """Calls stand between tags then, and plain prose is the answer."""
    run = asked(member)
    assert "tools" not in run.decision
    assert "[TOOL_CALL]" in run.decision["messages"][0]["content"]
    run.send(said('[TOOL_CALL]{"name":"add","args":{"a":4}}[/TOOL_CALL]'))
    assert ("invoke_tool", {"a": 4}) == (run.decision["type"], run.decision["params"])
    run.send({"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": "8"}]})
    assert "[TOOL_CALL]" in run.decision["messages"][0]["content"]
    run.send(said("It is 8."))
    assert "It is 8." == run.decision["answer"]
    assert json.loads(purestep.verify_log(run.log))["ok"]


def test_tools_refused_after_calls_are_a_failure() -> None:
    """Calls that stand apart from the text are taken beside tools only."""
    run = asked()
    run.send(said(None, tool_calls=[native_call("add", {"a": 1})]))
    run.send({"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": "2"}]})
    run.send(refused("tools"))
    assert ("failed", "model_error") == (run.decision["type"], run.decision["code"])


@pytest.mark.parametrize("member", ["messages", "model"])
def test_request_is_none_without_its_messages(member: str) -> None:
    """What cannot be left out is a failure at once."""
    assert "failed" == asked(member).decision["type"]


def test_member_is_left_out_once() -> None:
    """A server that refuses it again means something else."""
    run = asked("seed", "seed")
    assert "failed" == run.decision["type"]


def test_refusals_are_bounded() -> None:
    """A server that refuses everything that there is does not keep the run for ever."""
    run = asked()
    for number in range(16):
        run.send(refused(f"m{number}"))
    assert "call_model" == run.decision["type"]
    run.send(refused("m16"))
    assert "failed" == run.decision["type"]


def test_another_model_is_asked_whole() -> None:
    """What one server refuses says nothing of the next."""
    run = asked("temperature", models=[{"name": "small"}, {"name": "large"}])
    assert ("small", ["temperature"]) == (run.decision["model"], run.decision["without"])
    run.send(said(""))
    run.send(said(""))
    assert "large" == run.decision["model"]
    assert "without" not in run.decision


@pytest.mark.parametrize(
    "entries",
    [
        [{"model": 1, "member": "seed"}],
        [{"model": 0, "member": "seed"}, {"model": 0, "member": "seed"}],
        [{"model": 0, "member": "Seed"}],
        [{"model": 0, "member": f"m{number}"} for number in range(17)],
    ],
)
def test_forged_refusals_are_refused(entries: list[dict[str, Any]]) -> None:
    """A state that a client sends names models that there are, and each member once."""
    run = asked("temperature")
    state = {**run.state, "run": {**run.state["run"], "refused_members": entries}}
    given = {"state": state, "observation": said("Hi")}
    assert json.loads(purestep.run_agent_step(json.dumps(given)))["error"]["code"] in ("invalid_state", "invalid_input")
