"""Policies of a definition: asked in its order, combined, kept in the state, verified with the log."""

import itertools
import json
from typing import Any

import pytest
from msgspec import Struct
from msgspec.json import encode

import purestep
from purestep import (
    Agent,
    Allow,
    Ask,
    CallProposed,
    Correct,
    ExchangeBegun,
    Fix,
    ModelOutput,
    PurestepError,
    Refuse,
    ResultSeen,
    Step,
    ToolResult,
    ToolResults,
    UserMessage,
    register_policy,
    start,
    step,
)

from .refund_hours import RefundHours

_NUMBERS = itertools.count(100)
NIGHT, NOON = 20 * 3_600_000, 12 * 3_600_000
AMOUNT = {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]}
REFUND = {"name": "refund", "parameters": AMOUNT}


def _agent(*uses: dict[str, Any], **more: Any) -> Agent:
    return Agent.load({"tools": [REFUND], "policies": list(uses), **more})


def _refund(agent: Agent, amount: float, at: int = NIGHT) -> Step:
    run = start(agent, UserMessage(content="Pay it back.", at=at), run_id="run-1")
    said = json.dumps({"kind": "tool_call", "tool_name": "refund", "arguments": {"amount": amount}})
    return step(run.state, ModelOutput(content=said, at=at))


def _registered(hooks: dict[str, Any], name: str = "own", version: int | None = None, **members: Any) -> None:
    number = next(_NUMBERS) if version is None else version
    register_policy(type("Own", (), {"name": name, "version": number, "__init__": lambda *_: None, **hooks, **members}))


class _Count(Struct, frozen=True):
    exchanges: int = 0
    results: int = 0


class _Counting:
    """Counts exchanges and results, and refuses every call after the first result of an exchange."""

    name, version, State = "counting", 1, _Count

    def __init__(self, options: None, tools: Any) -> None:
        pass

    def begin(self, kept: _Count, exchange: ExchangeBegun) -> _Count:
        return _Count(exchanges=kept.exchanges + 1)

    def observed(self, kept: _Count, fact: Any) -> _Count:
        if isinstance(fact, ResultSeen):
            return _Count(exchanges=kept.exchanges, results=kept.results + 1)
        return kept

    def call(self, kept: _Count, call: CallProposed) -> Refuse | None:
        return Refuse(text="One refund is enough.") if kept.results else None


@pytest.fixture(autouse=True)
def _policies() -> None:
    register_policy(RefundHours)
    register_policy(_Counting)


def test_policy_refuses_by_the_hosts_clock() -> None:
    """A large refund at night is not made, and the model reads why; at noon it is."""
    agent = _agent({"use": "refund_hours", "above": 100})
    refused = _refund(agent, 500)
    expected = "Refunds above 100.0 are made before 18:00 only. Nothing was paid back."
    assert expected in str(refused.messages[-1].content)
    assert "invoke_tool" == _refund(agent, 500, NOON).decision.__struct_config__.tag
    assert "invoke_tool" == _refund(agent, 50).decision.__struct_config__.tag


def test_refused_call_is_made_once_its_policy_allows_it() -> None:
    """A refusal is no bar: it is judged anew each time, and here the hour has come."""
    refused = _refund(_agent({"use": "refund_hours", "above": 100}), 500)
    said = json.dumps({"kind": "tool_call", "tool_name": "refund", "arguments": {"amount": 500}})
    later = step(refused.state, ModelOutput(content=said, at=NOON + 24 * 3_600_000))
    assert isinstance(later.decision, purestep.InvokeTool)


def test_refusal_is_a_verdict_in_the_log_and_verifies() -> None:
    """The log says which policy refused which call, and derives again."""
    agent = _agent({"use": "refund_hours", "above": 100})
    run = start(agent, UserMessage(content="Pay it back.", at=NIGHT), run_id="run-1")
    said = '{"kind":"tool_call","tool_name":"refund","arguments":{"amount":500}}'
    after = step(run.state, ModelOutput(content=said, at=NIGHT))
    log = run.log + after.log
    verdict = next(json.loads(line) for line in after.log.splitlines() if '"verdict"' in line)
    assert ("reject", "refund_hours", "call_1") == (verdict["verdict"], verdict["check"], verdict["call_id"])
    assert after.state.head == purestep.verify(log).head


def test_log_is_refused_without_its_policy() -> None:
    """A log whose policy, or its version, is not there is unknown_policy, and never verified."""
    _registered({}, name="gone", version=3)
    log = start(_agent({"use": "gone"}), UserMessage(content="Hello"), run_id="run-1").log
    verified = purestep.verify(log.replace('"version":3', '"version":4'))
    assert (False, "unknown_policy") == (verified.ok, verified.code)
    assert 'no policy "gone" in version 4: it has version 3' in verified.message


