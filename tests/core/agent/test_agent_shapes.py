"""Agents in other shapes: definitions by their names, and tools that are agents, mean the same as in ours."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import call, final, said, tool
from tests.core.tree import TreeDriver, assert_tree_replays

LOOK = tool("look")
DESK: dict[str, Any] = {"instructions": "You refund.", "tools": [tool("refund", {"amount": {"type": "integer"}})]}
OWN = {"tools": [LOOK], "agents": {"desk": {"agent": DESK}}}


def digest(definition: dict[str, Any]) -> str:
    """Return the digest of a definition, or the error as it is given as data."""
    return purestep.load_agent(json.dumps(definition))


@pytest.mark.parametrize(
    "definition",
    [
        {"tools": [LOOK], "agents": {"desk": DESK}},
        {"tools": [LOOK, {"agent": "desk"}], "agents": {"desk": DESK}},
        {"tools": [{"agent": "desk", "as": "desk"}, LOOK], "agents": {"desk": DESK}},
        {"tools": [LOOK, {"agent": "refunds", "as": "desk"}], "agents": {"refunds": DESK}},
        {"tools": [LOOK, {"agent": "refunds", "as": "desk"}], "agents": {"refunds": {"agent": DESK}}},
        {"tools": [LOOK, {"agent": DESK, "as": "desk"}]},
    ],
)
def test_all_shapes_are_one_definition(definition: dict[str, Any]) -> None:
    """The same digest, so the same bytes of every run."""
    assert digest(definition) == digest(OWN)


def test_a_tool_says_how_its_agent_is_called() -> None:
    """A description, a hand-off, two tools of one agent, and an agent with a name of its own."""
    named = {**DESK, "name": "clerk"}
    tools = [
        {"agent": "d", "as": "ask_desk", "description": "Ask."},
        {"agent": "d", "as": "desk", "hand_off": True},
        {"agent": named},
    ]
    found = json.loads(purestep.Agent.load({"agents": {"d": DESK}, "tools": tools}).source)
    assert sorted(found["agents"]) == ["ask_desk", "clerk", "desk"]
    assert found["agents"]["ask_desk"]["description"] == "Ask."
    assert found["agents"]["desk"]["hand_off"] is True
    assert found["tools"] == []


def test_a_run_names_the_agent_by_its_tool() -> None:
    """Paths, keys and the log are those of our shape, two levels down too."""
    lead = {"agents": {"d": DESK}, "tools": [{"agent": "d", "as": "desk"}]}
    run = TreeDriver({"agents": {"research": lead}, "tools": [{"agent": "research", "as": "lead"}]})
    run.send(said(call("lead", question="Refund 5")))
    run.say(("lead",), call("desk", question="Refund 5"))
    run.say(("lead", "desk"), final("Refunded."))
    run.say(("lead",), final("Done."))
    assert run.messages[-1]["content"] == "Result of lead: Done."
    assert_tree_replays(run)


@pytest.mark.parametrize(
    ("definition", "path", "words"),
    [
        ({"agents": {"desk": DESK}, "tools": [{"agent": "desc"}]}, "/tools/0/agent", 'did you mean "desk"?'),
        ({"tools": [{"agent": "desk"}]}, "/tools/0/agent", "the agents are: none"),
        ({"tools": [{"agent": 5}]}, "/tools/0/agent", "expected the name of an agent"),
        ({"tools": [{"agent": DESK}]}, "/tools/0/as", "the name by which the model calls"),
        ({"tools": [{"agent": DESK, "as": 5}]}, "/tools/0/as", "the name by which the model calls"),
        ({"tools": [{"agent": DESK, "as": "a", "handoff": True}]}, "/tools/0/handoff", 'did you mean "hand_off"?'),
        ({"tools": [{"agent": DESK, "as": "a"}, {"agent": DESK, "as": "a"}]}, "/tools/1/as", 'called "a"'),
        ({"agents": {"a": DESK}, "tools": [{"agent": DESK, "as": "a"}]}, "/agents", 'called "a"'),
        ({"agents": {"desk": 5}, "tools": [LOOK]}, "/agents/desk", "expected an object"),
        ({"agents": 5, "tools": [{"agent": DESK, "as": "a"}]}, "/agents", "expected an object"),
        ({"agents": {"desk": "desk.json"}}, "/agents/desk/agent", "expected an object"),
        ({"agents": {"desk": {"instruction": "x"}}}, "/agents/desk/agent/instruction", "unknown"),
    ],
)
def test_what_is_none(definition: dict[str, Any], path: str, words: str) -> None:
    """An error at its place, in words that say what to write."""
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.Agent.load(definition)
    assert (caught.value.code, caught.value.path) == ("invalid_agent", path)
    assert words in caught.value.message
