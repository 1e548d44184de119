"""Definitions of others held to one's own approval rules: as strict as both, and never looser."""

import json
from typing import Any

import pytest

import purestep
from purestep.agent.approval_rules import approval_rule
from purestep.values import read_definition

READS = {"name": "fetch", "parameters": {"type": "object"}, "annotations": {"readOnlyHint": True}}
ACTS = {"name": "send", "parameters": {"type": "object"}, "annotations": {"destructiveHint": True}}
PLAIN = {"name": "send", "parameters": {"type": "object"}}
HARMLESS = {"readOnlyHint": True, "idempotentHint": True, "destructiveHint": False}


def held(definition: Any, own: Any, **parts: Any) -> Any:
    """Complete a definition that is held to the rules of one's own."""
    return json.loads(purestep.complete_agent(json.dumps(definition), json.dumps({"rules_of": own, **parts})))


def rules(definition: Any) -> dict[str, str]:
    """Return the rule of each tool of a definition, which the core takes."""
    read, _ = read_definition(json.dumps(definition))
    purestep.Agent.load(definition)
    return {spec.name: approval_rule(spec.name, spec, read) for spec in read.tools}


@pytest.mark.parametrize(
    "own",
    [
        {"tools": [{**PLAIN, "approval": "ask"}]},
        {"approval": {"tools": {"send": "ask"}}},
        {"approval": {"default": "ask"}},
        {"tools": [ACTS]},
    ],
    ids=["the tool's rule", "the policy", "the default", "a hint"],
)
@pytest.mark.parametrize(
    "theirs",
    [
        {"tools": [PLAIN]},
        {"tools": [{**PLAIN, "approval": "auto"}]},
        {"tools": [PLAIN], "approval": {"tools": {"send": "auto"}}},
        {"tools": [{**PLAIN, "annotations": HARMLESS}], "approval": {"default": "auto"}},
        {"tools": [{"type": "function", "function": PLAIN}]},
        {"tools": [{"name": "send", "inputSchema": {"type": "object"}, "approval": "auto"}]},
    ],
    ids=["nothing", "the tool's rule", "the policy", "hints", "another shape", "MCP's shape"],
)
def test_looser_definition_asks_as_ones_own_does(own: Any, theirs: Any) -> None:
    """However either of them says its rule."""
    assert {"send": "ask"} == rules(held(theirs, own))


def test_stricter_definition_stays_as_it_is() -> None:
    """It keeps its text, and so the digest of runs that began with it."""
    theirs = {"tools": [PLAIN], "approval": {"tools": {"send": "deny"}, "default": "ask"}, "name": "theirs"}
    assert theirs == held(theirs, {"tools": [PLAIN], "approval": {"default": "auto"}})


def test_denied_tool_stays_denied() -> None:
    """An approval that a client gives to itself does not open it."""
    theirs = {"tools": [PLAIN], "approval": {"tools": {"send": "ask"}}}
    assert {"send": "deny"} == rules(held(theirs, {"approval": {"tools": {"send": "deny"}}}))


def test_rules_of_the_hosts_tools_hold_where_ones_own_definition_names_none() -> None:
    """A tool that the host brings keeps its own rule, also where a client describes it anew."""
    theirs = {"tools": [PLAIN, READS]}
    assert {"send": "ask", "fetch": "auto"} == rules(held(theirs, {}, tools=[ACTS, READS]))
    assert {"send": "ask"} == rules(held({"approval": {"tools": {"send": "auto"}}}, {}, tools=[ACTS]))


def test_hints_claim_no_more_than_ones_own() -> None:
    """Hints decide whether a call that may have run is repeated unasked."""
    theirs = {"tools": [{**PLAIN, "annotations": HARMLESS}]}
    own = {"tools": [{**PLAIN, "annotations": {"readOnlyHint": False, "title": "Send"}}]}
    (tool,) = held(theirs, own)["tools"]
    assert {"readOnlyHint": False} == tool["annotations"]
    (plain,) = held(theirs, {"tools": [PLAIN]})["tools"]
    assert {} == plain["annotations"]
    (reads,) = held({"tools": [READS]}, {"tools": [READS]})["tools"]
    assert READS == reads