def test_version_stands_in_the_digest() -> None:
    """A definition that names no version has the one that was registered last, in its source and digest."""
    _registered({}, name="versioned", version=1)
    first = _agent({"use": "versioned"})
    _registered({}, name="versioned", version=2)
    second = _agent({"use": "versioned"})
    assert first.digest != second.digest
    assert [{"use": "versioned", "version": 2}] == json.loads(second.source)["policies"]
    assert first.digest == _agent({"use": "versioned", "version": 1}).digest


def test_run_goes_on_with_the_version_it_began_with() -> None:
    """A version registered in the middle of a run changes nothing of it."""
    _registered({"call": lambda self, kept, call: Refuse(text="No.")}, name="moving", version=1)
    run = start(_agent({"use": "moving"}), UserMessage(content="Pay"), run_id="run-1")
    _registered({}, name="moving", version=2)
    after = step(run.state, ModelOutput(content='{"kind":"tool_call","tool_name":"refund","arguments":{"amount":1}}'))
    assert "No." in str(after.messages[-1].content)


def test_first_refusal_wins_and_ask_beats_allow() -> None:
    """Verdicts are combined in the definition's order."""
    _registered({"call": lambda self, kept, call: Allow()}, name="allows")
    _registered({"call": lambda self, kept, call: Ask(reason="Is it right?")}, name="asks")
    _registered({"call": lambda self, kept, call: Refuse(text="Never.")}, name="refuses")
    asked = _refund(_agent({"use": "allows"}, {"use": "asks"}), 5)
    assert ("Is it right?",) == tuple(call.reason for call in asked.decision.calls)
    refused = _refund(_agent({"use": "asks"}, {"use": "refuses"}, {"use": "refund_hours", "above": 1}), 5)
    assert "Never." in str(refused.messages[-1].content)


def test_asking_policy_is_named_in_the_log() -> None:
    """The line of the approval request says which policy has the person asked."""
    _registered({"call": lambda self, kept, call: Ask(reason="Is it right?")}, name="asks")
    asked = _refund(_agent({"use": "asks"}), 5)
    line = next(json.loads(line) for line in asked.log.splitlines() if "approval_request" in line)
    assert ("asks", "Is it right?") == (line["policy"], line["reason"])


def test_fixed_arguments_are_run_and_named() -> None:
    """A policy may change arguments; the decision says what was changed."""
    _registered({"call": lambda self, kept, call: Fix(params={"amount": 5}, note="at most 5")}, name="fixes")
    decision = _refund(_agent({"use": "fixes"}), 50).decision
    assert {"amount": 5} == decision.params
    assert "fixes: at most 5" == decision.calls[0].problems[0].message


def test_policy_keeps_a_state_between_steps() -> None:
    """What a policy keeps is canonical JSON in the state, restarts with the exchange as it says, and decides."""
    agent = _agent({"use": "counting"})
    run = _refund(agent, 5)
    run = step(run.state, ToolResults(results=(ToolResult(call_id="call_1", ok=True, output="paid"),)))
    assert {"counting": '{"exchanges":1,"results":1}'} == run.state.policies
    run = step(run.state, ModelOutput(content='{"kind":"tool_call","tool_name":"refund","arguments":{"amount":6}}'))
    assert "One refund is enough." in str(run.messages[-1].content)


def test_answer_that_a_policy_rejects_is_sent_back_once() -> None:
    """The correction names the policy; a second rejected answer is a failure."""
    _registered({"answer": lambda self, kept, answer: Correct(text="Say please.")}, name="polite")
    run = start(_agent({"use": "polite"}), UserMessage(content="Hello"), run_id="run-1")
    run = step(run.state, ModelOutput(content='{"kind":"final","content":"Hi"}'))
    assert ("Say please.", "correction") == (run.messages[-1].content, run.decision.reason)
    run = step(run.state, ModelOutput(content='{"kind":"final","content":"Hi"}'))
    assert "guardrail" == run.decision.code


def test_answer_that_a_policy_refuses_ends_the_run() -> None:
    """No second answer is asked for; the failure and the log say what the policy says, and who it is."""
    _registered({"answer": lambda self, kept, answer: Refuse(text="Nobody vouches for that.")}, name="strict")
    run = start(_agent({"use": "strict"}), UserMessage(content="Hello"), run_id="run-1")
    run = step(run.state, ModelOutput(content='{"kind":"final","content":"Hi"}'))
    assert ("answer_refused", "Nobody vouches for that.", {"policy": "strict"}) == (
        run.decision.code,
        run.decision.message,
        run.decision.detail,
    )
    line = next(json.loads(line) for line in run.log.splitlines() if '"verdict"' in line)
    assert ("reject", "strict", "Nobody vouches for that.") == (line["verdict"], line["check"], line["reason"])
    run = step(run.state, UserMessage(content="Then say hello"))
    assert purestep.CallModel is type(run.decision)


