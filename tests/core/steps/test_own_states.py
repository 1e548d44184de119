"""States that come back to the process that gave them out: these alone are taken unchecked, and only as they were."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.inspect import (
    AnyType,
    DictType,
    ListType,
    SetType,
    StructType,
    TupleType,
    UnionType,
    VarTupleType,
    type_info,
)

import purestep
from purestep.bounds import MAX_OWN_STATE_BYTES, MAX_OWN_STATES
from purestep.steps import own_states
from purestep.values import ExchangeState, Pending, RunProgress, RunState, WindowState

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
    """Return the answer that refuses the call."""
    answer = {"call_id": "call_1", "key": state["pending"][0]["key"], "approved": False}
    return {"type": "approvals", "approvals": [answer]}


def waiting() -> Any:
    """Return the state of a run that waits for approval."""
    begun = step(agent=AGENT, run_id="own", observation=ASKED)
    return step(state=begun["state"], observation={"type": "model_output", "content": PAY})["state"]


@pytest.mark.parametrize("amount", [True, 2, "1"])
def test_state_that_was_edited_is_no_own_one(amount: Any) -> None:
    """A number that has become true, a text or another one is refused, right after the state itself was taken."""
    state = waiting()
    assert "error" not in step(state=state, observation=no(state))
    state["pending"][0]["params"]["amount"] = amount
    assert "invalid_state" == step(state=state, observation=no(state))["error"]["code"]


@pytest.mark.parametrize("edit", [{"phase": "tools"}, {"run": {"seq": 4, "calls": 7}}, {"run": {"seq": 0, "calls": 1}}])
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


def asking() -> Any:
    """Return the state of a run that asks the model."""
    return step(agent=AGENT, run_id="own", observation=ASKED)["state"]


@pytest.mark.parametrize("make", [asking, waiting])
def test_state_gives_the_same_step_however_it_is_written(make: Callable[[], Any]) -> None:
    """As it was given out, with blanks, and after all states are forgotten, the step is byte for byte the same."""
    state = make()
    given = {"state": state, "observation": {"type": "cancel", "reason": "enough"}}
    compact = json.dumps(given, separators=(",", ":"), ensure_ascii=False)
    assert own_states.OWN_STATES.has(json.dumps(state, separators=(",", ":"), ensure_ascii=False).encode())
    known, spaced = purestep.run_agent_step(compact), purestep.run_agent_step(json.dumps(given))
    own_states.OWN_STATES.forget()
    assert [known, known] == [spaced, purestep.run_agent_step(compact)]


def test_plain_state_that_comes_back_as_its_text_is_not_decoded() -> None:
    """Only the text as it was given out stands for the value, and only where that holds nothing that could change."""
    own, state = own_states.OwnStates(), begun()
    pending = msgspec.structs.replace(
        state, pending=(Pending(call_id="call_1", tool="pay", params={}, key="", status="run"),)
    )
    own.note(state, b"plain")
    own.note(pending, b"pending")
    assert (state, None, msgspec.UNSET) == (own.read(b"plain"), own.read(b"pending"), own.read(b"plain "))
    assert own.has(b"pending")


def test_pending_call_that_a_host_changed_is_checked() -> None:
    """Arguments that do not fit any more are found, though the state was given out by this process."""
    run = purestep.start(purestep.Agent.load(AGENT), purestep.UserMessage(content="Pay 1 euro."), "own")
    state = purestep.step(run.state, purestep.ModelOutput(content=PAY)).state
    assert "approval" == purestep.step(state, purestep.UserMessage(content="Hurry.")).state.phase
    state.pending[0].params["amount"] = True
    with pytest.raises(purestep.PurestepError, match="contradicts itself"):
        purestep.step(state, purestep.UserMessage(content="Hurry."))


def test_kept_states_are_bounded_in_number_and_size() -> None:
    """The oldest are forgotten, the latest is kept, and a large one is never kept."""
    own, state = own_states.OwnStates(), begun()
    for number in range(3 * MAX_OWN_STATES):
        own.note(state, b"%d" % number)
    own.note(state, b"0" * (MAX_OWN_STATE_BYTES + 1))
    kept = [number for number in range(3 * MAX_OWN_STATES) if own.has(b"%d" % number)]
    assert (True, True) == (len(kept) <= MAX_OWN_STATES, kept[-1] == 3 * MAX_OWN_STATES - 1)
    assert not own.has(b"0" * (MAX_OWN_STATE_BYTES + 1))


def may_change(kind: Any) -> bool:
    """Whether a value of a type may hold a dict or a list."""
    match kind:
        case AnyType() | DictType() | ListType() | SetType():
            return True
        case UnionType(types=kinds) | TupleType(item_types=kinds):
            return any(map(may_change, kinds))
        case VarTupleType(item_type=item):
            return may_change(item)
        case StructType(fields=fields):
            return any(may_change(field.type) for field in fields)
        case _:
            return False


GROUPS = {"run": RunProgress, "exchange": ExchangeState, "window": WindowState}


def changing_members(kind: type[msgspec.Struct]) -> list[str]:
    """Return the members of a value that may hold a dict or a list."""
    shape = type_info(kind)
    assert isinstance(shape, StructType)
    return [field.name for field in shape.fields if may_change(field.type)]


def begun() -> RunState:
    """Return the state of a run that asks the model."""
    return purestep.start(None, purestep.UserMessage(content="Hello"), "own").state


def test_states_that_a_host_could_change_are_not_taken_as_they_are() -> None:
    """Of all members that may hold a dict or a list, none may have a value in a state that is its own copy."""
    changing = [("", name) for name in changing_members(RunState) if name not in GROUPS]
    changing += [(group, name) for group, kind in GROUPS.items() for name in changing_members(kind)]
    assert {("", "pending"), ("exchange", "corrections"), ("exchange", "data"), ("exchange", "failure")} <= set(
        changing
    )
    for group, name in changing:
        own, state = own_states.OwnStates(), begun()
        inner = msgspec.structs.replace(getattr(state, group) if group else state, **{name: ("a value",)})
        state = msgspec.structs.replace(state, **{group: inner}) if group else inner
        own.give(state)
        assert not own.gave(state), name


def test_only_the_very_value_is_an_own_one() -> None:
    """One that is equal, or whose corrections a host has changed, is copied and checked."""
    own, state = own_states.OwnStates(), begun()
    own.give(state)
    assert (True, False) == (own.gave(state), own.gave(msgspec.structs.replace(state)))
    state.exchange.corrections["parse_error"] = 1
    assert not own.gave(state)


def test_corrections_that_a_host_changed_are_checked() -> None:
    """What is wrong in them is found, though the state was given out by this process."""
    state = begun()
    state.exchange.corrections["parse_error"] = -1
    with pytest.raises(purestep.PurestepError, match="corrections"):
        purestep.step(state, purestep.ModelOutput(content="{}"))


def test_given_states_are_bounded_in_number() -> None:
    """The oldest are forgotten, and the latest is kept."""
    own, states = own_states.OwnStates(), [begun() for _ in range(3 * MAX_OWN_STATES)]
    for state in states:
        own.give(state)
    kept = [own.gave(state) for state in states]
    assert (True, True) == (0 < kept.count(True) <= MAX_OWN_STATES, kept[-1])
