"""Idempotency keys: the same call of the same run has the same key everywhere, two calls never share one."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import agent, call, final, listed, ok, said, tool
from tests.core.driver import Driver, WholeDriver, stepped

SPEC = tool("f", {"x": {}})


def _key(arguments: str, name: str = "f", run_id: str = "run-1", calls_before: int = 0) -> str:
    definition = {"tools": [SPEC, {**SPEC, "name": "g"}]}
    state = stepped(agent=definition, run_id=run_id, observation={"type": "user_message", "content": "q"})["state"]
    for number in range(calls_before):
        state = stepped(agent=definition, state=state, observation=said(call("g", x=f"before {number}")))["state"]
        state = stepped(agent=definition, state=state, observation=ok(f"call_{number + 1}", f"out {number}"))["state"]
    text = f'{{"kind":"tool_call","tool_name":"{name}","arguments":{arguments}}}'
    key: str = stepped(agent=definition, state=state, observation=said(text))["decision"]["key"]
    return key


def test_same_call_of_the_same_run_has_the_same_key() -> None:
    """Section 6: a run made again from its beginning gives the same keys."""
    assert _key('{"x":1}') == _key('{"x":1}')
    assert 32 <= len(_key('{"x":1}'))


def test_key_differs_by_run_tool_arguments_and_ordinal() -> None:
    """Section 6: each part of the key tells calls apart."""
    keys = [
        _key('{"x":1}'),
        _key('{"x":1}', run_id="run-2"),
        _key('{"x":1}', name="g"),
        _key('{"x":2}'),
        _key('{"x":1}', calls_before=1),
        _key('{"x":"1"}'),
        _key('{"x":true}'),
        _key('{"x":null}'),
        _key('{"x":[1]}'),
        _key('{"x":1.5}'),
        _key('{"x":"a\\u0000"}'),
    ]
    assert len(keys) == len(set(keys))


def test_order_and_spacing_of_arguments_do_not_matter() -> None:
    """Section 6: arguments are canonical."""
    assert _key('{"x":{"a":1,"b":[1,{"c":2,"d":3}]}}') == _key('{ "x" : {"b":[1 , {"d":3,"c":2}],"a":1} }')


def test_number_forms_do_not_matter() -> None:
    """Section 6: 17, 17.0 and 1.7e1 are one number in JSON, and in JavaScript."""
    assert 1 == len({_key('{"x":17}'), _key('{"x":17.0}'), _key('{"x":1.7e1}'), _key('{"x":170e-1}')})
    assert 1 == len({_key('{"x":0}'), _key('{"x":-0}'), _key('{"x":0.0}'), _key('{"x":-0.0}'), _key('{"x":0e9}')})


def test_escapes_do_not_matter() -> None:
    """Section 6: the same text in other escapes is the same argument."""
    assert _key('{"x":"é\\/"}') == _key('{"x":"\\u00e9/"}')


def test_large_integers_are_told_apart() -> None:
    """Section 9: neighbours above 2**53 are different numbers."""
    assert _key('{"x":9007199254740993}') != _key('{"x":9007199254740992}')


def test_both_wire_forms_give_the_same_keys() -> None:
    """Section 6: the same on every host and form."""
    delta, whole = Driver(agent()), WholeDriver(agent())
    for observation in (said(listed(*[call("add_numbers", a=n, b=1) for n in range(3)])),):
        assert delta.send(observation)["calls"] == whole.send(observation)["calls"]


def test_key_survives_a_restart() -> None:
    """Section 6: state alone, and log alone, name the same key."""
    driver = Driver(agent())
    driver.send(said(call("add_numbers", a=1, b=2)))
    again = stepped(agent=agent(), state=driver.state)["decision"]
    folded = json.loads(purestep.replay_log(driver.log))["decision"]
    assert driver.decision["key"] == again["key"] == folded["key"]


def test_ordinals_count_through_exchanges_and_corrections() -> None:
    """Section 6: no ordinal comes twice in a run, whatever happens between."""
    driver = Driver(agent())
    seen: list[str] = []

    def use(text: str) -> None:
        driver.send(said(text))
        seen.extend(entry["key"] for entry in driver.decision["calls"])
        driver.give_all(f"output {len(seen)}")

    use(call("add_numbers", a=1, b=2))
    driver.send(said(call("nothing")))
    use(call("add_numbers", a=1, b=2))
    driver.send(said(final("x")))
    driver.send({"type": "user_message", "content": "more"})
    use(listed(call("add_numbers", a=1, b=2), call("add_numbers", a=1, b=2)))
    assert 4 == len(set(seen))


def test_whole_state_runs_without_an_id_have_keys_of_their_own() -> None:
    """Section 6: without a run id runs about different things have different keys."""
    states: list[Any] = [purestep.create_agent_state(query) for query in ("a", "b")]
    keys = [stepped(state_json=state, model_output='{"tool":"x"}')["decision"]["key"] for state in states]
    assert keys[0] != keys[1]


@pytest.mark.parametrize("imported", [False, True])
def test_whole_state_run_made_again_later_has_keys_of_its_own(imported: bool) -> None:
    """Section 10: the same query on another day, by the host's clock, is another run; at the same time it is not."""
    history = {"history": [{"role": "user", "content": "Delete the old ones."}], "is_complete": False}
    state = json.dumps(history) if imported else purestep.create_agent_state("Delete the old ones.")

    def begun(at: int) -> tuple[str, str]:
        output = stepped(state_json=state, observation={**said('{"tool":"delete"}'), "at": at})
        return json.loads(output["state_json"])["run"]["run_id"], output["decision"]["key"]

    monday, tuesday = begun(1), begun(2)
    assert monday[0] != tuesday[0]
    assert monday[1] != tuesday[1]
    assert monday == begun(1)


