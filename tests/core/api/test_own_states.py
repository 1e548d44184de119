"""States that come back to the process that gave them out: these alone are taken unchecked, and only as they were."""

import json
from typing import Any

import pytest

import purestep
from purestep.api import own_states
from purestep.bounds import MAX_OWN_STATE_BYTES, MAX_OWN_STATES

AGENT = {
    "tools": [
        {
            "name": "pay",
            "parameters": {"type": "object", "properties": {"amount": {"type": "integer"}}, "required": ["amount"]},
            "annotations": {"destructiveHint": True},
        }
    ]
}
ASKED = {"type": "user_message", "content": "Pay 1 euro."}
PAY = json.dumps({"kind": "tool_call", "tool_name": "pay", "arguments": {"amount": 1}})


def step(**given: Any) -> Any:
    """Take a step and give its output."""
    return json.loads(purestep.run_agent_step(json.dumps(given)))


def no(state: Any) -> Any:
    """Give the answer that refuses the call."""
    answer = {"call_id": "call_1", "key": state["pending"][0]["key"], "approved": False}
    return {"type": "approvals", "approvals": [answer]}


def waiting() -> Any:
    """Give the state of a run that waits for approval."""
    begun = step(agent=AGENT, run_id="own", observation=ASKED)
    return step(state=begun["state"], observation={"type": "model_output", "content": PAY})["state"]


@pytest.mark.parametrize("amount", [True, 2, "1"])
def test_state_that_was_edited_is_no_own_one(amount: Any) -> None:
    """A number that has become true, a text or another one is refused, right after the state itself was taken."""
    state = waiting()
    assert "error" not in step(state=state, observation=no(state))
    state["pending"][0]["params"]["amount"] = amount
    assert "invalid_state" == step(state=state, observation=no(state))["error"]["code"]


@pytest.mark.parametrize("edit", [{"phase": "tools"}, {"calls": 7}, {"tool_calls": 9}, {"seq": 0}])
def test_member_that_was_edited_makes_it_another_state(edit: dict[str, Any]) -> None:
    """What contradicts the rest is found, whether the state was known or not."""
    state = waiting()
    assert "invalid_state" == step(state={**state, **edit}, observation=no(state))["error"]["code"]


def test_known_state_gives_what_a_checked_one_gives() -> None:
    """The step is the same after all states are forgotten."""
    state = waiting()
    known = step(state=state, observation=no(state))
    own_states.OWN_STATES.forget()
    assert known == step(state=state, observation=no(state))


def test_kept_states_are_bounded_in_number_and_size() -> None:
    """The oldest are forgotten, the latest is kept, and a large one is never kept."""
    own = own_states.OwnStates()
    for number in range(3 * MAX_OWN_STATES):
        own.note(b"%d" % number)
    own.note(b"0" * (MAX_OWN_STATE_BYTES + 1))
    kept = [number for number in range(3 * MAX_OWN_STATES) if own.has(b"%d" % number)]
    assert (True, True) == (len(kept) <= MAX_OWN_STATES, kept[-1] == 3 * MAX_OWN_STATES - 1)
    assert not own.has(b"0" * (MAX_OWN_STATE_BYTES + 1))
