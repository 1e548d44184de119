"""The text that a seal is computed over: the same for equal JSON, another for everything else."""

import hashlib
import json
from typing import Any

import pytest

import purestep

AGENT = {"tools": [{"name": "pay", "parameters": {"type": "object"}, "approval": "ask"}]}
BEGIN = {"agent": AGENT, "run_id": "r", "observation": {"type": "user_message", "content": "Pay ünïcode"}}
CALL = '{"kind":"tool_call","tool_name":"pay","arguments":{"cents":9007199254740993,"rate":2.0}}'


def standing() -> dict[str, Any]:
    """Return the state and messages of a run that waits for a person."""
    first = json.loads(purestep.run_agent_step(json.dumps(BEGIN)))
    observation = {"type": "model_output", "content": CALL}
    second = json.loads(
        purestep.run_agent_step(json.dumps({"agent": AGENT, "state": first["state"], "observation": observation}))
    )
    return {"state": second["state"], "messages": first["messages"] + second["messages"]}


GIVEN: dict[str, Any] = {**standing(), "user": "ann", "expires_at": 1_700_000_000_000, "key_id": "k1"}


def sealed(given: Any, **how: Any) -> str:
    """Return the text for an input that is written as json.dumps is told."""
    return purestep.sealed_text(json.dumps(given, **how))


def test_text_names_what_it_seals() -> None:
    """It is canonical JSON of digests and names, so another program can make it."""
    found = json.loads(sealed(GIVEN))
    state = GIVEN["state"]
    assert {
        "format": "purestep-seal-v1",
        "key_id": "k1",
        "expires_at": 1_700_000_000_000,
        "user": "ann",
        "run_id": "r",
        "agent": state["agent"],
        "head": state["head"],
        "state": canonical_digest(state),
        "messages": canonical_digest(GIVEN["messages"]),
    } == found
    assert json.dumps(found, sort_keys=True, separators=(",", ":")) == sealed(GIVEN)


def canonical_digest(value: Any) -> str:
    """Return the SHA-256 of canonical JSON, made without the core."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.replace('"rate":2.0', '"rate":2').encode()).hexdigest()


def test_json_written_again_is_the_same() -> None:
    """A client may blank, escape and order as it likes, and may write 2.0 as JavaScript does."""
    expected = sealed(GIVEN)
    assert expected == sealed(GIVEN, indent=3)
    assert expected == sealed(GIVEN, ensure_ascii=False, sort_keys=True)
    assert expected == purestep.sealed_text(json.dumps(GIVEN).replace('"rate": 2.0', '"rate": 2'))


def test_digits_that_a_double_loses_are_another_state() -> None:
    """What was rounded on the way is not what was sealed."""
    assert sealed(GIVEN) != purestep.sealed_text(json.dumps(GIVEN).replace("9007199254740993", "9007199254740992"))


@pytest.mark.parametrize(
    "changed",
    [
        {"user": ""},
        {"expires_at": 1_700_000_000_001},
        {"key_id": "k2"},
        {"messages": GIVEN["messages"][:-1]},
        {"messages": GIVEN["messages"][::-1]},
        {"state": {**GIVEN["state"], "phase": "tools"}},
        {"state": {**GIVEN["state"], "unknown": None}},
    ],
)
def test_each_part_is_in_the_text(changed: dict[str, Any]) -> None:
    """Another part gives another text."""
    assert sealed(GIVEN) != sealed({**GIVEN, **changed})


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"state": {}}, "/state"),
        ({"state": {**GIVEN["state"], "run_id": 7}}, "/state/run_id"),
        ({"state": []}, "/state"),
        ({"messages": {}}, "/messages"),
        ({"messages": [1]}, "/messages/0"),
        ({"user": None}, "/user"),
        ({"expires_at": -1}, "/expires_at"),
        ({"expires_at": 1.5}, "/expires_at"),
        ({"key_id": ""}, "/key_id"),
        ({"key_id": "k" * 65}, "/key_id"),
        ({"more": 1}, "/more"),
    ],
)
def test_wrong_input_is_told_by_its_path(changed: dict[str, Any], path: str) -> None:
    """Nothing that is not understood is sealed."""
    error = json.loads(sealed({**GIVEN, **changed}))["error"]
    assert ("invalid_input", path) == (error["code"], error["path"])


def test_transcripts_of_agents_are_sealed() -> None:
    """Each word of them, and whose they are; without any, the text is as it was before there were agents."""
    said = [{"role": "user", "content": "Pay"}]
    whole = {**GIVEN, "children": {"run-a": said, "run-b": said}}
    others = [
        {"run-a": said},
        {"run-b": said, "run-c": said},
        {"run-a": [*said, *said], "run-b": said},
        {"run-a": [], "run-b": said},
        {"run-a": [{"role": "user", "content": "Pay!"}], "run-b": said},
    ]
    assert len(others) + 2 == len(
        {sealed(GIVEN), sealed(whole), *[sealed({**GIVEN, "children": each}) for each in others]}
    )
    assert sealed(GIVEN) == sealed({**GIVEN, "children": {}})
    assert canonical_digest(whole["children"]) == json.loads(sealed(whole))["children"]