def test_hint_that_is_taken_over_does_not_outweigh_a_stricter_default() -> None:
    """A destructive tool asks, but under a default that denies it stays denied."""
    theirs = {"tools": [PLAIN], "approval": {"default": "deny"}}
    assert {"send": "deny"} == rules(held(theirs, {"tools": [ACTS]}))


def test_open_failure_of_unknown_outcomes_is_kept() -> None:
    """A client cannot have itself asked where the host's policy says that the run fails."""
    theirs = {"tools": [PLAIN], "approval": {"unknown_outcome": "ask"}}
    found = held(theirs, {"approval": {"unknown_outcome": "fail"}})
    assert "fail" == found["approval"]["unknown_outcome"]


def test_held_twice_is_held_once() -> None:
    """Each request of a run is held to the rules, and its definition has the same digest each time."""
    own = {"tools": [ACTS], "approval": {"default": "ask", "unknown_outcome": "fail"}}
    once = held({"tools": [PLAIN, READS]}, own)
    assert once == held(once, own)


@pytest.mark.parametrize(
    "wrong", [[1], {"tools": 1}, {"tools": [1]}, {"approval": None}, {"approval": {"tools": {"a": 1}}}]
)
def test_what_cannot_be_read_is_refused(wrong: Any) -> None:
    """Neither definition is passed over where it makes no sense."""
    good = {"tools": [PLAIN]}
    assert ["invalid_agent"] * 2 == [held(*pair)["error"]["code"] for pair in ((wrong, good), (good, wrong))]


@pytest.mark.parametrize(
    "theirs",
    [
        {"tools": [{**PLAIN, "approval": "auto"}]},
        {"tools": [PLAIN], "approval": {"tools": {"send": "auto"}}},
        {"tools": [PLAIN], "approval": {"default": "auto"}},
        {"tools": [{"name": "send", "inputSchema": {"type": "object"}, "approval": "auto"}]},
    ],
    ids=["the tool's rule", "the policy", "the default", "MCP's shape"],
)
def test_a_client_does_not_answer_for_ones_own_policies(theirs: Any) -> None:
    """What a policy asks about unless the definition says `auto` is asked about unless one's own says so."""
    policies = [{"use": "confidence", "acting": "ask"}]
    for own, is_trusted in (({}, False), ({"tools": [{**PLAIN, "approval": "auto"}]}, True)):
        found = purestep.Agent.load(held(theirs, {**own, "policies": policies}))
        assert (is_trusted, "auto") == (found.tools["send"].is_trusted, found.tools["send"].approval)


def asking(definition: Any) -> Any:
    """Complete a definition that is to ask before each act."""
    return json.loads(purestep.complete_agent(json.dumps(definition), '{"asks_before_acting": true}'))


@pytest.mark.parametrize(
    "said",
    [
        {"tools": [PLAIN]},
        {"tools": [{**PLAIN, "approval": "auto"}]},
        {"tools": [PLAIN], "approval": {"tools": {"send": "auto"}, "default": "auto"}},
        {"tools": [{**PLAIN, "annotations": {"readOnlyHint": False}}]},
        {"tools": [{"name": "send", "inputSchema": {"type": "object"}, "approval": "auto"}]},
    ],
    ids=["nothing", "the tool's rule", "the policy", "a hint", "MCP's shape"],
)
def test_a_tool_that_may_act_is_asked_about_whatever_its_definition_says(said: Any) -> None:
    """Also where nothing says what it does."""
    assert {"send": "ask"} == rules(asking(said))


def test_a_tool_that_only_reads_runs_as_its_definition_says() -> None:
    """Such a definition keeps its text, and so does one that asks about all, or denies."""
    asked = {**PLAIN, "approval": "ask"}
    for definition in ({"tools": [READS, asked]}, {"tools": [PLAIN], "approval": {"default": "deny"}}, {}):
        assert definition == asking(definition)