def test_whole_state_of_no_message_gets_an_id_with_its_first() -> None:
    """Section 2: an empty state, as a program may write one, begins a run that can be told from others."""
    state = json.dumps({"history": [], "is_complete": False, "final_answer": None})
    ids = set()
    for content in ("a", "b"):
        output = stepped(state_json=state, observation={"type": "user_message", "content": content})
        ids.add(json.loads(output["state_json"])["run"]["run_id"])
    assert (2, False) == (len(ids), "" in ids)


def test_small_state_without_an_id_is_stepped_in_its_whole_state_only() -> None:
    """Section 3: before its first step a whole state's run may have no id, and so no keys."""
    small = json.loads(purestep.create_agent_state("q"))["run"]
    assert "call_model" == stepped(state=small)["decision"]["type"]
    error = stepped(state=small, observation=said('{"tool":"x"}'))["error"]
    assert ("invalid_state", "/state/run_id") == (error["code"], error["path"])


def test_run_id_is_required_where_keys_protect_something() -> None:
    """Section 10: tools that act by their annotations, or ask for approval, need runs that can be told apart."""
    message = {"type": "user_message", "content": "q"}
    for members in (
        {"approval": "ask"},
        {"annotations": {"readOnlyHint": False}},
        {"annotations": {"destructiveHint": True}},
    ):
        definition = {"tools": [tool("t", **members)]}
        error = stepped(agent=definition, observation=message)["error"]
        assert ("missing_run_id", "/run_id") == (error["code"], error["path"])
        assert "run-1" == stepped(agent=definition, run_id="run-1", observation=message)["state"]["run_id"]
        with pytest.raises(purestep.PurestepError, match="give each run an id of its own"):
            purestep.start(purestep.Agent.load(definition), purestep.UserMessage(content="q"))


@pytest.mark.parametrize("members", [{}, {"annotations": {"readOnlyHint": True}}, {"approval": "deny"}])
def test_run_id_may_be_left_out_where_no_key_protects_anything(members: dict[str, Any]) -> None:
    """Section 10: tools that read, or say nothing of themselves and run freely, do without."""
    definition = {"tools": [tool("t", **members)]}
    assert "run" == stepped(agent=definition, observation={"type": "user_message", "content": "q"})["state"]["run_id"]