def test_policy_leaves_out_tools() -> None:
    """A policy may narrow what the model is offered."""
    _registered({"ask": lambda self, kept, offer: ()}, name="none_offered")
    agent = _agent({"use": "none_offered"}, dialect="native")
    run = start(agent, UserMessage(content="Hello"), run_id="run-1")
    assert purestep.CallModel is type(run.decision)
    assert not run.decision.tools


@pytest.mark.parametrize(
    ("hooks", "message"),
    [
        ({"call": lambda self, kept, call: 1 / 0}, "raised ZeroDivisionError for its hook call"),
        ({"call": lambda self, kept, call: True}, "gave bool from its hook call"),
        ({"call": lambda self, kept, call: Refuse(text="")}, "gave no text of 1 to 4000 characters"),
        ({"begin": lambda self, kept, exchange: {"a": 1}, "State": _Count}, "gave dict from its hook begin"),
        ({"begin": lambda self, kept, exchange: kept}, "has begin or observed and no State"),
    ],
)
def test_broken_policy_is_one_clear_error(hooks: dict[str, Any], message: str) -> None:
    """A policy that raises or gives something else stops the step with its name; the state before still holds."""
    _registered(hooks, name="broken")
    with pytest.raises(PurestepError) as caught:
        _refund(_agent({"use": "broken"}), 5)
    assert ("policy_failed", "broken") == (caught.value.code, caught.value.detail["name"])
    assert message in caught.value.message


def test_state_past_its_bound_is_refused() -> None:
    """What a policy keeps is bounded."""

    class Long(Struct, frozen=True):
        text: str = ""

    _registered({"begin": lambda self, kept, exchange: Long(text="x" * 70_000)}, name="long", State=Long)
    with pytest.raises(PurestepError) as caught:
        start(_agent({"use": "long"}), UserMessage(content="Hello"), run_id="run-1")
    assert "keeps 70011 bytes, of at most 64000" in caught.value.message


@pytest.mark.parametrize(
    ("uses", "code", "path"),
    [
        ([{"use": "nobody"}], "unknown_policy", "/policies/0"),
        ([{"use": "counting", "version": 9}], "unknown_policy", "/policies/0"),
        ([{"use": "counting"}, {"use": "counting"}], "invalid_agent", "/policies/1/use"),
        ([{"use": "counting", "colour": 1}], "invalid_agent", "/policies/0/colour"),
        ([{"use": "refund_hours", "above": "much"}], "invalid_agent", "/policies/0/above"),
        ([{"version": 1}], "invalid_agent", "/policies/0/use"),
        ([{"use": "counting", "version": 0}], "invalid_agent", "/policies/0/version"),
    ],
)
def test_definition_with_wrong_policies_is_refused(uses: list[dict[str, Any]], code: str, path: str) -> None:
    """An unknown policy, a wrong option or a policy named twice is one error with its place."""
    with pytest.raises(PurestepError) as caught:
        _agent(*uses)
    assert (code, path) == (caught.value.code, caught.value.path)


@pytest.mark.parametrize(
    "text", ['{"exchanges":1, "results":0}', '{"results":0,"exchanges":1}', '{"exchanges":"x"}', "no", '{"other":1}']
)
def test_forged_state_of_a_policy_is_refused(text: str) -> None:
    """Only what the policy itself has written is taken."""
    run = _refund(_agent({"use": "counting"}), 5)
    state = {**json.loads(encode(run.state)), "policies": {"counting": text}}
    result = json.loads(purestep.run_agent_step(json.dumps({"state": state})))
    assert ("invalid_state", "/state/policies/counting") == (result["error"]["code"], result["error"]["path"])


def test_another_policy_of_a_taken_version_is_refused() -> None:
    """Logs name a policy by name and version, so a version is one policy's for good."""
    _registered({}, name="taken", version=1)
    with pytest.raises(ValueError, match="version 1 of the policy taken is registered already"):
        _registered({}, name="taken", version=1)


@pytest.mark.parametrize(
    "members", [{"name": ""}, {"name": "x" * 65}, {"version": 0}, {"version": True}, {"Options": int}, {"State": "x"}]
)
def test_what_is_no_policy_is_not_registered(members: dict[str, Any]) -> None:
    """A policy has a name, a version, and struct types for what it reads and keeps."""
    with pytest.raises(ValueError, match="expected"):
        register_policy(type("Own", (), {"name": "wrong", "version": 1, **members}))