def test_agents_ask_before_acting() -> None:
    """However they are named; one that only reads stays as it is."""
    tools = [{"agent": {"tools": [PLAIN]}, "as": "clerk"}]
    assert {"clerk": {"send": "ask"}, "desk": {"fetch": "auto"}} == agents_rules(
        asking({"tools": tools, **below(READS)})
    )


def test_no_definition_cannot_ask() -> None:
    """The error says what is wrong with it, and where."""
    assert "/tools" == asking({"tools": [{"name": 1}]})["error"]["path"][:6]


def below(*tools: Any, **members: Any) -> dict[str, Any]:
    """Return a definition whose agent `desk` has these tools."""
    return {"agents": {"desk": {"agent": {"tools": list(tools), **members}}}}


def agents_rules(definition: Any) -> dict[str, dict[str, str]]:
    """Return the rules of each agent of a definition, which the core takes, by its name."""
    purestep.Agent.load(definition)
    return {name: rules(entry["agent"]) for name, entry in definition["agents"].items()}


@pytest.mark.parametrize(
    ("theirs", "name"),
    [
        (below(PLAIN), "desk"),
        ({"agents": {"desk": {"tools": [PLAIN]}}}, "desk"),
        ({"agents": {"other": {"agent": {"tools": [PLAIN]}}}}, "other"),
        ({"tools": [{"agent": {"tools": [PLAIN]}, "as": "desk"}]}, "desk"),
        ({"tools": [{"agent": "desk", "as": "other"}], **below(PLAIN)}, "other"),
    ],
    ids=["by its name", "without an entry", "by another name", "among the tools", "renamed among the tools"],
)
def test_an_agent_of_a_client_asks_as_ones_own_does(theirs: Any, name: str) -> None:
    """However the client calls it, and wherever it names it."""
    for own in (below({**PLAIN, "approval": "ask"}), below(PLAIN, approval={"default": "ask"}), below(ACTS)):
        assert {name: {"send": "ask"}} == agents_rules(held(theirs, own))


def test_a_tool_that_is_moved_is_asked_about_as_where_it_was() -> None:
    """Up to the first agent or further down; a rule that one's own has for that place holds there alone."""
    own = below({**PLAIN, "approval": "ask"}, approval={"unknown_outcome": "fail"})
    moved = held({"tools": [PLAIN]}, own)
    assert ({"send": "ask"}, "fail") == (rules(moved), moved["approval"]["unknown_outcome"])
    deep = held({"agents": {"desk": {"agent": below(PLAIN)}}}, own)["agents"]["desk"]["agent"]
    assert {"desk": {"send": "ask"}} == agents_rules(deep)
    assert {"send": "auto"} == rules(held({"tools": [PLAIN]}, {**own, "tools": [PLAIN]}))


def test_the_hints_of_a_tool_that_is_moved_claim_no_more() -> None:
    """It would run again where nobody knows whether it ran."""
    moved = held({"agents": {"other": {"agent": {"tools": [{**PLAIN, "annotations": HARMLESS}]}}}}, below(ACTS))
    (tool,) = moved["agents"]["other"]["agent"]["tools"]
    assert {"destructiveHint": True} == tool["annotations"]


def test_calls_of_agents_are_asked_about_as_in_ones_own() -> None:
    """By its name or by default; a default asks about no hand-off."""
    for policy in ({"tools": {"desk": "ask"}}, {"default": "ask"}):
        own = {**below(PLAIN), "approval": policy}
        assert (
            "ask" == held({**below(PLAIN), "approval": {"tools": {"desk": "auto"}}}, own)["approval"]["tools"]["desk"]
        )
    handed = {"agents": {"desk": {"agent": {}, "hand_off": True}}}
    assert "tools" not in held(handed, {"approval": {"default": "ask"}}).get("approval", {})
    assert "deny" == held(handed, {"approval": {"tools": {"desk": "deny"}}})["approval"]["tools"]["desk"]


def test_what_is_wrong_with_an_agent_is_told_where_it_is() -> None:
    """In the client's definition, and in one's own."""
    wrong = below(1)
    assert "/agents/desk/agent/tools/0" == held(wrong, {})["error"]["path"]
    assert "/rules_of/agents/desk/agent/tools/0" == held({}, wrong)["error"]["path"]
